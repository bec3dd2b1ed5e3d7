package verify

import (
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
)

// longStatement is about where earlier versions of extract shortened the words of a long
// cell, in bytes: within a word, where it fell so.
const longStatement = 290

// shortened reports whether words end where an earlier version shortened a long cell:
// within a word, and not within a number.
func shortened(in, words string, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(in[:end])
	after, _ := utf8.DecodeRuneInString(in[end:])
	return len(words) >= longStatement && unicode.IsLetter(before) && unicode.IsLetter(after)
}

// Within reports whether the words of a statement stand whole in a quote, but for what
// text.FoldCompare folds: neither end may cut a word or a number of the quote, as "9 bar"
// does in "99 bar" and "safe" in "unsafe". earlier tells that an earlier version made the
// statement: then a long one may end within a word.
func Within(quote, statement string, earlier bool) bool {
	in, words := text.FoldCompare(quote), text.FoldCompare(statement)
	for start := range text.Places(in, words) {
		end := start + len(words)
		if !text.Cuts(in, start) && (!text.Cuts(in, end) || earlier && shortened(in, words, end)) {
			return true
		}
	}
	return false
}
