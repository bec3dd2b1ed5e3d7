// Package wstktest holds one conformance suite for each port of wstk. Whatever
// implements a port, adapter or wrapper, passes its suite; a promise in a
// port's comment has a sub-test named like the promise.
//
// A suite opens a new, empty store for every sub-test. Items stay small enough
// for stores that bound them (an item under 400 KB, a batch under 100 items).
package wstktest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// Features declare in what adapters of the port S differ. The zero value is an
// adapter with one handle that shows every write at once.
type Features[S any] struct {
	// Second opens another handle on the store behind first, as another process
	// would. Without it, the sub-tests for two handles use one of them twice.
	Second func(t *testing.T, first S) S

	// Eventual is how late a write may show in lists, counts and searches.
	Eventual time.Duration

	// DelayStep is how much earlier or later than asked a queue may deliver.
	DelayStep time.Duration

	// OwnScores says that an index ranks by a formula of its own; without it,
	// scores are compared with the BM25 of SQLite's FTS5.
	OwnScores bool

	// TornReplace says that a search during Replace may see a page half replaced;
	// without it, it sees the old entries or the new ones.
	TornReplace bool
}

type suite[S any] struct {
	Features[S]
	t    *testing.T
	open func(t *testing.T) S
}

func newSuite[S any](t *testing.T, open func(t *testing.T) S, f []Features[S]) suite[S] {
	s := suite[S]{t: t, open: open}
	for _, f := range f {
		s.Features = f
	}
	return s
}

// run is one sub-test on an empty store.
func (s suite[S]) run(promise string, f func(t *testing.T, store S)) {
	s.t.Run(promise, func(t *testing.T) { f(t, s.open(t)) })
}

// pair is one sub-test on two handles of an empty store.
func (s suite[S]) pair(promise string, f func(t *testing.T, a, b S)) {
	s.run(promise, func(t *testing.T, a S) {
		b := a
		if s.Second != nil {
			b = s.Second(t, a)
		}
		f(t, a, b)
	})
}

// soon checks until check is content, or as long as the adapter's writes may be
// late. An adapter without Eventual gets one check.
func (s suite[S]) soon(t *testing.T, check func() error) {
	t.Helper()
	end := time.Now().Add(s.Eventual)
	for {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
		time.Sleep(min(s.Eventual/20+time.Millisecond, time.Second))
	}
}

var bg = context.Background()

func contextWithCancel() (context.Context, context.CancelFunc) { return context.WithCancel(bg) }

// cancelled is a context that has ended.
func cancelled() context.Context {
	ctx, cancel := context.WithCancel(bg)
	cancel()
	return ctx
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, what string, err error, code wstk.Code) {
	t.Helper()
	if got := wstk.CodeOf(err); got != code {
		t.Errorf("%s: code %q (%v), want %q", what, got, err, code)
	}
}

// wantSame compares two values by their JSON, which is what stores keep.
func wantSame(t *testing.T, what string, got, want any) {
	t.Helper()
	must(t, same(what, got, want))
}

func same(what string, got, want any) error {
	g, err := json.Marshal(got)
	if err != nil {
		return err
	}
	w, err := json.Marshal(want)
	if err != nil {
		return err
	}
	if string(g) != string(w) {
		return fmt.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
	return nil
}

// ids maps items to what names them, for comparing orders.
func ids[T any, K any](items []T, id func(T) K) []K {
	out := make([]K, 0, len(items))
	for _, it := range items {
		out = append(out, id(it))
	}
	return out
}

// pages walks a paged list to its end and returns all of it. It complains about
// pages over the limit and lists without end.
func pages[T any](limit int, list func(cursor string) ([]T, string, error)) ([]T, error) {
	var all []T
	cursor := ""
	for range 1000 {
		items, next, err := list(cursor)
		if err != nil {
			return nil, err
		}
		if len(items) > limit {
			return nil, fmt.Errorf("a page of %d items, limit is %d", len(items), limit)
		}
		all = append(all, items...)
		if next == "" {
			return all, nil
		}
		if next == cursor {
			return nil, fmt.Errorf("the list stands still at cursor %q", cursor)
		}
		cursor = next
	}
	return nil, fmt.Errorf("the list has no end")
}

// together runs f n times at once and fails with the first error.
func together(t *testing.T, n int, f func(i int) error) {
	t.Helper()
	start := make(chan struct{})
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = f(i)
		})
	}
	close(start)
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("call %d of %d at once: %v", i, n, err)
		}
	}
}

// day is where the suites' times begin.
var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func hashOf(format string, args ...any) wstk.Hash {
	return wstk.HashOf(fmt.Appendf(nil, format, args...))
}
