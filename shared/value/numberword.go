package value

import (
	"math"
	"strings"
	"sync"

	"wstk/shared/text"
)

// numberWords is how a language spells numbers out.
type numberWords struct {
	units map[string]float64 // added: 0 to 99, and hundreds that are one word
	mults map[string]float64 // multiplied: hundred, thousand, million
	ords  map[string]float64
	ands  map[string]bool                            // may stand between
	split func(*numberWords, string) (float64, bool) // for languages that write numbers in one word
	hints []string                                   // one of them stands in every such word
}

// spelled builds the tables when the first text in some language asks for them.
var spelled = sync.OnceValue(func() map[string]*numberWords {
	m := map[string]*numberWords{}
	for _, row := range wordRows() {
		w := m[row.lang]
		if w == nil {
			w = &numberWords{units: map[string]float64{}, mults: map[string]float64{},
				ords: map[string]float64{}, ands: map[string]bool{}, split: splitters[row.lang]}
		}
		switch row.kind {
		case "number":
			row.each(func(word string, f float64) { w.units[word] = f })
		case "factor":
			row.each(func(word string, f float64) { w.mults[word] = f })
		case "ordinal":
			row.each(func(word string, f float64) { w.ords[word] = f })
		case "and":
			row.each(func(word string, _ float64) { w.ands[word] = true })
		case "inside":
			row.each(func(word string, _ float64) { w.hints = append(w.hints, word) })
		default:
			continue // no number in words
		}
		m[row.lang] = w
	}
	return m
})

// articles are the words that mean "one" only before something counted.
var articles = text.WordSet("a an one un una uno une ein eine einem einen einer eines een één en " +
	"ett et um uma bir один одна одно одного")

// wordNumber reads a number in words at lexeme i.
func (v *valuer) wordNumber(i int) number {
	switch {
	case text.Unspaced(firstRune(v.at(i).text)):
		return v.hanNumber(i)
	case v.words == nil:
		return number{}
	case !v.minusWord(i):
		return v.spelledNumber(i)
	}
	n := v.digitNumber(i + 1)
	if n.to > 0 && !n.sign {
		n.value, n.from, n.sign, n.integer = -n.value, i, true, false
		return v.multiplied(n)
	}
	if n = v.spelledNumber(i + 1); n.to > 0 {
		n.from, n.one = i, false
	}
	return n.negate(true)
}

// spelledNumber reads a number in words without a sign at lexeme i.
func (v *valuer) spelledNumber(i int) number {
	if v.hangsBefore(i) {
		return number{}
	}
	if v.lang == "en" {
		if half := v.halfOf(i); half.to > 0 {
			return half
		}
		if v.unitAndMore(i) {
			return number{from: i, to: i + 1, value: 1, spelled: true, one: true}
		}
	}
	r := v.spelledRun(i)
	if r.words == 0 || v.hangsOn(r.to) {
		return number{}
	}
	n := number{from: i, to: r.to, value: r.total + r.current, scale: r.scale,
		ordinal: r.ordinal, spelled: true}
	switch {
	case n.ordinal && v.lang == "en" && v.secondOfTime(n):
		return number{}
	case n.ordinal:
		return n
	case v.lang == "en":
		v.englishRest(&n)
	}
	n.one = n.to == i+1 && articles[r.first]
	return n
}

// unitAndMore reports whether an article stands at lexeme i before a unit to which something is
// added: an hour and a half, an hour and 20 minutes. Alone it may say something else: an hour is
// what speeds are per.
func (v *valuer) unitAndMore(i int) bool {
	if word := v.at(i).lower; word != "a" && word != "an" || !v.at(i+1).gap {
		return false
	}
	u, to := v.unit(i + 1)
	if to == 0 || unitNouns[v.at(i+1).lower] || v.at(to).lower != "and" || len(v.at(i+1).text) < 3 {
		return false
	}
	if _, end := v.partBehind(to); end > 0 {
		return true
	}
	n := v.number(to + 1)
	if n.to == 0 || n.ordinal {
		return false
	}
	more, end := v.quantityUnit(n)
	return end > 0 && completes(n.value, more, u)
}

// ofUnit returns the lexeme of the unit of which a part is read up to lexeme k: half an hour, three
// quarters of an hour; k where none stands there.
func (v *valuer) ofUnit(k int) int {
	at := k
	if v.at(at).lower == "of" {
		at++
	}
	if article := v.at(at).lower; article != "a" && article != "an" || !v.at(at+1).gap {
		return k
	}
	if _, to := v.unit(at + 1); to == 0 || len(v.at(at+1).text) < 3 || unitNouns[v.at(at+1).lower] {
		return k
	}
	return at + 1
}

// secondOfTime reports whether n is the second that is a length of time: per second.
func (v *valuer) secondOfTime(n number) bool {
	return n.to == n.from+1 && v.at(n.from).lower == "second" &&
		secondWords[v.at(n.from-1).lower]
}

// secondWords before "second" make it a length of time.
var secondWords = text.WordSet("a per each every split one")

// minusWord reports whether a word at lexeme i says that a number is negative.
func (v *valuer) minusWord(i int) bool {
	switch v.at(i).lower {
	case "minus", "menos", "moins":
		return true
	case "negative":
		return v.lang == "en"
	}
	return false
}

// spelledRun is what number words add up to: current since the last thousand or million,
// total before that.
type spelledRun struct {
	total, current float64
	scale          float64 // the last thousand or million
	words          int
	first          string // the first word
	ordinal        bool
	to             int
}

// spelledRun reads the number words at lexeme i, 24 lexemes at most.
func (v *valuer) spelledRun(i int) spelledRun {
	r := spelledRun{to: i}
	for r.to < len(v.lex) && r.to < i+24 && !r.ordinal {
		at := v.nextNumberWord(&r)
		word := v.at(at).lower
		if v.at(at).kind != lexWord || word == "" {
			break
		}
		if v.articleOfThousand(&r, at) {
			r.to = at + 1
			continue
		}
		if !v.addNumberWord(&r, word, at) {
			break
		}
		if r.words == 0 {
			r.first = word
		}
		r.words++
		r.to = at + 1
	}
	return r
}

// nextNumberWord returns the lexeme of the next word of a run, over a hyphen or an "and";
// one outside the line where the run ends.
func (v *valuer) nextNumberWord(r *spelledRun) int {
	at := r.to
	switch {
	case r.words == 0 || v.hyphenated(at):
		return at + min(r.words, 1)
	case !v.at(at).gap:
		return -1
	case !v.words.ands[v.at(at).lower] || !v.at(at+1).gap:
		return at
	}
	// And joins only after a hundred or more, or where the language says twenty and one;
	// in "a million and three quarters" a fraction follows.
	small := v.lang == "en" && r.current < 100 || r.current == 0
	if small && r.total == 0 || v.lang == "en" && fractionWords[v.at(at+2).lower] > 0 {
		return -1
	}
	return at + 1
}

// articleOfThousand reports whether lexeme at is the article of "a thousand".
func (v *valuer) articleOfThousand(r *spelledRun, at int) bool {
	word := v.at(at).lower
	return v.lang == "en" && r.words == 0 && (word == "a" || word == "an") && v.at(at+1).
		gap && v.words.mults[v.at(at+1).lower] > 0
}

// addNumberWord adds a word to a run, and reports whether it belongs there.
func (v *valuer) addNumberWord(r *spelledRun, word string, at int) bool {
	w := v.words
	if f, ok := w.units[word]; ok {
		return v.addUnit(r, f)
	}
	if f, ok := w.mults[word]; ok {
		bare := r.words == 0 && v.lang == "en" && r.to == at && !v.articleBefore(at)
		return !bare && r.multiply(f)
	}
	if f, ok := w.ords[word]; ok && v.ordinalFits(at, r.words, r.current, f) {
		if r.ordinal = true; f >= 100 && r.current > 0 {
			r.current *= f
		} else {
			r.current += f
		}
		return true
	}
	if f, ok := v.splitWord(word); ok && (f >= 1000 || fits(r.current, f, v.lang)) {
		r.current += f
		return true
	}
	return false
}

// articleBefore reports whether an article stands before lexeme i: a thousand.
func (v *valuer) articleBefore(i int) bool {
	before := v.at(i - 1).lower
	return before == "a" || before == "an"
}

// addUnit adds a number below a hundred, or a hundred of one word.
func (v *valuer) addUnit(r *spelledRun, f float64) bool {
	if !fits(r.current, f, v.lang) {
		return false
	}
	if v.lang == "fr" && f == 20 && math.Mod(r.current, 100) == 4 { // quatre-vingts
		f = 76
	}
	r.current += f
	return true
}

// multiply multiplies by a hundred, a thousand and so on, and reports whether f may stand
// there.
func (r *spelledRun) multiply(f float64) bool {
	if r.current >= 100 && (f == 12 || f == 100) {
		return false
	}
	if r.current == 0 && (f == 12 || f == 100 || r.total == 0) {
		r.current = 1
	}
	switch {
	case f == 100 || f == 12:
		r.current *= f
		return true
	case r.scale > 0 && f > r.scale: // mil millones, hundred thousand million
		r.total = (r.total + r.current) * f
	default:
		r.total += r.current * f
	}
	r.scale, r.current = f, 0
	return true
}

// hangsBefore reports whether lexeme i is the tail of a longer word.
func (v *valuer) hangsBefore(i int) bool {
	return v.glued(i) && (v.at(i-1).kind != lexSign || v.at(i-1).
		text == "-" && v.glued(i-1) && v.at(i-1).kind == lexSign && v.at(i-2).kind == lexWord ||
		v.at(i-1).text == "'" || v.at(i-1).text == "_")
}

// fits reports whether unit f may follow what is read: twenty one, not two three.
func fits(current, f float64, lang string) bool {
	below := math.Mod(current, 100)
	switch {
	case current == 0:
		return true
	case f == 0 || f >= 100:
		return false
	case below == 0:
		return true
	case lang == "fr" && fitsFrench(below, f):
		return true
	case lang == "tr" && below == 10 && f < 10:
		return true
	}
	return below >= 20 && math.Mod(below, 10) == 0 && f < 10
}

// fitsFrench is fits for quatre-vingts, soixante-douze, quatre-vingt-douze, dix-sept.
func fitsFrench(below, f float64) bool {
	switch below {
	case 4:
		return f == 20
	case 60, 80:
		return f < 20
	case 10:
		return f >= 7 && f < 10
	case 70, 90:
		return f < 10
	}
	return false
}

// ordinalFits reports whether an ordinal may end the number.
func (v *valuer) ordinalFits(at, read int, current, f float64) bool {
	if read == 0 {
		return true
	}
	if v.at(at).gap && v.lang == "en" && math.Mod(current, 10) != 0 {
		return f >= 100
	}
	return f >= 100 || fits(current, f, v.lang)
}

// halfOf reads half a million, half million, quarter of a million, a half, a
// third of, one third.
func (v *valuer) halfOf(i int) number {
	first := v.at(i).lower
	one, article := first == "one", first == "a" || first == "an"
	k := i
	if one || article {
		if k++; v.hyphenated(k) { // one-third
			k++
		}
	}
	word := v.at(k).lower
	d := fractionWords[word]
	if d == 0 {
		d = fractionWords[word+"s"]
	}
	if d == 0 || v.hangsOn(k+1) {
		return number{}
	}
	k++
	n := number{from: i, spelled: true}
	if m := v.fractionOf(k); m.to > 0 {
		n.value, n.to, n.scale = m.value/d, m.to, m.value
		return n
	}
	single := word == "half" || word == "quarter"
	if to := v.ofUnit(k); to > k && (one || article || single) || single && v.halfUnit(k) {
		n.value, n.to = 1/d, to
		return n
	}
	if one || article && (word == "half" || word == "quarter" || v.at(k).lower == "of") {
		n.value, n.to = 1/d, k
		return n
	}
	return number{}
}

// halfUnit reports whether a unit stands right behind "half": half hour, half-mile.
func (v *valuer) halfUnit(k int) bool {
	if v.hyphenated(k) {
		k++
	}
	_, to := v.unit(k)
	return to > 0 && len(v.at(k).text) > 2 && v.at(k).kind == lexWord
}

// fractionOf reads what a fraction is of: a million, million, of a dozen.
func (v *valuer) fractionOf(k int) number {
	if v.at(k).lower == "of" {
		k++
		if v.at(k).lower != "a" && v.at(k).lower != "one" {
			return number{}
		}
	}
	if v.at(k).lower == "a" || v.at(k).lower == "one" {
		k++
	}
	f := v.words.mults[v.at(k).lower]
	if f == 0 || v.hangsOn(k+1) {
		return number{}
	}
	return number{value: f, to: k + 1}
}

// englishRest reads what English puts behind: point five, and a half, thirds.
func (v *valuer) englishRest(n *number) {
	switch l := v.at(n.to); {
	case l.lower == "point" && l.gap:
		v.pointDigits(n)
	case l.lower == "and":
		v.andFraction(n)
	case l.gap:
		v.fractionParts(n, n.to)
	case v.hyphenated(n.to):
		v.fractionParts(n, n.to+1)
	}
}

// pointDigits reads the digits of point five behind n.
func (v *valuer) pointDigits(n *number) {
	scale, k := 0.1, n.to+1
	for ; k < min(len(v.lex), n.to+12); k++ {
		f, ok := v.words.units[v.at(k).lower]
		if !ok || f > 9 {
			break
		}
		n.value += f * scale
		scale /= 10
	}
	if k == n.to+1 {
		return
	}
	n.value, n.to = roundTo(n.value, 12), k
	if f, ok := v.words.mults[v.at(k).lower]; ok {
		n.value *= f
		n.to++
	}
}

// fractionParts reads the parts at lexeme k that n counts: two thirds, three quarters billion.
func (v *valuer) fractionParts(n *number, k int) {
	word := v.at(k).lower
	d := fractionWords[word]
	if d == 0 || n.value <= 0 || n.value >= 1000 || !strings.HasSuffix(word, "s") {
		return
	}
	n.value, n.to = n.value/d, k+1
	if m := v.fractionOf(n.to); m.to > 0 {
		n.value *= m.value
		n.to = m.to
		return
	}
	n.to = v.ofUnit(n.to)
}

// andFraction reads "and a half", "and three quarters" behind a number: of its
// last million or thousand where it has one.
func (v *valuer) andFraction(n *number) {
	k := n.to + 1
	f := 0.0
	if half := v.halfOf(k); half.to > 0 {
		if half.scale > 0 && n.scale == 0 && n.value > 0 { // five and a half million
			n.value, n.to, n.scale = n.value*half.scale+half.value, half.to, half.scale
			return
		}
		f, k = half.value, half.to
	} else if u, ok := v.words.units[v.at(k).lower]; ok && u > 1 && u < 10 {
		d := fractionWords[v.at(k+1).lower]
		if d <= u || !strings.HasSuffix(v.at(k+1).lower, "s") {
			return
		}
		f, k = u/d, k+2
	} else {
		return
	}
	if f >= 1 { // half a million is a number of its own
		return
	}
	if n.scale > 0 {
		n.value += f * n.scale
	} else {
		n.value += f
		if m, ok := v.words.mults[v.at(k).lower]; ok {
			n.value *= m
			k++
		}
	}
	n.to = k
}

var fractionWords = map[string]float64{"half": 2, "halves": 2, "thirds": 3, "quarters": 4,
	"fourths": 4, "fifths": 5, "sixths": 6,
	"sevenths": 7, "eighths": 8, "ninths": 9, "tenths": 10, "twelfths": 12, "sixteenths": 16,
	"twentieths": 20, "hundredths": 100, "thousandths": 1000}
