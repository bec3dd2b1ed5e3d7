package proposition

import "slices"

// settled reports whether nothing in two units that answer alike is left over: each word of the
// clause that answers is a word of the question, of the other unit, of what stands over either, or
// says nothing by itself. A word that is left over may turn the sense round or speak of another
// thing ("printed by mistake", "the museum shop", "with its crate"), and no list of such words is
// ever complete.
func (k *asked) settled(a, b *Proposition) bool {
	return !k.leaves(a, b) && !k.leaves(b, a)
}

// leaves reports whether a word of the answering clause of p is left over.
func (k *asked) leaves(p, o *Proposition) bool {
	for i, w := range p.words[:p.goesOn()] {
		switch {
		case w.Start < p.from || w.Start >= p.added:
		case k.ofAnswer(p, w), persons[w.plain], ordinary[w.plain], o.own[w.stem]:
		case pays[w.plain] && p.charges():
		case k.meet(w), p.explained(i, o, k):
		default:
			return true
		}
	}
	return false
}

// ofAnswer reports whether a word of p is of a value that may answer.
func (k *asked) ofAnswer(p *Proposition, w word) bool {
	return w.use == ofValue && (len(p.Hours) > 0 ||
		slices.ContainsFunc(p.Values, func(v Reading) bool {
			return v.Start < w.End && w.Start < v.End && k.value.fits(v)
		}))
}
