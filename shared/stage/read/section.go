package read

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// openSection begins a section with a heading.
func (w *walker) openSection(title string, level int, owner int32) {
	for len(w.stack) > 0 && w.sections[w.stack[len(w.stack)-1]].Level >= level {
		w.stack = w.stack[:len(w.stack)-1]
	}
	parent := -1
	if len(w.stack) > 0 {
		parent = int(w.stack[len(w.stack)-1])
	}
	w.sections = append(w.sections,
		wstk.Section{Title: title, Level: level, Parent: parent, Anchor: anchorOf(w.Tree, owner)})
	w.stack = append(w.stack[:len(w.stack):len(w.stack)], int32(len(w.sections)-1))
}

// anchorOf finds the fragment that leads to the heading i: its own id, that of
// an anchor in it or directly before it, or that of a section it opens.
func anchorOf(t *dom.Tree, i int32) string {
	if i < 0 {
		return ""
	}
	n := t.Els[i].Node
	if id := dom.Attr(n, "id"); id != "" {
		return id
	}
	for k, look := i+1, 0; k < t.Els[i].End && look < 20; k, look = k+1, look+1 {
		if id := anchorName(t.Els[k].Node); id != "" {
			return id
		}
	}
	for c, first := n, true; c != nil && c.Parent != nil; c = c.Parent {
		before := c.PrevSibling
		for before != nil && before.Type != html.ElementNode {
			before = before.PrevSibling
		}
		if before != nil {
			if first && (before.DataAtom == atom.A || before.DataAtom == atom.Span) &&
				before.FirstChild == nil {
				return anchorName(before)
			}
			return ""
		}
		first = false
		p := c.Parent
		switch p.DataAtom {
		case atom.Section, atom.Div, atom.Article, atom.Header, atom.Hgroup:
			if id := dom.Attr(p, "id"); id != "" {
				return id
			}
		default:
			return ""
		}
	}
	return ""
}

func anchorName(n *html.Node) string {
	if id := dom.Attr(n, "id"); id != "" {
		return id
	}
	if n.DataAtom == atom.A {
		return dom.Attr(n, "name")
	}
	return ""
}

// litter reports whether element i is the mark beside a heading or term that
// links to itself (¶, #, §): shown when the mouse is over it, and no part of
// the words.
func litter(t *dom.Tree, i int32) bool {
	n := t.Els[i].Node
	if n.DataAtom != atom.A || !strings.HasPrefix(dom.Attr(n, "href"), "#") &&
		!dom.ClassLike(n, "headerlink", "hash-link", "anchor", "permalink",
			"header-anchor", "heading-link") {
		return false
	}
	label := strings.TrimSpace(dom.TextContent(n, 64))
	switch strings.TrimRight(label, "\ufe0e\ufe0f") {
	case "¶", "#", "§", "🔗", "⚓", "\u200b", "\uf0c1", "\u2060", "∞":
	case "Link to this heading", "Permalink", "Direct link to heading", "Copy link",
		"Anchor", "Section titled":
	default:
		return false
	}
	for k, up := t.Els[i].Parent, 0; k >= 0 && up < 4; k, up = t.Els[k].Parent, up+1 {
		switch t.Els[k].Tag() {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt,
			atom.Caption, atom.Figcaption:
			return true
		case atom.P, atom.Div, atom.Span:
			if dom.ClassLike(n, "headerlink", "hash-link", "anchor", "permalink", "heading-link") {
				return true
			}
		}
	}
	return false
}
