package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"wstk/shared/app"

	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"
	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// counting counts what was started, and may fail or wait first.
type counting struct {
	n     atomic.Int32
	fails atomic.Int32
	hold  chan struct{}
}

func (c *counting) Start(ctx context.Context, _ string, _ wstk.RunID, _ json.RawMessage) error {
	if c.hold != nil {
		<-c.hold
	}
	if c.fails.Add(-1) >= 0 {
		return wstk.Errorf(wstk.Unavailable, "starting", "not now")
	}
	c.n.Add(1)
	return nil
}

func TestTheSameKeyStartsOnce(t *testing.T) {
	h := open(t, Options{})
	started := &counting{}
	apptest.Change(h.app, func(h *app.Home) {
		h.Machines = answering.Elsewhere{Workflows: started}
	})
	const body = `{"query": "What is a pump?"}`
	first := h.call("POST", "/extractions", body, "Idempotency-Key", "key-1")
	if first.Code != 202 || first.Header().Get("Idempotent-Replayed") != "" {
		t.Fatalf("%d %v %s; want first.Code == 202 && first.Header().Get(\"Idempotent-Replayed\") == \"\"", first.Code, first.Header(), first.Body)
	}
	reopened := New(h.app, []string{firstToken}, Options{}) // what is known of keys is in the store
	for _, handler := range []http.Handler{h.h, reopened} {
		h.h = handler
		again := h.call("POST", "/extractions", body, "Idempotency-Key", "key-1")
		if again.Code != 202 ||
			strings.TrimSpace(again.Body.String()) != strings.TrimSpace(first.Body.String()) ||
			again.Header().Get("Location") != first.Header().Get("Location") || again.Header().Get("Idempotent-Replayed") != "true" {
			t.Errorf("again: %d %v %s, first %s", again.Code, again.Header(), again.Body, first.Body)
		}
	}
	wantProblem(t, h.call("POST", "/extractions", `{"query": "What is a well?"}`, "Idempotency-Key", "key-1"), 422, wstk.Unprocessable)
	if n := started.n.Load(); n != 1 {
		t.Errorf("started %d times", n)
	}
	if w := h.call("POST", "/extractions", body, "Idempotency-Key", "key-2"); w.Code != 202 ||
		w.Body.String() == first.Body.String() || started.n.Load() != 2 {
		t.Errorf("another key: %d %s", w.Code, w.Body)
	}
	if w := h.call("POST", "/extractions", body); w.Code != 202 || started.n.Load() != 3 {
		t.Errorf("no key: %d %s", w.Code, w.Body)
	}
	for _, key := range []string{"a b", "ä", strings.Repeat("x", 256), "x\x00"} {
		wantProblem(t, h.call("POST", "/extractions", body, "Idempotency-Key", key), 400, wstk.Invalid)
	}
	if w := h.call("POST", "/extractions", body, "Idempotency-Key", strings.Repeat("x", 255)); w.Code != 202 {
		t.Errorf("the longest key: %d %s", w.Code, w.Body)
	}
}

// A key belongs to an address: the same one for a crawl starts the crawl.
func TestKeysOfCrawls(t *testing.T) {
	h := newHome(t, Options{})
	body := map[string]any{"url": h.site, "rate_limit_ms": 0}
	v := h.json(202, "POST", "/sites", body, "Idempotency-Key", "k")
	id := get(v, "site.id").(string)
	// no conflict, though it may run
	again := h.json(202, "POST", "/sites", body, "Idempotency-Key", "k")
	if get(again, "run.id") != get(v, "run.id") {
		t.Errorf("%v, want %v", again, v)
	}
	h.wait("/sites/" + id)
	if got := h.json(202, "POST", "/sites/"+id+"/refresh", nil, "Idempotency-Key", "k"); get(got, "run.id") == get(v, "run.id") {
		t.Errorf("a refresh got the run of the crawl: %v", got)
	}
	h.wait("/sites/" + id)
}

// Of two at once one starts and the other is told to wait.
func TestTheSameKeyAtOnce(t *testing.T) {
	h := open(t, Options{})
	started := &counting{hold: make(chan struct{})}
	apptest.Change(h.app, func(h *app.Home) {
		h.Machines = answering.Elsewhere{Workflows: started}
	})
	codes := make(chan int, 8)
	var all sync.WaitGroup
	for range cap(codes) {
		all.Go(func() {
			codes <- h.call("POST", "/extractions", `{"query": "What is a pump?"}`, "Idempotency-Key", "k").Code
		})
	}
	for range cap(codes) - 1 {
		if code := <-codes; code != 409 {
			t.Errorf("status %d", code)
		}
	}
	close(started.hold)
	all.Wait()
	if code := <-codes; code != 202 || started.n.Load() != 1 {
		t.Errorf("status %d, started %d times", code, started.n.Load())
	}
}

// What failed may be tried again with its key; what died in the middle too, in time.
func TestFailedRequestsMayBeTriedAgain(t *testing.T) {
	h := open(t, Options{})
	started := &counting{}
	started.fails.Store(2)
	apptest.Change(h.app, func(h *app.Home) {
		h.Machines = answering.Elsewhere{Workflows: started}
	})
	const body = `{"query": "What is a pump?"}`
	for i, want := range []int{503, 503, 202, 202} {
		if w := h.call("POST", "/extractions", body, "Idempotency-Key", "k"); w.Code != want {
			t.Errorf("try %d: %d %s", i, w.Code, w.Body)
		}
	}
	if started.n.Load() != 1 {
		t.Errorf("started %d times", started.n.Load())
	}
	wantProblem(t, h.call("POST", "/extractions", `{}`, "Idempotency-Key", "k2"), 400, wstk.Invalid)
	if w := h.call("POST", "/extractions", body, "Idempotency-Key", "k2"); w.Code != 202 {
		t.Errorf("after a malformed one: %d %s", w.Code, w.Body)
	}
	started.fails.Store(1000)
	for range mostTries {
		h.call("POST", "/extractions", body, "Idempotency-Key", "k3")
	}
	wantProblem(t, h.call("POST", "/extractions", body, "Idempotency-Key", "k3"), 409, wstk.Conflict)
	started.fails.Store(0)

	ctx := context.Background()
	asked, err := h.app.Blobs.Put(ctx, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	dead := wstk.Run{ID: keyID("owner", "POST", "/extractions", "k4", 0), Kind: wstk.RunRequest,
		State: wstk.RunRunning, Request: asked, StartedAt: time.Now()}
	if err := h.app.Runs.Create(ctx, dead); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, h.call("POST", "/extractions", body, "Idempotency-Key", "k4"), 409, wstk.Conflict)
	apptest.Change(h.app, func(h *app.Home) {
		h.Now = func() time.Time { return time.Now().Add(crawling.RequestAge + time.Second) }
	})
	if w := h.call("POST", "/extractions", body, "Idempotency-Key", "k4"); w.Code != 202 {
		t.Errorf("after the death of the first: %d %s", w.Code, w.Body)
	}
	if run, err := h.app.Runs.Get(ctx, dead.ID); err != nil || run.State != wstk.RunFailed {
		t.Errorf("the dead one is %s, %v", run.State, err)
	}
}

// A client that goes away in the middle finds what was done for it when it comes again.
func TestAClientThatLeavesLosesNothing(t *testing.T) {
	v := ordinary()
	h := searcher(t, v)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	slow := v.Google
	slow.Delay = 300 * time.Millisecond
	v.Set("google", slow)
	go func() {
		for ctx.Err() == nil && len(v.Asked("google")) == 0 {
			time.Sleep(5 * time.Millisecond)
		}
		leave()
	}()
	const body = `{"query": "what is new?"}`
	r := httptest.NewRequestWithContext(ctx, "POST", "/search-runs", strings.NewReader(body))
	for name, value := range map[string]string{"Authorization": "Bearer " + firstToken, "Content-Type": "application/json", "Idempotency-Key": "k"} {
		r.Header.Set(name, value)
	}
	first := httptest.NewRecorder()
	h.h.ServeHTTP(first, r)
	if ctx.Err() == nil {
		t.Fatal("the client is still there")
	}
	again := h.call("POST", "/search-runs", body, "Idempotency-Key", "k")
	if again.Code != 201 || again.Header().Get("Idempotent-Replayed") != "true" ||
		strings.TrimSpace(again.Body.String()) != strings.TrimSpace(first.Body.String()) {
		t.Errorf("again: %d %v %s, first %s", again.Code, again.Header(), again.Body, first.Body)
	}
	for _, name := range []string{"model", "serper", "google", "brave"} {
		if n := len(v.Asked(name)); n != 1 {
			t.Errorf("%s was asked %d times", name, n)
		}
	}
}

// The time limit holds for a request with a key as for others.
func TestAKeyDoesNotLiftTheLimit(t *testing.T) {
	v := ordinary()
	h := searcher(t, v)
	v.Set("model", wstktest.VendorAnswer{Text: apptest.Template, Delay: 20 * time.Second})
	h.h = New(h.app, []string{firstToken}, Options{Timeout: 200 * time.Millisecond})
	started := time.Now()
	if w := h.call("POST", "/search-runs", `{"query": "what is new?"}`, "Idempotency-Key", "k"); w.Code < 500 {
		t.Errorf("%d %s; want w.Code >= 500", w.Code, w.Body)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestKeyIDs(t *testing.T) {
	seen := map[wstk.RunID]string{}
	for _, method := range []string{"POST", "GET"} {
		for _, path := range []string{"/sites", "/extractions"} {
			for _, key := range []string{"a", "b"} {
				for n := range 6 {
					try, name := n/2, []string{"owner", "ci"}[n%2]
					id, what := keyID(name, method, path, key, try),
						fmt.Sprint(name, method, path, key, try)
					if !id.Valid() || id != keyID(name, method, path, key, try) || seen[id] != "" {
						t.Errorf("%s: %s, also %s", what, id, seen[id])
					}
					seen[id] = what
				}
			}
		}
	}
}
