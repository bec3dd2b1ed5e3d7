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

// splitters read numbers in one word, by language.
var splitters = map[string]func(*numberWords, string) (float64, bool){
	"it": splitItalian,
	"de": splitGermanic("tausend", "hundert", "und"),
	"nl": splitGermanic("duizend", "honderd", "en", "ën"),
	"sv": splitGermanic("tusen", "hundra"),
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
	if one || article && (word == "half" || word == "quarter" || v.at(k).lower == "of") {
		n.value, n.to = 1/d, k
		return n
	}
	return number{}
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
	}
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

// splitWord reads a number written in one word.
func (v *valuer) splitWord(word string) (float64, bool) {
	if !v.words.maySplit(word) {
		return 0, false
	}
	return v.words.split(v.words, word)
}

// maySplit is a quick test for a number written in one word.
func (w *numberWords) maySplit(word string) bool {
	if w.split == nil || len(word) < 6 || len(word) > 80 {
		return false
	}
	for _, h := range w.hints {
		if strings.Contains(word, h) {
			return true
		}
	}
	return false
}

// splitGermanic reads zweihundertfünfundzwanzig: thousands, hundreds, and units
// before tens with and between, or behind tens without.
func splitGermanic(
	thousand, hundred string, ands ...string,
) func(*numberWords, string) (float64, bool) {
	// counted reads what is counted before word, which is one where nothing stands there.
	counted := func(
		s, word string, below func(string) (float64, bool),
	) (f float64, rest string, ok bool) {
		before, rest, found := strings.Cut(s, word)
		if !found {
			return 0, s, true
		}
		if before == "" {
			return 1, rest, true
		}
		f, ok = below(before)
		return f, rest, ok
	}
	return func(w *numberWords, s string) (float64, bool) {
		below100 := func(s string) (float64, bool) { return w.belowHundred(s, ands) }
		below1000 := func(s string) (float64, bool) {
			hundreds, rest, ok1 := counted(s, hundred, below100)
			f, ok2 := below100(rest)
			return hundreds*100 + f, ok1 && ok2
		}
		thousands, rest, ok1 := counted(s, thousand, below1000)
		f, ok2 := below1000(rest)
		total := thousands*1000 + f
		return total, ok1 && ok2 && total > 0
	}
}

// belowHundred reads a number below a hundred in one word, "" as nothing: zwanzig,
// fünfundzwanzig or, without ands, tjugofem; "und" may stand before all of it.
func (w *numberWords) belowHundred(s string, ands []string) (float64, bool) {
	if s == "" {
		return 0, true
	}
	for _, and := range ands {
		if rest, ok := strings.CutPrefix(s, and); ok { // hundertundeins
			if f, ok := w.units[rest]; ok {
				return f, true
			}
		}
	}
	if f, ok := w.units[s]; ok {
		return f, true
	}
	for tens, f := range w.units {
		if f < 20 || f > 90 {
			continue
		}
		one, ok := strings.CutPrefix(s, tens)
		if len(ands) > 0 {
			one, ok = cutBefore(s, tens, ands)
		}
		if u := w.units[one]; ok && u > 0 && u < 10 {
			return f + u, true
		}
	}
	return 0, false
}

// cutBefore returns what stands before one of ands and a tail.
func cutBefore(s, tail string, ands []string) (string, bool) {
	rest, ok := strings.CutSuffix(s, tail)
	for _, and := range ands {
		if one, found := strings.CutSuffix(rest, and); ok && found {
			return one, true
		}
	}
	return "", false
}

// splitItalian reads duecentoventitré and tremilacinquecento.
func splitItalian(w *numberWords, s string) (float64, bool) {
	total := 0.0
	for _, m := range []struct {
		word string
		f    float64
	}{{"mila", 1000}, {"mille", 1000}, {"cento", 100}} {
		i := strings.Index(s, m.word)
		if i < 0 {
			continue
		}
		left := 1.0
		if i > 0 {
			var ok bool
			if left, ok = splitItalian(w, s[:i]); !ok {
				return 0, false
			}
		}
		total += left * m.f
		s = s[i+len(m.word):]
	}
	if s == "" {
		return total, total > 0
	}
	if f, ok := w.units[s]; ok {
		return total + f, true
	}
	for tens, f := range w.units {
		if f < 20 || f > 90 {
			continue
		}
		// ventuno and ventotto drop the vowel
		for _, stem := range []string{tens, tens[:len(tens)-1]} {
			if rest, ok := strings.CutPrefix(s, stem); ok {
				if u, ok := w.units[rest]; ok && u > 0 && u < 10 {
					return total + f + u, true
				}
			}
		}
	}
	return 0, false
}

var hanDigits = map[string]float64{"〇": 0, "零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6,
	"七": 7, "八": 8, "九": 9, "两": 2, "兩": 2,
	"壱": 1, "弐": 2, "参": 3, "壹": 1, "贰": 2, "叁": 3, "肆": 4, "伍": 5, "陆": 6, "柒": 7, "捌": 8, "玖": 9}

var hanSmall = map[string]float64{"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}

var hanLarge = map[string]float64{"万": 1e4, "萬": 1e4, "億": 1e8, "亿": 1e8, "兆": 1e12}

// hanNumber reads 三百二十, 二〇二四, 三点五, 负五, 第三, 三分之二 and 百分之五. A
// single digit alone is part of a word more often than a number and counts only
// before a unit.
func (v *valuer) hanNumber(i int) number {
	n, negative := number{from: i, spelled: true}, false
	from := i
	switch v.at(i).text {
	case "第":
		n.ordinal = true
		from++
	case "负", "負":
		negative = true
		from++
	case "マ":
		if from = v.japaneseMinus(i); from == i {
			return number{}
		}
		negative = true
	}
	if n.value, n.to = v.hanOrDigits(from, math.Inf(1)); n.to == 0 {
		return number{}
	}
	v.partsOf(&n)
	bare := n.to == from+1 && from == i
	if bare && v.at(i).kind == lexNumber {
		return number{}
	}
	n.one = bare && v.at(i).kind == lexWord
	return n.negate(negative)
}

// japaneseMinus returns where マイナス ends at lexeme i, i itself where it does not stand.
func (v *valuer) japaneseMinus(i int) int {
	if v.at(i+1).text == "イ" && v.at(i+2).text == "ナ" && v.at(i+3).text == "ス" {
		return i + 4
	}
	return i
}

// partsOf reads what n parts a whole into: 三分之二, 3分の2 and 百分之五.
func (v *valuer) partsOf(n *number) {
	of := v.at(n.to + 1).text
	if v.at(n.to).text != "分" || of != "之" && of != "の" || n.value == 0 {
		return
	}
	part, to := v.hanOrDigits(n.to+2, math.Inf(1))
	if to == 0 {
		return
	}
	n.to, n.integer = to, false
	if n.value == 100 {
		n.value, n.percent = part, true
		return
	}
	n.value = part / n.value
}

// hanOrDigits reads a number in Han characters or in digits at lexeme i. Factors
// of 万 and more must be less than below: they go down from left to right.
func (v *valuer) hanOrDigits(i int, below float64) (float64, int) {
	if v.at(i).kind == lexNumber {
		value, to, _ := v.literal(i)
		if to == 0 {
			return 0, 0
		}
		n := v.multiplied(number{value: value, from: i, to: to})
		return n.value, n.to
	}
	r := hanRun{digit: -1}
	k := i
	for ; k < len(v.lex) && k < i+24 && (k == i || v.glued(k)); k++ {
		t := v.at(k).text
		if f, ok := hanLarge[t]; ok && f < below && (r.digit >= 0 || r.sum > 0) {
			return v.hanSections((r.sum+max(r.digit, 0))*f, f, k+1)
		}
		if !r.add(t, k == i) {
			break
		}
	}
	if k == i {
		return 0, 0
	}
	return v.hanPoint(r.value(v.lang == "zh"), k, i+24)
}

// hanSections adds what stands behind 万 or a larger factor f, which closes total:
// 三亿五千万.
func (v *valuer) hanSections(total, f float64, k int) (float64, int) {
	if v.hanMore(k) {
		if rest, to := v.hanOrDigits(k, f); to > 0 && rest < f {
			if to == k+1 && v.lang == "zh" && rest < 10 && hanDigits[v.at(k).text] > 0 {
				rest *= f / 10 // 一万三
			}
			return total + rest, to
		}
	}
	return v.hanPoint(total, k, k+24)
}

// hanPoint reads the decimals behind a number that ends at lexeme k: 三点五.
func (v *valuer) hanPoint(total float64, k, end int) (float64, int) {
	if t := v.at(k).text; t != "点" && t != "點" || !v.glued(k) || k >= end {
		return total, k
	}
	scale, m := 0.1, k+1
	for ; m < k+12 && v.glued(m); m++ {
		f, ok := hanDigits[v.at(m).text]
		if !ok {
			break
		}
		total += f * scale
		scale /= 10
	}
	if m == k+1 {
		return total, k
	}
	return roundTo(total, 12), m
}

// hanRun is a number below 万 as far as it is read.
type hanRun struct {
	sum   float64 // of what factors closed
	digit float64 // that no factor has closed, -1 for none
	step  float64 // the last factor, 0 for none
	zero  bool    // a zero stood behind it
}

// add adds a character, and reports whether it belongs to the number.
func (r *hanRun) add(t string, first bool) bool {
	if f, ok := hanDigits[t]; ok {
		switch {
		case r.digit >= 0 && r.step == 0: // 二〇二四: digit by digit
			r.digit = r.digit*10 + f
			return true
		case r.digit > 0:
			return false
		}
		r.zero = r.zero || f == 0
		r.digit = f
		return true
	}
	f, ok := hanSmall[t]
	if !ok || r.digit <= 0 && (r.step > 0 && f > 10 || !first && r.step == 0) {
		return false
	}
	if r.digit <= 0 {
		r.digit = 1
	}
	r.sum += r.digit * f
	r.digit, r.step, r.zero = -1, f, false
	return true
}

// value is the number; in Chinese 二百五 is 250.
func (r *hanRun) value(chinese bool) float64 {
	d := max(r.digit, 0)
	if r.step >= 100 && !r.zero && chinese && d < 10 {
		d *= r.step / 10
	}
	return r.sum + d
}

// hanMore reports whether a number goes on at lexeme k.
func (v *valuer) hanMore(k int) bool {
	if !v.glued(k) {
		return false
	}
	_, a := hanDigits[v.at(k).text]
	_, b := hanSmall[v.at(k).text]
	return a || b
}
