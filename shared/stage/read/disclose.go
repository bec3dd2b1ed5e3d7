package read

import (
	"strings"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Panels of tabs and accordions are hidden until a visitor presses the label
// above them, as the text of <details> is. The text is there to be read, one
// press away, so it counts as visible: a panel is known by a control or a label
// of the page that names it or stands before it. Menus, dialogs and other parts
// that operate the page open the same way; they stay hidden.

// panel reports whether element i, hidden by a declaration of its own, is opened
// by a labelled control of the page.
func (w *walker) panel(i int32, reason string) bool {
	if reason != reasonAttribute && reason != reasonInline && reason != reasonRule &&
		reason != reasonTiny {
		return false
	}
	n := w.Els[i].Node
	if w.TextBytes(int(i)) < 20 || w.operates(i) {
		return false
	}
	if w.controls == nil {
		w.controls = controlled(w.Tree)
	}
	named := func(n *html.Node) bool {
		switch id := dom.Attr(n, "id"); dom.Attr(n, "role") {
		case "tabpanel":
			return w.controls[id] || w.controls[dom.Attr(n, "aria-labelledby")] ||
				w.controls[" tab"]
		case "region", "":
			return id != "" && w.controls[id]
		}
		return false
	}
	if named(n) {
		return true
	}
	// a box that only holds the panel
	if c := firstElement(n); c != nil && c.NextSibling == nil && named(c) {
		return true
	}
	before := previousElement(n)
	if before == nil {
		return false
	}
	if opener(before) {
		return true
	}
	if classWord(n, "tab") && classWord(n, "pane", "panel") {
		return true
	}
	return classWord(n, "accordion", "collapse", "collapsible", "collapsed", "faq", "answer") &&
		label(before)
}

// label reports whether an element reads as the label of what follows it.
func label(n *html.Node) bool {
	switch n.DataAtom {
	case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Summary, atom.Label:
	default:
		if !classWord(n, "accordion", "collapse", "collapsible", "faq", "question", "toggle",
			"toggler", "trigger", "title", "heading", "header", "label", "tab") {
			return false
		}
	}
	s := strings.TrimSpace(dom.TextContent(n, 256))
	return s != "" && len(s) < 250
}

// operates reports whether an element belongs to what operates the page.
func (w *walker) operates(i int32) bool {
	for e, up := i, 0; e > 0 && up < 30; e, up = w.Els[e].Parent, up+1 {
		n := w.Els[e].Node
		switch w.Els[e].Tag() {
		case atom.Nav, atom.Header, atom.Footer, atom.Dialog, atom.Form, atom.Select:
			return true
		case atom.Body, atom.Main, atom.Article:
			return false
		}
		switch dom.Attr(n, "role") {
		case "navigation", "menu", "menubar", "dialog", "alertdialog", "listbox", "search",
			"banner", "contentinfo", "tooltip", "alert":
			return true
		}
		if dom.HasAttr(n, "aria-modal") || classWord(n, "menu", "submenu", "nav", "navbar",
			"dropdown", "modal", "popup", "popover", "dialog", "drawer", "offcanvas",
			"cookie", "consent", "header", "footer", "search", "cart", "minicart", "overlay",
			"lightbox", "tooltip", "flyout", "megamenu", "filter", "filters", "facet", "facets") {
			return true
		}
	}
	return false
}

// controlled collects the ids of the parts that controls of the page say they
// open, and those of the tabs themselves. " tab" is there if the page has tabs.
func controlled(t *dom.Tree) map[string]bool {
	out := map[string]bool{}
	for i := range t.Els {
		n := t.Els[i].Node
		if len(n.Attr) == 0 || dom.HasAttr(n, "aria-haspopup") {
			continue
		}
		tab := dom.Attr(n, "role") == "tab"
		if tab {
			out[" tab"] = true
			out[dom.Attr(n, "id")] = true
		}
		if id := dom.Attr(n, "aria-controls"); id != "" &&
			(tab || dom.HasAttr(n, "aria-expanded") || n.DataAtom == atom.Button ||
				dom.Attr(n, "role") == "button") {
			out[id] = true
		}
		for _, key := range []string{"data-target", "data-bs-target", "href"} {
			if id, ok := strings.CutPrefix(dom.Attr(n, key), "#"); ok &&
				(tab || dom.Attr(n, "data-toggle") == "collapse" ||
					dom.Attr(n, "data-bs-toggle") == "collapse" ||
					dom.Attr(n, "data-toggle") == "tab" || dom.Attr(n, "data-bs-toggle") == "tab") {
				out[id] = true
			}
		}
	}
	delete(out, "")
	return out
}

// opener reports whether an element is a labelled button, or holds near its
// beginning one that says what follows is closed.
func opener(n *html.Node) bool {
	if n.DataAtom == atom.Button && !dom.HasAttr(n, "aria-haspopup") {
		return strings.TrimSpace(dom.TextContent(n, 64)) != ""
	}
	look := 0
	for c := range n.Descendants() {
		if look++; look > 12 {
			return false
		}
		if c.Type == html.ElementNode && closedButton(c) {
			return true
		}
	}
	return closedButton(n)
}

func closedButton(n *html.Node) bool {
	return dom.Attr(n, "aria-expanded") == "false" && !dom.HasAttr(n, "aria-haspopup") &&
		strings.TrimSpace(dom.TextContent(n, 64)) != ""
}

func firstElement(n *html.Node) *html.Node {
	c := n.FirstChild
	for c != nil && c.Type != html.ElementNode {
		c = c.NextSibling
	}
	return c
}

func previousElement(n *html.Node) *html.Node {
	c := n.PrevSibling
	for c != nil && (c.Type != html.ElementNode || c.DataAtom == atom.Style ||
		c.DataAtom == atom.Script) {
		c = c.PrevSibling
	}
	return c
}

// classWord reports whether a class or the id of n holds one of the words, as
// parts of names: faq__answer holds faq and answer.
func classWord(n *html.Node, words ...string) bool {
	found := false
	for _, a := range n.Attr {
		if a.Key != "class" && a.Key != "id" {
			continue
		}
		dom.EachClassWord(a.Val, func(w []byte) {
			for _, word := range words {
				found = found || string(w) == word
			}
		})
	}
	return found
}

// details walks a details element. Its content is one press away, so it counts as seen also
// while it is closed, unless no summary is seen that could be pressed.
func (w *walker) details(i int32, st *css.Style, s state) {
	summary, at := w.summary(i)
	open := dom.HasAttr(w.Els[i].Node, "open") && !w.closes(w.Els[i].Node)
	inner := s
	switch {
	case !open && summary != nil && w.notShown(at):
		w.hide(i, reasonAttribute, 'h', &inner)
	case open && st != nil && st.Content != nil:
		w.visibility(i, st.Content, false, dom.DisplayBlock, &inner)
	}
	w.kids(i, s, func(c *html.Node) *state {
		if c == summary {
			return &s
		}
		return &inner
	})
}

// summary returns the first summary of a details element, and its index.
func (w *walker) summary(i int32) (*html.Node, int32) {
	for k := i + 1; k < w.Els[i].End; k = w.Els[k].End {
		if w.Els[k].Tag() == atom.Summary {
			return w.Els[k].Node, k
		}
	}
	return nil, 0
}

// closes reports whether the browser closes an open details element: one of its name is open.
func (w *walker) closes(n *html.Node) bool {
	name := dom.Attr(n, "name")
	if name == "" {
		return false
	}
	if w.opened == nil {
		w.opened = map[string]bool{}
	}
	was := w.opened[name]
	w.opened[name] = true
	return was
}

// notShown reports whether an element is taken away by an attribute or by its own style.
func (w *walker) notShown(i int32) bool {
	st, _ := w.sheet.Style(w.Tree, int(i))
	if st == nil || st.Display == "" {
		if dom.HasAttr(w.Els[i].Node, "hidden") {
			return true
		}
	}
	return st != nil && (st.Display == "none" || st.Values["visibility"] == "hidden")
}
