package extract

import (
	"math"
	"net/url"
	"regexp"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// listWords ask for a list without saying what it lists.
var listWords = set("list lists all every each find show give get extract collect enumerate name " +
	"names different available various kinds types sorts come comes full complete items item " +
	"entries entry things results elements offer offers offered provide provides provided sell " +
	"sells exist exists")

// dropListWords removes from q the words that only ask for a list.
func (q *question) dropListWords() {
	var bounds []extent // "under $50" is no word of a heading
	for _, re := range []*regexp.Regexp{priceBound(), yearBound()} {
		for _, m := range re.FindAllStringIndex(q.text, -1) {
			bounds = append(bounds, extent{m[0], m[1]})
		}
	}
	kept := q.terms[:0]
	for _, t := range q.terms {
		t.parts = 0
		if !listWords[strings.ToLower(t.surface)] && !covered(bounds, t.start, t.end) {
			kept = append(kept, t)
		}
	}
	q.terms = kept
	q.lexes = map[string]*lex{}
	q.joinNames() // indexes have moved
	w := wordsOf(q.text)
	for len(w) > 1 && (askCues[w[0].text] != askCue{} || determiners[w[0].text] ||
		listWords[w[0].text] || politeness[w[0].text] || auxiliaries[w[0].text] ||
		w[0].text == "of") {
		w = w[1:]
	}
	noun := headNoun(w)
	for i := range q.terms {
		q.terms[i].light = false // in a list's heading every word counts
		if strings.EqualFold(q.terms[i].surface, noun) {
			q.head = i
		}
	}
}

// choose returns the best structure and those that continue it.
func (q *question) choose(pages []*page, hits []wstk.Hit) []group {
	var all []group
	for _, p := range pages {
		all = append(all, p.groups()...)
	}
	all = append(all, q.pageGroups(pages)...)
	best := -1
	for i := range all {
		all[i].score = q.groupScore(&all[i])
		if all[i].score >= groupAt && (best < 0 || all[i].score > all[best].score) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	chosen := []group{all[best]}
	for i := range all {
		g := &all[i]
		if i == best || g.score < groupBeside*all[best].score || !continues(g, &all[best]) {
			continue
		}
		if g.page == all[best].page && g.at.start < all[best].at.end &&
			all[best].at.start < g.at.end {
			continue // one inside the other
		}
		chosen = append(chosen, *g)
	}
	return chosen
}

// continues reports whether a group is another part of the same listing: it has
// the same heading, or is on a page whose address differs in numbers only.
func continues(g, of *group) bool {
	if g.label != "" && text.FoldCompare(g.label) == text.FoldCompare(of.label) {
		return true
	}
	return g.page != of.page && sameButNumbers(g.page.doc.URL, of.page.doc.URL)
}

// sameButNumbers compares addresses without their digits and the query that may
// hold them: /list, /list?page=2, /list/3.
func sameButNumbers(a, b string) bool {
	strip := func(s string) string {
		if i := strings.IndexByte(s, '?'); i >= 0 {
			s = s[:i]
		}
		s = strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return -1
			}
			return r
		}, s)
		return strings.TrimRight(s, "/")
	}
	return strip(a) == strip(b)
}

// groupScore says how well a group fits the query: each term counts by its place, in what
// introduces the group or in its items.
func (q *question) groupScore(g *group) float64 {
	score := 0.0
	for i := range q.terms {
		share := g.shareOf(i)
		credit := share
		switch {
		case g.strong.has(i):
			credit = 1
		case share >= calledSo:
			credit = max(credit, 0.9)
		case g.weak.has(i):
			credit = max(credit, 0.6)
		case share > 0:
			credit = max(credit, 0.5) // narrows the list down
		}
		score += credit * q.terms[i].weight
	}
	switch {
	case q.total > 0:
		if score /= q.total; score < coveredAt {
			return 0
		}
		if g.strong == 0 {
			score -= 0.1 // nothing says that these are what was asked for
		}
	default:
		// "list all items" asks for whatever the page lists
		score = 0.45 + 0.01*float64(min(len(g.items), 40))
	}
	if h := q.head; h >= 0 {
		share := g.shareNamed(h)
		switch {
		case share >= calledSo, g.strong.has(h) && (!g.titled || g.fits):
		case g.titled || !g.weak.has(h):
			return 0 // nothing names them by the noun that was asked for
		default:
			score -= 0.25 // only the page does
		}
		score += 0.1 * share // each is called so: "the porter tokenizer"
	}
	score += 0.10*g.ranked() + 0.10*g.page.ranked
	if g.fits {
		score += 0.08 // its heading is what was asked for, word for word
	}
	score += 0.02 * float64(min(len(g.items), 6)-minItems)
	if !g.main {
		score -= 0.25
	}
	if len(g.items) > 60 && g.items[0].data == nil && q.total > 0 {
		score -= 0.1 // an index of everything
	}
	if g.loose {
		score -= 0.1
	}
	if n := (g.at.end - g.at.start) / len(g.items); n > longItem {
		score -= 0.1 // chapters rather than items
	}
	return score
}

// calledSo is the share of items that have to hold a word for it to name them all.
const calledSo = 0.6

// longItem is the size in bytes from which the items of a group are chapters.
const longItem = 4000

func (g *group) shareOf(term int) float64 {
	n := 0
	for _, it := range g.items {
		if it.own.has(term) {
			n++
		}
	}
	return float64(n) / float64(len(g.items))
}

// shareNamed is the share of the items that a term names.
func (g *group) shareNamed(term int) float64 {
	if !g.titled {
		return g.shareOf(term)
	}
	n := 0
	for _, it := range g.items {
		if it.named.has(term) {
			n++
		}
	}
	return float64(n) / float64(len(g.items))
}

// ranked is how high recall ranked the passages of a group, 0–1. A group that is far longer
// than the passage that was found is ranked by its length.
func (g *group) ranked() float64 {
	best := 0.0
	for i := g.page.unitAt(g.at.start); i < len(g.page.units) &&
		g.page.units[i].start < g.at.end; i++ {
		if r := g.page.units[i].rank; r > 0 {
			best = max(best, 1/math.Sqrt(float64(r)))
		}
	}
	const passage = 3000
	if n := g.at.end - g.at.start; n > passage {
		best *= float64(passage) / float64(n)
	}
	return best
}

// pageGroups takes pages of one folder or one schema.org type as items, where the
// folder or the type is named in the query: /jobs/a, /jobs/b for "jobs".
func (q *question) pageGroups(pages []*page) []group {
	byKey := map[string]*group{}
	var order []string
	for _, p := range pages {
		for _, key := range kindsOf(p.doc) {
			own, syn, _ := p.scan(key, 0, p.lex, false)
			if own|syn == 0 {
				continue
			}
			title := headingOf(p.doc)
			if title == "" {
				continue
			}
			g := byKey[key]
			if g == nil {
				_, fits := p.heading(key)
				g = &group{page: p, what: "pages of one kind", label: strings.TrimSpace(key),
					strong: own | syn, main: true, titled: true, fits: fits}
				byKey[key] = g
				order = append(order, key)
			}
			it := item{page: p, title: title}
			it.own, it.named = p.title, p.title
			for _, sec := range p.sections {
				it.own |= sec.near
			}
			it.own |= p.termsIn(extent{0, len(p.doc.Text)})
			g.items = append(g.items, it)
		}
	}
	var out []group
	for _, k := range order {
		if g := byKey[k]; len(g.items) >= 3 {
			out = append(out, *g)
		}
	}
	return out
}

// kindsOf names what a page is one of: its folder, its types.
func kindsOf(d *wstk.Document) []string {
	var keys []string
	if u, err := url.Parse(d.URL); err == nil {
		if dir := strings.Trim(u.Path[:strings.LastIndexByte(u.Path, '/')+1], "/"); dir != "" {
			keys = append(keys, strings.NewReplacer("/", " ", "-", " ", "_", " ").Replace(dir))
		}
	}
	for _, di := range d.Data {
		if di.Type != "" && !pageTypes[strings.ToLower(di.Type)] &&
			(di.Format == "json-ld" || di.Format == "microdata") {
			keys = append(keys, splitCamel(di.Type))
			break
		}
	}
	return keys
}

func headingOf(d *wstk.Document) string {
	for i, b := range d.Blocks {
		if b.Kind == wstk.BlockHeading && b.Main {
			return strings.TrimSpace(d.BlockText(i))
		}
	}
	return ""
}
