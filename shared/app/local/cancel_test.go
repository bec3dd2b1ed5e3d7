package local_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// A run that is cancelled while it waits for slow pages gives up the one it waits for and
// asks for no further ones.
func TestACancelledRunStopsFetching(t *testing.T) {
	asked, over := make(chan string, 10), make(chan struct{}, 10)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/page") {
			http.NotFound(w, r)
			return
		}
		asked <- r.URL.Path
		<-r.Context().Done() // it never answers
		over <- struct{}{}
	}))
	defer site.Close()
	a := open(t, testConfig(t))
	run, err := a.StartExtraction(t.Context(), wstk.AskQuery{Query: "What is a pump?", From: []string{site.URL + "/page1", site.URL + "/page2", site.URL + "/page3"}})
	if err != nil {
		t.Fatal(err)
	}
	within := time.After(time.Minute)
	select {
	case <-asked:
	case <-within:
		t.Fatal("the site was not asked")
	}
	if _, err := a.Cancel(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	select {
	case <-over:
	case <-within:
		t.Fatal("the request was not given up")
	}
	for !run.State.Terminal() {
		if run, err = a.Runs.Get(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-within:
			t.Fatal("the run has not ended")
		}
	}
	if run.State != wstk.RunCancelled || len(asked) != 0 {
		t.Errorf("the run is %s (%v), and %d more pages were asked for", run.State, run.Reasons, len(asked))
	}
}
