package crawl

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// namedSim is a site with a deep page that no link leads to, named by a service beside pages
// that must not be asked for.
func namedSim(t *testing.T, o wstk.CrawlOptions) *sim {
	c := newClock()
	w := newWorld(c)
	w.robots = "user-agent: *\ndisallow: /private/\n"
	w.listed = []string{"http://h.test/listed"}
	for i, url := range []string{"http://h.test/", "http://h.test/linked", "http://h.test/listed",
		"http://h.test/deep/answer", "http://h.test/deep/beside", "http://h.test/private/x"} {
		w.sites[url] = &site{kind: "page", words: prose(i, 30)}
	}
	w.sites["http://h.test/"].links = []string{"http://h.test/linked"}
	w.sites["http://h.test/deep/answer"].links = []string{"http://h.test/deep/beside"}
	w.named = [][]string{{"http://h.test/deep/answer", "http://elsewhere.test/x"},
		{"http://h.test/private/x", "http://h.test/", "http://h.test/gone"}}
	o.Crawler, o.Query, o.RateLimit = wstk.CrawlerInformed, "what is deep?", time.Second
	return newSim(t, c, w, "http://h.test/", o, Limits{})
}

// What a service names enters the frontier: it is fetched before the root, or ends as scope,
// robots.txt and the site say, and is counted once.
func TestNamedURLsComeFirst(t *testing.T) {
	s := namedSim(t, wstk.CrawlOptions{MaxPages: 100, MaxDepth: 3})
	s.play()
	got := map[string]string{}
	for _, u := range s.urls() {
		got[u.URL] = string(u.Via) + " " + string(u.Outcome)
	}
	for url, want := range map[string]string{
		"http://h.test/deep/answer": "search fetched", "http://elsewhere.test/x": "search out_of_scope",
		"http://h.test/private/x": "search refused_robots", "http://h.test/gone": "search not_found",
		"http://h.test/": "seed fetched", "http://h.test/deep/beside": "link fetched",
		"http://h.test/linked": "link fetched", "http://h.test/listed": "sitemap fetched"} {
		if got[url] != want {
			t.Errorf("%s is %q, want %q", url, got[url], want)
		}
	}
	if s.world.calls != 3 {
		t.Errorf("the service was asked %d times", s.world.calls)
	}
	answer, err := s.m.Frontier.Get(t.Context(), s.run.ID, "http://h.test/deep/answer")
	s.check(err)
	root, err := s.m.Frontier.Get(t.Context(), s.run.ID, "http://h.test/")
	s.check(err)
	if !answer.NotBefore.Before(root.NotBefore) {
		t.Errorf("the root was asked at %s, the deep page at %s", root.NotBefore, answer.NotBefore)
	}
	_, why, err := s.stage.Why(t.Context(), s.run.ID, answer.URL, false)
	if err != nil || !strings.Contains(why, "was found by a search for the question") {
		t.Errorf("%s, %v", why, err)
	}
}

// With a budget of one page that page is the one that the service named first.
func TestTheBudgetGoesToWhatWasNamed(t *testing.T) {
	s := namedSim(t, wstk.CrawlOptions{MaxPages: 1, MaxDepth: 3})
	s.play()
	if n := s.world.fetches["http://h.test/deep/answer"]; n != 1 || s.world.fetches["http://h.test/"] > 0 {
		t.Errorf("fetched %v", s.world.fetches)
	}
}

// A root that redirects to a host of the same domain shows only then what belongs to the
// site: what was named there waits for it.
func TestNamedURLsWaitForARootThatMoved(t *testing.T) {
	s := namedSim(t, wstk.CrawlOptions{MaxPages: 100, MaxDepth: 3})
	w := s.world
	w.sites["http://h.test/"] = &site{kind: "redirect", target: "https://www.h.test/"}
	w.sites["https://www.h.test/"] = &site{kind: "page", words: prose(90, 30)}
	w.sites["https://www.h.test/deep"] = &site{kind: "page", words: prose(91, 30)}
	w.named = [][]string{{"https://www.h.test/deep"}}
	s.play()
	u, err := s.m.Frontier.Get(t.Context(), s.run.ID, "https://www.h.test/deep")
	if err != nil || u.Outcome != wstk.OutcomeFetched || u.Via != wstk.ViaSearch {
		t.Errorf("got %+v, %v", u, err)
	}
}

// A service that fails is named, with its code, and the crawl goes on without it. So does one
// that is not there.
func TestAServiceThatFailsIsNamed(t *testing.T) {
	for name, change := range map[string]func(s *sim){
		"Unauthorized": func(s *sim) { s.world.broken = 1 },
		"unauthorized": func(s *sim) { s.world.broken = 2 },
		"not set up":   func(s *sim) { s.stage.Discoverers = nil },
	} {
		s := namedSim(t, wstk.CrawlOptions{MaxPages: 100, MaxDepth: 3})
		change(s)
		s.play()
		warnings := s.stage.Warnings(t.Context(), s.run.ID)
		i := slices.IndexFunc(warnings, func(w wstk.Warning) bool { return w.Code == "crawler_failed" })
		if i < 0 || !strings.Contains(warnings[i].Message, "informed failed: ") {
			t.Errorf("%s: %v", name, warnings)
		}
		if s.world.fetches["http://h.test/linked"] != 1 || s.world.fetches["http://h.test/listed"] != 1 {
			t.Errorf("%s: fetched %v", name, s.world.fetches)
		}
		if named := s.world.fetches["http://h.test/deep/answer"] == 1; named != (s.world.broken == 2) {
			t.Errorf("%s: what it named before it failed was fetched: %v", name, named)
		}
	}
}

// A batch costs money: a seeding that was cut off goes on at the batch it came to, and one
// that is done asks nothing.
func TestABatchIsAskedForOnce(t *testing.T) {
	s := namedSim(t, wstk.CrawlOptions{MaxPages: 100, MaxDepth: 3})
	v, err := s.stage.view(t.Context(), s.run, s.site)
	s.check(err)
	ok, err := s.m.Frontier.SetNote(t.Context(), s.run.ID, namedKey, "", namedFrom+"1")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	var out Seeded
	for range 2 {
		s.check(s.stage.seedNamed(t.Context(), v, &out))
	}
	if s.world.calls != 2 || out.Named != 3 {
		t.Errorf("asked %d times for %+v", s.world.calls, out)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	again := namedSim(t, wstk.CrawlOptions{MaxPages: 100, MaxDepth: 3})
	if _, err := again.stage.Seed(ctx, again.run, again.site); wstk.CodeOf(err) != wstk.Cancelled {
		t.Errorf("got %v", err)
	}
	if w := again.stage.Warnings(t.Context(), again.run.ID); len(w) > 0 {
		t.Errorf("a cancelled seeding blames the service: %v", w)
	}
}

// A run for a few URLs asks for these alone, best first, and for the root only where no
// earlier run has it. Both add up.
func TestOnlyTheseAreAskedFor(t *testing.T) {
	s := goingOn(t, 4)
	s.play()
	earlier := s.run.ID
	begin := func(continues wstk.RunID) {
		s.world.fetches = map[string]int{}
		s.goOn(2)
		s.run.Options.MaxDepth, s.run.Continues = 0, continues
		s.run.Options.Only = []string{"http://h.test/p09", "http://h.test/p07"}
		s.play()
	}
	begin(earlier)
	if f := s.world.fetches; len(f) != 2 || f["http://h.test/p09"] != 1 || f["http://h.test/p07"] != 1 {
		t.Errorf("fetched %v", f)
	}
	run, err := s.m.Runs.Get(t.Context(), s.run.ID)
	if err != nil || run.State != wstk.RunComplete {
		t.Errorf("the run is %s %v, %v", run.State, run.Reasons, err)
	}
	begin("")
	if f := s.world.fetches; f["http://h.test/"] != 1 || f["http://h.test/p09"] != 1 {
		t.Errorf("without an earlier run it fetched %v", f)
	}
}
