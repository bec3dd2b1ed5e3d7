package read

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// children walks what stands under element i.
func (w *walker) children(i int32, s state) { w.kids(i, s, nil) }

// kids walks what stands under element i; of says, unless it is nil, in which state a child is.
func (w *walker) kids(i int32, s state, of func(*html.Node) *state) {
	next := i + 1
	slots, beside := map[string]bool(nil), s
	if t := shadowTree(w.Els[i].Node); t != nil {
		slots = map[string]bool{}
		slotsOf(t, slots, 0)
		w.hide(i, reasonAttribute, 'h', &beside)
	}
	for c := w.Els[i].Node.FirstChild; c != nil; c = c.NextSibling {
		in := &s
		// it stands beside the shadow tree
		if slots != nil && !isShadow(c) && !slots["*"] && !slots[slotOf(c)] {
			in = &beside
		} else if of != nil {
			in = of(c)
		}
		switch c.Type {
		case html.ElementNode:
			w.element(next, *in)
			next = w.Els[next].End
		case html.TextNode:
			w.Stop.Tick()
			w.textNode(c, in)
		}
	}
}

func (w *walker) element(i int32, s state) {
	w.Stop.Tick()
	first := int32(len(w.runs))
	w.visit(i, s)
	w.runRange[i] = [2]int32{first, int32(len(w.runs))}
}

func (w *walker) visit(i int32, s state) {
	n := w.Els[i].Node
	switch n.Namespace {
	case "svg":
		w.drawn(i, s)
		return
	case "math":
		if n.Data == "annotation" || n.Data == "annotation-xml" {
			return
		}
		st, inline := w.sheet.Style(w.Tree, int(i))
		if w.visibility(i, st, inline, dom.DisplayInline, &s); n.Data == "mphantom" {
			w.hide(i, reasonAttribute, 'h', &s)
		}
		w.seen(i, &s)
		w.numeral = true
		w.children(i, s)
		w.numeral = true
		return
	}
	s.svg = false
	tag := n.DataAtom
	d := dom.DisplayOf(tag)
	st, inline := w.sheet.Style(w.Tree, int(i))
	if d == dom.DisplayNone {
		switch {
		case tag == atom.Noscript:
			w.noscripts = append(w.noscripts, i)
			return
		case isShadow(n):
			d = dom.DisplayInline // the shadow tree of its parent: shown
		default:
			return
		}
	}
	if litter(w.Tree, i) {
		return
	}
	d = w.visibility(i, st, inline, d, &s)
	if s.column(n) {
		w.hide(i, reasonRule, 'h', &s)
	}
	w.seen(i, &s)
	w.flag(i, st, d, &s)
	w.add(i, st, d, &s)

	block := d == dom.DisplayBlock
	if s.hide >= 0 && block {
		w.hiding[s.hide].space = true
	}
	if st != nil && st.WhiteSpace != "" && tag != atom.Html && tag != atom.Body {
		s.pre = strings.HasPrefix(st.WhiteSpace, "pre") && st.WhiteSpace != "pre-line" ||
			st.WhiteSpace == "break-spaces"
	}

	switch tag {
	case atom.Br:
		w.lineBreak(&s)
		return
	case atom.Hr:
		w.boundary(&s)
		return
	case atom.Img, atom.Input:
		return
	case atom.Wbr:
		return
	case atom.Tr:
		if w.rows[i].simple && !s.row {
			w.tableRow(i, s)
			return
		}
	case atom.Table:
		s.columns = w.collapsed(i)
		if w.rows[i].data && !s.row {
			w.tables++
			defer func(outer *tableState) { w.table = outer }(w.table)
			w.table = &tableState{ordinal: w.tables}
			s.table = w.tables
		} else if !s.row {
			s.table = 0
		}
	case atom.Select:
		w.selectElement(i, s)
		return
	case atom.Sup, atom.Sub:
		w.numeral = true
		w.children(i, s)
		w.numeral = true
		return
	case atom.A:
		if dom.HasAttr(n, "href") {
			s.link = i
		}
	}

	scope := -1
	if block {
		w.boundary(&s)
		if scoped(n, tag) {
			scope = len(w.stack)
		}
		if !s.row { // what stands in a row is part of the row
			s.enter(n, tag, i)
		}
	} else if d == dom.DisplayInlineBlock {
		w.gap(&s)
	}
	outer := w.stack
	if scope >= 0 && tag != atom.Aside {
		w.stack = nil // a menu or a footer belongs to no section before it
	}
	control := w.control
	if tag == atom.Button || tag == atom.Label || tag == atom.Textarea || tag == atom.Legend {
		w.control = true
	}
	if tag == atom.Details {
		w.details(i, st, s)
	} else {
		w.children(i, s)
	}
	w.control = control
	if block {
		w.boundary(&s)
	} else if d == dom.DisplayInlineBlock {
		w.gap(&s)
	}
	if scope >= 0 {
		w.stack = outer[:scope:scope]
	}
}

// scoped reports whether headings inside an element say nothing about what comes
// after it.
func scoped(n *html.Node, tag atom.Atom) bool {
	switch tag {
	case atom.Nav, atom.Aside, atom.Footer, atom.Dialog:
		return true
	}
	switch dom.Attr(n, "role") {
	case "navigation", "complementary", "contentinfo", "search", "dialog":
		return true
	}
	return false
}

// enter changes the state for what stands in a block element.
func (s *state) enter(n *html.Node, tag atom.Atom, i int32) {
	s.owner = i
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		s.kind, s.level, s.pre = wstk.BlockHeading, int(tag.String()[1]-'0'), false
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		s.depth++
	case atom.Li:
		s.kind, s.level = wstk.BlockListItem, max(1, s.depth)
	case atom.Dt:
		s.kind, s.level = wstk.BlockTerm, 0
	case atom.Dd:
		s.kind, s.level = wstk.BlockDefinition, 0
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext, atom.Textarea:
		s.kind, s.level, s.pre = wstk.BlockCode, 0, true
		if tag == atom.Textarea {
			s.kind = wstk.BlockOther
		}
	case atom.Blockquote:
		s.kind, s.level = wstk.BlockQuote, 0
	case atom.Figcaption, atom.Caption:
		s.kind, s.level = wstk.BlockCaption, 0
	case atom.P:
		if s.kind == "" || s.kind == wstk.BlockOther {
			s.kind = wstk.BlockParagraph
		}
	case atom.Option, atom.Optgroup, atom.Legend, atom.Summary:
		if s.kind == "" {
			s.kind = wstk.BlockOther
		}
	case atom.Td, atom.Th: // of a layout table
		s.kind, s.level, s.depth = "", 0, 0
	case atom.Article, atom.Main:
		if s.kind != wstk.BlockListItem {
			s.kind, s.level = "", 0
		}
	}
	if len(n.Attr) > 0 && dom.Attr(n, "role") == "heading" {
		s.kind, s.level = wstk.BlockHeading, 2
		if l, err := strconv.Atoi(dom.Attr(n, "aria-level")); err == nil && l >= 1 && l <= 6 {
			s.level = l
		}
	}
}

// selectElement makes one block of the options: they are visible on demand.
func (w *walker) selectElement(i int32, s state) {
	if s.row {
		w.gap(&s)
	} else {
		w.boundary(&s)
	}
	s.owner, s.kind, s.pre = i, wstk.BlockOther, false
	control := w.control
	w.control = true
	for k := i + 1; k < w.Els[i].End; k++ {
		// the label stands for its words
		if w.Els[k].Tag() != atom.Option || dom.HasAttr(w.Els[k].Node, "hidden") ||
			dom.Attr(w.Els[k].Node, "label") != "" {
			continue
		}
		if st, _ := w.sheet.Style(w.Tree, int(k)); st != nil && st.Display == "none" {
			continue
		}
		first := int32(len(w.runs))
		w.lineBreak(&s)
		for c := w.Els[k].Node.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.TextNode {
				w.textNode(c, &s)
			}
		}
		w.runRange[k] = [2]int32{first, int32(len(w.runs))}
		w.breaks = min(w.breaks, 1) // empty options leave no gap
	}
	w.breaks = 0
	if s.row {
		w.gap(&s)
	} else {
		w.boundary(&s)
	}
	w.control = control
}
