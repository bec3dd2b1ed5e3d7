package local_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync/atomic"
	"syscall"
	"testing"
	"wstk/shared/app"
	"wstk/shared/app/apptest"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// fullPages are pages on a disk that is full.
type fullPages struct {
	wstk.PageStore
	puts *atomic.Int32
}

func (f fullPages) full() error {
	return wstk.Errorf(wstk.Unavailable, "storing page", "the disk is full: %w", syscall.ENOSPC).Try(wstk.Advice("free some space"))
}

func (f fullPages) Put(context.Context, wstk.Page) error {
	f.puts.Add(1)
	return f.full()
}

func (f fullPages) Count(context.Context, wstk.SiteID) (int, error) { return 0, f.full() }

// A crawl stops at once on a full disk, says so in one sentence and no log, and names
// what mends it before what goes on.
func TestACrawlStopsOnAFullDisk(t *testing.T) {
	root, _ := manual(t, 9)
	a := open(t, testConfig(t))
	var puts atomic.Int32
	var log bytes.Buffer
	apptest.Change(a, func(h *app.Home) {
		h.Pages, h.Log = fullPages{h.Pages, &puts},
			slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	})
	res, err := a.Crawling.Ingest(t.Context(), crawling.IngestRequest{URL: root})
	next := wstk.StepsOf(err)
	if wstk.CodeOf(err) != wstk.Unavailable || err.Error() != "the crawl of "+root+" stopped: the disk is full" ||
		len(next) != 2 || next[0].Say != "free some space" || next[1].For != wstk.ToGoOn ||
		next[1].Do != wstk.DoIngest || next[1].URL != root {
		t.Errorf("%v, %v", err, next)
	}
	if !res.Uncounted || puts.Load() != 1 || log.Len() > 0 {
		t.Errorf("counted %t, %d tries, log %s", !res.Uncounted, puts.Load(), log.String())
	}
}
