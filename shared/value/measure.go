package value

import (
	"math"
	"slices"

	"wstk/shared/text"
)

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
	if !n.integer || sign != "/" && sign != "-" || !v.glued(n.to) || !v.glued(n.to+1) ||
		v.at(n.to+1).kind != lexNumber {
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

// ordinalEnds are the endings of ordinals: 5th, 1er, 2º.
var ordinalEnds = text.WordSet("st nd rd th er re ère ème eme e ste de o a º ª й я го м")

// isOrdinalEnd reports whether word makes an ordinal of the digits that it touches. In most
// languages e and de are something else, and one letter always is in English.
func (v *valuer) isOrdinalEnd(word string) bool {
	switch {
	case v.lang == "en" && len(word) != 2:
		return false
	case word == "de":
		return v.lang == "nl"
	case word == "e":
		return v.lang == "fr" || v.lang == "nl"
	}
	return ordinalEnds[word]
}

// suffixed reads ordinals and dimensions such as 10x20 cm. Other letters on digits make them
// part of a name (3D, 4x4).
func (v *valuer) suffixed(n number) (Value, int) {
	l := v.at(n.to)
	if n.integer && !v.hangsOn(n.to+1) && v.isOrdinalEnd(l.lower) {
		n.ordinal = true
		return v.numberValue(n, n.to+1)
	}
	if (l.lower == "x" || l.lower == "×") && v.at(n.to+1).kind == lexNumber {
		return v.rangeStart(n)
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
	} else if part, end := v.partBehind(to); end > 0 && n.spelled && u.offset == 0 && !u.inverse {
		x, to = x+part*u.factor, end // a mile and a half
	}
	x = roundTo(x, 12)
	return v.value("quantity", n.from, to, &x, u.base, formatNumber(roundTo(x, 6))+" "+u.base), to
}

// smallerUnits are the units that may stand behind others in one quantity: 5 ft 2 in.
var smallerUnits = func() map[unit][]unit {
	pounds := []unit{{base: "kg", factor: pound}, {base: "kg", factor: pound / 16}}
	return map[unit][]unit{
		{base: "m", factor: foot}:        {{base: "m", factor: inch}},
		{base: "kg", factor: pound}:      pounds,
		{base: "kg", factor: 14 * pound}: pounds, // stones
	}
}()

// smallerPart reads what stands behind feet, pounds or stones in a smaller unit, in the
// base unit: the inches of 5 ft 2 in.
func (v *valuer) smallerPart(u unit, k int) (x float64, to int) {
	smaller := smallerUnits[u]
	if smaller == nil {
		return 0, 0
	}
	if t := v.at(k); t.lower == "and" || t.text == "," || t.text == "." && v.glued(k) {
		k++
	}
	m := v.digitNumber(k)
	if m.to == 0 || m.sign {
		return 0, 0
	}
	part, to := v.quantityUnit(m)
	if to == 0 && u.base == "m" && v.at(m.to).lower == "in" && v.at(k).gap {
		part, to = smaller[0], m.to+1 // behind feet, in is no preposition
	}
	if x = m.value * part.factor; to == 0 || !slices.Contains(smaller, part) || x >= u.factor {
		return 0, 0
	}
	return x, to
}

// feetInches reads 6'2" and 27".
func (v *valuer) feetInches(n number) (Value, int) {
	l := v.at(n.to)
	if !v.glued(n.to) || n.spelled || n.ordinal {
		return Value{}, 0
	}
	if l.text == "'" {
		if m := v.digitNumber(n.to + 1); m.to > 0 && m.value < 12 && v.at(m.to).
			text == `"` && v.glued(m.to) {
			return v.quantity(number{value: n.value*12 + m.value, from: n.from},
				unit{base: "m", factor: inch}, m.to+1)
		}
		if v.s[l.start:l.end] == "′" {
			return v.quantity(n, unit{base: "m", factor: foot}, n.to+1)
		}
	}
	if l.text == `"` && (v.s[l.start:l.end] == "″" ||
		v.s[l.start:l.end] == `"` && v.quotesEven(n.from)) && n.value < 1000 {
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

var (
	rangeWords = text.WordSet("to bis à a al al till til t/m до por by x")
	rangeSigns = text.WordSet("- – ~ × ～ 〜")
)

// rangeStart gives the first number of a span or of dimensions the unit of the
// last: 5–10 kg, $5–10 million is not one of them, 10 × 20 × 30 cm.
func (v *valuer) rangeStart(n number) (Value, int) {
	k := n.to
	for range 4 {
		if k = v.behindRangeSign(n, k); k == 0 {
			break
		}
		m := v.number(k)
		if m.to == 0 || m.ordinal || m.spelled != n.spelled {
			break
		}
		if val, to := v.measuredLike(n, m); to > 0 {
			return val, to
		}
		k = m.to
	}
	return Value{}, 0
}

// behindRangeSign returns the lexeme behind the sign or word at lexeme k that joins n to the
// end of a span, 0 where there is none.
func (v *valuer) behindRangeSign(n number, k int) int {
	l, next := v.at(k), v.at(k+1)
	switch {
	case l.text == "-" && next.kind == lexWord && rangeWords[next.lower]:
		return k + 2 // 8- to 16-meter
	case rangeSigns[l.text],
		l.kind == lexWord && rangeWords[l.lower] && (l.gap || l.lower == "x"),
		l.lower == "and" && v.at(n.from-1).lower == "between":
		return k + 1
	}
	return 0
}

// measuredLike makes the value of n in the currency or the unit behind m.
func (v *valuer) measuredLike(n, m number) (Value, int) {
	if code, minor, to := v.currencyAt(m.to, false); to > 0 {
		val, _ := v.moneyValue(n.from, n, code, minor)
		return val, n.to
	}
	u, to := v.quantityUnit(m)
	switch {
	case to == 0:
		return Value{}, 0
	case u.base == "s" || u.base == "mo":
		return v.durationOnly(n, u)
	}
	return v.quantityOnly(n, u)
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
	return v.value("quantity", n.from, n.to, &x, u.base, formatNumber(roundTo(x, 6))+" "+u.base),
		n.to
}
