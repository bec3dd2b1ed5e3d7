package value

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// form is a way in which values are written, a pattern over lexemes:
//
//	{name}  what slots[name] reads
//	[…]     may be missing
//	space   white space;  _  white space or none
//	else    a sign, or a word in lower case
//
// What touches in a pattern touches in the text.
type form struct {
	pattern string
	parts   []part
	fits    func(v *valuer, f *found) bool // what else must hold; nil for nothing
}

// Whether white space stands before a part. The last two are also how a form is written.
const (
	gapNone   = 0
	gapNeeded = ' '
	gapEither = '_'
)

// part is one element of a form.
type part struct {
	gap     byte // white space before it: gapNone, gapNeeded or gapEither
	literal string
	slot    slot
	maybe   []part // the elements that may be missing
}

// slot reads what stands in a form at lexeme i into a field; to is 0 where nothing fits.
type slot struct {
	field field
	read  func(v *valuer, i int) (n, to int)

	begins      []string // what begins like all that it reads, in lower case; nil for anything
	long        bool     // may read several lexemes
	least, most int      // how many digits it reads; 0 where it reads other things too
}

type field int

const (
	noField field = iota
	yearOf
	lastYear
	monthOf
	dayOf
	lastDay
	otherMonth // of the other way to read 05/03/2024
	eraOf      // -1 is before Christ
	hourOf
	minuteOf
	secondOf
	halfDay // 1 is the morning, 2 the afternoon
	offset  // minutes east of UTC
	zoneOf  // the lexeme of a zone's name
	fields
)

// unset is the value of a field that a form did not read.
const unset = math.MinInt32

// found is what a form read in lexemes [from, to).
type found struct {
	from, to int
	n        [fields]int32
}

// nothing is what a form begins with.
var nothing = func() (f found) {
	for k := range f.n {
		f.n[k] = unset
	}
	return f
}()

// get returns a field, or 0 where it was not read.
func (f *found) get(k field) int {
	if f.n[k] == unset {
		return 0
	}
	return int(f.n[k])
}

func (f *found) has(k field) bool { return f.n[k] != unset }

// forms makes forms of patterns that share a condition. It panics where a pattern names
// a slot that does not exist.
func forms(fits func(*valuer, *found) bool, patterns ...string) []form {
	var out []form
	for _, p := range patterns {
		parts, rest := parseForm(p)
		if rest != "" {
			panic("value: the form " + p + " has a bracket too many")
		}
		out = append(out, form{p, parts, fits})
	}
	return out
}

func parseForm(s string) (parts []part, rest string) {
	gap := byte(gapNone)
	for s != "" && s[0] != ']' {
		p := part{gap: gap}
		switch s[0] {
		case gapNeeded, gapEither:
			gap, s = s[0], s[1:]
			continue
		case '[':
			p.maybe, s = parseForm(s[1:])
			s = strings.TrimPrefix(s, "]")
		case '{':
			name, after, _ := strings.Cut(s[1:], "}")
			slot, ok := slots[name]
			if !ok {
				panic("value: a form names the slot " + name + ", which does not exist")
			}
			p.slot, s = slot, after
		default:
			end := strings.IndexAny(s, "{[]_ ")
			if end < 0 {
				end = len(s)
			}
			for _, l := range lex(nil, s, 0, end) {
				parts = append(parts, part{gap: p.gap, literal: l.lower})
				p.gap = gapNone
			}
			gap, s = gapNone, s[end:]
			continue
		}
		parts = append(parts, p)
		gap = gapNone
	}
	return parts, s
}

// parts reads parts at lexeme i; first says that nothing of the form stands before it.
func (v *valuer) parts(parts []part, i int, first bool, f *found) (to int, ok bool) {
	for k := range parts {
		p := &parts[k]
		if p.maybe != nil {
			before := *f
			if end, ok := v.parts(p.maybe, i, first, f); ok {
				if to, ok := v.parts(parts[k+1:], end, first && end == i, f); ok {
					return to, true
				}
			}
			*f = before
			continue
		}
		if i >= len(v.lex) || !first && !v.gapFits(p.gap, i) {
			return 0, false
		}
		if p.literal != "" {
			if v.lex[i].lower != p.literal {
				return 0, false
			}
			i++
		} else {
			n, end := p.slot.read(v, i)
			if end == 0 {
				return 0, false
			}
			f.n[p.slot.field], i = int32(n), end
		}
		first = false
	}
	return i, true
}

func (v *valuer) gapFits(gap byte, i int) bool {
	switch gap {
	case gapNeeded:
		return v.lex[i].gap
	case gapNone:
		return !v.lex[i].gap
	}
	return true
}

var digits = strings.Split("0123456789", "")

// digitsOf is a slot of digits: how many there may be, and which number they may make.
func digitsOf(k field, least, most, low, high int) slot {
	return slot{field: k, begins: digits, least: least, most: most, read: func(
		v *valuer, i int,
	) (int, int) {
		l := &v.lex[i]
		if l.kind != lexNumber || len(l.lower) < least || len(l.lower) > most {
			return 0, 0
		}
		n := v.smallNumber(i)
		if n < low || n > high {
			return 0, 0
		}
		return n, i + 1
	}}
}

// wordsOf is a slot of words, or of signs, that each mean a number.
func wordsOf(k field, words map[string]int) slot {
	return slot{field: k, begins: slices.Collect(maps.Keys(words)), read: func(
		v *valuer, i int,
	) (int, int) {
		if n, ok := words[v.lex[i].lower]; ok {
			return n, i + 1
		}
		return 0, 0
	}}
}

// anyOf is a slot of words or signs that mean nothing by themselves.
func anyOf(words string) slot {
	set := map[string]int{}
	for _, w := range strings.Fields(words) {
		set[w] = 0
	}
	return wordsOf(noField, set)
}
