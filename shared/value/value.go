package value

import (
	"strings"
	"time"

	"wstk/shared/text"
)

// Value is a typed reading of a part of a text.
//
// Type is number, quantity, money, date, time, duration, phone, email or url.
// Text is the part itself, Range its bytes in the text. Norm is a canonical form: equal
// forms mean equal values. Where the text leaves two readings open, Norm names
// both, separated by "|", and Number and Time are nil.
//
//	number    Number; Unit "ordinal" for 5th. Norm 1234.5, 5th
//	quantity  Number in the base unit Unit (units.txt: kg, m, m², L, m/s, W, N·m, J, Pa,
//	          °C, B, %, L/100km …), or in two of them, kg/s. Norm "1471.91 kg", six decimals
//	money     Number in whole units of the currency; Unit its ISO 4217 code, or its sign
//	          or name where several countries share it. Norm "5000000 USD"
//	date      Time (UTC) where day, month and year are known. Norm by ISO 8601 without what
//	          is not known: 2024-03-05, 2024-03, 2024, --03-05, -0043 for 44 BC,
//	          2024-03-05T10:20:30Z (without Z if no zone is stated), or two dates
//	          separated by "/" for a span
//	time      Norm 19:30, 19:30:05, 19:30 CET
//	duration  Number in Unit s, or mo for months and years (one year is 12).
//	          Norm by ISO 8601: PT1H20M, P24M
//	phone     Norm the digits, +15551234567 if the country is known, ";ext=" and an extension
//	email     Norm the address in lower case
//	url       Norm as text.Canonical writes it
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
// which number words and month names count, and which dollar or gallon is meant; "" is
// a text in an unknown language.
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
	return v.done()
}
