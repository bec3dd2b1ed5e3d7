package cli

import (
	"testing"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// What is not known is no zero, and a page more than were read is explained.
func TestWhatASiteHolds(t *testing.T) {
	duplicate := wstk.Accounting{
		By: map[wstk.Outcome]int{wstk.OutcomeFetched: 40, wstk.OutcomeDuplicateOf: 1}}
	for want, res := range map[string]crawling.IngestResult{
		"the site holds 41 with 1 duplicate":       {Pages: 41, Accounting: duplicate},
		"the site holds 40":                        {Pages: 40},
		"what the site holds could not be counted": {Uncounted: true},
	} {
		if got := holds(res); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A crawl that this process no longer works on does not run.
func TestAStoppedCrawlIsNotRunning(t *testing.T) {
	for state, want := range map[wstk.RunState]string{wstk.RunRunning: "stopped",
		wstk.RunPartial: "partial", wstk.RunCancelled: "cancelled"} {
		if got := endOf(wstk.Run{State: state}); got != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
	}
}
