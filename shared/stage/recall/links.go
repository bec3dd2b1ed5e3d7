package recall

import (
	"cmp"
	"context"
	"slices"

	"wstk/shared/wstk"
)

// Links tunes the step from the best hits to the pages they link to.
type Links struct {
	// hits that stay where they are, and whose links are followed; 0 turns the step off
	Keep   int
	Insert int // linked pages put right behind them, at most
	Place  int // only pages whose best passage ranks so high by itself
	// a target that more than this share of its site's pages link to is not specific: it is a menu
	// entry
	MaxShare float64
	Floor    int // in a small index so many pages may link to it whatever their share
	Look     int // links of one page that are looked at
}

// DefaultLinks returns the values that measured best.
func DefaultLinks() Links {
	return Links{Keep: 4, Insert: 4, Place: 40, MaxShare: 0.05, Floor: 3, Look: 500}
}

// follow brings up pages that the best hits link to: the answer to a question
// about two things often stands one link from the page that ranks for one of
// them. A link counts when it stands in main content, its target is specific, and
// the target holds enough of the query to rank by itself. Its best passage goes
// right behind the kept hits; the pages that rank high and that several of the
// kept hits link to come first.
//
// The last condition is what keeps the step from doing harm on manuals, whose
// pages link to dozens of others: see docs/benchmarks.
func (r *run) follow(ctx context.Context, ranked []*candidate) ([]*candidate, error) {
	o := r.config.Links
	keep := min(o.Keep, len(ranked))
	if keep == 0 || o.Insert == 0 || len(r.query.Pages) > 0 || r.query.Kind == wstk.KindSummary {
		return ranked, nil
	}
	found, err := r.targets(ctx, ranked, keep)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(ranked[:keep])
	taken := map[*candidate]bool{}
	for i, t := range found[:min(o.Insert, len(found))] {
		c := ranked[t.place-1]
		taken[c] = true
		c.legs = append(c.legs, wstk.Leg{Name: "link", Rank: i + 1, Score: t.value(), From: t.from})
		out = append(out, c)
	}
	for _, c := range ranked[keep:] {
		if !taken[c] {
			out = append(out, c)
		}
	}
	return out, nil
}

// target is a page that a kept hit links to.
type target struct {
	from  string // the first kept page that links to it
	place int    // of its best passage in the ranking, from 1
	links int    // how many of the kept pages link to it
}

// value is more the higher a page ranks and the more of the kept pages link to
// it. The 10 keeps the very first places from outweighing a second link.
func (t target) value() float64 { return float64(t.links) / float64(10+t.place) }

// targets returns the pages that the first keep hits link to and that pass the
// guard, best first.
func (r *run) targets(ctx context.Context, ranked []*candidate, keep int) ([]target, error) {
	o := r.config.Links
	place := map[string]int{} // of each page that may be brought up
	for i, c := range ranked[:min(o.Place, len(ranked))] {
		if place[c.URL] == 0 {
			place[c.URL] = i + 1
		}
	}
	var sources []string
	for _, c := range ranked[:keep] {
		if _, ok := place[c.URL]; ok {
			sources = append(sources, c.URL)
			delete(place, c.URL)
		}
	}
	g := &guard{run: r, pages: -1}
	found := map[string]*target{}
	for _, source := range sources {
		links, err := r.Index.Links(ctx, source, o.Look)
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			at := place[l.URL]
			if !l.Main || at == 0 {
				continue
			}
			if everywhere, err := g.everywhere(ctx, l); err != nil {
				return nil, err
			} else if everywhere {
				continue
			}
			if t := found[l.URL]; t != nil {
				t.links++
			} else {
				found[l.URL] = &target{from: source, place: at, links: 1}
			}
		}
	}
	return byValue(found), nil
}

// guard refuses targets that too many pages link to, as to a home page.
type guard struct {
	*run
	pages int // of the index, counted when first needed; -1 before
}

// everywhere reports whether too many pages link to the target of a link.
func (g *guard) everywhere(ctx context.Context, l wstk.LinkTo) (bool, error) {
	o := g.config.Links
	if l.InShare <= o.MaxShare {
		return false, nil
	}
	if g.pages < 0 {
		stats, err := g.Index.Stats(ctx)
		if err != nil {
			return false, err
		}
		g.pages = stats.Pages
	}
	// The share is of the pages of one site, so this may only overstate how many link to
	// the target.
	return l.InShare*float64(g.pages) > float64(o.Floor)+0.5, nil
}

// byValue returns targets, best first.
func byValue(found map[string]*target) []target {
	out := make([]target, 0, len(found))
	for _, t := range found {
		out = append(out, *t)
	}
	slices.SortFunc(out, func(a, b target) int {
		return cmp.Or(cmp.Compare(b.value(), a.value()), a.place-b.place)
	})
	return out
}
