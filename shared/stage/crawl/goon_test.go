package crawl

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// goOn begins a run that goes on with the one that ended.
func (s *sim) goOn(maxPages int) {
	ctx := context.Background()
	earlier := s.run
	o := *earlier.Options
	o.MaxPages = maxPages
	s.clock.sleep(ctx, time.Hour)
	s.run = wstk.Run{ID: wstk.NewRunID(s.clock.now(), nil), Kind: wstk.RunIngest,
		State: wstk.RunRunning, Site: s.site.ID,
		Options: &o, Continues: earlier.ID, StartedAt: s.clock.now()}
	s.check(s.m.Runs.Create(ctx, s.run))
	s.queue, s.steps = nil, 0
	s.start()
}

// goingOn is a site of 12 pages whose root is reached through a redirect: each page has
// links to all others, one is a copy, one is too large at first and one is not there.
func goingOn(t *testing.T, maxPages int) *sim {
	c := newClock()
	w := newWorld(c)
	w.sites["http://h.test/"] = &site{kind: "redirect", target: "http://h.test/p00"}
	var links []string
	for i := range 12 {
		links = append(links, fmt.Sprintf("http://h.test/p%02d", i))
	}
	links = append(links, "http://h.test/", "http://h.test/gone", "http://elsewhere.test/")
	for i, l := range links[:12] {
		w.sites[l] = &site{kind: "page", words: prose(i, 30), links: links}
	}
	w.sites[links[11]].words = prose(2, 30) // as p02
	w.sites[links[1]].kind = "too_large"    // at first
	return newSim(t, c, w, "http://h.test/", wstk.CrawlOptions{MaxPages: maxPages, MaxDepth: 3}, Limits{})
}

// A crawl that goes on takes the pages that were left, each within its own budget, until
// none is left. What an earlier one had is neither asked for again nor counted again.
func TestACrawlGoesOnWhereTheBudgetStoppedIt(t *testing.T) {
	s := goingOn(t, 4)
	var fetched []string
	by := map[wstk.Outcome]int{}
	for round := 1; ; round++ {
		s.play()
		run, err := s.m.Runs.Get(t.Context(), s.run.ID)
		s.check(err)
		acc := s.accounting()
		for _, u := range s.urls() {
			if u.Counted() && u.Outcome == wstk.OutcomeFetched {
				fetched = append(fetched, u.URL)
			}
		}
		for o, n := range acc.By {
			if !leavesPartial(o) {
				by[o] += n
			}
		}
		if acc.Of(wstk.OutcomeOverBudget) == 0 {
			if run.State != wstk.RunComplete {
				t.Errorf("round %d: %s %q", round, run.State, run.Reasons)
			}
			break
		}
		if want := fmt.Sprintf("%d pages still waiting: the crawl stopped at its budget of 4 (max_pages)", acc.Of(wstk.OutcomeOverBudget)); run.State != wstk.RunPartial ||
			!slices.Contains(run.Reasons, want) || acc.Stored() != 4 {
			t.Errorf("round %d: %s %q, %v", round, run.State, run.Reasons, acc.By)
		}
		if round > 5 {
			t.Fatal("it never comes to an end")
		}
		s.world.sites["http://h.test/p01"].kind = "page"
		s.goOn(4)
	}
	if len(fetched) != 11 || len(slices.Compact(slices.Sorted(slices.Values(fetched)))) != 11 {
		t.Errorf("fetched %q", fetched)
	}
	want := map[wstk.Outcome]int{wstk.OutcomeFetched: 11, wstk.OutcomeDuplicateOf: 1,
		wstk.OutcomeRedirected: 1, wstk.OutcomeNotFound: 1, wstk.OutcomeOutOfScope: 1}
	if fmt.Sprint(by) != fmt.Sprint(want) {
		t.Errorf("over all runs %v, want %v", by, want)
	}
	for url, n := range s.world.fetches {
		if n > 1 && url != "http://h.test/p01" {
			t.Errorf("%s was asked for %d times", url, n)
		}
	}
	u, why, err := s.stage.Why(t.Context(), s.run.ID, "http://h.test/p00", true)
	if err != nil || u.Outcome != wstk.OutcomeFetched || !strings.Contains(why, "was visited by the crawl that this one continues") {
		t.Errorf("%q %v", why, err)
	}
}

// With a higher budget the rest is read at once, also when the worker dies at any call.
func TestGoingOnSurvivesDeathAtEveryCall(t *testing.T) {
	for call := 1; ; call++ {
		s := goingOn(t, 4)
		s.play()
		s.world.sites["http://h.test/p01"].kind = "page"
		s.goOn(100)
		s.fuse.death = map[int]bool{s.fuse.calls + call: true}
		s.play()
		if got := s.accounting(); got.Discovered != 9 || got.Stored() != 7 ||
			got.Of(wstk.OutcomeDuplicateOf) != 1 {
			t.Fatalf("death at call %d: %v%s", call, got.By, s.picture())
		}
		if s.deaths == 0 {
			return
		}
	}
}

// A run says how long it was worked on, without the time in which no worker did.
func TestARunSaysHowLongItTook(t *testing.T) {
	s := goingOn(t, 100)
	s.run.UpdatedAt = s.clock.now().Add(3 * time.Second)
	s.check(s.stage.Rested(t.Context(), s.run, s.run.UpdatedAt.Add(time.Hour)))
	s.play()
	run, err := s.m.Runs.Get(t.Context(), s.run.ID)
	s.check(err)
	if want := max(run.EndedAt.Sub(run.StartedAt)-time.Hour, time.Millisecond).
		Milliseconds(); run.Usage.DurationMS != want {
		t.Errorf("%d ms, want %d", run.Usage.DurationMS, want)
	}
	short := goingOn(t, 1)
	short.check(short.stage.Abort(t.Context(), short.run.ID, wstk.RunCancelled, "it was cancelled"))
	if run, err = short.m.Runs.Get(t.Context(), short.run.ID); err != nil ||
		run.Usage.DurationMS != 1 {
		t.Errorf("%d ms of a run that ended at once, %v", run.Usage.DurationMS, err)
	}
}
