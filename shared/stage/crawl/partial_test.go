package crawl

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// Law 4: each kind of page that could not be had leaves the run partial, and its
// reasons say so; a page that is not there, or is not meant to be read, does not.
func TestWhatIsMissingLeavesARunPartial(t *testing.T) {
	for kind, want := range map[string]string{
		"blocked": "1 page blocked", "consent": "1 page blocked", "error": "1 page failed", "timeout": "1 page failed", "network": "1 page failed",
		"too_large": "1 page too large", "needs_render": "1 page readable in a browser only",
		"not_found": "", "gone": "", "refused_robots": "", "image": "", "pdf": "", "page": "",
	} {
		c := newClock()
		w := newWorld(c)
		w.sites["http://h.test/"] = &site{kind: "page", words: prose(1, 30), links: []string{"http://h.test/x"}}
		w.sites["http://h.test/x"] = &site{kind: kind, words: prose(2, 30)}
		s := newSim(t, c, w, "http://h.test/", wstk.CrawlOptions{MaxPages: 10, MaxDepth: 3}, Limits{})
		s.play()
		run, err := s.m.Runs.Get(context.Background(), s.run.ID)
		s.check(err)
		state := wstk.RunPartial
		if want == "" {
			state = wstk.RunComplete
		}
		if run.State != state || strings.Join(run.Reasons, "; ") != want {
			t.Errorf("%s: %s %q, want %s %q", kind, run.State, run.Reasons, state, want)
		}
	}
}

// Law 4: links that are left alone are told.
func TestLinksBeyondTheBoundAreTold(t *testing.T) {
	c := newClock()
	w := newWorld(c)
	root := &site{kind: "page", words: prose(1, 30)}
	for i := range maxLinks + 1 {
		root.links = append(root.links, fmt.Sprintf("http://h.test/p%d", i))
	}
	w.sites["http://h.test/"] = root
	s := newSim(t, c, w, "http://h.test/", wstk.CrawlOptions{MaxPages: 1, MaxDepth: 1}, Limits{})
	s.play()
	if n := s.accounting().Discovered; n != maxLinks+1 {
		t.Errorf("%d URLs are known", n)
	}
	warnings := s.stage.Warnings(context.Background(), s.run.ID)
	if len(warnings) != 1 || warnings[0].Code != "links_truncated" || warnings[0].URL != "http://h.test/" {
		t.Errorf("warnings %+v", warnings)
	}
}
