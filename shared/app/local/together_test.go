package local_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/wstk"
)

// borrowed is an Inbox in which the workers of the crawl "lender" get the fetch messages of all
// crawls, until alone is closed.
type borrowed struct {
	local.Inbox
	alone  chan struct{}
	change func(wstk.Message) wstk.Message // of fetch messages
}

// crawlName is the key under which a context carries the name of its crawl.
type crawlName struct{}

func (b borrowed) Receive(ctx context.Context, queue string) (wstk.Message, func(error), error) {
	if queue != "fetch" {
		return b.Inbox.Receive(ctx, queue)
	}
	if ctx.Value(crawlName{}) != "lender" {
		select {
		case <-b.alone:
		case <-ctx.Done():
		}
	}
	m, done, err := b.Inbox.Receive(ctx, queue)
	if err == nil && b.change != nil {
		m = b.change(m)
	}
	return m, done, err
}

// gated serves one page, which it gives only when open is closed. It counts the requests of the
// page, and those that were given up.
type gated struct {
	*httptest.Server
	open           chan struct{}
	asked          chan struct{}
	requests, lost atomic.Int32
}

func newGated(t *testing.T) *gated {
	g := &gated{open: make(chan struct{}), asked: make(chan struct{}, 100)}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		g.requests.Add(1)
		g.asked <- struct{}{}
		select {
		case <-g.open:
		case <-r.Context().Done():
			g.lost.Add(1)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Valves</title><h1>Valves</h1><p>The valve opens at 5 bar, "+
			"and closes again when the pump rests.</p>")
	}))
	t.Cleanup(g.Close)
	return g
}

// ingested is how an ingest ended.
type ingested struct {
	crawling.IngestResult
	err error
}

// crawlAs crawls in the background; the run is sent when it began.
func crawlAs(
	ctx context.Context, a *app.App, name, url string,
) (began chan wstk.RunID, end chan ingested) {
	began, end = make(chan wstk.RunID, 1), make(chan ingested, 1)
	go func() {
		res, err := a.Crawling.Ingest(context.WithValue(ctx, crawlName{}, name),
			crawling.IngestRequest{URL: url,
				Started: func(r wstk.Run, _ wstk.Site) { began <- r.ID }})
		end <- ingested{res, err}
	}()
	return began, end
}

// wait receives from a channel, or fails after a minute.
func wait[T any](t *testing.T, what string, from chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(time.Minute):
		t.Fatalf("%s: nothing came within a minute", what)
		panic("not reached")
	}
}

// The workers of one crawl may work on a message of another. When the first crawl stops, that
// message is finished, and the page is not asked for again.
func TestTheEndOfOneCrawlLeavesAnotherAlone(t *testing.T) {
	first, second := newGated(t), newGated(t)
	defer close(first.open)
	a := open(t, testConfig(t))
	alone := make(chan struct{})
	worker(a).Inbox = borrowed{Inbox: inbox(a), alone: alone}

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, firstEnd := crawlAs(ctx, a, "lender", first.URL+"/")
	wait(t, "the first site is asked", first.asked)
	_, secondEnd := crawlAs(t.Context(), a, "other", second.URL+"/")
	wait(t, "the second site is asked", second.asked)

	stop()
	if got := wait(t, "the end of the first crawl", firstEnd); got.err == nil ||
		got.Run.State != wstk.RunRunning {
		t.Errorf("the first crawl was stopped: it is %s, %v", got.Run.State, got.err)
	}
	close(alone)
	close(second.open)
	if got := wait(t, "the end of the second crawl", secondEnd); got.err != nil ||
		got.Run.State != wstk.RunComplete || got.Pages != 1 {
		t.Errorf("the second crawl is %s with %d pages, %v", got.Run.State, got.Pages, got.err)
	}
	if n, lost := second.requests.Load(), second.lost.Load(); n != 1 || lost != 0 {
		t.Errorf("the second site was asked %d times, and %d were given up; want 1 and 0", n, lost)
	}
}

// A message that cannot be worked on stops the crawl that it belongs to, and no other.
func TestABrokenMessageStopsItsOwnCrawl(t *testing.T) {
	first, second := newGated(t), newGated(t)
	defer close(second.open)
	a := open(t, testConfig(t))
	var mu sync.Mutex
	var sound wstk.RunID
	worker(a).Inbox = borrowed{Inbox: inbox(a), alone: make(chan struct{}),
		change: func(m wstk.Message) wstk.Message {
			mu.Lock()
			defer mu.Unlock()
			if sound != "" && m.Group != string(sound) {
				m.Body = json.RawMessage(`"broken"`)
			}
			return m
		}}

	began, firstEnd := crawlAs(t.Context(), a, "lender", first.URL+"/")
	mu.Lock()
	sound = wait(t, "the first crawl begins", began)
	mu.Unlock()
	wait(t, "the first site is asked", first.asked)
	_, secondEnd := crawlAs(t.Context(), a, "other", second.URL+"/")
	select {
	case got := <-secondEnd:
		if wstk.CodeOf(got.err) != wstk.Invalid || got.Run.State != wstk.RunRunning {
			t.Errorf("the second crawl is %s, %v; want it stopped as invalid",
				got.Run.State, got.err)
		}
	case got := <-firstEnd:
		t.Fatalf("the message of the second crawl ended the first: %v", got.err)
	case <-time.After(time.Minute):
		t.Fatal("the broken message stopped nothing")
	}
	close(first.open)
	if got := wait(t, "the end of the first crawl", firstEnd); got.err != nil ||
		got.Run.State != wstk.RunComplete || got.Pages != 1 {
		t.Errorf("the first crawl is %s with %d pages, %v", got.Run.State, got.Pages, got.err)
	}
}

// scripted is an Inbox that hands out the index messages of a test.
type scripted struct {
	local.Inbox
	messages chan wstk.Message
	done     chan error
}

func (s scripted) Receive(ctx context.Context, queue string) (wstk.Message, func(error), error) {
	if queue != "index" {
		return s.Inbox.Receive(ctx, queue)
	}
	select {
	case m := <-s.messages:
		return m, func(err error) { s.done <- err }, nil
	case <-ctx.Done():
		return wstk.Message{}, nil, ctx.Err()
	}
}

// brokenRun is a run that the store cannot read now.
const brokenRun = "run_broken"

type brokenRuns struct{ wstk.RunStore }

func (s brokenRuns) Get(ctx context.Context, id wstk.RunID) (wstk.Run, error) {
	if id == brokenRun {
		return wstk.Run{}, wstk.Errorf(wstk.Unavailable, "reading run", "not now")
	}
	return s.RunStore.Get(ctx, id)
}

// Each crawl counts its own failures in a row: what another one manages does not hide them.
func TestACrawlCountsItsOwnFailures(t *testing.T) {
	first, second := newGated(t), newGated(t)
	a := open(t, testConfig(t))
	apptest.Change(a, func(h *app.Home) { h.Runs = brokenRuns{h.Runs} })
	script := scripted{inbox(a), make(chan wstk.Message), make(chan error, 1)}
	worker(a).Inbox = script

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	began, firstEnd := crawlAs(ctx, a, "first", first.URL+"/")
	firstRun := wait(t, "the first crawl begins", began)
	began, secondEnd := crawlAs(ctx, a, "second", second.URL+"/")
	secondRun := wait(t, "the second crawl begins", began)
	wait(t, "the first site is asked", first.asked)
	wait(t, "the second site is asked", second.asked)

	index := func(group wstk.RunID, run string) error {
		script.messages <- wstk.Message{Queue: "index", Group: string(group),
			Body: json.RawMessage(`{"run_id":"` + run + `"}`)}
		return wait(t, "the message is done", script.done)
	}
	for range 8 {
		if err := index(secondRun, brokenRun); wstk.CodeOf(err) != wstk.Unavailable {
			t.Fatalf("the message of a broken run: %v", err)
		}
		if err := index(firstRun, "run_removed"); err != nil {
			t.Fatalf("the message of a removed run: %v", err)
		}
	}
	got := wait(t, "the end of the second crawl", secondEnd)
	if wstk.CodeOf(got.err) != wstk.Unavailable || got.Run.State != wstk.RunRunning {
		t.Errorf("the second crawl is %s, %v; want it stopped", got.Run.State, got.err)
	}
	if len(firstEnd) > 0 {
		t.Errorf("the failures of the second crawl ended the first: %v", (<-firstEnd).err)
	}
}
