package read

import (
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// rowInfo says of a tr element whether it is read as one line, and of a table
// whether it has such rows.
type rowInfo struct {
	simple bool
	data   bool
}

// Limits of a row that is read as one line. What is longer, or holds tables,
// headings or code, is layout: its cells are read as blocks.
const (
	maxRowText     = 4000 // bytes of source text
	maxRowListText = 1000 // where cells hold lists
)

// rowInfos looks at all tables, from the inside out.
func rowInfos(t *dom.Tree) []rowInfo {
	info := make([]rowInfo, len(t.Els))
	if !hasTable(t) {
		return info
	}
	sum := make([]rowContent, len(t.Els))
	for i := len(t.Els) - 1; i >= 0; i-- {
		e := &t.Els[i]
		c := &sum[i]
		c.addText(e.Node)
		if e.Parent < 0 {
			continue
		}
		if e.Tag() == atom.Tr && c.simple(e.Node) {
			info[i].simple = true
			if k := tableOf(t, e.Parent); k >= 0 {
				info[k].data = true
			}
		}
		sum[e.Parent].add(e.Tag(), c)
	}
	return info
}

func hasTable(t *dom.Tree) bool {
	for i := range t.Els {
		if t.Els[i].Tag() == atom.Table {
			return true
		}
	}
	return false
}

// tableOf is the table around a row whose parent is element i, -1 if there is none.
func tableOf(t *dom.Tree, i int32) int32 {
	for up := 0; i >= 0 && up < 3; up++ {
		if t.Els[i].Tag() == atom.Table {
			return i
		}
		i = t.Els[i].Parent
	}
	return -1
}

// rowContent is what stands in an element, as far as rows are concerned.
type rowContent struct {
	blocks bool  // tables, headings, code, articles
	lists  bool  // any list
	paras  int32 // paragraphs and divisions
	text   int32 // bytes
	cells  int32
}

// addText counts the texts right under n.
func (c *rowContent) addText(n *html.Node) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.TextNode {
			c.text = min(c.text+int32(min(len(k.Data), 1<<20)), 1<<28)
		}
	}
}

// simple reports whether a row with this content is read as one line.
func (c *rowContent) simple(tr *html.Node) bool {
	role := dom.Attr(tr, "role")
	return !c.blocks && c.cells > 0 && c.text <= maxRowText &&
		!(c.lists && (c.text > maxRowListText || c.cells < 2)) &&
		!(c.cells == 1 && c.paras > 1) && c.paras <= 6*c.cells &&
		role != "presentation" && role != "none"
}

// add counts an element and its content among that of its parent.
func (c *rowContent) add(tag atom.Atom, in *rowContent) {
	switch tag {
	case atom.Td, atom.Th:
		c.cells++
	case atom.Table, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Pre, atom.Article, atom.Section, atom.Form, atom.Blockquote, atom.Textarea,
		atom.Nav, atom.Main, atom.Details:
		c.blocks = true
	case atom.Ul, atom.Ol, atom.Dl:
		c.lists = true
	case atom.P, atom.Div:
		if in.text > 0 {
			c.paras++
		}
	case atom.Script, atom.Style, atom.Noscript, atom.Template:
		return // no visible text
	}
	c.blocks = c.blocks || in.blocks
	c.lists = c.lists || in.lists
	c.paras = min(c.paras+in.paras, 1<<20)
	c.text = min(c.text+in.text, 1<<28)
}

// tableRow reads a row as one line: cells joined by tabs. Cells that span
// columns or reach down from rows above leave their columns empty, so that the
// n-th tab of each row stands before the same column.
func (w *walker) tableRow(i int32, s state) {
	w.boundary(&s)
	s.owner, s.kind, s.row, s.pre, s.level, s.depth = i, wstk.BlockTableRow, true, false, 0, 0
	t := w.table
	if t == nil { // a row without a table
		t = &tableState{}
	}
	t.col, t.written, t.spanned = 0, 0, nil
	ths, tds := 0, 0
	for k := i + 1; k < w.Els[i].End; k = w.Els[k].End {
		switch w.Els[k].Tag() {
		case atom.Th:
			ths++
		case atom.Td:
			tds++
		}
	}
	inHead := w.Els[i].Parent >= 0 && w.Els[w.Els[i].Parent].Tag() == atom.Thead
	s.header = inHead || tds == 0 && ths > 1
	s.table = t.ordinal
	next := i + 1
	for n := w.Els[i].Node.FirstChild; n != nil; n = n.NextSibling {
		if n.Type != html.ElementNode {
			continue
		}
		k := next
		next = w.Els[k].End
		if tag := w.Els[k].Tag(); tag == atom.Td || tag == atom.Th {
			w.cell(k, s, t)
		} else {
			w.element(k, s)
		}
	}
	t.pass(maxColumns)
	row := len(w.blocks)
	w.flush()
	t.reachDown(row, len(w.blocks) > row)
	if len(w.blocks) > row && w.spanned+len(t.spanned) <= maxSpanned {
		w.blocks[row].Spanned = t.spanned
		w.spanned += len(t.spanned)
	}
}

// maxSpanned is of how many columns of a page's rows it is noted which cell they show.
const maxSpanned = 100_000

const maxColumns = 256

func (w *walker) cell(k int32, s state, t *tableState) {
	for t.col < len(t.carry) && t.carry[t.col].rows > 0 {
		t.pass(t.col + 1)
	}
	if t.col > t.written && t.col < maxColumns {
		w.tabs += t.col - t.written
		t.written = t.col
	}
	w.space = false
	w.element(k, s)
	n := w.Els[k].Node
	across, down := span(dom.Attr(n, "colspan")), span(dom.Attr(n, "rowspan"))
	from := t.col
	for range across {
		if t.col >= maxColumns {
			break
		}
		if t.col > from {
			t.spanned = append(t.spanned,
				wstk.Spanned{Column: t.col, Block: len(w.blocks), From: from})
		}
		if down > 1 {
			for len(t.carry) <= t.col {
				t.carry = append(t.carry, carried{})
			}
			// counts this row, too
			t.carry[t.col] = carried{rows: down, block: len(w.blocks), from: from}
		}
		t.col++
	}
}

// pass goes on to a column, over those that cells from above reach into.
func (t *tableState) pass(column int) {
	for ; t.col < min(column, len(t.carry)); t.col++ {
		if c := t.carry[t.col]; c.rows > 0 && c.block >= 0 {
			t.spanned = append(t.spanned,
				wstk.Spanned{Column: t.col, Block: c.block, From: c.from})
		}
	}
}

// reachDown counts a row that ends: cells from above reach down one row less. Of a row without
// text no cell is found again.
func (t *tableState) reachDown(row int, text bool) {
	for i := range t.carry {
		c := &t.carry[i]
		if c.rows > 0 {
			c.rows--
		}
		if c.block == row && !text {
			c.block = -1
		}
	}
}

func span(v string) int {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxColumns)
}

// collapsed are the columns of a table that its col elements collapse, nil without any. It is
// nil as well where a cell reaches down over several rows: then columns are not counted.
func (w *walker) collapsed(i int32) map[int]bool {
	var out map[int]bool
	at := 0
	for k := i + 1; k < w.Els[i].End; k = w.Els[k].End {
		if w.Els[k].Tag() != atom.Colgroup {
			continue
		}
		group := w.collapses(k)
		from := at
		for c := k + 1; c < w.Els[k].End; c = w.Els[c].End {
			if w.Els[c].Tag() == atom.Col {
				at = put(&out, at, span(dom.Attr(w.Els[c].Node, "span")), group || w.collapses(c))
			}
		}
		if at == from {
			at = put(&out, at, span(dom.Attr(w.Els[k].Node, "span")), group)
		}
	}
	if out == nil {
		return nil
	}
	for k := i + 1; k < w.Els[i].End; k++ {
		if span(dom.Attr(w.Els[k].Node, "rowspan")) > 1 {
			return nil
		}
	}
	return out
}

func put(columns *map[int]bool, at, n int, collapsed bool) int {
	for k := at; collapsed && k < at+n; k++ {
		if *columns == nil {
			*columns = map[int]bool{}
		}
		(*columns)[k] = true
	}
	return at + n
}

func (w *walker) collapses(i int32) bool {
	st, _ := w.sheet.Style(w.Tree, int(i))
	return st != nil && st.Values["visibility"] == "collapse"
}

// column reports whether a cell stands in a column that is collapsed.
func (s *state) column(n *html.Node) bool {
	if s.columns == nil || n.DataAtom != atom.Td && n.DataAtom != atom.Th {
		return false
	}
	at := 0
	for c := n.PrevSibling; c != nil; c = c.PrevSibling {
		if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
			at += span(dom.Attr(c, "colspan"))
		}
	}
	return s.columns[at]
}
