package wstktest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// Frontier checks the promises of wstk.Frontier.
func Frontier(
	t *testing.T, open func(t *testing.T) wstk.Frontier, features ...Features[wstk.Frontier],
) {
	s := frontierSuite{newSuite(t, open, features)}
	s.run("EveryFieldComesBack", s.everyFieldComesBack)
	s.run("AddIgnoresWhereACallerSaysItStands", s.addIgnoresWhereACallerSaysItStands)
	s.run("AddTwiceCountsOnce", s.addTwiceCountsOnce)
	s.run("AddWithAnOutcomeClosesAtOnce", s.addWithAnOutcomeClosesAtOnce)
	s.run("WhatAnEarlierRunClosedIsKnownAndNotCounted",
		s.whatAnEarlierRunClosedIsKnownAndNotCounted)
	s.run("AddRefusesWhatMakesNoSense", s.addRefusesWhatMakesNoSense)
	s.run("AddOfManyKeepsAll", s.addOfManyKeepsAll)
	s.run("RunsAreApart", s.runsAreApart)
	s.run("WhatWasNeverAddedIsNotFound", s.whatWasNeverAddedIsNotFound)
	s.run("WaitingIsShallowFirstThenAsFound", s.waitingIsShallowFirstThenAsFound)
	s.run("WaitingTakesAFewOfEachHost", s.waitingTakesAFewOfEachHost)
	s.run("WaitingOfManyHostsKeepsItsOrder", s.waitingOfManyHostsKeepsItsOrder)
	s.run("PostponedOnesWaitLast", s.postponedOnesWaitLast)
	s.run("PostponeWantsItsSlot", s.postponeWantsItsSlot)
	s.run("QueueMovesAWaitingURLOnce", s.queueMovesAWaitingURLOnce)
	s.run("StartCountsAnAttemptOfItsSlot", s.startCountsAnAttemptOfItsSlot)
	s.run("RequeueWantsTheOldSlot", s.requeueWantsTheOldSlot)
	s.run("StoreWantsItsSlot", s.storeWantsItsSlot)
	s.run("UnqueueReturnsWhatStoodStill", s.unqueueReturnsWhatStoodStill)
	s.run("EveryChangeIsTimed", s.everyChangeIsTimed)
	s.run("CloseTwiceCountsOnce", s.closeTwiceCountsOnce)
	s.run("EveryOutcomeCanClose", s.everyOutcomeCanClose)
	s.run("CloseNeedsAnOutcome", s.closeNeedsAnOutcome)
	s.run("TheFirstToClaimATextOwnsIt", s.theFirstToClaimATextOwnsIt)
	s.run("NotesChangeFromWhatTheyWere", s.notesChangeFromWhatTheyWere)
	s.run("NotesAreFoundByPrefix", s.notesAreFoundByPrefix)
	s.run("NotesAreBounded", s.notesAreBounded)
	s.run("AnUnknownRunHasZeros", s.anUnknownRunHasZeros)
	s.run("StatesAreCounted", s.statesAreCounted)
	s.run("ListIsInOrderOfURL", s.listIsInOrderOfURL)
	s.run("RemoveForgetsARun", s.removeForgetsARun)
	s.run("CancelledChangesNothing", s.cancelledChangesNothing)
	s.pair("ManyAddTheSameAtOnce", s.manyAddTheSameAtOnce)
	s.pair("OfManyQueuesAndClosesOneCounts", s.ofManyQueuesAndClosesOneCounts)
	s.pair("OfManyNotesOneIsKept", s.ofManyNotesOneIsKept)
	s.pair("AccountingBalancesWhateverHappens", s.accountingBalancesWhateverHappens)
}

type frontierSuite struct{ suite[wstk.Frontier] }

var frontierRun = runID(1)

const frontierHost = "https://a.example:443"

var frontierClosing = wstk.Closing{Outcome: wstk.OutcomeFetched, Reason: "200 OK"}

func (s frontierSuite) found(i int) wstk.FrontierURL {
	return wstk.FrontierURL{Run: frontierRun, URL: fmt.Sprintf("https://a.example/%03d", i), Host: frontierHost, Depth: 1,
		Via: wstk.ViaLink, FoundOn: "https://a.example/", FoundAt: day.Add(time.Duration(i) * time.Millisecond)}
}

func (s frontierSuite) url(i int) string { return s.found(i).URL }

func (s frontierSuite) add(t *testing.T, f wstk.Frontier, want int, urls ...wstk.FrontierURL) {
	t.Helper()
	n, err := f.Add(bg, urls...)
	must(t, err)
	if n != want {
		t.Errorf("Add says %d are new, want %d", n, want)
	}
}

func (s frontierSuite) get(t *testing.T, f wstk.Frontier, i int) wstk.FrontierURL {
	t.Helper()
	u, err := f.Get(bg, frontierRun, s.url(i))
	must(t, err)
	return u
}

// did fails the test unless a call said what was expected of it.
func (s frontierSuite) did(t *testing.T, what string, want bool) func(bool, error) {
	return func(got bool, err error) {
		t.Helper()
		must(t, err)
		if got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
}

func (s frontierSuite) slot(i int) wstk.Slot {
	return wstk.Slot{Token: fmt.Sprint("slot ", i), At: day.Add(time.Duration(i) * time.Second)}
}

func (s frontierSuite) order(us []wstk.FrontierURL) []string {
	return ids(us, func(u wstk.FrontierURL) string { return u.URL })
}

func (s frontierSuite) counts(t *testing.T, f wstk.Frontier, want wstk.Accounting) {
	t.Helper()
	s.soon(t, func() error {
		a, err := f.Accounting(bg, frontierRun)
		if err != nil {
			return err
		}
		if !a.Balanced() {
			return fmt.Errorf("the outcomes do not add up to what was discovered: %+v", a)
		}
		return same("accounting", a, want)
	})
}

func (s frontierSuite) waits(t *testing.T, f wstk.Frontier, limit, perHost int, want ...int) {
	t.Helper()
	s.soon(t, func() error {
		us, err := f.Waiting(bg, frontierRun, limit, perHost)
		if err != nil {
			return err
		}
		return same("waiting", s.order(us), ids(want, s.url))
	})
}

func (s frontierSuite) everyFieldComesBack(t *testing.T, f wstk.Frontier) {
	u := s.found(1)
	u.Hops, u.LastMod, u.Depth = 2, day.Add(-time.Hour), 3
	s.add(t, f, 1, u)
	got := s.get(t, f, 1)
	want := u
	want.State, want.Outcome, want.ChangedAt = wstk.URLWaiting, wstk.OutcomeOpen, got.ChangedAt
	wantSame(t, "added", got, want)
	if got.ChangedAt.IsZero() {
		t.Error("no changed_at")
	}

	s.did(t, "Queue", true)(f.Queue(bg, frontierRun, u.URL, s.slot(7)))
	got = s.get(t, f, 1)
	want.State, want.Slot, want.NotBefore, want.ChangedAt = wstk.URLQueued, s.slot(7).Token,
		s.slot(7).At, got.ChangedAt
	wantSame(t, "queued", got, want)

	s.did(t, "Store", true)(f.Store(bg, frontierRun, u.URL, s.slot(7).Token, hashOf("doc")))
	got = s.get(t, f, 1)
	want.State, want.Document, want.ChangedAt = wstk.URLStored, hashOf("doc"), got.ChangedAt
	want.Slot, want.NotBefore = got.Slot, got.NotBefore // of no use any more
	wantSame(t, "stored", got, want)

	s.did(t, "Close", true)(f.Close(bg, frontierRun, u.URL,
		wstk.Closing{Outcome: wstk.OutcomeRedirected, Reason: "301", Target: "https://b.example/"}))
	got = s.get(t, f, 1)
	want.State, want.Document, want.ChangedAt = wstk.URLClosed, got.Document, got.ChangedAt
	want.Outcome, want.Reason, want.Target = wstk.OutcomeRedirected, "301", "https://b.example/"
	wantSame(t, "closed", got, want)
}

func (s frontierSuite) addIgnoresWhereACallerSaysItStands(t *testing.T, f wstk.Frontier) {
	u := s.found(1)
	u.State, u.Slot, u.NotBefore, u.Attempts, u.Document = wstk.URLStored, "x", day, 4, hashOf("x")
	s.add(t, f, 1, u)
	got := s.get(t, f, 1)
	if got.State != wstk.URLWaiting || got.Slot != "" || !got.NotBefore.IsZero() ||
		got.Attempts != 0 || got.Document != "" {
		t.Errorf("%+v", got)
	}
}

func (s frontierSuite) addTwiceCountsOnce(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 2, s.found(1), s.found(2), s.found(1))
	again := s.found(1)
	again.Depth, again.Outcome = 9, wstk.OutcomeTrap
	s.add(t, f, 1, again, s.found(3))
	s.add(t, f, 0)
	if got := s.get(t, f, 1); got.Depth != 1 || got.State != wstk.URLWaiting {
		t.Errorf("a known URL was changed: %+v", got)
	}
	s.counts(t, f, wstk.Accounting{Discovered: 3, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 3}})
}

func (s frontierSuite) addWithAnOutcomeClosesAtOnce(t *testing.T, f wstk.Frontier) {
	a, b := s.found(1), s.found(2)
	a.Outcome, a.Reason = wstk.OutcomeOutOfScope, "another host"
	b.Outcome = wstk.OutcomeOpen
	s.add(t, f, 2, a, b)
	if got := s.get(t, f, 1); got.State != wstk.URLClosed ||
		got.Outcome != wstk.OutcomeOutOfScope || got.Reason != "another host" {
		t.Errorf("%+v; want got.State == wstk.URLClosed && got.Outcome == wstk.OutcomeOutOfScope "+
			"&& got.Reason == \"another host\"", got)
	}
	s.waits(t, f, 10, 10, 2)
	s.counts(t, f, wstk.Accounting{Discovered: 2,
		By: map[wstk.Outcome]int{wstk.OutcomeOpen: 1, wstk.OutcomeOutOfScope: 1}})
}

func (s frontierSuite) whatAnEarlierRunClosedIsKnownAndNotCounted(t *testing.T, f wstk.Frontier) {
	earlier := s.found(1)
	earlier.Via, earlier.Outcome, earlier.Reason, earlier.Target = wstk.ViaEarlier,
		wstk.OutcomeRedirected, "to 2", s.url(2)
	s.add(t, f, 2, earlier, s.found(2))
	s.add(t, f, 0, s.found(1))
	if got := s.get(t, f, 1); got.State != wstk.URLClosed ||
		got.Outcome != wstk.OutcomeRedirected || got.Target != s.url(2) ||
		got.Via != wstk.ViaEarlier {
		t.Errorf("%+v", got)
	}
	s.did(t, "Close", false)(f.Close(bg, frontierRun, s.url(1), frontierClosing))
	s.counts(t, f, wstk.Accounting{Discovered: 1, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 1}})
	s.soon(t, func() error {
		states, err := f.States(bg, frontierRun)
		if err != nil {
			return err
		}
		return same("closed", states[wstk.URLClosed], 0)
	})
	s.waits(t, f, 10, 10, 2)
}

func (s frontierSuite) addRefusesWhatMakesNoSense(t *testing.T, f wstk.Frontier) {
	for _, bad := range []wstk.FrontierURL{{Run: frontierRun}, {URL: s.url(1)},
		{Run: frontierRun, URL: s.url(1), Outcome: "lost"},
		{Run: frontierRun, URL: s.url(1), Via: wstk.ViaEarlier}} {
		_, err := f.Add(bg, bad)
		wantCode(t, fmt.Sprintf("%+v", bad), err, wstk.Invalid)
	}
	s.counts(t, f, wstk.Accounting{})
}

func (s frontierSuite) addOfManyKeepsAll(t *testing.T, f wstk.Frontier) {
	var us []wstk.FrontierURL
	for i := range 500 {
		us = append(us, s.found(i))
	}
	s.add(t, f, 500, us...)
	s.add(t, f, 0, us[200:300]...)
	s.counts(t, f, wstk.Accounting{Discovered: 500,
		By: map[wstk.Outcome]int{wstk.OutcomeOpen: 500}})
}

func (s frontierSuite) runsAreApart(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 1, s.found(1))
	other := s.found(1)
	other.Run = runID(2)
	s.add(t, f, 1, other)
	s.did(t, "Close", true)(f.Close(bg, other.Run, other.URL, frontierClosing))
	s.did(t, "SetNote", true)(f.SetNote(bg, other.Run, "k", "", "v"))
	if got := s.get(t, f, 1); got.State != wstk.URLWaiting {
		t.Errorf("closed in another run: %+v", got)
	}
	if v, err := f.Note(bg, frontierRun, "k"); err != nil || v != "" {
		t.Errorf("noted in another run: %q, %v", v, err)
	}
	s.counts(t, f, wstk.Accounting{Discovered: 1, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 1}})
}

func (s frontierSuite) whatWasNeverAddedIsNotFound(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 1, s.found(1))
	for _, r := range []wstk.RunID{frontierRun, runID(2)} {
		_, err := f.Get(bg, r, s.url(2))
		wantCode(t, "Get", err, wstk.NotFound)
		_, err = f.Queue(bg, r, s.url(2), s.slot(1))
		wantCode(t, "Queue", err, wstk.NotFound)
		_, err = f.Requeue(bg, r, s.url(2), "a", s.slot(1), false)
		wantCode(t, "Requeue", err, wstk.NotFound)
		_, err = f.Postpone(bg, r, s.url(2), "a", day)
		wantCode(t, "Postpone", err, wstk.NotFound)
		_, err = f.Unqueue(bg, r, s.url(2), day, false)
		wantCode(t, "Unqueue", err, wstk.NotFound)
		_, err = f.Store(bg, r, s.url(2), "a", hashOf("d"))
		wantCode(t, "Store", err, wstk.NotFound)
		_, err = f.Close(bg, r, s.url(2), frontierClosing)
		wantCode(t, "Close", err, wstk.NotFound)
		_, err = f.ClaimText(bg, r, hashOf("t"), s.url(2))
		wantCode(t, "ClaimText", err, wstk.NotFound)
	}
	s.counts(t, f, wstk.Accounting{Discovered: 1, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 1}})
}

func (s frontierSuite) waitingIsShallowFirstThenAsFound(t *testing.T, f wstk.Frontier) {
	for i, depth := range []int{2, 0, 1, 2, 1, 0, 12} {
		u := s.found(i)
		u.Depth = depth
		s.add(t, f, 1, u)
	}
	s.waits(t, f, 100, 100, 1, 5, 2, 4, 0, 3, 6)
	s.waits(t, f, 3, 100, 1, 5, 2)
}

func (s frontierSuite) waitingTakesAFewOfEachHost(t *testing.T, f wstk.Frontier) {
	for i := range 12 {
		u := s.found(i)
		if i >= 8 {
			u.Host, u.Depth = fmt.Sprintf("https://%d.example:443", i%2), 2
		}
		s.add(t, f, 1, u)
	}
	s.waits(t, f, 100, 3, 0, 1, 2, 8, 9, 10, 11)
	s.waits(t, f, 100, 1, 0, 8, 9)
	s.waits(t, f, 4, 3, 0, 1, 2, 8)
	s.waits(t, f, 100, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
}

func (s frontierSuite) waitingOfManyHostsKeepsItsOrder(t *testing.T, f wstk.Frontier) {
	r := rand.New(rand.NewPCG(5, 5))
	var us []wstk.FrontierURL
	for i := range 80 {
		u := s.found(i)
		u.Host, u.Depth = fmt.Sprintf("https://%d.example:443", r.IntN(9)), r.IntN(4)
		us = append(us, u)
	}
	s.add(t, f, 80, us...)
	slices.SortStableFunc(us, func(a, b wstk.FrontierURL) int { return a.Depth - b.Depth })
	for _, limits := range [][2]int{{80, 80}, {100, 2}, {5, 1}, {5, 3}, {12, 2},
		{20, 20}, {3, 80}} {
		var want []string
		hosts := map[string]int{}
		for _, u := range us {
			if hosts[u.Host]++; hosts[u.Host] <= limits[1] && len(want) < limits[0] {
				want = append(want, u.URL)
			}
		}
		s.soon(t, func() error {
			got, err := f.Waiting(bg, frontierRun, limits[0], limits[1])
			if err != nil {
				return err
			}
			return same(fmt.Sprintf("at most %d, %d of a host", limits[0], limits[1]),
				s.order(got), want)
		})
	}
}

func (s frontierSuite) postponedOnesWaitLast(t *testing.T, f wstk.Frontier) {
	for i := range 5 {
		u := s.found(i)
		u.Depth = 5 - i
		s.add(t, f, 1, u)
		if i >= 2 {
			s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(i), s.slot(i)))
			s.did(t, "Postpone", true)(f.Postpone(bg, frontierRun, s.url(i), s.slot(i).Token,
				day.Add(time.Duration(i*7%5)*time.Hour)))
		}
	}
	s.waits(t, f, 100, 100, 1, 0, 3, 4, 2) // 3 at +1 h, 4 at +3 h, 2 at +4 h
	s.waits(t, f, 100, 3, 1, 0, 3)
	s.waits(t, f, 1, 100, 1)
}

func (s frontierSuite) postponeWantsItsSlot(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 1, s.found(1))
	s.did(t, "Postpone of a waiting URL", false)(f.Postpone(bg, frontierRun, s.url(1), "", day))
	s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(1), s.slot(1)))
	s.did(t, "Postpone with another slot",
		false)(f.Postpone(bg, frontierRun, s.url(1), s.slot(2).Token, day))
	until := day.Add(time.Hour)
	s.did(t, "Postpone", true)(f.Postpone(bg, frontierRun, s.url(1), s.slot(1).Token, until))
	s.did(t, "Postpone again", false)(f.Postpone(bg, frontierRun, s.url(1), s.slot(1).Token, day))
	got := s.get(t, f, 1)
	if got.State != wstk.URLWaiting || got.Slot != "" || !got.NotBefore.Equal(until) ||
		got.Attempts != 0 {
		t.Errorf("%+v; want got.State == wstk.URLWaiting && got.Slot == \"\" && "+
			"got.NotBefore.Equal(until) && got.Attempts == 0", got)
	}
	s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(1), s.slot(3)))
}

func (s frontierSuite) queueMovesAWaitingURLOnce(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 2, s.found(1), s.found(2))
	s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(1), s.slot(1)))
	s.did(t, "Queue of a queued URL", false)(f.Queue(bg, frontierRun, s.url(1), s.slot(2)))
	if got := s.get(t, f, 1); got.Slot != s.slot(1).Token || got.Attempts != 0 {
		t.Errorf("%+v; want got.Slot == s.slot(1).Token && got.Attempts == 0", got)
	}
	s.waits(t, f, 10, 10, 2)
	s.did(t, "Close", true)(f.Close(bg, frontierRun, s.url(1), frontierClosing))
	s.did(t, "Queue of a closed URL", false)(f.Queue(bg, frontierRun, s.url(1), s.slot(3)))
}

func (s frontierSuite) startCountsAnAttemptOfItsSlot(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 1, s.found(1))
	s.did(t, "Start of a waiting URL", false)(f.Start(bg, frontierRun, s.url(1), ""))
	s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(1), s.slot(1)))
	s.did(t, "Start with another slot", false)(f.Start(bg, frontierRun, s.url(1), s.slot(2).Token))
	s.did(t, "Start", true)(f.Start(bg, frontierRun, s.url(1), s.slot(1).Token))
	s.did(t, "Start again, of a message that came twice",
		true)(f.Start(bg, frontierRun, s.url(1), s.slot(1).Token))
	if got := s.get(t, f, 1); got.State != wstk.URLQueued || got.Slot != s.slot(1).
		Token || !got.NotBefore.Equal(s.slot(1).At) || got.Attempts != 2 {
		t.Errorf("%+v", got)
	}
	s.did(t, "Postpone", true)(f.Postpone(bg, frontierRun, s.url(1), s.slot(1).Token, day))
	s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(1), s.slot(3)))
	if got := s.get(t, f, 1); got.Attempts != 2 {
		t.Errorf("waiting counted: %+v", got)
	}
	s.did(t, "Store", true)(f.Store(bg, frontierRun, s.url(1), s.slot(3).Token, hashOf("d")))
	s.did(t, "Start of a stored URL", false)(f.Start(bg, frontierRun, s.url(1), s.slot(3).Token))
	_, err := f.Start(bg, frontierRun, s.url(9), s.slot(1).Token)
	wantCode(t, "Start of an unknown URL", err, wstk.NotFound)
}

func (s frontierSuite) requeueWantsTheOldSlot(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 1, s.found(1))
	s.did(t, "Requeue of a waiting URL",
		false)(f.Requeue(bg, frontierRun, s.url(1), "", s.slot(2), true))
	s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(1), s.slot(1)))
	s.did(t, "Requeue with another slot",
		false)(f.Requeue(bg, frontierRun, s.url(1), s.slot(5).Token, s.slot(2), true))
	s.did(t, "Requeue", true)(f.Requeue(bg, frontierRun, s.url(1), s.slot(1).
		Token, s.slot(2), false))
	if got := s.get(t, f, 1); got.Slot != s.slot(2).
		Token || !got.NotBefore.Equal(s.slot(2).At) || got.Attempts != 0 ||
		got.State != wstk.URLQueued {
		t.Errorf("%+v", got)
	}
	s.did(t, "Requeue with the slot before",
		false)(f.Requeue(bg, frontierRun, s.url(1), s.slot(1).Token, s.slot(3), true))
	s.did(t, "Requeue, counted",
		true)(f.Requeue(bg, frontierRun, s.url(1), s.slot(2).Token, s.slot(3), true))
	if got := s.get(t, f, 1); got.Attempts != 1 {
		t.Errorf("%d attempts, want 1", got.Attempts)
	}
}

func (s frontierSuite) storeWantsItsSlot(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 1, s.found(1))
	s.did(t, "Store of a waiting URL", false)(f.Store(bg, frontierRun, s.url(1), "", hashOf("d")))
	s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(1), s.slot(1)))
	s.did(t, "Store with another slot",
		false)(f.Store(bg, frontierRun, s.url(1), s.slot(2).Token, hashOf("d")))
	s.did(t, "Store", true)(f.Store(bg, frontierRun, s.url(1), s.slot(1).Token, hashOf("d")))
	s.did(t, "Store again", false)(f.Store(bg, frontierRun, s.url(1), s.slot(1).
		Token, hashOf("other")))
	if got := s.get(t, f, 1); got.State != wstk.URLStored || got.Document != hashOf("d") {
		t.Errorf("%+v; want got.State == wstk.URLStored && got.Document == hashOf(\"d\")", got)
	}
	s.did(t, "Requeue of a stored URL",
		false)(f.Requeue(bg, frontierRun, s.url(1), s.slot(1).Token, s.slot(2), true))
	s.did(t, "Postpone of a stored URL",
		false)(f.Postpone(bg, frontierRun, s.url(1), s.slot(1).Token, day))
}

func (s frontierSuite) unqueueReturnsWhatStoodStill(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 4, s.found(1), s.found(2), s.found(3), s.found(4))
	for i := 1; i <= 3; i++ {
		s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(i), s.slot(i)))
	}
	s.did(t, "Store", true)(f.Store(bg, frontierRun, s.url(2), s.slot(2).Token, hashOf("d")))
	s.did(t, "Close", true)(f.Close(bg, frontierRun, s.url(3), frontierClosing))
	past, future := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	s.did(t, "a URL that changed since", false)(f.Unqueue(bg, frontierRun, s.url(1), past, true))
	s.did(t, "a queued URL", true)(f.Unqueue(bg, frontierRun, s.url(1), future, true))
	s.did(t, "a stored URL", true)(f.Unqueue(bg, frontierRun, s.url(2), future, false))
	s.did(t, "a closed URL", false)(f.Unqueue(bg, frontierRun, s.url(3), future, true))
	s.did(t, "a waiting URL", false)(f.Unqueue(bg, frontierRun, s.url(4), future, true))
	s.did(t, "the same again", false)(f.Unqueue(bg, frontierRun, s.url(1), future, true))
	for i, attempts := range map[int]int{1: 1, 2: 0, 4: 0} {
		if got := s.get(t, f, i); got.State != wstk.URLWaiting || got.Slot != "" ||
			!got.NotBefore.IsZero() || got.Document != "" || got.Attempts != attempts {
			t.Errorf("%+v", got)
		}
	}
	s.waits(t, f, 10, 10, 1, 2, 4)
	s.did(t, "Store with the slot of before",
		false)(f.Store(bg, frontierRun, s.url(1), s.slot(1).Token, hashOf("late")))
}

func (s frontierSuite) everyChangeIsTimed(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 1, s.found(1))
	last := s.get(t, f, 1).ChangedAt
	for _, step := range []func() (bool, error){
		func() (bool, error) { return f.Queue(bg, frontierRun, s.url(1), s.slot(1)) },
		func() (bool, error) {
			return f.Requeue(bg, frontierRun, s.url(1), s.slot(1).Token, s.slot(2), false)
		},
		func() (bool, error) {
			return f.Store(bg, frontierRun, s.url(1), s.slot(2).Token, hashOf("d"))
		},
		func() (bool, error) {
			return f.Unqueue(bg, frontierRun, s.url(1), time.Now().Add(time.Hour), true)
		},
		func() (bool, error) { return f.Close(bg, frontierRun, s.url(1), frontierClosing) },
	} {
		time.Sleep(3 * time.Millisecond)
		s.did(t, "step", true)(step())
		got := s.get(t, f, 1)
		if !got.ChangedAt.After(last) {
			t.Errorf("%s: changed_at %s, before %s", got.State, got.ChangedAt, last)
		}
		last = got.ChangedAt
	}
}

func (s frontierSuite) closeTwiceCountsOnce(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 2, s.found(1), s.found(2))
	s.did(t, "Close", true)(f.Close(bg, frontierRun, s.url(1), frontierClosing))
	s.did(t, "Close again", false)(f.Close(bg, frontierRun, s.url(1),
		wstk.Closing{Outcome: wstk.OutcomeFailed, Reason: "late"}))
	if got := s.get(t, f, 1); got.Outcome != wstk.OutcomeFetched || got.Reason != "200 OK" {
		t.Errorf("%+v; want got.Outcome == wstk.OutcomeFetched && got.Reason == \"200 OK\"", got)
	}
	s.counts(t, f, wstk.Accounting{Discovered: 2,
		By: map[wstk.Outcome]int{wstk.OutcomeFetched: 1, wstk.OutcomeOpen: 1}})
}

func (s frontierSuite) everyOutcomeCanClose(t *testing.T, f wstk.Frontier) {
	want := wstk.Accounting{By: map[wstk.Outcome]int{}}
	for i, o := range wstk.Outcomes() {
		if o == wstk.OutcomeOpen {
			continue
		}
		s.add(t, f, 1, s.found(i))
		s.did(t, string(o), true)(f.Close(bg, frontierRun, s.url(i),
			wstk.Closing{Outcome: o, Reason: "why"}))
		want.Discovered++
		want.By[o] = 1
	}
	s.counts(t, f, want)
}

func (s frontierSuite) closeNeedsAnOutcome(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 1, s.found(1))
	for _, o := range []wstk.Outcome{"", wstk.OutcomeOpen, "lost"} {
		_, err := f.Close(bg, frontierRun, s.url(1), wstk.Closing{Outcome: o})
		wantCode(t, "Close as "+string(o), err, wstk.Invalid)
	}
	if got := s.get(t, f, 1); got.State != wstk.URLWaiting {
		t.Errorf("%+v; want got.State == wstk.URLWaiting", got)
	}
}

func (s frontierSuite) theFirstToClaimATextOwnsIt(t *testing.T, f wstk.Frontier) {
	s.add(t, f, 2, s.found(1), s.found(2))
	other := s.found(1)
	other.Run = runID(2)
	s.add(t, f, 1, other)
	for _, c := range []struct {
		run       wstk.RunID
		i         int
		text      string
		wantOwner int
	}{{frontierRun, 1, "t", 1}, {frontierRun, 2, "t", 1}, {frontierRun, 1, "t", 1},
		{frontierRun, 2, "u", 2}, {runID(2), 1, "u", 1}} {
		owner, err := f.ClaimText(bg, c.run, hashOf("%s", c.text), s.url(c.i))
		must(t, err)
		if owner != s.url(c.wantOwner) {
			t.Errorf("%+v: owner is %s", c, owner)
		}
	}
}

func (s frontierSuite) notesChangeFromWhatTheyWere(t *testing.T, f wstk.Frontier) {
	note := func(want string) {
		t.Helper()
		if v, err := f.Note(bg, frontierRun, "trap /a"); err != nil || v != want {
			t.Errorf("note is %q, %v, want %q", v, err, want)
		}
	}
	note("")
	s.did(t, "over nothing, from something", false)(f.SetNote(bg, frontierRun, "trap /a", "x", "1"))
	s.did(t, "over nothing", true)(f.SetNote(bg, frontierRun, "trap /a", "", "1"))
	note("1")
	s.did(t, "over something, from nothing", false)(f.SetNote(bg, frontierRun, "trap /a", "", "2"))
	s.did(t, "over something else", false)(f.SetNote(bg, frontierRun, "trap /a", "0", "2"))
	s.did(t, "over what it was", true)(f.SetNote(bg, frontierRun, "trap /a", "1", "2 ü"))
	note("2 ü")
	if v, err := f.Note(bg, frontierRun, "trap /b"); err != nil || v != "" {
		t.Errorf("another key: %q, %v", v, err)
	}
	s.did(t, "removal", true)(f.SetNote(bg, frontierRun, "trap /a", "2 ü", ""))
	note("")
	s.did(t, "nothing over nothing", true)(f.SetNote(bg, frontierRun, "trap /a", "", ""))
	s.counts(t, f, wstk.Accounting{})
}

func (s frontierSuite) notesAreFoundByPrefix(t *testing.T, f wstk.Frontier) {
	want := map[string]string{}
	for i := range 30 {
		key := fmt.Sprintf("hold/%02d", i)
		want[key] = fmt.Sprint("value ", i)
		s.did(t, "SetNote", true)(f.SetNote(bg, frontierRun, key, "", want[key]))
	}
	for _, key := range []string{"hold", "hold/", "hole/1", "holc/1", "held/1", "trap /a"} {
		s.did(t, "SetNote", true)(f.SetNote(bg, frontierRun, key, "", "another"))
	}
	s.did(t, "SetNote of another run",
		true)(f.SetNote(bg, wstk.NewRunID(day, nil), "hold/x", "", "of another run"))
	s.did(t, "removal", true)(f.SetNote(bg, frontierRun, "hold/07", want["hold/07"], ""))
	delete(want, "hold/07")
	got, err := f.Notes(bg, frontierRun, "hold/")
	must(t, err)
	wantSame(t, "notes", got, want)
	got, err = f.Notes(bg, frontierRun, "nothing/")
	must(t, err)
	wantSame(t, "notes of no such prefix", len(got), 0)
	got, err = f.Notes(bg, wstk.NewRunID(day, nil), "hold/")
	must(t, err)
	wantSame(t, "notes of an unknown run", len(got), 0)
	_, err = f.Notes(bg, frontierRun, "ü")
	wantCode(t, "a prefix that is no key", err, wstk.Invalid)
}

func (s frontierSuite) notesAreBounded(t *testing.T, f wstk.Frontier) {
	long := strings.Repeat("x", 64<<10)
	s.did(t, "64 KiB under 100 bytes", true)(f.SetNote(bg, frontierRun, long[:100], "", long))
	_, err := f.SetNote(bg, frontierRun, "k", "", long+"x")
	wantCode(t, "more than 64 KiB", err, wstk.TooLarge)
	for _, key := range []string{"", long[:101], "ü"} {
		_, err := f.SetNote(bg, frontierRun, key, "", "v")
		wantCode(t, fmt.Sprintf("SetNote of a key of %d bytes", len(key)), err, wstk.Invalid)
		_, err = f.Note(bg, frontierRun, key)
		wantCode(t, fmt.Sprintf("Note of a key of %d bytes", len(key)), err, wstk.Invalid)
	}
}

func (s frontierSuite) anUnknownRunHasZeros(t *testing.T, f wstk.Frontier) {
	s.counts(t, f, wstk.Accounting{})
	states, err := f.States(bg, frontierRun)
	must(t, err)
	for state, n := range states {
		if n != 0 {
			t.Errorf("%d are %s", n, state)
		}
	}
	s.waits(t, f, 10, 10)
	us, next, err := f.List(bg, frontierRun, "", "", 10)
	if err != nil || len(us) != 0 || next != "" {
		t.Errorf("%v, %q, %v; want err == nil && len(us) == 0 && next == \"\"", us, next, err)
	}
}

// fill leaves 10 URLs: 0–2 waiting, 3–5 queued, 6 and 7 stored, 8 and 9 closed.
func (s frontierSuite) fill(t *testing.T, f wstk.Frontier) {
	for _, i := range []int{7, 2, 9, 0, 5, 4, 8, 1, 6, 3} {
		s.add(t, f, 1, s.found(i))
		if i >= 3 {
			s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(i), s.slot(i)))
		}
		if i >= 6 {
			s.did(t, "Store", true)(f.Store(bg, frontierRun, s.url(i), s.slot(i).
				Token, hashOf("d")))
		}
		if i >= 8 {
			s.did(t, "Close", true)(f.Close(bg, frontierRun, s.url(i), frontierClosing))
		}
	}
}

func (s frontierSuite) statesAreCounted(t *testing.T, f wstk.Frontier) {
	s.fill(t, f)
	s.soon(t, func() error {
		got, err := f.States(bg, frontierRun)
		if err != nil {
			return err
		}
		return same("states", [4]int{got[wstk.URLWaiting], got[wstk.URLQueued], got[wstk.URLStored],
			got[wstk.URLClosed]}, [4]int{3, 3, 2, 2})
	})
}

func (s frontierSuite) listIsInOrderOfURL(t *testing.T, f wstk.Frontier) {
	s.fill(t, f)
	for state, want := range map[wstk.URLState][]int{"": {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		wstk.URLWaiting: {0, 1, 2},
		wstk.URLQueued:  {3, 4, 5}, wstk.URLStored: {6, 7}, wstk.URLClosed: {8, 9}} {
		for _, limit := range []int{1, 2, 3, 10} {
			s.soon(t, func() error {
				all, err := pages(limit, func(c string) ([]wstk.FrontierURL, string, error) {
					return f.List(bg, frontierRun, state, c, limit)
				})
				if err != nil {
					return err
				}
				return same("URLs that are "+string(state), s.order(all), ids(want, s.url))
			})
		}
	}
}

func (s frontierSuite) removeForgetsARun(t *testing.T, f wstk.Frontier) {
	closed := s.found(1)
	closed.Outcome = wstk.OutcomeOutOfScope
	s.add(t, f, 6, closed, s.found(2), s.found(3), s.found(4), s.found(5), s.found(6))
	s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(3), s.slot(3)))
	s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(4), s.slot(4)))
	s.did(t, "Store", true)(f.Store(bg, frontierRun, s.url(4), s.slot(4).Token, hashOf("doc")))
	if _, err := f.ClaimText(bg, frontierRun, hashOf("text"), s.url(4)); err != nil {
		t.Fatal(err)
	}
	s.did(t, "SetNote", true)(f.SetNote(bg, frontierRun, "n", "", "x"))
	other := s.found(1)
	other.Run = runID(2)
	s.add(t, f, 1, other)
	s.did(t, "SetNote", true)(f.SetNote(bg, other.Run, "n", "", "y"))

	_, err := f.Remove(cancelled(), frontierRun, 2)
	wantCode(t, "Remove", err, wstk.Cancelled)
	for more, calls := true, 0; more; calls++ {
		if more, err = f.Remove(bg, frontierRun, 2); err != nil || calls > 20 {
			t.Fatalf("call %d: %v", calls, err)
		}
	}
	for _, id := range []wstk.RunID{frontierRun, runID(9)} { // it is gone, or never was
		if more, err := f.Remove(bg, id, 2); more || err != nil {
			t.Errorf("%s: %v, %v; want !more && err == nil", id, more, err)
		}
	}
	_, err = f.Get(bg, frontierRun, s.url(2))
	wantCode(t, "Get", err, wstk.NotFound)
	s.counts(t, f, wstk.Accounting{})
	s.waits(t, f, 10, 10)
	for id, want := range map[wstk.RunID]string{frontierRun: "", other.Run: "y"} {
		if v, err := f.Note(bg, id, "n"); err != nil || v != want {
			t.Errorf("the note of %s is %q, want %q: %v", id, v, want, err)
		}
	}
	if _, err := f.Get(bg, other.Run, other.URL); err != nil {
		t.Errorf("of another run: %v", err)
	}
	s.add(t, f, 1, s.found(2)) // it may come again
	s.counts(t, f, wstk.Accounting{Discovered: 1, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 1}})
	if owner, err := f.ClaimText(bg, frontierRun, hashOf("text"), s.url(2)); err != nil ||
		owner != s.url(2) {
		t.Errorf("the text is %s's: %v", owner, err)
	}
}

func (s frontierSuite) cancelledChangesNothing(t *testing.T, f wstk.Frontier) {
	_, err := f.Add(cancelled(), s.found(1))
	wantCode(t, "Add", err, wstk.Cancelled)
	s.counts(t, f, wstk.Accounting{})
	s.add(t, f, 1, s.found(1))
	s.did(t, "Queue", true)(f.Queue(bg, frontierRun, s.url(1), s.slot(1)))
	before := s.get(t, f, 1)
	_, err = f.Store(cancelled(), frontierRun, s.url(1), s.slot(1).Token, hashOf("d"))
	wantCode(t, "Store", err, wstk.Cancelled)
	_, err = f.Requeue(cancelled(), frontierRun, s.url(1), s.slot(1).Token, s.slot(2), true)
	wantCode(t, "Requeue", err, wstk.Cancelled)
	_, err = f.Start(cancelled(), frontierRun, s.url(1), s.slot(1).Token)
	wantCode(t, "Start", err, wstk.Cancelled)
	_, err = f.Postpone(cancelled(), frontierRun, s.url(1), s.slot(1).Token, day)
	wantCode(t, "Postpone", err, wstk.Cancelled)
	_, err = f.Unqueue(cancelled(), frontierRun, s.url(1), time.Now().Add(time.Hour), true)
	wantCode(t, "Unqueue", err, wstk.Cancelled)
	_, err = f.Close(cancelled(), frontierRun, s.url(1), frontierClosing)
	wantCode(t, "Close", err, wstk.Cancelled)
	_, err = f.SetNote(cancelled(), frontierRun, "k", "", "v")
	wantCode(t, "SetNote", err, wstk.Cancelled)
	wantSame(t, "the URL", s.get(t, f, 1), before)
	_, err = f.Queue(cancelled(), frontierRun, s.url(1), s.slot(1))
	wantCode(t, "Queue", err, wstk.Cancelled)
	_, err = f.Get(cancelled(), frontierRun, s.url(1))
	wantCode(t, "Get", err, wstk.Cancelled)
	_, err = f.Waiting(cancelled(), frontierRun, 1, 1)
	wantCode(t, "Waiting", err, wstk.Cancelled)
	_, err = f.ClaimText(cancelled(), frontierRun, hashOf("t"), s.url(1))
	wantCode(t, "ClaimText", err, wstk.Cancelled)
	_, err = f.Note(cancelled(), frontierRun, "k")
	wantCode(t, "Note", err, wstk.Cancelled)
	_, err = f.Notes(cancelled(), frontierRun, "k")
	wantCode(t, "Notes", err, wstk.Cancelled)
	_, err = f.Accounting(cancelled(), frontierRun)
	wantCode(t, "Accounting", err, wstk.Cancelled)
	_, err = f.States(cancelled(), frontierRun)
	wantCode(t, "States", err, wstk.Cancelled)
	_, _, err = f.List(cancelled(), frontierRun, "", "", 1)
	wantCode(t, "List", err, wstk.Cancelled)
}

func (s frontierSuite) manyAddTheSameAtOnce(t *testing.T, a, b wstk.Frontier) {
	var added atomic.Int32
	together(t, 12, func(i int) error {
		var us []wstk.FrontierURL
		for j := range 30 {
			us = append(us, s.found(j+i)) // overlapping windows
		}
		n, err := []wstk.Frontier{a, b}[i%2].Add(bg, us...)
		added.Add(int32(n))
		return err
	})
	if added.Load() != 41 {
		t.Errorf("%d were new in all, want 41", added.Load())
	}
	s.counts(t, a, wstk.Accounting{Discovered: 41, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 41}})
}

func (s frontierSuite) ofManyQueuesAndClosesOneCounts(t *testing.T, a, b wstk.Frontier) {
	s.add(t, a, 1, s.found(1))
	s.add(t, a, 1, s.found(2))
	var queued, closed, owners atomic.Int32
	together(t, 16, func(i int) error {
		f := []wstk.Frontier{a, b}[i%2]
		q, err := f.Queue(bg, frontierRun, s.url(1), s.slot(i))
		if err != nil {
			return err
		}
		if q {
			queued.Add(1)
		}
		c, err := f.Close(bg, frontierRun, s.url(2),
			wstk.Closing{Outcome: wstk.Outcomes()[i%10], Reason: "r"})
		if err != nil {
			return err
		}
		if c {
			closed.Add(1)
		}
		owner, err := f.ClaimText(bg, frontierRun, hashOf("t"), s.url(1+i%2))
		if owner == s.url(1) {
			owners.Add(1)
		}
		return err
	})
	if queued.Load() != 1 || closed.Load() != 1 {
		t.Errorf("%d queued it, %d closed it", queued.Load(), closed.Load())
	}
	if n := owners.Load(); n != 0 && n != 16 {
		t.Errorf("%d of 16 were told that the first URL owns the text", n)
	}
}

func (s frontierSuite) ofManyNotesOneIsKept(t *testing.T, a, b wstk.Frontier) {
	together(t, 8, func(i int) error { // each adds 1, as trap guards do
		f := []wstk.Frontier{a, b}[i%2]
		for {
			old, err := f.Note(bg, frontierRun, "n")
			if err != nil {
				return err
			}
			if ok, err := f.SetNote(bg, frontierRun, "n", old, old+"x"); ok || err != nil {
				return err
			}
		}
	})
	if v, err := b.Note(bg, frontierRun, "n"); err != nil || v != "xxxxxxxx" {
		t.Errorf("%q, %v; want err == nil && v == \"xxxxxxxx\"", v, err)
	}
}

func (s frontierSuite) accountingBalancesWhateverHappens(t *testing.T, a, b wstk.Frontier) {
	const n = 24
	together(t, 8, func(i int) error {
		f := []wstk.Frontier{a, b}[i%2]
		r := rand.New(rand.NewPCG(uint64(i), 1))
		for range 60 {
			j, k := r.IntN(n), r.IntN(3)
			var err error
			switch r.IntN(8) {
			case 0, 1:
				u := s.found(j)
				if k == 0 {
					u.Outcome = wstk.OutcomeOverDepth
				}
				_, err = f.Add(bg, u, s.found(r.IntN(n)))
			case 2:
				_, err = f.Queue(bg, frontierRun, s.url(j), s.slot(k))
			case 3:
				_, err = f.Requeue(bg, frontierRun, s.url(j), s.slot(k).Token, s.slot(k+1), true)
			case 4:
				_, err = f.Store(bg, frontierRun, s.url(j), s.slot(k).Token, hashOf("%d", j))
			case 5:
				_, err = f.Unqueue(bg, frontierRun, s.url(j), time.Now().Add(time.Hour), false)
			case 6:
				_, err = f.Postpone(bg, frontierRun, s.url(j), s.slot(k).Token, day)
			case 7:
				_, err = f.Close(bg, frontierRun, s.url(j),
					wstk.Closing{Outcome: wstk.Outcomes()[r.IntN(15)], Reason: "r"})
			}
			if err != nil && wstk.CodeOf(err) != wstk.NotFound {
				return err
			}
		}
		return nil
	})
	s.soon(t, func() error {
		all, err := pages(10, func(c string) ([]wstk.FrontierURL, string, error) {
			return b.List(bg, frontierRun, "", c, 10)
		})
		if err != nil {
			return err
		}
		want := wstk.Accounting{Discovered: len(all), By: map[wstk.Outcome]int{}}
		states := map[wstk.URLState]int{}
		for _, u := range all {
			want.By[u.Outcome]++
			states[u.State]++
			if (u.State == wstk.URLClosed) == (u.Outcome == wstk.OutcomeOpen) {
				return fmt.Errorf("%s is %s and %s", u.URL, u.State, u.Outcome)
			}
		}
		got, err := a.Accounting(bg, frontierRun)
		if err != nil {
			return err
		}
		if err := same("accounting", got, want); err != nil {
			return err
		}
		counted, err := a.States(bg, frontierRun)
		if err != nil {
			return err
		}
		for _, state := range []wstk.URLState{wstk.URLWaiting, wstk.URLQueued,
			wstk.URLStored, wstk.URLClosed} {
			if counted[state] != states[state] {
				return fmt.Errorf("%d are counted as %s, %d are", counted[state],
					state, states[state])
			}
		}
		waiting, err := a.Waiting(bg, frontierRun, n, 0)
		if err != nil {
			return err
		}
		var urls []string
		for _, u := range all {
			if u.State == wstk.URLWaiting {
				urls = append(urls, u.URL)
			}
		}
		got2 := s.order(waiting)
		slices.Sort(got2)
		return same("waiting", got2, append([]string{}, urls...))
	})
}
