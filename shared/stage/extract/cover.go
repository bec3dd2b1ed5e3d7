package extract

import (
	"math"

	"wstk/shared/stage/extract/choice"
)

// How much a query term counts that is not in the unit itself but around it. A short sentence
// under the right heading answers; a sentence on a page with the right title may.
const (
	creditSynonym = 0.75
	creditHeader  = 0.85 // header row, defined term, lead-in, and what a lead-in leads to
	creditNear    = 0.8  // title of its own section
	creditFar     = 0.65 // titles above
	creditTitle   = 0.55 // title of the page
	creditBefore  = 0.65 // the sentence before
	creditAround  = 0.55 // the rest of its block or definition
	creditSection = 0.35 // elsewhere in its section
	creditGranted = 0.95 // title of the page, or heading, that is about what is asked
	creditNaming  = 0.8  // the unit has a value of the kind it names

	// A word borrowed from another part of the query is worth this much of its own.
	creditBorrowed = 0.35
	// So is a word that says little.
	creditLight = 0.35
)

// background is how many units without any of the query's words are assumed beside those of
// the pages, so that a word is not rare only because a single short page lacks it.
const background = 100

// weigh sets the weight of each term by how many units of the pages hold it: the inverse
// document frequency of BM25, never negative.
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

// wholeName is the share of a name's weight that the name has as one word; the rest belongs
// to its parts.
const wholeName = 0.6

// cover computes which share of the query u and its surroundings hold, and which
// share u holds itself of what its page, or the term it defines, does not already
// grant: on a page about Madison, "the population of Madison" asks for the
// population.
func (q *question) cover(c *candidate, valued bool) {
	u, around := c.unit, surroundingsOf(c.page, c.unit)
	var coverage, inside float64
	var covers, firm termSet
	asked, open := 0.0, false
	for i := range q.terms {
		t := &q.terms[i]
		granted := around.granted.has(i)
		if !granted && !t.borrowed {
			asked += t.weight
			open = open || !t.light
		}
		if u.synonym.has(i) && !granted {
			inside += t.weight * creditSynonym
		}
		if u.own.has(i) && !granted {
			inside += t.weight
		}
		_, credit := around.nearest(i, valued && t.naming && q.want.kind.telling())
		coverage += credit * t.weight
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
	if open {
		inside /= asked
	} else if q.total > 0 { // the title asks the whole question
		inside = (q.weightOf(u.own) + creditSynonym*q.weightOf(u.synonym)) / q.total
	}
	inside = min(inside, 1) // what is borrowed comes on top
	// In scripts without spaces a pair of characters is taken for a word; every second pair
	// is of two words, and is found by chance only.
	if q.pairs > 0 {
		full := 1 - 0.45*q.pairs
		coverage, inside = min(1, coverage/full), min(1, inside/full)
	}
	c.coverage, c.inside, c.covers, c.firm = coverage, inside, covers, firm
}

// surroundings are a unit with the terms that what is around it holds.
type surroundings struct {
	*unit
	under   sectionTerms // of its section
	title   termSet
	granted termSet // by a title or a term that is about what is asked
}

func surroundingsOf(p *page, u *unit) surroundings {
	s := surroundings{unit: u, title: p.title}
	if u.section >= 0 && u.section < len(p.sections) {
		s.under = p.sections[u.section]
	}
	if p.fits {
		s.granted = p.title
	}
	if u.defines {
		s.granted |= u.headerOwn
	}
	return s
}

// nearest is the nearest place that holds a term, and how much the term counts there; 0
// where none does. named says that it names the kind of a value that the unit holds. The order
// of the places is the rule.
func (s *surroundings) nearest(term int, named bool) (choice.Feature, float64) {
	for _, at := range []struct {
		holds  termSet
		place  choice.Feature
		credit float64
	}{
		{s.own, choice.Own, 1},
		{s.granted, choice.Title, creditGranted},
		{s.headerOwn, choice.Header, creditHeader},
		{s.led, choice.Led, creditHeader},
		{only(term, named), choice.Named, creditNaming},
		{s.fitting(), choice.Near, creditGranted},
		{s.under.near, choice.Near, creditNear},
		{s.synonym, choice.Synonym, creditSynonym},
		{s.under.far, choice.Far, creditFar},
		{s.title, choice.Title, creditTitle},
		{s.before, choice.Before, creditBefore},
		{s.around, choice.Around, creditAround},
		{s.under.body, choice.Body, creditSection},
	} {
		if at.holds.has(term) {
			return at.place, at.credit
		}
	}
	return choice.Missing, 0
}

// speaks reports whether the unit, its headings, or what introduces it or is led to by it hold a
// term; the sentence before may speak of something else.
func (s *surroundings) speaks(term int) bool {
	return (s.own | s.synonym | s.headerOwn | s.led | s.granted | s.under.near | s.under.far).
		has(term)
}

// only is the set of a term, or the empty set.
func only(term int, there bool) termSet {
	if !there {
		return 0
	}
	return 1 << uint(term)
}

// fitting are the terms of the section's title if that is about what is asked.
func (s *surroundings) fitting() termSet {
	if !s.under.fits {
		return 0
	}
	return s.under.near
}

// wordSignals say where the words of the question are.
func (q *question) wordSignals(c *candidate) {
	f, u := &c.row, c.unit
	around := surroundingsOf(c.page, u)
	f[choice.Coverage], f[choice.Inside] = c.coverage, c.inside
	f[choice.Headed] = min(1, q.headed(c))
	held, near, words := u.own|u.synonym, c.near(), 0.0
	rarest := -1
	for i := range q.terms {
		t := &q.terms[i]
		named := c.value != nil && t.naming && q.want.kind.telling()
		place, _ := around.nearest(i, named)
		f[place] += t.weight / q.total
		if !t.borrowed && (rarest < 0 || t.weight > q.terms[rarest].weight) {
			rarest = i
		}
		switch {
		case u.own.has(i):
			words++
		case near.has(i), named:
			words += 0.7
		}
	}
	f[choice.Words] = min(words/(1+0.7*q.pairs), 4) / 4
	f[choice.Heaviest] = number(rarest >= 0 && held.has(rarest))
	f[choice.Firm] = number(rarest >= 0 && (c.firm | held).has(rarest))
	f[choice.WithBefore] = q.weightOf(held|c.beside(-1)) / q.total
	f[choice.WithAfter] = q.weightOf(held|c.beside(1)) / q.total
	var nearby termSet
	for _, v := range c.page.units[max(0, c.at-2):min(c.at+3, len(c.page.units))] {
		nearby |= v.own | v.synonym
	}
	f[choice.Window] = q.weightOf(nearby) / q.total
}

// beside are the terms of the unit before a candidate, or after it, in its section.
func (c *candidate) beside(by int) termSet {
	i := c.at + by
	if i < 0 || i >= len(c.page.units) || c.page.units[i].section != c.unit.section {
		return 0
	}
	return c.page.units[i].own | c.page.units[i].synonym
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

// namesMissing reports whether a proper name or a number of the query is missing:
// nowhere on the page, or not in the unit and what is right around it.
func (q *question) namesMissing(p *page, held termSet) (unnamed, elsewhere float64) {
	for i, t := range q.terms {
		if !t.name || held.has(i) {
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

// adjacency is the share of neighbouring pairs of query terms that are also neighbours in the
// unit.
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
