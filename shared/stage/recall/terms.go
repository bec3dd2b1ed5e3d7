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
	Word   string `json:"word"` // as written in the query, or in the list it comes from
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

// Weights of terms that are not words of the query, or are read in another language.
const (
	languageWeight = 0.5
	guessWeight    = 0.3
	hintWeight     = 0.5
)

// guesses are languages whose stemmers remove other endings than the English stemmer.
// The last one stands for all languages without a stemmer.
var guesses = []string{"es", "fr", "de", "it", "pt", "nl", "pl"}

// language returns the language of the query: the one it names, else the one its words
// are in, else "".
func language(q Query) string {
	if q.Lang != "" {
		return strings.ToLower(q.Lang)
	}
	return text.DetectLanguage(q.Text)
}

// terms returns what is searched for: each token once, in the order of the query. A token
// with several origins keeps the first.
//
// A document's words are stemmed in its own language, so a query matches it only in that
// language. The query is split into tokens in its language and, if that is not English,
// also in English, at languageWeight: then pages of both languages are found. If the
// language is unknown, as for most queries of two words, the query is read as English
// and also in the languages of guesses, at guessWeight.
//
// Stop words are left out unless the query has no other words.
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
		for _, x := range synonyms(q.Text, words, first) {
			b.add(x.text, text.Tokenize(x.text, first), expand*x.share, FromSynonym)
		}
	}
	return b.out
}

// content returns the tokens of s without stop words, or all of them if there are no
// others.
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

// guess adds the terms of a query of unknown language and returns the words that it
// counts as content. english are the query's words read as English, without stop words.
// A word that is a stop word in two of the languages (de, la) is left out, and a stop
// word of English stays left out in the other languages, too.
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
