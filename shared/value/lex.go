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

// charClass is what lex makes of a character.
type charClass byte

const (
	signChar   charClass = iota // a lexeme by itself
	digitChar                   // goes on with digits
	letterChar                  // goes on with letters
	aloneChar                   // a letter that is a word by itself
	spaceChar                   // stands between lexemes
	noChar                      // shows nothing
)

// asciiClasses are the classes of the ASCII characters.
var asciiClasses = func() (classes [utf8.RuneSelf]charClass) {
	for c := range classes {
		switch {
		case c >= '0' && c <= '9':
			classes[c] = digitChar
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			classes[c] = letterChar
		case c == ' ' || c >= '\t' && c <= '\r':
			classes[c] = spaceChar
		}
	}
	return classes
}()

// classAt returns the class of the character at byte i, and its length.
func classAt(s string, i int) (charClass, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return asciiClasses[c], 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	return classOf(r), size
}

// classOf returns the class of a character beyond ASCII.
func classOf(r rune) charClass {
	switch {
	case unicode.IsSpace(r):
		return spaceChar
	case text.Dropped(r) || r == 0xFE0F:
		return noChar
	case isDecimal(r):
		return digitChar
	case !unicode.IsLetter(r):
		return signChar
	case text.Unspaced(r):
		return aloneChar
	}
	return letterChar
}

func isDecimal(r rune) bool {
	_, ok := text.Digit(r)
	return ok
}

// lex splits s[from:to] into lexemes, behind those in buf[:0].
func lex(buf []lexeme, s string, from, to int) []lexeme {
	out := buf[:0]
	gap := true
	lower := lowered{s: s, to: to}
	for i := from; i < to; {
		class, size := classAt(s, i)
		l := lexeme{start: i, end: i + size, gap: gap}
		switch class {
		case spaceChar:
			gap, i = true, l.end
			continue
		case noChar:
			i = l.end
			continue
		case digitChar:
			l.kind, l.end = lexNumber, digitsEnd(s, l.end, to)
			l.text = s[i:l.end]
			l.lower = asciiDigits(l.text)
		case signChar:
			l.kind, l.text = lexSign, foldSign(s[i:l.end])
			l.lower = l.text
		default:
			l.kind = lexWord
			if class == letterChar {
				l.end = wordEnd(s, l.end, to)
			}
			l.text = s[i:l.end]
			l.lower = lower.word(i, l.end)
		}
		out = append(out, l)
		gap = false
		i = l.end
	}
	return out
}

// digitsEnd returns where the digits end that go on at byte i.
func digitsEnd(s string, i, to int) int {
	for i < to {
		class, size := classAt(s, i)
		if class != digitChar {
			break
		}
		i += size
	}
	return i
}

// wordEnd returns where the word ends that goes on at byte i: behind letters, marks and
// soft hyphens.
func wordEnd(s string, i, to int) int {
	for i < to {
		if c := s[i]; c < utf8.RuneSelf {
			if asciiClasses[c] != letterChar {
				break
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) && r != 0xAD || text.Unspaced(r) {
			break
		}
		i += size
	}
	return i
}

// longestLower is the longest word in bytes that has a form in lower case.
const longestLower = 40

// lowerPiece is how many bytes lowered makes lower at once.
const lowerPiece = 1 << 10

// lowered gives words of s[:to] in lower case. It makes the ASCII letters of a piece of the
// text lower at once, when a word needs it, so that not each word takes memory.
type lowered struct {
	s     string
	to    int
	start int    // where piece begins in s
	piece string // a part of s with its ASCII letters in lower case
}

// word returns s[i:j] in lower case, "" where it is too long.
func (l *lowered) word(i, j int) string {
	if j-i > longestLower {
		return ""
	}
	capital := false
	for k := i; k < j; k++ {
		c := l.s[k]
		if c >= utf8.RuneSelf {
			return strings.ToLower(l.s[i:j])
		}
		capital = capital || c < 'a'
	}
	if !capital {
		return l.s[i:j]
	}
	if j > l.start+len(l.piece) {
		l.start, l.piece = i, lowerASCII(l.s[i:min(i+lowerPiece, l.to)])
	}
	return l.piece[i-l.start : j-l.start]
}

// lowerASCII returns s with its ASCII letters in lower case.
func lowerASCII(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	done := 0
	for k := 0; k < len(s); k++ {
		if c := s[k]; c >= 'A' && c <= 'Z' {
			b.WriteString(s[done:k])
			b.WriteByte(c | 0x20)
			done = k + 1
		}
	}
	b.WriteString(s[done:])
	return b.String()
}

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
	case '–', '—': // other than the hyphen, it may join a range
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
