package text

import (
	"unicode"
	"unicode/utf8"
)

// EstimateTokens estimates how many tokens a language model counts in s: the
// order of magnitude that budgets need, rather too many than too few. A word
// costs one token for every six letters begun (four of other alphabets than
// ASCII's), digits one for three, a Chinese, Japanese or Korean character one,
// punctuation one for two signs alike. Spaces go with the word behind them.
//
// Against the o200k vocabulary, on a manual in 26 languages, it counts from 4 % (Norwegian)
// to 30 % (Japanese) too many, 23 % in English, 60 % in Vietnamese, and nowhere too few;
// against the older cl100k from 32 % too few (Arabic) to 24 % too many.
func EstimateTokens(s string) int {
	n := 0
	for i := 0; i < len(s); {
		run, tokens := tokensAt(s[i:])
		n += tokens
		i += run
	}
	return n
}

// tokensAt returns the length of the run of like characters that s begins with, and how
// many tokens it costs.
func tokensAt(s string) (run, tokens int) {
	c := s[0]
	switch {
	case c == ' ':
		run = runOf(s, func(o byte) bool { return o == ' ' })
		return run, run / 8 // indentation
	case isLetterByte(c):
		run = runOf(s, isLetterByte)
		return run, (run + 5) / 6
	case isDigitByte(c):
		run = runOf(s, isDigitByte)
		return run, (run + 2) / 3
	case c < utf8.RuneSelf:
		run = runOf(s, func(o byte) bool { return o == c })
		return run, (run + 1) / 2
	}
	r, size := utf8.DecodeRuneInString(s)
	if scriptOf(r).unspaced() || !unicode.IsLetter(r) {
		return size, 1
	}
	letters := 0
	for run < len(s) && s[run] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[run:])
		if letters > 0 && !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) || scriptOf(r).
			unspaced() {
			break
		}
		letters++
		run += size
	}
	return run, (letters + 3) / 4
}

func isLetterByte(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// runOf returns how many bytes like the first s begins with.
func runOf(s string, like func(byte) bool) int {
	n := 1
	for n < len(s) && like(s[n]) {
		n++
	}
	return n
}
