package recall

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Links tunes the step from the best hits to the pages they link to.
type Links struct {
	// Keep is how many hits stay where they are. Their links are followed; 0 turns the
	// step off.
	Keep   int
	Insert int // how many linked pages may follow right behind these hits
	// Named is the part of the words of a page's title that the query must hold for the
	// links of the page to be followed, 0–1.
	Named float64
	// Least is the least value of a link that is followed (see link), 0–2.
	Least float64
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
	return Links{Keep: 4, Insert: 2, Named: 0.6, Least: 0.2, MaxShare: 0.05, Floor: 3,
		MaxLinks: 20, Look: 500}
}

// follow brings up pages that the best hits link to: the answer to "Who led the company that
// built X?" stands one link away from the page on X, on a page with no other word of the
// question. A link is followed if the query names the page that holds it and if words of the
// query stand around the link and on its target (see link.value). It must stand in the main
// content of a page with few links, and few pages may link to its target. The target's best passage
// then follows right behind the kept hits, or its first one if none matches.
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
	taken := map[string]bool{}
	for i, l := range found[:min(o.Insert, len(found))] {
		c := l.target
		taken[c.ID] = true
		c.score = ranked[keep-1].score
		c.legs = append(c.legs, wstk.Leg{Name: "link", Rank: i + 1, Score: l.value, From: l.from})
		out = append(out, c)
	}
	for _, c := range ranked[keep:] {
		if !taken[c.ID] {
			out = append(out, c)
		}
	}
	return out, nil
}

// link is a link that may be followed.
type link struct {
	from   string     // the page that it stands on
	target *candidate // the passage that it brings up
	// value is of the words of the query, without those that name the page of the link, the
	// part in the sentence with the link, and the part that the target holds and that page
	// lacks; each 0–1.
	value float64
}

// targets returns the links of the first keep hits that are worth following, best first,
// one for each target.
func (r *run) targets(ctx context.Context, ranked []*candidate, keep int) ([]link, error) {
	near := ranked[:min(max(keep, r.config.Cover.Look), len(ranked))]
	if err := r.read(ctx, near); err != nil {
		return nil, err
	}
	shares := r.shares(near)
	kept := map[string]bool{}
	for _, c := range ranked[:keep] {
		kept[c.URL] = true
	}
	g := &guard{run: r, pages: -1}
	best := map[string]link{}
	for _, c := range ranked[:keep] {
		if !kept[c.URL] || !r.names(c) {
			continue
		}
		s := newSource(r, c, near, shares)
		links, err := r.linksOf(ctx, c.URL)
		if err != nil {
			return nil, err
		}
		for _, to := range links {
			if kept[to.URL] {
				continue
			}
			l, err := s.link(ctx, g, to, ranked)
			if err != nil {
				return nil, err
			}
			if l.target != nil && l.value >= r.config.Links.Least && l.value > best[to.URL].value {
				best[to.URL] = l
			}
		}
	}
	return byValue(best), nil
}

// names reports whether the query holds the title of a page, but for Links.Named.
func (r *run) names(c *candidate) bool {
	words, in := content(c.Title, r.lang), 0
	for _, t := range words {
		if i, ok := r.at[t.Text]; ok && r.terms[i].Origin == FromQuery {
			in++
		}
	}
	return in > 0 && float64(in) >= r.config.Links.Named*float64(len(words))
}

// source is a page whose links are followed. Its shares are those of the words that do not
// name it.
type source struct {
	*run
	*candidate
	words []float64 // shares of the terms, 0 for those in the page's title
	open  []float64 // the same, 0 also for those elsewhere on the page
}

func newSource(r *run, c *candidate, near []*candidate, shares []float64) source {
	s := source{r, c, slices.Clone(shares), nil}
	sum := 0.0
	for i := range shares {
		if c.title[i] {
			s.words[i] = 0
		}
		sum += s.words[i]
	}
	for i := range shares {
		s.words[i] /= max(sum, math.SmallestNonzeroFloat64)
	}
	s.open = slices.Clone(s.words)
	for i := range shares {
		for _, o := range near {
			if o.URL == c.URL && o.holds(i) {
				s.open[i] = 0
			}
		}
	}
	return s
}

// link returns what a link of the page is worth. Its target is nil if it does not count.
func (s source) link(
	ctx context.Context, g *guard, to wstk.LinkTo, ranked []*candidate,
) (link, error) {
	around := s.sentences(to.Text)
	if around == 0 || to.TargetID == "" {
		return link{}, nil
	}
	if everywhere, err := g.everywhere(ctx, to); err != nil || everywhere {
		return link{}, err
	}
	var target *candidate
	if i := slices.IndexFunc(ranked, func(c *candidate) bool { return c.URL == to.URL }); i >= 0 {
		target = ranked[i]
	} else {
		h, err := s.Index.Entry(ctx, to.TargetID)
		if wstk.CodeOf(err) == wstk.NotFound {
			return link{}, nil
		}
		if err != nil {
			return link{}, err
		}
		target = &candidate{IndexHit: h}
	}
	if !s.wanted(target) {
		return link{}, nil
	}
	if err := s.read(ctx, []*candidate{target}); err != nil {
		return link{}, err
	}
	return link{from: s.URL, target: target, value: around + target.sum(s.open)}, nil
}

// maxPlaces is how many places of a page are looked at for the words of one link.
const maxPlaces = 5

// sentences returns the part of the query in the sentence that holds the words of a link; of
// several such sentences, the largest.
func (s source) sentences(anchor string) (most float64) {
	if anchor == "" {
		return 0
	}
	for at, n := 0, 0; n < maxPlaces; n++ {
		i := strings.Index(s.page[at:], anchor)
		if i < 0 {
			break
		}
		start := at + i
		at = start + len(anchor)
		if inWord(s.page, start) || inWord(s.page, at) {
			continue
		}
		sum := 0.0
		for i, in := range s.termsIn(sentence(s.page, start, at, s.lang)) {
			if in {
				sum += s.words[i]
			}
		}
		most = max(most, sum)
	}
	return most
}

// inWord reports whether byte i of s stands between two letters or digits.
func inWord(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i:])
	word := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r)) && r < 0x2e80 && r != utf8.RuneError
	}
	return word(before) && word(after)
}

// sentence returns the sentence of a page, within its line, that holds a span.
func sentence(page string, start, end int, lang string) string {
	from := strings.LastIndexByte(page[:start], '\n') + 1
	to := len(page)
	if i := strings.IndexByte(page[end:], '\n'); i >= 0 {
		to = end + i
	}
	line := page[from:to]
	for _, x := range text.Sentences(line, lang) {
		if x.Start <= start-from && start-from < x.End {
			return line[x.Start:x.End]
		}
	}
	return line
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

// byValue returns the links, best first, equal ones by target.
func byValue(links map[string]link) []link {
	out := make([]link, 0, len(links))
	for _, l := range links {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b link) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.target.URL, b.target.URL))
	})
	return out
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
