package recall

import (
	"slices"
	"strings"
	"unicode"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Term is a token that is searched for, and why.
type Term struct {
	wstk.QueryTerm
	Word   string `json:"word"` // as it was written, or as it stands in the list it comes from
	Origin Origin `json:"origin"`
}

// Origin says where a term comes from.
type Origin string

const (
	FromQuery    Origin = "query"
	FromLanguage Origin = "language" // the same word, read in another language
	FromHint     Origin = "hint"
	FromVariant  Origin = "variant" // another spelling, or two words written as one
	FromSynonym  Origin = "synonym"
)

// Weights of terms that are not the query's own words in its own language.
const (
	languageWeight = 0.5
	guessWeight    = 0.3
	hintWeight     = 0.5
)

// guesses are languages whose stemmers cut other ends off than the English one.
// The last stands for the many whose words stay whole.
var guesses = []string{"es", "fr", "de", "it", "pt", "nl", "pl"}

// language is the language of the query: as given, or as it looks, or "".
func language(q Query) string {
	if q.Lang != "" {
		return strings.ToLower(q.Lang)
	}
	return text.DetectLanguage(q.Text)
}

// terms returns what is searched for, each token once, in the order of the
// query; a token with several origins keeps the first.
//
// A document's words are stemmed in its own language, so a query meets it only
// in that language. The query is cut into tokens in its language and, where that
// is not English, in English too, at languageWeight: pages of the two are found
// together. Where the language cannot be told, as with most queries of two words,
// it is read as English and then in the languages of guesses, at guessWeight.
//
// Stop words are left out unless there is nothing else.
func terms(q Query, lang string, expand float64) []Term {
	b := bag{at: map[string]bool{}}
	first := lang
	if lang == "" {
		first = "en"
	}
	words := content(q.Text, first)
	switch {
	case lang == "" && strings.ContainsFunc(q.Text, func(r rune) bool {
		return unicode.Is(unicode.Latin, r)
	}):
		words = b.guess(q.Text, words)
	case first != "en" && !strings.HasPrefix(first, "en-"):
		b.add(q.Text, words, 1, FromQuery)
		b.add(q.Text, content(q.Text, "en"), languageWeight, FromLanguage)
	default:
		b.add(q.Text, words, 1, FromQuery)
	}
	for _, h := range q.Hints {
		b.add(h, content(h, first), hintWeight, FromHint)
	}
	if expand > 0 {
		for _, x := range variants(q.Text, words) {
			b.add(x.text, text.Tokenize(x.text, first), expand*x.share, FromVariant)
		}
		for _, x := range synonyms(words, first) {
			b.add(x.text, text.Tokenize(x.text, first), expand*x.share, FromSynonym)
		}
	}
	return b.out
}

// content is the tokens of s without stop words, or all where there are no others.
func content(s, lang string) []text.Token {
	all := text.Tokenize(s, lang)
	kept := make([]text.Token, 0, len(all))
	for _, t := range all {
		if !t.Stop {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		return all
	}
	return kept
}

// bag collects terms.
type bag struct {
	out []Term
	at  map[string]bool
}

func (b *bag) add(s string, ts []text.Token, weight float64, origin Origin) {
	for _, t := range ts {
		if !b.at[t.Text] {
			b.at[t.Text] = true
			b.out = append(b.out, Term{wstk.QueryTerm{Token: t.Text, Weight: weight},
				s[t.Start:t.End], origin})
		}
	}
}

// guess adds a query of unknown language: english are its words read as English.
// It returns those that it took for content. A word that two of the languages
// hold for a stop word (de, la) is one, and what English holds for one is not
// brought back by the others.
func (b *bag) guess(s string, english []text.Token) []text.Token {
	stops := map[int]int{} // by where a word starts
	readings := make([][]text.Token, len(guesses))
	for i, l := range guesses {
		readings[i] = text.Tokenize(s, l)
		for _, t := range readings[i] {
			if t.Stop {
				stops[t.Start]++
			}
		}
	}
	kept := slices.DeleteFunc(slices.Clone(english),
		func(t text.Token) bool { return stops[t.Start] >= 2 })
	if len(kept) == 0 {
		kept = english
	}
	b.add(s, kept, 1, FromQuery)
	starts := map[int]bool{}
	for _, t := range kept {
		starts[t.Start] = true
	}
	for _, ts := range readings {
		b.add(s, slices.DeleteFunc(ts, func(t text.Token) bool {
			return t.Stop || !starts[t.Start]
		}), guessWeight, FromLanguage)
	}
	return kept
}
