package proposition

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/wording"
)

// line is one line of what stands over a unit.
type line struct {
	text  string
	words []word
	place place
}

// place is where a line stands over a unit.
type place int

const (
	inTitle   place = iota // the title of the page and its outermost heading
	inHeading              // a heading below that
	inLabel                // a name that the structure gives the unit: its term, its column
)

// lineOver is line i over a unit: first its title, then as many headings, then its labels.
func lineOver(s string, words []word, i, headings int) line {
	l := line{text: s, words: words, place: inHeading}
	switch {
	case i == 0, i == 1 && headings > 0:
		l.place = inTitle
	case i > headings:
		l.place = inLabel
	}
	return l
}

// SetApart reports whether what stands over one of two units that say the same keeps them apart:
// a label with a word more than the question ("Deputy director", "Planned length"), a heading that
// holds for less or for another thing ("For members", "Version 2", "Replica in the park"), a title
// that names another place or kind ("Alderney, Ohio"). What the other unit has in or over it, and
// words that say nothing by themselves, do not. It is false if the question is not known.
func SetApart(a, b *Proposition, q *Question) bool {
	k := q.of(a.unit.Lang)
	return k != nil && (k.setApart(a, b) || k.setApart(b, a))
}

// setApart reports whether a line over p has a word that sets it apart from o.
func (k *asked) setApart(p, o *Proposition) bool {
	return slices.ContainsFunc(p.lines, func(l line) bool {
		words := l.words
		switch {
		case l.place == inTitle:
			words = k.qualifiers(l)
		case strings.HasSuffix(strings.TrimSpace(l.text), "?"), // asks, as the question does
			l.place == inLabel && strings.Contains(p.unit.Words, "\t"): // of more than its value
			return false
		}
		return slices.ContainsFunc(words, func(w word) bool { return !k.allows(p, w, o) })
	})
}

// qualifiers are the words of a title that say which of several things with the name of the
// question is meant: capitalised behind it and a comma or "for" ("Alderney, Ohio"), or in brackets
// right behind it ("Anna Berg (painter)").
func (k *asked) qualifiers(l line) (out []word) {
	sign := "" // between the name and what qualifies it
	for i := 1; i < len(l.words); i++ {
		w, before := l.words[i], l.words[i-1]
		between := strings.TrimSpace(l.text[before.End:w.Start])
		switch {
		case k.holds(w.stem), k.meet(w):
			sign = ""
			continue
		case k.holds(before.stem) && (between == "," || between == "("):
			sign = between
		case k.isName(before.stem) && between == "" && narrows[w.plain]:
			sign = w.plain
			continue
		case between != "":
			sign = ""
		}
		if sign == "(" && !wording.Numeric(w.plain) || sign != "" && mayName(l.text, w) {
			out = append(out, w)
		}
	}
	return out
}

// allows reports whether a word that stands over p changes nothing of what p says, beside o.
func (k *asked) allows(p *Proposition, w word, o *Proposition) bool {
	switch {
	case k.plain[w.plain], k.holds(w.stem), k.meet(w), o.own[w.stem], o.over[w.stem],
		p.own[w.stem], w.stop && asking[w.plain]:
		return true
	case restricts[w.plain]:
		return false
	case w.stop, fillers[w.plain], frames[w.plain], persons[w.plain], ordinary[w.plain],
		wording.GeneralHeadings[w.stem]:
		return true
	}
	return slices.ContainsFunc(attributes[w.plain], func(a attribute) bool {
		return k.asksFor(a.name) || o.named[a.name]
	})
}
