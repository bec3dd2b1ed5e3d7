package pdf

import (
	"math"
	"strconv"
)

// The objects of a PDF as Go values: nil, bool, float64, str, name, array, dict,
// ref and *stream. A keyword is an op.
type (
	str   string
	name  string
	op    string
	array []any
	dict  map[string]any
	ref   struct{ num, gen int }
)

// stream is a dictionary with bytes, as they stand in the file.
type stream struct {
	dict
	raw []byte
	id  ref // for decryption; zero in object streams
}

const (
	maxNesting = 64      // arrays and dictionaries within each other
	maxItems   = 1 << 18 // of one array or dictionary
)

// scanner reads objects from bytes. It never fails: what is invalid is skipped,
// and the end of the bytes ends everything that is open.
type scanner struct {
	src []byte
	pos int
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelim(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

func (s *scanner) skipSpace() {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case isSpace(c):
			s.pos++
		case c == '%':
			for s.pos < len(s.src) && s.src[s.pos] != '\n' && s.src[s.pos] != '\r' {
				s.pos++
			}
		default:
			return
		}
	}
}

// closing is the sign that ends an array or a dictionary.
type closing string

// next returns the next object, an op for a keyword, or false at the end. With refs,
// "12 0 R" is a reference; content streams have none.
func (s *scanner) next(refs bool) (any, bool) { return s.object(refs, 0) }

func (s *scanner) object(refs bool, depth int) (any, bool) {
	s.skipSpace()
	if s.closesDictionary() {
		return closing(">>"), true
	}
	if s.pos >= len(s.src) {
		return nil, false
	}
	switch c := s.src[s.pos]; c {
	case '/':
		return s.name(), true
	case '(':
		return s.literal(), true
	case '<':
		return s.hexOrDictionary(refs, depth), true
	case '[':
		s.pos++
		return s.array(refs, depth+1), true
	case ']':
		s.pos++
		return closing("]"), true
	case ')', '{', '}':
		s.pos++
		return op(string(c)), true
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '.':
		return s.number(refs), true
	}
	return s.keyword(), true
}

// closesDictionary takes the ">>" that ends a dictionary. A single ">" is passed over.
func (s *scanner) closesDictionary() bool {
	for s.pos < len(s.src) && s.src[s.pos] == '>' {
		s.pos++
		if s.pos < len(s.src) && s.src[s.pos] == '>' {
			s.pos++
			return true
		}
		s.skipSpace()
	}
	return false
}

func (s *scanner) hexOrDictionary(refs bool, depth int) any {
	if s.pos+1 < len(s.src) && s.src[s.pos+1] == '<' {
		s.pos += 2
		return s.dictionary(refs, depth+1)
	}
	return s.hex()
}

// keyword reads a word: true, false, null, or an operator.
func (s *scanner) keyword() any {
	start := s.pos
	for s.pos < len(s.src) && !isSpace(s.src[s.pos]) && !isDelim(s.src[s.pos]) {
		s.pos++
	}
	switch w := string(s.src[start:s.pos]); w {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	default:
		return op(w)
	}
}

func (s *scanner) array(refs bool, depth int) any {
	out := array{}
	for {
		if depth > maxNesting || len(out) >= maxItems {
			s.pos = len(s.src) // built to overload; the rest is not worth reading
			return out
		}
		v, ok := s.object(refs, depth)
		if !ok || v == closing("]") {
			return out
		}
		switch v.(type) {
		case closing, op:
		default:
			out = append(out, v)
		}
	}
}

func (s *scanner) dictionary(refs bool, depth int) dict {
	out := dict{}
	key, have := "", false
	for {
		if depth > maxNesting || len(out) >= maxItems {
			s.pos = len(s.src)
			return out
		}
		at := s.pos
		v, ok := s.object(refs, depth)
		if !ok || v == closing(">>") {
			return out
		}
		if o, is := v.(op); is && (o == "endobj" || o == "stream") { // the end is missing
			s.pos = at
			return out
		}
		switch n, isName := v.(name); {
		case !have && isName:
			key, have = string(n), true
		case have:
			if _, bad := v.(closing); !bad {
				if _, dup := out[key]; !dup {
					out[key] = v
				}
			}
			have = false
		}
	}
}

func (s *scanner) name() name {
	s.pos++
	start := s.pos
	escaped := false
	for s.pos < len(s.src) && !isSpace(s.src[s.pos]) && !isDelim(s.src[s.pos]) {
		escaped = escaped || s.src[s.pos] == '#'
		s.pos++
	}
	raw := s.src[start:s.pos]
	if !escaped {
		return name(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) && unhex(raw[i+1]) >= 0 && unhex(raw[i+2]) >= 0 {
			out = append(out, byte(unhex(raw[i+1])<<4|unhex(raw[i+2])))
			i += 2
			continue
		}
		out = append(out, raw[i])
	}
	return name(out)
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// literal reads a string in parentheses.
func (s *scanner) literal() str {
	s.pos++
	var out []byte
	for depth := 1; s.pos < len(s.src); {
		c := s.src[s.pos]
		s.pos++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return str(out)
			}
		case '\\':
			var ok bool
			if c, ok = s.escaped(); !ok {
				continue
			}
		}
		out = append(out, c)
	}
	return str(out)
}

// escapes are the bytes that letters behind a backslash stand for; any other byte stands
// for itself.
var escapes = [256]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// escaped reads what stands behind a backslash. It reports false if that is no byte of the
// string: a line break, or the end.
func (s *scanner) escaped() (byte, bool) {
	if s.pos >= len(s.src) {
		return 0, false
	}
	c := s.src[s.pos]
	s.pos++
	switch {
	case c == '\n':
		return 0, false
	case c == '\r':
		if s.pos < len(s.src) && s.src[s.pos] == '\n' {
			s.pos++
		}
		return 0, false
	case isOctal(c):
		v := int(c - '0')
		for k := 0; k < 2 && s.pos < len(s.src) && isOctal(s.src[s.pos]); k++ {
			v = v<<3 | int(s.src[s.pos]-'0')
			s.pos++
		}
		return byte(v), true
	case escapes[c] != 0:
		return escapes[c], true
	}
	return c, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isOctal(c byte) bool { return c >= '0' && c <= '7' }

func (s *scanner) hex() str {
	s.pos++
	var out []byte
	high := -1
	for ; s.pos < len(s.src); s.pos++ {
		c := s.src[s.pos]
		if c == '>' {
			s.pos++
			break
		}
		v := unhex(c)
		if v < 0 {
			continue
		}
		if high < 0 {
			high = v
		} else {
			out, high = append(out, byte(high<<4|v)), -1
		}
	}
	if high >= 0 {
		out = append(out, byte(high<<4))
	}
	return str(out)
}

// number reads a number, or a reference that begins with one.
func (s *scanner) number(refs bool) any {
	v, whole := s.numeral()
	if !refs || !whole || v < 0 {
		return v
	}
	after := s.pos
	s.skipSpace()
	if s.pos < len(s.src) && s.src[s.pos] >= '0' && s.src[s.pos] <= '9' {
		gen, ok := s.numeral()
		s.skipSpace()
		if ok && s.pos < len(s.src) && s.src[s.pos] == 'R' &&
			(s.pos+1 == len(s.src) || isSpace(s.src[s.pos+1]) || isDelim(s.src[s.pos+1])) {
			s.pos++
			return ref{int(v), int(gen)}
		}
	}
	s.pos = after
	return v
}

// numeral reads a number; whole reports whether it is one of up to nine digits and
// nothing else.
func (s *scanner) numeral() (v float64, whole bool) {
	start := s.pos
	whole = true
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		if c < '0' || c > '9' {
			if c != '+' && c != '-' && c != '.' {
				break
			}
			whole = false
		}
		s.pos++
	}
	word := s.src[start:s.pos]
	if whole && len(word) <= 9 {
		n := 0
		for _, c := range word {
			n = n*10 + int(c-'0')
		}
		return float64(n), true
	}
	v, err := strconv.ParseFloat(string(word), 64)
	if err != nil || math.IsInf(v, 0) {
		v = malformed(word)
	}
	return v, false
}

// malformed reads numbers that no format knows and that stand in real files: "--5" is -5,
// and "1.2.3" is 1.2.
func malformed(word []byte) float64 {
	v, scale, sign, fraction := 0.0, 1.0, 1.0, false
	for _, c := range word {
		switch {
		case c == '-':
			sign = -1
		case c == '.' && fraction:
			return sign * v
		case c == '.':
			fraction = true
		case isDigit(c) && fraction:
			scale /= 10
			v += float64(c-'0') * scale
		case isDigit(c) && v < 1e12:
			v = v*10 + float64(c-'0')
		}
	}
	return sign * v
}
