package extract

import (
	"math"
	"sort"

	"wstk/shared/value"
	"wstk/shared/wstk"
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
	value    *value.Value // of the wanted kind, nearest to the query's words
	others   bool         // see page.others
}

// shortlist is how many units are looked at closely, values and all.
const shortlist = 250

// rank scores the units of pages and returns the best first.
func (q *question) rank(pages []*page) []candidate {
	var cands []candidate
	for _, p := range pages {
		for i := range p.units {
			if q.over() {
				return nil
			}
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
		if !q.over() && q.close(&c) {
			c.others = c.page.others(c.unit)
			kept = append(kept, c)
		}
	}
	order(kept)
	return kept
}

// order sorts best first, equal scores in the order of the pages.
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
	tight     float64 // how close together these are
	adjacent  float64 // pairs of neighbouring query words that are neighbours here
	value     float64 // it holds a value of the wanted kind
	near      float64 // how close the value is to the query's words
	counted   float64 // the value counts what is to be counted
	lacking   float64 // it holds none, though the kind has a form
	rank      float64 // how high recall ranked its passage
	opens     float64 // it is the first unit under a heading that fits
	defines   float64 // it says what the thing is, where that is asked
	suits     float64 // it gives a reason where one is asked, says what to do, or whether
	frame     float64 // it is outside the main content
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

// score weighs the signals. The weights were fitted by pairwise logistic
// regression, to rank sentences that hold a labelled answer before others, on
// questions over encyclopedia paragraphs in Spanish, Russian and Chinese (XQuAD),
// over Wikipedia infoboxes and over six documentation sites, and rounded by hand.
func (s signals) score() float64 {
	return s.coverage + 0.16*s.inside + 0.17*s.density + 0.07*s.tight + 0.05*s.adjacent +
		0.12*s.value + 0.13*s.near + 0.15*s.counted - 0.10*s.lacking + 0.26*s.rank + 0.04*s.opens +
		0.18*s.defines + 0.08*s.suits -
		0.14*s.frame - 0.22*s.heading - 0.15*s.code + 0.04*s.row + 0.33*s.label +
		0.15*s.lead - 0.12*s.long - 0.12*s.short - 0.25*s.unnamed - 0.08*s.elsewhere
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
	if u.asks || isQuestion(s) || p.roleOf(u).has(never) {
		return false
	}
	matched, window, words := p.matched(u)
	c.value = q.valueIn(p, u)
	if u.words-matched <= 0 && c.value == nil && q.want.kind != yesNoKind && u.leads.empty() {
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
	f.opens = q.opens(p, u)
	f.label = q.weightOf(u.label) / q.total
	f.lead = q.leads(p, u)
	f.long = float64(min(max(u.words-40, 0), 40)) / 40
	if u.words <= 2 && u.kind != wstk.BlockTableRow && c.value == nil {
		f.short = 1
	}
	if q.want.kind == definitionKind {
		f.defines = q.definesIt(p, u)
	}
	if q.want.kind.suitedBy(s) {
		f.suits = 1
	}
	f.unnamed, f.elsewhere = q.namesMissing(p, c.firm)
	q.valueSignals(c, &f)
	q.placeSignals(c, &f)
	c.signals = f
	c.score = f.score()
	return true
}

// valueSignals say how well the value of a candidate answers, or that it lacks one.
func (q *question) valueSignals(c *candidate, f *signals) {
	p, u := c.page, c.unit
	switch {
	case c.value != nil:
		f.value = q.want.kind.fit(*c.value)
		f.near = f.value / (1 + float64(
			p.distance(u, u.start+c.value.Start, u.start+c.value.End))/40)
		f.lacking = 1 - f.value
		if q.count >= 0 && q.counted(p, u, *c.value) {
			f.counted = 1
		}
	case q.want.hard:
		f.lacking = 2
	case q.want.kind.typed():
		f.lacking = 1
	}
}

// placeSignals say where on its page a candidate is.
func (q *question) placeSignals(c *candidate, f *signals) {
	u := c.unit
	if u.rank > 0 {
		f.rank = 1 / math.Sqrt(float64(u.rank))
	}
	if !c.page.doc.Blocks[u.block].Main && !q.want.kind.contact() {
		f.frame = 1
	}
	switch u.kind {
	case wstk.BlockCode:
		f.code = 1
	case wstk.BlockHeading:
		f.heading = 1
	case wstk.BlockTableRow:
		f.row = 1
	}
}

// suitedBy reports whether words have the form of an answer of kind k: they give a reason,
// say what to do, or decide.
func (k kind) suitedBy(s string) bool {
	switch k {
	case reasonKind:
		return givesReason(s)
	case methodKind:
		return instructs(s)
	case yesNoKind:
		return decides(s)
	}
	return false
}

// telling reports whether values of a kind say by their form what they are: beside an e-mail
// address the word "e-mail" is not needed. A number may be anything.
func (k kind) telling() bool {
	switch k {
	case moneyKind, percentKind, dateKind, timeKind, versionKind, sinceKind, emailKind,
		phoneKind, urlKind:
		return true
	}
	return false
}

// contact reports whether headers and footers may have values of a kind.
func (k kind) contact() bool {
	return k == emailKind || k == phoneKind || k == placeKind || k == timeKind || k == urlKind
}
