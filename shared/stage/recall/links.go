package recall

import (
	"cmp"
	"context"
	"slices"

	"wstk/shared/wstk"
)

// Links tunes the step from the best hits to the pages they link to.
type Links struct {
	// Keep is how many hits stay where they are. Their links are followed; 0 turns the
	// step off.
	Keep   int
	Insert int // how many linked pages may follow right behind these hits
	Place  int // a linked page must have a passage among the first Place candidates
	// MaxShare is the share of a site's pages that may link to a page. If more do, the
	// page is a menu entry.
	MaxShare float64
	Floor    int // so many pages may link to a page, whatever share of a small site they are
	// MaxLinks is how many links to other pages the main content of a page may have. A
	// page with more is a list of links, which says little about each of them.
	MaxLinks int
	Look     int // how many links of one page are looked at
}

// DefaultLinks returns the values that measured best.
func DefaultLinks() Links {
	return Links{Keep: 4, Insert: 4, Place: 40, MaxShare: 0.05, Floor: 3, MaxLinks: 20,
		Look: 500}
}

// follow brings up pages that the best hits link to: the answer to a question about two
// things often stands one link away from the page that ranks for one of them. A link
// counts if it stands in the main content of a page with few links, if few pages link to
// its target, and if the target has enough words of the query to rank by itself. The
// target's best passage then follows right behind the kept hits. Pages that rank high and
// that several of the kept hits link to come first.
//
// Without these conditions the step does harm on manuals, whose pages link to dozens of
// others.
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

// value is higher the higher a page ranks and the more of the kept pages link to it. The
// 10 keeps the first places from counting for more than a second link.
func (t target) value() float64 { return float64(t.links) / float64(10+t.place) }

// targets returns the pages that the first keep hits link to and whose links count, best
// first.
func (r *run) targets(ctx context.Context, ranked []*candidate, keep int) ([]target, error) {
	sources, place := r.sources(ranked, keep)
	g := &guard{run: r, pages: -1}
	found := map[string]*target{}
	for _, source := range sources {
		links, err := r.linksOf(ctx, source)
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			at := place[l.URL]
			if at == 0 {
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

// sources returns the pages of the first keep hits, and of each other page that may be
// brought up the place of its best passage, from 1.
func (r *run) sources(ranked []*candidate, keep int) (pages []string, place map[string]int) {
	place = map[string]int{}
	for i, c := range ranked[:min(r.config.Links.Place, len(ranked))] {
		if place[c.URL] == 0 {
			place[c.URL] = i + 1
		}
	}
	for _, c := range ranked[:keep] {
		if _, ok := place[c.URL]; ok {
			pages = append(pages, c.URL)
			delete(place, c.URL)
		}
	}
	return pages, place
}

// linksOf returns the links in the main content of a page, none if it is a list of links.
func (r *run) linksOf(ctx context.Context, page string) ([]wstk.LinkTo, error) {
	links, err := r.Index.Links(ctx, page, r.config.Links.Look)
	if err != nil {
		return nil, err
	}
	var main []wstk.LinkTo
	for _, l := range links {
		if l.Main {
			main = append(main, l)
		}
	}
	if len(main) > r.config.Links.MaxLinks {
		return nil, nil
	}
	return main, nil
}
