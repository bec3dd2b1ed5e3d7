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
func HostStore(
	t *testing.T, open func(t *testing.T) wstk.HostStore, features ...Features[wstk.HostStore],
) {
	s := hostStoreSuite{newSuite(t, open, features)}
	s.run("TheFirstSlotIsNow", s.theFirstSlotIsNow)
	s.pair("SlotsAreAGapApart", s.slotsAreAGapApart)
	s.run("ALaterNowWins", s.aLaterNowWins)
	s.run("WithoutGapSlotsMayBeEqual", s.withoutGapSlotsMayBeEqual)
	s.run("HostsAreApart", s.hostsAreApart)
	s.pair("DeferPausesNewSlots", s.deferPausesNewSlots)
	s.run("DeferNeverShortensAPause", s.deferNeverShortensAPause)
	s.pair("ManyAtOnceGetDifferentSlots", s.manyAtOnceGetDifferentSlots)
	s.pair("OneRequestIsInFlight", s.oneRequestIsInFlight)
	s.pair("BeginGivesUpWithConflict", s.beginGivesUpWithConflict)
	s.pair("ABusyHostSaysWhenToComeBack", s.aBusyHostSaysWhenToComeBack)
	s.pair("RequestsBeginAGapApart", s.requestsBeginAGapApart)
	s.pair("NoRequestBeginsInAPause", s.noRequestBeginsInAPause)
	s.run("TheSameSlotIsOneRequest", s.theSameSlotIsOneRequest)
	s.pair("BeginWaitsForEnd", s.beginWaitsForEnd)
	s.run("EndFreesOnlyItsOwn", s.endFreesOnlyItsOwn)
	s.pair("ADeadWorkersLeaseEnds", s.aDeadWorkersLeaseEnds)
	s.run("EndOfAnUnknownHostIsNoError", s.endOfAnUnknownHostIsNoError)
	s.run("WithoutTokenIsInvalid", s.withoutTokenIsInvalid)
	s.run("CancelledChangesNothing", s.cancelledChangesNothing)
	s.run("CancelEndsTheWait", s.cancelEndsTheWait)
}

type hostStoreSuite struct{ suite[wstk.HostStore] }

const (
	hostStoreHost  = "https://a.example:443"
	hostStoreGap   = time.Second
	hostStoreLease = time.Minute
)

func (s hostStoreSuite) reserve(
	t *testing.T, h wstk.HostStore, host string, now time.Time, gap time.Duration,
) wstk.Slot {
	t.Helper()
	slot, err := h.Reserve(bg, host, now, gap)
	must(t, err)
	if slot.Token == "" {
		t.Error("a slot without token")
	}
	return slot
}

func (s hostStoreSuite) theFirstSlotIsNow(t *testing.T, h wstk.HostStore) {
	wantSame(t, "slot", s.reserve(t, h, hostStoreHost, day, hostStoreGap).At, day)
}

func (s hostStoreSuite) slotsAreAGapApart(t *testing.T, a, b wstk.HostStore) {
	var got []time.Time
	for i := range 4 {
		got = append(got, s.reserve(t, []wstk.HostStore{a, b}[i%2], hostStoreHost,
			day, hostStoreGap).At)
	}
	wantSame(t, "slots", got, []time.Time{day, day.Add(hostStoreGap), day.Add(2 * hostStoreGap),
		day.Add(3 * hostStoreGap)})
	wantSame(t, "with a longer gap", s.reserve(t, a, hostStoreHost, day, 10*hostStoreGap).At,
		day.Add(13*hostStoreGap))
}

func (s hostStoreSuite) aLaterNowWins(t *testing.T, h wstk.HostStore) {
	s.reserve(t, h, hostStoreHost, day, hostStoreGap)
	wantSame(t, "slot", s.reserve(t, h, hostStoreHost, day.Add(time.Hour), hostStoreGap).At,
		day.Add(time.Hour))
}

func (s hostStoreSuite) withoutGapSlotsMayBeEqual(t *testing.T, h wstk.HostStore) {
	a, b := s.reserve(t, h, hostStoreHost, day, 0), s.reserve(t, h, hostStoreHost, day, 0)
	wantSame(t, "slots", []time.Time{a.At, b.At}, []time.Time{day, day})
	if a.Token == b.Token {
		t.Error("two slots have one token")
	}
}

func (s hostStoreSuite) hostsAreApart(t *testing.T, h wstk.HostStore) {
	for _, other := range []string{"https://b.example:443", "http://a.example:80", "https://a.example:8443"} {
		wantSame(t, other, s.reserve(t, h, other, day, hostStoreGap).At, day)
		slot := s.reserve(t, h, other, day, hostStoreGap)
		must(t, h.Begin(bg, other, slot.Token, 0, hostStoreLease, 0))
	}
	must(t, h.Defer(bg, hostStoreHost, day.Add(time.Hour)))
	wantSame(t, "beside a paused host", s.reserve(t, h, "https://c.example:443", day, hostStoreGap).At, day)
}

func (s hostStoreSuite) deferPausesNewSlots(t *testing.T, a, b wstk.HostStore) {
	until := day.Add(time.Minute)
	must(t, a.Defer(bg, hostStoreHost, until))
	wantSame(t, "first", s.reserve(t, b, hostStoreHost, day, hostStoreGap).At, until)
	wantSame(t, "second", s.reserve(t, a, hostStoreHost, day, hostStoreGap).At,
		until.Add(hostStoreGap))
	wantSame(t, "later than the pause", s.reserve(t, b, hostStoreHost, until.Add(time.Hour),
		hostStoreGap).At, until.Add(time.Hour))
}

func (s hostStoreSuite) deferNeverShortensAPause(t *testing.T, h wstk.HostStore) {
	must(t, h.Defer(bg, hostStoreHost, day.Add(time.Hour)))
	must(t, h.Defer(bg, hostStoreHost, day.Add(time.Minute)))
	wantSame(t, "slot", s.reserve(t, h, hostStoreHost, day, hostStoreGap).At, day.Add(time.Hour))
}

func (s hostStoreSuite) manyAtOnceGetDifferentSlots(t *testing.T, a, b wstk.HostStore) {
	var mu sync.Mutex
	var at []time.Time
	tokens := map[string]bool{}
	together(t, 24, func(i int) error {
		slot, err := []wstk.HostStore{a, b}[i%2].Reserve(bg, hostStoreHost, day, hostStoreGap)
		mu.Lock()
		defer mu.Unlock()
		at = append(at, slot.At)
		tokens[slot.Token] = true
		return err
	})
	slices.SortFunc(at, time.Time.Compare)
	for i, got := range at {
		if !got.Equal(day.Add(time.Duration(i) * hostStoreGap)) {
			t.Fatalf("slot %d of %d is at %s, want %s", i, len(at), got,
				day.Add(time.Duration(i)*hostStoreGap))
		}
	}
	if len(tokens) != len(at) {
		t.Errorf("%d tokens for %d slots", len(tokens), len(at))
	}
}

func (s hostStoreSuite) oneRequestIsInFlight(t *testing.T, a, b wstk.HostStore) {
	var inFlight, most atomic.Int32
	together(t, 8, func(i int) error {
		h := []wstk.HostStore{a, b}[i%2]
		slot, err := h.Reserve(bg, hostStoreHost, day, 0)
		if err != nil {
			return err
		}
		if err := h.Begin(bg, hostStoreHost, slot.Token, 0, hostStoreLease,
			20*time.Second); err != nil {
			return err
		}
		most.Store(max(most.Load(), inFlight.Add(1)))
		time.Sleep(5 * time.Millisecond)
		inFlight.Add(-1)
		return h.End(bg, hostStoreHost, slot.Token)
	})
	if most.Load() != 1 {
		t.Errorf("%d in flight at once", most.Load())
	}
}

func (s hostStoreSuite) beginGivesUpWithConflict(t *testing.T, a, b wstk.HostStore) {
	first, second := s.reserve(t, a, hostStoreHost, day, hostStoreGap),
		s.reserve(t, b, hostStoreHost, day, hostStoreGap)
	must(t, a.Begin(bg, hostStoreHost, first.Token, 0, hostStoreLease, 0))
	wantCode(t, "without waiting", b.Begin(bg, hostStoreHost, second.Token, 0, hostStoreLease, 0),
		wstk.Conflict)
	began := time.Now()
	wantCode(t, "after 100 ms", b.Begin(bg, hostStoreHost, second.Token, 0, hostStoreLease,
		100*time.Millisecond), wstk.Conflict)
	if waited := time.Since(began); waited < 100*time.Millisecond {
		t.Errorf("gave up after %s", waited)
	}
}

func (s hostStoreSuite) aBusyHostSaysWhenToComeBack(t *testing.T, a, b wstk.HostStore) {
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
	must(t, a.Begin(bg, hostStoreHost, "first", 0, hostStoreLease, 0))
	began := time.Now()
	between("in flight", until("in flight", b.Begin(bg, hostStoreHost, "second", 0, hostStoreLease,
		0)), before, time.Now().Add(hostStoreLease))
	must(t, a.End(bg, hostStoreHost, "first"))
	at := time.Now()
	between("a gap", until("a gap", b.Begin(bg, hostStoreHost, "second", time.Hour, hostStoreLease,
		50*time.Millisecond)), before.Add(time.Hour), began.Add(time.Hour))
	pause := time.Now().Add(2 * time.Hour)
	must(t, b.Defer(bg, hostStoreHost, pause))
	between("a pause", until("a pause", a.Begin(bg, hostStoreHost, "second", time.Hour,
		hostStoreLease, 50*time.Millisecond)), pause.Add(-time.Millisecond),
		pause.Add(time.Millisecond))
	if d := time.Since(at); d > 20*time.Second {
		t.Errorf("it took %v to say so", d)
	}
}

func (s hostStoreSuite) requestsBeginAGapApart(t *testing.T, a, b wstk.HostStore) {
	// messages of four slots came late, all at once
	const apart = 120 * time.Millisecond
	var mu sync.Mutex
	var began []time.Time
	together(t, 4, func(i int) error {
		h := []wstk.HostStore{a, b}[i%2]
		slot, err := h.Reserve(bg, hostStoreHost, day, apart)
		if err != nil {
			return err
		}
		if err := h.Begin(bg, hostStoreHost, slot.Token, apart, hostStoreLease,
			20*time.Second); err != nil {
			return err
		}
		mu.Lock()
		began = append(began, time.Now())
		mu.Unlock()
		return h.End(bg, hostStoreHost, slot.Token)
	})
	// What is seen here is a little later than what the store noted.
	if d := began[3].Sub(began[0]); d < 3*apart-apart/2 {
		t.Errorf("four requests began within %s", d)
	}
	wantCode(t, "too soon after the last",
		a.Begin(bg, hostStoreHost, "late", time.Hour, hostStoreLease, 0), wstk.Conflict)
	must(t, b.Begin(bg, hostStoreHost, "other", 0, hostStoreLease, 0))
}

func (s hostStoreSuite) noRequestBeginsInAPause(t *testing.T, a, b wstk.HostStore) {
	early := s.reserve(t, a, hostStoreHost, day, hostStoreGap) // before it was known
	began := time.Now()
	must(t, b.Defer(bg, hostStoreHost, began.Add(300*time.Millisecond)))
	wantCode(t, "in the pause", a.Begin(bg, hostStoreHost, early.Token, 0, hostStoreLease, 0),
		wstk.Conflict)
	must(t, a.Begin(bg, hostStoreHost, early.Token, 0, hostStoreLease, 20*time.Second))
	if d := time.Since(began); d < 250*time.Millisecond {
		t.Errorf("it began %s into a pause of 300 ms", d)
	}
}

func (s hostStoreSuite) theSameSlotIsOneRequest(t *testing.T, h wstk.HostStore) {
	// a message that came twice must not make two requests at once
	slot := s.reserve(t, h, hostStoreHost, day, hostStoreGap)
	must(t, h.Begin(bg, hostStoreHost, slot.Token, 0, hostStoreLease, 0))
	wantCode(t, "the same slot again", h.Begin(bg, hostStoreHost, slot.Token, 0, hostStoreLease, 0),
		wstk.Conflict)
}

func (s hostStoreSuite) beginWaitsForEnd(t *testing.T, a, b wstk.HostStore) {
	first, second := s.reserve(t, a, hostStoreHost, day, hostStoreGap),
		s.reserve(t, b, hostStoreHost, day, hostStoreGap)
	must(t, a.Begin(bg, hostStoreHost, first.Token, 0, hostStoreLease, 0))
	go func() {
		time.Sleep(50 * time.Millisecond)
		_ = a.End(bg, hostStoreHost, first.Token)
	}()
	must(t, b.Begin(bg, hostStoreHost, second.Token, 0, hostStoreLease, 30*time.Second))
}

func (s hostStoreSuite) endFreesOnlyItsOwn(t *testing.T, h wstk.HostStore) {
	first, second := s.reserve(t, h, hostStoreHost, day, hostStoreGap),
		s.reserve(t, h, hostStoreHost, day, hostStoreGap)
	must(t, h.Begin(bg, hostStoreHost, first.Token, 0, hostStoreLease, 0))
	must(t, h.End(bg, hostStoreHost, second.Token))
	wantCode(t, "after another's End",
		h.Begin(bg, hostStoreHost, second.Token, 0, hostStoreLease, 0), wstk.Conflict)
	must(t, h.End(bg, hostStoreHost, first.Token))
	must(t, h.Begin(bg, hostStoreHost, second.Token, 0, hostStoreLease, 0))
	must(t, h.End(bg, hostStoreHost, first.Token)) // a second time, late
	wantCode(t, "after a late End", h.Begin(bg, hostStoreHost, first.Token, 0, hostStoreLease, 0),
		wstk.Conflict)
}

func (s hostStoreSuite) aDeadWorkersLeaseEnds(t *testing.T, a, b wstk.HostStore) {
	first, second := s.reserve(t, a, hostStoreHost, day, hostStoreGap),
		s.reserve(t, b, hostStoreHost, day, hostStoreGap)
	must(t, a.Begin(bg, hostStoreHost, first.Token, 0, 200*time.Millisecond, 0))
	wantCode(t, "during the lease", b.Begin(bg, hostStoreHost, second.Token, 0, hostStoreLease, 0),
		wstk.Conflict)
	must(t, b.Begin(bg, hostStoreHost, second.Token, 0, hostStoreLease, 30*time.Second))
}

func (s hostStoreSuite) endOfAnUnknownHostIsNoError(t *testing.T, h wstk.HostStore) {
	must(t, h.End(bg, "https://nobody.example:443", "no token"))
}

func (s hostStoreSuite) withoutTokenIsInvalid(t *testing.T, h wstk.HostStore) {
	wantCode(t, "Begin", h.Begin(bg, hostStoreHost, "", 0, hostStoreLease, 0), wstk.Invalid)
}

func (s hostStoreSuite) cancelledChangesNothing(t *testing.T, h wstk.HostStore) {
	_, err := h.Reserve(cancelled(), hostStoreHost, day, hostStoreGap)
	wantCode(t, "Reserve", err, wstk.Cancelled)
	wantCode(t, "Defer", h.Defer(cancelled(), hostStoreHost, day.Add(time.Hour)), wstk.Cancelled)
	slot := s.reserve(t, h, hostStoreHost, day, hostStoreGap)
	wantSame(t, "slot", slot.At, day)
	wantCode(t, "Begin", h.Begin(cancelled(), hostStoreHost, slot.Token, 0, hostStoreLease, 0),
		wstk.Cancelled)
	must(t, h.Begin(bg, hostStoreHost, slot.Token, 0, hostStoreLease, 0))
	wantCode(t, "End", h.End(cancelled(), hostStoreHost, slot.Token), wstk.Cancelled)
	wantCode(t, "after a cancelled End",
		h.Begin(bg, hostStoreHost, "another", 0, hostStoreLease, 0), wstk.Conflict)
}

func (s hostStoreSuite) cancelEndsTheWait(t *testing.T, h wstk.HostStore) {
	slot := s.reserve(t, h, hostStoreHost, day, hostStoreGap)
	must(t, h.Begin(bg, hostStoreHost, slot.Token, 0, hostStoreLease, 0))
	ctx, cancel := contextWithCancel()
	time.AfterFunc(30*time.Millisecond, cancel)
	wantCode(t, "Begin", h.Begin(ctx, hostStoreHost, "another", 0, hostStoreLease, hostStoreLease),
		wstk.Cancelled)
}
