package proposition

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/wording"
)

// accounted reports whether each word of both sides is a word of the other, of what stands
// over the other, or of the question, or says nothing by itself. Only then do two sides agree:
// a word that is left over may turn the sense round ("hardly", "the wife of", "fired"), and no
// list of such words is ever complete. A clause that only adds something does not count.
func accounted(a, b *Proposition, q *Question) bool {
	k := q.of(a.unit.Lang)
	return a.within(b, k) && b.within(a, k)
}

// within reports whether o, what stands over o, or the question k accounts for the words of p.
func (p *Proposition) within(o *Proposition, k *asked) bool {
	theirs := map[string]bool{}
	for _, w := range o.words[:o.goesOn()] {
		theirs[w.stem] = true
	}
	for i, w := range p.words[:p.goesOn()] {
		if w.use != ofValue && !theirs[w.stem] && !p.explained(i, o, k) {
			return false
		}
	}
	return true
}

// explained reports whether word i of p says nothing by itself, or whether what stands over o, the
// question k, or an attribute that both name accounts for it. k may be nil.
func (p *Proposition) explained(i int, o *Proposition, k *asked) bool {
	w := p.words[i]
	switch {
	case fillers[w.plain], o.over[w.stem]:
		return true
	case wording.Negators[w.plain]: // Denied says so
		return true
	case k != nil && (k.plain[w.plain] || k.holds(w.stem) || p.pointsUp(i, k)):
		return true
	}
	return p.shared(w, o, k)
}

// goesOn is the place of the "and" behind which a unit only adds something, else the number of
// its words. What is added has three words at least, does not begin with a value, and neither
// denies nor points back to what was said. A comma stands before it, or a
// value that is read by its form.
func (p *Proposition) goesOn() int {
	const least = 3 // words
	for i := 1; i+least < len(p.words); i++ {
		next := p.words[i+1]
		if !joins[p.words[i].plain] || next.use == ofValue {
			continue
		}
		comma := strings.Contains(p.unit.Words[p.words[i-1].End:p.words[i].Start], ",")
		if !comma && !p.valuedBefore(p.words[i].Start) {
			continue
		}
		if !slices.ContainsFunc(p.words[i+1:], turnsBack) {
			return i
		}
	}
	return len(p.words)
}

// turnsBack reports whether a word denies, hedges, or points back.
func turnsBack(w word) bool {
	return wording.Negators[w.plain] || wording.Hedges[w.plain] || wording.Limits[w.plain] ||
		strings.HasSuffix(w.plain, "n't") || pointsBack[w.plain]
}

// valuedBefore reports whether a value that is read by its form ends before a byte.
func (p *Proposition) valuedBefore(at int) bool {
	return len(p.Values) > 0 && p.Values[0].End <= at
}

// pointsUp reports whether word i of p only points to the name that the question has and that
// stands over p: "it" at the beginning, or "here".
func (p *Proposition) pointsUp(i int, k *asked) bool {
	return (i == 0 && p.words[i].plain == "it" || placing[p.words[i].plain]) &&
		slices.ContainsFunc(k.terms, func(t term) bool { return t.name && p.over[t.stem] })
}

// shared reports whether a word of p names an attribute that o or the question names, too.
func (p *Proposition) shared(w word, o *Proposition, k *asked) bool {
	return slices.ContainsFunc(p.Attribute, func(a Part) bool {
		return a.Start <= w.Start && w.End <= a.End &&
			(o.named[a.Form] || k != nil && k.asksFor(a.Form))
	})
}

// asksFor reports whether a term of the question names an attribute.
func (k *asked) asksFor(attribute string) bool {
	return slices.ContainsFunc(k.terms, func(t term) bool {
		return slices.Contains(t.alike, attribute)
	})
}
