package limit_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"wstk/shared/adapter/files"
	"wstk/shared/adapter/limit"
	"wstk/shared/adapter/provider"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestSearch(t *testing.T) {
	wstktest.SearchProvider(t, wstktest.Vendor{Replies: "../../../testdata/providers/searxng_local", Forbidden: wstk.HTTPError,
		Open: func(t *testing.T, transport http.RoundTripper) wstk.SearchProvider {
			var p provider.SearXNG
			p.Transport, p.BaseURL = transport, "http://127.0.0.1:8080"
			return &limit.Search{Cache: files.Cache{Dir: t.TempDir()}, SearchProvider: p}
		}})
}

// vendor fails with err while there is one.
type vendor struct {
	wstk.SearchProvider
	mu    sync.Mutex
	err   error
	asked int
	hold  chan struct{} // a call waits for it
}

func (v *vendor) Info() wstk.ProviderInfo { return wstk.ProviderInfo{ID: "x"} }

func (v *vendor) Search(ctx context.Context, _ wstk.SearchQuery) (wstk.SearchReply, error) {
	v.mu.Lock()
	v.asked++
	err, hold := v.err, v.hold
	v.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
		}
	}
	return wstk.SearchReply{}, err
}

// world is a vendor, a clock, and a cache that processes share.
type world struct {
	*testing.T
	vendor
	cache files.Cache
	time  time.Time
}

func newWorld(t *testing.T) *world {
	w := &world{T: t, time: time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)}
	w.cache = files.Cache{Dir: t.TempDir(), Now: w.now}
	return w
}

func (w *world) now() time.Time { return w.time }

// process is a Search as another process has it.
func (w *world) process() *limit.Search {
	return &limit.Search{SearchProvider: &w.vendor, Cache: w.cache, Now: w.now}
}

// search asks as a new process, and reports whether the vendor was, and for how long it rests.
func (w *world) search(err error) (asked bool, rests time.Duration) {
	w.Helper()
	before := w.asked
	w.err = err
	_, got := w.process().Search(w.Context(), wstk.SearchQuery{})
	if asked = w.asked > before; asked == errors.Is(got, wstk.ErrResting) {
		w.Errorf("asked: %v, error: %v", asked, got)
	}
	if !asked {
		rests = wstk.RetryAfterOf(got)
	}
	return asked, rests
}

func fail(code wstk.Code, after time.Duration) error {
	return &wstk.Error{Code: code, RetryAfter: after}
}

func TestRestsAtOnceWhenTheVendorHasHadEnough(t *testing.T) {
	for _, c := range []struct {
		err  error
		rest time.Duration
	}{{fail(wstk.RateLimited, 90*time.Second), 90 * time.Second},
		{fail(wstk.RateLimited, 0), time.Minute}, {fail(wstk.Blocked, 0), time.Minute}} {
		w := newWorld(t)
		w.search(c.err)
		if asked, rests := w.search(nil); asked || rests != c.rest {
			t.Errorf("%v: asked %v, rests %s", c.err, asked, rests)
		}
		w.time = w.time.Add(c.rest)
		if asked, _ := w.search(nil); !asked {
			t.Errorf("%v: it rests for too long", c.err)
		}
		if asked, _ := w.search(fail(wstk.Timeout, 0)); !asked {
			t.Errorf("%v: a success does not end it", c.err)
		}
	}
}

func TestRestsAfterThreeFailuresInARow(t *testing.T) {
	w := newWorld(t)
	down := fail(wstk.Unavailable, 0)
	w.search(down)
	w.search(down)
	w.search(nil) // begins again
	w.search(down)
	w.search(down)
	if asked, _ := w.search(down); !asked {
		t.Fatal("two failures in a row are enough for a rest")
	}
	if asked, _ := w.search(nil); asked {
		t.Error("three failures in a row are not enough")
	}
}

func TestRestsGrow(t *testing.T) {
	w := newWorld(t)
	w.search(fail(wstk.Blocked, 0))
	for _, want := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute,
		8 * time.Minute, 15 * time.Minute, 15 * time.Minute} {
		if _, rests := w.search(nil); rests != want {
			t.Errorf("rests for %s, want %s", rests, want)
		}
		w.time = w.time.Add(want)
		if asked, _ := w.search(fail(wstk.Network, 0)); !asked { // the trial fails
			t.Fatalf("after %s no caller may try", want)
		}
	}
}

func TestErrorsThatSayNothingOfTheVendorChangeNothing(t *testing.T) {
	w := newWorld(t)
	for _, code := range []wstk.Code{wstk.Unauthorized, wstk.Invalid, wstk.Cancelled,
		wstk.RefusedAddress} {
		for range 4 {
			if asked, _ := w.search(fail(code, 0)); !asked {
				t.Fatalf("%s begins a rest", code)
			}
		}
	}
	w.search(fail(wstk.Blocked, 0))
	w.time = w.time.Add(time.Minute)
	w.search(fail(wstk.Cancelled, 0)) // the trial came to nothing
	if asked, _ := w.search(nil); !asked {
		t.Error("no other caller may try after a trial that was cancelled")
	}
}

// Three callers with too little time say nothing about a vendor. Three times more than
// each vendor is given does.
func TestACallerWithoutTimeIsNoFailureOfTheVendor(t *testing.T) {
	ends := func(ctx context.Context, d time.Duration, cause error) context.Context {
		ctx, stop := context.WithTimeoutCause(ctx, d, cause)
		t.Cleanup(stop)
		return ctx
	}
	const short = 10 * time.Millisecond
	for _, c := range []struct {
		name       string
		own, given time.Duration // the caller's, and that for one vendor
		code       wstk.Code
		rests      bool
	}{
		{"the caller's time is over", short, time.Minute, wstk.Timeout, false},
		{"the vendor's time is over", time.Minute, short, wstk.Timeout, true},
		{"the vendor said so in the last moment", short, time.Minute, wstk.Unavailable, true},
	} {
		w := newWorld(t)
		late := func() {
			ctx := ends(ends(t.Context(), c.own, nil), c.given, wstk.ErrProviderTime)
			w.vendor.err, w.vendor.hold = fail(c.code, 0), make(chan struct{})
			w.process().Search(ctx, wstk.SearchQuery{})
			w.vendor.hold = nil
		}
		for range 3 {
			late()
		}
		if asked, _ := w.search(fail(wstk.Blocked, 0)); asked == c.rests {
			t.Errorf("%s: rests: %v", c.name, !asked)
		}
		w.time = w.time.Add(time.Hour) // the next call is a trial
		late()
		if asked, _ := w.search(nil); asked == c.rests {
			t.Errorf("%s, in a trial: rests: %v", c.name, !asked)
		}
	}
}

func TestOneCallerTries(t *testing.T) {
	w := newWorld(t)
	w.search(fail(wstk.Blocked, 0))
	w.time = w.time.Add(time.Minute)
	w.vendor.err, w.hold = nil, make(chan struct{})
	done := make(chan error)
	go func() {
		_, err := w.process().Search(t.Context(), wstk.SearchQuery{})
		done <- err
	}()
	for asked := 1; asked < 2; time.Sleep(time.Millisecond) {
		w.mu.Lock()
		asked = w.asked
		w.mu.Unlock()
	}
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := w.process().Search(short, wstk.SearchQuery{}); !errors.Is(err, wstk.ErrResting) {
		t.Errorf("a second one tries, too: %v", err)
	}
	close(w.hold)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if asked, _ := w.search(nil); !asked {
		t.Error("the success did not end the rest")
	}
}

// Calls that were under way when a rest began make it no longer.
func TestABurstOfFailuresIsOneRest(t *testing.T) {
	w := newWorld(t)
	w.hold, w.err = make(chan struct{}), fail(wstk.Timeout, 0)
	s := w.process()
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { s.Search(w.Context(), wstk.SearchQuery{}) })
	}
	for begun := 0; begun < 20; time.Sleep(time.Millisecond) {
		w.mu.Lock()
		begun = w.asked
		w.mu.Unlock()
	}
	close(w.hold)
	group.Wait()
	if asked, rests := w.search(nil); asked || rests != time.Minute {
		t.Errorf("asked %v, rests %s", asked, rests)
	}
}

func TestAnotherScopeIsAnotherProvider(t *testing.T) {
	w := newWorld(t)
	w.search(fail(wstk.Blocked, 0))
	other := w.process()
	other.Scope = "another key"
	w.vendor.err = nil
	if _, err := other.Search(t.Context(), wstk.SearchQuery{}); err != nil {
		t.Error(err)
	}
}
