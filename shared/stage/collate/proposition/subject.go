package proposition

import "slices"

// eitherOther reports whether one of two units is surely about another thing than the question.
func (k *asked) eitherOther(a, b *Proposition) bool {
	return k.otherThing(a, b) || k.otherThing(b, a)
}

// otherThing reports whether a unit is surely about another thing than the question, though it has
// a name of it. Then it does not contradict a unit about that thing.
func (k *asked) otherThing(p, o *Proposition) bool {
	return k.partOf(p, o) || k.namesake(p, o) || k.otherPart(p, o)
}

// partOf reports whether a unit begins with a thing that belongs to the one of the question: "the
// Porto district of Ambra". Neither the question nor o has that thing.
func (k *asked) partOf(p, o *Proposition) bool {
	const begin = 4 // words
	for i := 1; i < min(begin, len(p.words)-1); i++ {
		w, of := p.words[i], p.words[i+1]
		if w.use != free || w.stop || !genitive[of.plain] || k.meet(w) || k.holds(w.stem) ||
			o.own[w.stem] || o.over[w.stem] {
			continue
		}
		next := i + 2
		for next < len(p.words) && p.words[next].stop {
			next++
		}
		return next < len(p.words) && k.holds(p.words[next].stem)
	}
	return false
}

// genitive are the words behind a part, before the whole.
var genitive = map[string]bool{"of": true}

// namesake reports whether a name in or over a unit has a word between two words of a name of the
// question, and o does not have it: Jonas Peter Weyland, where Jonas Weyland is asked for. A letter
// alone may be left out.
func (k *asked) namesake(p, o *Proposition) bool {
	inserts := func(before, w, behind string) bool {
		return k.isName(before) && k.isName(behind) && !k.isName(w) && len(w) > 1 &&
			!o.own[w] && !o.over[w]
	}
	for _, name := range p.namesOver {
		for i := 1; i+1 < len(name); i++ {
			if inserts(name[i-1], name[i], name[i+1]) {
				return true
			}
		}
	}
	for _, n := range p.names {
		name := p.touching(n.Range)
		for i := 1; i+1 < len(name); i++ {
			if inserts(name[i-1].stem, name[i].stem, name[i+1].stem) {
				return true
			}
		}
	}
	return false
}

// otherPart reports whether a line over a unit has another word behind a name of the question, and
// neither the unit nor what stands over it has a word that the question has beside the name: the
// Plover trousers where the Plover jacket is asked for, the Serrin hut for Mount Serrin.
func (k *asked) otherPart(p, o *Proposition) bool {
	lacks := slices.ContainsFunc(k.terms, func(t term) bool {
		return (t.thing || t.name) && !p.covers(t) && o.covers(t)
	})
	return lacks && slices.ContainsFunc(p.nextOver, func(n next) bool {
		w := n.word
		return k.isName(n.behind) && !k.holds(w.stem) && !k.meet(w) && !general(w.stem) &&
			!o.over[w.stem] && !o.own[w.stem]
	})
}

// next is a word, and the stem of the one that stands before it with only blanks between.
type next struct {
	behind string
	word   word
}

// pairsIn notes which words stand behind one another in a line over the unit.
func (p *Proposition) pairsIn(line string, words []word) {
	const most = 100
	for i := 1; i < len(words) && len(p.nextOver) < most; i++ {
		if !words[i].stop && adjoin(line, words[i-1], words[i]) {
			p.nextOver = append(p.nextOver, next{words[i-1].stem, words[i]})
		}
	}
}

// isName reports whether a stem is of a name of the question.
func (k *asked) isName(stem string) bool {
	return slices.ContainsFunc(k.terms, func(t term) bool { return t.name && t.stem == stem })
}
