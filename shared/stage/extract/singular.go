package extract

import (
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// The thresholds of an answer.
const (
	fewLooked   = 25
	fewTried    = 4
	believedAt  = 0.0  // log odds, see belief: below it nothing answers
	insideAt    = 0.15 // the sentence itself has to hold this share of the query
	closeSecond = 0.80 // of the leading score: shown beside it
	alike       = 0.60 // word overlap from which two sentences say the same
	residualAt  = 0.18 // share of the query another sentence has to add
	maxAnswers  = 3
	maxListed   = 8 // items quoted of a list that is the answer
)

// answers returns the candidates that answer q, leading first, and which terms
// they cover; none when nothing answers.
func (q *question) answers(pages []*page) ([]answer, termSet) {
	cands := q.rank(pages)
	lead, tried := -1, 0
	for i := range cands[:min(len(cands), fewLooked)] {
		if q.want.hard && cands[i].value == nil {
			continue
		}
		if q.enough(&cands[i]) {
			lead = i
			break
		}
		// The farther down one looks, the likelier something seems to answer.
		if tried++; tried == fewTried {
			break
		}
	}
	if lead < 0 {
		return nil, 0
	}
	first := &cands[lead]
	out := []answer{{candidate: *first}}
	covers := first.covers
	for i := range cands {
		c := &cands[i]
		if i == lead || c.page == first.page || !q.enough(c) {
			continue
		}
		if agree(first, c) {
			out[0].also = append(out[0].also, *c)
			if len(out[0].also) == 3 {
				break
			}
		}
	}
	for i := range cands {
		if len(out) == maxAnswers {
			break
		}
		c := &cands[i]
		if i == lead || !q.enough(c) || c.score < closeSecond*first.score {
			continue
		}
		if !repeats(out, c) {
			out = append(out, answer{candidate: *c})
			covers |= c.covers
		}
	}
	// What the leading sentences leave open may stand elsewhere: a question may
	// need two pages.
	for len(out) < maxAnswers {
		best, gain := -1, residualAt
		for i := range cands {
			c := &cands[i]
			if c.inside < insideAt || repeats(out, c) {
				continue
			}
			add := q.weightOf((c.unit.own|c.unit.headerOwn)&^covers) / q.total
			if add > gain {
				best, gain = i, add
			}
		}
		if best < 0 {
			break
		}
		out = append(out, answer{candidate: cands[best]})
		covers |= cands[best].covers
	}
	return out, covers
}

// answer is a candidate that was chosen, with others that say the same on other
// pages.
type answer struct {
	candidate
	also []candidate
}

// enough tells whether c may stand as an answer by itself.
func (q *question) enough(c *candidate) bool {
	if q.want.hard && c.value == nil {
		return false
	}
	return c.inside+q.headed(c) >= insideAt && q.belief(c) >= believedAt
}

// belief is how likely c is to answer rather than to share words with the
// question, as log odds. What counts besides the score: how many different words
// of the question stand in it, since two rare words may meet by chance and four
// do not, and how dense they stand. The weights were fitted by logistic
// regression on questions with an answer and questions without, in five sets of
// pages and four languages, and rounded.
func (q *question) belief(c *candidate) float64 {
	n := 0.0
	for s := c.unit.own; s != 0; s &= s - 1 {
		n++
	}
	n = min(n/(1+0.5*q.pairs), 4) / 4
	f := c.signals
	f.rank = 0 // recall ranks something first also when nothing answers
	b := 2.0*f.score() + 0.3*f.inside + 0.75*f.density + 2.4*n + 1.3*f.coverage + 1.6*f.adjacent - 0.6*f.unnamed - 3.5
	if !q.relates(c) {
		b--
	}
	return b
}

// relates tells whether c says what is asked about the names in the question, or
// only names them: "in what year was Richard Hipp born" is not answered by what he
// began.
func (q *question) relates(c *candidate) bool {
	const least = 0.2
	all, held, names := 0.0, 0.0, false
	for i, t := range q.terms {
		switch {
		case t.name:
			names = true
		case t.light || t.borrowed || t.whole >= 0 || t.naming && q.want.kind.telling():
		default:
			all += t.weight
			if c.firm.has(i) {
				held += t.weight
			}
		}
	}
	return !names || all == 0 || held >= least*all
}

// headed is what a header row, a defined term or the heading right above adds to
// a short unit, which may then hold nothing of the question itself.
func (q *question) headed(c *candidate) float64 {
	var near termSet
	if s := c.unit.section; s >= 0 && s < len(c.page.sections) {
		near = c.page.sections[s].near
	}
	if c.page.fits {
		near &^= c.page.title
	}
	return q.weightOf((c.unit.headerOwn|near)&^c.unit.own) / max(q.total, 1e-9)
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

// agree tells whether two candidates say the same: the same value, or, where
// there is none, much the same words.
func agree(a, b *candidate) bool {
	if a.value != nil && b.value != nil {
		same, comparable := text.SameValue(*a.value, *b.value)
		return comparable && same
	}
	return overlap(a.page.text(a.unit), b.page.text(b.unit), a.page.lang) >= alike
}

func repeats(out []answer, c *candidate) bool {
	for i := range out {
		o := &out[i]
		if o.page == c.page && o.unit == c.unit {
			return true
		}
		if overlap(o.page.text(o.unit), c.page.text(c.unit), c.page.lang) >= alike {
			if o.value == nil || c.value == nil {
				return true
			}
			if same, comparable := text.SameValue(*o.value, *c.value); same || !comparable {
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
	x, y := contentWords(a, lang), contentWords(b, lang)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	return float64(both) / float64(len(x)+len(y)-both)
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
func (q *question) singular(pages []*page, avoid avoidFunc) ([]wstk.Claim, termSet) {
	as, covers := q.answers(pages)
	var claims []wstk.Claim
	for i := range as {
		claims = append(claims, q.claim(&as[i]))
		if i == 0 {
			claims = append(claims, q.listed(&as[0].candidate, avoid)...)
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
	for i := range a.also {
		c.Proposed = append(c.Proposed, a.also[i].proposal())
	}
	return c
}

// listed quotes the list, code or rows that a chosen sentence introduces.
func (q *question) listed(c *candidate, avoid avoidFunc) []wstk.Claim {
	d := c.page.doc
	u := c.unit
	if !introduces(strings.TrimRight(c.page.text(u), " \n")) || u.end != d.Blocks[u.block].ByteEnd {
		return nil
	}
	var out []wstk.Claim
	for i := u.block + 1; i < len(d.Blocks) && len(out) < maxListed; i++ {
		b := d.Blocks[i]
		if b.Kind != wstk.BlockListItem && b.Kind != wstk.BlockCode && b.Kind != wstk.BlockTableRow && b.Kind != wstk.BlockQuote {
			break
		}
		if avoid(d.URL, b.ByteStart, b.ByteEnd) {
			continue
		}
		start, end := c.page.fit(b.ByteStart, b.ByteEnd, nil, nil)
		p := c.page.propose(start, end)
		if p.Words == "" {
			continue
		}
		out = append(out, wstk.Claim{Statement: p.Words, Support: wstk.SupportDirect, Proposed: []wstk.Proposal{p}})
		if b.Kind == wstk.BlockCode {
			break
		}
	}
	return out
}

func valueOf(v text.Value) *wstk.Value {
	return &wstk.Value{Type: wstk.ValueType(v.Type), Text: v.Text, Number: v.Number, Unit: v.Unit, Time: v.Time, Norm: v.Norm}
}
