package wstk

import (
	"slices"
	"strings"
)

// member is one entry of a dictionary of structured fields (RFC 9651): a key and, where
// its value is a token, the token. Other values and all parameters are passed over.
type member struct{ key, token string }

// parseDictionary reads a dictionary as RFC 9651 §4.2.2 does: what it does not allow
// makes the whole of it unreadable, and a repeated key has its last value.
func parseDictionary(s string) ([]member, bool) {
	p := fieldParser{strings.Trim(s, " ")}
	var out []member
	for p.s != "" {
		m := member{}
		var ok bool
		if m.key, ok = p.key(); !ok {
			return nil, false
		}
		if p.take('=') {
			if m.token, ok = p.value(); !ok {
				return nil, false
			}
		} else if !p.parameters() {
			return nil, false
		}
		if i := slices.IndexFunc(out, func(o member) bool { return o.key == m.key }); i >= 0 {
			out[i] = m
		} else {
			out = append(out, m)
		}
		p.s = strings.TrimLeft(p.s, " \t")
		if p.s == "" {
			return out, true
		}
		if !p.take(',') {
			return nil, false
		}
		if p.s = strings.TrimLeft(p.s, " \t"); p.s == "" {
			return nil, false // a comma at the end
		}
	}
	return out, true
}

type fieldParser struct{ s string }

func (p *fieldParser) take(c byte) bool {
	if p.s == "" || p.s[0] != c {
		return false
	}
	p.s = p.s[1:]
	return true
}

// run takes the characters that ok allows.
func (p *fieldParser) run(ok func(c byte) bool) string {
	i := 0
	for i < len(p.s) && ok(p.s[i]) {
		i++
	}
	out := p.s[:i]
	p.s = p.s[i:]
	return out
}

func (p *fieldParser) key() (string, bool) {
	if p.s == "" || p.s[0] != '*' && !lower(p.s[0]) {
		return "", false
	}
	return p.run(func(c byte) bool {
		return lower(c) || digit(c) || strings.IndexByte("_-.*", c) >= 0
	}), true
}

// value takes an item or an inner list with its parameters, and returns a token.
func (p *fieldParser) value() (token string, ok bool) {
	if p.take('(') {
		for {
			p.s = strings.TrimLeft(p.s, " ")
			if p.take(')') {
				return "", p.parameters()
			}
			if _, ok := p.bare(); !ok || !p.parameters() || p.s == "" ||
				p.s[0] != ' ' && p.s[0] != ')' {
				return "", false
			}
		}
	}
	if token, ok = p.bare(); !ok {
		return "", false
	}
	return token, p.parameters()
}

// bare takes an item without parameters.
func (p *fieldParser) bare() (token string, ok bool) {
	if p.s == "" {
		return "", false
	}
	switch c := p.s[0]; {
	case c == '"':
		return "", p.quoted()
	case c == '%' && strings.HasPrefix(p.s, `%"`):
		p.s = p.s[1:]
		return "", p.quoted()
	case c == ':':
		p.s = p.s[1:]
		p.run(func(c byte) bool {
			return lower(c) || upper(c) || digit(c) || strings.IndexByte("+/=", c) >= 0
		})
		return "", p.take(':')
	case c == '?':
		p.s = p.s[1:]
		return "", p.take('0') || p.take('1')
	case c == '-' || c == '@' || digit(c):
		p.take('@')
		p.take('-')
		n := len(p.run(digit))
		if p.take('.') && p.run(digit) == "" {
			return "", false
		}
		return "", n > 0
	case c == '*' || lower(c) || upper(c):
		return p.run(func(c byte) bool {
			return lower(c) || upper(c) || digit(c) ||
				strings.IndexByte("!#$%&'*+-.^_`|~:/", c) >= 0
		}), true
	}
	return "", false
}

func (p *fieldParser) quoted() bool {
	p.s = p.s[1:]
	for p.s != "" {
		c := p.s[0]
		p.s = p.s[1:]
		switch {
		case c == '"':
			return true
		case c == '\\':
			if !p.take('"') && !p.take('\\') {
				return false
			}
		case c < ' ' || c > '~':
			return false
		}
	}
	return false
}

func (p *fieldParser) parameters() bool {
	for p.take(';') {
		p.s = strings.TrimLeft(p.s, " ")
		if _, ok := p.key(); !ok {
			return false
		}
		if p.take('=') {
			if _, ok := p.bare(); !ok {
				return false
			}
		}
	}
	return true
}

func lower(c byte) bool { return 'a' <= c && c <= 'z' }
func upper(c byte) bool { return 'A' <= c && c <= 'Z' }
func digit(c byte) bool { return '0' <= c && c <= '9' }
