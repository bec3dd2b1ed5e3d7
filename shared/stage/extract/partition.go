package extract

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// The numbers of Partition. A structure has to hold this share of the query to be
// what was asked for; another one with nearly its score is the same collection
// continued.
const (
	groupAt      = 0.45
	groupBeside  = 0.88
	maxItems     = 200
	maxListPages = 20 // pages in which structures are looked for
	titlesAlike  = 0.8
)

// Partition gathers hits into buckets, one for each item that is asked for. A
// Singular or Narrative query is one bucket of all pages. A Collection is one
// bucket for each like thing in the structure that fits the query best, joined
// over pages by title and with the item's own page where one is stored; where no
// structure fits, it is one bucket without title or places, and Do answers it as
// it would a Singular query.
//
// left counts items found beyond the first 200, which are not returned. An error
// is the Document function's own. Buckets keep the order of the hits, then of the
// pages; the same input gives the same buckets.
func (s *Stage) Partition(ctx context.Context, query string, strategy wstk.Strategy, hits []wstk.Hit) (buckets []wstk.Bucket, left int, err error) {
	urls := pagesOf(hits)
	if len(urls) == 0 {
		return nil, 0, nil
	}
	one := wstk.Bucket{Pages: urls, Hits: hits, Rationale: "one answer is asked for, so all pages are read together"}
	if strategy == wstk.Narrative {
		one.Rationale = "an account is asked for, so all pages are read together"
	}
	if strategy != wstk.Collection {
		return []wstk.Bucket{one}, 0, nil
	}
	docs, err := s.documents(ctx, urls[:min(len(urls), maxListPages)])
	if err != nil {
		return nil, 0, err
	}
	q := newQuestion(query, whole(query), commonLanguage(docs))
	q.dropListWords()
	none := func(string, int, int) bool { return false }
	pages := q.pages(docs, wstk.Bucket{Pages: urls, Hits: hits}, none)
	weigh(q, pages)
	chosen := q.choose(pages, hits)
	if len(chosen) == 0 {
		one.Rationale = "no list, table or run of sections fits the query, so the pages are read together"
		return []wstk.Bucket{one}, 0, nil
	}
	items := q.filter(chosen)
	merged := mergeItems(items)
	if len(merged) > maxItems {
		left = len(merged) - maxItems
		merged = merged[:maxItems]
	}
	for _, m := range merged {
		if err := ctx.Err(); err != nil {
			return nil, 0, wstk.Wrap(wstk.Cancelled, "partitioning", err)
		}
		b := m.bucket()
		if u := m.ownPage(); u != "" && !contains(b.Pages, u) {
			d, err := s.Document(ctx, u)
			switch {
			case err == nil && titled(d, b.Title):
				b.Pages = append(b.Pages, d.URL)
				b.Rationale += "; it has a page of its own"
			case err != nil && wstk.CodeOf(err) != wstk.NotFound:
				return nil, 0, wstk.Wrap(wstk.Internal, "reading the document of "+u, err)
			}
		}
		b.Hits = hitsOf(hits, b)
		buckets = append(buckets, b)
	}
	return buckets, left, nil
}

func pagesOf(hits []wstk.Hit) []string {
	var urls []string
	for _, h := range hits {
		if !contains(urls, h.URL) {
			urls = append(urls, h.URL)
		}
	}
	return urls
}

func contains(xs []string, s string) bool {
	for _, x := range xs {
		if x == s {
			return true
		}
	}
	return false
}

// listWords ask for a list without saying what it lists.
var listWords = set("list lists all every each find show give get extract collect enumerate name names different available various kinds types sorts come comes full complete")

// dropListWords removes from q the words that only ask for a list.
func (q *question) dropListWords() {
	kept := q.terms[:0]
	for _, t := range q.terms {
		if !listWords[strings.ToLower(t.surface)] {
			kept = append(kept, t)
		}
	}
	if len(kept) > 0 {
		q.terms = kept
		q.lexes = map[string]*lex{}
	}
	w := wordsOf(q.text)
	for len(w) > 1 && (askCues[w[0].text] != askCue{} || determiners[w[0].text] || listWords[w[0].text] || politeness[w[0].text] || auxiliaries[w[0].text] || w[0].text == "of") {
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
		if g.page == all[best].page && g.at.start < all[best].at.end && all[best].at.start < g.at.end {
			continue // one inside the other
		}
		chosen = append(chosen, *g)
	}
	return chosen
}

// continues tells whether a group is another part of the same listing: it has
// the same heading, or stands on a page whose address differs in numbers only.
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

// groupScore says how well a group fits the query: each term counts by where it
// stands, in what introduces the group or in its items.
func (q *question) groupScore(g *group) float64 {
	score := 0.0
	for i := range q.terms {
		share := g.shareOf(i)
		credit := share
		switch {
		case g.strong.has(i):
			credit = 1
		case share >= 0.6:
			credit = max(credit, 0.9)
		case g.weak.has(i):
			credit = max(credit, 0.6)
		case share > 0:
			credit = max(credit, 0.5) // narrows the list down
		}
		score += credit * q.terms[i].weight
	}
	if q.total > 0 {
		score /= q.total
	}
	if g.strong == 0 {
		score -= 0.1 // nothing says that these are what was asked for
	}
	if h := q.head; h >= 0 {
		share := g.shareOf(h)
		if !g.strong.has(h) && share < 0.6 {
			score -= 0.25 // nothing names them by the noun that was asked for
		}
		score += 0.1 * share // each is called so: "the porter tokenizer"
	}
	score += 0.10*g.ranked() + 0.10*g.page.ranked()
	if g.fits {
		score += 0.08 // its heading is what was asked for, word for word
	}
	score += 0.02 * float64(min(len(g.items), 6)-minItems)
	if !g.main {
		score -= 0.25
	}
	if len(g.items) > 60 {
		score -= 0.1 // an index of everything
	}
	if n := (g.at.end - g.at.start) / len(g.items); n > longItem {
		score -= 0.1 // chapters rather than items
	}
	return score
}

// longItem is from how many bytes the items of a group are chapters.
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

// ranked is how high recall ranked the page, 0–1.
func (p *page) ranked() float64 {
	best := 0.0
	for i := range p.units {
		if r := p.units[i].rank; r > 0 {
			best = max(best, 1/math.Sqrt(float64(r)))
		}
	}
	return best
}

// ranked is how high recall ranked what stands in a group, 0–1. A group that is
// far longer than the passage that was found owes its rank to its length.
func (g *group) ranked() float64 {
	best := 0.0
	for i := g.page.unitAt(g.at.start); i < len(g.page.units) && g.page.units[i].start < g.at.end; i++ {
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
				g = &group{page: p, what: "pages of one kind", label: strings.TrimSpace(key), strong: own | syn, main: true}
				byKey[key] = g
				order = append(order, key)
			}
			it := item{page: p, title: title}
			it.own = p.title
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
		if di.Type != "" && !pageTypes[strings.ToLower(di.Type)] && (di.Format == "json-ld" || di.Format == "microdata") {
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

// filter drops items that miss what narrows the query down: a word that some
// items have and others do not ("engineering positions"), a bound on price or
// year.
func (q *question) filter(gs []group) []item {
	var items []item
	var strong, weak termSet
	for k := range gs {
		g := &gs[k]
		for i := range g.items {
			g.items[i].group = g
		}
		items = append(items, g.items...)
		strong |= g.strong
		weak |= g.weak
	}
	var narrowing termSet
	for i := range q.terms {
		n := 0
		for _, it := range items {
			if it.own.has(i) {
				n++
			}
		}
		if n > 0 && n < len(items) && !strong.has(i) && !weak.has(i) {
			narrowing |= 1 << uint(i)
		}
	}
	bounds := boundsOf(q.text)
	kept := items[:0:0]
	for _, it := range items {
		if narrowing != 0 && it.own&narrowing == 0 {
			continue
		}
		if bounds.allows(&it) {
			kept = append(kept, it)
		}
	}
	return kept
}

// bounds are the numbers a query sets limits by.
type bounds struct {
	priceMax, priceMin *float64
	yearMin, yearMax   *int
}

var (
	priceBound = regexp.MustCompile(`(?i)\b(under|below|less than|cheaper than|up to|at most|max(?:imum)?|over|above|more than|at least|from)\s+(?:[$€£¥]\s?(\d[\d,.]*)|(\d[\d,.]*)\s?(?:[$€£¥]|usd|eur|gbp|dollars|euros))`)
	yearBound  = regexp.MustCompile(`(?i)\b(from|in|of|since|after|before|until)\s+((?:19|20)\d\d)\b`)
)

func boundsOf(query string) bounds {
	var b bounds
	if m := priceBound.FindStringSubmatch(query); m != nil {
		n, err := strconv.ParseFloat(strings.TrimRight(strings.ReplaceAll(m[2]+m[3], ",", ""), "."), 64)
		if err == nil {
			switch strings.ToLower(m[1]) {
			case "over", "above", "more than", "at least", "from":
				b.priceMin = &n
			default:
				b.priceMax = &n
			}
		}
	}
	if m := yearBound.FindStringSubmatch(query); m != nil {
		y, _ := strconv.Atoi(m[2])
		switch strings.ToLower(m[1]) {
		case "since":
			b.yearMin = &y
		case "after":
			y++
			b.yearMin = &y
		case "before":
			y--
			b.yearMax = &y
		case "until":
			b.yearMax = &y
		default:
			b.yearMin, b.yearMax = &y, &y
		}
	}
	return b
}

// allows tells whether an item's own numbers keep within the bounds. An item that
// states none is kept: unknown is not outside.
func (b bounds) allows(it *item) bool {
	if b == (bounds{}) || it.data != nil || it.span.end <= it.span.start {
		return true
	}
	const readable = 4000
	s := it.page.doc.Text[it.span.start:min(it.span.end, it.span.start+readable)]
	priced, inPrice, dated, inDate := false, false, false, false
	for _, v := range text.Values(s, it.page.lang) {
		switch {
		case v.Type == string(wstk.ValueMoney) && v.Number != nil:
			priced = true
			inPrice = inPrice || (b.priceMax == nil || *v.Number <= *b.priceMax) && (b.priceMin == nil || *v.Number >= *b.priceMin)
		case v.Type == string(wstk.ValueDate) && v.Time != nil:
			dated = true
			inDate = inDate || b.holdsYear(v.Time.Year())
		case isYear(v):
			dated = true
			inDate = inDate || b.holdsYear(int(*v.Number))
		}
	}
	if (b.priceMax != nil || b.priceMin != nil) && priced && !inPrice {
		return false
	}
	return (b.yearMin == nil && b.yearMax == nil) || !dated || inDate
}

func (b bounds) holdsYear(y int) bool {
	return (b.yearMin == nil || y >= *b.yearMin) && (b.yearMax == nil || y <= *b.yearMax)
}

// mergedItem is one item as several pages show it.
type mergedItem struct{ parts []item }

// mergeItems joins items of one title, in order of their first appearance.
func mergeItems(items []item) []mergedItem {
	var out []mergedItem
	exact := map[string]int{}
	for _, it := range items {
		key := text.FoldCompare(it.title)
		if i, ok := exact[key]; ok {
			if sameItem(out[i].parts[0], it) {
				out[i].parts = append(out[i].parts, it)
				continue
			}
		} else {
			exact[key] = len(out)
		}
		joined := false
		for i := range out {
			if len(out) > maxItems { // pairwise comparison stays bounded
				break
			}
			if out[i].parts[0].group != it.group && sameTitle(out[i].parts[0].title, it.title, it.page.lang) {
				out[i].parts = append(out[i].parts, it)
				joined = true
				break
			}
		}
		if !joined {
			out = append(out, mergedItem{[]item{it}})
		}
	}
	return out
}

// sameItem tells whether two items of one title are the same thing: on two pages,
// in two structures, in a page's text and its structured data. Two rows of one
// table that begin alike are two items.
func sameItem(a, b item) bool { return a.group != b.group }

// sameTitle compares titles by their words; numbers have to be equal, so that
// "Level 1" and "Level 2" stay apart.
func sameTitle(a, b, lang string) bool {
	x := contentWords(sectionNumber.ReplaceAllString(a, ""), lang)
	y := contentWords(sectionNumber.ReplaceAllString(b, ""), lang)
	if jaccard(x, y) < titlesAlike {
		return false
	}
	for w := range x {
		if !y[w] && strings.ContainsAny(w, "0123456789") {
			return false
		}
	}
	for w := range y {
		if !x[w] && strings.ContainsAny(w, "0123456789") {
			return false
		}
	}
	return true
}

func (m mergedItem) bucket() wstk.Bucket {
	b := wstk.Bucket{Title: m.parts[0].title}
	for _, it := range m.parts {
		u := it.page.doc.URL
		if !contains(b.Pages, u) {
			b.Pages = append(b.Pages, u)
		}
		switch {
		case it.data != nil:
			b.Places = append(b.Places, *it.data)
		case it.span.end > it.span.start:
			o := it.page.offsets()
			b.Places = append(b.Places, wstk.Place{URL: u, Element: -1, Span: &wstk.Span{
				CharStart: o.Char(it.span.start), CharEnd: o.Char(it.span.end), ByteStart: it.span.start, ByteEnd: it.span.end}})
		}
	}
	g := m.parts[0].group
	under := ""
	if g.label != "" {
		under = " under “" + clip(g.label) + "”"
	}
	b.Rationale = fmt.Sprintf("one of %d %s%s", len(g.items), g.what, under)
	if n := len(b.Pages); n > 1 {
		b.Rationale += fmt.Sprintf("; %d pages show it", n)
	}
	return b
}

// ownPage is the address of the page an item links to by its title.
func (m mergedItem) ownPage() string {
	for _, it := range m.parts {
		if it.link != "" {
			if u, err := text.Resolve(it.page.doc.URL, it.link); err == nil {
				return u
			}
		}
		for _, l := range it.page.doc.Links {
			if l.Main && strings.TrimSpace(l.Text) == it.title && sameHost(l.URL, it.page.doc.URL) {
				if i := strings.IndexByte(l.URL, '#'); i >= 0 {
					continue
				}
				return l.URL
			}
		}
	}
	return ""
}

func sameHost(a, b string) bool { return text.HostKey(a) == text.HostKey(b) }

// titled tells whether a page is about an item: its title or first heading holds
// the item's words.
func titled(d *wstk.Document, title string) bool {
	lang := d.Meta.Language
	want := contentWords(title, lang)
	if len(want) == 0 {
		return false
	}
	for _, s := range []string{d.Meta.Title, headingOf(d)} {
		got := contentWords(s, lang)
		n := 0
		for w := range want {
			if got[w] {
				n++
			}
		}
		if float64(n) >= 0.75*float64(len(want)) {
			return true
		}
	}
	return false
}

// hitsOf keeps the hits on an item's pages, and where it has a place, those that
// touch it.
func hitsOf(hits []wstk.Hit, b wstk.Bucket) []wstk.Hit {
	var out []wstk.Hit
	for _, h := range hits {
		if !contains(b.Pages, h.URL) {
			continue
		}
		placed, touches := false, false
		for _, pl := range b.Places {
			if pl.URL == h.URL && pl.Span != nil && h.Span != nil {
				placed = true
				touches = touches || pl.Span.ByteStart < h.Span.ByteEnd && h.Span.ByteStart < pl.Span.ByteEnd
			}
		}
		if !placed || touches {
			out = append(out, h)
		}
	}
	return out
}
