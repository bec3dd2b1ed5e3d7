// Package dom parses pages into a flat list of elements, within bounds that hold for any
// input. Begin with Parse and Tree.
package dom

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/deadline"
	"wstk/shared/text"
)

// Tree is a parsed page: its elements in document order. An element's position in Els is
// the element index that blocks, links and data leaves carry. The content of a template
// counts, comments and text do not. Passes over a slice are linear and need no recursion
// over untrusted depth.
type Tree struct {
	Root      *html.Node
	Els       []Element
	textAt    []int32 // per element, and one more: bytes of text that may be visible before it
	Lenient   bool    // the standard parser refused the page
	Truncated bool    // the page holds more than is read
	Trimmed   bool    // an element has more attributes or names of classes than are read
	Noscripts int     // how many noscript elements the page stands in
	Stop      *deadline.Stop
}

// TextBytes returns the bytes of text under element i, white space included, without
// scripts and other elements whose text is never shown.
func (t *Tree) TextBytes(i int) int { return int(t.textAt[t.Els[i].End] - t.textAt[i]) }

// Element is one element with its place in the tree.
type Element struct {
	Node   *html.Node
	Parent int32 // index of the parent element; -1 for the root element
	End    int32 // one past its last descendant
	Depth  int32
}

// Tag returns the element's name; 0 for names that HTML does not know and for elements
// of SVG and MathML.
func (e *Element) Tag() atom.Atom {
	if e.Node.Namespace != "" {
		return 0
	}
	return e.Node.DataAtom
}

// ParseAll parses a page without a time limit; see Parse.
func ParseAll(src string, xhtml bool) *Tree { return Parse(nil, src, xhtml) }

// Parse parses a page. It accepts any string and takes time in proportion to its length.
// A page that the standard parser refuses (more than 512 open elements) or that would
// overload it is parsed by a simpler one; of a page with more than MaxNodes nodes only the
// beginning is read. The result depends on src and xhtml alone. stop may be nil.
func Parse(stop *deadline.Stop, src string, xhtml bool) *Tree {
	t := &Tree{Stop: stop}
	overloads, end := survey(stop, src)
	if end < len(src) {
		t.Truncated, src = true, src[:end]
	}
	if !overloads && !(xhtml && closesItself(src)) {
		t.Root = parseStandard(stop, src)
		stop.Check()
	}
	if t.Root == nil {
		t.Lenient = true
		t.Root = buildLenient(stop, src, xhtml)
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
	MaxAttrs = 256
	MaxClass = 8 << 10 // bytes of a class attribute
)

// trim holds an element to its bounds, and notes what it cut.
func (t *Tree) trim(n *html.Node) {
	if len(n.Attr) > MaxAttrs {
		t.Trimmed = true
		n.Attr = append([]html.Attribute(nil), n.Attr[:MaxAttrs]...)
	}
	for i := range n.Attr {
		if a := &n.Attr[i]; len(a.Val) > MaxClass && a.Key == "class" {
			t.Trimmed = true
			a.Val = strings.Clone(text.Prefix(a.Val, MaxClass))
		}
	}
}

// Bounds returns a sentence for each part of the page that was not read.
func (t *Tree) Bounds() []string {
	var out []string
	if t.Truncated {
		out = append(out, fmt.Sprintf("the page holds more than %d elements and texts; the "+
			"beginning was read, what comes after is left out", MaxNodes))
	}
	if t.Trimmed {
		out = append(out, fmt.Sprintf("an element of the page has more than %d attributes, or "+
			"names of classes of more than %d bytes; those after were not read, "+
			"so what they hide may count as visible", MaxAttrs, MaxClass))
	}
	return out
}

// number fills els. It walks by pointers, not by recursion.
func (t *Tree) number() {
	parent, depth, size := int32(-1), int32(0), int32(0)
	defer func() { t.textAt = append(t.textAt, size) }()
	n := t.Root.FirstChild
	for n != nil {
		t.Stop.Tick()
		switch n.Type {
		case html.TextNode:
			if parent >= 0 && !Mute(t.Els[parent].Node.DataAtom) &&
				strings.TrimLeft(n.Data, " \t\r\n\f") != "" {
				size += int32(len(n.Data))
			}
		case html.ElementNode:
			t.trim(n)
			t.textAt = append(t.textAt, size)
			t.Els = append(t.Els, Element{Node: n, Parent: parent, Depth: depth})
			if n.FirstChild != nil {
				parent = int32(len(t.Els) - 1)
				depth++
				n = n.FirstChild
				continue
			}
			t.Els[len(t.Els)-1].End = int32(len(t.Els))
		}
		for n != nil && n.NextSibling == nil {
			n = n.Parent
			if n == nil || n == t.Root {
				return
			}
			if n.Type == html.ElementNode {
				t.Els[parent].End = int32(len(t.Els))
				parent = t.Els[parent].Parent
				depth--
			}
		}
		if n != nil {
			n = n.NextSibling
		}
	}
}

// Mute reports whether text in an element is never shown.
func Mute(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Title, atom.Iframe,
		atom.Noembed, atom.Noframes:
		return true
	}
	return false
}

func (t *Tree) String() string {
	return fmt.Sprintf("tree of %d elements", len(t.Els))
}

// closesItself reports whether an XHTML page has an element such as <div/> or
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
