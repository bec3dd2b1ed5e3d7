package extract

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"wstk/shared/lexicon"
	"wstk/shared/text"
)

//go:embed forms.txt
var formFile string

// forms are the phrases of forms.txt by family, in small letters.
type forms map[string]map[string]bool

var formWords = sync.OnceValue(func() forms {
	out := forms{}
	for _, f := range lexicon.Parse(formFile).Families() {
		out[f.Name] = map[string]bool{}
		for _, e := range f.Entries {
			out[f.Name][e.Phrase()] = true
		}
	}
	return out
})

// holds reports whether a text has a phrase of a family.
func (f forms) holds(family, s string) bool {
	w := wordsOf(s)
	for i := range w {
		for n := min(maxPhrase, len(w)-i); n > 0; n-- {
			if f[family][phraseAt(w, i, n)] {
				return true
			}
		}
	}
	return false
}

// opens reports whether a phrase of a family is among the first words of a text.
func (f forms) opens(family, s string) bool {
	const first = 4
	w := wordsOf(text.Prefix(s, 120))
	for _, x := range w[:min(first, len(w))] {
		if f[family][x.text] {
			return true
		}
	}
	return false
}

// asksToken reports whether the query asks for a name, an option or a path as programs write
// them.
func (q *question) asksToken() bool {
	if q.token == nil {
		asks := formWords().holds("tokens", q.text[q.part.start:q.part.end])
		q.token = &asks
	}
	return *q.token
}

// asksDefault reports whether the query asks what is so if nothing is said.
func (q *question) asksDefault() bool {
	if q.byDefault == nil {
		asks := formWords().holds("defaults asked", q.text)
		q.byDefault = &asks
	}
	return *q.byDefault
}

// newToken reports whether a text has a name, an option or a path as programs write them,
// which the query has not: --delay, max_age, $timeout, /etc/fstab, sdOrder, ONBATT.
func (q *question) newToken(s string) bool {
	for _, t := range strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`,;()[]"“”‘’`, r)
	}) {
		t = strings.TrimRight(t, ".:!?'`")
		if tokenlike(t) && !strings.Contains(strings.ToLower(q.text), strings.ToLower(t)) {
			return true
		}
	}
	return false
}

// tokenlike reports whether a word is written as programs write names.
func tokenlike(t string) bool {
	if len(t) < 3 {
		return false
	}
	switch t[0] {
	case '-', '$', '/', '~', '@', '%':
		return strings.IndexFunc(t, unicode.IsLetter) >= 0
	}
	letters, upper, small := 0, 0, false
	for i, r := range t {
		switch {
		case r == '_' || r == '=' || r == '/' && i > 0:
			return true
		case unicode.IsLower(r):
			small = true
			letters++
		case unicode.IsUpper(r):
			if small {
				return true // sdOrder
			}
			upper++
			letters++
		}
	}
	return upper >= 5 && upper == letters
}
