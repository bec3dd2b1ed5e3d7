package wstktest

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// HostStore checks the promises of wstk.HostStore. Slots are reserved at times
// the suite gives; leases run on the clock of the store, which must be that of
// the test.
func HostStore(t *testing.T, open func(t *testing.T) wstk.HostStore, features ...Features[wstk.HostStore]) {
	s := newSuite(t, open, features)
	const (
		host  = "https://a.example:443"
		gap   = time.Second
		lease = time.Minute
	)
	reserve := func(t *testing.T, h wstk.HostStore, host string, now time.Time, gap time.Duration) wstk.Slot {
		t.Helper()
		slot, err := h.Reserve(bg, host, now, gap)
		must(t, err)
		if slot.Token == "" {
			t.Error("a slot without token")
		}
		return slot
	}

	s.run("TheFirstSlotIsNow", func(t *testing.T, h wstk.HostStore) {
		wantSame(t, "slot", reserve(t, h, host, day, gap).At, day)
	})

	s.pair("SlotsAreAGapApart", func(t *testing.T, a, b wstk.HostStore) {
		var got []time.Time
		for i := range 4 {
			got = append(got, reserve(t, []wstk.HostStore{a, b}[i%2], host, day, gap).At)
		}
		wantSame(t, "slots", got, []time.Time{day, day.Add(gap), day.Add(2 * gap), day.Add(3 * gap)})
		wantSame(t, "with a longer gap", reserve(t, a, host, day, 10*gap).At, day.Add(13*gap))
	})

	s.run("ALaterNowWins", func(t *testing.T, h wstk.HostStore) {
		reserve(t, h, host, day, gap)
		wantSame(t, "slot", reserve(t, h, host, day.Add(time.Hour), gap).At, day.Add(time.Hour))
	})

	s.run("WithoutGapSlotsMayBeEqual", func(t *testing.T, h wstk.HostStore) {
		a, b := reserve(t, h, host, day, 0), reserve(t, h, host, day, 0)
		wantSame(t, "slots", []time.Time{a.At, b.At}, []time.Time{day, day})
		if a.Token == b.Token {
			t.Error("two slots have one token")
		}
	})

	s.run("HostsAreApart", func(t *testing.T, h wstk.HostStore) {
		for _, other := range []string{"https://b.example:443", "http://a.example:80", "https://a.example:8443"} {
			wantSame(t, other, reserve(t, h, other, day, gap).At, day)
			slot := reserve(t, h, other, day, gap)
			must(t, h.Begin(bg, other, slot.Token, 0, lease, 0))
		}
		must(t, h.Defer(bg, host, day.Add(time.Hour)))
		wantSame(t, "beside a paused host", reserve(t, h, "https://c.example:443", day, gap).At, day)
	})

	s.pair("DeferPausesNewSlots", func(t *testing.T, a, b wstk.HostStore) {
		until := day.Add(time.Minute)
		must(t, a.Defer(bg, host, until))
		wantSame(t, "first", reserve(t, b, host, day, gap).At, until)
		wantSame(t, "second", reserve(t, a, host, day, gap).At, until.Add(gap))
		wantSame(t, "later than the pause", reserve(t, b, host, until.Add(time.Hour), gap).At, until.Add(time.Hour))
	})

	s.run("DeferNeverShortensAPause", func(t *testing.T, h wstk.HostStore) {
		must(t, h.Defer(bg, host, day.Add(time.Hour)))
		must(t, h.Defer(bg, host, day.Add(time.Minute)))
		wantSame(t, "slot", reserve(t, h, host, day, gap).At, day.Add(time.Hour))
	})

	s.pair("ManyAtOnceGetDifferentSlots", func(t *testing.T, a, b wstk.HostStore) {
		var mu sync.Mutex
		var at []time.Time
		tokens := map[string]bool{}
		together(t, 24, func(i int) error {
			slot, err := []wstk.HostStore{a, b}[i%2].Reserve(bg, host, day, gap)
			mu.Lock()
			defer mu.Unlock()
			at = append(at, slot.At)
			tokens[slot.Token] = true
			return err
		})
		slices.SortFunc(at, time.Time.Compare)
		for i, got := range at {
			if !got.Equal(day.Add(time.Duration(i) * gap)) {
				t.Fatalf("slot %d of %d is at %s, want %s", i, len(at), got, day.Add(time.Duration(i)*gap))
			}
		}
		if len(tokens) != len(at) {
			t.Errorf("%d tokens for %d slots", len(tokens), len(at))
		}
	})

	s.pair("OneRequestIsInFlight", func(t *testing.T, a, b wstk.HostStore) {
		var inFlight, most atomic.Int32
		together(t, 8, func(i int) error {
			h := []wstk.HostStore{a, b}[i%2]
			slot, err := h.Reserve(bg, host, day, 0)
			if err != nil {
				return err
			}
			if err := h.Begin(bg, host, slot.Token, 0, lease, 20*time.Second); err != nil {
				return err
			}
			most.Store(max(most.Load(), inFlight.Add(1)))
			time.Sleep(5 * time.Millisecond)
			inFlight.Add(-1)
			return h.End(bg, host, slot.Token)
		})
		if most.Load() != 1 {
			t.Errorf("%d in flight at once", most.Load())
		}
	})

	s.pair("BeginGivesUpWithConflict", func(t *testing.T, a, b wstk.HostStore) {
		first, second := reserve(t, a, host, day, gap), reserve(t, b, host, day, gap)
		must(t, a.Begin(bg, host, first.Token, 0, lease, 0))
		wantCode(t, "without waiting", b.Begin(bg, host, second.Token, 0, lease, 0), wstk.Conflict)
		began := time.Now()
		wantCode(t, "after 100 ms", b.Begin(bg, host, second.Token, 0, lease, 100*time.Millisecond), wstk.Conflict)
		if waited := time.Since(began); waited < 100*time.Millisecond {
			t.Errorf("gave up after %s", waited)
		}
	})

	s.pair("ABusyHostSaysWhenToComeBack", func(t *testing.T, a, b wstk.HostStore) {
		until := func(what string, err error) time.Time {
			t.Helper()
			wantCode(t, what, err, wstk.Conflict)
			busy := (*wstk.HostBusy)(nil)
			if !errors.As(err, &busy) {
				t.Fatalf("%s: %v says nothing of when", what, err)
			}
			return busy.Until
		}
		between := func(what string, got, from, to time.Time) {
			t.Helper()
			if got.Before(from) || got.After(to) {
				t.Errorf("%s: come back at %v, want %v to %v", what, got, from, to)
			}
		}
		before := time.Now()
		must(t, a.Begin(bg, host, "first", 0, lease, 0))
		began := time.Now()
		between("in flight", until("in flight", b.Begin(bg, host, "second", 0, lease, 0)), before, time.Now().Add(lease))
		must(t, a.End(bg, host, "first"))
		at := time.Now()
		between("a gap", until("a gap", b.Begin(bg, host, "second", time.Hour, lease, 50*time.Millisecond)), before.Add(time.Hour), began.Add(time.Hour))
		pause := time.Now().Add(2 * time.Hour)
		must(t, b.Defer(bg, host, pause))
		between("a pause", until("a pause", a.Begin(bg, host, "second", time.Hour, lease, 50*time.Millisecond)), pause.Add(-time.Millisecond), pause.Add(time.Millisecond))
		if d := time.Since(at); d > 20*time.Second {
			t.Errorf("it took %v to say so", d)
		}
	})

	s.pair("RequestsBeginAGapApart", func(t *testing.T, a, b wstk.HostStore) {
		// messages of four slots came late, all at once
		const apart = 120 * time.Millisecond
		var mu sync.Mutex
		var began []time.Time
		together(t, 4, func(i int) error {
			h := []wstk.HostStore{a, b}[i%2]
			slot, err := h.Reserve(bg, host, day, apart)
			if err != nil {
				return err
			}
			if err := h.Begin(bg, host, slot.Token, apart, lease, 20*time.Second); err != nil {
				return err
			}
			mu.Lock()
			began = append(began, time.Now())
			mu.Unlock()
			return h.End(bg, host, slot.Token)
		})
		// What is seen here is a little later than what the store noted.
		if d := began[3].Sub(began[0]); d < 3*apart-apart/2 {
			t.Errorf("four requests began within %s", d)
		}
		wantCode(t, "too soon after the last", a.Begin(bg, host, "late", time.Hour, lease, 0), wstk.Conflict)
		must(t, b.Begin(bg, host, "other", 0, lease, 0))
	})

	s.pair("NoRequestBeginsInAPause", func(t *testing.T, a, b wstk.HostStore) {
		early := reserve(t, a, host, day, gap) // before it was known
		began := time.Now()
		must(t, b.Defer(bg, host, began.Add(300*time.Millisecond)))
		wantCode(t, "in the pause", a.Begin(bg, host, early.Token, 0, lease, 0), wstk.Conflict)
		must(t, a.Begin(bg, host, early.Token, 0, lease, 20*time.Second))
		if d := time.Since(began); d < 250*time.Millisecond {
			t.Errorf("it began %s into a pause of 300 ms", d)
		}
	})

	s.run("TheSameSlotIsOneRequest", func(t *testing.T, h wstk.HostStore) {
		// a message that came twice must not make two requests at once
		slot := reserve(t, h, host, day, gap)
		must(t, h.Begin(bg, host, slot.Token, 0, lease, 0))
		wantCode(t, "the same slot again", h.Begin(bg, host, slot.Token, 0, lease, 0), wstk.Conflict)
	})

	s.pair("BeginWaitsForEnd", func(t *testing.T, a, b wstk.HostStore) {
		first, second := reserve(t, a, host, day, gap), reserve(t, b, host, day, gap)
		must(t, a.Begin(bg, host, first.Token, 0, lease, 0))
		go func() {
			time.Sleep(50 * time.Millisecond)
			_ = a.End(bg, host, first.Token)
		}()
		must(t, b.Begin(bg, host, second.Token, 0, lease, 30*time.Second))
	})

	s.run("EndFreesOnlyItsOwn", func(t *testing.T, h wstk.HostStore) {
		first, second := reserve(t, h, host, day, gap), reserve(t, h, host, day, gap)
		must(t, h.Begin(bg, host, first.Token, 0, lease, 0))
		must(t, h.End(bg, host, second.Token))
		wantCode(t, "after another's End", h.Begin(bg, host, second.Token, 0, lease, 0), wstk.Conflict)
		must(t, h.End(bg, host, first.Token))
		must(t, h.Begin(bg, host, second.Token, 0, lease, 0))
		must(t, h.End(bg, host, first.Token)) // a second time, late
		wantCode(t, "after a late End", h.Begin(bg, host, first.Token, 0, lease, 0), wstk.Conflict)
	})

	s.pair("ADeadWorkersLeaseEnds", func(t *testing.T, a, b wstk.HostStore) {
		first, second := reserve(t, a, host, day, gap), reserve(t, b, host, day, gap)
		must(t, a.Begin(bg, host, first.Token, 0, 200*time.Millisecond, 0))
		wantCode(t, "during the lease", b.Begin(bg, host, second.Token, 0, lease, 0), wstk.Conflict)
		must(t, b.Begin(bg, host, second.Token, 0, lease, 30*time.Second))
	})

	s.run("EndOfAnUnknownHostIsNoError", func(t *testing.T, h wstk.HostStore) {
		must(t, h.End(bg, "https://nobody.example:443", "no token"))
	})

	s.run("WithoutTokenIsInvalid", func(t *testing.T, h wstk.HostStore) {
		wantCode(t, "Begin", h.Begin(bg, host, "", 0, lease, 0), wstk.Invalid)
	})

	s.run("CancelledChangesNothing", func(t *testing.T, h wstk.HostStore) {
		_, err := h.Reserve(cancelled(), host, day, gap)
		wantCode(t, "Reserve", err, wstk.Cancelled)
		wantCode(t, "Defer", h.Defer(cancelled(), host, day.Add(time.Hour)), wstk.Cancelled)
		slot := reserve(t, h, host, day, gap)
		wantSame(t, "slot", slot.At, day)
		wantCode(t, "Begin", h.Begin(cancelled(), host, slot.Token, 0, lease, 0), wstk.Cancelled)
		must(t, h.Begin(bg, host, slot.Token, 0, lease, 0))
		wantCode(t, "End", h.End(cancelled(), host, slot.Token), wstk.Cancelled)
		wantCode(t, "after a cancelled End", h.Begin(bg, host, "another", 0, lease, 0), wstk.Conflict)
	})

	s.run("CancelEndsTheWait", func(t *testing.T, h wstk.HostStore) {
		slot := reserve(t, h, host, day, gap)
		must(t, h.Begin(bg, host, slot.Token, 0, lease, 0))
		ctx, cancel := contextWithCancel()
		time.AfterFunc(30*time.Millisecond, cancel)
		wantCode(t, "Begin", h.Begin(ctx, host, "another", 0, lease, lease), wstk.Cancelled)
	})
}
