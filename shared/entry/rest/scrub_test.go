package rest

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"wstk/shared/app"
	"wstk/shared/app/apptest"

	"wstk/shared/app/searching"
	"wstk/shared/stage/search"
	"wstk/shared/wstk"
)

// failing is a search provider that fails, and repeats in its error what it was asked.
type failing struct{}

func (failing) Info() wstk.ProviderInfo {
	return wstk.ProviderInfo{ID: "failing", Type: "search", Enabled: true, Auto: true}
}

func (failing) Compile(q wstk.SearchQuery) wstk.Compiled { return wstk.Compiled{Query: q.Words} }

func (failing) Search(_ context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	return wstk.SearchReply{Query: q.Words, Tries: 1}, wstk.Errorf(wstk.Network, "asking", "GET /?q=%s: cut off", q.Words)
}

// badBlobs is a store that fails on the words it is given, and repeats them.
type badBlobs struct{ wstk.BlobStore }

func (badBlobs) Put(_ context.Context, data []byte) (wstk.Hash, error) {
	return "", errors.New("no room for " + string(data))
}

// With api.scrub_queries no line of the log, at any level, holds a word of a query: of a
// search, a recall, a gap, a question, whether it works or breaks.
func TestQueriesAreScrubbedFromTheLog(t *testing.T) {
	const marker = "zugzwang"
	run := func(scrub bool) string {
		h := newHome(t, Options{})
		log := &bytes.Buffer{}
		apptest.Change(h.app, func(h *app.Home) {
			h.Log = slog.New(slog.NewTextHandler(&locked{w: log},
				&slog.HandlerOptions{Level: slog.LevelDebug}))
			h.Config.ScrubQueries = scrub
		})
		h.ingest()
		h.call("GET", "/recall?q="+marker+"+pressure", nil)
		h.call("POST", "/gaps", map[string]any{"query": marker + " pressure"})
		h.call("POST", "/gaps", map[string]any{"question": marker})
		v := h.json(202, "POST", "/extractions", map[string]any{"query": "What is the " + marker + " working pressure?"})
		h.wait("/extractions/" + get(v, "run.id").(string))
		apptest.Change(h.app, func(h *app.Home) {
			h.WebSearch = &search.Stage{Providers: []wstk.SearchProvider{failing{}},
				Now: h.Now}
		})
		h.app.Searching.Search(t.Context(), searching.Request{Query: marker + " pumps"})
		h.call("POST", "/search-runs", map[string]any{"query": marker + " pumps last week"})
		apptest.Change(h.app, func(h *app.Home) { h.Blobs = badBlobs{h.Blobs} })
		h.call("POST", "/extractions", map[string]any{"query": "What is a " + marker + "?"})
		apptest.Change(h.app, func(h *app.Home) { h.Blobs = nil })
		// a panic
		h.call("POST", "/extractions", map[string]any{"query": "What is a " + marker + "?"})
		return log.String()
	}
	if log := run(true); strings.Contains(strings.ToLower(log), marker) ||
		!strings.Contains(log, "scrubbed") {
		t.Errorf("the log holds a query:\n%s", log)
	}
	if log := run(false); !strings.Contains(log, marker) {
		t.Errorf("without the setting the log tells nothing of queries:\n%s", log)
	}
}
