package web

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"wstk/shared/app"
	"wstk/shared/app/apptest"

	"wstk/shared/wstk"
)

// Pages are counted and logged as the API is: by route and status, and no label is a
// stranger's word.
func TestPagesAreWatched(t *testing.T) {
	h := newHome(t).login()
	h.call("/", nil)
	h.call("/login", url.Values{"token": {"guess"}})
	h.call("/web/runs/run_secret", nil)
	h.call("/web/secret", nil)
	h.call("/web//secret/../secret/", nil)
	h.call("/static/style.css", nil)
	h.call("/web/runs", url.Values{}, "Sec-Fetch-Site", "cross-site")
	var b bytes.Buffer
	if err := h.app.Metrics.Prometheus(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`wstk_http_requests_total{method="POST",route="/login",status="303"} 1`,
		`wstk_http_requests_total{method="POST",route="/login",status="401"} 1`,
		`wstk_http_requests_total{method="GET",route="/",status="200"} 1`,
		`wstk_http_requests_total{method="GET",route="/web/runs/{id}",status="404"} 1`,
		`wstk_http_requests_total{method="GET",route="other",status="404"} 1`,
		`wstk_http_requests_total{method="POST",route="other",status="403"} 1`,
		`wstk_http_requests_total{method="GET",route="/static/{name}",status="200"} 1`,
		`wstk_http_seconds_count{route="/login"} 2`,
	} {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("%s is missing:\n%s", line, b.String())
		}
	}
	for _, line := range []string{`route="POST /login" status=401`, `route="GET /web/runs/{id}" status=404`} {
		if !strings.Contains(h.log.String(), line) {
			t.Errorf("the log has no %s:\n%s", line, h.log)
		}
	}
	if strings.Contains(b.String()+h.log.String(), "secret") {
		t.Error("words of a user are among them")
	}
}

// A server that begins says so on every page, and takes no work.
func TestPagesOfAServerThatBegins(t *testing.T) {
	h := newHome(t).login()
	h.phase.Preparing()
	for _, target := range []string{"/", "/web/runs", "/login"} {
		page := h.page(http.StatusServiceUnavailable, target)
		wantWords(t, page, "Starting")
		if !strings.Contains(page, `http-equiv="refresh"`) {
			t.Errorf("%s does not ask again", target)
		}
	}
	if w := h.call("/web/extractions", url.Values{"query": {"pumps"}}); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a question: %d", w.Code)
	}
	if w := h.call("/static/style.css", nil); w.Code != http.StatusOK {
		t.Errorf("the style sheet: %d", w.Code)
	}
	if runs, _, err := h.app.Runs.List(t.Context(), wstk.RunFilter{}, "", 1); err != nil ||
		len(runs) > 0 {
		t.Errorf("%d runs began, %v", len(runs), err)
	}
	h.phase.Started()
	h.page(http.StatusOK, "/")
	h.phase.Drain()
	h.page(http.StatusOK, "/")
}

// badBlobs is a store that fails on the words it is given, and repeats them.
type badBlobs struct{ wstk.BlobStore }

func (badBlobs) Put(_ context.Context, data []byte) (wstk.Hash, error) {
	return "", errors.New("no room for " + string(data))
}

// loudBlobs is a store that panics with the words it is given.
type loudBlobs struct{ wstk.BlobStore }

func (loudBlobs) Put(_ context.Context, data []byte) (wstk.Hash, error) {
	panic("no room for " + string(data))
}

// With api.scrub_queries no line of the log, at any level, holds a word of what a user
// asked on a page, whether it works or breaks.
func TestQueriesAreScrubbedFromTheLog(t *testing.T) {
	const marker = "zugzwang"
	run := func(scrub bool) string {
		h := newHome(t)
		log := &bytes.Buffer{}
		apptest.Change(h.app, func(h *app.Home) {
			h.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			h.Config.ScrubQueries = scrub
		})
		h.call("/web/pages?q="+marker, nil) // leads to the login, and there behind next
		h.call("/web/extractions", url.Values{"query": {marker}})
		h.login()
		h.ingest(pages(small))
		h.answered("What is the " + marker + " working pressure?")
		h.call("/web/pages?q="+marker+"+pressure", nil)
		h.call("/web/runs", url.Values{"query": {marker + " pumps last week"}})
		blobs := h.app.Blobs
		for _, broken := range []wstk.BlobStore{badBlobs{blobs}, loudBlobs{blobs}} {
			apptest.Change(h.app, func(h *app.Home) { h.Blobs = broken })
			if w := h.call("/web/extractions",
				url.Values{"query": {"What is a " + marker + "?"}}); w.Code != http.StatusInternalServerError {
				t.Errorf("%T: %d, want %v", broken, w.Code, http.StatusInternalServerError)
			}
		}
		return log.String()
	}
	if log := run(true); strings.Contains(strings.ToLower(log), marker) ||
		strings.Count(log, "scrubbed") < 2 {
		t.Errorf("the log holds a query:\n%s", log)
	}
	log := run(false)
	for _, kind := range []string{`msg="page failed"`, "msg=panic"} {
		if !strings.Contains(log, kind) {
			t.Errorf("nothing was logged as %s:\n%s", kind, log)
		}
	}
	if !strings.Contains(log, marker) {
		t.Errorf("without the setting the log tells nothing of queries:\n%s", log)
	}
}
