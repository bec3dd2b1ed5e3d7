package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"golang.org/x/text/unicode/norm"
)

// form is what a word becomes: its token text, and whether it is a stop word.
type form struct {
	text  string
	stop  bool
	upper bool // written in capitals, two letters or more
	camel bool // getElementById: has parts
}

// Sizes of words in bytes or code points.
const (
	maxStemmed = 64 // bytes; longer ones are not words of a language
	maxToken   = 64 // code points of a token's text; longer words are cut
)

// wordForm lowers, stems and folds raw, a run of letters, digits and marks.
func (l *language) wordForm(raw string, env *snowballstem.Env) form {
	f := form{upper: isUpper(raw), camel: isCamel(raw)}
	w := l.lower(raw)
	folded := foldLower(w)
	first, _ := utf8.DecodeRuneInString(w)
	sc := scriptOf(first)
	switch sc {
	case scriptLatin:
		f.stop = l.stop[folded]
	case scriptCyrillic:
		f.stop = l.stopCyrillic[folded]
	}
	if !f.stop {
		if stem := l.stemmer(sc); stem != nil && len(w) <= maxStemmed && isWordOf(w, sc) {
			env.SetCurrent(w)
			stem(env)
			if s := foldLower(env.Current()); s != "" {
				folded = s
			}
		}
	}
	f.text = cut(folded)
	return f
}

func (l *language) stemmer(sc script) func(*snowballstem.Env) bool {
	switch sc {
	case scriptLatin:
		return l.latin
	case scriptCyrillic:
		return l.cyrillic
	case scriptArabic:
		return l.arabic
	}
	return nil
}

// lower applies the fold table, drops joiners, and lowers.
func (l *language) lower(raw string) string {
	if !IsASCII(raw) {
		raw = Fold(raw).Text
		if strings.ContainsAny(raw, "\u200c\u200d") {
			raw = strings.NewReplacer("\u200c", "", "\u200d", "").Replace(raw)
		}
	}
	if l.dotlessI {
		return strings.ToLowerSpecial(unicode.TurkishCase, raw)
	}
	return strings.ToLower(raw)
}

// foldWord is what foldLower makes of a word in any case.
func foldWord(w string) string { return foldLower(strings.ToLower(norm.NFC.String(w))) }

// foldLower takes the diacritics off a word in lower case and NFC: of Latin and
// Greek letters all; of Cyrillic only stress marks and ё, since й is not и; of
// Hebrew and Arabic the vowel points. Letters that Arabic and Persian keyboards
// write differently become one, digits of all scripts ASCII.
func foldLower(w string) string {
	if IsASCII(w) {
		return w
	}
	var b strings.Builder
	b.Grow(len(w))
	for _, r := range w {
		switch {
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		case r >= 0x300 && r < 0x370, r >= 0x591 && r < 0x5C8, r >= 0x610 && r < 0x61B,
			r >= 0x64B && r < 0x660, r == 0x670, r == 0x640,
			r >= 0x6D6 && r < 0x6ED && r != 0x6DD && r != 0x6DE && r != 0x6E5 &&
				r != 0x6E6 && r != 0x6E9:
			// combining diacritics, Hebrew points, Arabic marks, tatweel
		case r < 0x250 || r >= 0x1E00 && r < 0x2000 || r >= 0x370 && r < 0x400:
			b.WriteString(foldLetter(r))
		default:
			if to, ok := foldOther[r]; ok {
				b.WriteRune(to)
			} else if d, ok := Digit(r); ok {
				b.WriteByte('0' + d)
			} else {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// foldLetter takes the marks off a Latin or Greek letter.
func foldLetter(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ', 'ǽ':
		return "ae"
	case 'œ':
		return "oe"
	case 'þ':
		return "th"
	case 'ø', 'ǿ':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'ł':
		return "l"
	case 'ħ':
		return "h"
	case 'ŧ':
		return "t"
	case 'ı':
		return "i"
	case 'ŋ':
		return "n"
	case 'ς':
		return "σ"
	}
	if d := norm.NFD.PropertiesString(string(r)).Decomposition(); len(d) > 0 {
		base, _ := utf8.DecodeRune(d)
		for { // ǘ → ü → u
			next := norm.NFD.PropertiesString(string(base)).Decomposition()
			if len(next) == 0 {
				return string(base)
			}
			base, _ = utf8.DecodeRune(next)
		}
	}
	return string(r)
}

var foldOther = map[rune]rune{
	'ё': 'е', 'ѐ': 'е', 'ѝ': 'и',
	'أ': 'ا', 'إ': 'ا', 'آ': 'ا', 'ٱ': 'ا', 'ى': 'ي', 'ی': 'ي', 'ې': 'ي', 'ک': 'ك', 'ة': 'ه',
	'ہ': 'ه', 'ۀ': 'ه',
}

// Digit returns the value of a decimal digit of any script.
func Digit(r rune) (byte, bool) {
	if r >= '0' && r <= '9' {
		return byte(r - '0'), true
	}
	if r < 0x660 || !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	if r >= 0x1D7CE && r <= 0x1D7FF { // mathematical digits: five alphabets in one row
		return byte((r - 0x1D7CE) % 10), true
	}
	// The other ten digits stand in a row that begins at the zero.
	zero := r
	for zero > r-9 && unicode.Is(unicode.Nd, zero-1) {
		zero--
	}
	if r-zero > 9 {
		return 0, false
	}
	return byte(r - zero), true
}

// isWordOf is true of letters of one script only.
func isWordOf(w string, sc script) bool {
	for _, r := range w {
		if !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) ||
			unicode.IsLetter(r) && scriptOf(r) != sc {
			return false
		}
	}
	return true
}

// cut shortens a token's text to maxToken code points.
func cut(s string) string {
	if len(s) <= maxToken {
		return s
	}
	n := 0
	for i := range s {
		if n == maxToken {
			return strings.Clone(s[:i])
		}
		n++
	}
	return s
}

func isUpper(w string) bool {
	n := 0
	for _, r := range w {
		if !unicode.IsUpper(r) {
			return false
		}
		n++
	}
	return n > 1
}

// isCamel is true of words like getElementById: two lower-case letters or more,
// then a capital followed by lower case.
func isCamel(w string) bool {
	lower := 0
	for i := 0; i < len(w); i++ {
		c := w[i]
		switch {
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			if lower != i {
				return false
			}
			return i >= 2 && i+1 < len(w) && w[i+1] >= 'a' && w[i+1] <= 'z'
		default:
			return false
		}
	}
	return false
}

// unspacedForm folds characters of unspaced scripts; half-width Katakana becomes
// full-width.
func unspacedForm(raw string) string {
	w := Fold(raw).Text
	for _, r := range w {
		if r >= 0xFF66 && r <= 0xFF9F {
			w = norm.NFKC.String(w)
			break
		}
	}
	return strings.NewReplacer("\u200c", "", "\u200d", "").Replace(w)
}
