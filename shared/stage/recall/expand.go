package recall

import (
	"slices"
	"strings"
	"unicode"

	"wstk/shared/text"
)

// expansion is a text to be searched for beside the query, and its part of the
// weight that expansions get.
type expansion struct {
	text, lang string
	share      float64
}

// variants returns other ways to write what the query says: neighbouring words as
// one (file name, write-ahead: filename, writeahead), numbers without their
// thousands marks (10,000: 10000), number words as digits, and the British or
// American spelling of a word.
func variants(query string, words []text.Token) []expansion {
	var out []expansion
	for i, t := range words {
		w := strings.ToLower(query[t.Start:t.End])
		if i+1 < len(words) {
			next := words[i+1]
			between := query[t.End:max(t.End, next.Start)]
			if (between == " " || between == "-" || between == "_" || between == "/") && letters(w) && letters(query[next.Start:next.End]) {
				share := 0.5
				if between != " " {
					share = 1
				}
				out = append(out, expansion{w + strings.ToLower(query[next.Start:next.End]), "", share})
			}
		}
		if d, ok := digits[w]; ok {
			out = append(out, expansion{d, "", 1})
		}
		if plain := strings.Map(func(r rune) rune {
			if r == ',' || r == '\u00a0' || r == '\'' || r == '’' {
				return -1
			}
			return r
		}, w); plain != w && numeric(plain) {
			out = append(out, expansion{plain, "", 1})
		}
		if other, ok := spelled(w); ok {
			out = append(out, expansion{other, "en", 1})
		}
	}
	return out
}

func letters(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) || r >= 0x2e80 }) < 0
}

func numeric(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) && r != '.' }) < 0
}

var digits = map[string]string{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
	"eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "twenty": "20", "hundred": "100", "thousand": "1000"}

// spelled returns the spelling of an English word on the other side of the
// Atlantic.
func spelled(w string) (string, bool) {
	for _, p := range spellings {
		for _, q := range [][2]string{p, {p[1], p[0]}} {
			if stem, ok := strings.CutSuffix(w, q[0]); ok && len(stem) >= 3 {
				return stem + q[1], true
			}
		}
	}
	if o, ok := spelledWords[w]; ok {
		return o, true
	}
	return "", false
}

// Endings only where both spellings are words as a rule; those that are not, cost
// a token that no page has.
var spellings = [][2]string{
	{"isation", "ization"}, {"isations", "izations"}, {"ise", "ize"}, {"ised", "ized"}, {"ises", "izes"}, {"ising", "izing"},
	{"yse", "yze"}, {"ysed", "yzed"}, {"ysing", "yzing"},
}

var spelledWords = both(map[string]string{
	"colour": "color", "colours": "colors", "behaviour": "behavior", "favourite": "favorite", "licence": "license",
	"centre": "center", "catalogue": "catalog", "dialogue": "dialog", "cancelled": "canceled", "cancelling": "canceling",
	"labelled": "labeled", "modelling": "modeling", "programme": "program", "defence": "defense", "grey": "gray",
	"neighbour": "neighbor", "honour": "honor", "labour": "labor", "metre": "meter", "litre": "liter", "tyre": "tire",
	"cheque": "check", "enrol": "enroll", "fulfil": "fulfill", "travelling": "traveling", "artefact": "artifact",
})

func both(m map[string]string) map[string]string {
	out := map[string]string{}
	for a, b := range m {
		out[a], out[b] = b, a
	}
	return out
}

// synonyms returns other words for what the query asks, from short general lists:
// what people ask sites about, and what manuals are asked about. A list applies
// where the query holds one of its words; words are compared by their tokens.
func synonyms(words []text.Token, lang string) []expansion {
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
				out = append(out, expansion{group.words[i], lang, 1})
			}
		}
	}
	return out
}
