package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// Progress counts pages within the site's bounds: links elsewhere are no work.
func TestProgressCountsPagesInScope(t *testing.T) {
	var out bytes.Buffer
	bar := newProgressBar(&printer{w: &out, width: 120})
	bar.show(crawling.Progress{Elapsed: time.Second, Stored: 5,
		Accounting: wstk.Accounting{Discovered: 120, By: map[wstk.Outcome]int{
			wstk.OutcomeFetched: 5, wstk.OutcomeNotFound: 1, wstk.OutcomeOpen: 14,
			wstk.OutcomeOutOfScope: 90, wstk.OutcomeOverDepth: 10}}})
	if !strings.Contains(out.String(), "5 read, 14 waiting of 20 pages found") || strings.Contains(out.String(), "120") {
		t.Errorf("%q", out.String())
	}
}

// What is tried again is shown while it waits, and taken away; elsewhere than on a terminal nothing
// is written.
func TestNoticesAreShownAndTakenAway(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var stderr bytes.Buffer
		c := &command{env: Env{Stderr: &stderr, Terminal: func(io.Writer) bool { return terminal },
			Width: func() int { return 200 }, Getenv: func(string) string { return "" }}}
		line := c.status()
		ctx := line.noticing(t.Context())
		wstk.Notify(ctx, wstk.Notice{Why: "brief", Wait: time.Millisecond})
		wstk.Notify(ctx, wstk.Notice{Why: "openai takes no more requests just now",
			Wait: 1500 * time.Millisecond})
		if c.status() != line {
			t.Error("a command has two lines for its status")
		}
		line.done()
		said := stderr.String()
		if !terminal {
			if said != "" {
				t.Errorf("without a terminal: %q", said)
			}
			continue
		}
		if !strings.Contains(said, "trying again in 2 s: openai takes no more requests just now") ||
			strings.Contains(said, "brief") || !strings.HasSuffix(said, "\x1b[K") {
			t.Errorf("%q", said)
		}
	}
}
