package value

import (
	"math"
	"strconv"
	"strings"
	"sync"
	"time"
	"wstk/shared/text"
)

// Value is a typed reading of a part of a text.
//
// Type is number, quantity, money, date, time, duration, phone, email or url.
// Text is the part itself, Range where it stands. Norm is a canonical form: equal
// forms mean equal values. Where the text leaves two readings open, Norm names
// both, separated by "|", and nothing else is set.
//
//	number    Number; Unit "ordinal" for 5th. Norm 1234.5, 5th
//	quantity  Number in the base unit Unit (kg, m, m², L, m/s, W, N·m, J, Pa, °C, B, %, L/100km …). Norm "1471.91 kg"
//	money     Number; Unit the ISO code, or the sign or word itself where several currencies share it. Norm "5000000 USD"
//	date      Time (UTC) where day, month and year are known. Norm 2024-03-05, 2024-03, 2024, --03-05,
//	          2024-03-05T10:20:30Z, or two dates separated by "/" for a span
//	time      Norm 19:30, 19:30:05, 19:30 CET
//	duration  Number in Unit s, or mo for months and years. Norm PT1H20M, P24M
//	phone     Norm digits, +15551234567 where the country is known; email, url Norm the address
type Value struct {
	Type string
	text.Range
	Text   string
	Number *float64
	Unit   string
	Time   *time.Time
	Norm   string
}

// maxSegment is about how much of a line Find reads at once, in bytes.
const maxSegment = 16 << 10

// Find returns the values in s in order; they do not overlap and none runs over
// a line break. lang, a BCP 47 tag, decides between 1.234 and 1,234, between day
// and month first (05/03/2024 is ambiguous in "en", not in "en-US" or "en-GB"),
// which number words and month names count, and which dollar or gallon is meant.
//
// Left out are numbers that are parts of names (x86, COVID-19, 1.2.3, ls(1)), the bare
// word "one" and its like, and numbers in words of languages other than en, es,
// fr, de, it, pt, nl, sv, ru, tr, zh and ja.
func Find(s, lang string) []Value {
	v := newValuer(s, lang)
	for i := 0; i < len(s); {
		end := i + strings.IndexByte(s[i:], '\n')
		if end < i {
			end = len(s)
		}
		for end-i > maxSegment {
			// A long line is read in pieces, cut at a space.
			k := strings.IndexByte(s[i+maxSegment:end], ' ')
			if k < 0 || k > maxSegment {
				k = 0
				for k < 4 && i+maxSegment+k < end && s[i+maxSegment+k]&0xC0 == 0x80 {
					k++
				}
			}
			v.line(i, i+maxSegment+k)
			i += maxSegment + k
		}
		v.line(i, end)
		i = end + 1
	}
	return v.out
}

// valuer reads the values of a text line by line.
type valuer struct {
	s            string
	lang, region string
	comma        bool // 1.234,5
	commaUnsure  bool // the language is not known
	spaceGroups  bool // 1 234 with a plain space
	words        *numberWords
	units        *unitTable
	months       map[string]time.Month
	begins       map[string]bool // words that may begin a value

	lex      []lexeme
	contacts []Value
	carryAt  int    // lexeme of an amount that has the currency of the one before
	carry    string // that currency
	free     int    // lexeme that begins a number though a separator stands before it
	out      []Value
}

func newValuer(s, lang string) *valuer {
	code := text.Language(lang)
	v := &valuer{s: s, lang: code, region: text.Region(lang), comma: decimalComma[code], commaUnsure: code == "", spaceGroups: spaceGroupers[code]}
	if code == "es" && (v.region == "MX" || v.region == "US" || v.region == "GT" || v.region == "PR") || code == "de" && v.region == "CH" {
		v.comma = false
	}
	v.words = spelled()[code]
	if v.words == nil && code == "" {
		v.words = spelled()["en"]
	}
	v.units = unitsUS()
	if code == "en" && v.region == "GB" {
		v.units = unitsGB()
	}
	v.months = monthTables()[code]
	v.begins = beginningsOf(code, v.words)
	return v
}

// line reads s[from:to].
func (v *valuer) line(from, to int) {
	if !mayHoldValue(v.s[from:to]) && v.words == nil {
		return
	}
	v.contacts = contacts(v.contacts, v.s, from, to)
	v.lex = lex(v.lex, v.s, from, to)
	v.free, v.carryAt = -1, -1
	c := 0
	for i := 0; i < len(v.lex); {
		for c < len(v.contacts) && v.contacts[c].End <= v.lex[i].start {
			c++
		}
		if c < len(v.contacts) && v.lex[i].end > v.contacts[c].Start {
			v.out = append(v.out, v.contacts[c])
			for i < len(v.lex) && v.lex[i].start < v.contacts[c].End {
				i++
			}
			c++
			continue
		}
		next := v.read(i)
		if next > i && c < len(v.contacts) && v.lex[next-1].end > v.contacts[c].Start {
			// What was read runs into an address: it was none.
			for len(v.out) > 0 && v.out[len(v.out)-1].End > v.contacts[c].Start {
				v.out = v.out[:len(v.out)-1]
			}
			next = i + 1
		}
		i = max(next, i+1)
	}
}

// mayHoldValue is a quick look for a digit or another sign of a value.
func mayHoldValue(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; isDigit(c) || c == '@' || c == ':' || c >= 0x80 {
			return true
		}
	}
	return strings.Contains(s, "www.")
}

// read reads a value at lexeme i and returns the lexeme to go on with.
func (v *valuer) read(i int) int {
	l := v.at(i)
	if l.kind == lexWord && !v.mayBegin(l) {
		return i + 1
	}
	for _, read := range []func(int) (Value, int){v.date, v.clock, v.phone, v.isoDuration, v.shortDuration, v.money, v.percentBefore} {
		if val, to := read(i); to > 0 {
			v.out = append(v.out, val)
			return to
		}
	}
	n := v.number(i)
	if n.to == 0 {
		if l.kind == lexNumber {
			return v.skipName(i)
		}
		return i + 1
	}
	val, to := v.measure(n)
	if to > 0 {
		v.out = append(v.out, val)
		return to
	}
	if t := v.at(n.to).text; n.integer && (t == "-" || t == "/") {
		return v.skipName(n.to - 1)
	}
	return max(n.to, i+1)
}

// percentBefore reads %5 and yüzde 5, as Turkish writes.
func (v *valuer) percentBefore(i int) (Value, int) {
	if v.lang != "tr" || v.at(i).text != "%" && v.at(i).lower != "yüzde" || v.at(i-1).kind == lexNumber && v.glued(i) {
		return Value{}, 0
	}
	n := v.number(i + 1)
	if n.to == 0 || n.ordinal {
		return Value{}, 0
	}
	n.from = i
	return v.quantityOnly(n, unit{base: "%", factor: 1})
}

// mayBegin is a quick test whether a word may begin a value.
func (v *valuer) mayBegin(l *lexeme) bool {
	if l.lower == "" {
		return false
	}
	return l.text[0] >= 0x80 || v.begins[l.lower] || len(l.text) == 3 && currencyCodes[l.text] || v.words != nil && v.words.maySplit(l.lower)
}

// beginnings are the words that may begin a value, by language.
var beginnings sync.Map // language code → map[string]bool

func beginningsOf(code string, words *numberWords) map[string]bool {
	if monthTables()[code] == nil && words == nil {
		code = "-" // languages without words of their own share an entry
	}
	if m, ok := beginnings.Load(code); ok {
		return m.(map[string]bool)
	}
	m := text.WordSet(`noon midnight midday yüzde kl klo klokken klockan p pt minus negative menos moins a an ad half percent us u r c ca au nz hk s sg nt mx
		cdn kr sfr fr rs rm rp eur usd gbp chf rmb`)
	for _, months := range []map[string]time.Month{monthTables()[""], monthTables()[code]} {
		for w := range months {
			m[w] = true
		}
	}
	if words != nil {
		for _, set := range []map[string]float64{words.units, words.mults, words.ords} {
			for w := range set {
				m[w] = true
			}
		}
	}
	beginnings.Store(code, m)
	return m
}

// skipName skips digits that are part of a version, an address or another name.
func (v *valuer) skipName(i int) int {
	i++
	for v.glued(i) && v.glued(i+1) && v.at(i).kind == lexSign && v.at(i+1).kind == lexNumber && v.at(i).text != "\"" {
		i += 2
	}
	return i
}

// measure makes the value of a number and what it measures.
func (v *valuer) measure(n number) (Value, int) {
	switch {
	case math.IsInf(n.value, 0) || math.IsNaN(n.value):
		return Value{}, 0
	case n.percent:
		return v.quantityOnly(n, unit{base: "%", factor: 1})
	}
	if val, to := v.feetInches(n); to > 0 {
		return val, to
	}
	if !n.ordinal {
		if val, to := v.amountOf(n); to > 0 {
			return val, to
		}
	}
	switch {
	case v.hangsOn(n.to):
		return v.suffixed(n)
	case n.one && !n.ordinal, v.inChain(n):
		return Value{}, 0
	}
	return v.numberValue(n, n.to)
}

// amountOf reads what n counts: a currency, a unit, or the unit of the end of a span.
func (v *valuer) amountOf(n number) (Value, int) {
	if val, to := v.moneyBehind(n); to > 0 {
		return val, to
	}
	if u, to := v.quantityUnit(n); to > 0 {
		if u.base == "s" || u.base == "mo" {
			return v.durationFrom(n, u, to)
		}
		return v.quantity(n, u, to)
	}
	return v.rangeStart(n)
}

// inChain reports whether plain digits are a part of a name: 24/7, 8859-1, 12-34-56. A
// span goes up, and nothing follows its end.
func (v *valuer) inChain(n number) bool {
	sign := v.at(n.to).text
	if !n.integer || sign != "/" && sign != "-" || !v.glued(n.to) || !v.glued(n.to+1) || v.at(n.to+1).kind != lexNumber {
		return false
	}
	if sign == "/" {
		return true
	}
	m := v.digitNumber(n.to + 1)
	return !n.spelled && (m.to == 0 || m.value <= n.value || v.hyphenated(m.to))
}

func (v *valuer) numberValue(n number, to int) (Value, int) {
	x := roundTo(n.value, 15)
	if n.ordinal {
		return v.value("number", n.from, to, &x, "ordinal", formatNumber(x)+englishOrdinal(x)), to
	}
	return v.value("number", n.from, to, &x, "", formatNumber(x)), to
}

// englishOrdinal returns the ending of 1st, 2nd, 3rd, 4th, 11th.
func englishOrdinal(x float64) string {
	if t := math.Mod(math.Abs(x), 100); t < 11 || t > 13 {
		switch math.Mod(t, 10) {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}

// suffixed reads ordinals and their like: 5th, 1er, 2º. Other letters on digits
// make them part of a name (3D, 4x4).
func (v *valuer) suffixed(n number) (Value, int) {
	l := v.at(n.to)
	if n.integer && !v.hangsOn(n.to+1) {
		switch l.lower {
		case "st", "nd", "rd", "th", "er", "re", "ère", "ème", "eme", "e", "ste", "de", "o", "a", "º", "ª", "й", "я", "го", "м":
			if v.lang == "en" && len(l.lower) != 2 || l.lower == "de" && v.lang != "nl" || l.lower == "e" && v.lang != "fr" && v.lang != "nl" {
				break
			}
			n.ordinal = true
			return v.numberValue(n, n.to+1)
		}
	}
	if (l.lower == "x" || l.lower == "×") && v.at(n.to+1).kind == lexNumber {
		if val, to := v.rangeStart(n); to > 0 { // 10x20 cm
			return val, to
		}
	}
	return Value{}, 0
}

// quantity makes the value of n in u, and reads a second part in a smaller unit:
// 5 ft 2 in, 7 lb 3 oz.
func (v *valuer) quantity(n number, u unit, to int) (Value, int) {
	x, ok := u.toBase(n.value)
	if !ok {
		return v.numberValue(n, n.to)
	}
	if part, end := v.smallerPart(u, to); end > 0 {
		x, to = x+part, end
	}
	x = roundTo(x, 12)
	return v.value("quantity", n.from, to, &x, u.base, formatNumber(roundTo(x, 6))+" "+u.base), to
}

// smallerPart reads what stands behind feet, pounds or stones in a smaller unit, in the
// base unit: the inches of 5 ft 2 in.
func (v *valuer) smallerPart(u unit, k int) (x float64, to int) {
	feet, pounds := u.base == "m" && u.factor == foot, u.base == "kg" && (u.factor == pound || u.factor == 14*pound)
	if !feet && !pounds {
		return 0, 0
	}
	if t := v.at(k); t.lower == "and" || t.text == "," || t.text == "." && v.glued(k) {
		k++
	}
	m := v.digitNumber(k)
	if m.to == 0 || m.sign {
		return 0, 0
	}
	u2, to := v.quantityUnit(m)
	if to == 0 && feet && v.at(m.to).lower == "in" && v.at(k).gap {
		u2, to = unit{base: "m", factor: inch}, m.to+1 // behind feet, in is no preposition
	}
	part := u2.factor == inch || u2.factor == pound/16 || u2.factor == pound
	if to == 0 || u2.base != u.base || u2.inverse || !part || m.value*u2.factor >= u.factor {
		return 0, 0
	}
	return m.value * u2.factor, to
}

// feetInches reads 6'2" and 27".
func (v *valuer) feetInches(n number) (Value, int) {
	l := v.at(n.to)
	if !v.glued(n.to) || n.spelled || n.ordinal {
		return Value{}, 0
	}
	if l.text == "'" {
		if m := v.digitNumber(n.to + 1); m.to > 0 && m.value < 12 && v.at(m.to).text == `"` && v.glued(m.to) {
			return v.quantity(number{value: n.value*12 + m.value, from: n.from}, unit{base: "m", factor: inch}, m.to+1)
		}
		if v.s[l.start:l.end] == "′" {
			return v.quantity(n, unit{base: "m", factor: foot}, n.to+1)
		}
	}
	if l.text == `"` && (v.s[l.start:l.end] == "″" || v.s[l.start:l.end] == `"` && v.quotesEven(n.from)) && n.value < 1000 {
		return v.quantity(n, unit{base: "m", factor: inch}, n.to+1)
	}
	return Value{}, 0
}

// quotesEven reports whether the quote marks before lexeme i are all closed, so
// that the one behind a number is not the end of a quotation.
func (v *valuer) quotesEven(i int) bool {
	even := true
	for k := max(0, i-200); k < i; k++ {
		if v.lex[k].text == `"` && !(v.glued(k) && v.at(k-1).kind == lexNumber) {
			even = !even
		}
	}
	return even
}

var andWords = text.WordSet("and y et und e en och og и ja")

// durationFrom reads the parts of a duration that begins with n in u: 1 hr 20 min,
// two years and three months.
func (v *valuer) durationFrom(n number, u unit, to int) (Value, int) {
	seconds, months := 0.0, 0.0
	add := func(x float64, u unit) {
		if u.months {
			months += x * u.factor
		} else {
			seconds += x * u.factor
		}
	}
	add(n.value, u)
	for parts := 1; parts < 6; parts++ {
		k, half := v.nextPart(u, to)
		if half > 0 {
			add(0.5, u)
			to = half
			break
		}
		m := v.number(k)
		if m.to == 0 || m.sign || m.ordinal || !v.at(k).gap && v.at(k).kind != lexNumber {
			break
		}
		u2, to2 := v.quantityUnit(m)
		if to2 == 0 || !completes(m.value, u2, u) {
			break
		}
		add(m.value, u2)
		u, to = u2, to2
	}
	return v.duration(n.from, to, seconds, months)
}

// nextPart returns where the next part of a duration may begin that is read up to lexeme
// k, and where the half ends of an hour and a half, dos horas y media.
func (v *valuer) nextPart(u unit, k int) (part, half int) {
	if v.at(k).text == "." && v.glued(k) && v.at(k+1).kind == lexNumber && v.at(k+1).gap { // 1 hr. 20 min.
		k++
	}
	if v.at(k).text == "," && v.glued(k) {
		k++
	}
	if !andWords[v.at(k).lower] {
		return k, 0
	}
	k++
	article := v.at(k).lower == "a" || v.at(k).lower == "one"
	switch {
	case v.lang == "en" && article && v.at(k+1).lower == "half" && !u.months:
		return k, k + 2
	case halfWords[v.at(k).lower]:
		return k, k + 1
	}
	return k, 0
}

// completes reports whether x in unit u is the smaller part of a duration behind one in
// whole: 3 years, 18 months are two durations.
func completes(x float64, u, whole unit) bool {
	switch {
	case u.base != "s" && u.base != "mo", u.months && !whole.months:
		return false
	case u.months == whole.months:
		return x*u.factor < whole.factor
	}
	return u.factor >= day && x*u.factor < 12*month
}

var rangeWords = text.WordSet("to bis à a al al till til t/m до por by x")

// rangeStart gives the first number of a span or of dimensions the unit of the
// last: 5–10 kg, $5–10 million is not one of them, 10 × 20 × 30 cm.
func (v *valuer) rangeStart(n number) (Value, int) {
	k := n.to
	for hops := 0; hops < 4; hops++ {
		l := v.at(k)
		switch {
		case l.text == "-" || l.text == "–" || l.text == "~" || l.text == "×" || l.text == "～" || l.text == "〜":
			if l.text == "-" && v.at(k+1).kind == lexWord && rangeWords[v.at(k+1).lower] { // 8- to 16-meter
				k++
			}
		case l.kind == lexWord && rangeWords[l.lower] && (l.gap || l.lower == "x"):
		case l.lower == "and" && v.at(n.from-1).lower == "between":
		default:
			return Value{}, 0
		}
		m := v.digitNumber(k + 1)
		if m.to == 0 {
			return Value{}, 0
		}
		m = v.multiplied(m)
		if code, minor, to := v.currencyAt(m.to, false); to > 0 {
			val, _ := v.moneyValue(n.from, n, code, minor)
			return val, n.to
		}
		if u, to := v.quantityUnit(m); to > 0 {
			if u.base == "s" || u.base == "mo" {
				return v.durationOnly(n, u)
			}
			return v.quantityOnly(n, u)
		}
		k = m.to
	}
	return Value{}, 0
}

// durationOnly and quantityOnly make the value of n in a unit that stands
// elsewhere.
func (v *valuer) durationOnly(n number, u unit) (Value, int) {
	if u.months {
		return v.duration(n.from, n.to, 0, n.value*u.factor)
	}
	return v.duration(n.from, n.to, n.value*u.factor, 0)
}

func (v *valuer) quantityOnly(n number, u unit) (Value, int) {
	x, ok := u.toBase(n.value)
	if !ok {
		return v.numberValue(n, n.to)
	}
	x = roundTo(x, 12)
	return v.value("quantity", n.from, n.to, &x, u.base, formatNumber(roundTo(x, 6))+" "+u.base), n.to
}

// value makes a Value of lexemes [from, to).
func (v *valuer) value(typ string, from, to int, n *float64, unit, norm string) Value {
	r := text.Range{Start: v.lex[from].start, End: v.lex[to-1].end}
	return Value{Type: typ, Range: r, Text: v.s[r.Start:r.End], Number: n, Unit: unit, Norm: norm}
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
	return strconv.FormatFloat(f, 'f', -1, 64)
}
