// Package wording reads what words mean by themselves, on any page: their stems, which of
// them deny, limit or hedge, how a value is meant ("at most 5"), and hours of opening. In go
// words, out come their meanings; it knows no page and no answer. Begin with words.go;
// bound.go is about values, schedule.go about hours.
package wording

import (
	"strings"
	"unicode"

	"wstk/shared/text"
)

// AppendNew appends s to xs, unless it is there.
func AppendNew(xs []string, s string) []string {
	for _, x := range xs {
		if x == s {
			return xs
		}
	}
	return append(xs, s)
}

// Split counts the words that both of two sets hold, and those that one alone holds.
func Split(a, b map[string]bool) (both, onlyA, onlyB int) {
	for w := range a {
		if b[w] {
			both++
		} else {
			onlyA++
		}
	}
	return both, onlyA, len(b) - both
}

// Bare returns the words of folded text without punctuation.
func Bare(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.M, r) &&
			r != '\'' && r != '-'
	})
}

// FoldField returns the name of a field in the form by which names are compared.
func FoldField(s string) string {
	return strings.TrimFunc(text.FoldCompare(strings.NewReplacer("_", " ", "-", " ").Replace(s)),
		func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
}

// Stem returns the token that a single word has in a language.
func Stem(w, lang string) string {
	for _, t := range text.Tokenize(w, lang) {
		return t.Text
	}
	return w
}

// Content returns the tokens of s that are no stop words.
func Content(s, lang string) map[string]bool {
	m := map[string]bool{}
	for _, t := range text.Tokenize(s, lang) {
		if !t.Stop {
			m[t.Text] = true
		}
	}
	return m
}

// Set returns the words of a list that is separated by spaces.
func Set(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// Limits are words that say when, where or for whom something holds. A limit on one side
// only means that two facts are about different things.
var Limits = Set(`minimum maximum min max average mean median total default initial final first last
	next second third upper lower least most largest smallest highest lowest best worst before after
	since until prior previously formerly originally earlier later old new legacy former was were
	used been had will would may might could should if unless when whenever while except only
	temporarily usually sometimes often rarely recommended suggested typical typically child
	children adult adults student students senior seniors member members nonmember nonmembers free
	premium basic standard pro enterprise weekend weekends weekday weekdays holiday holidays winter
	summer spring autumn easter christmas optional optionally per each single double inner outer
	left right read write input output soft hard compile runtime debug production development test`)

// Hedges mark words that state nothing.
var Hedges = Set("example examples e.g suppose assume imagine hypothetical instance say let " +
	"beispiel ejemplo exemple")

// Negators deny; each one reverses the meaning.
var Negators = Set("not no never cannot without neither nor nicht kein keine no nunca ne pas " +
	"jamais не нет никогда")

// Affirmers answer a question, and are no topic.
var Affirmers = Set("yes yep sure ja oui si sí sim да")

// GeneralHeadings are words of headings that any thing may have.
var GeneralHeadings = Content(
	`contact contacts us imprint impressum kontakt contacto about visit info information home
	details detail overview facts fact faq questions tickets ticket prices price pricing hours
	location address welcome introduction summary general description history background news
	notes calendar events schedule volunteer opening times`, "en")
