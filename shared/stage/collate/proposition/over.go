package proposition

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
)

// tellsApart reports whether what stands in or over two units names different things by one
// noun: "Harbour Museum" and "City Museum", "Tidewater 4" and "Tidewater 2". A number or a name
// that stands over one side only says nothing.
func tellsApart(a, b *Proposition, q *Question) bool {
	k := q.of(a.unit.Lang)
	for head, m := range a.modifiers {
		n, ok := b.modifiers[head]
		if !ok || !a.rest[head] && !b.rest[head] && len(a.rest)+len(b.rest) > 0 ||
			k != nil && len(k.terms) > 1 && !k.holds(head) {
			continue
		}
		if m.apart(n) {
			return true
		}
	}
	return false
}

// modifiers are what a noun is told apart by: the names before it, the numbers beside it.
type modifiers struct{ names, numbers map[string]bool }

func (m modifiers) apart(n modifiers) bool {
	return disjoint(m.names, n.names) || disjoint(m.numbers, n.numbers)
}

// disjoint reports whether both sets have words and none is in both.
func disjoint(a, b map[string]bool) bool {
	both, _, _ := wording.Split(a, b)
	return len(a) > 0 && len(b) > 0 && both == 0
}

// farthest is how many names before a noun may tell it apart.
const farthest = 200

// modifiersIn notes what the nouns of a line are told apart by: the names before them, with only
// blanks between, and the number on each side.
func (p *Proposition) modifiersIn(line string, words []word) {
	var names []string // of the run of words that only blanks separate
	for i, w := range words {
		if w.stop || i > 0 && !adjoin(line, words[i-1], w) {
			names = nil
		}
		if !w.stop && !general(w.stem) && w.use != ofValue && !wording.Numeric(w.plain) {
			m := p.modifiersOf(w)
			for _, name := range names {
				m.names[name] = true
			}
			for _, k := range []int{i - 1, i + 1} {
				if numbered(line, words, i, k) {
					m.numbers[words[k].plain] = true
				}
			}
		}
		if mayName(line, w) {
			names = append(names[max(0, len(names)-farthest+1):], w.stem)
		}
	}
}

// modifiersOf are those of a noun, empty at first.
func (p *Proposition) modifiersOf(noun word) modifiers {
	m, ok := p.modifiers[noun.stem]
	if !ok {
		m = modifiers{map[string]bool{}, map[string]bool{}}
		p.modifiers[noun.stem] = m
	}
	return m
}

// mayName reports whether a word of a line is a part of a name.
func mayName(line string, w word) bool {
	first, _ := utf8.DecodeRuneInString(line[w.Start:w.End])
	return !w.stop && unicode.IsUpper(first) && !general(w.stem) && !neutral[w.plain]
}

// numbered reports whether word k of a line is a number, and no value, right beside word i.
func numbered(line string, words []word, i, k int) bool {
	return k >= 0 && k < len(words) && wording.Numeric(words[k].plain) &&
		words[k].use != ofValue && adjoin(line, words[min(i, k)], words[max(i, k)])
}

// adjoin reports whether only blanks separate two words of a line.
func adjoin(line string, a, b word) bool {
	return strings.TrimSpace(line[a.End:b.Start]) == ""
}

// unitOf is what a value writes behind its number.
func unitOf(v value.Value) string {
	return strings.TrimLeftFunc(text.Fold(v.Text).Text,
		func(r rune) bool { return !unicode.IsLetter(r) })
}

// otherLetters reports whether units differ in capital and small letters alone: mW, MW.
func otherLetters(a, b string) bool { return a != b && strings.EqualFold(a, b) }

// SectionsApart reports whether two headings set what stands under them apart: they differ and
// one holds a number, as of a version or a year, or each is one word that says something, as
// "Windows" and "Linux".
func SectionsApart(a, b string) bool { return a != b && headingOf(a).apart(headingOf(b)) }

// heading is what a heading may set apart.
type heading struct {
	words  string // without its number: "2.1 Height"
	digits bool
	one    string // the stem of its only word that says something; "" if it has none or more
}

func headingOf(s string) heading {
	h := heading{words: strings.TrimSpace(strings.TrimLeft(s, wording.Digits+".§ "))}
	h.digits = holdsDigit(h.words)
	said := wording.Content(h.words, "en")
	for w := range wording.GeneralHeadings { // any page may have them
		delete(said, w)
	}
	if len(said) == 1 {
		for w := range said {
			h.one = w
		}
	}
	return h
}

func (h heading) apart(o heading) bool {
	return h.words != o.words && (h.digits || o.digits) ||
		h.one != "" && o.one != "" && h.one != o.one
}

// above is the heading right above a unit; "" without one.
func (u Unit) above() string {
	if n := len(u.Above); n > 0 {
		return u.Above[n-1]
	}
	return ""
}
