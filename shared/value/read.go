package value

import (
	"strings"
	"sync"
	"time"

	"wstk/shared/text"
)

// valuer reads the values of a text line by line.
type valuer struct {
	s            string
	lang, region string
	comma        bool // 1.234,5
	commaUnsure  bool // the language is not known
	spaceGroups  bool // 1 234 with a plain space
	words        *numberWords
	units        *unitTable
	months       *wordTable[time.Month]
	begins       *wordTable[beginning]

	lex      []lexeme
	longest  int // the most lexemes of a line so far
	contacts []Value
	carryAt  int    // lexeme of an amount that has the currency of the one before
	carry    string // that currency
	free     int    // lexeme that begins a number though a separator stands before it
	found    found  // what a form read last
	key      []byte // of a unit or a currency that is looked up
	lowKey   []byte // the same in lower case

	phoneGroups, phoneSeps [longestPhone]string // see phoneDigits
	out                    []Value
}

// valuers are for use again. They keep their buffers and nothing of the text.
var valuers = sync.Pool{New: func() any { return &valuer{} }}

func newValuer(s, lang string) *valuer {
	code := text.Language(lang)
	v := valuers.Get().(*valuer)
	v.s, v.lang, v.region = s, code, text.Region(lang)
	v.comma, v.commaUnsure, v.spaceGroups = decimalComma[code], code == "", spaceGroupers[code]
	if code == "es" && (v.region == "MX" || v.region == "US" || v.region == "GT" ||
		v.region == "PR") || code == "de" && v.region == "CH" {
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

// done returns the values that were read. v must not be used again.
func (v *valuer) done() []Value {
	out := v.out
	clear(v.lex[:v.longest]) // so that the buffer does not hold the text
	*v = valuer{lex: v.lex[:0], key: v.key, lowKey: v.lowKey}
	valuers.Put(v)
	return out
}

// line reads s[from:to].
func (v *valuer) line(from, to int) {
	if v.words == nil && !mayHoldValue(v.s[from:to]) {
		return
	}
	v.contacts = contacts(v.contacts, v.s, from, to)
	v.lex = lex(v.lex, v.s, from, to)
	v.longest = max(v.longest, len(v.lex))
	v.free, v.carryAt = -1, -1
	behind := v.contacts // those that are not passed yet
	for i := 0; i < len(v.lex); {
		for len(behind) > 0 && behind[0].End <= v.lex[i].start {
			behind = behind[1:]
		}
		if len(behind) == 0 {
			i = max(v.read(i), i+1)
			continue
		}
		contact := behind[0]
		if v.lex[i].end > contact.Start {
			v.add(contact)
			for i < len(v.lex) && v.lex[i].start < contact.End {
				i++
			}
			continue
		}
		next := max(v.read(i), i+1)
		if v.lex[next-1].end > contact.Start {
			v.dropFrom(contact.Start)
			next = i + 1
		}
		i = next
	}
}

// dropFrom drops the values that were read and run into the address at byte start: they were
// parts of it.
func (v *valuer) dropFrom(start int) {
	for len(v.out) > 0 && v.out[len(v.out)-1].End > start {
		v.out = v.out[:len(v.out)-1]
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

// readers are the ways to read a value, in the order in which they are asked at a lexeme
// that may begin such a value. What begins a number is measured last.
var readers = []struct {
	at   beginning
	read func(v *valuer, i int) (Value, int)
}{
	{beginsDate, (*valuer).date},
	{beginsClock, (*valuer).clock},
	{beginsPhone, (*valuer).phone},
	{beginsISODuration, (*valuer).isoDuration},
	{beginsShortDuration, (*valuer).shortDuration},
	{beginsMoney, (*valuer).money},
	{beginsPercent, (*valuer).percentBefore},
}

// read reads a value at lexeme i and returns the lexeme to go on with.
func (v *valuer) read(i int) int {
	l := v.at(i)
	begins := v.beginningAt(i)
	if begins == 0 {
		return i + 1
	}
	for k := range readers {
		if begins&readers[k].at == 0 {
			continue
		}
		if val, to := readers[k].read(v, i); to > 0 {
			v.add(val)
			return to
		}
	}
	if begins&beginsNumber == 0 {
		return i + 1
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
		v.add(val)
		return to
	}
	if t := v.at(n.to).text; n.integer && (t == "-" || t == "/") {
		return v.skipName(n.to - 1)
	}
	return max(n.to, i+1)
}

func (v *valuer) add(val Value) {
	if v.out == nil {
		v.out = make([]Value, 0, 4)
	}
	v.out = append(v.out, val)
}

// percentBefore reads %5 and yüzde 5, as Turkish writes.
func (v *valuer) percentBefore(i int) (Value, int) {
	if v.lang != "tr" || v.at(i).text != "%" && v.at(i).lower != "yüzde" || v.at(i-1).
		kind == lexNumber && v.glued(i) {
		return Value{}, 0
	}
	n := v.number(i + 1)
	if n.to == 0 || n.ordinal {
		return Value{}, 0
	}
	n.from = i
	return v.quantityOnly(n, unit{base: "%", factor: 1})
}

// skipName skips digits that are part of a version, an address or another name.
func (v *valuer) skipName(i int) int {
	i++
	for v.glued(i) && v.glued(i+1) && v.at(i).kind == lexSign && v.at(i+1).
		kind == lexNumber && v.at(i).text != "\"" {
		i += 2
	}
	return i
}

// value makes a Value of lexemes [from, to).
func (v *valuer) value(typ string, from, to int, n *float64, unit, norm string) Value {
	r := text.Range{Start: v.lex[from].start, End: v.lex[to-1].end}
	return Value{Type: typ, Range: r, Text: v.s[r.Start:r.End], Number: n, Unit: unit, Norm: norm}
}
