package value

import (
	"math"
	"strconv"
	"strings"

	"wstk/shared/text"
)

// number is a number read from lexemes [from, to).
type number struct {
	value    float64
	from, to int
	ordinal  bool
	spelled  bool // in words
	one      bool // the word "one" alone, or an article
	integer  bool // plain digits without sign or separator
	sign     bool
	scale    float64 // the last thousand or million in words
	percent  bool    // 百分之
}

// decimalComma are the languages that write 1.234,5.
var decimalComma = text.WordSet(
	"de fr es it pt nl sv no nb nn da fi ru uk be bg pl cs sk sl hr sr bs mk hu ro tr el id vi",
	"lt lv et is ca gl eu sq af az kk ka hy")

// number reads the number at lexeme i; to == 0 means that there is none. Signs,
// separators, exponents, fractions and number words belong to it, units do not.
func (v *valuer) number(i int) number {
	if i >= len(v.lex) {
		return number{}
	}
	if n := v.digitNumber(i); n.to > 0 {
		n = v.multiplied(n)
		v.partsOf(&n)
		return n
	}
	if v.lex[i].kind == lexWord {
		return v.wordNumber(i)
	}
	return number{}
}

// at returns lexeme i, or an empty one outside the line.
func (v *valuer) at(i int) *lexeme {
	if i < 0 || i >= len(v.lex) {
		return &noLexeme
	}
	return &v.lex[i]
}

var noLexeme = lexeme{kind: lexSign, gap: true}

// glued reports whether lexeme i follows the one before without white space.
func (v *valuer) glued(i int) bool { return i > 0 && i < len(v.lex) && !v.lex[i].gap }

// digitNumber reads a number in digits.
func (v *valuer) digitNumber(i int) number {
	n := number{from: i}
	negative := false
	switch sign := v.at(i).text; sign {
	case "-", "+", "−", "–":
		if !v.signStands(i) {
			return number{}
		}
		n.sign, negative = true, sign != "+"
		i++
	}
	ok := false
	if l := v.at(i); l.kind == lexSign {
		ok = v.signNumber(&n, i)
	} else if l.kind == lexNumber && len(l.lower) <= 40 && (n.sign || !v.stuck(i)) {
		ok = v.plainNumber(&n, i)
	}
	if !ok {
		return number{}
	}
	return n.negate(negative)
}

// signNumber reads ½ and .5 at lexeme i into n.
func (v *valuer) signNumber(n *number, i int) bool {
	t := v.at(i).text
	if t == "." || t == "," && v.comma {
		if !v.digitsJoined(i+1) || v.glued(i) && !n.sign || v.glued(i+2) {
			return false
		}
		n.value, _ = strconv.ParseFloat("0."+v.at(i+1).lower, 64)
		n.to = i + 2
		return true
	}
	f, ok := vulgar[t]
	n.value, n.to = f, i+1
	return ok
}

// plainNumber reads the digits at lexeme i into n, with their exponent or fraction.
func (v *valuer) plainNumber(n *number, i int) bool {
	value, to, plain := v.literal(i)
	n.value, n.to = value, to
	n.integer = plain && to == i+1 && !n.sign
	if to == 0 || !v.exponent(n) {
		return false
	}
	v.fraction(n, plain)
	return true
}

// digitsJoined reports whether lexeme i is digits that touch what stands before them.
func (v *valuer) digitsJoined(i int) bool { return v.glued(i) && v.at(i).kind == lexNumber }

func (n number) negate(yes bool) number {
	if yes {
		n.value = -n.value
	}
	return n
}

// signStands reports whether the sign at i belongs to the number behind it rather
// than joining it to what stands before.
func (v *valuer) signStands(i int) bool {
	next := v.at(i + 1)
	if next.gap || next.kind != lexNumber && vulgar[next.text] == 0 &&
		!(next.text == "." && v.glued(i+2) && v.at(i+2).kind == lexNumber) {
		return false
	}
	if v.at(i-1).kind == lexNumber {
		return false // 75 -300
	}
	return !v.glued(i) || v.at(i-1).
		kind == lexSign && strings.Contains("([{=<>~:,/\"'*$€£¥", v.at(i-1).text)
}

// stuck reports whether digits hang on a word: MP3, x86, COVID-19, a_1, git-log(1).
func (v *valuer) stuck(i int) bool {
	if !v.glued(i) {
		return false
	}
	p := v.at(i - 1)
	if p.kind == lexWord {
		return !text.Unspaced(firstRune(p.text)) && !currencyCodes[p.text] && !symbols[p.lower]
	}
	switch p.text {
	case "_", "@", "\\":
		return true
	case "-":
		return v.glued(i-1) && v.at(i-2).
			kind == lexWord && !text.Unspaced(firstRune(v.at(i-2).text))
	case ".", ",", "/", ":":
		return v.glued(i-1) && v.at(i-2).kind == lexNumber && v.free != i
	case "(", "[":
		return v.manual(i)
	}
	return false
}

// manual reports whether the number at i is the section of a manual: git-log(1),
// printf(3p). What counts things in brackets, "Reviews(5)", begins in upper case.
func (v *valuer) manual(i int) bool {
	name, to := v.at(i-2), i+1
	if !v.glued(i-1) || name.kind != lexWord || len(name.text) < 2 || name.text[0] < 'a' ||
		name.text[0] > 'z' || len(v.at(i).lower) != 1 {
		return false
	}
	if l := v.at(to); v.glued(to) && l.kind == lexWord && len(l.text) <= 2 {
		to++
	}
	return v.glued(to) && (v.at(to).text == ")" || v.at(to).text == "]")
}

// literal reads digits with their separators: value, where they end, and whether
// they are plain digits. to is 0 where the separators make no number: versions,
// addresses, dates.
func (v *valuer) literal(i int) (value float64, to int, plain bool) {
	var groupBuf [mostGroups]string
	var sepBuf [mostGroups]byte
	groups, seps := v.digitGroups(i, groupBuf[:0], sepBuf[:0])
	if len(seps) == 0 {
		return v.spaced(i)
	}
	value, used := v.separated(groups, seps)
	if v.free == i && seps[0] == ',' && used > 0 { // 22,24,26,31: the list goes on
		used = 1
	}
	switch used {
	case 1: // a list, 1,2,3: the first stands for itself
		v.free = i + 2
		f, err := strconv.ParseFloat(groups[0], 64)
		return f, i + 1, err == nil
	case len(groups):
		return value, i + 2*used - 1, false
	}
	return 0, 0, false // none, or 1.2.3
}

// mostGroups is how many groups of digits a number has at most.
const mostGroups = 14

// digitGroups appends the groups of digits from lexeme i on, and the separators that join
// them without white space.
func (v *valuer) digitGroups(i int, groups []string, seps []byte) ([]string, []byte) {
	groups = append(groups, v.at(i).lower)
	for k := i + 1; len(groups) < mostGroups && v.glued(k) && v.digitsJoined(k+1); k += 2 {
		sep := v.at(k).text
		switch sep {
		case ".", ",", "'":
		case "’":
			sep = "'"
		default:
			return groups, seps
		}
		groups, seps = append(groups, v.at(k+1).lower), append(seps, sep[0])
	}
	return groups, seps
}

// spaced reads 1 234 567: groups of three digits with one white space between.
func (v *valuer) spaced(i int) (value float64, to int, plain bool) {
	digits := v.at(i).lower
	to = i + 1
	if len(digits) <= 3 && digits[0] != '0' {
		for v.groupAt(i, to) && len(digits) <= 30 {
			digits += v.at(to).lower
			to++
		}
	}
	if plain = to == i+1; !plain && v.decimalsAt(to) { // 12 345,6
		digits += "." + v.at(to+1).lower
		to += 2
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, 0, false
	}
	return f, to, plain
}

// groupAt reports whether lexeme k is a group of the number that begins at lexeme i.
func (v *valuer) groupAt(i, k int) bool {
	l := v.at(k)
	if l.kind != lexNumber || len(l.lower) != 3 || !l.gap ||
		!v.groupSpace(v.at(k-1).end, l.start) && !v.threeGroups(i, k) && !v.amountGroups(i, k) {
		return false
	}
	next := v.at(k + 1)
	name := next.kind == lexWord && !v.unitFollows(k+1) || next.text == "-" || next.text == "/"
	return !v.glued(k+1) || !name
}

// decimalsAt reports whether lexeme k is a separator with decimals behind, and no version
// or list begins there.
func (v *valuer) decimalsAt(k int) bool {
	sep := v.at(k).text
	more := v.glued(k+2) && v.at(k+2).kind == lexSign && v.glued(k+3) && v.at(k+3).kind == lexNumber
	return (sep == "," || sep == ".") && v.decimals(k) && !more
}

// groupSpace reports whether the white space between two groups of digits joins
// them: one space that does not break always, a plain one in languages that
// write so.
func (v *valuer) groupSpace(a, b int) bool {
	switch v.s[a:b] {
	case "\u00a0", "\u202f", "\u2009":
		return true
	case " ":
		return v.spaceGroups
	}
	return false
}

// threeGroups reports whether lexeme k belongs to groups that only a number has,
// whatever the language: 1 234 567.
func (v *valuer) threeGroups(i, k int) bool {
	second, third := v.at(i+1), v.at(i+2)
	return k <= i+2 && len(second.lower) == 3 && len(third.lower) == 3 &&
		second.kind == lexNumber && third.kind == lexNumber &&
		v.s[v.at(i).end:second.start] == " " && v.s[second.end:third.start] == " " &&
		!v.glued(i+3) || k > i+2 && v.s[v.at(k-1).end:v.at(k).start] == " "
}

// amountGroups reports whether lexeme k ends an amount of two groups whatever the language,
// since a unit stands behind it, or a currency before it alone: 12 500 dollars, $12 500.
// What a name begins (Interstate 5 200 miles) is another number.
func (v *valuer) amountGroups(i, k int) bool {
	if k != i+1 || v.s[v.at(i).end:v.at(k).start] != " " {
		return false
	}
	_, _, currency := v.currencyAt(k+1, false)
	behind := currency > 0 || v.unitFollows(k+1)
	if _, _, to := v.currencyAt(i-1, true); to == i {
		return !behind
	}
	before := v.at(i - 1)
	name := before.kind == lexWord && before.text != before.lower
	return behind && !name && (!v.glued(i) || strings.Contains("([\"“+−~≈<>≤≥", before.text))
}

// spaceGroupers are the languages that group digits by spaces.
var spaceGroupers = text.WordSet("fr ru uk be bg pl cs sk sv no nb nn fi hu et lv lt es pt sl is")

// separated decides what separators mean. used is how many groups make the
// number: 1 means a list, 0 no number at all.
func (v *valuer) separated(groups []string, seps []byte) (value float64, used int) {
	n, last := len(groups), seps[len(seps)-1]
	kinds := 1
	for k := 1; k < len(seps); k++ {
		if seps[k] != seps[k-1] {
			kinds++
		}
	}
	switch {
	case kinds == 2 && last != seps[0] && last != '\'' && grouped(groups[:n-1]):
		// 1,234.5 or 1.234,5: the last separator is the decimal one.
		used = n
		value = joinGroups(groups[:n-1], groups[n-1])
	case kinds > 1:
		return 0, 0 // 1.5,2.5 and such
	case n == 2 && v.isDecimal(groups, last):
		used = n
		value = joinGroups(groups[:1], groups[1])
	case grouped(groups):
		used = n
		value = joinGroups(groups, "")
	case last == ',' || n == 2 && last == '\'':
		return 0, 1
	}
	if math.IsInf(value, 0) {
		return 0, 0
	}
	return value, used
}

// isDecimal reports whether a separator between two groups is the decimal one: that of the
// language, and in 1.5 in German text, 1,5 where the language is not known, and 5,00.
func (v *valuer) isDecimal(groups []string, sep byte) bool {
	decimal := byte('.')
	if v.comma {
		decimal = ','
	}
	short := len(groups[1]) == 2 || v.commaUnsure && len(groups[1]) < 2
	return sep == decimal || !grouped(groups) && (sep == '.' || sep == ',' && short)
}

// joinGroups returns the number of groups of digits with decimals behind; infinite where
// it is too large.
func joinGroups(whole []string, decimals string) float64 {
	var buf [32]byte
	b := buf[:0]
	for _, digits := range whole {
		b = append(b, digits...)
	}
	if decimals != "" {
		b = append(append(b, '.'), decimals...)
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return math.Inf(1)
	}
	return f
}

// grouped is true of 1|234|567 and of the Indian 12|34|567.
func grouped(g []string) bool {
	if len(g) == 1 {
		return true
	}
	if len(g[0]) > 3 || g[0][0] == '0' || len(g[len(g)-1]) != 3 {
		return false
	}
	threes, twos := true, len(g[0]) <= 2
	for _, x := range g[1 : len(g)-1] {
		threes = threes && len(x) == 3
		twos = twos && len(x) == 2
	}
	return threes || twos
}

// hangsOn reports whether lexeme i is a letter or digit joined to the one before.
func (v *valuer) hangsOn(i int) bool {
	if !v.glued(i) || v.at(i).kind == lexSign {
		return false
	}
	// Scripts without spaces part words from numbers by themselves.
	return !text.Unspaced(firstRune(v.at(i).text)) && !text.Unspaced(firstRune(v.at(i-1).text))
}

// formatNumber writes f with at most 15 significant digits, without an exponent
// where that stays readable.
func formatNumber(f float64) string {
	f = roundTo(f, 15)
	if f == 0 {
		return "0"
	}
	if a := math.Abs(f); a >= 1e21 || a < 1e-9 {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// roundTo rounds f to so many significant digits.
func roundTo(f float64, digits int) float64 {
	if f == math.Trunc(f) && math.Abs(f) < 1e5 {
		return f
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', digits, 64), 64)
	if err != nil {
		return f
	}
	return r
}
