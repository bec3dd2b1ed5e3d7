package cli

import (
	"bytes"
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
