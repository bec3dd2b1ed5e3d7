package extract

import (
	"math"
	"slices"
	"sort"

	"wstk/shared/stage/extract/choice"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// candidate is a unit that may answer.
type candidate struct {
	page     *page
	unit     *unit
	at       int     // the unit's place on its page
	coverage float64 // share of the query's weight that it and its surroundings hold, 0–1
	inside   float64 // the same for the unit alone, synonyms included
	covers   termSet // terms held, by the unit or by its surroundings
	firm     termSet // those held by the unit, its headings, or what leads to it
	score    float64
	row      choice.Row
	value    *value.Value // of the wanted kind, nearest to the query's words
	others   bool         // see page.others
}

// shortlist is how many units are looked at closely, values and all.
const shortlist = 250

// foundFirst is how many of recall's first passages are looked at whole, also where they have
// no word of the query: a user's words are often not those of the page.
const foundFirst = 5

// fewPages is how many pages of several sites are searched for values of the kind that is asked
// for, with or without a word of the query beside them: a page that a client names may have only
// the value.
const fewPages = 8

// rank scores the units of pages and returns the best first.
func (q *question) rank(pages []*page) []candidate {
	cands := q.candidates(pages)
	orderRows(cands)
	if err := q.compareMeaning(cands); err != nil {
		q.call.err = err
		return nil
	}
	orderRows(cands)
	return cands
}

// orderRows sorts by the features.
func orderRows(cands []candidate) {
	for i := range cands {
		cands[i].score = cands[i].row.Order()
	}
	order(cands)
}

// candidates describes the units of pages that may answer, in no order.
func (q *question) candidates(pages []*page) []candidate {
	cands := q.shortlisted(pages)
	kept := cands[:0]
	for _, c := range cands {
		if !q.over() && q.close(&c) {
			c.others = c.page.others(c.unit)
			kept = append(kept, c)
		}
	}
	compare(kept)
	return kept
}

// shortlisted are the units that hold most of the question, with what is around them.
func (q *question) shortlisted(pages []*page) []candidate {
	var cands []candidate
	q.few = len(pages) <= fewPages && slices.ContainsFunc(pages, func(p *page) bool {
		return siteOf(p.doc.URL) != siteOf(pages[0].doc.URL)
	})
	for _, p := range pages {
		for i := range p.units {
			if q.over() {
				return nil
			}
			u := &p.units[i]
			valued := q.want.kind.shows(p.text(u)) ||
				q.few && q.want.kind.typed() && q.valueIn(p, u) != nil
			found := u.rank > 0 && u.rank <= foundFirst && u.words > 2
			if !valued && !found && !p.touches(u) {
				continue
			}
			c := candidate{page: p, unit: u, at: i}
			q.cover(&c, valued)
			c.score = c.coverage + 0.3*c.inside
			if found {
				c.score += 0.6 / math.Sqrt(float64(u.rank))
			}
			cands = append(cands, c)
		}
	}
	order(cands)
	return cands[:min(shortlist, len(cands))]
}

// touches reports whether a unit, its header or the title of its section has a term of the
// question.
func (p *page) touches(u *unit) bool {
	return u.own|u.synonym|u.headerOwn != 0 ||
		u.section >= 0 && u.section < len(p.sections) && p.sections[u.section].near != 0
}

// passageKey names a passage that recall found.
type passageKey struct {
	page    *page
	passage int
}

// besideMost are the features that compare a candidate with the largest value of another.
var besideMost = []struct{ of, to choice.Feature }{{choice.Own, choice.OwnBest},
	{choice.Coverage, choice.CoverageBest}, {choice.Window, choice.WindowBest},
	{choice.Passage, choice.PassageBest}}

// compare fills in the features that say how a candidate stands beside the others.
func compare(cands []candidate) {
	var most choice.Row
	for i := range cands {
		for f, v := range cands[i].row {
			most[f] = max(most[f], v)
		}
	}
	inPassage := map[passageKey]float64{}
	for i := range cands {
		c := &cands[i]
		if k := (passageKey{c.page, c.unit.passage}); c.unit.rank > 0 {
			inPassage[k] = max(inPassage[k], c.row[choice.Coverage])
		}
	}
	for i := range cands {
		r := &cands[i].row
		k := passageKey{cands[i].page, cands[i].unit.passage}
		if most := inPassage[k]; cands[i].unit.rank > 0 && most > 0 {
			r[choice.PassageBestUnit] = r[choice.Coverage] / most * r[choice.Score]
		}
		for _, f := range besideMost {
			if most[f.of] > 0 {
				r[f.to] = r[f.of] / most[f.of]
			}
		}
	}
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

// explain says why a candidate leads, and how likely what is quoted of it answers.
func (q *question) explain(c *candidate, belief float64) {
	const most = 5
	if q.call == nil || q.call.explain == nil {
		return
	}
	q.call.explain(q.call.ctx, Chosen{Belief: belief, Why: c.row.Why(most)})
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
	role := p.roleOf(u)
	if u.asks || isQuestion(s) || role.has(never) ||
		!q.answersDefault(p, u, role) {
		return false
	}
	matched, window, words := p.matched(u)
	c.value = q.valueIn(p, u)
	if c.value == nil && p.leadsNowhere(u) {
		return false
	}
	if u.words-matched <= 0 && c.value == nil && q.want.kind != yesNoKind && u.leads.empty() &&
		len(value.Find(s, p.lang)) == 0 {
		return false // it only repeats the question
	}
	q.cover(c, c.value != nil)
	if c.value == nil && u.kind == wstk.BlockHeading {
		return false // a heading announces; only a value in it answers
	}
	f := &c.row
	q.wordSignals(c)
	f[choice.Density] = min(1, float64(matched)/float64(max(u.words, 1)))
	if words > 1 {
		f[choice.Tight] = min(1, float64(words)*8/float64(max(window, 1)))
	}
	f[choice.Adjacent] = q.adjacency(p, u)
	q.formSignals(c)
	f[choice.Example] = number(role.has(roleExample))
	f[choice.History] = number(role.has(roleHistory))
	f[choice.Caption] = number(role.has(roleCaption))
	q.valueSignals(c)
	q.placeSignals(c)
	return true
}

// formSignals say what kind of statement a candidate is.
func (q *question) formSignals(c *candidate) {
	p, u, f := c.page, c.unit, &c.row
	s := p.text(u)
	f[choice.Opens] = q.opens(p, u)
	f[choice.Label] = q.weightOf(u.label) / q.total
	f[choice.Lead] = q.leads(p, u)
	f[choice.Long] = float64(min(max(u.words-40, 0), 40)) / 40
	f[choice.Length] = math.Log1p(float64(u.words))
	if q.want.kind == definitionKind {
		f[choice.Defines] = q.definesIt(p, u)
	}
	f[choice.Short] = number(u.words <= 2 && u.kind != wstk.BlockTableRow && c.value == nil)
	f[choice.Suits] = number(q.want.kind.suitedBy(s))
	f[choice.Leads] = number(!u.leads.empty())
	f[choice.First] = number(u.first)
	f[choice.Paired] = number(u.paired)
	f[choice.Unnamed], f[choice.Elsewhere] = q.namesMissing(p, c.firm)
	f[choice.Unrelated] = number(!q.relates(c))
	f[choice.Unmarked] = number(q.want.kind.marked() && c.value == nil)
	f[choice.Asked] = q.askedIn(c)
	f[choice.Negation] = number(negates().MatchString(s))
	f[choice.Instructs] = number(instructs(s))
	f[choice.Reason] = number(givesReason(s))
	f[choice.Token] = number(q.newToken(s))
	f[choice.TokenAsked] = f[choice.Token] * number(q.asksToken())
	f[choice.Default] = number(q.asksDefault() && formWords().holds("defaults", s))
	f[choice.Repeats] = f[choice.Own] * f[choice.Density]
	refers := number(formWords().opens("back references", s))
	f[choice.Typed], f[choice.Telling] = number(q.want.kind.typed()), number(q.want.kind.telling())
	f[choice.Terms] = float64(min(len(q.terms), 12)) / 12
	f[choice.Uncounted] = number(q.count >= 0 && (c.value == nil || !q.counted(p, u, *c.value)))
	f[choice.Refers] = refers
	f[choice.RefersTo] = refers * (f[choice.WithBefore] - f[choice.Own])
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// valueSignals say how well the value of a candidate answers, or that it lacks one.
func (q *question) valueSignals(c *candidate) {
	p, u, f := c.page, c.unit, &c.row
	switch {
	case c.value != nil:
		fit := q.want.kind.fit(*c.value)
		f[choice.Value] = fit
		f[choice.Close] = fit / (1 + float64(
			p.distance(u, u.start+c.value.Start, u.start+c.value.End))/40)
		f[choice.Lacking] = 1 - fit
		f[choice.Counted] = number(q.count >= 0 && q.counted(p, u, *c.value))
	case q.want.hard:
		f[choice.Lacking] = 2
	case q.want.kind.typed():
		f[choice.Lacking] = 1
	}
}

// placeSignals say where on its page a candidate is, and how recall found it.
func (q *question) placeSignals(c *candidate) {
	u, f := c.unit, &c.row
	held := c.page.title
	if s := u.section; s >= 0 && s < len(c.page.sections) {
		held |= c.page.sections[s].near | c.page.sections[s].far
		if c.page.unranked {
			held |= c.page.sections[s].body
		}
	}
	switch {
	case c.page.unranked: // no passage stands before another: all are in the middle
		f[choice.Rank], f[choice.Score], f[choice.PageRank] = 0.5, 0.5, 0.5
		f[choice.Passage] = q.weightOf(held) / q.total
	case u.rank > 0:
		f[choice.Rank] = 1 / math.Sqrt(float64(u.rank))
		f[choice.Score], f[choice.Top], f[choice.PageRank] = u.recalled, u.standsOut, c.page.ranked
		f[choice.Passage] = q.weightOf(held|c.page.passages[u.passage]) / q.total
	default:
		f[choice.PageRank] = c.page.ranked
	}
	f[choice.Frame] = number(!c.page.doc.Blocks[u.block].Main && !q.want.kind.contact())
	switch u.kind {
	case wstk.BlockCode:
		f[choice.IsCode] = 1
	case wstk.BlockHeading:
		f[choice.IsHeading] = 1
	case wstk.BlockTableRow:
		f[choice.IsRow] = 1
	case wstk.BlockListItem:
		f[choice.IsItem] = 1
	case wstk.BlockDefinition:
		f[choice.IsDefinition] = 1
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

// marked reports whether all values of a kind bear a mark: a currency, an @, a percent sign.
func (k kind) marked() bool {
	switch k {
	case moneyKind, percentKind, emailKind, phoneKind, urlKind:
		return true
	}
	return false
}

// contact reports whether headers and footers may have values of a kind.
func (k kind) contact() bool {
	return k == emailKind || k == phoneKind || k == placeKind || k == timeKind || k == urlKind
}
