package extract

import (
	"slices"
	"strings"
)

// A question for a default is answered by what is so if nothing is said: neither by an example nor
// by a value that is chosen instead of the default.

// answersDefault reports whether a unit may say a default, if the question asks for one by name:
// it says so itself, or it is no example.
func (q *question) answersDefault(p *page, u *unit, r role) bool {
	if !q.namesDefault() {
		return true
	}
	if s := p.text(u); formWords().holds("defaults", s) {
		return !setsAside(s)
	}
	return !r.has(roleExample)
}

// namesDefault reports whether the question asks for a default by that word.
func (q *question) namesDefault() bool {
	return q.asksDefault() && q.want.kind != yesNoKind && slices.ContainsFunc(q.terms,
		func(t term) bool { return formWords()["defaults"][strings.ToLower(t.surface)] })
}

// setsAside reports whether a sentence speaks of a default only to set it aside, without saying
// what it is: "use port 9999 and not the default port", but not "instead of the default, 8080". What
// is not so by default is a default.
func setsAside(s string) bool {
	const before, behind = 3, 4 // words
	w := wordsOf(s)
	aside := false
	for i, x := range w {
		if !formWords()["defaults"][x.text] {
			continue
		}
		from := max(0, i-before)
		if i > 0 && w[i-1].text == "by" || !holdsAny(w[from:i], formWords()["set aside"]) ||
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
