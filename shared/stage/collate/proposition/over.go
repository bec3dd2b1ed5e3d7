package proposition

import (
	"slices"
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
	x, y := a.modifiers(), b.modifiers()
	for head, m := range x {
		n, ok := y[head]
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

// modifiers are those of each noun of the unit and of what stands over it, by its stem.
func (p *Proposition) modifiers() map[string]modifiers {
	out := map[string]modifiers{}
	u := p.unit
	lines := append(append([]string{u.Title}, u.Above...), u.Labels...)
	p.modifiersIn(u.Words, out)
	for _, line := range lines {
		if !strings.Contains(line, u.Words) && !strings.Contains(u.Words, line) {
			p.modifiersIn(line, out) // a title that repeats the unit says nothing over it
		}
	}
	return out
}

func (p *Proposition) modifiersIn(line string, out map[string]modifiers) {
	words := wordsOf(line, p.unit.Lang)
	isValue := func(w word) bool { return false }
	if line == p.unit.Words {
		isValue = func(w word) bool {
			return slices.ContainsFunc(p.words, func(o word) bool {
				return o.Start == w.Start && o.use == ofValue
			})
		}
	}
	from := 0 // where the run of words begins that only blanks separate
	for i, w := range words {
		if i > 0 && strings.TrimSpace(line[words[i-1].End:w.Start]) != "" || w.stop {
			from = i
		}
		if w.stop || general(w.stem) || isValue(w) || wording.Numeric(w.plain) {
			continue
		}
		m, ok := out[w.stem]
		if !ok {
			m = modifiers{map[string]bool{}, map[string]bool{}}
			out[w.stem] = m
		}
		for k := from; k < i; k++ {
			before := words[k]
			r, _ := utf8.DecodeRuneInString(line[before.Start:before.End])
			if !before.stop && unicode.IsUpper(r) && !general(before.stem) &&
				!neutral[before.plain] {
				m.names[before.stem] = true
			}
		}
		for _, k := range []int{i - 1, i + 1} {
			if k >= 0 && k < len(words) && wording.Numeric(words[k].plain) && !isValue(words[k]) &&
				strings.TrimSpace(between(line, words[min(i, k)], words[max(i, k)])) == "" {
				m.numbers[words[k].plain] = true
			}
		}
	}
}

func between(line string, a, b word) string { return line[a.End:b.Start] }

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
func SectionsApart(a, b string) bool {
	x, y := unnumbered(a), unnumbered(b)
	return x != y && strings.ContainsAny(x+y, wording.Digits) || oneWordEach(x, y)
}

// unnumbered is a heading without its number: "2.1 Height".
func unnumbered(heading string) string {
	return strings.TrimSpace(strings.TrimLeft(heading, wording.Digits+".§ "))
}

// oneWordEach reports whether two headings of one word each differ. Words that any page may
// have as a heading do not count.
func oneWordEach(a, b string) bool {
	x, y := wording.Content(a, "en"), wording.Content(b, "en")
	for w := range wording.GeneralHeadings {
		delete(x, w)
		delete(y, w)
	}
	if len(x) != 1 || len(y) != 1 {
		return false
	}
	both, _, _ := wording.Split(x, y)
	return both == 0
}

// heading is the one right above a unit; "" without one.
func (p *Proposition) heading() string {
	if n := len(p.unit.Above); n > 0 {
		return p.unit.Above[n-1]
	}
	return ""
}
