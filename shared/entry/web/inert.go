package web

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// An inert page is a stored page written again out of parts that do nothing. Nothing of it
// is copied but the text that a visitor sees and the plainest elements around it: what is
// not on the lists below, scripts and frames and pictures among it, is not written, so
// that it need not be recognised. The header of the reply forbids the same once more.

// plain says as what an element is written. The content of an element that is not listed
// is written as text in the line; that of a script or the like is no visible text.
var plain = map[atom.Atom]string{
	atom.H1: "h1", atom.H2: "h2", atom.H3: "h3", atom.H4: "h4", atom.H5: "h5", atom.H6: "h6",
	atom.P: "p", atom.Div: "div", atom.Section: "div", atom.Article: "div", atom.Main: "div",
	atom.Header: "div",
	atom.Footer: "div", atom.Nav: "div", atom.Aside: "div", atom.Address: "div", atom.Hgroup: "div",
	atom.Search: "div",
	atom.Center: "div", atom.Details: "div", atom.Summary: "div",
	atom.Dialog: "div", atom.Form: "div",
	atom.Fieldset: "div", atom.Legend: "div", atom.Select: "div", atom.Optgroup: "div",
	atom.Option: "div",
	atom.Figure: "figure", atom.Figcaption: "figcaption", atom.Blockquote: "blockquote",
	atom.Ul: "ul", atom.Menu: "ul", atom.Dir: "ul", atom.Ol: "ol", atom.Li: "li", atom.Dl: "dl",
	atom.Dt: "dt", atom.Dd: "dd",
	atom.Table: "table", atom.Caption: "caption", atom.Thead: "thead", atom.Tbody: "tbody",
	atom.Tfoot: "tfoot",
	atom.Tr:    "tr", atom.Td: "td", atom.Th: "th",
	atom.Pre: "pre", atom.Listing: "pre", atom.Xmp: "pre", atom.Plaintext: "pre",
	atom.Textarea: "pre",
	atom.Br:       "br", atom.Wbr: "wbr", atom.Hr: "hr",
	atom.A: "a", atom.Span: "span", atom.Font: "span", atom.Mark: "span", atom.Button: "span",
	atom.Label: "span",
	atom.B:     "b", atom.Strong: "strong", atom.I: "i", atom.Em: "em", atom.U: "u",
	atom.Ins: "ins", atom.S: "s",
	atom.Strike: "s", atom.Del: "del", atom.Small: "small", atom.Big: "span",
	atom.Sub: "sub", atom.Sup: "sup",
	atom.Code: "code", atom.Tt: "code", atom.Kbd: "kbd", atom.Samp: "samp",
	atom.Var: "var", atom.Cite: "cite",
	atom.Q: "q", atom.Abbr: "abbr", atom.Acronym: "abbr", atom.Dfn: "dfn",
	atom.Time: "span", atom.Data: "span",
	atom.Bdi: "bdi", atom.Bdo: "bdi", atom.Ruby: "ruby", atom.Rt: "rt",
}

// empty are the elements of plain that hold nothing.
var empty = map[string]bool{"br": true, "wbr": true, "hr": true}

// inertHead opens an inert page. The style is ours; the reply's header allows none that
// would have to be loaded. A browser goes to the quote before it knows how wide the frame
// is: the page snaps to the place in front of it, and so stays there when its lines are
// broken again.
const inertHead = `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Stored page</title><style>
:root{color-scheme:light dark;min-width:18rem;scroll-snap-type:y proximity}
.at{display:inline-block;width:0;height:1em;scroll-snap-align:start;scroll-margin-top:8rem}
body{font:16px/1.55 Georgia,"Times New Roman",serif;margin:1rem auto;max-width:46rem;padding:0 1rem;overflow-wrap:break-word;color:#22201c;background:#fff}
h1,h2,h3,h4,h5,h6{line-height:1.25;margin:1.4em 0 .5em}
pre,code,kbd,samp{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{white-space:pre-wrap;background:#f4f2ee;padding:.6rem .8rem;border-radius:4px}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid #ddd8ce;padding:.25rem .5rem;text-align:left;vertical-align:top}
a{color:#2b5d8a;text-decoration:underline dotted}
blockquote{border-left:3px solid #ddd8ce;margin-left:0;padding-left:1rem}
mark{background:#ffe083;color:#22201c;padding:.08em 0;scroll-margin:8rem}
@media(prefers-color-scheme:dark){body{color:#d9d6d0;background:#17191c}pre{background:#202327}td,th,blockquote{border-color:#3a3e44}a{color:#8cb8df}mark{background:#e7bd4a;color:#17191c}}
</style></head><body>`

const inertTail = `</body></html>`

// inertPage writes a page with the pieces of a quote marked; none mark nothing.
func inertPage(s *read.Shown, pieces []read.Piece) []byte {
	w := inertWriter{seen: map[*html.Node]bool{}, marks: map[*html.Node]read.Piece{}}
	for i, p := range pieces {
		if white(p.Node.Data[:p.Start]) && i > 0 { // the mark does not stop between two words
			p.Start = 0
		}
		if white(p.Node.Data[p.End:]) && i < len(pieces)-1 {
			p.End = len(p.Node.Data)
		}
		w.marks[p.Node] = p
	}
	s.Visible(func(n *html.Node) {
		for ; n != nil && !w.seen[n]; n = n.Parent {
			w.seen[n] = true
		}
	})
	w.WriteString(inertHead)
	w.tree(s.Root)
	w.WriteString(inertTail)
	return w.Bytes()
}

type inertWriter struct {
	bytes.Buffer
	seen   map[*html.Node]bool // visible text, and what stands around it
	marks  map[*html.Node]read.Piece
	marked bool
}

// tree writes what stands under root. It walks by pointers: a page may be nested to any
// depth.
func (w *inertWriter) tree(root *html.Node) {
	tags := map[*html.Node]string{} // of the elements that are open
	n := root.FirstChild
	for n != nil {
		switch {
		case n.Type == html.TextNode:
			w.text(n)
		case n.Type == html.ElementNode && (w.seen[n] || n.FirstChild == nil || cell(n)):
			if tag := w.open(n); tag != "" {
				tags[n] = tag
			}
			if n.FirstChild != nil {
				n = n.FirstChild
				continue
			}
			w.close(n, tags)
		}
		for n.NextSibling == nil {
			if n = n.Parent; n == nil || n == root {
				return
			}
			w.close(n, tags)
		}
		n = n.NextSibling
	}
}

// open writes the start of an element and returns its name, or "" where it is not written
// or holds nothing.
func (w *inertWriter) open(n *html.Node) string {
	tag := plain[n.DataAtom]
	switch {
	case n.Namespace == "svg" && n.Data == "text":
		tag = "div"
	case n.Namespace != "":
		return ""
	}
	if tag == "" || n.FirstChild == nil && !empty[tag] && !cell(n) {
		return ""
	}
	w.WriteByte('<')
	w.WriteString(tag)
	for _, a := range n.Attr {
		if value, ok := harmlessAttribute(tag, a); ok {
			w.WriteByte(' ')
			w.WriteString(a.Key)
			w.WriteString(`="`)
			w.WriteString(html.EscapeString(value))
			w.WriteByte('"')
		}
	}
	w.WriteByte('>')
	if empty[tag] {
		return ""
	}
	return tag
}

// cell reports whether n is a cell of a table: an empty one keeps its column.
func cell(n *html.Node) bool { return n.DataAtom == atom.Td || n.DataAtom == atom.Th }

func (w *inertWriter) close(n *html.Node, tags map[*html.Node]string) {
	if tag := tags[n]; tag != "" {
		delete(tags, n)
		w.WriteString("</")
		w.WriteString(tag)
		w.WriteByte('>')
	}
}

// text writes a text node: as much as is visible, and white space.
func (w *inertWriter) text(n *html.Node) {
	if !w.seen[n] && !white(n.Data) {
		return
	}
	p, ok := w.marks[n]
	if !ok {
		w.words(n.Data)
		return
	}
	w.words(n.Data[:p.Start])
	w.mark(n.Data[p.Start:p.End])
	w.words(n.Data[p.End:])
}

// white reports whether s is what HTML collapses to a space, or nothing.
func white(s string) bool { return strings.Trim(s, " \t\r\n\f") == "" }

// words writes text without the characters that turn its direction around: they would
// reach over what stands behind it.
func (w *inertWriter) words(s string) { w.WriteString(html.EscapeString(text.Strip(s))) }

func (w *inertWriter) mark(s string) {
	if w.marked {
		w.WriteString("<mark>")
	} else {
		w.WriteString(`<i class="at"></i><mark id="quote">`)
		w.marked = true
	}
	w.words(s)
	w.WriteString("</mark>")
}

// harmlessAttribute reports whether an attribute is kept on an element, and with which
// value.
func harmlessAttribute(tag string, a html.Attribute) (value string, ok bool) {
	if a.Namespace != "" {
		return "", false
	}
	switch a.Key {
	case "colspan", "rowspan":
		n, err := strconv.Atoi(a.Val)
		return strconv.Itoa(n), err == nil && (tag == "td" || tag == "th") && n > 1 && n <= 1000
	case "start":
		n, err := strconv.Atoi(a.Val)
		return strconv.Itoa(n), err == nil && tag == "ol"
	case "dir":
		value = strings.ToLower(a.Val)
		return value, value == "ltr" || value == "rtl" || value == "auto"
	case "lang":
		return a.Val, a.Val != "" && len(a.Val) <= 35 &&
			strings.IndexFunc(a.Val, func(r rune) bool {
				return r != '-' && (r > unicode.MaxASCII ||
					!unicode.IsLetter(r) && !unicode.IsDigit(r))
			}) < 0
	case "style":
		value = harmlessStyle(a.Val)
		return value, value != ""
	}
	return "", false
}

// styles are the properties of an inline style that are kept: how words look and nothing
// else, neither where they stand nor whether they are seen.
var styles = map[string]bool{"font-style": true, "font-weight": true, "text-align": true,
	"text-decoration": true, "vertical-align": true, "white-space": true}

// harmlessStyle is what of an inline style is kept. A value is a word or two: without
// brackets it loads nothing and computes nothing.
func harmlessStyle(style string) string {
	var out []string
	for d := range strings.SplitSeq(style, ";") {
		name, value, ok := strings.Cut(strings.ToLower(d), ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if ok && styles[name] && value != "" && len(value) <= 30 &&
			strings.Trim(value, "abcdefghijklmnopqrstuvwxyz0123456789- ") == "" {
			out = append(out, name+": "+value)
		}
	}
	return strings.Join(out, "; ")
}

// inertText writes the text of a Document, with a span of it marked.
func inertText(s string, span wstk.Span) []byte {
	var w inertWriter
	w.WriteString(inertHead)
	w.WriteString("<pre>\n")
	if span.ByteStart >= 0 && span.ByteStart < span.ByteEnd && span.ByteEnd <= len(s) {
		w.words(s[:span.ByteStart])
		w.mark(s[span.ByteStart:span.ByteEnd])
		s = s[span.ByteEnd:]
	}
	w.words(s)
	w.WriteString("</pre>")
	w.WriteString(inertTail)
	return w.Bytes()
}

// marked returns the words that stand in mark elements of a page, white space left out,
// as a browser parses it.
func marked(page []byte) string {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return ""
	}
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode && n.Parent.DataAtom == atom.Mark {
			b.WriteString(n.Data)
		}
	}
	return bare(b.String())
}

// bare is s without white space: between the parts of a quote a page has whatever its
// elements make.
func bare(s string) string { return strings.Join(strings.Fields(s), "") }

// webAddress reports whether an address may be linked to.
func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}
