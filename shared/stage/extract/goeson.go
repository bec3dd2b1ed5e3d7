package extract

import (
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
)

// goOn reports whether a sentence goes on from the one before it, so that alone it does not
// say what it is about: "To enable them, …", "In such cases …", "The default is 4."
func (ps unitWords) goOn(s string) bool {
	const early = 5 // words
	if beginsWith(s, ps["goes on"]) {
		return true
	}
	w := strings.Fields(text.FoldCompare(text.Prefix(s, 80)))
	for _, one := range w[:min(early, len(w))] {
		if ps["points back"][strings.Trim(one, ",;:.()")] {
			return true
		}
	}
	return false
}

// pair returns where the quote of a sentence begins: at the one before it if it goes on from
// that and a quote may be as long. It answers by its own words all the same.
func (p *page) pair(before, after text.Range, at int) int {
	s := p.doc.Text[at+before.Start : at+after.End]
	if before.End > before.Start && finished(p.doc.Text[at:at+before.End]) &&
		p.words.goOn(s[after.Start-before.Start:]) &&
		utf8.RuneCountInString(s) <= maxQuote {
		return before.Start
	}
	return after.Start
}

// overlaps reports whether two units have words of their page in common.
func (u *unit) overlaps(v *unit) bool { return u.start < v.end && v.start < u.end }

// merged replaces the answer that is a part of c by c, and reports whether there was one.
func merged(out []answer, c *candidate) bool {
	for i := range out {
		o := &out[i]
		if o.page == c.page && o.unit != c.unit && c.unit.start <= o.unit.start &&
			o.unit.end <= c.unit.end {
			o.candidate = *c
			return true
		}
	}
	return false
}
