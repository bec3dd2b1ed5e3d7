package extract

import "strings"

// A question for a default is answered by what is so if nothing is said: neither by an example nor
// by a value that is chosen instead of the default.

// namesDefault is the set of the words of the question that name the default.
func (q *question) namesDefault() (out termSet) {
	for i, t := range q.terms {
		if formWords()["defaults"][strings.ToLower(t.surface)] {
			out |= 1 << uint(i)
		}
	}
	return out
}

// answersDefault reports whether a unit may say a default, if the question asks for one by name:
// it or what is around it speaks of one, and it is no example.
func (q *question) answersDefault(p *page, u *unit, r role) bool {
	if !q.asksDefault() || q.want.kind == yesNoKind {
		return true
	}
	if r.has(roleExample) {
		return false
	}
	words := q.namesDefault()
	if words == 0 {
		return true
	}
	if s := p.text(u); formWords().holds("defaults", s) {
		return !setsAside(s)
	}
	around := surroundingsOf(p, u)
	return (u.own|u.synonym|u.headerOwn|u.led|u.before|u.around|around.granted|
		around.under.near|around.under.far)&words != 0
}

// setsAside reports whether a sentence speaks of a default only to set it aside, without saying
// what it is: "use port 9999 and not the default port", but not "instead of the default, 8080".
func setsAside(s string) bool {
	const before, behind = 3, 4 // words
	w := wordsOf(s)
	aside := false
	for i, x := range w {
		if !formWords()["defaults"][x.text] {
			continue
		}
		from := max(0, i-before)
		if !holdsAny(w[from:i], formWords()["set aside"]) ||
			isSaid(s, w[i+1:min(len(w), i+1+behind)]) {
			return false
		}
		aside = true
	}
	return aside
}

func holdsAny(w []word, words map[string]bool) bool {
	for _, x := range w {
		if words[x.text] {
			return true
		}
	}
	return false
}

// isSaid reports whether one of some words of a sentence may be a default: a number, or a name as
// programs write it.
func isSaid(s string, w []word) bool {
	for _, x := range w {
		if '0' <= x.text[0] && x.text[0] <= '9' || tokenlike(s[x.start:x.end]) {
			return true
		}
	}
	return false
}
