package css

import (
	"strconv"
	"strings"
	"wstk/shared/stage/read/dom"

	"golang.org/x/net/html"
)

// Some values stand for others: custom properties, attributes, colours by the colour scheme.

// Variables are the custom properties of an element, over those it inherits.
type Variables struct {
	outer *Variables
	own   map[string]string
}

const (
	maxVariable = 8 << 10 // bytes that a value may come to
	maxLookups  = 400
)

func (v *Variables) get(name string) (string, bool) {
	for n := 0; v != nil && n < maxLookups; n, v = n+1, v.outer {
		if s, ok := v.own[name]; ok {
			return s, s != "initial"
		}
	}
	return "", false
}

// resolve puts the values of custom properties in the place of var(). It is false where one
// is missing and has no substitute.
func (s *Sheet) resolve(value string, vars *Variables, depth int) (string, bool) {
	if !strings.Contains(value, "var(") {
		return value, true
	}
	if depth > 12 || len(value) > maxVariable {
		return "", false
	}
	var b strings.Builder
	for {
		i := strings.Index(value, "var(")
		if i < 0 {
			b.WriteString(value)
			break
		}
		b.WriteString(value[:i])
		end := topLevel(value[i+4:], ")")
		arg := value[i+4 : i+4+end]
		value = value[min(i+5+end, len(value)):]
		cut := topLevel(arg, ",")
		name := strings.TrimSpace(arg[:cut])
		got, ok := vars.get(name)
		if !ok {
			got, ok = s.initial[name]
		}
		if ok {
			got, ok = s.resolve(got, vars, depth+1)
		}
		if !ok && cut < len(arg) {
			got, ok = s.resolve(arg[cut+1:], vars, depth+1)
		}
		if !ok || b.Len()+len(got) > maxVariable {
			return "", false
		}
		b.WriteString(got)
	}
	return b.String(), true
}

// late reports whether a value holds what depends on the element or on what it inherits.
func late(v string) bool {
	return strings.IndexByte(v, '(') >= 0 &&
		(strings.Contains(v, "var(") || strings.Contains(v, "attr(") ||
			strings.Contains(v, "light-dark("))
}

// lightDark puts colours in the place of light-dark().
func lightDark(v string, dark bool) string {
	return replaced(v, "light-dark(", func(args string) string {
		i := topLevel(args, ",")
		if dark {
			i = min(i+1, len(args))
			return args[i:]
		}
		return args[:i]
	})
}

// attributes puts the values of an element's attributes in the place of attr(). One that is
// not there, or is of another type, and has no substitute, makes the value "unset".
func attributes(v string, n *html.Node) string {
	missing := false
	v = replaced(v, "attr(", func(args string) string {
		i := topLevel(args, ",")
		name, kind, _ := strings.Cut(strings.TrimSpace(args[:i]), " ")
		if got, ok := attributeAs(n, strings.ToLower(name),
			strings.ToLower(strings.TrimSpace(kind))); ok {
			return got
		}
		missing = missing || i == len(args)
		return args[min(i+1, len(args)):]
	})
	if missing {
		return "unset"
	}
	return v
}

// attributeAs is an attribute as a value of a type: type(<number>), or a unit.
func attributeAs(n *html.Node, name, kind string) (string, bool) {
	v := strings.TrimSpace(dom.Attr(n, name))
	if !dom.HasAttr(n, name) || strings.Contains(v, "attr(") {
		return "", false
	}
	a, counts := ParseLength(strings.ToLower(v), DefaultSizes)
	switch unit := strings.Trim(kind, "%abcdefghijklmnopqrstuvwxyz"); {
	case kind == "", kind == "raw-string", kind == "string":
		return `"` + v + `"`, true
	case kind == "number":
		return v, counts
	case unit == "":
		return strconv.FormatFloat(a.Pixels, 'f', -1, 64) + kind, counts
	case kind == "type(<number>)", kind == "type(<length>)", kind == "type(<percentage>)",
		kind == "type(<integer>)":
		return v, counts
	}
	return v, v != ""
}

// Variables are the custom properties of an element in an element that has those around.
func (s *Style) Variables(around *Variables) *Variables {
	if s.custom == nil {
		return around
	}
	return &Variables{outer: around, own: s.custom}
}

// Settle puts what stands for other values into those of a style, once.
func (s *Sheet) Settle(st *Style, around *Variables, aroundDark bool) {
	vars := around
	if st.custom != nil {
		for name, v := range st.custom {
			if strings.Contains(v, "attr(") {
				st.custom[name] = attributes(v, st.Node)
			}
		}
		vars = st.Variables(around)
	}
	dark := DarkScheme(st.Values["color-scheme"], aroundDark)
	for p, v := range st.Values {
		if !late(v) {
			continue
		}
		got, ok := s.resolve(v, vars, 0)
		if p != "content" {
			got = attributes(got, st.Node)
		}
		if got = strings.ToLower(strings.TrimSpace(lightDark(got, dark))); !ok {
			got = "unset"
		}
		if p == "background" {
			delete(st.Values, p)
			st.ground(got)
			continue
		}
		if !validValue(p, got) {
			got = "unset"
		}
		st.Values[p] = got
		if f := st.field(p); f != nil {
			*f = got
		}
	}
}

// DarkScheme reports whether the colour scheme of an element is dark, for a reader who asks
// for none.
func DarkScheme(v string, around bool) bool {
	if v == "" || v == "inherit" || v == "unset" {
		return around
	}
	return dom.HasWord(v, "dark") && !dom.HasWord(v, "light")
}

// Content returns the words that the property content of ::before, ::after or ::marker comes
// to, "" where a value is missing. quotes are the words of that property around it.
func (s *Sheet) Content(st *Style, vars *Variables, quotes string) string {
	v, ok := s.resolve(st.Values["content"], vars, 0)
	if !ok {
		return ""
	}
	words := contentWords(v, st.Node)
	if strings.Contains(v, "counter") {
		words += s.MarkWords(v)
	}
	if strings.Contains(v, "open-quote") || strings.Contains(v, "close-quote") {
		words += " " + quotes
	}
	return strings.TrimSpace(words)
}

// MarkWords returns the words in a value of list-style-type or quotes: its strings, and
// those of the counter styles that it names.
func (s *Sheet) MarkWords(v string) string {
	words := contentWords(v, nil)
	if len(s.counters) > 0 {
		for name := range strings.FieldsFuncSeq(strings.ToLower(v),
			func(r rune) bool { return r >= 0x80 || !identByte(byte(r)) }) {
			words += s.counters[name]
		}
	}
	return words
}

// contentWords reads the strings, and the attributes of n, of a value of content.
func contentWords(v string, n *html.Node) string {
	var b strings.Builder
	for v != "" {
		switch v[0] {
		case '"', '\'':
			end := skipString(v, 0)
			b.WriteString(unescaped(strings.Trim(v[:min(end+1, len(v))], v[:1])))
			v = v[min(end+1, len(v)):]
			continue
		case '/': // words for who cannot see it
			return b.String()
		}
		if rest, ok := strings.CutPrefix(v, "attr("); ok {
			end := topLevel(rest, ")")
			name, _, _ := strings.Cut(strings.TrimSpace(rest[:end]), " ")
			if n != nil {
				b.WriteString(dom.Attr(n, strings.Trim(name, ", ")))
			}
			v = rest[min(end+1, len(rest)):]
			continue
		}
		v = v[1:]
	}
	return b.String()
}
