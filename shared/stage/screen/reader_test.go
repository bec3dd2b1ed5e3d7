package screen

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/wstk"
)

// readHTML is a plain reader for the tests of this package: visible text in
// blocks, headings, links, JSON-LD types, text hidden by attribute or style. A
// page with next to no text also gets that of its noscripts, as stage read does.
func readHTML(t testing.TB, url string, body []byte) *wstk.Document {
	t.Helper()
	root, err := html.ParseWithOptions(bytes.NewReader(body),
		html.ParseOptionEnableScripting(false))
	if err != nil {
		return &wstk.Document{URL: url}
	}
	r := &testReader{doc: &wstk.Document{URL: url, Reader: "test"}}
	r.walk(root, false)
	r.flush()
	if len(r.text) < 250 {
		for _, n := range r.noscripts {
			r.children(n, false)
			r.flush()
		}
	}
	r.doc.Text = string(r.text)
	r.doc.TextSHA256 = wstk.HashOf(r.text)
	return r.doc
}

type testReader struct {
	doc       *wstk.Document
	text      []byte
	chars     int
	cur       strings.Builder
	kind      wstk.BlockKind
	level     int
	element   int
	elements  int
	noscripts []*html.Node
}

var blockTags = map[atom.Atom]bool{}

func init() {
	for _, a := range []atom.Atom{atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Dl, atom.Dt,
		atom.Dd, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Table, atom.Tr,
		atom.Section, atom.Article, atom.Header, atom.Footer, atom.Nav, atom.Main, atom.Aside,
		atom.Form, atom.Fieldset, atom.Pre, atom.Blockquote, atom.Figure, atom.Figcaption,
		atom.Body, atom.Label, atom.Hr, atom.Br, atom.Center, atom.Select, atom.Option,
		atom.Details, atom.Summary, atom.Noscript} {
		blockTags[a] = true
	}
}

func (r *testReader) flush() {
	s := strings.Join(strings.Fields(r.cur.String()), " ")
	r.cur.Reset()
	if s == "" {
		return
	}
	if len(r.text) > 0 {
		r.text = append(r.text, '\n')
		r.chars++
	}
	b := wstk.Block{Kind: r.kind, Level: r.level, Section: -1, Element: r.element, Main: true}
	if b.Kind == "" {
		b.Kind = wstk.BlockParagraph
	}
	b.CharStart, b.ByteStart = r.chars, len(r.text)
	r.text = append(r.text, s...)
	r.chars += len([]rune(s))
	b.CharEnd, b.ByteEnd = r.chars, len(r.text)
	r.doc.Blocks = append(r.doc.Blocks, b)
}

func (r *testReader) walk(n *html.Node, collectNoscript bool) {
	switch n.Type {
	case html.TextNode:
		r.cur.WriteString(n.Data)
		return
	case html.ElementNode:
		r.elements++
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Template, atom.Textarea, atom.Iframe, atom.Svg:
			if n.DataAtom == atom.Script && nodeAttr(n, "type") == "application/ld+json" && n.FirstChild != nil {
				r.data(n.FirstChild.Data)
			}
			return
		case atom.Title:
			if r.doc.Meta.Title == "" {
				r.doc.Meta.Title = strings.Join(strings.Fields(textOf(n)), " ")
			}
			return
		case atom.Noscript:
			r.noscripts = append(r.noscripts, n)
			return
		case atom.Meta:
			if nodeAttr(n, "property") == "og:type" {
				r.doc.Meta.Type = nodeAttr(n, "content")
			}
		case atom.A:
			if href := nodeAttr(n, "href"); href != "" {
				r.doc.Links = append(r.doc.Links, wstk.Link{URL: href,
					Text: strings.Join(strings.Fields(textOf(n)), " "), Element: r.elements})
			}
		case atom.Input:
			if t := strings.ToLower(nodeAttr(n, "type")); t == "submit" || t == "button" {
				r.flush()
				r.cur.WriteString(nodeAttr(n, "value"))
				r.flush()
			}
		}
		if reason := hiddenBy(n); reason != "" {
			if s := strings.Join(strings.Fields(textOf(n)), " "); s != "" {
				full := len([]rune(s))
				if full > 500 {
					s = string([]rune(s)[:500])
				}
				r.doc.Hidden = append(r.doc.Hidden,
					wstk.Hidden{Element: r.elements, Reason: reason, Text: s, Chars: full})
			}
			return
		}
		if blockTags[n.DataAtom] {
			r.flush()
			kind, level := r.kind, r.level
			r.kind, r.level, r.element = wstk.BlockParagraph, 0, r.elements
			if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
				r.kind, r.level = wstk.BlockHeading, int(n.Data[1]-'0')
			}
			r.children(n, collectNoscript)
			r.flush()
			r.kind, r.level = kind, level
			return
		}
		if n.DataAtom == atom.Td || n.DataAtom == atom.Th || n.DataAtom == atom.Button {
			r.cur.WriteByte(' ')
		}
	}
	r.children(n, collectNoscript)
}

func (r *testReader) children(n *html.Node, collectNoscript bool) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.walk(c, collectNoscript)
	}
}

// data takes the facts of a JSON-LD script that screening looks at.
func (r *testReader) data(script string) {
	item := wstk.DataItem{Format: "json-ld"}
	for _, t := range []string{"NewsArticle", "Article", "BlogPosting"} {
		if strings.Contains(script, `"`+t+`"`) {
			item.Type = t
		}
	}
	compact := strings.ReplaceAll(script, " ", "")
	if strings.Contains(compact, `"isAccessibleForFree":false`) || strings.Contains(compact, `"isAccessibleForFree":"False"`) {
		item.Leaves = append(item.Leaves, wstk.DataLeaf{Name: "isAccessibleForFree", Literal: "false"})
	}
	r.doc.Data = append(r.doc.Data, item)
}

func hiddenBy(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "hidden" {
			return "attribute"
		}
	}
	style := strings.ReplaceAll(strings.ToLower(nodeAttr(n, "style")), " ", "")
	switch {
	case strings.Contains(style, "display:none"), strings.Contains(style, "visibility:hidden"), strings.Contains(style, "opacity:0;"):
		return "inline_style"
	case strings.Contains(style, "font-size:0"), strings.Contains(style, "font-size:1px"):
		return "tiny"
	case strings.Contains(style, "left:-9"):
		return "off_screen"
	case strings.Contains(style, "color:#fff;background:#fff"):
		return "same_color"
	}
	return ""
}

func nodeAttr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	if n.DataAtom == atom.Script || n.DataAtom == atom.Style {
		return ""
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(textOf(c))
	}
	return b.String()
}

// A page whose linked style sheets were not read says so.
func TestStylesNotRead(t *testing.T) {
	s, err := Stage{}.Do(t.Context(), Input{Document: &wstk.Document{Text: "Words.", StylesNotRead: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if f := of(s, wstk.FindingUnread); len(f) != 1 || f[0].Rule != "styles_not_read" || f[0].Span != nil {
		t.Errorf("got %+v", s.Findings)
	}
	if s, _ = (Stage{}).Do(t.Context(),
		Input{Document: &wstk.Document{Text: "Words."}}); len(of(s, wstk.FindingUnread)) != 0 {
		t.Errorf("without any: %+v", s.Findings)
	}
}
