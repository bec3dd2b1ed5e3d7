package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
)

// compounding are the languages that write compounds as one word.
var compounding = set("de nl sv da nb nn no fi")

// A word is looked for as a part of compounds from leastPart bytes on, in words that are at
// least leastRest longer.
const (
	leastPart = 5
	leastRest = 3
)

// like returns the term of which a word is a synonym, or a part or a whole as a compound.
func (l *lex) like(token string) (int, bool) {
	if i, ok := l.synonym[token]; ok {
		return i, true
	}
	i := l.compound(token)
	return i, i >= 0
}

// compound returns the term of the query that a word begins or ends with, or that begins or
// ends with it: Gebühr in Flughafengebühr. -1 for none.
func (l *lex) compound(token string) int {
	if !l.compounds || len(token) < leastPart {
		return -1
	}
	best, most := -1, 0
	for word, i := range l.exact {
		part, whole := word, token
		if len(part) > len(whole) {
			part, whole = whole, part
		}
		if len(part) >= leastPart && len(whole) >= len(part)+leastRest &&
			(strings.HasPrefix(whole, part) || strings.HasSuffix(whole, part)) &&
			(len(part) > most || len(part) == most && i < best) {
			best, most = i, len(part)
		}
	}
	return best
}

// phrased cuts sentences of scripts that separate phrases and sentences by blanks alone, as
// Thai does, into runs of phrases of at most longestRun code points.
func phrased(s string, sentences []text.Range) (out []text.Range) {
	const longestRun = 200
	for _, r := range sentences {
		one := s[r.Start:r.End]
		if first := strings.IndexFunc(one, unicode.IsLetter); first < 0 ||
			utf8.RuneCountInString(one) <= maxQuote || !phrasedScript(one[first:]) {
			out = append(out, r)
			continue
		}
		start, end, n := r.Start, r.Start, 0
		for _, phrase := range strings.SplitAfter(one, " ") {
			size := utf8.RuneCountInString(phrase)
			if n > 0 && n+size > longestRun {
				out = append(out, text.Range{Start: start, End: end})
				start, n = end, 0
			}
			end, n = end+len(phrase), n+size
		}
		out = append(out, text.Range{Start: start, End: end})
	}
	return out
}

// phrasedScript reports whether a text begins in a script without blanks between words and
// without stops between sentences.
func phrasedScript(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.In(r, unicode.Thai, unicode.Lao)
}
