package extract

import (
	"math"
	"sort"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// How much a query term counts that does not stand in the unit itself but in what
// surrounds it. A short sentence under the right heading answers; a sentence on a
// page with the right title may.
const (
	creditSynonym = 0.75
	creditHeader  = 0.85 // header row, defined term, introduction of the list
	creditNear    = 0.8  // title of its own section
	creditFar     = 0.65 // titles above
	creditTitle   = 0.55 // title of the page
	creditBefore  = 0.65 // the sentence before
	creditAround  = 0.55 // the rest of its block or definition
	creditSection = 0.35 // elsewhere in its section
	creditGranted = 0.95 // title of the page, or heading, that is about what is asked
	creditNaming  = 0.8  // a value of the kind it names stands in the unit

	// A word borrowed from another part of the query is worth this much of its own.
	creditBorrowed = 0.35
	// So is a word that says little.
	creditLight = 0.35
)

// candidate is a unit that may answer.
type candidate struct {
	page     *page
	unit     *unit
	coverage float64 // share of the query's weight that it and its surroundings hold, 0–1
	inside   float64 // the same for the unit alone, synonyms included
	covers   termSet // terms held, by the unit or by its surroundings
	firm     termSet // those held by the unit, its headings, or what leads to it
	score    float64
	signals  signals
	value    *text.Value // of the wanted kind, nearest to the query's words
}

// background is how many units without any of the query's words are imagined
// beside those at hand, so that a single short page does not make every word it
// lacks look rare.
const background = 100

// weigh sets the weight of each term from how many of the units at hand hold it:
// the inverse document frequency of BM25, never negative.
func weigh(q *question, pages []*page) {
	df := make([]int, len(q.terms))
	n := background
	for _, p := range pages {
		n += len(p.units)
		for i := range p.units {
			u := &p.units[i]
			for s := u.own; s != 0; s &= s - 1 {
				df[trailingZeros(s)]++
			}
		}
	}
	for i := range q.terms {
		t := &q.terms[i]
		t.weight = max(math.Log(1+(float64(n)-float64(df[i])+0.5)/(float64(df[i])+0.5)), 0.05)
		if t.borrowed {
			t.weight *= creditBorrowed
		}
		if t.light {
			t.weight *= creditLight
		}
	}
	// A name and its parts together weigh what the name does.
	for i := range q.terms {
		t := &q.terms[i]
		n := 0
		for s := t.parts; s != 0; s &= s - 1 {
			n++
		}
		for s := t.parts; s != 0; s &= s - 1 {
			q.terms[trailingZeros(s)].weight = (1 - wholeName) * t.weight / float64(n)
		}
		if n > 0 {
			t.weight *= wholeName
		}
	}
	q.total = 0
	for i := range q.terms {
		q.total += q.terms[i].weight
	}
}

// wholeName is how much of a name's weight stands for the name as one word, the
// rest for its parts.
const wholeName = 0.6

// cover computes which share of the query u and its surroundings hold, and which
// share u holds itself of what its page does not already grant: on a page about
// Madison, "the population of Madison" asks for the population.
func (q *question) cover(c *candidate, valued bool) {
	p, u := c.page, c.unit
	var coverage, inside float64
	var covers, firm termSet
	var sec sectionTerms
	if u.section >= 0 && u.section < len(p.sections) {
		sec = p.sections[u.section]
	}
	var granted termSet
	if p.fits {
		granted = p.title
	}
	near := creditNear
	if sec.fits {
		near = creditGranted
	}
	asked := 0.0
	for i := range q.terms {
		w := q.terms[i].weight
		if !granted.has(i) {
			asked += w
		}
		credit := 0.0
		switch {
		case u.own.has(i):
			credit = 1
			if !granted.has(i) {
				inside += w
			}
		case granted.has(i):
			credit = creditGranted
		case u.headerOwn.has(i):
			credit = creditHeader
		case valued && q.terms[i].naming && q.want.kind.telling():
			credit = creditNaming
		case sec.near.has(i):
			credit = near
		case u.synonym.has(i):
			credit = creditSynonym
			inside += w * creditSynonym
		case sec.far.has(i):
			credit = creditFar
		case p.title.has(i):
			credit = creditTitle
		case u.before.has(i):
			credit = creditBefore
		case u.around.has(i):
			credit = creditAround
		case sec.body.has(i):
			credit = creditSection
		default:
			continue
		}
		coverage += credit * w
		if credit > creditSection {
			covers |= 1 << uint(i)
		}
		if credit > creditAround {
			firm |= 1 << uint(i)
		}
	}
	if q.total > 0 {
		coverage /= q.total
	}
	if asked > 0 {
		inside /= asked
	} else if q.total > 0 { // the title asks the whole question
		inside = q.weightOf(u.own) / q.total
	}
	// Of the pairs of characters that stand for words in scripts without spaces,
	// every second one straddles two words and is found by chance only.
	if q.pairs > 0 {
		full := 1 - 0.45*q.pairs
		coverage, inside = min(1, coverage/full), min(1, inside/full)
	}
	c.coverage, c.inside, c.covers, c.firm = coverage, inside, covers, firm
}

// shortlist is how many units are looked at closely, values and all.
const shortlist = 250

// rank scores the units of pages and returns the best first.
func (q *question) rank(pages []*page) []candidate {
	var cands []candidate
	for _, p := range pages {
		for i := range p.units {
			u := &p.units[i]
			valued := q.want.kind.shows(p.text(u))
			if !valued && u.own == 0 && u.synonym == 0 && u.headerOwn == 0 &&
				(u.section < 0 || u.section >= len(p.sections) || p.sections[u.section].near == 0) {
				continue
			}
			c := candidate{page: p, unit: u}
			q.cover(&c, valued)
			c.score = c.coverage + 0.3*c.inside
			cands = append(cands, c)
		}
	}
	order(cands)
	if len(cands) > shortlist {
		cands = cands[:shortlist]
	}
	kept := cands[:0]
	for _, c := range cands {
		if q.close(&c) {
			kept = append(kept, c)
		}
	}
	order(kept)
	return kept
}

// order sorts best first; equal scores stand in the order of the pages.
func order(cands []candidate) {
	sort.SliceStable(cands, func(i, j int) bool {
		a, b := &cands[i], &cands[j]
		if a.score != b.score {
			return a.score > b.score
		}
		if a.page.order != b.page.order {
			return a.page.order < b.page.order
		}
		return a.unit.start < b.unit.start
	})
}

// signals are what speaks for and against a candidate, each about 0 to 1.
type signals struct {
	coverage  float64 // of the query, by the unit and its surroundings
	inside    float64 // of the query, by the unit alone
	density   float64 // how much of the unit is words of the query
	tight     float64 // how close together these stand
	adjacent  float64 // pairs of neighbouring query words that are neighbours here
	value     float64 // it holds a value of the wanted kind
	near      float64 // how close the value stands to the query's words
	lacking   float64 // it holds none, though the kind has a form
	rank      float64 // how high recall ranked its passage
	opens     float64 // it is the first of what stands under a heading that fits
	defines   float64 // it says what the thing is, where that is asked
	suits     float64 // it gives a reason where one is asked, or says what to do
	frame     float64 // it stands outside the main content
	heading   float64
	code      float64
	row       float64
	label     float64 // its first cell or label is what is asked for
	lead      float64 // it opens a page that is about what is asked
	long      float64 // beyond what a sentence should have
	short     float64
	unnamed   float64 // a name or a number of the query is nowhere on its page
	elsewhere float64 // a name or a number of the query is not in it or right around it
}

// score weighs the signals. The weights were fitted by logistic regression on
// labelled questions and rounded by hand; docs/benchmarks has the figures.
func (s signals) score() float64 {
	return s.coverage + 0.16*s.inside + 0.17*s.density + 0.07*s.tight + 0.05*s.adjacent +
		0.12*s.value + 0.13*s.near - 0.10*s.lacking + 0.26*s.rank + 0.04*s.opens + 0.18*s.defines + 0.08*s.suits -
		0.08*s.frame - 0.22*s.heading - 0.15*s.code + 0.04*s.row + 0.33*s.label + 0.15*s.lead - 0.12*s.long - 0.12*s.short - 0.25*s.unnamed - 0.08*s.elsewhere
}

// close looks at a candidate's words: whether it holds a value of the wanted kind,
// whether it says anything beyond the question's own words, and what kind of
// place it is. It reports false for what cannot be an answer.
func (q *question) close(c *candidate) bool {
	p, u := c.page, c.unit
	s := p.text(u)
	if p.linked(s) || isAddress(s) && q.want.kind != urlKind {
		return false // the text of a link says where something is, not what it is
	}
	if isQuestion(s) {
		return false
	}
	matched, window, words := p.matched(u)
	c.value = q.valueIn(p, u)
	if u.words-matched <= 0 && c.value == nil && q.want.kind != yesNoKind && !introduces(s) {
		return false // it only repeats the question
	}
	q.cover(c, c.value != nil)
	if c.value == nil && u.kind == wstk.BlockHeading {
		return false // a heading announces; only a value in it answers
	}
	f := signals{coverage: c.coverage, inside: c.inside, adjacent: q.adjacency(p, u)}
	if u.words > 0 {
		f.density = min(1, float64(matched)/float64(u.words))
	}
	if words > 1 {
		f.tight = min(1, float64(words)*8/float64(max(window, 1)))
	}
	switch {
	case c.value != nil:
		f.value = q.want.kind.fit(*c.value)
		f.near = f.value / (1 + float64(p.distance(u, u.start+c.value.Start, u.start+c.value.End))/40)
		f.lacking = 1 - f.value
	case q.want.hard:
		f.lacking = 2
	case q.want.kind.typed():
		f.lacking = 1
	}
	if u.rank > 0 {
		f.rank = 1 / math.Sqrt(float64(u.rank))
	}
	if !p.doc.Blocks[u.block].Main && !q.want.kind.contact() {
		f.frame = 1
	}
	f.opens = q.opens(p, u)
	switch u.kind {
	case wstk.BlockCode:
		f.code = 1
	case wstk.BlockHeading:
		f.heading = 1
	case wstk.BlockTableRow:
		f.row = 1
	}
	f.label = q.weightOf(u.label) / q.total
	f.lead = q.leads(p, u)
	f.long = float64(min(max(u.words-40, 0), 40)) / 40
	if u.words <= 2 && u.kind != wstk.BlockTableRow && c.value == nil {
		f.short = 1
	}
	if q.want.kind == definitionKind {
		f.defines = q.definesIt(p, u)
	}
	if q.want.kind == reasonKind && givesReason(s) || q.want.kind == methodKind && instructs(s) {
		f.suits = 1
	}
	f.unnamed, f.elsewhere = q.namesMissing(p, u, c.covers)
	c.signals = f
	c.score = f.score()
	return true
}

// matched counts the content words of u that are the query's, how many different
// ones there are, and how many bytes lie between the first and the last of the
// closest run that holds them all.
func (p *page) matched(u *unit) (n, window, different int) {
	ms := p.marks[u.marks[0]:u.marks[1]]
	var all termSet
	end := -1
	for _, m := range ms {
		if m.start >= end { // parts of one word count once
			n++
			end = m.end
		}
		all |= 1 << uint(m.term)
	}
	for s := all; s != 0; s &= s - 1 {
		different++
	}
	if different < 2 {
		return n, 0, different
	}
	var count [maxTerms]int
	have, from := 0, 0
	window = 1 << 30
	for to := range ms {
		if count[ms[to].term]++; count[ms[to].term] == 1 {
			have++
		}
		for have == different {
			window = min(window, ms[to].end-ms[from].start)
			if count[ms[from].term]--; count[ms[from].term] == 0 {
				have--
			}
			from++
		}
	}
	return n, window, different
}

// opens tells how well a unit stands for its section: the first sentence under a
// heading, or the first of a definition, counts by how much of the query the
// heading or the term holds.
func (q *question) opens(p *page, u *unit) float64 {
	if u.kind == wstk.BlockDefinition && u.first && u.headerOwn != 0 {
		return q.weightOf(u.headerOwn) / q.total
	}
	if u.section < 0 || u.section >= len(p.sections) || p.sections[u.section].near == 0 || u.kind == wstk.BlockHeading {
		return 0
	}
	share := q.weightOf(p.sections[u.section].near) / q.total
	switch n := u.block - p.sections[u.section].head; {
	case n == 1 && u.first:
		return share
	case n == 1:
		return 0.6 * share
	case n == 2:
		return 0.4 * share
	}
	return 0
}

// leads tells whether u is among the first sentences of a page that is about what
// is asked, where the question is what that is.
func (q *question) leads(p *page, u *unit) float64 {
	if q.want.kind != definitionKind || !p.fits || p.lead < 0 || u.kind == wstk.BlockHeading || u.kind == wstk.BlockCode {
		return 0
	}
	if q.weightOf(p.title) < 0.7*q.total {
		return 0
	}
	switch n := u.block - p.lead; {
	case n == 0 && u.first:
		return 1
	case n == 0, n == 1:
		return 0.6
	}
	return 0
}

// definesIt tells whether u says what the query's words are: they open it, and a
// verb of defining follows, or they are the defined term.
func (q *question) definesIt(p *page, u *unit) float64 {
	if u.kind == wstk.BlockDefinition && u.first && q.weightOf(u.headerOwn) >= 0.9*q.total {
		return 1
	}
	ms := p.marks[u.marks[0]:u.marks[1]]
	var seen termSet
	end := 0
	const early = 90
	for _, m := range ms {
		if m.start-u.start > early {
			break
		}
		seen |= 1 << uint(m.term)
		end = m.end - u.start
	}
	for _, d := range namers { // "a journal is said to be hot if"
		if i := strings.Index(p.text(u), d); i >= 0 && i < early {
			at := u.start + i + len(d)
			for _, m := range ms {
				if m.start >= at && m.start-at < early/3 && q.weightOf(u.own) >= 0.9*q.total {
					return 1
				}
			}
		}
	}
	if q.weightOf(seen) < 0.8*q.total || end == 0 {
		return 0
	}
	s := p.text(u)
	tail := s[end:]
	const soon = 30
	if len(tail) > soon {
		tail = tail[:soon]
	}
	tail = " " + strings.TrimLeft(tail, " \t\n\"”'’)(,")
	opening := ms[0].start-u.start < 20
	for _, d := range definers {
		if i := strings.Index(tail, d.words); i >= 0 {
			if i < 3 && opening {
				return d.weight
			}
			return 0.5 * d.weight
		}
	}
	return 0
}

// namesMissing tells whether a proper name or a number of the query is missing:
// nowhere on the page, or not in the unit and what is right around it.
func (q *question) namesMissing(p *page, u *unit, covers termSet) (unnamed, elsewhere float64) {
	for i, t := range q.terms {
		if !t.name || covers.has(i) {
			continue
		}
		if p.everything.has(i) {
			elsewhere = 1
		} else {
			unnamed = 1
		}
	}
	return unnamed, elsewhere
}

// adjacency is the share of neighbouring pairs of query terms that also stand
// side by side in the unit.
func (q *question) adjacency(p *page, u *unit) float64 {
	if len(q.terms) < 2 {
		return 0
	}
	ms := p.marks[u.marks[0]:u.marks[1]]
	var seen termSet
	for i := 1; i < len(ms); i++ {
		a, b := ms[i-1], ms[i]
		if b.term == a.term+1 && b.start-a.end <= 12 {
			seen |= 1 << uint(a.term)
		}
	}
	n := 0
	for ; seen != 0; seen &= seen - 1 {
		n++
	}
	return float64(n) / float64(len(q.terms)-1)
}

// telling is true of kinds whose values say by their form what they are: where an
// e-mail address stands, the word "e-mail" need not. A number may be anything.
func (k kind) telling() bool {
	switch k {
	case moneyKind, percentKind, dateKind, timeKind, versionKind, sinceKind, emailKind, phoneKind, urlKind:
		return true
	}
	return false
}

// contact tells kinds that stand in headers and footers.
func (k kind) contact() bool {
	return k == emailKind || k == phoneKind || k == placeKind || k == timeKind || k == urlKind
}

// linked tells whether a unit is nothing but the text of links.
func (p *page) linked(s string) bool {
	s = strings.TrimSpace(s)
	if p.anchors[s] || p.anchors[sectionNumber.ReplaceAllString(s, "")] {
		return true
	}
	cells := strings.Split(s, "\t")
	for _, c := range cells {
		if c = strings.TrimSpace(c); c != "" && !p.anchors[c] {
			return false
		}
	}
	return len(cells) > 1
}

// isAddress tells whether a text is little more than a URL.
func isAddress(s string) bool {
	i := strings.Index(s, "://")
	if i < 0 {
		return false
	}
	s = strings.TrimLeft(s, " →-*•")
	n := strings.IndexAny(s, " \t\n")
	return strings.Contains(s[:max(n, 0)], "://") || n < 0
}

func isQuestion(s string) bool {
	s = strings.TrimRight(s, " \n\t\"”»)")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "؟")
}

// definers are verbs of defining, the surer first.
var definers = []struct {
	words  string
	weight float64
}{
	{" is a ", 1}, {" is an ", 1}, {" are a ", 1}, {" means ", 1}, {" refers to ", 1}, {" stands for ", 1}, {" is the ", 0.9}, {" is one ", 0.9}, {" are the ", 0.8},
	{" es un", 1}, {" est un", 1}, {" ist ein", 1}, {" ist die ", 0.9}, {" ist der ", 0.9}, {" — это", 1}, {" - это", 1}, {"是", 0.9}, {"とは", 1},
	{" are ", 0.6}, {" is ", 0.5}, {" allows ", 0.5}, {" provides ", 0.5},
}

// namers come before the name of what was just told.
var namers = []string{" is called ", " are called ", " known as ", " is said to be ", " referred to as ", " is termed ", " is considered "}

// defines tells whether s has the form of a definition, whatever of.
func defines(s string) bool {
	const head = 160
	if len(s) > head {
		s = s[:head]
	}
	for _, d := range definers {
		if strings.Contains(s, d.words) {
			return true
		}
	}
	return false
}

var reasons = []string{"because", "since ", "due to", "in order to", "so that", "reason", "therefore", "thus ", "as a result", "porque", "debido a", "parce que", "weil ", "потому что", "так как", "из-за", "因为", "由于", "ため"}

func givesReason(s string) bool {
	s = strings.ToLower(s)
	for _, r := range reasons {
		if strings.Contains(s, r) {
			return true
		}
	}
	return false
}

// instructions are words that tell what to do.
var instructions = set("use using run call set add specify enable disable type enter click choose select open invoke create pass can must should by instead")

// instructs tells whether s says what to do: it has a word of instruction, and
// does not merely tell of oneself.
func instructs(s string) bool {
	w := wordsOf(s)
	for i, x := range w {
		if i < 12 && x.text == "i" {
			return false
		}
		if instructions[x.text] {
			return true
		}
	}
	return false
}
