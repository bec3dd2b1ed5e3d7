package read

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Texts that were written for a terminal stand in <pre> as they were wrapped: standards,
// pages of manuals, letters. They are prose, and a line of them is no sentence.

// isWrapped reports whether most of a text whose white space counts is prose that was
// wrapped, or justified, at a width.
func isWrapped(c []byte) bool {
	prose, all := 0, 0
	for para := range bytes.SplitSeq(c, []byte("\n\n")) {
		lines := nonblankLines(para)
		n := 0
		for _, l := range lines {
			n += len(l)
		}
		all += n
		if isWrappedParagraph(lines) {
			prose += n
		}
	}
	return prose > 0 && 3*prose >= 2*all
}

func nonblankLines(para []byte) (out [][]byte) {
	for l := range bytes.SplitSeq(para, []byte("\n")) {
		if l = bytes.TrimSpace(l); len(l) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// isWrappedParagraph reports whether lines are a paragraph: all but the last are nearly as
// long as the longest, they are made of words, and a sentence ends in them.
func isWrappedParagraph(lines [][]byte) bool {
	const (
		narrowest, widest = 40, 120 // code points
		ragged            = 20      // how much shorter a line may be
	)
	if len(lines) < 2 {
		return false
	}
	longest := 0
	for _, l := range lines {
		longest = max(longest, utf8.RuneCount(l))
	}
	if longest < narrowest || longest > widest {
		return false
	}
	for _, l := range lines[:len(lines)-1] {
		if utf8.RuneCount(l) < longest-ragged {
			return false
		}
	}
	return !beginAlike(lines) && isProse(bytes.Join(lines, []byte(" ")))
}

// isProse reports whether a text is made of words and ends like a sentence: few of them hold
// signs, as names and calls of a program do, and its lines do not begin alike, as those of a
// list of commands and of a comment in a program do.
func isProse(s []byte) bool {
	const fewest = 12 // words
	words, plain := 0, 0
	for w := range bytes.FieldsSeq(s) {
		words++
		if isPlainWord(w) {
			plain++
		}
	}
	s = bytes.TrimRight(s, ` "')”»`)
	last, _ := utf8.DecodeLastRune(s)
	return words >= fewest && 8*plain >= 7*words && strings.ContainsRune(".!?:", last) &&
		!bytes.HasSuffix(s, []byte(".."))
}

// isPlainWord reports whether a word has no signs but those that stand around words, or
// join two.
func isPlainWord(w []byte) bool {
	w = bytes.Trim(w, `.,:;!?()"'“”‘’«»…`)
	return len(w) > 0 && !bytes.ContainsFunc(w, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) &&
			!strings.ContainsRune("-'’/", r)
	})
}

// beginAlike reports whether most lines begin with the same word, or with the same sign.
func beginAlike(lines [][]byte) bool {
	counts := map[string]int{}
	for _, l := range lines {
		first, _, _ := bytes.Cut(l, []byte(" "))
		if r, n := utf8.DecodeRune(first); !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			first = first[:n]
		}
		counts[string(first)]++
	}
	for _, n := range counts {
		if n > 1 && 2*n > len(lines) {
			return true
		}
	}
	return false
}
