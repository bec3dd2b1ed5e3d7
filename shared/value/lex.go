package value

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
)

// lexeme is what Find reads: a run of digits, a word, or a sign.
type lexeme struct {
	kind       lexKind
	gap        bool // white space before it
	start, end int  // bytes in the text
	text       string
	lower      string // text in lower case; digits in ASCII
}

type lexKind byte

const (
	lexNumber lexKind = iota // decimal digits
	lexWord                  // letters; one character in scripts without spaces
	lexSign                  // anything else, one code point
)

// lex splits s[from:to] into lexemes, behind those in buf[:0].
func lex(buf []lexeme, s string, from, to int) []lexeme {
	out := buf[:0]
	gap := true
	for i := from; i < to; {
		r, size := runeAt(s, i)
		j := i + size
		l := lexeme{start: i, gap: gap, kind: kindOf(r)}
		switch {
		case isSpace(r):
			gap, i = true, j
			continue
		case isInvisible(r):
			i = j
			continue
		case l.kind == lexNumber:
			j = runEnd(s, j, to, isDecimal)
		case l.kind == lexWord && !text.Unspaced(r):
			j = runEnd(s, j, to, inWord)
		}
		l.end = j
		l.text = s[i:j]
		switch {
		case l.kind == lexNumber:
			l.lower = asciiDigits(l.text)
		case l.kind == lexWord && len(l.text) <= 40:
			l.lower = strings.ToLower(l.text)
		case l.kind == lexSign:
			l.text = foldSign(l.text)
			l.lower = l.text
		}
		out = append(out, l)
		gap = false
		i = j
	}
	return out
}

func runeAt(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

// runEnd returns where the run of characters ends that goes on at i.
func runEnd(s string, i, to int, in func(rune) bool) int {
	for i < to {
		r, size := runeAt(s, i)
		if !in(r) {
			break
		}
		i += size
	}
	return i
}

func isSpace(r rune) bool {
	return r == ' ' || r == '\t' || r >= '\n' && r <= '\r' || r >= 0x80 && unicode.IsSpace(r)
}

func isDecimal(r rune) bool {
	_, ok := text.Digit(r)
	return ok
}

// inWord reports whether r continues a word: a letter, a mark or a soft hyphen.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return (unicode.IsLetter(r) || unicode.Is(unicode.M, r) || r == 0xAD) && !text.Unspaced(r)
}

func kindOf(r rune) lexKind {
	switch {
	case isDecimal(r):
		return lexNumber
	case r|0x20 >= 'a' && r|0x20 <= 'z' || r >= 0x80 && unicode.IsLetter(r):
		return lexWord
	}
	return lexSign
}

func isInvisible(r rune) bool { return r >= 0xAD && (text.Dropped(r) || r == 0xFE0F) }

// asciiDigits writes decimal digits of any script in ASCII.
func asciiDigits(s string) string {
	if text.IsASCII(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if d, ok := text.Digit(r); ok {
			b = append(b, '0'+d)
		}
	}
	return string(b)
}

// foldSign writes the variants of dashes, quotes and full-width signs alike.
func foldSign(s string) string {
	if s[0] < utf8.RuneSelf {
		return s
	}
	r, _ := utf8.DecodeRuneInString(s)
	switch r {
	case '\u066B':
		return "."
	case '\u066C':
		return ","
	case '–', '—': // tells ranges from hyphens
		return "–"
	}
	if to, ok := text.FoldRune(r); ok && len(to) == 1 {
		return to
	}
	return s
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
