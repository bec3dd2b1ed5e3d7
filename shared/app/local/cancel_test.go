package local_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"wstk/shared/app/apptest"

	"wstk/shared/app"
	"wstk/shared/app/crawling"
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
	run, err := a.Answering.StartExtraction(t.Context(),
		wstk.AskQuery{Query: "What is a pump?", From: []string{site.URL + "/page1", site.URL + "/page2", site.URL + "/page3"}})
	if err != nil {
		t.Fatal(err)
	}
	within := time.After(time.Minute)
	select {
	case <-asked:
	case <-within:
		t.Fatal("the site was not asked")
	}
	if _, err := a.Answering.Cancel(t.Context(), run.ID); err != nil {
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

// slowSite serves a root with many links to pages that never answer.
func slowSite(t *testing.T, pages int) (site *httptest.Server, asked chan string) {
	asked = make(chan string, pages)
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>Slow</title><p>A page with many links, and enough words to be read as one.</p>")
			for i := range pages {
				fmt.Fprintf(w, "<a href=/page%d>page %d</a> ", i, i)
			}
		case strings.HasPrefix(r.URL.Path, "/page"):
			asked <- r.URL.Path
			<-r.Context().Done()
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	return site, asked
}

// A crawl that is cancelled ends within seconds, also when another process asks for it;
// each URL has an outcome with a reason, and they add up. Asking again changes nothing.
func TestACancelledCrawlEndsAndAddsUp(t *testing.T) {
	site, asked := slowSite(t, 30)
	a := open(t, testConfig(t))
	run, s, err := a.Crawling.Begin(t.Context(), crawling.IngestRequest{URL: site.URL})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-asked:
	case <-time.After(20 * time.Second):
		t.Fatal("no page was asked for")
	}
	other := open(t, a.Config) // as another process has it
	began := time.Now()
	if got, _, err := other.Crawling.CancelCrawl(t.Context(), site.URL+"/page7"); err != nil ||
		got.ID != run.ID || !got.Cancel {
		t.Fatalf("%+v, %v", got, err)
	}
	run = ended(t, other, run.ID)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	if run.State != wstk.RunCancelled || len(run.Reasons) == 0 {
		t.Errorf("%+v", run)
	}
	st, err := other.Crawling.Status(t.Context(), string(s.ID))
	if err != nil || !st.Accounting.Balanced() || st.Accounting.Of(wstk.OutcomeOpen) != 0 ||
		st.Accounting.Discovered != 31 {
		t.Errorf("%+v, %v", st.Accounting, err)
	}
	why, err := other.Crawling.Why(t.Context(), string(s.ID), site.URL+"/page7")
	if err != nil || why.Frontier.Outcome == wstk.OutcomeOpen ||
		!strings.Contains(why.Frontier.Reason, "cancelled") {
		t.Errorf("%+v, %v", why, err)
	}
	again, _, err := a.Crawling.CancelCrawl(t.Context(), string(s.ID))
	if err != nil || again.ID != run.ID || again.State != wstk.RunCancelled ||
		!again.UpdatedAt.Equal(run.UpdatedAt) {
		t.Errorf("again: %+v, %v", again, err)
	}
}

func ended(t *testing.T, a *app.App, id wstk.RunID) wstk.Run {
	t.Helper()
	for range 2000 {
		if run, err := a.Runs.Get(t.Context(), id); err != nil || run.State.Terminal() {
			if err != nil {
				t.Fatal(err)
			}
			return run
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the run has not ended")
	return wstk.Run{}
}

// What a process that died left of a crawl is interrupted, not running; it says when it
// was last worked on, and a cancel ends it at once.
func TestAnInterruptedCrawlSaysSoAndCanBeCancelled(t *testing.T) {
	site, asked := slowSite(t, 5)
	a := open(t, testConfig(t))
	run, s, err := a.Crawling.Begin(t.Context(), crawling.IngestRequest{URL: site.URL})
	if err != nil {
		t.Fatal(err)
	}
	<-asked
	watching := open(t, a.Config)
	if st, err := watching.Crawling.Status(t.Context(), string(s.ID)); err != nil ||
		st.Run.State != wstk.RunRunning {
		t.Errorf("while it runs: %+v, %v", st.Run, err)
	}
	if err := a.Close(); err != nil { // as its process dies
		t.Fatal(err)
	}
	st, err := watching.Crawling.Status(t.Context(), string(s.ID))
	if err != nil || st.Run.State != wstk.RunInterrupted || len(st.Run.Reasons) == 0 ||
		st.Run.ID != run.ID {
		t.Errorf("after its process died: %+v, %v", st.Run, err)
	}
	if got, _, err := watching.Crawling.CancelCrawl(t.Context(), string(s.ID)); err != nil ||
		got.State != wstk.RunCancelled {
		t.Errorf("cancelled: %+v, %v", got, err)
	}
	if st, err = watching.Crawling.Status(t.Context(), string(s.ID)); err != nil ||
		!st.Accounting.Balanced() || st.Accounting.Of(wstk.OutcomeOpen) != 0 {
		t.Errorf("%+v, %v", st.Accounting, err)
	}
}

// A server goes on with the crawls that a dead one left, and touches none of a live one.
func TestAServerGoesOnWithCrawls(t *testing.T) {
	site, asked := slowSite(t, 5)
	a := open(t, testConfig(t))
	run, s, err := a.Crawling.Begin(t.Context(), crawling.IngestRequest{URL: site.URL})
	if err != nil {
		t.Fatal(err)
	}
	<-asked
	next := open(t, a.Config)
	if err := next.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if held, err := next.Locks.Held(t.Context(), "crawl-"+string(s.ID)); err != nil || !held {
		t.Fatalf("the live crawl lost its lock: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for len(asked) > 0 {
		<-asked
	}
	if err := next.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-asked:
	case <-time.After(20 * time.Second):
		t.Fatal("the crawl was not continued")
	}
	st, err := next.Crawling.Status(t.Context(), string(s.ID))
	if err != nil || st.Run.ID != run.ID || st.Run.State != wstk.RunRunning ||
		st.Site.Options.MaxPages != s.Options.MaxPages {
		t.Errorf("%+v, %v", st, err)
	}
	if _, _, err := next.Crawling.CancelCrawl(t.Context(), string(s.ID)); err != nil {
		t.Fatal(err)
	}
	ended(t, next, run.ID)
}

// A run that is worked on moves its updated_at, also while nothing comes in.
func TestARunSaysThatItIsWorkedOn(t *testing.T) {
	site, asked := slowSite(t, 1)
	c := testConfig(t)
	a := open(t, c)
	start := time.Now()
	var later atomic.Int64 // what the clock is ahead
	apptest.Change(a, func(h *app.Home) {
		h.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	})
	run, s, err := a.Crawling.Begin(t.Context(), crawling.IngestRequest{URL: site.URL})
	if err != nil {
		t.Fatal(err)
	}
	<-asked
	for range 500 { // until nothing but the page that never answers is under way
		if acc, err := a.Frontier.Accounting(t.Context(), run.ID); err != nil || acc.Stored() == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	later.Store(int64(15 * time.Second))
	for range 500 {
		if run, err = a.Runs.Get(t.Context(), run.ID); err != nil ||
			run.UpdatedAt.Sub(start) >= 15*time.Second {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil || run.UpdatedAt.Sub(start) < 15*time.Second {
		t.Errorf("updated at %s: %v", run.UpdatedAt, err)
	}
	if _, _, err := a.Crawling.CancelCrawl(t.Context(), string(s.ID)); err != nil {
		t.Fatal(err)
	}
	ended(t, a, run.ID)
}

// Where messages drive a crawl, a cancel is one, too: it ends the run by itself, and the
// messages that are under way ask for nothing when they come.
func TestACancelIsAMessageInTheCloud(t *testing.T) {
	site, asked := slowSite(t, 5)
	a := open(t, testConfig(t))
	apptest.Change(a, func(h *app.Home) { h.Dispatch = crawling.ByMessages{} })
	run, s, err := a.Crawling.Begin(t.Context(), crawling.IngestRequest{URL: site.URL})
	if err != nil {
		t.Fatal(err)
	}
	next := func(queue string) (out []wstk.Message) {
		t.Helper()
		m, done, err := inbox(a).Receive(t.Context(), queue)
		if err != nil {
			t.Fatal(err)
		}
		out, err = a.Crawling.Route(queue)(t.Context(), m.Body)
		if done(err); err != nil {
			t.Fatal(err)
		}
		return out
	}
	fetches := next("crawl")
	if len(fetches) == 0 {
		t.Fatal("nothing was released")
	}
	if got, _, err := a.Crawling.CancelCrawl(t.Context(), string(s.ID)); err != nil ||
		got.State.Terminal() {
		t.Fatalf("%+v, %v", got, err)
	}
	// before the cancel's own message
	early, err := a.Crawling.Route("fetch")(t.Context(), fetches[0].Body)
	if err != nil || len(early) != 0 || len(asked) != 0 {
		t.Errorf("a fetch of a cancelled crawl: %v, %v, asked %d", early, err, len(asked))
	}
	if out := next("crawl"); len(out) != 0 {
		t.Errorf("the cancel sends %v", out)
	}
	if run, err = a.Runs.Get(t.Context(), run.ID); err != nil || run.State != wstk.RunCancelled {
		t.Errorf("%+v, %v", run, err)
	}
	for _, m := range fetches {
		if late, err := a.Crawling.Route("fetch")(t.Context(), m.Body); err != nil || len(late) != 0 {
			t.Errorf("a late message: %v, %v", late, err)
		}
	}
	acc, err := a.Frontier.Accounting(t.Context(), run.ID)
	if err != nil || !acc.Balanced() || acc.Of(wstk.OutcomeOpen) != 0 ||
		acc.Discovered != 1 || len(asked) != 0 {
		t.Errorf("%+v, %v", acc, err)
	}
}

func TestCancelOfWhatDoesNotCrawl(t *testing.T) {
	a := open(t, testConfig(t))
	if _, _, err := a.Crawling.CancelCrawl(t.Context(), "https://nowhere.example/"); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("an unknown site: %v", err)
	}
	s := wstk.Site{ID: wstk.SiteIDOf("https://new.example/"), Root: "https://new.example/", Options: wstk.DefaultCrawlOptions()}
	if err := a.SiteStore.Put(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.Crawling.CancelCrawl(t.Context(),
		string(s.ID)); wstk.CodeOf(err) != wstk.Conflict {
		t.Errorf("a site that was never crawled: %v", err)
	}
}
