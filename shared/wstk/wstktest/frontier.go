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
func Frontier(t *testing.T, open func(t *testing.T) wstk.Frontier, features ...Features[wstk.Frontier]) {
	s := newSuite(t, open, features)
	run := runID(1)
	const host = "https://a.example:443"
	found := func(i int) wstk.FrontierURL {
		return wstk.FrontierURL{Run: run, URL: fmt.Sprintf("https://a.example/%03d", i), Host: host, Depth: 1,
			Via: wstk.ViaLink, FoundOn: "https://a.example/", FoundAt: day.Add(time.Duration(i) * time.Millisecond)}
	}
	url := func(i int) string { return found(i).URL }
	add := func(t *testing.T, f wstk.Frontier, want int, urls ...wstk.FrontierURL) {
		t.Helper()
		n, err := f.Add(bg, urls...)
		must(t, err)
		if n != want {
			t.Errorf("Add says %d are new, want %d", n, want)
		}
	}
	get := func(t *testing.T, f wstk.Frontier, i int) wstk.FrontierURL {
		t.Helper()
		u, err := f.Get(bg, run, url(i))
		must(t, err)
		return u
	}
	// did fails the test unless a call said what was expected of it.
	did := func(t *testing.T, what string, want bool) func(bool, error) {
		return func(got bool, err error) {
			t.Helper()
			must(t, err)
			if got != want {
				t.Errorf("%s: %v, want %v", what, got, want)
			}
		}
	}
	slot := func(i int) wstk.Slot {
		return wstk.Slot{Token: fmt.Sprint("slot ", i), At: day.Add(time.Duration(i) * time.Second)}
	}
	closing := wstk.Closing{Outcome: wstk.OutcomeFetched, Reason: "200 OK"}
	order := func(us []wstk.FrontierURL) []string {
		return ids(us, func(u wstk.FrontierURL) string { return u.URL })
	}
	counts := func(t *testing.T, f wstk.Frontier, want wstk.Accounting) {
		t.Helper()
		s.soon(t, func() error {
			a, err := f.Accounting(bg, run)
			if err != nil {
				return err
			}
			if !a.Balanced() {
				return fmt.Errorf("the outcomes do not add up to what was discovered: %+v", a)
			}
			return same("accounting", a, want)
		})
	}
	waits := func(t *testing.T, f wstk.Frontier, limit, perHost int, want ...int) {
		t.Helper()
		s.soon(t, func() error {
			us, err := f.Waiting(bg, run, limit, perHost)
			if err != nil {
				return err
			}
			return same("waiting", order(us), ids(want, url))
		})
	}

	s.run("EveryFieldComesBack", func(t *testing.T, f wstk.Frontier) {
		u := found(1)
		u.Hops, u.LastMod, u.Depth = 2, day.Add(-time.Hour), 3
		add(t, f, 1, u)
		got := get(t, f, 1)
		want := u
		want.State, want.Outcome, want.ChangedAt = wstk.URLWaiting, wstk.OutcomeOpen, got.ChangedAt
		wantSame(t, "added", got, want)
		if got.ChangedAt.IsZero() {
			t.Error("no changed_at")
		}

		did(t, "Queue", true)(f.Queue(bg, run, u.URL, slot(7)))
		got = get(t, f, 1)
		want.State, want.Slot, want.NotBefore, want.ChangedAt = wstk.URLQueued, slot(7).Token, slot(7).At, got.ChangedAt
		wantSame(t, "queued", got, want)

		did(t, "Store", true)(f.Store(bg, run, u.URL, slot(7).Token, hashOf("doc")))
		got = get(t, f, 1)
		want.State, want.Document, want.ChangedAt = wstk.URLStored, hashOf("doc"), got.ChangedAt
		want.Slot, want.NotBefore = got.Slot, got.NotBefore // of no use any more
		wantSame(t, "stored", got, want)

		did(t, "Close", true)(f.Close(bg, run, u.URL, wstk.Closing{Outcome: wstk.OutcomeRedirected, Reason: "301", Target: "https://b.example/"}))
		got = get(t, f, 1)
		want.State, want.Document, want.ChangedAt = wstk.URLClosed, got.Document, got.ChangedAt
		want.Outcome, want.Reason, want.Target = wstk.OutcomeRedirected, "301", "https://b.example/"
		wantSame(t, "closed", got, want)
	})

	s.run("AddIgnoresWhereACallerSaysItStands", func(t *testing.T, f wstk.Frontier) {
		u := found(1)
		u.State, u.Slot, u.NotBefore, u.Attempts, u.Document = wstk.URLStored, "x", day, 4, hashOf("x")
		add(t, f, 1, u)
		got := get(t, f, 1)
		if got.State != wstk.URLWaiting || got.Slot != "" || !got.NotBefore.IsZero() || got.Attempts != 0 || got.Document != "" {
			t.Errorf("%+v", got)
		}
	})

	s.run("AddTwiceCountsOnce", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 2, found(1), found(2), found(1))
		again := found(1)
		again.Depth, again.Outcome = 9, wstk.OutcomeTrap
		add(t, f, 1, again, found(3))
		add(t, f, 0)
		if got := get(t, f, 1); got.Depth != 1 || got.State != wstk.URLWaiting {
			t.Errorf("a known URL was changed: %+v", got)
		}
		counts(t, f, wstk.Accounting{Discovered: 3, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 3}})
	})

	s.run("AddWithAnOutcomeClosesAtOnce", func(t *testing.T, f wstk.Frontier) {
		a, b := found(1), found(2)
		a.Outcome, a.Reason = wstk.OutcomeOutOfScope, "another host"
		b.Outcome = wstk.OutcomeOpen
		add(t, f, 2, a, b)
		if got := get(t, f, 1); got.State != wstk.URLClosed || got.Outcome != wstk.OutcomeOutOfScope || got.Reason != "another host" {
			t.Errorf("%+v", got)
		}
		waits(t, f, 10, 10, 2)
		counts(t, f, wstk.Accounting{Discovered: 2, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 1, wstk.OutcomeOutOfScope: 1}})
	})

	s.run("WhatAnEarlierRunClosedIsKnownAndNotCounted", func(t *testing.T, f wstk.Frontier) {
		earlier := found(1)
		earlier.Via, earlier.Outcome, earlier.Reason, earlier.Target = wstk.ViaEarlier, wstk.OutcomeRedirected, "to 2", url(2)
		add(t, f, 2, earlier, found(2))
		add(t, f, 0, found(1))
		if got := get(t, f, 1); got.State != wstk.URLClosed || got.Outcome != wstk.OutcomeRedirected || got.Target != url(2) || got.Via != wstk.ViaEarlier {
			t.Errorf("%+v", got)
		}
		did(t, "Close", false)(f.Close(bg, run, url(1), closing))
		counts(t, f, wstk.Accounting{Discovered: 1, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 1}})
		s.soon(t, func() error {
			states, err := f.States(bg, run)
			if err != nil {
				return err
			}
			return same("closed", states[wstk.URLClosed], 0)
		})
		waits(t, f, 10, 10, 2)
	})

	s.run("AddRefusesWhatMakesNoSense", func(t *testing.T, f wstk.Frontier) {
		for _, bad := range []wstk.FrontierURL{{Run: run}, {URL: url(1)}, {Run: run, URL: url(1), Outcome: "lost"},
			{Run: run, URL: url(1), Via: wstk.ViaEarlier}} {
			_, err := f.Add(bg, bad)
			wantCode(t, fmt.Sprintf("%+v", bad), err, wstk.Invalid)
		}
		counts(t, f, wstk.Accounting{})
	})

	s.run("AddOfManyKeepsAll", func(t *testing.T, f wstk.Frontier) {
		var us []wstk.FrontierURL
		for i := range 500 {
			us = append(us, found(i))
		}
		add(t, f, 500, us...)
		add(t, f, 0, us[200:300]...)
		counts(t, f, wstk.Accounting{Discovered: 500, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 500}})
	})

	s.run("RunsAreApart", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 1, found(1))
		other := found(1)
		other.Run = runID(2)
		add(t, f, 1, other)
		did(t, "Close", true)(f.Close(bg, other.Run, other.URL, closing))
		did(t, "SetNote", true)(f.SetNote(bg, other.Run, "k", "", "v"))
		if got := get(t, f, 1); got.State != wstk.URLWaiting {
			t.Errorf("closed in another run: %+v", got)
		}
		if v, err := f.Note(bg, run, "k"); err != nil || v != "" {
			t.Errorf("noted in another run: %q, %v", v, err)
		}
		counts(t, f, wstk.Accounting{Discovered: 1, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 1}})
	})

	s.run("WhatWasNeverAddedIsNotFound", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 1, found(1))
		for _, r := range []wstk.RunID{run, runID(2)} {
			_, err := f.Get(bg, r, url(2))
			wantCode(t, "Get", err, wstk.NotFound)
			_, err = f.Queue(bg, r, url(2), slot(1))
			wantCode(t, "Queue", err, wstk.NotFound)
			_, err = f.Requeue(bg, r, url(2), "a", slot(1), false)
			wantCode(t, "Requeue", err, wstk.NotFound)
			_, err = f.Postpone(bg, r, url(2), "a", day)
			wantCode(t, "Postpone", err, wstk.NotFound)
			_, err = f.Unqueue(bg, r, url(2), day, false)
			wantCode(t, "Unqueue", err, wstk.NotFound)
			_, err = f.Store(bg, r, url(2), "a", hashOf("d"))
			wantCode(t, "Store", err, wstk.NotFound)
			_, err = f.Close(bg, r, url(2), closing)
			wantCode(t, "Close", err, wstk.NotFound)
			_, err = f.ClaimText(bg, r, hashOf("t"), url(2))
			wantCode(t, "ClaimText", err, wstk.NotFound)
		}
		counts(t, f, wstk.Accounting{Discovered: 1, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 1}})
	})

	s.run("WaitingIsShallowFirstThenAsFound", func(t *testing.T, f wstk.Frontier) {
		for i, depth := range []int{2, 0, 1, 2, 1, 0, 12} {
			u := found(i)
			u.Depth = depth
			add(t, f, 1, u)
		}
		waits(t, f, 100, 100, 1, 5, 2, 4, 0, 3, 6)
		waits(t, f, 3, 100, 1, 5, 2)
	})

	s.run("WaitingTakesAFewOfEachHost", func(t *testing.T, f wstk.Frontier) {
		for i := range 12 {
			u := found(i)
			if i >= 8 {
				u.Host, u.Depth = fmt.Sprintf("https://%d.example:443", i%2), 2
			}
			add(t, f, 1, u)
		}
		waits(t, f, 100, 3, 0, 1, 2, 8, 9, 10, 11)
		waits(t, f, 100, 1, 0, 8, 9)
		waits(t, f, 4, 3, 0, 1, 2, 8)
		waits(t, f, 100, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	})

	s.run("WaitingOfManyHostsKeepsItsOrder", func(t *testing.T, f wstk.Frontier) {
		r := rand.New(rand.NewPCG(5, 5))
		var us []wstk.FrontierURL
		for i := range 80 {
			u := found(i)
			u.Host, u.Depth = fmt.Sprintf("https://%d.example:443", r.IntN(9)), r.IntN(4)
			us = append(us, u)
		}
		add(t, f, 80, us...)
		slices.SortStableFunc(us, func(a, b wstk.FrontierURL) int { return a.Depth - b.Depth })
		for _, limits := range [][2]int{{80, 80}, {100, 2}, {5, 1}, {5, 3}, {12, 2}, {20, 20}, {3, 80}} {
			var want []string
			hosts := map[string]int{}
			for _, u := range us {
				if hosts[u.Host]++; hosts[u.Host] <= limits[1] && len(want) < limits[0] {
					want = append(want, u.URL)
				}
			}
			s.soon(t, func() error {
				got, err := f.Waiting(bg, run, limits[0], limits[1])
				if err != nil {
					return err
				}
				return same(fmt.Sprintf("at most %d, %d of a host", limits[0], limits[1]), order(got), want)
			})
		}
	})

	s.run("PostponedOnesWaitLast", func(t *testing.T, f wstk.Frontier) {
		for i := range 5 {
			u := found(i)
			u.Depth = 5 - i
			add(t, f, 1, u)
			if i >= 2 {
				did(t, "Queue", true)(f.Queue(bg, run, url(i), slot(i)))
				did(t, "Postpone", true)(f.Postpone(bg, run, url(i), slot(i).Token, day.Add(time.Duration(i*7%5)*time.Hour)))
			}
		}
		waits(t, f, 100, 100, 1, 0, 3, 4, 2) // 3 at +1 h, 4 at +3 h, 2 at +4 h
		waits(t, f, 100, 3, 1, 0, 3)
		waits(t, f, 1, 100, 1)
	})

	s.run("PostponeWantsItsSlot", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 1, found(1))
		did(t, "Postpone of a waiting URL", false)(f.Postpone(bg, run, url(1), "", day))
		did(t, "Queue", true)(f.Queue(bg, run, url(1), slot(1)))
		did(t, "Postpone with another slot", false)(f.Postpone(bg, run, url(1), slot(2).Token, day))
		until := day.Add(time.Hour)
		did(t, "Postpone", true)(f.Postpone(bg, run, url(1), slot(1).Token, until))
		did(t, "Postpone again", false)(f.Postpone(bg, run, url(1), slot(1).Token, day))
		got := get(t, f, 1)
		if got.State != wstk.URLWaiting || got.Slot != "" || !got.NotBefore.Equal(until) || got.Attempts != 0 {
			t.Errorf("%+v", got)
		}
		did(t, "Queue", true)(f.Queue(bg, run, url(1), slot(3)))
	})

	s.run("QueueMovesAWaitingURLOnce", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 2, found(1), found(2))
		did(t, "Queue", true)(f.Queue(bg, run, url(1), slot(1)))
		did(t, "Queue of a queued URL", false)(f.Queue(bg, run, url(1), slot(2)))
		if got := get(t, f, 1); got.Slot != slot(1).Token || got.Attempts != 0 {
			t.Errorf("%+v", got)
		}
		waits(t, f, 10, 10, 2)
		did(t, "Close", true)(f.Close(bg, run, url(1), closing))
		did(t, "Queue of a closed URL", false)(f.Queue(bg, run, url(1), slot(3)))
	})

	s.run("StartCountsAnAttemptOfItsSlot", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 1, found(1))
		did(t, "Start of a waiting URL", false)(f.Start(bg, run, url(1), ""))
		did(t, "Queue", true)(f.Queue(bg, run, url(1), slot(1)))
		did(t, "Start with another slot", false)(f.Start(bg, run, url(1), slot(2).Token))
		did(t, "Start", true)(f.Start(bg, run, url(1), slot(1).Token))
		did(t, "Start again, of a message that came twice", true)(f.Start(bg, run, url(1), slot(1).Token))
		if got := get(t, f, 1); got.State != wstk.URLQueued || got.Slot != slot(1).Token || !got.NotBefore.Equal(slot(1).At) || got.Attempts != 2 {
			t.Errorf("%+v", got)
		}
		did(t, "Postpone", true)(f.Postpone(bg, run, url(1), slot(1).Token, day))
		did(t, "Queue", true)(f.Queue(bg, run, url(1), slot(3)))
		if got := get(t, f, 1); got.Attempts != 2 {
			t.Errorf("waiting counted: %+v", got)
		}
		did(t, "Store", true)(f.Store(bg, run, url(1), slot(3).Token, hashOf("d")))
		did(t, "Start of a stored URL", false)(f.Start(bg, run, url(1), slot(3).Token))
		_, err := f.Start(bg, run, url(9), slot(1).Token)
		wantCode(t, "Start of an unknown URL", err, wstk.NotFound)
	})

	s.run("RequeueWantsTheOldSlot", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 1, found(1))
		did(t, "Requeue of a waiting URL", false)(f.Requeue(bg, run, url(1), "", slot(2), true))
		did(t, "Queue", true)(f.Queue(bg, run, url(1), slot(1)))
		did(t, "Requeue with another slot", false)(f.Requeue(bg, run, url(1), slot(5).Token, slot(2), true))
		did(t, "Requeue", true)(f.Requeue(bg, run, url(1), slot(1).Token, slot(2), false))
		if got := get(t, f, 1); got.Slot != slot(2).Token || !got.NotBefore.Equal(slot(2).At) || got.Attempts != 0 || got.State != wstk.URLQueued {
			t.Errorf("%+v", got)
		}
		did(t, "Requeue with the slot before", false)(f.Requeue(bg, run, url(1), slot(1).Token, slot(3), true))
		did(t, "Requeue, counted", true)(f.Requeue(bg, run, url(1), slot(2).Token, slot(3), true))
		if got := get(t, f, 1); got.Attempts != 1 {
			t.Errorf("%d attempts, want 1", got.Attempts)
		}
	})

	s.run("StoreWantsItsSlot", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 1, found(1))
		did(t, "Store of a waiting URL", false)(f.Store(bg, run, url(1), "", hashOf("d")))
		did(t, "Queue", true)(f.Queue(bg, run, url(1), slot(1)))
		did(t, "Store with another slot", false)(f.Store(bg, run, url(1), slot(2).Token, hashOf("d")))
		did(t, "Store", true)(f.Store(bg, run, url(1), slot(1).Token, hashOf("d")))
		did(t, "Store again", false)(f.Store(bg, run, url(1), slot(1).Token, hashOf("other")))
		if got := get(t, f, 1); got.State != wstk.URLStored || got.Document != hashOf("d") {
			t.Errorf("%+v", got)
		}
		did(t, "Requeue of a stored URL", false)(f.Requeue(bg, run, url(1), slot(1).Token, slot(2), true))
		did(t, "Postpone of a stored URL", false)(f.Postpone(bg, run, url(1), slot(1).Token, day))
	})

	s.run("UnqueueReturnsWhatStoodStill", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 4, found(1), found(2), found(3), found(4))
		for i := 1; i <= 3; i++ {
			did(t, "Queue", true)(f.Queue(bg, run, url(i), slot(i)))
		}
		did(t, "Store", true)(f.Store(bg, run, url(2), slot(2).Token, hashOf("d")))
		did(t, "Close", true)(f.Close(bg, run, url(3), closing))
		past, future := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
		did(t, "a URL that changed since", false)(f.Unqueue(bg, run, url(1), past, true))
		did(t, "a queued URL", true)(f.Unqueue(bg, run, url(1), future, true))
		did(t, "a stored URL", true)(f.Unqueue(bg, run, url(2), future, false))
		did(t, "a closed URL", false)(f.Unqueue(bg, run, url(3), future, true))
		did(t, "a waiting URL", false)(f.Unqueue(bg, run, url(4), future, true))
		did(t, "the same again", false)(f.Unqueue(bg, run, url(1), future, true))
		for i, attempts := range map[int]int{1: 1, 2: 0, 4: 0} {
			if got := get(t, f, i); got.State != wstk.URLWaiting || got.Slot != "" || !got.NotBefore.IsZero() || got.Document != "" || got.Attempts != attempts {
				t.Errorf("%+v", got)
			}
		}
		waits(t, f, 10, 10, 1, 2, 4)
		did(t, "Store with the slot of before", false)(f.Store(bg, run, url(1), slot(1).Token, hashOf("late")))
	})

	s.run("EveryChangeIsTimed", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 1, found(1))
		last := get(t, f, 1).ChangedAt
		for _, step := range []func() (bool, error){
			func() (bool, error) { return f.Queue(bg, run, url(1), slot(1)) },
			func() (bool, error) { return f.Requeue(bg, run, url(1), slot(1).Token, slot(2), false) },
			func() (bool, error) { return f.Store(bg, run, url(1), slot(2).Token, hashOf("d")) },
			func() (bool, error) { return f.Unqueue(bg, run, url(1), time.Now().Add(time.Hour), true) },
			func() (bool, error) { return f.Close(bg, run, url(1), closing) },
		} {
			time.Sleep(3 * time.Millisecond)
			did(t, "step", true)(step())
			got := get(t, f, 1)
			if !got.ChangedAt.After(last) {
				t.Errorf("%s: changed_at %s, before %s", got.State, got.ChangedAt, last)
			}
			last = got.ChangedAt
		}
	})

	s.run("CloseTwiceCountsOnce", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 2, found(1), found(2))
		did(t, "Close", true)(f.Close(bg, run, url(1), closing))
		did(t, "Close again", false)(f.Close(bg, run, url(1), wstk.Closing{Outcome: wstk.OutcomeFailed, Reason: "late"}))
		if got := get(t, f, 1); got.Outcome != wstk.OutcomeFetched || got.Reason != "200 OK" {
			t.Errorf("%+v", got)
		}
		counts(t, f, wstk.Accounting{Discovered: 2, By: map[wstk.Outcome]int{wstk.OutcomeFetched: 1, wstk.OutcomeOpen: 1}})
	})

	s.run("EveryOutcomeCanClose", func(t *testing.T, f wstk.Frontier) {
		want := wstk.Accounting{By: map[wstk.Outcome]int{}}
		for i, o := range wstk.Outcomes() {
			if o == wstk.OutcomeOpen {
				continue
			}
			add(t, f, 1, found(i))
			did(t, string(o), true)(f.Close(bg, run, url(i), wstk.Closing{Outcome: o, Reason: "why"}))
			want.Discovered++
			want.By[o] = 1
		}
		counts(t, f, want)
	})

	s.run("CloseNeedsAnOutcome", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 1, found(1))
		for _, o := range []wstk.Outcome{"", wstk.OutcomeOpen, "lost"} {
			_, err := f.Close(bg, run, url(1), wstk.Closing{Outcome: o})
			wantCode(t, "Close as "+string(o), err, wstk.Invalid)
		}
		if got := get(t, f, 1); got.State != wstk.URLWaiting {
			t.Errorf("%+v", got)
		}
	})

	s.run("TheFirstToClaimATextOwnsIt", func(t *testing.T, f wstk.Frontier) {
		add(t, f, 2, found(1), found(2))
		other := found(1)
		other.Run = runID(2)
		add(t, f, 1, other)
		for _, c := range []struct {
			run       wstk.RunID
			i         int
			text      string
			wantOwner int
		}{{run, 1, "t", 1}, {run, 2, "t", 1}, {run, 1, "t", 1}, {run, 2, "u", 2}, {runID(2), 1, "u", 1}} {
			owner, err := f.ClaimText(bg, c.run, hashOf("%s", c.text), url(c.i))
			must(t, err)
			if owner != url(c.wantOwner) {
				t.Errorf("%+v: owner is %s", c, owner)
			}
		}
	})

	s.run("NotesChangeFromWhatTheyWere", func(t *testing.T, f wstk.Frontier) {
		note := func(want string) {
			t.Helper()
			if v, err := f.Note(bg, run, "trap /a"); err != nil || v != want {
				t.Errorf("note is %q, %v, want %q", v, err, want)
			}
		}
		note("")
		did(t, "over nothing, from something", false)(f.SetNote(bg, run, "trap /a", "x", "1"))
		did(t, "over nothing", true)(f.SetNote(bg, run, "trap /a", "", "1"))
		note("1")
		did(t, "over something, from nothing", false)(f.SetNote(bg, run, "trap /a", "", "2"))
		did(t, "over something else", false)(f.SetNote(bg, run, "trap /a", "0", "2"))
		did(t, "over what it was", true)(f.SetNote(bg, run, "trap /a", "1", "2 ü"))
		note("2 ü")
		if v, err := f.Note(bg, run, "trap /b"); err != nil || v != "" {
			t.Errorf("another key: %q, %v", v, err)
		}
		did(t, "removal", true)(f.SetNote(bg, run, "trap /a", "2 ü", ""))
		note("")
		did(t, "nothing over nothing", true)(f.SetNote(bg, run, "trap /a", "", ""))
		counts(t, f, wstk.Accounting{})
	})

	s.run("NotesAreFoundByPrefix", func(t *testing.T, f wstk.Frontier) {
		want := map[string]string{}
		for i := range 30 {
			key := fmt.Sprintf("hold/%02d", i)
			want[key] = fmt.Sprint("value ", i)
			did(t, "SetNote", true)(f.SetNote(bg, run, key, "", want[key]))
		}
		for _, key := range []string{"hold", "hold/", "hole/1", "holc/1", "held/1", "trap /a"} {
			did(t, "SetNote", true)(f.SetNote(bg, run, key, "", "another"))
		}
		did(t, "SetNote of another run", true)(f.SetNote(bg, wstk.NewRunID(day, nil), "hold/x", "", "of another run"))
		did(t, "removal", true)(f.SetNote(bg, run, "hold/07", want["hold/07"], ""))
		delete(want, "hold/07")
		got, err := f.Notes(bg, run, "hold/")
		must(t, err)
		wantSame(t, "notes", got, want)
		got, err = f.Notes(bg, run, "nothing/")
		must(t, err)
		wantSame(t, "notes of no such prefix", len(got), 0)
		got, err = f.Notes(bg, wstk.NewRunID(day, nil), "hold/")
		must(t, err)
		wantSame(t, "notes of an unknown run", len(got), 0)
		_, err = f.Notes(bg, run, "ü")
		wantCode(t, "a prefix that is no key", err, wstk.Invalid)
	})

	s.run("NotesAreBounded", func(t *testing.T, f wstk.Frontier) {
		long := strings.Repeat("x", 64<<10)
		did(t, "64 KiB under 100 bytes", true)(f.SetNote(bg, run, long[:100], "", long))
		_, err := f.SetNote(bg, run, "k", "", long+"x")
		wantCode(t, "more than 64 KiB", err, wstk.TooLarge)
		for _, key := range []string{"", long[:101], "ü"} {
			_, err := f.SetNote(bg, run, key, "", "v")
			wantCode(t, fmt.Sprintf("SetNote of a key of %d bytes", len(key)), err, wstk.Invalid)
			_, err = f.Note(bg, run, key)
			wantCode(t, fmt.Sprintf("Note of a key of %d bytes", len(key)), err, wstk.Invalid)
		}
	})

	s.run("AnUnknownRunHasZeros", func(t *testing.T, f wstk.Frontier) {
		counts(t, f, wstk.Accounting{})
		states, err := f.States(bg, run)
		must(t, err)
		for state, n := range states {
			if n != 0 {
				t.Errorf("%d are %s", n, state)
			}
		}
		waits(t, f, 10, 10)
		us, next, err := f.List(bg, run, "", "", 10)
		if err != nil || len(us) != 0 || next != "" {
			t.Errorf("%v, %q, %v", us, next, err)
		}
	})

	// fill leaves 10 URLs: 0–2 waiting, 3–5 queued, 6 and 7 stored, 8 and 9 closed.
	fill := func(t *testing.T, f wstk.Frontier) {
		for _, i := range []int{7, 2, 9, 0, 5, 4, 8, 1, 6, 3} {
			add(t, f, 1, found(i))
			if i >= 3 {
				did(t, "Queue", true)(f.Queue(bg, run, url(i), slot(i)))
			}
			if i >= 6 {
				did(t, "Store", true)(f.Store(bg, run, url(i), slot(i).Token, hashOf("d")))
			}
			if i >= 8 {
				did(t, "Close", true)(f.Close(bg, run, url(i), closing))
			}
		}
	}

	s.run("StatesAreCounted", func(t *testing.T, f wstk.Frontier) {
		fill(t, f)
		s.soon(t, func() error {
			got, err := f.States(bg, run)
			if err != nil {
				return err
			}
			return same("states", [4]int{got[wstk.URLWaiting], got[wstk.URLQueued], got[wstk.URLStored], got[wstk.URLClosed]}, [4]int{3, 3, 2, 2})
		})
	})

	s.run("ListIsInOrderOfURL", func(t *testing.T, f wstk.Frontier) {
		fill(t, f)
		for state, want := range map[wstk.URLState][]int{"": {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, wstk.URLWaiting: {0, 1, 2},
			wstk.URLQueued: {3, 4, 5}, wstk.URLStored: {6, 7}, wstk.URLClosed: {8, 9}} {
			for _, limit := range []int{1, 2, 3, 10} {
				s.soon(t, func() error {
					all, err := pages(limit, func(c string) ([]wstk.FrontierURL, string, error) { return f.List(bg, run, state, c, limit) })
					if err != nil {
						return err
					}
					return same("URLs that are "+string(state), order(all), ids(want, url))
				})
			}
		}
	})

	s.run("RemoveForgetsARun", func(t *testing.T, f wstk.Frontier) {
		closed := found(1)
		closed.Outcome = wstk.OutcomeOutOfScope
		add(t, f, 6, closed, found(2), found(3), found(4), found(5), found(6))
		did(t, "Queue", true)(f.Queue(bg, run, url(3), slot(3)))
		did(t, "Queue", true)(f.Queue(bg, run, url(4), slot(4)))
		did(t, "Store", true)(f.Store(bg, run, url(4), slot(4).Token, hashOf("doc")))
		if _, err := f.ClaimText(bg, run, hashOf("text"), url(4)); err != nil {
			t.Fatal(err)
		}
		did(t, "SetNote", true)(f.SetNote(bg, run, "n", "", "x"))
		other := found(1)
		other.Run = runID(2)
		add(t, f, 1, other)
		did(t, "SetNote", true)(f.SetNote(bg, other.Run, "n", "", "y"))

		_, err := f.Remove(cancelled(), run, 2)
		wantCode(t, "Remove", err, wstk.Cancelled)
		for more, calls := true, 0; more; calls++ {
			if more, err = f.Remove(bg, run, 2); err != nil || calls > 20 {
				t.Fatalf("call %d: %v", calls, err)
			}
		}
		for _, id := range []wstk.RunID{run, runID(9)} { // it is gone, or never was
			if more, err := f.Remove(bg, id, 2); more || err != nil {
				t.Errorf("%s: %v, %v", id, more, err)
			}
		}
		_, err = f.Get(bg, run, url(2))
		wantCode(t, "Get", err, wstk.NotFound)
		counts(t, f, wstk.Accounting{})
		waits(t, f, 10, 10)
		for id, want := range map[wstk.RunID]string{run: "", other.Run: "y"} {
			if v, err := f.Note(bg, id, "n"); err != nil || v != want {
				t.Errorf("the note of %s is %q, want %q: %v", id, v, want, err)
			}
		}
		if _, err := f.Get(bg, other.Run, other.URL); err != nil {
			t.Errorf("of another run: %v", err)
		}
		add(t, f, 1, found(2)) // it may come again
		counts(t, f, wstk.Accounting{Discovered: 1, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 1}})
		if owner, err := f.ClaimText(bg, run, hashOf("text"), url(2)); err != nil || owner != url(2) {
			t.Errorf("the text is %s's: %v", owner, err)
		}
	})

	s.run("CancelledChangesNothing", func(t *testing.T, f wstk.Frontier) {
		_, err := f.Add(cancelled(), found(1))
		wantCode(t, "Add", err, wstk.Cancelled)
		counts(t, f, wstk.Accounting{})
		add(t, f, 1, found(1))
		did(t, "Queue", true)(f.Queue(bg, run, url(1), slot(1)))
		before := get(t, f, 1)
		_, err = f.Store(cancelled(), run, url(1), slot(1).Token, hashOf("d"))
		wantCode(t, "Store", err, wstk.Cancelled)
		_, err = f.Requeue(cancelled(), run, url(1), slot(1).Token, slot(2), true)
		wantCode(t, "Requeue", err, wstk.Cancelled)
		_, err = f.Start(cancelled(), run, url(1), slot(1).Token)
		wantCode(t, "Start", err, wstk.Cancelled)
		_, err = f.Postpone(cancelled(), run, url(1), slot(1).Token, day)
		wantCode(t, "Postpone", err, wstk.Cancelled)
		_, err = f.Unqueue(cancelled(), run, url(1), time.Now().Add(time.Hour), true)
		wantCode(t, "Unqueue", err, wstk.Cancelled)
		_, err = f.Close(cancelled(), run, url(1), closing)
		wantCode(t, "Close", err, wstk.Cancelled)
		_, err = f.SetNote(cancelled(), run, "k", "", "v")
		wantCode(t, "SetNote", err, wstk.Cancelled)
		wantSame(t, "the URL", get(t, f, 1), before)
		_, err = f.Queue(cancelled(), run, url(1), slot(1))
		wantCode(t, "Queue", err, wstk.Cancelled)
		_, err = f.Get(cancelled(), run, url(1))
		wantCode(t, "Get", err, wstk.Cancelled)
		_, err = f.Waiting(cancelled(), run, 1, 1)
		wantCode(t, "Waiting", err, wstk.Cancelled)
		_, err = f.ClaimText(cancelled(), run, hashOf("t"), url(1))
		wantCode(t, "ClaimText", err, wstk.Cancelled)
		_, err = f.Note(cancelled(), run, "k")
		wantCode(t, "Note", err, wstk.Cancelled)
		_, err = f.Notes(cancelled(), run, "k")
		wantCode(t, "Notes", err, wstk.Cancelled)
		_, err = f.Accounting(cancelled(), run)
		wantCode(t, "Accounting", err, wstk.Cancelled)
		_, err = f.States(cancelled(), run)
		wantCode(t, "States", err, wstk.Cancelled)
		_, _, err = f.List(cancelled(), run, "", "", 1)
		wantCode(t, "List", err, wstk.Cancelled)
	})

	s.pair("ManyAddTheSameAtOnce", func(t *testing.T, a, b wstk.Frontier) {
		var added atomic.Int32
		together(t, 12, func(i int) error {
			var us []wstk.FrontierURL
			for j := range 30 {
				us = append(us, found(j+i)) // overlapping windows
			}
			n, err := []wstk.Frontier{a, b}[i%2].Add(bg, us...)
			added.Add(int32(n))
			return err
		})
		if added.Load() != 41 {
			t.Errorf("%d were new in all, want 41", added.Load())
		}
		counts(t, a, wstk.Accounting{Discovered: 41, By: map[wstk.Outcome]int{wstk.OutcomeOpen: 41}})
	})

	s.pair("OfManyQueuesAndClosesOneCounts", func(t *testing.T, a, b wstk.Frontier) {
		add(t, a, 1, found(1))
		add(t, a, 1, found(2))
		var queued, closed, owners atomic.Int32
		together(t, 16, func(i int) error {
			f := []wstk.Frontier{a, b}[i%2]
			q, err := f.Queue(bg, run, url(1), slot(i))
			if err != nil {
				return err
			}
			if q {
				queued.Add(1)
			}
			c, err := f.Close(bg, run, url(2), wstk.Closing{Outcome: wstk.Outcomes()[i%10], Reason: "r"})
			if err != nil {
				return err
			}
			if c {
				closed.Add(1)
			}
			owner, err := f.ClaimText(bg, run, hashOf("t"), url(1+i%2))
			if owner == url(1) {
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
	})

	s.pair("OfManyNotesOneIsKept", func(t *testing.T, a, b wstk.Frontier) {
		together(t, 8, func(i int) error { // each adds 1, as trap guards do
			f := []wstk.Frontier{a, b}[i%2]
			for {
				old, err := f.Note(bg, run, "n")
				if err != nil {
					return err
				}
				if ok, err := f.SetNote(bg, run, "n", old, old+"x"); ok || err != nil {
					return err
				}
			}
		})
		if v, err := b.Note(bg, run, "n"); err != nil || v != "xxxxxxxx" {
			t.Errorf("%q, %v", v, err)
		}
	})

	s.pair("AccountingBalancesWhateverHappens", func(t *testing.T, a, b wstk.Frontier) {
		const n = 24
		together(t, 8, func(i int) error {
			f := []wstk.Frontier{a, b}[i%2]
			r := rand.New(rand.NewPCG(uint64(i), 1))
			for range 60 {
				j, k := r.IntN(n), r.IntN(3)
				var err error
				switch r.IntN(8) {
				case 0, 1:
					u := found(j)
					if k == 0 {
						u.Outcome = wstk.OutcomeOverDepth
					}
					_, err = f.Add(bg, u, found(r.IntN(n)))
				case 2:
					_, err = f.Queue(bg, run, url(j), slot(k))
				case 3:
					_, err = f.Requeue(bg, run, url(j), slot(k).Token, slot(k+1), true)
				case 4:
					_, err = f.Store(bg, run, url(j), slot(k).Token, hashOf("%d", j))
				case 5:
					_, err = f.Unqueue(bg, run, url(j), time.Now().Add(time.Hour), false)
				case 6:
					_, err = f.Postpone(bg, run, url(j), slot(k).Token, day)
				case 7:
					_, err = f.Close(bg, run, url(j), wstk.Closing{Outcome: wstk.Outcomes()[r.IntN(15)], Reason: "r"})
				}
				if err != nil && wstk.CodeOf(err) != wstk.NotFound {
					return err
				}
			}
			return nil
		})
		s.soon(t, func() error {
			all, err := pages(10, func(c string) ([]wstk.FrontierURL, string, error) { return b.List(bg, run, "", c, 10) })
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
			got, err := a.Accounting(bg, run)
			if err != nil {
				return err
			}
			if err := same("accounting", got, want); err != nil {
				return err
			}
			counted, err := a.States(bg, run)
			if err != nil {
				return err
			}
			for _, state := range []wstk.URLState{wstk.URLWaiting, wstk.URLQueued, wstk.URLStored, wstk.URLClosed} {
				if counted[state] != states[state] {
					return fmt.Errorf("%d are counted as %s, %d are", counted[state], state, states[state])
				}
			}
			waiting, err := a.Waiting(bg, run, n, 0)
			if err != nil {
				return err
			}
			var urls []string
			for _, u := range all {
				if u.State == wstk.URLWaiting {
					urls = append(urls, u.URL)
				}
			}
			got2 := order(waiting)
			slices.Sort(got2)
			return same("waiting", got2, append([]string{}, urls...))
		})
	})
}
