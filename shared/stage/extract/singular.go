package extract

import (
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// The thresholds of an answer.
const (
	// The leading answer is the first that is believed among the best few: the
	// farther down one looks, the likelier something seems to answer.
	fewLooked  = 25
	fewTried   = 4
	believedAt = 0.2 // log odds, see belief
	// so much less is asked of a part of a compound query when another part was answered
	partSlack = 0.8
	insideAt  = 0.15 // the sentence itself has to hold this share of the query

	maxAnswers  = 3
	topicAt     = 0.12 // what the first sentence of a paragraph is worth as such,
	topicBelow  = 0.6  // where the sentence chosen holds less than this share of the query
	completeAt  = 0.12 // share of the query that a sentence has to add to the one before it
	closeSecond = 0.65 // of the leading score: shown beside it
	// share of a query that asks for several things, left open by the leading sentence, for another
	// to be looked for
	residualAt = 0.25
	alike      = 0.60 // word overlap from which two sentences say the same
	maxAlso    = 3    // pages quoted beside the leading one for saying the same
	maxListed  = 8    // items quoted of a list that is the answer
)

// answers returns the candidates that answer q, leading first, and which terms
// they cover; none when nothing answers.
func (q *question) answers(pages []*page) ([]answer, termSet) {
	cands := q.rank(pages)
	lead := q.leadOf(cands, false)
	if lead < 0 {
		lead = q.leadOf(cands, true)
	}
	if lead < 0 {
		return nil, 0
	}
	first := &cands[lead]
	out := []answer{{candidate: *first}}
	covers := first.covers
	for i := range cands {
		c := &cands[i]
		if i != lead && c.page != first.page && q.enough(c) && q.agree(first, c) {
			out[0].also = append(out[0].also, *c)
			if len(out[0].also) == maxAlso {
				break
			}
		}
	}
	out[0].heard = q.witnesses(first, cands)
	// What the leading sentence leaves open may be elsewhere: "in which
	// versions did A and B arrive" needs two.
	if rest := q.without(first.firm); rest != nil {
		others := rest.rank(pages)
		for i := range others[:min(len(others), fewTried)] {
			c := &others[i]
			if rest.enough(c) && !repeats(out, c) && c.unit.own&^first.firm != 0 {
				out = append(out, answer{candidate: *c})
				covers |= c.covers
				break
			}
		}
	}
	for i := range cands {
		if len(out) == maxAnswers {
			break
		}
		c := &cands[i]
		if i == lead || !q.enough(c) || c.score < closeSecond*first.score ||
			c.sibling(first) || merged(out, c) || repeats(out, c) {
			continue
		}
		out = append(out, answer{candidate: *c})
		covers |= c.covers
	}
	var whole []answer
	var held termSet
	for i := range out {
		held |= out[i].unit.own
	}
	for i := range out {
		whole = append(whole, out[i])
		c := q.completes(&out[i].candidate, i == 0, held, cands)
		if c != nil && !merged(whole, c) && !repeats(out, c) && !repeats(whole, c) {
			whole = append(whole, answer{candidate: *c})
			covers |= c.covers
		}
	}
	return whole, covers
}

// leadOf returns the first candidate that is believed, among what the sites themselves
// say or among what others say there; -1 where none is.
func (q *question) leadOf(cands []candidate, others bool) int {
	looked, tried := 0, 0
	for i := range cands {
		if cands[i].others != others {
			continue
		}
		if looked++; looked > fewLooked {
			break
		}
		if q.want.hard && cands[i].value == nil {
			continue
		}
		if q.enough(&cands[i]) {
			return i
		}
		if tried++; tried == fewTried {
			break
		}
	}
	return -1
}

// completes returns the sentence of a's paragraph or definition that says what is
// still open: it holds the value that is asked for and a lacks, or words of the
// query that no answer holds, or, where a leads and holds little of the query, it
// opens the paragraph and so says what that is about. "Sets the memory of a sort. The default
// is 4 MB." answers in two sentences what the default memory of a sort is.
func (q *question) completes(a *candidate, leads bool, held termSet, cands []candidate) *candidate {
	var best *candidate
	most := 0.0
	for i := range cands {
		c := &cands[i]
		if c.page != a.page || c.unit == a.unit || !c.unit.with(a.unit) {
			continue
		}
		var more termSet
		for i, t := range q.terms {
			if c.unit.own.has(i) && !held.has(i) && !t.light && !t.borrowed {
				more |= 1 << uint(i)
			}
		}
		w := q.weightOf(more) / q.total
		if leads && a.inside < topicBelow && c.unit.first && c.unit.block == a.unit.block &&
			c.unit.own|c.unit.synonym != 0 && !q.want.kind.typed() {
			w += topicAt
		}
		if a.value == nil && c.value != nil && q.want.kind.typed() {
			w += completeAt
		}
		if w >= completeAt && w > most {
			best, most = c, w
		}
	}
	return best
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

// enough reports whether c may be an answer by itself.
func (q *question) enough(c *candidate) bool {
	if q.want.hard && (c.value == nil || !q.relates(c)) || !q.exactly(c) {
		return false
	}
	if q.measures() && !q.relates(c) {
		return false
	}
	return c.inside+q.headed(c) >= insideAt && q.belief(c) >= believedAt-q.slack
}

// belief is how likely c is to answer rather than to share words with the
// question, as log odds. What counts besides the score: how many different words
// of the question are in it, since two rare words may meet by chance and four do
// not, and how dense they are. The weights were fitted by logistic
// regression on questions with an answer and questions without, in five sets of
// pages and four languages, and rounded.
func (q *question) belief(c *candidate) float64 {
	n := 0.0
	near := c.near()
	for i := range q.terms {
		switch {
		case c.unit.own.has(i):
			n++
		case near.has(i), c.value != nil && q.terms[i].naming && q.want.kind.telling():
			n += 0.7
		}
	}
	n = min(n/(1+0.7*q.pairs), 4) / 4
	f := c.signals
	f.rank = 0 // recall ranks something first also when nothing answers
	b := 2.0*f.score() + 0.3*f.inside + 0.75*f.density + 2.4*n + 1.3*f.coverage +
		1.6*f.adjacent - 0.6*f.unnamed - 0.5*f.elsewhere - 3.5
	if !q.relates(c) {
		b--
	}
	return b
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
			claims = append(claims, as[i].page.listed(as[i].unit, maxListed)...)
		}
	}
	return claims, covers
}

func (q *question) claim(a *answer) wstk.Claim {
	p := a.proposal()
	c := wstk.Claim{Statement: p.Words, Support: wstk.SupportDirect, Proposed: []wstk.Proposal{p}}
	if a.value != nil && strings.Contains(p.Words, a.value.Text) {
		c.Value = valueOf(*a.value)
	}
	if h := a.unit.header; h >= 0 && a.unit.headerOwn != 0 {
		c.Proposed = append(c.Proposed, a.page.block(h))
	}
	if !a.unit.leads.empty() {
		for _, part := range a.page.parts(a.unit, maxListed) {
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

func valueOf(v value.Value) *wstk.Value {
	return &wstk.Value{Type: wstk.ValueType(v.Type), Text: v.Text, Number: v.Number, Unit: v.Unit,
		Time: v.Time, Norm: v.Norm}
}
