package read

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"wstk/shared/stage/read/deadline"
)

// jsonValue is a JSON value in the order of its source, with numbers and
// literals as they are written.
type jsonValue struct {
	kind byte // 's' string, 'n' number, 'l' true, false or null, 'o' object, 'a' array
	text string
	keys []string
	list []jsonValue // members or elements
}

// get returns the member of an object.
func (v *jsonValue) get(key string) (*jsonValue, bool) {
	for i := range v.keys {
		if v.keys[i] == key {
			return &v.list[i], true
		}
	}
	return nil, false
}

var (
	errJSON     = errors.New("not JSON")
	errJSONMany = errors.New("more values, or deeper, than are read")
)

// parseJSON reads all JSON values of a script: usually one, but some pages put
// several behind each other. It accepts what browsers' console never sees but
// pages have: raw line breaks in strings, commas before a closing bracket, a
// semicolon at the end, comment and CDATA marks around. Anything else that is no
// JSON is an error, and no value is returned.
func parseJSON(stop *deadline.Stop, src string) ([]jsonValue, error) {
	v, _, err := countJSON(stop, src)
	return v, err
}

// countJSON is parseJSON, and says how many values it met.
func countJSON(stop *deadline.Stop, src string) (out []jsonValue, values int, err error) {
	p := jsonParser{s: unwrap(src), stop: stop}
	for {
		p.skip()
		for p.i < len(p.s) && (p.s[p.i] == ';' || p.s[p.i] == ',') {
			p.i++
			p.skip()
		}
		if p.i == len(p.s) {
			if len(out) == 0 {
				return nil, p.values, errJSON
			}
			return out, p.values, nil
		}
		v, err := p.value(0)
		if err != nil {
			return nil, p.values, err
		}
		out = append(out, v)
	}
}

// unwrap drops comment and CDATA marks around a script's JSON.
func unwrap(s string) string {
	for {
		before := s
		s = strings.Trim(s, " \t\r\n\f\ufeff")
		for _, p := range []string{"<!--", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/",
			"/* <![CDATA[ */", "<![CDATA["} {
			s = strings.TrimPrefix(s, p)
		}
		for _, p := range []string{"-->", "//]]>", "// ]]>", "/*]]>*/", "/* ]]> */", "]]>", "//"} {
			s = strings.TrimSuffix(s, p)
		}
		if s == before {
			return s
		}
	}
}

type jsonParser struct {
	s      string
	i      int
	values int
	stop   *deadline.Stop
}

func (p *jsonParser) skip() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\r', '\n', '\f':
			p.i++
		default:
			return
		}
	}
}

// Bounds of what is read of one body or script. A value takes some 100 bytes of memory,
// whatever it takes in the source.
const (
	maxJSONDepth  = 100
	maxJSONValues = 200_000
	maxPageValues = 400_000 // of all scripts of a page
)

func (p *jsonParser) value(depth int) (jsonValue, error) {
	p.stop.Tick()
	if p.values++; p.values > maxJSONValues || depth > maxJSONDepth {
		return jsonValue{}, errJSONMany
	}
	if p.i == len(p.s) {
		return jsonValue{}, errJSON
	}
	switch c := p.s[p.i]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		s, err := p.str()
		return jsonValue{kind: 's', text: s}, err
	case c == '-' || c >= '0' && c <= '9':
		start := p.i
		for p.i < len(p.s) && strings.IndexByte("+-.eE0123456789", p.s[p.i]) >= 0 {
			p.i++
		}
		n := p.s[start:p.i]
		if _, err := strconv.ParseFloat(n, 64); err != nil && !errors.Is(err, strconv.ErrRange) {
			return jsonValue{}, errJSON
		}
		return jsonValue{kind: 'n', text: n}, nil
	}
	for _, l := range []string{"true", "false", "null"} {
		if strings.HasPrefix(p.s[p.i:], l) {
			p.i += len(l)
			return jsonValue{kind: 'l', text: l}, nil
		}
	}
	return jsonValue{}, errJSON
}

func (p *jsonParser) object(depth int) (jsonValue, error) {
	v := jsonValue{kind: 'o'}
	var at map[string]int // of an object with more than a few members
	p.i++
	for {
		p.skip()
		if p.i == len(p.s) {
			return v, errJSON
		}
		switch p.s[p.i] {
		case '}':
			p.i++
			return v, nil
		case ',':
			p.i++
			continue
		case '"':
		default:
			return v, errJSON
		}
		key, err := p.str()
		if err != nil {
			return v, err
		}
		p.skip()
		if p.i == len(p.s) || p.s[p.i] != ':' {
			return v, errJSON
		}
		p.i++
		p.skip()
		m, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		// Of members with the same name the last one counts, as elsewhere.
		k, ok := at[key]
		if at == nil {
			k = slices.Index(v.keys, key)
			ok = k >= 0
		}
		if ok {
			v.list[k] = m
		} else {
			v.keys, v.list = append(v.keys, key), append(v.list, m)
			switch n := len(v.keys); {
			case at != nil:
				at[key] = n - 1
			case n > 8:
				at = make(map[string]int, 2*n)
				for k, key := range v.keys {
					at[key] = k
				}
			}
		}
		p.skip()
		if p.i < len(p.s) && p.s[p.i] != ',' && p.s[p.i] != '}' {
			return v, errJSON
		}
	}
}

func (p *jsonParser) array(depth int) (jsonValue, error) {
	v := jsonValue{kind: 'a'}
	p.i++
	for {
		p.skip()
		if p.i == len(p.s) {
			return v, errJSON
		}
		switch p.s[p.i] {
		case ']':
			p.i++
			return v, nil
		case ',':
			p.i++
			continue
		}
		m, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.list = append(v.list, m)
		p.skip()
		if p.i < len(p.s) && p.s[p.i] != ',' && p.s[p.i] != ']' {
			return v, errJSON
		}
	}
}

// str reads a string. The decoded string is valid UTF-8; an escape that JSON does
// not know stands for its character.
func (p *jsonParser) str() (string, error) {
	p.i++
	start := p.i
	for p.i < len(p.s) && p.s[p.i] != '"' && p.s[p.i] != '\\' {
		p.i++
	}
	if p.i < len(p.s) && p.s[p.i] == '"' {
		p.i++
		return p.s[start : p.i-1], nil
	}
	var b strings.Builder
	b.WriteString(p.s[start:p.i])
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch c {
		case '"':
			return b.String(), nil
		case '\\':
			if p.i == len(p.s) {
				return "", errJSON
			}
			c = p.s[p.i]
			p.i++
			switch c {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'r':
				b.WriteByte('\r')
			case 'b':
				b.WriteByte('\b')
			case 'f':
				b.WriteByte('\f')
			case 'u':
				r, ok := p.hex()
				if !ok {
					return "", errJSON
				}
				if r >= 0xD800 && r < 0xDC00 && strings.HasPrefix(p.s[p.i:], `\u`) {
					back := p.i
					p.i += 2
					if low, ok := p.hex(); ok && low >= 0xDC00 && low < 0xE000 {
						r = (r-0xD800)<<10 + (low - 0xDC00) + 0x10000
					} else {
						p.i = back
					}
				}
				b.WriteRune(r) // a lone surrogate becomes U+FFFD
			default:
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", errJSON
}

func (p *jsonParser) hex() (rune, bool) {
	if p.i+4 > len(p.s) {
		return 0, false
	}
	n, err := strconv.ParseUint(p.s[p.i:p.i+4], 16, 32)
	p.i += 4
	return rune(n), err == nil
}

// appendJSON writes v as compact JSON.
func appendJSON(b []byte, v *jsonValue) []byte {
	switch v.kind {
	case 's':
		return appendJSONString(b, v.text)
	case 'n':
		return append(b, jsonNumber(v.text)...)
	case 'l':
		return append(b, v.text...)
	case 'a':
		b = append(b, '[')
		for i := range v.list {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, &v.list[i])
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i := range v.list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSONString(b, v.keys[i])
		b = append(b, ':')
		b = appendJSON(b, &v.list[i])
	}
	return append(b, '}')
}

// jsonNumber returns n where it is written as JSON wants numbers, and else the
// same as a string: 007 and 1. are on real pages.
func jsonNumber(n string) string {
	d := strings.TrimPrefix(n, "-")
	if d == "" || d[0] < '0' || d[0] > '9' ||
		len(d) > 1 && d[0] == '0' && d[1] >= '0' && d[1] <= '9' ||
		strings.HasSuffix(n, ".") || strings.Contains(n, ".e") || strings.Contains(n, ".E") {
		return `"` + n + `"`
	}
	return n
}

func appendJSONString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c == '\n':
				b = append(b, '\\', 'n')
			case c == '\t':
				b = append(b, '\\', 't')
			case c == '\r':
				b = append(b, '\\', 'r')
			case c < 0x20 || c == '<' || c == '>' || c == '&': // as encoding/json escapes them
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			default:
				b = append(b, c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, `\ufffd`...)
		case r == 0x2028 || r == 0x2029:
			b = append(b, '\\', 'u', '2', '0', '2', hex[r&15])
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return append(b, '"')
}
