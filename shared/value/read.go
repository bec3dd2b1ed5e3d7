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
	months       map[string]time.Month
	begins       map[string]bool // words that may begin a value

	lex      []lexeme
	contacts []Value
	carryAt  int    // lexeme of an amount that has the currency of the one before
	carry    string // that currency
	free     int    // lexeme that begins a number though a separator stands before it
	found    found  // what a form read last
	out      []Value
}

func newValuer(s, lang string) *valuer {
	code := text.Language(lang)
	v := &valuer{s: s, lang: code, region: text.Region(lang), comma: decimalComma[code],
		commaUnsure: code == "", spaceGroups: spaceGroupers[code]}
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
	for _, read := range []func(int) (Value, int){v.date, v.clock, v.phone, v.isoDuration,
		v.shortDuration, v.money, v.percentBefore} {
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

// mayBegin is a quick test whether a word may begin a value.
func (v *valuer) mayBegin(l *lexeme) bool {
	if l.lower == "" {
		return false
	}
	return l.text[0] >= 0x80 || v.begins[l.lower] || len(l.text) == 3 && currencyCodes[l.text] ||
		v.words != nil && v.words.maySplit(l.lower)
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
