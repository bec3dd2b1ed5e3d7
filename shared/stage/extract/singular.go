package extract

import (
	"math"
	"slices"
	"strings"

	"wstk/shared/stage/extract/choice"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// The thresholds of an answer.
const (
	// so much less is asked of a part of a compound query when another part was answered
	partSlack = 0.8
	// so much less where another site has a statement of the same thing, with its value or another
	attestedSlack = 2.0
	attesting     = 12  // candidates behind the first that are looked at for that
	likewise      = 0.5 // word overlap from which they may be such a statement
	// A sentence is quoted alone from this belief on, and nothing follows it.
	believedAt = 0.6
	// Others are shown beside what is believed less from this belief on.
	besideAt = 0.07
	// So are those of a query that asks for several things.
	besideJoined = 0.02

	maxAnswers = 4
	// share of a query that asks for several things, left open by the leading sentence, for another
	// to be looked for
	residualAt = 0.25
	alike      = 0.60 // word overlap from which two sentences say the same
	maxAlso    = 3    // pages quoted beside the leading one for saying the same
	maxListed  = 8    // items of a list that count as the words of what leads to it
)

// answers returns the candidates that answer q, leading first, and which terms
// they cover; none when nothing answers.
func (q *question) answers(pages []*page) ([]answer, termSet) {
	cands := q.rank(pages)
	led := q.lead(cands)
	if led == nil {
		return nil, 0
	}
	first, shown, belief := led.first()
	if shown != first && q.few && q.attested(led.cands) {
		shown = first // what two sites speak of is compared unit by unit
	}
	q.explain(first, belief)
	out := []answer{{candidate: *shown, also: q.also(first, cands)}}
	out[0].heard = q.witnesses(first, cands)
	out = q.addOpen(out, pages)
	if belief < believedAt || q.joins() {
		from := besideAt
		if q.joins() {
			from = besideJoined
		}
		out = q.addNext(out, led, from)
	} else {
		out = q.addDiffering(out, led)
	}
	if c := q.completes(shown, cands); c != nil && !merged(out, c) && !repeats(out, c) {
		out = slices.Insert(out, 1, answer{candidate: *c})
	}
	var covers termSet
	for i := range out {
		covers |= out[i].covers
	}
	return out, covers
}

// addOpen adds what answers the words that the first statement leaves open, where the query asks
// for several things: "in which versions did A and B arrive" may need two statements.
func (q *question) addOpen(out []answer, pages []*page) []answer {
	first := out[0]
	rest := q.without(first.firm)
	if rest == nil {
		return out
	}
	others := rest.lead(rest.rank(pages))
	if others == nil {
		return out
	}
	for _, c := range others.cands[:min(len(others.cands), maxAnswers)] {
		if !repeats(out, c) && c.unit.own&^first.firm != 0 {
			return append(out, answer{candidate: *c})
		}
	}
	return out
}

// leading are the candidates that may answer, best first, with what may be quoted of them.
type leading struct {
	cands    []*candidate
	spans    []choice.Span
	passages []passageOf // of spans
	belief   choice.Belief
}

// first returns the candidate that leads, what is quoted of it, and how likely that answers: the
// shortest quote that is believed, or the one that is believed most.
func (l *leading) first() (lead, shown *candidate, belief float64) {
	i := l.belief.Shortest(l.spans, believedAt)
	s := &l.spans[i]
	lead = l.cands[slices.Min(s.Holds)]
	belief = l.belief.In(s)
	if len(s.Holds) == 1 {
		return lead, lead, belief
	}
	return lead, lead.widen(l.passages[i], l.cands, s.Holds), belief
}

// alone is how likely the candidate at a place answers by itself.
func (l *leading) alone(i int) float64 { return l.belief.In(&choice.Span{Holds: []int{i}}) }

// addNext adds the candidates that may answer, too, with a belief from some on: those that hold
// words of the query which none before them does, or are believed almost as much.
func (q *question) addNext(out []answer, l *leading, from float64) []answer {
	const much, part = 0.1, 0.1
	first := out[0]
	held := first.firm
	for i, c := range l.cands {
		belief := l.alone(i)
		if len(out) == maxAnswers || belief < from {
			break
		}
		adds := q.weightOf(c.firm&^held) >= part*q.total
		if (adds || belief >= much) && !c.sibling(&first.candidate) && !merged(out, c) &&
			!repeats(out, c) {
			out = append(out, answer{candidate: *c})
			held |= c.firm
		}
	}
	return out
}

// addDiffering adds what gives another value of the same than the first statement, which is
// believed to answer alone: both are shown for comparison.
func (q *question) addDiffering(out []answer, l *leading) []answer {
	const far = 3 // log odds
	first := &out[0].candidate
	for _, c := range l.cands {
		if len(out) == maxAnswers || c.score < first.score-far {
			break
		}
		if first.value == nil || c.value == nil || c.page == first.page ||
			!q.sameSubject(first, c) || repeats(out, c) {
			continue
		}
		if same, comparable := value.Same(*first.value, *c.value); comparable && !same {
			out = append(out, answer{candidate: *c})
		}
	}
	return out
}

// lead returns the candidates that may answer, and the belief in them: of what the sites
// themselves say, or else of what others say there; nil where neither is believed.
func (q *question) lead(cands []candidate) *leading {
	for _, others := range []bool{false, true} {
		var l leading
		var rows []*choice.Row
		var scores []float64
		for i := range cands {
			if c := &cands[i]; c.others == others && q.may(c) {
				l.cands, rows = append(l.cands, c), append(rows, &c.row)
				scores = append(scores, c.score)
			}
		}
		if len(l.cands) == 0 {
			continue
		}
		l.spans, l.passages = q.spans(l.cands)
		l.belief = choice.Judge(rows, scores, l.spans)
		slack := q.slack
		if q.few && q.attested(l.cands) {
			slack = max(slack, attestedSlack)
		}
		if q.divided(l.cands) {
			slack = max(slack, partSlack)
		}
		if (l.belief.Known >= l.belief.Bound-slack || q.shown(l.cands[0])) && !q.silentLead(&l) {
			return &l
		}
	}
	return nil
}

// attested reports whether one of the best few candidates of another site says what the first one
// says, or gives another value of the same: two sites that speak of one thing answer more likely
// than one that shares words with the question.
func (q *question) attested(may []*candidate) bool {
	first := may[0]
	site, words := siteOf(first.page.doc.URL), first.page.text(first.unit)
	return slices.ContainsFunc(may[1:min(len(may), 1+attesting)], func(c *candidate) bool {
		if siteOf(c.page.doc.URL) == site || first.firm&c.firm == 0 {
			return false
		}
		return overlap(words, c.page.text(c.unit), c.page.lang) >= likewise ||
			first.value != nil && c.value != nil && first.value.Type == c.value.Type
	})
}

// divided reports whether the query asks for several things and the best few candidates answer
// different ones, so that none covers it.
func (q *question) divided(may []*candidate) bool {
	return q.joins() && slices.ContainsFunc(may[:min(maxAnswers, len(may))],
		func(c *candidate) bool {
			return q.weightOf(c.firm&^may[0].firm) >= residualAt*q.total
		})
}

// also returns what says the same as the leading candidate on other pages.
func (q *question) also(first *candidate, cands []candidate) (out []candidate) {
	for i := range cands {
		c := &cands[i]
		if c.page != first.page && q.may(c) && q.agree(first, c) {
			if out = append(out, *c); len(out) == maxAlso {
				break
			}
		}
	}
	return out
}

// completes returns the sentence of the leading one's paragraph or definition that says the
// value which is asked for and that it lacks: "Sets the memory of a sort. The default is 4 MB."
// answers in two sentences what the default memory of a sort is. It is nil if there is none.
func (q *question) completes(a *candidate, cands []candidate) *candidate {
	if a.value != nil || !q.want.kind.typed() {
		return nil
	}
	for i := range cands {
		if c := &cands[i]; c.value != nil && c.page == a.page && c.unit != a.unit &&
			c.unit.with(a.unit) {
			return c
		}
	}
	return nil
}

// sibling reports whether c is another row of the table that answered, and lacks the
// words by which the row that answered was chosen.
func (c *candidate) sibling(of *candidate) bool {
	if c.page != of.page || c.unit.kind != wstk.BlockTableRow ||
		of.unit.kind != wstk.BlockTableRow {
		return false
	}
	d := c.page.doc
	return d.Blocks[c.unit.block].Table == d.Blocks[of.unit.block].Table &&
		of.unit.own&^c.unit.own != 0
}

// without returns the question that is left when some of its terms have found
// their answer: they still help to recognise the subject, and count for little.
// It is nil when the rest is not worth a second answer, or when nothing in the
// query says that it asks for more than one thing.
func (q *question) without(held termSet) *question {
	var open termSet
	for i := range q.terms {
		if t := q.terms[i]; !held.has(i) && !t.light && !t.borrowed && !t.naming {
			open |= 1 << uint(i)
		}
	}
	if q.weightOf(open) < residualAt*q.total || !q.joins() {
		return nil
	}
	rest := *q
	rest.terms = append([]term(nil), q.terms...)
	rest.total = 0
	for i := range rest.terms {
		t := &rest.terms[i]
		if held.has(i) {
			t.weight *= 0.25
			t.name, t.exact = false, false
		}
		rest.total += t.weight
	}
	return &rest
}

// joins reports whether the query names several things.
func (q *question) joins() bool {
	for _, w := range wordsOf(q.text) {
		if splitters[w.text] || w.text == "both" || w.text == "versus" || w.text == "vs" {
			return true
		}
	}
	return strings.ContainsAny(q.text, ",、，;&")
}

// answer is a candidate that was chosen, with others that say the same on other
// pages.
type answer struct {
	candidate
	also  []candidate
	heard []candidate // see witnesses
}

// may reports whether c may be an answer at all: it holds a value if only a value answers, and
// is about the thing, and the versions and models, that the query names.
func (q *question) may(c *candidate) bool {
	if q.want.hard && c.value == nil || !q.exactly(c) {
		return false
	}
	return c.row[choice.Unrelated] == 0 || !q.want.hard && !q.measures() || q.few
}

// silentLead reports whether all that would be quoted first is silent.
func (q *question) silentLead(l *leading) bool {
	holds := l.spans[l.belief.Shortest(l.spans, believedAt)].Holds
	return !slices.ContainsFunc(holds, func(i int) bool { return !q.silent(l.cands[i]) })
}

// silent reports whether c says nothing of what is asked: the title of its page or a heading
// names the thing, and neither c nor what is around it has another word of the question, of which
// a good part is left. Under "Brindle" a sentence about a house does not say why Brindle crashes.
func (q *question) silent(c *candidate) bool {
	const (
		like = 0.35 // cosine with the question from which other words may say the same
		left = 0.33 // share of the question's weight
	)
	if c.value != nil || q.want.kind == definitionKind || q.few ||
		c.row[choice.Alike] >= like {
		return false // of several sites that a client names, one may use other words
	}
	around := surroundingsOf(c.page, c.unit)
	subject := around.under.near | around.under.far
	if c.page.fits {
		subject |= c.page.title
	}
	said := around.own | around.synonym | around.headerOwn | around.led | around.before |
		around.around
	open := 0.0
	for i, t := range q.terms {
		switch {
		case t.borrowed || t.light || t.whole >= 0 || subject.has(i):
		case said.has(i):
			return false
		default:
			open += t.weight
		}
	}
	return subject != 0 && open >= left*q.total
}

// shown reports whether c holds a value whose mark says what it is, where only such a value
// answers: an e-mail address needs no other words of the query around it than those that say
// whose it is.
func (q *question) shown(c *candidate) bool {
	const most = 0.5
	return q.want.hard && q.want.kind.marked() && c.value != nil && c.coverage >= most &&
		c.row[choice.Unnamed] == 0 && c.row[choice.Asked] >= most
}

// measures reports whether the query names a measure whose values do not show by their form
// that they are that measure.
func (q *question) measures() bool {
	if !q.want.kind.telling() {
		for _, t := range q.terms {
			if t.naming && !t.light {
				return true
			}
		}
	}
	return false
}

// limits are phrases that say how much at most or at least.
var limits = text.Pattern(
	`(?i)\b(?:up to|at most|at least|no more than|no less than|not exceed|cannot exceed|` +
		`more than|fewer than|less than|larger than)\b`)

// relates reports whether c says what is asked about the names in the question, or
// only names them: "in what year was Richard Hipp born" is not answered by what he
// began. Where a measure is asked for ("the maximum length of a table name"), c has
// to be about the thing measured, and about that measure of it.
func (q *question) relates(c *candidate) bool {
	const least, most = 0.2, 0.6
	all, held, names := 0.0, 0.0, false
	// what the naming words weigh, those held, those of the thing held
	measured, measure, ofThat := 0.0, 0.0, 0.0
	for i, t := range q.terms {
		switch {
		case t.name:
			names = true
		case t.borrowed || t.whole >= 0:
		case t.naming:
			if q.want.kind.telling() || t.light {
				break
			}
			measured += t.weight
			if c.firm.has(i) {
				measure += t.weight
			}
		case !t.light:
			all += t.weight
			if c.firm.has(i) {
				held += t.weight
			}
			if c.firm.has(i) && (c.unit.own|c.unit.synonym|c.near()).
				has(i) || c.page.fits && c.page.title.has(i) {
				ofThat += t.weight
			}
		}
	}
	if measured > 0 && all > 0 &&
		(ofThat < most*all || measure == 0 && !limits().MatchString(c.page.text(c.unit))) {
		return false
	}
	all, held = all+measured, held+measure
	return !names || all == 0 || held >= least*all
}

// askedIn is the share of the words of the question that are no names which c or its headings
// hold, 0-1; 1 if there are none.
func (q *question) askedIn(c *candidate) float64 {
	all, held := 0.0, 0.0
	around := surroundingsOf(c.page, c.unit)
	for i, t := range q.terms {
		if t.name || t.borrowed || t.whole >= 0 {
			continue
		}
		all += t.weight
		if around.speaks(i) || c.value != nil && t.naming && q.want.kind.telling() {
			held += t.weight
		}
	}
	if all == 0 {
		return 1
	}
	return held / all
}

// headed is what a header row, a defined term, the heading right above or the
// kind of its value adds to a short unit, which may then hold nothing of the
// question itself.
func (q *question) headed(c *candidate) float64 {
	held := c.near()
	if c.value != nil && q.want.kind.telling() {
		for i := range q.terms {
			if q.terms[i].naming {
				held |= 1 << uint(i)
			}
		}
	}
	return q.weightOf(held) / max(q.total, 1e-9)
}

// near are the terms of the header row, the defined term, or a heading that is
// about what is asked, that the unit itself does not hold.
func (c *candidate) near() termSet {
	held := c.unit.headerOwn | c.unit.led
	if s := c.unit.section; s >= 0 && s < len(c.page.sections) && c.page.sections[s].fits {
		held |= c.page.sections[s].near
	}
	if c.page.fits {
		held &^= c.page.title
	}
	return held &^ c.unit.own
}

func (q *question) weightOf(s termSet) float64 {
	w := 0.0
	for i := range q.terms {
		if s.has(i) {
			w += q.terms[i].weight
		}
	}
	return w
}

// agree reports whether b says what a says: the same value of what is asked about, or,
// where there is none, much the same words.
func (q *question) agree(a, b *candidate) bool {
	if a.value != nil && b.value != nil {
		same, comparable := value.Same(*a.value, *b.value)
		return comparable && same && q.sameSubject(a, b)
	}
	return overlap(a.page.text(a.unit), b.page.text(b.unit), a.page.lang) >= alike
}

// sameSubject reports whether b is about those words of the query that a is about: it
// holds at least one of them itself, and most of them with its headings.
func (q *question) sameSubject(a, b *candidate) bool {
	const most = 0.6
	var subject termSet
	for i, t := range q.terms {
		if a.firm.has(i) && !t.light && !t.borrowed {
			subject |= 1 << uint(i)
		}
	}
	self := (b.unit.own | b.unit.synonym | b.near()) & subject
	return self != 0 && q.weightOf(subject&b.firm) >= most*q.weightOf(subject)
}

func repeats(out []answer, c *candidate) bool {
	for i := range out {
		o := &out[i]
		if o.page == c.page && o.unit.overlaps(c.unit) {
			return true
		}
		if o.unit.header >= 0 && o.unit.header != c.unit.header && o.page == c.page &&
			o.unit.kind == wstk.BlockDefinition {
			continue // much the same words about another thing
		}
		if overlap(o.page.text(o.unit), c.page.text(c.unit), c.page.lang) >= alike {
			if o.value == nil || c.value == nil {
				return true
			}
			if same, comparable := value.Same(*o.value, *c.value); same || !comparable {
				return true
			}
		}
		for k := range o.also {
			if o.also[k].unit == c.unit {
				return true
			}
		}
	}
	return false
}

// overlap is the Jaccard similarity of the content words of two texts.
func overlap(a, b, lang string) float64 {
	return jaccard(contentWords(a, lang), contentWords(b, lang))
}

func contentWords(s, lang string) map[string]bool {
	m := map[string]bool{}
	for _, t := range text.Tokenize(s, lang) {
		if !t.Stop {
			m[t.Text] = true
		}
	}
	return m
}

// singular turns answers into claims.
func (q *question) singular(pages []*page) ([]wstk.Claim, termSet) {
	as, covers := q.answers(pages)
	var claims []wstk.Claim
	for i := range as {
		claims = append(claims, q.claim(&as[i]))
		if i == 0 {
			claims = append(claims, as[i].listed()...)
		}
	}
	return claims, covers
}

// listed claims what the first statement leads to.
func (a *answer) listed() []wstk.Claim {
	u := a.unit
	if u.wide { // its last sentence may lead on
		i := a.page.unitAt(u.end) - 1
		if i < 0 || a.page.units[i].end != u.end {
			return nil
		}
		u = &a.page.units[i]
		if lead := a.page.leadOf(u); lead != nil && lead.start >= a.unit.start {
			u = lead // it leads to the item at the end, and to others
		}
	}
	return a.page.listed(u, math.MaxInt)
}

func (q *question) claim(a *answer) wstk.Claim {
	p := a.proposal()
	c := wstk.Claim{Statement: p.Words, Support: wstk.SupportDirect, Proposed: []wstk.Proposal{p}}
	if a.value != nil && strings.Contains(p.Words, a.value.Text) &&
		readsSo(p.Words, a.page.lang, *a.value) {
		c.Value = valueOf(*a.value)
	}
	if h := a.unit.header; h >= 0 && a.unit.headerOwn != 0 {
		c.Proposed = append(c.Proposed, a.page.block(h))
	}
	for _, above := range a.page.reachingInto(a.unit.block) {
		c.Proposed = append(c.Proposed, a.page.block(above))
	}
	if !a.unit.leads.empty() {
		for _, part := range a.page.parts(a.unit, math.MaxInt) {
			c.Proposed = append(c.Proposed, part...)
		}
	}
	for _, o := range slices.Concat(a.also, a.heard) {
		if w := o.proposal(); w.Words != "" && !slices.Contains(c.Proposed, w) {
			c.Proposed = append(c.Proposed, w)
		}
	}
	return c
}

// readsSo reports whether a number is read in a quote as it is stated: one that counts things by a
// noun which is a unit, too, is read as a quantity by all that check it, and is not stated.
func readsSo(words, lang string, v value.Value) bool {
	return wstk.ValueType(v.Type) != wstk.ValueNumber ||
		slices.ContainsFunc(value.Find(words, lang), func(o value.Value) bool {
			return o.Type == v.Type && o.Norm == v.Norm
		})
}

func valueOf(v value.Value) *wstk.Value {
	return &wstk.Value{Type: wstk.ValueType(v.Type), Text: v.Text, Number: v.Number, Unit: v.Unit,
		Time: v.Time, Norm: v.Norm}
}
