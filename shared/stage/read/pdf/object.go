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

// closing is what ends an array or a dictionary.
type closing string

// next returns the next object, an op for a keyword, or false at the end. With refs,
// "12 0 R" is a reference; content streams have none.
func (s *scanner) next(refs bool) (any, bool) { return s.object(refs, 0) }

func (s *scanner) object(refs bool, depth int) (any, bool) {
	s.skipSpace()
	for s.pos < len(s.src) && s.src[s.pos] == '>' { // a stray one is passed over
		s.pos++
		if s.pos < len(s.src) && s.src[s.pos] == '>' {
			s.pos++
			return closing(">>"), true
		}
		s.skipSpace()
	}
	if s.pos >= len(s.src) {
		return nil, false
	}
	switch c := s.src[s.pos]; {
	case c == '/':
		return s.name(), true
	case c == '(':
		return s.literal(), true
	case c == '<':
		if s.pos+1 < len(s.src) && s.src[s.pos+1] == '<' {
			s.pos += 2
			return s.dictionary(refs, depth+1), true
		}
		return s.hex(), true
	case c == '[':
		s.pos++
		return s.array(refs, depth+1), true
	case c == ']':
		s.pos++
		return closing("]"), true
	case c == ')' || c == '{' || c == '}':
		s.pos++
		return op(string(c)), true
	case c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.':
		return s.number(refs), true
	}
	start := s.pos
	for s.pos < len(s.src) && !isSpace(s.src[s.pos]) && !isDelim(s.src[s.pos]) {
		s.pos++
	}
	switch w := string(s.src[start:s.pos]); w {
	case "true":
		return true, true
	case "false":
		return false, true
	case "null":
		return nil, true
	default:
		return op(w), true
	}
}

func (s *scanner) array(refs bool, depth int) any {
	out := array{}
	for {
		if depth > maxNesting || len(out) >= maxItems {
			s.pos = len(s.src) // built to overload; nothing behind it is worth reading
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

func (s *scanner) literal() str {
	s.pos++
	var out []byte
	for depth := 1; s.pos < len(s.src); s.pos++ {
		c := s.src[s.pos]
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				s.pos++
				return str(out)
			}
		case '\\':
			s.pos++
			if s.pos >= len(s.src) {
				return str(out)
			}
			switch c = s.src[s.pos]; c {
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case 't':
				c = '\t'
			case 'b':
				c = '\b'
			case 'f':
				c = '\f'
			case '\r':
				if s.pos+1 < len(s.src) && s.src[s.pos+1] == '\n' {
					s.pos++
				}
				continue
			case '\n':
				continue
			case '0', '1', '2', '3', '4', '5', '6', '7':
				v := 0
				for k := 0; k < 3 && s.pos < len(s.src) && s.src[s.pos] >= '0' &&
					s.src[s.pos] <= '7'; k++ {
					v = v<<3 | int(s.src[s.pos]-'0')
					s.pos++
				}
				s.pos--
				c = byte(v)
			}
		}
		out = append(out, c)
	}
	return str(out)
}

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

// numeral reads a number; whole tells that it is one of up to nine digits and
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
	if err != nil || math.IsInf(v, 0) { // "--5" and "1.2.3" stand in real files
		neg, dot, scale := false, false, 1.0
		v = 0
		for _, c := range word {
			switch {
			case c == '-':
				neg = true
			case c == '.':
				if dot {
					goto done
				}
				dot = true
			case c >= '0' && c <= '9' && dot:
				scale /= 10
				v += float64(c-'0') * scale
			case c >= '0' && c <= '9' && v < 1e12:
				v = v*10 + float64(c-'0')
			}
		}
	done:
		if neg {
			v = -v
		}
	}
	return v, false
}
