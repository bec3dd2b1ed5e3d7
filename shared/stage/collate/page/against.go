package page

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/proposition"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Cited divides the quotes given for a statement: kept may be cited; against say the opposite
// of it or another value, or only take its words back while another quote simply says them. A
// quote of another page that does not say what others simply say is in neither list.
func (p *Set) Cited(statement string, quotes []wstk.Evidence) (kept, against []wstk.Evidence) {
	say := p.Saying(statement, quotes)
	defer func() { against = p.best(kept, against, statement) }()
	for _, e := range quotes {
		holds := Says(e.Quote, statement)
		relation := proposition.Apart
		if len(say) > 0 && !holds && !p.TakenBack(e, e.Quote) {
			relation = p.relation(say[0], e, statement)
		}
		switch {
		case relation == proposition.Agree:
			kept = append(kept, e)
		case !holds && (relation == proposition.Disagree ||
			p.denies(e, statement) && (len(say) > 0 || !p.borneBy(e, statement))),
			holds && len(say) > 0 && p.TakenBack(e, statement):
			against = append(against, e)
		case len(say) == 0 || p.related(e, statement, say):
			kept = append(kept, e)
		}
	}
	return kept, against
}

// best returns of the quotes of each page that disagree with a statement those that answer most of
// the question, and none of a page that has a quote which is cited.
func (p *Set) best(kept, against []wstk.Evidence, statement string) (out []wstk.Evidence) {
	if p.asked == nil {
		return against
	}
	most := map[string]int{}
	for _, e := range against {
		most[e.URL] = max(most[e.URL], p.weight(e))
	}
	for _, e := range against {
		if most[e.URL] == p.weight(e) && !slices.ContainsFunc(kept, func(o wstk.Evidence) bool {
			return o.URL == e.URL
		}) {
			out = append(out, e)
		}
	}
	return out
}

// weight is how much of the question the sentences of a quote answer.
func (p *Set) weight(e wstk.Evidence) (n int) {
	for _, one := range p.propositions(e, e.Quote) {
		n = max(n, p.asked.Weight(one))
	}
	return n
}

// denies reports whether a sentence of a quote says the opposite of a statement.
func (p *Set) denies(e wstk.Evidence, statement string) bool {
	lang := p.Language(e)
	for _, r := range text.Sentences(e.Quote, lang) {
		if p.opposes(statement, e.Quote[r.Start:r.End], lang) {
			return true
		}
	}
	return false
}

// opposes reports whether two sentences share most of their words, and one of them denies
// what the other says.
func (p *Set) opposes(a, b, lang string) bool {
	const most = 0.75
	x, y := wording.Content(a, lang), wording.Content(b, lang)
	turned := denials(a, lang) != denials(b, lang)
	for w := range x {
		p.Tick()
		for v := range y {
			if !y[w] && !x[v] && wording.Opposites(w, v) {
				delete(x, w)
				delete(y, v)
				turned = !turned
			}
		}
	}
	both, onlyA, onlyB := wording.Split(x, y)
	return turned && both >= 1 && float64(both) >= most*float64(min(both+onlyA, both+onlyB)) &&
		onlyA+onlyB <= 1+both
}

// denials reports whether a sentence denies, an odd number of times.
func denials(s, lang string) bool {
	odd := false
	for _, w := range wording.Bare(text.FoldCompare(s)) {
		if wording.Negators[w] || strings.HasSuffix(w, "n't") {
			odd = !odd
		}
	}
	return odd
}
