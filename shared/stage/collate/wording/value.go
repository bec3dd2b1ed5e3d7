package wording

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/value"
	"wstk/shared/wstk"
)

// Digits are those by which a text is known to hold a number.
const Digits = "0123456789"

// Scalar reports whether values of a type are amounts.
func Scalar(typ string) bool {
	switch wstk.ValueType(typ) {
	case wstk.ValueNumber, wstk.ValueQuantity, wstk.ValueMoney, wstk.ValueDuration:
		return true
	}
	return false
}

// Measurable reports whether a value can contradict another one: it measures, and does not
// only name something.
func Measurable(v value.Value) bool {
	switch wstk.ValueType(v.Type) {
	case wstk.ValueNumber, wstk.ValueQuantity, wstk.ValueMoney, wstk.ValueDate, wstk.ValueTime,
		wstk.ValueDuration,
		wstk.ValuePhone, wstk.ValueEmail:
		return true
	}
	return false
}

// Identifies reports whether a number is a name: section 4, RFC 3339, step 2.
func Identifies(s string, v value.Value) bool {
	if wstk.ValueType(v.Type) != wstk.ValueNumber {
		return false
	}
	before := strings.TrimRight(s[:v.Start], " \u00a0#.")
	if strings.HasSuffix(s[:v.Start], "#") {
		return true
	}
	i := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) })
	return numberedThings[strings.ToLower(before[i+1:])]
}

// IsVersion reports whether a number is part of a dotted version.
func IsVersion(s string, v value.Value) bool {
	if wstk.ValueType(v.Type) != wstk.ValueNumber {
		return false
	}
	before, after := s[:v.Start], s[v.End:]
	return strings.Count(v.Text, ".") > 1 ||
		strings.HasPrefix(after, ".") && len(after) > 1 && isDigit(after[1]) ||
		strings.HasSuffix(before, ".") && len(before) > 1 && isDigit(before[len(before)-2])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Numeric reports whether s begins with a digit.
func Numeric(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsNumber(r)
}

// numberedThings are followed by a number that names them.
var numberedThings = Set("section chapter step page version v rfc iso figure fig table issue " +
	"ticket no number release part item note line example appendix article level phase ipv utf " +
	"sha md port http python java windows office level grade route highway room floor gate bus " +
	"tram train flight line track platform channel exit interstate building block lot unit class " +
	"group team player code apollo boeing airbus")
