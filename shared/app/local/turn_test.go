package local_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/wstk"
)

// However many extractions run, as many compute at once as there are processors. Others fetch
// their pages meanwhile, can be cancelled while they wait, and go when a turn is free.
func TestExtractionsTakeTurns(t *testing.T) {
	a, turns := open(t, testConfig(t)), max(2, runtime.GOMAXPROCS(0))
	fetched := make(chan struct{}, 100)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(page("The P-9 pump "+r.URL.Path,
			"<p>The maximum pressure of the P-9 is 16 bar, and that of "+r.URL.Path+" too.</p>")))
		if r.URL.Path == "/new" {
			fetched <- struct{}{}
		}
	}))
	t.Cleanup(site.Close)
	start := func(from ...string) wstk.RunID {
		run, err := a.Answering.StartExtraction(t.Context(), wstk.AskQuery{Query: ofP9, From: from})
		if err != nil {
			t.Fatal(err)
		}
		return run.ID
	}
	cancel := func(id wstk.RunID) {
		if _, err := a.Answering.Cancel(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if run := ended(t, a, id); run.State != wstk.RunCancelled {
			t.Errorf("%s: %v", run.State, run.Reasons)
		}
	}
	held := stuck{BlobStore: a.Blobs, asked: make(chan wstk.Hash, 100)}
	var urls []string
	for i := range turns + 2 {
		u := fmt.Sprintf("%s/p%d", site.URL, i)
		ingest(t, a, u)
		p, err := a.Pages.Get(t.Context(), u)
		if err != nil {
			t.Fatal(err)
		}
		urls, held.at = append(urls, u), append(held.at, p.Document)
	}
	apptest.Change(a, func(h *app.Home) { h.Blobs = held })
	var first wstk.RunID
	for _, u := range urls[:turns] {
		first = start(u)
		<-held.asked
	}

	waits := start(site.URL+"/new", urls[turns])
	<-fetched
	select {
	case <-held.asked:
		t.Error("a task computes although all turns are taken")
	case <-time.After(200 * time.Millisecond): // it would have asked
	}
	cancel(waits)

	next := start(urls[turns+1])
	cancel(first)
	<-held.asked
	cancel(next)
}
