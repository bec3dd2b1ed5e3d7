package read

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
)

// isShadow reports whether a node is a template that holds the shadow tree of its parent.
func isShadow(n *html.Node) bool {
	return n.DataAtom == atom.Template && len(n.Attr) > 0 &&
		(dom.HasAttr(n, "shadowrootmode") || dom.HasAttr(n, "shadowroot"))
}

// shadowTree is such a template among the first children of an element, where it is found.
func shadowTree(n *html.Node) *html.Node {
	k := 0
	for c := n.FirstChild; c != nil && k < 4; c, k = c.NextSibling, k+1 {
		if isShadow(c) {
			return c
		}
	}
	return nil
}

const maxShadow = 100 // elements within each other in a shadow tree

// slotsOf collects the names of the slots by which a shadow tree shows what stands beside it,
// "" for the one without a name. "*" stands for any: the tree is nested too deep.
func slotsOf(n *html.Node, names map[string]bool, depth int) {
	if depth > maxShadow {
		names["*"] = true
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Slot {
			names[dom.Attr(c, "name")] = true
		}
		if !isShadow(c) {
			slotsOf(c, names, depth+1)
		}
	}
}

// slotOf is the slot that a child of a shadow host asks for.
func slotOf(n *html.Node) string {
	if n.Type != html.ElementNode {
		return ""
	}
	return dom.Attr(n, "slot")
}
