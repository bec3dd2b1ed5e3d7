package read

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/deadline"
	"wstk/shared/text"
)

// tree is a parsed page as a slice of its elements in document order. The
// position of an element in it is the element index that blocks, links and
// data leaves carry: elements are counted from 0, comments and text are not,
// the content of a template is. Slices make every pass over the page linear and
// free of recursion over untrusted depth.
type tree struct {
	root    *html.Node
	els     []element
	textAt  []int32 // per element, and one more: bytes of text that may be visible before it
	lenient bool    // the standard parser refused the page
	cut     bool    // the page holds more than is read
	trimmed bool    // an element has more attributes or names of classes than are read
	within  int     // how many noscript elements the page stands in
	stop    *deadline.Stop
}

// textBytes is how much text stands under element i, scripts and the like
// apart, white space counted.
func (t *tree) textBytes(i int) int { return int(t.textAt[t.els[i].end] - t.textAt[i]) }

// element is one element with its place in the tree.
type element struct {
	node   *html.Node
	parent int32 // index of the parent element; -1 for the root element
	end    int32 // one past its last descendant
	depth  int32
}

// tag is the element's name as an atom; 0 for names that HTML does not know and
// for elements of SVG and MathML.
func (e *element) tag() atom.Atom {
	if e.node.Namespace != "" {
		return 0
	}
	return e.node.DataAtom
}

// parseTree parses a page that is read to its end, see parse.
func parseTree(src string, xhtml bool) *tree { return parse(nil, src, xhtml) }

// parse parses a page. It takes any string and is linear: pages that the standard
// parser refuses (more than 512 open elements), or that would make it slow or large
// beyond measure, are read by buildLenient, and of a page that holds more than maxNodes
// the beginning is read. What is read depends on src alone.
func parse(stop *deadline.Stop, src string, xhtml bool) *tree {
	t := &tree{stop: stop}
	overloads, end := survey(stop, src)
	if end < len(src) {
		t.cut, src = true, src[:end]
	}
	if !overloads && !(xhtml && closesItself(src)) {
		t.root = parseStandard(stop, src)
		stop.Check()
	}
	if t.root == nil {
		t.lenient = true
		t.root = buildLenient(stop, src, xhtml)
	}
	t.number()
	return t
}

// parseStandard returns nil where the parser refuses the page, or is to stop.
func parseStandard(stop *deadline.Stop, src string) (root *html.Node) {
	defer func() {
		if recover() != nil { // a bug of the parser on hostile input costs exactness, not the page
			root = nil
		}
	}()
	root, err := html.Parse(deadline.NewReader(src, stop))
	if err != nil {
		return nil
	}
	return root
}

// Bounds of one element. Real ones have a tenth; an element of 100,000 attributes would
// cost as much again for each block in it.
const (
	maxAttrs = 256
	maxClass = 8 << 10 // bytes of a class attribute
)

// trim holds an element to its bounds, and notes what it cut.
func (t *tree) trim(n *html.Node) {
	if len(n.Attr) > maxAttrs {
		t.trimmed = true
		n.Attr = append([]html.Attribute(nil), n.Attr[:maxAttrs]...)
	}
	for i := range n.Attr {
		if a := &n.Attr[i]; len(a.Val) > maxClass && a.Key == "class" {
			t.trimmed = true
			a.Val = strings.Clone(text.Prefix(a.Val, maxClass))
		}
	}
}

// bounds names what of the page was not read, a sentence each.
func (t *tree) bounds() []string {
	var out []string
	if t.cut {
		out = append(out, fmt.Sprintf("the page holds more than %d elements and texts; the beginning was read, what comes after is left out", maxNodes))
	}
	if t.trimmed {
		out = append(out, fmt.Sprintf("an element of the page has more than %d attributes, or names of classes of more than %d bytes; those after were not read, "+
			"so what they hide may count as visible", maxAttrs, maxClass))
	}
	return out
}

// number fills els. It walks by pointers, not by recursion.
func (t *tree) number() {
	parent, depth, size := int32(-1), int32(0), int32(0)
	defer func() { t.textAt = append(t.textAt, size) }()
	n := t.root.FirstChild
	for n != nil {
		t.stop.Tick()
		switch n.Type {
		case html.TextNode:
			if parent >= 0 && !mute(t.els[parent].node.DataAtom) && strings.TrimLeft(n.Data, " \t\r\n\f") != "" {
				size += int32(len(n.Data))
			}
		case html.ElementNode:
			t.trim(n)
			t.textAt = append(t.textAt, size)
			t.els = append(t.els, element{node: n, parent: parent, depth: depth})
			if n.FirstChild != nil {
				parent = int32(len(t.els) - 1)
				depth++
				n = n.FirstChild
				continue
			}
			t.els[len(t.els)-1].end = int32(len(t.els))
		}
		for n != nil && n.NextSibling == nil {
			n = n.Parent
			if n == nil || n == t.root {
				return
			}
			if n.Type == html.ElementNode {
				t.els[parent].end = int32(len(t.els))
				parent = t.els[parent].parent
				depth--
			}
		}
		if n != nil {
			n = n.NextSibling
		}
	}
}

// mute tells whether text in an element is never shown.
func mute(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Title, atom.Iframe, atom.Noembed, atom.Noframes:
		return true
	}
	return false
}

// smallPage is the size up to which no page can overload the parser.
const smallPage = 16 << 10

// maxNodes bounds the elements, texts, comments and pairs of attributes that are read of
// one page: a node takes some 200 bytes of memory by the time the page is read. Real
// pages have a tenth at most.
const maxNodes = 640_000

// survey looks at the tags of a page. It tells whether the standard parser would take
// far more time or memory than the size of src warrants, and where the part of src ends
// that holds no more than maxNodes. Constructions that overload the parser:
//
//   - formatting elements that are left open when their parent closes are opened
//     again in every later block (the standard's list of active formatting
//     elements): 250 distinct <font> and 20,000 <div> of 240 KB become five
//     million nodes;
//   - each further <html> or <body> tag merges its attributes into the first;
//   - pieces of text between tags that make no element, or that stand in a table and
//     are moved before it, are joined by copying all that came before;
//   - thousands of attributes on one element.
//
// It estimates from above how many elements the first would add, by following
// which formatting elements are closed while they are the innermost open
// element; all others count as left open. Real pages stay under a third of
// the limit.
func survey(stop *deadline.Stop, src string) (overloads bool, end int) {
	if len(src) <= smallPage {
		return false, len(src)
	}
	const (
		limit    = 300_000
		maxMerge = 10_000
		maxCopy  = 256 << 20
	)
	var (
		z      = html.NewTokenizer(deadline.NewReader(src, stop))
		open   []atom.Atom         // open elements, 0 for unknown names
		keys   []string            // of formatting elements in open: name and attributes
		leaked = map[string]int8{} // left open: how often, at most 3 as in the standard
		nLeak  int
		added  int
		roots  int
		joined int  // bytes of text since an element began
		copied int  // by joining texts
		picks  bool // in a select element, where most tags make no element
		nodes  int
		attrs  int
		at     int
	)
	leak := func(key string) {
		if leaked[key] < 3 {
			leaked[key]++
			nLeak++
		}
	}
	for {
		stop.Tick()
		kind := z.Next()
		if kind == html.ErrorToken {
			stop.Check()
			return overloads, len(src)
		}
		raw := z.Raw()
		if kind != html.EndTagToken { // which makes none
			nodes++
		}
		if nodes+attrs/2 > maxNodes {
			return overloads, at
		}
		at += len(raw)
		if overloads && kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		switch kind {
		case html.TextToken:
			added += nLeak
			if !blankBytes(raw) {
				copied += joined
				joined += len(raw)
				overloads = overloads || copied > maxCopy
			}
		case html.CommentToken:
			joined = 0
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := ""
			if kind == html.StartTagToken && !overloads {
				tag = string(raw)
			}
			name, more := z.TagName()
			a := atom.Lookup(name)
			had := attrs
			for again := more; again; attrs++ {
				_, _, again = z.TagAttr()
			}
			overloads = overloads || attrs-had > maxMerge
			if kind != html.StartTagToken || overloads {
				continue
			}
			added += nLeak
			picks = picks || a == atom.Select
			if !tablePart(a) && (!picks || a == atom.Option || a == atom.Optgroup) {
				joined = 0
			}
			switch {
			case a == atom.Html || a == atom.Body:
				if roots++; roots > 64 && more {
					overloads = true
				}
			case voidElement(a):
			default:
				key := ""
				if formatting(a) {
					key = tag
				}
				open, keys = append(open, a), append(keys, key)
				if len(open) > 4096 { // far deeper than the parser allows
					overloads = true
				}
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			picks = picks && a != atom.Select
			// What lies above the matching start tag is closed by this tag; its
			// formatting elements stay active. Without a match nothing closes.
			at := len(open) - 1
			for look := 0; at >= 0 && open[at] != a && look < 600; look++ {
				at--
			}
			if at < 0 || open[at] != a {
				continue
			}
			for i := at + 1; i < len(open); i++ {
				if keys[i] != "" {
					leak(keys[i])
				}
			}
			open, keys = open[:at], keys[:at]
		}
		overloads = overloads || added > limit
	}
}

// tablePart tells the elements that make no node of their own, or none that parts
// texts, where they do not belong.
func tablePart(a atom.Atom) bool {
	switch a {
	case atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption, atom.Col, atom.Colgroup,
		atom.Html, atom.Head, atom.Body, atom.Frame, atom.Frameset, atom.Form, atom.Option, atom.Optgroup:
		return true
	}
	return false
}

func blankBytes(b []byte) bool {
	for _, c := range b {
		if !htmlSpace(c) {
			return false
		}
	}
	return true
}

// formatting tells whether an element is one of the standard's formatting
// elements. a and nobr are left out: a second one closes the first.
func formatting(a atom.Atom) bool {
	switch a {
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S, atom.Small,
		atom.Strike, atom.Strong, atom.Tt, atom.U:
		return true
	}
	return false
}

func voidElement(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input,
		atom.Keygen, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// closesItself tells whether an XHTML page has an element such as <div/> or
// <script/>, which the HTML parser takes for an opening tag.
func closesItself(src string) bool {
	z := html.NewTokenizer(strings.NewReader(src))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.SelfClosingTagToken:
			name, _ := z.TagName()
			if a := atom.Lookup(name); a != 0 && !voidElement(a) {
				return true
			}
		}
	}
}

func (t *tree) String() string {
	return fmt.Sprintf("tree of %d elements", len(t.els))
}
