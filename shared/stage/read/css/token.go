package css

import (
	"strconv"
	"strings"
	"unicode/utf8"
	"wstk/shared/stage/read/dom"
)

// This file takes the text of a sheet or of a value apart: comments, strings, brackets,
// words, functions.

// stripComments takes comments out; one that parts two words leaves a space.
func stripComments(css string) string {
	if !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	for i := 0; i < len(css); {
		switch c := css[i]; {
		case c == '"' || c == '\'':
			end := min(skipString(css, i)+1, len(css))
			b.WriteString(css[i:end])
			i = end
		case c == '/' && strings.HasPrefix(css[i:], "/*"):
			from := i
			j := strings.Index(css[i+2:], "*/")
			if j < 0 {
				return b.String()
			}
			i += j + 4
			if from > 0 && i < len(css) && identByte(css[from-1]) && identByte(css[i]) {
				b.WriteByte(' ')
			}
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

func identByte(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' ||
		c >= 'A' && c <= 'Z' || c >= 0x80
}

// braces splits css after the brace that closes the one already open.
func braces(css string) (body, rest string) {
	depth := 1
	for i := 0; i < len(css); i++ {
		switch css[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return css[:i], css[i+1:]
			}
		case '"', '\'':
			i = skipString(css, i)
		}
	}
	return css, ""
}

// unescape reads the escape that s begins with, and returns how long it is.
func unescape(s string) (r string, n int) {
	i := 1
	for i < len(s) && i < 7 && isHex(s[i]) {
		i++
	}
	if i == 1 {
		if len(s) < 2 {
			return "", len(s)
		}
		_, size := utf8.DecodeRuneInString(s[1:])
		return s[1 : 1+size], 1 + size
	}
	code, _ := strconv.ParseUint(s[1:i], 16, 32)
	if i < len(s) && dom.HTMLSpace(s[i]) {
		i++
	}
	if code == 0 || code > utf8.MaxRune {
		code = utf8.RuneError
	}
	return string(rune(code)), i
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// unescaped is s with its escapes undone.
func unescaped(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		r, n := unescape(s[i:])
		b.WriteString(r)
		s = s[i+n:]
	}
	b.WriteString(s)
	return b.String()
}

// topLevel returns where the first of the bytes in stops stands in s outside of strings and
// brackets, len(s) where none does.
func topLevel(s, stops string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if depth == 0 && strings.IndexByte(stops, c) >= 0 {
			return i
		}
		switch c {
		case '\\':
			i++
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth > 0 {
				depth--
			}
		case '"', '\'':
			i = skipString(s, i)
		}
	}
	return len(s)
}

// skipString returns where the string that begins at i ends: at its quote, or before the
// line's end that spoils it.
func skipString(s string, i int) int {
	for k := i + 1; k < len(s); k++ {
		switch s[k] {
		case '\\':
			k++
		case s[i]:
			return k
		case '\n':
			return k - 1
		}
	}
	return len(s)
}

// Function is one of a list of functions: name(args).
type Function struct {
	Name string
	Args []string
}

// Functions reads "translate(1px, 2px) scale(0)". Arguments are separated by commas, or by
// blanks where there are none.
func Functions(v string) []Function {
	var out []Function
	for len(out) < 64 {
		v = strings.TrimLeft(v, " \t\n\r\f,")
		open := strings.IndexByte(v, '(')
		if open < 0 {
			return out
		}
		end := topLevel(v[open+1:], ")")
		f := Function{Name: strings.TrimSpace(v[:open])}
		if i := strings.LastIndexAny(f.Name, " ,"); i >= 0 {
			f.Name = f.Name[i+1:]
		}
		f.Args = arguments(v[open+1 : open+1+end])
		out = append(out, f)
		v = v[min(open+end+2, len(v)):]
	}
	return out
}

func arguments(s string) []string {
	sep := ","
	if topLevel(s, ",") == len(s) {
		sep = " \t\n\r\f"
	}
	var out []string
	for s != "" {
		end := topLevel(s, sep)
		if a := strings.TrimSpace(s[:end]); a != "" {
			out = append(out, a)
		}
		s = s[min(end+1, len(s)):]
	}
	return out
}

// Words parts a value at its blanks, outside of brackets.
func Words(s string) []string {
	var out []string
	for s != "" {
		end := topLevel(s, " \t\n\r\f")
		if end > 0 {
			out = append(out, s[:end])
		}
		s = s[min(end+1, len(s)):]
	}
	return out
}

// replaced puts something else in the place of each function of a name, by its arguments.
func replaced(v, name string, by func(args string) string) string {
	for n := 0; n < 16; n++ {
		i := strings.Index(v, name)
		if i < 0 {
			break
		}
		from := i + len(name)
		end := from + topLevel(v[from:], ")")
		v = v[:i] + by(v[from:end]) + v[min(len(v), end+1):]
	}
	return v
}
