package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Places yields the bytes of s at which words begin, in order, overlapping ones too; none
// for "".
func Places(s, words string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; words != ""; {
			i := strings.Index(s[at:], words)
			if i < 0 || !yield(at+i) {
				return
			}
			_, size := utf8.DecodeRuneInString(s[at+i:])
			at += i + size
		}
	}
}

// HoldsWhole reports whether words stand whole in s, byte by byte.
func HoldsWhole(s, words string) bool {
	for at := range Places(s, words) {
		if Whole(s, at, at+len(words)) {
			return true
		}
	}
	return false
}

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

// Within reports whether the words of a statement stand whole in a quote, except for what
// FoldCompare folds: neither end may cut a word or a number of the quote, as "9 bar"
// does in "99 bar" and "safe" in "unsafe". earlier tells that an earlier version made the
// statement: then a long one may end within a word.
func Within(quote, statement string, earlier bool) bool {
	in, words := FoldCompare(quote), FoldCompare(statement)
	for start := range Places(in, words) {
		end := start + len(words)
		if !Cuts(in, start) && (!Cuts(in, end) || earlier && shortened(in, words, end)) {
			return true
		}
	}
	return false
}

// Occurrences returns where words stand whole in s, compared as FoldCompare does: ranges of
// s, in order.
func Occurrences(s, words string) (out []Range) {
	f := Fold(s)
	low, back := lowered(f.Text)
	words = FoldCompare(words)
	for at := range Places(low, words) {
		if Whole(low, at, at+len(words)) {
			out = append(out, f.Original(back[at], back[at+len(words)]))
		}
	}
	return out
}

// lowered is lowerCompare with, for each byte of what it returns and for its end, the byte
// of s it is of.
func lowered(s string) (low string, back []int) {
	var b strings.Builder
	back = make([]int, 0, len(s)+1)
	for i, r := range s {
		b.WriteString(lowerCompare(string(r)))
		for len(back) < b.Len() {
			back = append(back, i)
		}
	}
	return b.String(), append(back, len(s))
}

// Whole reports whether s[start:end] begins and ends between words, see Cuts.
func Whole(s string, start, end int) bool { return !Cuts(s, start) && !Cuts(s, end) }

// lettersAtEnd is how many letters s ends with.
func lettersAtEnd(s string) (n int) {
	for _, r := range reversed(s) {
		if !unicode.IsLetter(r) {
			break
		}
		n++
	}
	return n
}

// Cuts reports whether a boundary at byte i of s would cut something in two: a word, a
// number (10|5, 5|.2), a sequence of characters that combine. Scripts that are written
// without spaces have no word ends to cut. The ends of s cut nothing.
func Cuts(s string, i int) bool {
	if i <= 0 || i >= len(s) {
		return false
	}
	if !utf8.RuneStart(s[i]) {
		return true
	}
	before, size := utf8.DecodeLastRuneInString(s[:i])
	after, afterSize := utf8.DecodeRuneInString(s[i:])
	switch {
	case unicode.Is(unicode.M, after), after == '\u200d', before == '\u200d':
		return true // combining mark or joiner
	case isNumeric(before) && isNumeric(after):
		return true // 10|5, 10|⁵, 1|½
	case isSeparator(after) && isNumeric(before):
		next, _ := utf8.DecodeRuneInString(s[i+afterSize:])
		return isNumeric(next) // 5|.2
	case isSeparator(before) && isNumeric(after):
		prev, _ := utf8.DecodeLastRuneInString(s[:i-size])
		return isNumeric(prev) // 5.|2
	case isSuperscript(after) && unicode.IsLetter(before):
		return lettersAtEnd(s[:i]) < 4 // people¹ has a footnote, km² and x² do not
	case isWord(before) && isWord(after):
		return !unspaced(before) && !unspaced(after)
	}
	return false
}

func isSuperscript(r rune) bool {
	return r == '¹' || r == '²' || r == '³' || r >= '⁰' && r <= '⁹'
}

// reversed is the last few runes of s, the last first.
func reversed(s string) []rune {
	var out []rune
	for len(s) > 0 && len(out) < 4 {
		r, size := utf8.DecodeLastRuneInString(s)
		out, s = append(out, r), s[:len(s)-size]
	}
	return out
}

// isNumeric is true of every rune with a numeric meaning: digits, superscripts,
// fractions, enclosed numbers. Han numerals count as letters.
func isNumeric(r rune) bool { return unicode.Is(unicode.N, r) }

// isSeparator is true of what may stand inside a number.
func isSeparator(r rune) bool {
	switch r {
	case '.', ',', '\'', '\u2019', '\u066b', '\u066c', '·', '．', '，', '_', '\u02d9':
		return true
	}
	return false
}

func isWord(r rune) bool { return unicode.IsLetter(r) || isNumeric(r) || r == '_' }

// unspaced is true of letters of scripts that write no spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
