package read

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// children walks what stands under element i.
func (w *walker) children(i int32, s state) { w.kids(i, s, nil) }

// kids walks what stands under element i. of returns the state of a child; where of is nil,
// all children are in state s.
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

// visit reads one element: it looks at how the element is shown, then reads what stands
// in it.
func (w *walker) visit(i int32, s state) {
	n := w.Els[i].Node
	switch n.Namespace {
	case "svg":
		w.drawn(i, s)
		return
	case "math":
		w.formula(i, s)
		return
	}
	s.svg = false
	d := dom.DisplayOf(n.DataAtom)
	st, inline := w.sheet.Style(w.Tree, int(i))
	if d == dom.DisplayNone {
		if n.DataAtom == atom.Noscript {
			w.noscripts = append(w.noscripts, i)
		}
		if embeds(n.DataAtom) {
			w.appearance(i, st, inline, dom.DisplayInlineBlock, &s)
			w.omit(shows(n, st, dom.DisplayInlineBlock), &s)
		}
		if !isShadow(n) {
			return
		}
		d = dom.DisplayInline // the shadow tree of its parent: shown
	}
	if litter(w.Tree, i) {
		return
	}
	if hasPicture(st, "content") { // in the place of the element
		w.omit(showsPicture, &s)
	}
	d = w.appearance(i, st, inline, d, &s)
	w.omit(shows(n, st, d), &s)
	table := w.table
	if !w.special(i, &s) {
		w.content(i, st, d, s)
	}
	w.table = table
}

// formula reads an element of MathML.
func (w *walker) formula(i int32, s state) {
	n := w.Els[i].Node
	if n.Data == "annotation" || n.Data == "annotation-xml" {
		return
	}
	st, inline := w.sheet.Style(w.Tree, int(i))
	w.visibility(i, st, inline, dom.DisplayInline, &s)
	switch n.Data {
	case "mphantom":
		w.hide(i, reasonAttribute, 'h', &s)
	case "mglyph":
		w.omit(worded(dom.Attr(n, "alt")), &s)
	case "menclose":
		if strings.Contains(dom.Attr(n, "notation"), "strike") {
			s.flags |= isStruck
		}
	}
	w.seen(i, &s)
	if isLaidOut(n.Data) {
		w.omit(showsWords, &s)
	}
	w.raised(i, s)
}

// appearance notes in s whether and how element i is shown, and returns its display.
func (w *walker) appearance(
	i int32, st *css.Style, inline bool, d dom.Display, s *state,
) dom.Display {
	n := w.Els[i].Node
	d = w.visibility(i, st, inline, d, s)
	if s.column(n) {
		w.hide(i, reasonRule, 'h', s)
	}
	w.seen(i, s)
	w.flag(i, st, d, s)
	w.add(i, st, d, s)
	if s.hide >= 0 && d == dom.DisplayBlock {
		w.hiding[s.hide].space = true
	}
	if st != nil && st.WhiteSpace != "" && n.DataAtom != atom.Html && n.DataAtom != atom.Body {
		s.pre = strings.HasPrefix(st.WhiteSpace, "pre") && st.WhiteSpace != "pre-line" ||
			st.WhiteSpace == "break-spaces"
	}
	return d
}

// special does what an element of its name needs beside its display. It reports whether
// that was all: then what stands in the element is read already, or is not read.
func (w *walker) special(i int32, s *state) bool {
	switch n := w.Els[i].Node; n.DataAtom {
	case atom.Br:
		w.lineBreak(s)
	case atom.Hr:
		w.boundary(s)
	case atom.Img, atom.Input, atom.Wbr: // no text
	case atom.Select:
		w.selectElement(i, *s)
		w.omit(showsWords, s)
	case atom.Sup, atom.Sub:
		w.raised(i, *s)
	case atom.Tr:
		if !w.rows[i].simple || s.row {
			return false
		}
		w.tableRow(i, *s)
	case atom.Table:
		w.enterTable(i, s)
		return false
	case atom.A:
		if dom.HasAttr(n, "href") {
			s.link = i
		}
		return false
	default:
		return false
	}
	return true
}

// enterTable counts a table of data; what stands in a table that lays out is in none.
func (w *walker) enterTable(i int32, s *state) {
	s.columns = w.collapsed(i)
	switch {
	case s.row:
	case w.rows[i].data:
		w.tables++
		w.table = &tableState{ordinal: w.tables}
		s.table = w.tables
	default:
		s.table = 0
	}
}

// content reads what stands in element i, and sets it apart as its display says.
func (w *walker) content(i int32, st *css.Style, d dom.Display, s state) {
	n := w.Els[i].Node
	block := d == dom.DisplayBlock
	w.edge(d, &s)
	if block && !s.row { // what stands in a row is part of the row
		s.enter(n, i)
	}
	outer, apart := w.stack, block && scoped(n)
	if apart && n.DataAtom != atom.Aside {
		w.stack = nil // a menu or a footer belongs to no section before it
	}
	if w.browser != nil && w.browser.generated[i].Picture ||
		w.browser == nil && st != nil && (addsPicture(st.Added.Before) ||
			!block && counts(st.Added.Before)) {
		w.omit(showsPicture, &s)
	}
	control := w.control
	switch n.DataAtom {
	case atom.Button, atom.Label, atom.Textarea, atom.Legend:
		w.control = true
	}
	switch {
	case n.DataAtom == atom.Details:
		w.details(i, st, s)
	case isRaised(st, d):
		w.raised(i, s)
	default:
		w.children(i, s)
	}
	w.control = control
	if w.browser == nil && st != nil && (addsPicture(st.Added.After) ||
		!block && counts(st.Added.After)) {
		w.omit(showsPicture, &s)
	}
	w.edge(d, &s)
	if apart {
		w.stack = slices.Clip(outer)
	}
}

// edge is the beginning or the end of an element.
func (w *walker) edge(d dom.Display, s *state) {
	switch d {
	case dom.DisplayBlock:
		w.boundary(s)
	case dom.DisplayInlineBlock:
		w.gap(s)
	}
}

// scoped reports whether headings inside an element say nothing about what comes
// after it.
func scoped(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav, atom.Aside, atom.Footer, atom.Dialog:
		return true
	}
	switch dom.Attr(n, "role") {
	case "navigation", "complementary", "contentinfo", "search", "dialog":
		return true
	}
	return false
}

// blockRule says what text in a block element is.
type blockRule struct {
	does  effect
	kind  wstk.BlockKind
	level int // of a heading
}

// effect is how a blockRule changes the state.
type effect uint8

const (
	becomes     effect = iota + 1 // the text is of the rule's kind
	asItStands                    // and its white space counts
	titles                        // it is a heading: white space does not count
	unlessKnown                   // it is of that kind where the elements around say nothing
	unlessItem                    // it is no longer what is around, unless that is a list item
	startsList                    // lists in it stand a level deeper
	listsItem                     // it is an item of the list around
	startsCell                    // it is the cell of a layout table: nothing around counts
)

// blockRules hold the block elements that say what the text in them is. An element that
// is not listed leaves that to the elements around it.
var blockRules = map[atom.Atom]blockRule{
	atom.H1:         {titles, wstk.BlockHeading, 1},
	atom.H2:         {titles, wstk.BlockHeading, 2},
	atom.H3:         {titles, wstk.BlockHeading, 3},
	atom.H4:         {titles, wstk.BlockHeading, 4},
	atom.H5:         {titles, wstk.BlockHeading, 5},
	atom.H6:         {titles, wstk.BlockHeading, 6},
	atom.P:          {unlessKnown, wstk.BlockParagraph, 0},
	atom.Ul:         {does: startsList},
	atom.Ol:         {does: startsList},
	atom.Menu:       {does: startsList},
	atom.Dir:        {does: startsList},
	atom.Li:         {listsItem, wstk.BlockListItem, 0},
	atom.Dt:         {becomes, wstk.BlockTerm, 0},
	atom.Dd:         {becomes, wstk.BlockDefinition, 0},
	atom.Blockquote: {becomes, wstk.BlockQuote, 0},
	atom.Figcaption: {becomes, wstk.BlockCaption, 0},
	atom.Caption:    {becomes, wstk.BlockCaption, 0},
	atom.Pre:        {asItStands, wstk.BlockCode, 0},
	atom.Listing:    {asItStands, wstk.BlockCode, 0},
	atom.Xmp:        {asItStands, wstk.BlockCode, 0},
	atom.Plaintext:  {asItStands, wstk.BlockCode, 0},
	atom.Textarea:   {asItStands, wstk.BlockOther, 0},
	atom.Option:     {unlessKnown, wstk.BlockOther, 0},
	atom.Optgroup:   {unlessKnown, wstk.BlockOther, 0},
	atom.Legend:     {unlessKnown, wstk.BlockOther, 0},
	atom.Summary:    {unlessKnown, wstk.BlockOther, 0},
	atom.Td:         {does: startsCell},
	atom.Th:         {does: startsCell},
	atom.Article:    {does: unlessItem},
	atom.Main:       {does: unlessItem},
}

// enter changes the state for what stands in block element i.
func (s *state) enter(n *html.Node, i int32) {
	s.owner = i
	rule := blockRules[n.DataAtom]
	switch rule.does {
	case becomes:
		s.kind, s.level = rule.kind, 0
	case asItStands:
		s.kind, s.level, s.pre = rule.kind, 0, true
	case titles:
		s.kind, s.level, s.pre = rule.kind, rule.level, false
	case unlessKnown:
		if s.kind == "" || s.kind == wstk.BlockOther {
			s.kind = rule.kind
		}
	case unlessItem:
		if s.kind != wstk.BlockListItem {
			s.kind, s.level = "", 0
		}
	case startsList:
		s.depth++
	case listsItem:
		s.kind, s.level = rule.kind, max(1, s.depth)
	case startsCell:
		s.kind, s.level, s.depth = "", 0, 0
	}
	if len(n.Attr) > 0 && dom.Attr(n, "role") == "heading" {
		s.kind, s.level = wstk.BlockHeading, headingLevel(n)
	}
}

// headingLevel is the level of an element that only its role makes a heading.
func headingLevel(n *html.Node) int {
	if l, err := strconv.Atoi(dom.Attr(n, "aria-level")); err == nil && l >= 1 && l <= 6 {
		return l
	}
	return 2
}

// selectElement makes one block of the options: they are visible on demand.
func (w *walker) selectElement(i int32, s state) {
	w.boundary(&s)
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
	w.boundary(&s)
	w.control = control
}
