package wstktest

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// Locker checks the promises of wstk.Locker.
func Locker(t *testing.T, open func(t *testing.T) wstk.Locker, features ...Features[wstk.Locker]) {
	s := newSuite(t, open, features)
	const (
		ttl     = 300 * time.Millisecond
		renewed = time.Second // where a late renewal on a busy machine would lose the lease
	)

	s.pair("ALiveHolderMeansConflict", func(t *testing.T, a, b wstk.Locker) {
		unlock, err := a.Lock(bg, "crawl/site_1", ttl)
		must(t, err)
		defer unlock()
		_, err = b.Lock(bg, "crawl/site_1", ttl)
		wantCode(t, "another handle", err, wstk.Conflict)
		_, err = a.Lock(bg, "crawl/site_1", ttl)
		wantCode(t, "the same handle", err, wstk.Conflict)
	})

	s.pair("UnlockFreesAtOnce", func(t *testing.T, a, b wstk.Locker) {
		for _, l := range []wstk.Locker{a, b, a} {
			unlock, err := l.Lock(bg, "x", ttl)
			must(t, err)
			unlock()
		}
	})

	s.pair("UnlockTwiceFreesOnlyItsOwn", func(t *testing.T, a, b wstk.Locker) {
		first, err := a.Lock(bg, "x", ttl)
		must(t, err)
		first()
		second, err := b.Lock(bg, "x", ttl)
		must(t, err)
		defer second()
		first()
		_, err = a.Lock(bg, "x", ttl)
		wantCode(t, "after the first holder unlocked again", err, wstk.Conflict)
	})

	s.pair("TheLeaseIsRenewedUntilUnlock", func(t *testing.T, a, b wstk.Locker) {
		unlock, err := a.Lock(bg, "x", renewed)
		must(t, err)
		defer unlock()
		time.Sleep(3 * renewed)
		_, err = b.Lock(bg, "x", ttl)
		wantCode(t, "after three times the ttl", err, wstk.Conflict)
	})

	s.run("TheEndOfTheContextEndsNoLease", func(t *testing.T, l wstk.Locker) {
		ctx, cancel := contextWithCancel()
		unlock, err := l.Lock(ctx, "x", renewed)
		must(t, err)
		defer unlock()
		cancel()
		time.Sleep(2 * renewed)
		_, err = l.Lock(bg, "x", ttl)
		wantCode(t, "Lock", err, wstk.Conflict)
	})

	s.pair("HeldSeesALiveHolderAndTakesNothing", func(t *testing.T, a, b wstk.Locker) {
		want := func(about string, l wstk.Locker, want bool) {
			t.Helper()
			if got, err := l.Held(bg, "x"); err != nil || got != want {
				t.Errorf("%s: held %v, want %v: %v", about, got, want, err)
			}
		}
		want("never taken", b, false)
		for range 3 {
			unlock, err := a.Lock(bg, "x", ttl)
			must(t, err)
			want("by the same handle", a, true)
			want("by another handle", b, true)
			if held, err := b.Held(bg, "y"); held || err != nil {
				t.Errorf("another name is held: %v", err)
			}
			unlock()
			want("after unlock", b, false)
		}
		_, err := a.Held(bg, "")
		wantCode(t, "without a name", err, wstk.Invalid)
	})

	s.pair("HeldKeepsNoOneOut", func(t *testing.T, a, b wstk.Locker) {
		together(t, 4, func(i int) error {
			for range 50 {
				if i > 0 {
					if _, err := b.Held(bg, "x"); err != nil {
						return err
					}
					continue
				}
				unlock, err := a.Lock(bg, "x", ttl)
				if err != nil {
					return err
				}
				unlock()
			}
			return nil
		})
	})

	s.run("NamesAreApart", func(t *testing.T, l wstk.Locker) {
		for _, name := range []string{"a", "A", "a/b", "a_b", "a%2Fb", "..", "../a", "/", "ä",
			"a b", ".", "a\x00b", strings.Repeat("n", 400), strings.Repeat("n", 401)} {
			unlock, err := l.Lock(bg, name, ttl)
			if err != nil {
				t.Fatalf("%q: %v; want err == nil", name, err)
			}
			defer unlock()
		}
	})

	s.run("WithoutNameIsInvalid", func(t *testing.T, l wstk.Locker) {
		_, err := l.Lock(bg, "", ttl)
		wantCode(t, "Lock", err, wstk.Invalid)
	})

	s.run("CancelledHoldsNothing", func(t *testing.T, l wstk.Locker) {
		_, err := l.Lock(cancelled(), "x", ttl)
		wantCode(t, "Lock", err, wstk.Cancelled)
		unlock, err := l.Lock(bg, "x", ttl)
		must(t, err)
		unlock()
	})

	s.pair("OfManyOneHolds", func(t *testing.T, a, b wstk.Locker) {
		var held, most, got atomic.Int32
		together(t, 16, func(i int) error {
			for range 20 {
				unlock, err := []wstk.Locker{a, b}[i%2].Lock(bg, "x", ttl)
				if wstk.CodeOf(err) == wstk.Conflict {
					time.Sleep(time.Millisecond)
					continue
				}
				if err != nil {
					return err
				}
				got.Add(1)
				most.Store(max(most.Load(), held.Add(1)))
				time.Sleep(time.Millisecond)
				held.Add(-1)
				unlock()
			}
			return nil
		})
		if most.Load() != 1 || got.Load() < 2 {
			t.Errorf("%d held it at once, %d in all", most.Load(), got.Load())
		}
	})
}
