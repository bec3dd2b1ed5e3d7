package dom

import (
	"strings"
	"wstk/shared/stage/read/deadline"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Depths of the tree that buildLenient makes. A block that is nested deeper is
// laid out flat at maxBlock, in the order of the source; within it a line of text
// may nest up to maxInline. So no pass over the tree meets more levels.
const (
	maxBlock  = 300
	maxInline = 400
)

// buildLenient builds a tree from the tokens alone, in linear time and for any
// input. It knows which elements are empty, which tags imply the end of others
// (p, li, dt, dd, option, table parts) and nothing else of the standard's tree
// construction: no reopened formatting, no foster parents. With xhtml a tag
// that closes itself is empty.
func buildLenient(stop *deadline.Stop, src string, xhtml bool) *html.Node {
	doc := &html.Node{Type: html.DocumentNode}
	b := &lenientBuilder{counts: map[string]int{}}
	root := b.child(doc, atom.Html, "html", nil)
	b.head = b.child(root, atom.Head, "head", nil)
	b.body = b.child(root, atom.Body, "body", nil)
	b.stack = []openElement{{name: "body", node: b.body, depth: 1}}
	z := html.NewTokenizer(strings.NewReader(src))
	for {
		stop.Tick()
		switch z.Next() {
		case html.ErrorToken:
			b.join()
			return doc
		case html.TextToken:
			b.text(z.Token().Data)
		case html.StartTagToken:
			b.start(startTag(z), false)
		case html.SelfClosingTagToken:
			b.start(startTag(z), xhtml)
			if xhtml {
				z.NextIsNotRawText() // what follows <script/> is no script
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			b.end(string(name))
		}
	}
}

// startTag reads a tag with as many attributes as an element may have.
func startTag(z *html.Tokenizer) html.Token {
	name, more := z.TagName()
	t := html.Token{DataAtom: atom.Lookup(name)}
	if t.DataAtom != 0 {
		t.Data = t.DataAtom.String()
	} else {
		t.Data = string(name)
	}
	for more && len(t.Attr) < MaxAttrs {
		var key, value []byte
		key, value, more = z.TagAttr()
		if len(key) > 0 {
			t.Attr = append(t.Attr, html.Attribute{Key: string(key), Val: string(value)})
		}
	}
	return t
}

type lenientBuilder struct {
	head, body *html.Node
	last       *html.Node      // the text that is growing
	words      strings.Builder // what it will be
	stack      []openElement   // stack[0] is the body
	counts     map[string]int  // open elements by name, so that stray end tags cost nothing
	started    bool            // the body has begun
}

// openElement is an element whose end tag has not come yet.
type openElement struct {
	name  string
	node  *html.Node // where its text and children go
	depth int        // of node
}

func (b *lenientBuilder) child(
	parent *html.Node, a atom.Atom, name string, attrs []html.Attribute,
) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: a, Data: name, Attr: attrs}
	parent.AppendChild(n)
	return n
}

func (b *lenientBuilder) text(s string) {
	top := &b.stack[len(b.stack)-1]
	if len(b.stack) == 1 && !b.started {
		if strings.TrimLeft(s, " \t\r\n\f") == "" {
			return
		}
		b.started = true
	}
	b.inOrder(top)
	if b.last == nil || top.node.LastChild != b.last {
		b.join()
		b.last = &html.Node{Type: html.TextNode}
		top.node.AppendChild(b.last)
		b.last.Data = s
		return
	}
	if b.words.Len() == 0 {
		b.words.WriteString(b.last.Data)
	}
	b.words.WriteString(s)
}

// join ends the text that is growing. Pieces are joined once, not one by one.
func (b *lenientBuilder) join() {
	if b.last != nil && b.words.Len() > 0 {
		b.last.Data = b.words.String()
		b.words = strings.Builder{}
	}
	b.last = nil
}

// inOrder makes sure that what is appended to e comes last in document order.
// Below maxBlock a block that was opened within e stands behind e; then e
// goes on in an element of its own.
func (b *lenientBuilder) inOrder(e *openElement) {
	if e.depth < maxBlock {
		return
	}
	at := ancestor(e.node, e.depth-maxBlock)
	if at.Parent.LastChild != at {
		e.node, e.depth = b.child(at.Parent, e.node.DataAtom, e.node.Data, nil), maxBlock
	}
}

func ancestor(n *html.Node, levels int) *html.Node {
	for ; levels > 0; levels-- {
		n = n.Parent
	}
	return n
}

// implied lists which open elements a start tag closes, and which elements
// keep it from looking further out.
var implied = map[string]struct{ closes, stops string }{
	"li":       {"li", "ul ol menu"},
	"dt":       {"dt dd", "dl"},
	"dd":       {"dt dd", "dl"},
	"option":   {"option", "select datalist optgroup"},
	"optgroup": {"option optgroup", "select"},
	"tr":       {"tr td th", "table"},
	"td":       {"td th", "tr table"},
	"th":       {"td th", "tr table"},
	"tbody":    {"tr td th thead tbody tfoot", "table"},
	"thead":    {"tr td th thead tbody tfoot", "table"},
	"tfoot":    {"tr td th thead tbody tfoot", "table"},
	"a":        {"a", "body td th"},
}

func (b *lenientBuilder) start(t html.Token, closed bool) {
	a, name := t.DataAtom, t.Data
	switch a {
	case atom.Html, atom.Head, atom.Body:
		for _, n := range []*html.Node{b.head.Parent, b.head, b.body} {
			if n.DataAtom == a && len(n.Attr) == 0 {
				n.Attr = t.Attr
			}
		}
		b.started = b.started || a == atom.Body
		return
	}
	if !b.started {
		switch a {
		case atom.Title, atom.Meta, atom.Link, atom.Base, atom.Style, atom.Script,
			atom.Noscript, atom.Template:
			n := b.child(b.head, a, name, t.Attr)
			if !voidElement(a) && !closed {
				b.push(openElement{name: name, node: n, depth: 2})
			}
			return
		}
		b.started = true
	}
	if rule, ok := implied[name]; ok {
		b.closeUpTo(rule.closes, rule.stops)
	}
	block := DisplayOf(a) != DisplayInline
	if block && b.counts["p"] > 0 {
		b.closeUpTo("p", "td th li dd button div")
	}

	top := &b.stack[len(b.stack)-1]
	b.inOrder(top)
	parent, depth := top.node, top.depth+1
	if depth > maxInline || block && depth > maxBlock {
		parent, depth = ancestor(parent, top.depth-(maxBlock-1)), maxBlock
	}
	n := b.child(parent, a, name, t.Attr)
	if !voidElement(a) && !closed {
		b.push(openElement{name: name, node: n, depth: depth})
	}
}

func (b *lenientBuilder) push(e openElement) {
	b.stack = append(b.stack, e)
	b.counts[e.name]++
}

func (b *lenientBuilder) pop() {
	top := b.stack[len(b.stack)-1]
	b.stack = b.stack[:len(b.stack)-1]
	b.counts[top.name]--
}

// closeUpTo closes the outermost open element named in closes that stands
// within the innermost one named in stops, and all in it. It looks at no more
// than 64 levels.
func (b *lenientBuilder) closeUpTo(closes, stops string) {
	found := -1
	for i, look := len(b.stack)-1, 0; i > 0 && look < 64; i, look = i-1, look+1 {
		name := b.stack[i].name
		if word(stops, name) {
			break
		}
		if word(closes, name) {
			found = i
		}
	}
	for found > 0 && len(b.stack) > found {
		b.pop()
	}
}

// word reports whether list, words separated by spaces, has w.
func word(list, w string) bool {
	for list != "" {
		var first string
		first, list, _ = strings.Cut(list, " ")
		if first == w {
			return true
		}
	}
	return false
}

func (b *lenientBuilder) end(name string) {
	if name == "br" {
		b.start(html.Token{Type: html.StartTagToken, DataAtom: atom.Br, Data: "br"}, false)
		return
	}
	if b.counts[name] == 0 {
		return
	}
	for len(b.stack) > 1 {
		top := b.stack[len(b.stack)-1].name
		b.pop()
		if top == name {
			return
		}
	}
}
