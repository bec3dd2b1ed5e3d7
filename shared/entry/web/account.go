package web

import (
	"strconv"

	"wstk/shared/wstk"
)

// account is where the URLs of a crawl ended, ready to be drawn and added up.
type account struct {
	Discovered int
	Balanced   bool // the outcomes add up to Discovered
	Groups     []group
	Lines      []line // every outcome that was met, group by group
	Bar        []part // the same as widths
}

// group is a number of outcomes that mean the same to a visitor who looks at a crawl.
type group struct {
	Name, Class string
	N           int
}

// line is one outcome.
type line struct {
	Outcome wstk.Outcome
	Meaning string
	Class   string
	N       int
	Percent string
}

// part is a piece of a bar that is barWidth wide.
type part struct {
	Class, Name string
	N           int
	X, Width    float64
}

const barWidth = 1000

// groupNames are the groups in their order, and the class that colours each.
var groupNames = []group{{Name: "stored", Class: "stored"}, {Name: "joined", Class: "joined"},
	{Name: "left out", Class: "left"}, {Name: "problems", Class: "bad"},
	{Name: "open", Class: "open"}}

// outcomes say of each outcome to which group it belongs and what it means.
var outcomes = map[wstk.Outcome]struct {
	group   int
	meaning string
}{
	wstk.OutcomeFetched:       {0, "read and stored"},
	wstk.OutcomeNotModified:   {0, "stored before, and still the same"},
	wstk.OutcomeRedirected:    {1, "redirects to another address, which is counted separately"},
	wstk.OutcomeDuplicateOf:   {1, "has the text of another address"},
	wstk.OutcomeRefusedRobots: {2, "robots.txt or the page itself refuses"},
	wstk.OutcomeRefusedPolicy: {2, "the policy refuses"},
	wstk.OutcomeOutOfScope:    {2, "does not belong to the site"},
	wstk.OutcomeOverDepth:     {2, "too many links away from the root"},
	wstk.OutcomeOverBudget:    {2, "more pages than the crawl may store"},
	wstk.OutcomeTrap:          {2, "one of endless variants"},
	wstk.OutcomeNotFound:      {3, "the site says that it is not there"},
	wstk.OutcomeBlocked:       {3, "a wall, a login or a consent page"},
	wstk.OutcomeNeedsRender:   {3, "empty without a browser"},
	wstk.OutcomeTooLarge:      {3, "larger than the limit"},
	wstk.OutcomeFailed:        {3, "could not be read"},
	wstk.OutcomeOpen:          {4, "still under way"},
}

func newAccount(a wstk.Accounting) account {
	out := account{Discovered: a.Discovered, Balanced: a.Balanced(),
		Groups: append([]group(nil), groupNames...)}
	for i := range out.Groups {
		g := &out.Groups[i]
		for _, o := range wstk.Outcomes() {
			if n := a.Of(o); n > 0 && outcomes[o].group == i {
				g.N += n
				out.Lines = append(out.Lines, line{Outcome: o, Meaning: outcomes[o].meaning,
					Class: g.Class, N: n, Percent: percent(n, a.Discovered)})
			}
		}
	}
	x := 0.0
	for _, g := range out.Groups {
		if g.N > 0 && a.Discovered > 0 {
			width := barWidth * float64(g.N) / float64(a.Discovered)
			out.Bar = append(out.Bar,
				part{Class: g.Class, Name: g.Name, N: g.N, X: x, Width: width})
			x += width
		}
	}
	return out
}

// percent is n of all in percent.
func percent(n, all int) string {
	if all == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(n)/float64(all), 'f', 1, 64) + " %"
}
