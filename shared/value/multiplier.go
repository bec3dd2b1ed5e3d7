package value

import (
	"strings"
	"sync"

	"wstk/shared/text"
)

// joinedScales are the letters that multiply the digits that they touch.
var joinedScales = map[string]float64{"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}

// multiplied reads million, thousand, 万 and so on behind a number in digits, and
// the letters k, M and B joined to it.
func (v *valuer) multiplied(n number) number {
	i := n.to
	if n.to == 0 {
		return n
	}
	l := v.at(i)
	if f := joinedScales[l.text]; f > 0 && v.glued(i) && !v.hangsOn(i+1) && !v.partOfName(i+1) {
		n.value, n.to, n.integer, n.scale = n.value*f, i+1, false, f
		return n
	}
	if hanMultipliers[l.text] > 0 && v.glued(i) {
		return v.hanMultiplied(n)
	}
	for range 2 { // mil millones
		f, to := v.multiplier(n.to)
		if to == 0 && v.hyphenated(n.to) { // 10-million
			f, to = v.multiplier(n.to + 1)
		}
		if to == 0 {
			break
		}
		n.value, n.scale, n.to, n.integer = n.value*f, f, to, false
	}
	v.andHalf(&n)
	return n
}

// andHalf reads what "and" adds to millions: a half, 2 millones y medio.
func (v *valuer) andHalf(n *number) {
	switch {
	case n.scale == 0 || v.words == nil || !v.words.ands[v.at(n.to).lower]:
	case v.lang == "en":
		v.andFraction(n)
	case halfWords[v.at(n.to+1).lower]:
		n.value += n.scale / 2
		n.to += 2
	}
}

var halfWords = text.WordSet("medio media mezzo mezza demi demie meio meia")

// partOfName reports whether lexeme i joins something on: the -202 of L-202.
func (v *valuer) partOfName(i int) bool {
	return v.glued(i) && (v.at(i).text == "-" && v.glued(i+1) && v.at(i+1).
		kind != lexSign || v.at(i).text == "_")
}

// multiplier returns the factor of the words at lexeme i, and where they end.
func (v *valuer) multiplier(i int) (float64, int) {
	l := v.at(i)
	switch {
	case l.kind != lexWord:
		return 0, 0
	case text.Unspaced(firstRune(l.text)):
		return v.hanMultiplier(i)
	}
	f := multipliers().get(l.lower)
	if f == 0 || v.glued(i) && len(l.lower) < 3 {
		return 0, 0
	}
	if f == 1e9 && longScale[v.lang] && strings.HasPrefix(l.lower, "billion") {
		f = 1e12
	}
	to := i + 1
	if v.at(to).text == "." && v.glued(to) && abbreviatedMultipliers[l.lower] {
		to++
	}
	return f, to
}

// longScale are the languages in which "billion" is a million millions.
var longScale = text.WordSet("fr de da no")

var abbreviatedMultipliers = text.WordSet("mio mrd mld mln bn тыс млн млрд трлн")

// multipliers are the words that multiply digits before them, in all languages at once: none
// means two things.
var multipliers = sync.OnceValue(func() *wordTable[float64] {
	m := map[string]float64{}
	for _, row := range wordRows() {
		if row.kind == "multiplier" {
			row.each(func(word string, f float64) { m[word] = f })
		}
	}
	return tableOf(m)
})
