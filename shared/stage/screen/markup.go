package screen

import (
	"bytes"
	"slices"
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
	root, skip := rootText{}, ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			s := root.text.String()
			m.inRoot = weigh(s, text.Range{End: len(s)}, sentences(s, find(injections(), s)))
			m.noscript = plain(m.noscript)
			return m
		case html.TextToken:
			switch skip {
			case "":
				root.add(z.Text())
			case "script":
				m.state = m.state || slices.ContainsFunc(stateMarks, func(mark []byte) bool {
					return bytes.Contains(z.Raw(), mark)
				})
			case "noscript":
				if len(m.noscript) < 2000 {
					m.noscript += " " + noTags(string(z.Raw()))
				}
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if tag := m.start(z, &root); silent[tag] {
				skip = tag
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if string(name) == skip {
				skip = ""
			}
			root.end(string(name))
		}
	}
}

// stateMarks stand in scripts that hold the data a page is made from.
var stateMarks = [][]byte{[]byte("__NUXT__"), []byte("__INITIAL_STATE__"),
	[]byte("__APOLLO_STATE__"), []byte("__PRELOADED_STATE__"), []byte("self.__next_f")}

// silent are elements whose text is not shown as such, captcha those that widgets are made of.
var (
	silent = map[string]bool{"script": true, "style": true, "noscript": true, "title": true,
		"template": true, "textarea": true}
	captcha = map[string]bool{"div": true, "iframe": true, "script": true, "form": true,
		"section": true, "input": true, "img": true}
)

// start takes note of a start tag and returns its name.
func (m *markup) start(z *html.Tokenizer, root *rootText) string {
	raw := z.Raw()
	name, more := z.TagName()
	tag := string(name)
	if captcha[tag] {
		scan(vocab().matchers["captcha marks"](), raw, func(_, _, _ int) { m.captcha = true })
	}
	attrs := readAttributes(z, more)
	m.tag(tag, attrs)
	m.root = root.start(tag, attrs) || m.root
	return tag
}

// rootText is the text in the first element in which a script builds the page.
type rootText struct {
	tag   string // of the element; "" until it is met
	depth int    // elements of its name that are open
	text  strings.Builder
}

// start reports whether an element is the root.
func (r *rootText) start(tag string, attrs map[string]string) bool {
	switch {
	case r.tag == "" && isRoot(tag, attrs):
		r.tag, r.depth = tag, 1
		return true
	case tag == r.tag && r.depth > 0:
		r.depth++
	}
	return false
}

func (r *rootText) end(tag string) {
	if tag == r.tag && r.depth > 0 {
		r.depth--
	}
}

func (r *rootText) add(s []byte) {
	if r.depth > 0 && r.text.Len() < 4096 {
		r.text.Write(s)
		r.text.WriteByte('\n')
	}
}

// tag takes note of one start tag.
func (m *markup) tag(tag string, attrs map[string]string) {
	switch tag {
	case "script":
		m.script(attrs)
	case "link":
		if rel := strings.ToLower(attrs["rel"]); rel == "modulepreload" ||
			rel == "preload" && attrs["as"] == "script" {
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

// script takes note of a script: data for one to render from, or a program.
func (m *markup) script(attrs map[string]string) {
	kind := strings.ToLower(attrs["type"])
	switch {
	case attrs["id"] == "__NEXT_DATA__" || strings.Contains(attrs["id"], "STATE") ||
		attrs["id"] == "__NUXT_DATA__":
		m.state = true
	case kind == "application/ld+json":
	default:
		m.scripts++
		if attrs["src"] != "" {
			m.external++
		}
		m.module = m.module || kind == "module"
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
	return strings.Contains(tag, "-") && tag != "font-face" && tag != "color-profile" &&
		(strings.Contains(tag, "app") || strings.Contains(tag, "root") ||
			strings.Contains(tag, "shell") || strings.Contains(tag, "main"))
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
