package proposition

import (
	"slices"
	"sort"
	"strings"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// settled reports whether each of two units that answer alike says its answer, and nothing that
// changes it.
//
// What may be left over depends on where it stands. The frame of a unit is the clauses that hold
// the answer and what the question asks for. In it each word is a word of the question, of the
// answer, of the other unit or of what stands over that, or says nothing by itself: any other
// may turn the sense round or speak of another thing ("missed its top speed", "the museum shop"),
// and no list of such words is ever complete. A clause behind the frame may say whatever it
// likes, unless it holds a word that restricts or takes back what was said ("only", "until",
// "by mistake"), or another value that may answer. So may a phrase that tells how or where a past
// event took place.
func (k *asked) settled(a, b *Proposition) bool {
	return !k.leaves(a, b) && !k.leaves(b, a) && !k.setApart(a, b) && !k.setApart(b, a)
}

// leaves reports whether a word of p that is left over may change what it answers.
func (k *asked) leaves(p, o *Proposition) bool {
	f := k.frameOf(p, o)
	for i, w := range p.words {
		switch {
		case w.Start < p.from || i >= f.behind:
		case i >= f.tail && k.happened(p) && k.accompanies(p, f.tail, f.behind):
		case k.accounts(p, i, o):
		default:
			return true
		}
	}
	said := false // a clause of its own begins, to which what follows belongs
	for from := f.behind; from < len(p.words); {
		to := p.clauseEnd(from)
		said = said || p.asserts(from, to)
		if !k.idles(p, from, to) || !said && !k.bearsPhrase(p, from, to) {
			return true
		}
		from = to
	}
	return false
}

// frame is where the clauses of a unit end that answer, by its words.
type frame struct {
	tail   int // behind the last word of the answer and of the question in them
	behind int
}

// frameOf finds the frame of p. Without an answer that can be told from other words it is all of
// the unit, up to a clause that only adds something.
func (k *asked) frameOf(p, o *Proposition) frame {
	answer := k.answerIn(p, o)
	if answer.End == 0 {
		all := min(p.goesOn(), sort.Search(len(p.words),
			func(i int) bool { return p.words[i].Start >= p.added }))
		return frame{all, all}
	}
	f := frame{}
	asks := false
	for f.behind < len(p.words) && !(asks && f.behind > 0 &&
		p.words[f.behind-1].End >= answer.End) {
		from := f.behind
		f.behind = p.clauseEnd(from)
		for i := from; i < f.behind; i++ {
			w := p.words[i]
			says := w.use == ofAttribute || k.meet(w)
			asks = asks || says
			if says || w.Start < answer.End && answer.Start < w.End || k.holds(w.stem) {
				f.tail = i + 1
			}
		}
	}
	if !asks { // what the question asks for stands over the unit
		return k.upTo(p, answer)
	}
	return f
}

// upTo is the frame of a unit that ends with the clause of its answer.
func (k *asked) upTo(p *Proposition, answer text.Range) (f frame) {
	for f.behind < len(p.words) {
		f.behind = p.clauseEnd(f.behind)
		if p.words[f.behind-1].End >= answer.End {
			break
		}
	}
	_, f.tail = p.around(answer)
	return f
}

// answerIn is where the words of p stand that answer; empty if they are not known.
func (k *asked) answerIn(p, o *Proposition) (at text.Range) {
	switch {
	case k.sense(p) != "":
		return text.Range{End: len(p.unit.Words)}
	case k.wants == "sense":
		_, at = k.told(p)
		return at
	case !k.wantsName():
		if v := k.values(p); len(v) > 0 {
			return v[0].Range
		}
	}
	if name := k.name(p, o); name != "" {
		for _, n := range p.names {
			if n.Form == name {
				return n.Range
			}
		}
	}
	version := k.versionOf(p)
	for _, w := range p.words {
		if version != "" && w.plain == version ||
			k.tells(p, o, w) && (at.End == 0 || p.oneClause(at, w)) {
			at = w.Range
		}
	}
	return at
}

// tells reports whether a word of p may be the one that answers: o has it, too, and neither the
// question nor what stands over either.
func (k *asked) tells(p, o *Proposition, w word) bool {
	return w.use == free && !w.stop && o.rest[w.stem] && !k.holds(w.stem) && !k.meet(w) &&
		!frames[w.plain] && !p.over[w.stem] && !o.over[w.stem]
}

// oneClause reports whether no sign and no word that opens a clause stands between a range and a
// word behind it.
func (p *Proposition) oneClause(at text.Range, w word) bool {
	i, _ := p.around(at)
	return p.clauseEnd(i) == len(p.words) || w.Start < p.words[p.clauseEnd(i)].Start
}

// clauseEnd is where the clause ends that begins with word i, as a word behind it.
func (p *Proposition) clauseEnd(i int) int {
	for j := i + 1; j < len(p.words); j++ {
		w, before := p.words[j], p.words[j-1]
		between := p.unit.Words[before.End:w.Start]
		if strings.ContainsAny(between, ",;:()–—\t") && !p.inOneValue(before, w) &&
			!(before.use == ofValue && w.use == ofValue && len(p.Hours) > 0) ||
			opensClause[w.plain] {
			return j
		}
	}
	return len(p.words)
}

// inOneValue reports whether two words are of one value: 4 October, 1925.
func (p *Proposition) inOneValue(a, b word) bool {
	return slices.ContainsFunc(p.Values, func(v Reading) bool {
		return v.Start <= a.Start && b.End <= v.End
	})
}

// happened reports whether what the question asks of a unit happened once, so that the
// circumstances of it change nothing.
func (k *asked) happened(p *Proposition) bool {
	return p.kind == "maker" && k.wantsName() || k.past && (p.kind == "date" ||
		slices.Contains(k.value.types, wstk.ValueDate))
}

// idles reports whether the words from from to to neither restrict nor take back what was said
// before them, and hold no value that may answer.
func (k *asked) idles(p *Proposition, from, to int) bool {
	const opening = 2 // words of a clause
	adds := follows[p.words[from].plain]
	for i := from; i < to; i++ {
		w := p.words[i]
		if k.rivals(p, w) || doubts[w.plain] || (!adds || i-from < opening) &&
			(restricts[w.plain] || negates(w.plain) || wording.Hedges[w.plain]) {
			return false
		}
	}
	return true
}

// bearsPhrase reports whether a phrase without a verb may stand behind what p answers. It may say
// what the answer is of ("(northern basin)", "plus tax"), unless it is a cell with a value or a yes
// or no, or speaks of some of what was counted.
func (k *asked) bearsPhrase(p *Proposition, from, to int) bool {
	before := p.words[max(0, from-1)].End
	if strings.Contains(p.unit.Words[before:p.words[from].Start], "\t") {
		return !slices.ContainsFunc(p.words[from:to], func(w word) bool {
			return !w.stop && w.use != ofValue && affirms[w.plain] == ""
		})
	}
	return k.counts() && partitives[p.words[from].plain]
}

// asserts reports whether the words from from to to are a clause with a verb, as far as its shape
// shows: a relative, a pronoun, a form of to be, or a verb behind "and".
func (p *Proposition) asserts(from, to int) bool {
	const least = 3 // words
	if to-from < least {
		return false
	}
	first, next := p.words[from].plain, p.words[from+1].plain
	return (relatives[first] || follows[first] && !joins[first]) &&
		!circumstances[next] && !genitive[next] ||
		slices.ContainsFunc(p.words[from:to], func(w word) bool {
			return finite[w.plain] || joins[first] && verbLike(w.plain) && !p.charges()
		})
}

// verbLike reports whether an English word has the ending of a verb in the past or the third
// person.
func verbLike(plain string) bool {
	const shortest = 5
	return len(plain) >= shortest && (strings.HasSuffix(plain, "ed") ||
		strings.HasSuffix(plain, "es") || frames[plain] && strings.HasSuffix(plain, "s"))
}

// counts reports whether a question asks how many there are.
func (k *asked) counts() bool {
	return slices.Contains(k.value.types, wstk.ValueNumber)
}

// accompanies reports whether the words from from to to say how or where an event took place: "in
// the rain", "with two rebuilt cars".
func (k *asked) accompanies(p *Proposition, from, to int) bool {
	return circumstances[p.words[from].plain] && k.idles(p, from+1, to) &&
		!slices.ContainsFunc(p.words[from:to], func(w word) bool { return narrows[w.plain] })
}

// TakesBack reports whether a sentence takes back the one before it: "This figure was printed by
// mistake."
func TakesBack(sentence string) bool {
	words := wordsOf(strings.ToLower(sentence), "")
	return len(words) > 0 && pointsBack[words[0].plain] && !doubts[words[0].plain] &&
		slices.ContainsFunc(words, func(w word) bool { return doubts[w.plain] })
}

// rivals reports whether a word of p is of a value that might be the answer as well: of its type,
// and no year beside a number.
func (k *asked) rivals(p *Proposition, w word) bool {
	if w.use != ofValue {
		return false
	}
	answers := k.values(p)
	return slices.ContainsFunc(p.Values, func(v Reading) bool {
		return v.Start < w.End && w.Start < v.End &&
			slices.ContainsFunc(answers, func(o Reading) bool {
				return o.Type == v.Type && (!isYear(v) || isYear(o))
			})
	})
}

// accounts reports whether word i of p is of an answer, of the question, or of o, or says nothing
// by itself.
func (k *asked) accounts(p *Proposition, i int, o *Proposition) bool {
	w := p.words[i]
	switch {
	case k.ofAnswer(p, w), persons[w.plain], ordinary[w.plain], o.own[w.stem], frames[w.plain]:
		return true
	case pays[w.plain] && p.charges():
		return true
	}
	return k.meet(w) || p.explained(i, o, k)
}

// ofAnswer reports whether a word of p is of a value that may answer.
func (k *asked) ofAnswer(p *Proposition, w word) bool {
	return w.use == ofValue && (len(p.Hours) > 0 ||
		slices.ContainsFunc(p.Values, func(v Reading) bool {
			return v.Start < w.End && w.Start < v.End && k.value.fits(v)
		}))
}
