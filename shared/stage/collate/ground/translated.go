package ground

import (
	"strings"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
)

// Translated returns what the sources do not bear of a statement in another language: its values,
// its names as they are written and in their order, whether it denies, and what the tables of
// translated.txt know in its language and that of the source: days, months, and words that limit,
// compare or oppose. No program of this package can check its other words. Rules before 11 had no
// tables and compared no order: loose is Translated by them.
func Translated(statement, lang string, sources []Source, loose bool) Result {
	best := Result{Missing: []string{statement}}
	for i := range sources {
		if r := translatedFrom(statement, lang, &sources[i], loose); i == 0 || r.less(best) {
			best = r
		}
	}
	return best
}

func translatedFrom(statement, lang string, s *Source, loose bool) (r Result) {
	claim, in := read(statement, lang), read(s.Words, s.Lang)
	m := &match{claim: claim, in: in, source: s, of: map[int][]int{}}
	for _, words := range s.Above {
		m.above = append(m.above, read(words, s.Lang))
	}
	m.values()
	for _, at := range text.Names(statement, lang) {
		name := statement[at.Start:at.End]
		if !wording.OnlyDays(strings.TrimSuffix(name, "s")) && !m.holdsName(name) {
			m.lacks(at)
		}
	}
	for _, t := range claim.tokens {
		if t.value < 0 && isNumeral(t.plain) && !m.holdsName(statement[t.Start:t.End]) ||
			odd(statement[t.Start:t.End]) {
			m.lacks(t.Range)
		}
	}
	if !loose {
		for _, at := range turnedSense(statement, lang, s.Words, spokenIn(s)) {
			m.lacks(at)
		}
	}
	if !loose && otherOrder(statement, s.Words, text.Names(statement, lang)) {
		m.lacks(text.Range{Start: 0, End: len(statement)})
	}
	if isDenied(statement, true) != isDenied(s.Words, true) {
		m.lacks(m.denialOf(text.Range{Start: 0, End: len(statement)}))
	}
	return m.result()
}

// Language returns the language of a statement that is a translation of its sources into the
// language that was asked for, and "" for any other statement: one whose language is that of a
// source or is not surely known, and one that was not to be translated.
func Language(statement, asked string, sources []Source) string {
	if asked == "" {
		return ""
	}
	own := text.DetectLanguage(withoutValues(statement))
	if own == "" || own != text.Language(asked) {
		return ""
	}
	for i := range sources {
		if spokenIn(&sources[i]) == own {
			return ""
		}
	}
	return own
}

// spokenIn is the language of a source by its words, else that of its page.
func spokenIn(s *Source) string {
	if lang := text.DetectLanguage(s.Words); lang != "" {
		return lang
	}
	return text.Language(s.Lang)
}

// withoutValues is a statement without its values, whose units are words of any language.
func withoutValues(s string) string {
	var b strings.Builder
	at := 0
	for _, v := range value.Find(s, "") {
		b.WriteString(s[at:v.Start])
		at = v.End
	}
	return b.String() + s[at:]
}
