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
		c := s[i]
		j := i + 1
		switch {
		case c == ' ':
			for j < len(s) && s[j] == ' ' {
				j++
			}
			n += (j - i) / 8 // indentation
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			for j < len(s) && s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z' {
				j++
			}
			n += (j - i + 5) / 6
		case c >= '0' && c <= '9':
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			n += (j - i + 2) / 3
		case c < utf8.RuneSelf:
			for j < len(s) && s[j] == c {
				j++
			}
			n += (j - i + 1) / 2
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			j = i + size
			if scriptOf(r).unspaced() || !unicode.IsLetter(r) {
				n++
				break
			}
			letters := 1
			for j < len(s) && s[j] >= utf8.RuneSelf {
				r, size := utf8.DecodeRuneInString(s[j:])
				if !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) || scriptOf(r).unspaced() {
					break
				}
				letters++
				j += size
			}
			n += (letters + 3) / 4
		}
		i = j
	}
	return n
}
