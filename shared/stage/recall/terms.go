package recall

import (
	"os"
	"strconv"
	"strings"
	"unicode"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Term is a token that is searched for, and why.
type Term struct {
	wstk.QueryTerm
	Word   string // of the query, as it was written
	Origin Origin
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

// terms returns what is searched for, each token once, in the order of the
// query; a token with several origins keeps the first.
//
// A document's words are stemmed in its own language, so a query meets it only
// in that language. The query is cut into tokens in its language and, where that
// is not English, in English too, at half the weight: pages of the two are found
// together. Where the language cannot be told, as with most queries of two words,
// it is read as English first and then in the other languages of guesses, at
// guessWeight. A token that several readings share counts once, at its highest
// weight.
//
// Stop words are left out unless there is nothing else. Parts of a word that is
// one token as a whole, too (journal_mode, write-ahead), share its weight.
func terms(q Query, lang string, expand float64) []Term {
	b := bag{at: map[string]int{}}
	guessed := lang == ""
	if guessed {
		lang = "en"
	}
	words := b.words(q.Text, lang, 1, FromQuery)
	switch {
	case guessed && strings.IndexFunc(q.Text, latin) >= 0:
		for _, l := range guesses {
			b.words(q.Text, l, guessWeight, FromLanguage)
		}
	case lang != "en" && !strings.HasPrefix(lang, "en-"):
		b.words(q.Text, "en", languageWeight, FromLanguage)
	}
	for _, h := range q.Hints {
		b.words(h, lang, hintWeight, FromHint)
	}
	if expand > 0 {
		for _, x := range variants(q.Text, words) {
			b.words(x.text, lang, expand*x.share, FromVariant)
		}
		for _, x := range synonyms(words, lang) {
			b.words(x.text, x.lang, expand*x.share, FromSynonym)
		}
	}
	return b.out
}

// guesses are languages whose stemmers cut other ends off than the English one.
// The last stands for the many whose words stay whole.
var guesses = []string{"es", "fr", "de", "it", "pt", "nl", "pl"}

func latin(r rune) bool { return unicode.Is(unicode.Latin, r) }

type bag struct {
	out []Term
	at  map[string]int
}

// words adds the tokens of s and returns them.
func (b *bag) words(s, lang string, weight float64, origin Origin) []text.Token {
	all := text.Tokenize(s, lang)
	var kept []text.Token
	for _, t := range all {
		if !t.Stop {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 && origin == FromQuery {
		kept = all
	}
	if sw, err := strconv.ParseFloat(os.Getenv("SW"), 64); err == nil && origin == FromQuery && weight == 1 {
		for _, t := range all {
			if _, ok := b.at[t.Text]; t.Stop && !ok {
				b.at[t.Text] = len(b.out)
				b.out = append(b.out, Term{wstk.QueryTerm{Token: t.Text, Weight: sw}, s[t.Start:t.End], origin})
			}
		}
	}
	for i, t := range kept {
		if _, ok := b.at[t.Text]; ok {
			continue
		}
		b.at[t.Text] = len(b.out)
		w := weight
		if compound(kept, i) {
			w *= compoundWeight
		}
		b.out = append(b.out, Term{wstk.QueryTerm{Token: t.Text, Weight: w}, s[t.Start:t.End], origin})
	}
	return kept
}

var compoundWeight = func() float64 {
	f, err := strconv.ParseFloat(os.Getenv("CW"), 64)
	if err != nil {
		return 1
	}
	return f
}()

// compound tells whether token i overlaps another: it is a whole with parts, or a
// part.
func compound(ts []text.Token, i int) bool {
	return i > 0 && ts[i-1].End > ts[i].Start || i+1 < len(ts) && ts[i+1].Start < ts[i].End
}
