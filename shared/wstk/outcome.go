package wstk

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Outcome is where a discovered URL of a crawl ended. Every discovered URL has
// exactly one, with a reason; Open exists only while the run does.
type Outcome string

const (
	OutcomeFetched     Outcome = "fetched"
	OutcomeNotModified Outcome = "not_modified"
	OutcomeRedirected  Outcome = "redirected" // the target is a discovered URL of its own
	// same text, or the page names another URL as canonical
	OutcomeDuplicateOf   Outcome = "duplicate_of"
	OutcomeNotFound      Outcome = "not_found"
	OutcomeRefusedRobots Outcome = "refused_robots"
	OutcomeRefusedPolicy Outcome = "refused_policy"
	OutcomeOutOfScope    Outcome = "out_of_scope"
	OutcomeOverDepth     Outcome = "over_depth"
	OutcomeOverBudget    Outcome = "over_budget"
	OutcomeTrap          Outcome = "trap"
	OutcomeBlocked       Outcome = "blocked"
	OutcomeNeedsRender   Outcome = "needs_render"
	OutcomeTooLarge      Outcome = "too_large"
	OutcomeFailed        Outcome = "failed"
	OutcomeOpen          Outcome = "open"
)

// Outcomes lists every outcome in the order in which accounting shows them.
func Outcomes() []Outcome {
	return []Outcome{OutcomeFetched, OutcomeNotModified, OutcomeRedirected, OutcomeDuplicateOf,
		OutcomeNotFound, OutcomeRefusedRobots, OutcomeRefusedPolicy,
		OutcomeOutOfScope, OutcomeOverDepth,
		OutcomeOverBudget, OutcomeTrap, OutcomeBlocked, OutcomeNeedsRender,
		OutcomeTooLarge, OutcomeFailed,
		OutcomeOpen}
}

// Accounting counts the URLs of a run: how many were discovered, and where each
// ended. The outcomes add up to Discovered (see Balanced). Its JSON has
// "discovered" and one integer for each outcome, zeros included, nothing else.
type Accounting struct {
	Discovered int
	By         map[Outcome]int
}

// Of returns the count of one outcome.
func (a Accounting) Of(o Outcome) int { return a.By[o] }

// Stored is the number of URLs of which this run holds a current page.
func (a Accounting) Stored() int { return a.By[OutcomeFetched] + a.By[OutcomeNotModified] }

// InScope is how many of the discovered URLs belong to what was to be crawled: all but
// those outside of the site's scope or beyond its depth.
func (a Accounting) InScope() int {
	return a.Discovered - a.By[OutcomeOutOfScope] - a.By[OutcomeOverDepth]
}

// Balanced reports whether the outcomes add up to what was discovered.
func (a Accounting) Balanced() bool {
	sum := 0
	for _, n := range a.By {
		sum += n
	}
	return sum == a.Discovered
}

func (a Accounting) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"discovered":%d`, a.Discovered)
	for _, o := range Outcomes() {
		fmt.Fprintf(&b, `,%q:%d`, o, a.By[o])
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (a *Accounting) UnmarshalJSON(data []byte) error {
	var m map[string]int
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	*a = Accounting{Discovered: m["discovered"], By: map[Outcome]int{}}
	for _, o := range Outcomes() {
		if n := m[string(o)]; n != 0 {
			a.By[o] = n
		}
	}
	return nil
}
