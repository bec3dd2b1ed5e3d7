package screen

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"wstk/shared/text"
)

// markup is what a page's tags tell beside its text. It is read only for pages
// with little text.
type markup struct {
	scripts  int  // script elements with a source or code
	external int  // those with a source
	module   bool // a script of type module
	state    bool // data for a script to render from: __NEXT_DATA__ and the like
	root     bool // an element in which a script builds the page
	inRoot   int  // size of the text inside it
	noscript string
	password bool // a field for a password
	email    bool // a field for an address
	captcha  bool // a widget that asks whether one is human
	refresh  bool // a meta refresh
	frames   int
	images   int
}

// readMarkup goes through body once. Text within the root is weighed without
// sentences that address a model, as all text is.
func readMarkup(body []byte) *markup {
	m := &markup{}
	z := html.NewTokenizer(bytes.NewReader(body))
	var inside strings.Builder // text in the root
	rootTag, depth, skip := "", 0, ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			s := inside.String()
			m.inRoot = weigh(s, text.Range{End: len(s)}, sentences(s, find(injections, s)))
			m.noscript = plain(m.noscript)
			return m
		case html.TextToken:
			switch {
			case skip == "script":
				if raw := z.Raw(); !m.state && (bytes.Contains(raw, []byte("__NUXT__")) || bytes.Contains(raw, []byte("__INITIAL_STATE__")) || bytes.Contains(raw, []byte("__APOLLO_STATE__")) || bytes.Contains(raw, []byte("__PRELOADED_STATE__")) || bytes.Contains(raw, []byte("self.__next_f"))) {
					m.state = true
				}
			case skip == "noscript":
				if len(m.noscript) < 2000 {
					m.noscript += " " + noTags(string(z.Raw()))
				}
			case skip == "" && depth > 0 && inside.Len() < 4096:
				inside.Write(z.Text())
				inside.WriteByte('\n')
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			raw := z.Raw()
			name, more := z.TagName()
			tag := string(name)
			switch tag {
			case "div", "iframe", "script", "form", "section", "input", "img":
				scan(vocab().matchers["captcha marks"](), raw, func(_, _, _ int) { m.captcha = true })
			}
			attrs := readAttributes(z, more)
			switch tag {
			case "script", "style", "noscript", "title", "template", "textarea":
				skip = tag
			}
			m.tag(tag, attrs)
			switch {
			case rootTag == "" && isRoot(tag, attrs):
				m.root, rootTag, depth = true, tag, 1
			case tag == rootTag && depth > 0:
				depth++
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			tag := string(name)
			if tag == skip {
				skip = ""
			}
			if tag == rootTag && depth > 0 {
				depth--
			}
		}
	}
}

// tag takes note of one start tag.
func (m *markup) tag(tag string, attrs map[string]string) {
	switch tag {
	case "script":
		kind := strings.ToLower(attrs["type"])
		switch {
		case attrs["id"] == "__NEXT_DATA__" || strings.Contains(attrs["id"], "STATE") || attrs["id"] == "__NUXT_DATA__":
			m.state = true
		case kind == "application/ld+json":
		default:
			m.scripts++
			if attrs["src"] != "" {
				m.external++
			}
			m.module = m.module || kind == "module"
		}
	case "link":
		if rel := strings.ToLower(attrs["rel"]); rel == "modulepreload" || rel == "preload" && attrs["as"] == "script" {
			m.scripts++
		}
	case "input":
		m.password = m.password || strings.EqualFold(attrs["type"], "password")
		m.email = m.email || strings.EqualFold(attrs["type"], "email")
	case "meta":
		m.refresh = m.refresh || strings.EqualFold(attrs["http-equiv"], "refresh")
	case "iframe", "frame":
		m.frames++
	case "img", "picture", "video", "canvas", "svg", "object", "embed":
		m.images++
	}
}

func isRoot(tag string, attrs map[string]string) bool {
	switch tag {
	case "html", "head", "script", "style", "link", "meta", "template":
		return false
	}
	if among("root ids", strings.ToLower(attrs["id"])) {
		return true
	}
	return strings.Contains(tag, "-") && tag != "font-face" && tag != "color-profile" && (strings.Contains(tag, "app") || strings.Contains(tag, "root") || strings.Contains(tag, "shell") || strings.Contains(tag, "main"))
}

// readAttributes reads the attributes of the current tag that matter here.
func readAttributes(z *html.Tokenizer, more bool) map[string]string {
	var attrs map[string]string
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if len(key) > 20 || len(value) > 200 && string(key) != "src" {
			continue
		}
		if attrs == nil {
			attrs = make(map[string]string)
		}
		if len(value) > 200 {
			value = value[:200]
		}
		attrs[string(key)] = string(value)
	}
	return attrs
}

// noTags leaves out what stands in angle brackets: a noscript's content comes as
// raw text.
func noTags(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "<")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteByte(' ')
		if _, s, ok = strings.Cut(rest, ">"); !ok {
			return b.String()
		}
	}
}
