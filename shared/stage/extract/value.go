package extract

import (
	"math/bits"
	"sort"
	"strings"

	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

func trailingZeros(s termSet) int { return bits.TrailingZeros64(uint64(s)) }

// valueIn returns the value of the wanted kind in u that is nearest to the
// query's words and is not one the query itself states; in a row, that of the column
// which the query names. It is nil when there is none or the kind has no form.
func (q *question) valueIn(p *page, u *unit) *value.Value {
	if !q.want.kind.typed() {
		return nil
	}
	s := p.text(u)
	vs, named := q.inColumn(p, u, q.want.kind.find(s, p.lang))
	number := sectionNumber().FindString(s)
	best, bestAt := -1, 0
	for i, v := range vs {
		if q.own[v.Norm] || q.stated(p, u, v) || !named && q.ofAnotherMeasure(v) ||
			v.End <= len(number) && strings.Contains(number, ".") || numbered().
			MatchString(s[max(0, v.Start-longestMark):v.Start]) {
			continue
		}
		at := p.distance(u, u.start+v.Start, u.start+v.End)
		if best < 0 || at < bestAt {
			best, bestAt = i, at
		}
	}
	if best < 0 {
		return nil
	}
	return q.asThings(&vs[best], p.lang)
}

// asThings returns a value that counts things by a noun which is a unit, too, as their number: a
// spider has eight feet, and not 2.4 metres.
func (q *question) asThings(v *value.Value, lang string) *value.Value {
	at := strings.LastIndexByte(v.Text, ' ')
	if q.want.kind != countKind || wstk.ValueType(v.Type) != wstk.ValueQuantity || at < 0 ||
		!formWords()["units that are things"][strings.ToLower(v.Text[at+1:])] {
		return v
	}
	ns := value.Find(v.Text[:at], lang)
	if len(ns) != 1 {
		return v
	}
	n := ns[0]
	n.Start, n.End = v.Start+n.Start, v.Start+n.End
	return &n
}

// stated reports whether a value is only words of the query, as the names in "who founded
// Apple" are.
func (q *question) stated(p *page, u *unit, v value.Value) bool {
	tokens := text.Tokenize(v.Text, p.lang)
	lex := q.in(p.lang)
	n := 0
	for _, t := range tokens {
		if t.Stop {
			continue
		}
		i, ok := lex.exact[t.Text]
		if !ok {
			return false
		}
		if n == 0 && q.want.kind == personKind && q.terms[i].name {
			return true // "Debian Policy" is not a person who founded Debian
		}
		n++
	}
	return n > 0
}

// counted reports whether a value is right beside the noun it should count, with at most one
// word between them.
func (q *question) counted(p *page, u *unit, v value.Value) bool {
	const beside = 16
	for _, m := range p.marks[u.marks[0]:u.marks[1]] {
		if m.term != q.count {
			continue
		}
		if d := m.start - (u.start + v.End); d >= 0 && d <= beside &&
			len(strings.Fields(p.doc.Text[u.start+v.End:m.start])) <= 1 {
			return true
		}
		if d := u.start + v.Start - m.end; u.kind == wstk.BlockTableRow && d >= 0 {
			return true
		}
	}
	return false
}

// distance is how many bytes are between a place and the nearest query word. Words are
// in order, and only parts of one word in each other.
func (p *page) distance(u *unit, start, end int) int {
	ms := p.marks[u.marks[0]:u.marks[1]]
	behind := sort.Search(len(ms), func(i int) bool { return ms[i].start >= end })
	best := 1 << 30
	if behind < len(ms) {
		best = ms[behind].start - end
	}
	for i := behind - 1; i >= max(0, behind-longestWord); i-- {
		best = min(best, max(0, start-ms[i].end))
	}
	return best
}

// longestWord is of how many parts that are marked a word may be.
const longestWord = 16

// shows reports quickly whether s may hold a contact of the wanted kind. Such a
// value answers by itself, also without a word of the query beside it.
func (k kind) shows(s string) bool {
	switch k {
	case emailKind:
		return strings.Contains(s, "@")
	case phoneKind:
		digits := 0
		for _, c := range []byte(s) {
			if '0' <= c && c <= '9' {
				digits++
			}
		}
		return digits >= 7
	}
	return false
}

var versionForm = text.Pattern(`\b[vV]?\d+(?:\.\d+)+(?:[-.]?(?:alpha|beta|rc|a|b)\d*)?\b`)

// find returns the values of kind k in s.
func (k kind) find(s, lang string) []value.Value {
	switch k {
	case sinceKind:
		if dates := dateKind.find(s, lang); len(dates) > 0 {
			return dates
		}
		var out []value.Value
		for _, v := range versionKind.find(s, lang) {
			if surelyVersion(s, v) {
				out = append(out, v)
			}
		}
		return out
	case versionKind:
		var out []value.Value
		for _, m := range versionForm().FindAllStringIndex(s, -1) {
			t := s[m[0]:m[1]]
			out = append(out, value.Value{Type: string(wstk.ValueText),
				Range: text.Range{Start: m[0], End: m[1]}, Text: t,
				Norm: strings.TrimLeft(strings.ToLower(t), "v")})
		}
		for i := range out { // 4.0 may be any number; 3.46.0 and "version 4.0" are versions
			if surelyVersion(s, out[i]) && i > 0 && !surelyVersion(s, out[0]) {
				out = out[i:]
				break
			}
		}
		return out
	case personKind, placeKind:
		var out []value.Value
		typ := wstk.ValuePerson
		if k == placeKind {
			typ = wstk.ValuePlace
		}
		for _, r := range text.Names(s, lang) {
			t := s[r.Start:r.End]
			out = append(out, value.Value{Type: string(typ), Range: r, Text: t,
				Norm: text.FoldCompare(t)})
		}
		return out
	}
	var out []value.Value
	for _, v := range value.Find(s, lang) {
		if k.accepts(v) {
			out = append(out, v)
		}
	}
	return out
}

func (k kind) accepts(v value.Value) bool {
	t := wstk.ValueType(v.Type)
	switch k {
	case countKind:
		return (t == wstk.ValueNumber || t == wstk.ValueQuantity) && counts(v)
	case amountKind:
		return t == wstk.ValueNumber || t == wstk.ValueQuantity || t == wstk.ValueMoney ||
			t == wstk.ValueDuration
	case moneyKind:
		return t == wstk.ValueMoney
	case percentKind:
		return v.Unit == "%"
	case dateKind:
		return t == wstk.ValueDate || t == wstk.ValueTime || t == wstk.ValueNumber && isYear(v)
	case timeKind:
		return t == wstk.ValueTime
	case durationKind:
		return t == wstk.ValueDuration
	case emailKind:
		return t == wstk.ValueEmail
	case phoneKind:
		return t == wstk.ValuePhone
	case urlKind:
		return t == wstk.ValueURL
	}
	return false
}

// ordinal is the form of a number that says a place in an order.
var ordinal = text.Pattern(
	`(?i)^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))\b`)

// numbered are the words before the number of a part of a text, which is no value.
var numbered = text.Pattern(
	`(?i)\b(?:sections?|chapters?|tables?|figures?|examples?|appendix|page|step|` +
		`abschnitt|kapitel|tabelle|` +
		`sección|capítulo|tabla|chapitre|tableau|раздел|глава|таблица)[\s\x{a0}]+$|§[\s\x{a0}]*$`)

// longestMark is how far before a number the word that numbers a part is looked for.
const longestMark = 24

// counts reports whether a number says how many: a third column is one, a 32-bit
// number is no thirty-two of anything, and nothing is counted below zero or in
// parts of one.
func counts(v value.Value) bool {
	s := v.Text
	if ordinal().MatchString(s) ||
		v.Number != nil && (*v.Number < 0 || *v.Number > 0 && *v.Number < 1) {
		return false
	}
	i := strings.IndexByte(s, '-')
	return i <= 0 || i+1 == len(s) || s[i-1] < '0' || s[i-1] > '9' || '0' <= s[i+1] && s[i+1] <= '9'
}

// surelyVersion reports whether a dotted number is a version: it has two dots, or a
// word before it says so.
func surelyVersion(s string, v value.Value) bool {
	if strings.Count(v.Text, ".") > 1 || strings.HasPrefix(strings.ToLower(v.Text), "v") {
		return true
	}
	const near = 16
	before := strings.ToLower(s[max(0, v.Start-near):v.Start])
	for _, w := range []string{"version", "versions", "release", "since", "until", "before",
		"after", "верси", "versión", "版本"} {
		if strings.Contains(before, w) {
			return true
		}
	}
	return false
}

// fit says how well a value is of kind k, 0–1. A bare number is a poor answer to
// how long or how heavy.
func (k kind) fit(v value.Value) float64 {
	switch {
	case k == amountKind && wstk.ValueType(v.Type) == wstk.ValueNumber:
		return 0.6
	case k == personKind && !strings.ContainsAny(v.Text, " ·"):
		return 0.5 // one word may be any name
	}
	return 1
}

// isYear takes a bare four-digit number for a year.
func isYear(v value.Value) bool {
	return v.Number != nil && len(v.Text) == 4 && *v.Number >= 1000 && *v.Number <= 2199
}
