package recall

import (
	"slices"
	"strings"
	"unicode"

	"wstk/shared/text"
	"wstk/shared/text/related"
)

// expansion is text that is searched for in addition to the query. share is its part of
// the weight that expansions have, 0–1.
type expansion struct {
	text  string
	share float64
}

// variants returns other spellings of the query: two neighbouring words as one (file
// name: filename), number words as digits, and the British or American spelling of a
// word. Words with hyphens, underscores or thousands separators need no variant: their
// tokens match either spelling.
func variants(query string, words []text.Token) []expansion {
	var out []expansion
	for i, t := range words {
		w := strings.ToLower(query[t.Start:t.End])
		if i+1 < len(words) {
			next := words[i+1]
			if next.Start > t.End && query[t.End:next.Start] == " " && letters(w) &&
				letters(query[next.Start:next.End]) {
				out = append(out, expansion{w + strings.ToLower(query[next.Start:next.End]), 0.5})
			}
		}
		if d, ok := digits[w]; ok {
			out = append(out, expansion{d, 1})
		}
		if other, ok := spelled(w); ok {
			out = append(out, expansion{other, 1})
		}
	}
	return out
}

// letters reports whether s is a word of a script that separates words by spaces.
func letters(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) || r >= 0x2e80
	})
}

var digits = map[string]string{"two": "2", "three": "3", "four": "4", "five": "5",
	"six": "6", "seven": "7",
	"eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "twenty": "20",
	"hundred": "100", "thousand": "1000"}

// spelled returns the American spelling of a British word and the British spelling of
// an American one.
func spelled(w string) (string, bool) {
	if o, ok := spelledWords[w]; ok {
		return o, true
	}
	for _, p := range spellings {
		for _, q := range [][2]string{p, {p[1], p[0]}} {
			if stem, ok := strings.CutSuffix(w, q[0]); ok && len(stem) >= 3 {
				return stem + q[1], true
			}
		}
	}
	return "", false
}

// spellings are pairs of endings. Where only one of the two gives a word, the other adds
// a token that no page has, which does no harm.
var spellings = [][2]string{
	{"isation", "ization"}, {"isations", "izations"}, {"ise", "ize"}, {"ised", "ized"},
	{"ises", "izes"}, {"ising", "izing"},
	{"yse", "yze"}, {"ysed", "yzed"}, {"ysing", "yzing"},
}

var spelledWords = both(map[string]string{
	"colour": "color", "colours": "colors", "behaviour": "behavior", "favourite": "favorite",
	"licence": "license",
	"centre":  "center", "catalogue": "catalog", "dialogue": "dialog", "cancelled": "canceled",
	"cancelling": "canceling",
	"labelled":   "labeled", "modelling": "modeling", "programme": "program",
	"defence": "defense", "grey": "gray",
	"neighbour": "neighbor", "honour": "honor", "labour": "labor", "metre": "meter",
	"litre": "liter", "tyre": "tire",
	"cheque": "check", "enrol": "enroll", "fulfil": "fulfill", "travelling": "traveling",
	"artefact": "artifact",
})

func both(m map[string]string) map[string]string {
	out := map[string]string{}
	for a, b := range m {
		out[a], out[b] = b, a
	}
	return out
}

// synonyms returns words that mean the same as words of the query, from the lists of its
// language, and for English those of the table of related words. A list applies if the query
// contains one of its words. Words are compared by their tokens.
func synonyms(query string, words []text.Token, lang string) []expansion {
	lang, _, _ = strings.Cut(lang, "-")
	has := map[string]bool{}
	for _, t := range words {
		has[t.Text] = true
	}
	var out []expansion
	for _, group := range thesaurus(lang) {
		if !slices.ContainsFunc(group.tokens, func(w string) bool { return has[w] }) {
			continue
		}
		for i, w := range group.tokens {
			if !has[w] {
				out = append(out, expansion{group.words[i], 1})
			}
		}
	}
	if lang == "en" {
		out = append(out, relatedTo(query, words)...)
	}
	return out
}

// What of the table of related words is searched for. More words, or a greater share, find
// more of what users ask in their own words, and put pages that have the query's words lower.
const (
	relatedWords = 2   // of each word of the query
	relatedLeast = 0.6 // how closely they are related at least
	relatedShare = 0.6 // of the weight of expansions, for the closest and for phrases
)

// relatedTo returns the closest words of the table for each word of an English query, and the
// words for its phrases.
func relatedTo(query string, words []text.Token) (out []expansion) {
	for _, t := range words {
		for i, w := range related.Of(query[t.Start:t.End]) {
			if i == relatedWords || w.Weight < relatedLeast {
				break
			}
			out = append(out, expansion{w.Text, relatedShare * min(1, (w.Weight-0.45)/0.4)})
		}
	}
	for _, p := range related.Phrases(text.Tokenize(query, "en")) {
		for _, w := range p.Words {
			out = append(out, expansion{w, relatedShare})
		}
	}
	return out
}
