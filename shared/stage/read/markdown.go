package read

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
)

// newConverter is built once: it keeps no state of a page.
var newConverter = sync.OnceValue(func() *converter.Converter {
	c := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
		table.NewTablePlugin(
			table.WithHeaderPromotion(true),
			table.WithNewlineBehavior(table.NewlineBehaviorPreserve),
			table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal),
			table.WithSkipEmptyRows(true),
		),
	))
	for _, tag := range []string{"sup", "sub"} {
		// As text 10<sup>5</sup> would be another number.
		c.Register.RendererFor(tag, converter.TagTypeInline, base.RenderAsHTML,
			converter.PriorityStandard)
	}
	return c
})

// markdown renders the main blocks. It copies the part of the page's own tree
// that holds them, with code, tables and links brought into the form the
// converter expects, and leaves out what no main block stands in.
func (p *page) markdown(f *facts) string {
	m := markdowner{page: p, base: f.resolveBase(p.base), known: map[string]string{}}
	m.mainRuns = make([]int32, len(p.runs)+1)
	for i, r := range p.runs {
		m.mainRuns[i+1] = m.mainRuns[i]
		if r.block >= 0 && p.blocks[r.block].Main {
			m.mainRuns[i+1]++
		}
	}
	if m.mainRuns[len(p.runs)] == 0 || len(p.Els) == 0 {
		var paras []string // text that is not in the tree: noscript
		for i := range p.blocks {
			if p.blocks[i].Main {
				paras = append(paras, p.blockText(i))
			}
		}
		return strings.Join(paras, "\n\n")
	}
	if p.tooLargeFor(int(m.mainRuns[len(p.runs)])) {
		p.warn("markdown_plain", "the page is too large to be rendered with its links and marks; "+
			"its Markdown is made of its blocks alone")
		return p.plainMarkdown()
	}
	doc := &html.Node{Type: html.DocumentNode}
	root := newElement(atom.Div)
	doc.AppendChild(root)
	m.children(0, root, mode{})
	m.join()
	var out []byte
	var err error
	p.Stop.Aside(func() { out, err = newConverter().ConvertNode(doc) })
	if err != nil {
		p.warn("markdown_failed", "the main content could not be rendered as Markdown")
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Bounds of a page up to which the converter renders its main content: it copies what
// stands in an element once for each element around it.
const (
	maxMarkdownNodes = 60_000    // main texts, or all elements
	maxMarkdownText  = 1 << 20   // bytes
	maxBrackets      = 100 << 20 // bytes that are looked through, once for each bracket in a line
)

func (p *page) tooLargeFor(runs int) bool {
	size, looks := 0, 0
	for i := range p.blocks {
		if b := &p.blocks[i]; b.Main {
			size += b.bytes()
			looks += b.bytes() * bytes.Count(p.text[b.ByteStart:b.ByteEnd], []byte("["))
		}
	}
	return runs > maxMarkdownNodes || len(p.Els) > 2*maxMarkdownNodes || size > maxMarkdownText ||
		looks > maxBrackets
}

// plainMarkdown renders the main blocks from their text alone.
func (p *page) plainMarkdown() string {
	var md strings.Builder
	table := 0
	for i := range p.blocks {
		p.Stop.Tick()
		b := &p.blocks[i]
		if !b.Main {
			continue
		}
		blockMarkdown(&md, &b.Block, p.blockText(i), b.Table != table || b.Table == 0)
		table = b.Table
	}
	return strings.TrimSpace(md.String())
}

type markdowner struct {
	*page
	base     string
	known    map[string]string
	mainRuns []int32         // main runs before each run
	run      int32           // next run, while the tree is walked
	last     *html.Node      // the text that is growing
	words    strings.Builder // what it will be
}

// mode is where in the copy we are.
type mode struct {
	cell   bool // within a table cell, which is one line: no blocks, no breaks
	inline bool // within a heading or term: no blocks
	link   bool
	nested int8 // lists and quotes around
	marks  int8 // emphasis and the like around
	boxes  int8 // other blocks around
}

// Levels that are rendered; what is nested deeper stands at the last. Each indents all
// that is in it. Real pages have eight lists within each other, and 50 boxes.
const (
	maxNested = 20
	maxMarks  = 20
	maxBoxes  = 80
)

func newElement(a atom.Atom) *html.Node {
	return &html.Node{Type: html.ElementNode, DataAtom: a, Data: a.String()}
}

func newText(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

// main reports whether element i holds text of a main block.
func (m *markdowner) main(i int32) bool {
	r := m.runRange[i]
	return m.mainRuns[r[1]] > m.mainRuns[r[0]]
}

// children copies the children of element i under to.
func (m *markdowner) children(i int32, to *html.Node, in mode) {
	m.run = m.runRange[i][0]
	next := i + 1
	for c := m.Els[i].Node.FirstChild; c != nil; c = c.NextSibling {
		m.Stop.Tick()
		switch c.Type {
		case html.TextNode:
			m.text(c, to)
		case html.ElementNode:
			k := next
			next = m.Els[k].End
			m.element(k, to, in)
			m.run = max(m.run, m.runRange[k][1])
		}
	}
}

// flat copies the children of a block that is nested too deeply to be one: its lines
// become paragraphs of what is around it.
func (m *markdowner) flat(i int32, to *html.Node, in mode) {
	m.run = m.runRange[i][0]
	next := i + 1
	var line *html.Node
	inline := func() *html.Node {
		if line == nil {
			line = newElement(atom.Div)
			to.AppendChild(line)
		}
		return line
	}
	for c := m.Els[i].Node.FirstChild; c != nil; c = c.NextSibling {
		m.Stop.Tick()
		switch c.Type {
		case html.TextNode:
			m.text(c, inline())
		case html.ElementNode:
			k := next
			next = m.Els[k].End
			if dom.DisplayOf(m.Els[k].Tag()) == dom.DisplayInline {
				m.element(k, inline(), in)
			} else {
				line = nil
				m.element(k, to, in)
			}
			m.run = max(m.run, m.runRange[k][1])
		}
	}
}

// append adds a text to what stands under to. Neighbours become one node: joined once,
// not one by one.
func (m *markdowner) append(to *html.Node, s string) {
	if m.last == nil || to.LastChild != m.last {
		m.join()
		m.last = newText(s)
		to.AppendChild(m.last)
		return
	}
	if m.words.Len() == 0 {
		m.words.WriteString(m.last.Data)
	}
	m.words.WriteString(s)
}

// join ends the text that is growing.
func (m *markdowner) join() {
	if m.last != nil && m.words.Len() > 0 {
		m.last.Data = m.words.String()
		m.words = strings.Builder{}
	}
	m.last = nil
}

func (m *markdowner) text(n *html.Node, to *html.Node) {
	if int(m.run) < len(m.runs) && m.runs[m.run].node == n {
		r := m.runs[m.run]
		m.run++
		if r.block >= 0 && m.blocks[r.block].Main {
			m.append(to, text.Strip(n.Data))
			return
		}
	}
	if strings.Trim(n.Data, " \t\r\n\f") == "" {
		m.append(to, " ")
	}
}

// element copies element i under to, as an element that the converter knows.
func (m *markdowner) element(i int32, to *html.Node, in mode) {
	tag := m.Els[i].Tag()
	switch tag {
	case atom.Img:
		m.image(m.Els[i].Node, to, in)
		return
	case atom.Br:
		m.lineBreak(to, in)
		return
	case atom.Hr:
		m.thematicBreak(to, in)
		return
	}
	if !m.main(i) {
		if m.pictures(i) {
			m.children(i, to, in)
		}
		return
	}
	switch tag {
	case atom.Pre, atom.Listing, atom.Xmp:
		m.code(i, to, in)
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		m.inlineCode(i, to, in)
	case atom.A:
		m.link(i, to, in)
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		m.list(i, to, in)
	case atom.Li:
		m.item(i, to, in)
	case atom.Dt, atom.Summary:
		m.term(i, to, in)
	case atom.Table, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption:
		m.tablePart(i, to, in)
	default:
		m.mark(i, to, in)
	}
}

// markRule says what an element becomes in Markdown.
type markRule struct {
	as   atom.Atom
	flat flatIn
}

// flatIn says where an element cannot be what it becomes: there its children stand in the
// line around.
type flatIn uint8

const (
	nowhere flatIn = iota
	inCell         // in a cell of a table, between spaces
	inLine         // in a cell, a heading or a term, between spaces
	inTitle        // in a heading or a term, which are bold already
)

// markRules hold the elements of text. A block that is not listed becomes a div; of other
// elements only the children are copied.
var markRules = map[atom.Atom]markRule{
	atom.H1:         {atom.H1, inCell},
	atom.H2:         {atom.H2, inCell},
	atom.H3:         {atom.H3, inCell},
	atom.H4:         {atom.H4, inCell},
	atom.H5:         {atom.H5, inCell},
	atom.H6:         {atom.H6, inCell},
	atom.Dl:         {atom.Div, inCell},
	atom.Dd:         {atom.Div, inCell},
	atom.P:          {atom.P, inLine},
	atom.Blockquote: {atom.Blockquote, inLine},
	atom.Strong:     {atom.Strong, inTitle},
	atom.B:          {atom.Strong, inTitle},
	atom.Em:         {atom.Em, nowhere},
	atom.I:          {atom.Em, nowhere},
	atom.Cite:       {atom.Em, nowhere},
	atom.Dfn:        {atom.Em, nowhere},
	atom.Var:        {atom.Em, nowhere},
	atom.Sup:        {atom.Sup, nowhere},
	atom.Sub:        {atom.Sub, nowhere},
}

// mark copies an element as markRules say.
func (m *markdowner) mark(i int32, to *html.Node, in mode) {
	tag := m.Els[i].Tag()
	rule, ok := markRules[tag]
	if !ok {
		if tag == 0 || dom.DisplayOf(tag) == dom.DisplayInline {
			m.children(i, to, in)
			return
		}
		rule = markRule{atom.Div, inLine}
	}
	switch {
	case rule.flat == inTitle && in.inline:
		m.children(i, to, in)
	case rule.flat == inCell && in.cell, rule.flat == inLine && (in.inline || in.cell):
		m.spaced(i, to, in)
	default:
		in.inline = in.inline || headingTag(tag)
		m.copy(i, rule.as, to, in)
	}
}

func headingTag(a atom.Atom) bool {
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

func (m *markdowner) lineBreak(to *html.Node, in mode) {
	if in.inline || in.cell {
		m.append(to, " ")
	} else {
		to.AppendChild(newElement(atom.Br))
	}
}

func (m *markdowner) thematicBreak(to *html.Node, in mode) {
	if !in.cell && !in.inline && m.mainAt(int(m.run)-1) && m.mainAt(int(m.run)) {
		to.AppendChild(newElement(atom.Hr))
	}
}

// term copies a term. There are no definition lists in Markdown: a term is a paragraph in
// bold, what defines it follows as it is.
func (m *markdowner) term(i int32, to *html.Node, in mode) {
	if in.cell {
		m.spaced(i, to, in)
		return
	}
	para, bold := newElement(atom.P), newElement(atom.Strong)
	to.AppendChild(para)
	para.AppendChild(bold)
	in.inline = true
	m.children(i, bold, in)
}

func (m *markdowner) list(i int32, to *html.Node, in mode) {
	if in.cell || in.inline {
		m.children(i, to, in)
		return
	}
	list := m.copy(i, listTag(m.Els[i].Tag()), to, in)
	if list == to {
		return
	}
	if v := dom.Attr(m.Els[i].Node, "start"); v != "" {
		list.Attr = []html.Attribute{{Key: "start", Val: v}}
	}
	m.itemsOnly(list)
}

func listTag(a atom.Atom) atom.Atom {
	if a == atom.Ol {
		return atom.Ol
	}
	return atom.Ul
}

// item copies a list item; in a line a bullet stands between items.
func (m *markdowner) item(i int32, to *html.Node, in mode) {
	if !in.cell && !in.inline {
		m.copy(i, atom.Li, to, in)
		return
	}
	if to.LastChild != nil {
		m.append(to, " • ")
	}
	m.children(i, to, in)
}

// tablePart copies a table or a part of one. A table that lays out, and a part that stands
// in no table of data, become boxes.
func (m *markdowner) tablePart(i int32, to *html.Node, in mode) {
	inTable := to.DataAtom == atom.Table
	switch tag := m.Els[i].Tag(); tag {
	case atom.Table:
		if m.tableCells(i) {
			m.copy(i, tag, to, in)
			return
		}
	case atom.Thead, atom.Tbody, atom.Tfoot:
		if inTable {
			m.copy(i, tag, to, in)
		} else {
			m.children(i, to, in)
		}
		return
	case atom.Tr:
		if inTable || tableGroup(to.DataAtom) {
			m.row(i, to, in)
			return
		}
	case atom.Caption:
		if inTable {
			in.inline = true
			m.copy(i, tag, to, in)
		} else {
			m.copy(i, atom.P, to, in)
		}
		return
	}
	m.copy(i, atom.Div, to, in)
}

func tableGroup(a atom.Atom) bool {
	return a == atom.Thead || a == atom.Tbody || a == atom.Tfoot
}

// copy puts a new element under to and copies the children of i into it.
func (m *markdowner) copy(i int32, tag atom.Atom, to *html.Node, in mode) *html.Node {
	switch tag {
	case atom.Ul, atom.Ol, atom.Blockquote:
		if in.nested++; in.nested > maxNested {
			in.nested--
			m.flat(i, to, in)
			return to
		}
	case atom.Li:
		if in.nested >= maxNested && to.DataAtom != atom.Ul && to.DataAtom != atom.Ol {
			m.flat(i, to, in)
			return to
		}
	case atom.Div, atom.P:
		if in.boxes++; in.boxes > maxBoxes {
			in.boxes--
			m.flat(i, to, in)
			return to
		}
	case atom.Strong, atom.Em, atom.Sup, atom.Sub:
		if in.marks++; in.marks > maxMarks {
			in.marks--
			m.children(i, to, in)
			return to
		}
	}
	n := newElement(tag)
	to.AppendChild(n)
	m.children(i, n, in)
	return n
}

// spaced copies the children of a block into a line.
func (m *markdowner) spaced(i int32, to *html.Node, in mode) {
	m.append(to, " ")
	m.children(i, to, in)
	m.append(to, " ")
}

// itemsOnly wraps what stands in a list outside its items: the converter would
// lose the items after it.
func (m *markdowner) itemsOnly(list *html.Node) {
	m.join()
	for c := list.FirstChild; c != nil; {
		next := c.NextSibling
		switch {
		case c.Type == html.TextNode && strings.TrimSpace(c.Data) == "":
			list.RemoveChild(c)
		case c.Type == html.ElementNode && c.DataAtom == atom.Li:
		default:
			li := newElement(atom.Li)
			list.InsertBefore(li, c)
			list.RemoveChild(c)
			li.AppendChild(c)
		}
		c = next
	}
}

// tableCells reports whether the table at element i is one of data.
func (m *markdowner) tableCells(i int32) bool {
	if role := dom.Attr(m.Els[i].Node, "role"); role == "presentation" || role == "none" {
		return false
	}
	rows, simple := 0, 0
	for k := i + 1; k < m.Els[i].End; k++ {
		switch m.Els[k].Tag() {
		case atom.Table:
			return false
		case atom.Tr:
			if m.main(k) {
				rows++
				if m.rows[k].simple {
					simple++
				}
			}
		}
	}
	return simple > 0 && simple == rows
}

const maxMarkdownSpan = 12

// row copies a table row, whose cells become lines.
func (m *markdowner) row(i int32, to *html.Node, in mode) {
	tr := newElement(atom.Tr)
	to.AppendChild(tr)
	in.cell = true
	next := i + 1
	for c := m.Els[i].Node.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		k := next
		next = m.Els[k].End
		tag := m.Els[k].Tag()
		if tag != atom.Td && tag != atom.Th {
			continue
		}
		cell := m.copy(k, tag, tr, in)
		for _, key := range []string{"colspan", "rowspan"} {
			// The converter makes a cell for each place a span covers.
			if v := span(dom.Attr(c, key)); v > 1 && v <= maxMarkdownSpan {
				cell.Attr = append(cell.Attr, html.Attribute{Key: key, Val: strconv.Itoa(v)})
			}
		}
	}
}

// code copies a code block: its text as it is, without line numbers, and its
// language.
func (m *markdowner) code(i int32, to *html.Node, in mode) {
	var b strings.Builder
	codeText(m.Els[i].Node, &b)
	src := strings.TrimRight(b.String(), " \t\r\n")
	if in.cell || in.inline {
		c := newElement(atom.Code)
		c.AppendChild(newText(collapse(src)))
		to.AppendChild(c)
		return
	}
	for { // empty lines before the first
		line, rest, ok := strings.Cut(src, "\n")
		if !ok || strings.TrimSpace(line) != "" {
			break
		}
		src = rest
	}
	pre, code := newElement(atom.Pre), newElement(atom.Code)
	if l := codeLanguage(m.Els[i].Node); l != "" {
		code.Attr = []html.Attribute{{Key: "class", Val: "language-" + l}}
	}
	code.AppendChild(newText(src))
	pre.AppendChild(code)
	to.AppendChild(pre)
}

func codeText(n *html.Node, b *strings.Builder) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(text.Strip(c.Data))
		case c.Type != html.ElementNode || dom.Mute(c.DataAtom) ||
			c.DataAtom == atom.Button || gutter(c):
		case c.DataAtom == atom.Br:
			b.WriteByte('\n')
		default:
			codeText(c, b)
			if dom.DisplayOf(c.DataAtom) == dom.DisplayBlock &&
				!strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		}
	}
}

// gutter reports whether an element holds the line numbers of a code block.
func gutter(n *html.Node) bool {
	for c := range strings.FieldsSeq(dom.Attr(n, "class")) {
		switch strings.ToLower(c) {
		case "lineno", "linenos", "linenodiv", "line-number", "line-numbers-rows", "line-numbers",
			"gutter", "ln", "hljs-ln-numbers",
			"blob-num", "rouge-gutter", "lnt", "lntd-num", "code-line-number", "linenumber",
			"react-syntax-highlighter-line-number":
			return true
		}
	}
	return dom.HasAttr(n, "data-line-number") && n.FirstChild == nil
}

func (m *markdowner) inlineCode(i int32, to *html.Node, in mode) {
	if to.DataAtom == atom.Code || m.holdsBlocks(i) {
		m.children(i, to, in)
		return
	}
	// A link in code stays a link: code in it, not around it.
	for k := i + 1; k < m.Els[i].End; k++ {
		if m.Els[k].Tag() == atom.A && dom.HasAttr(m.Els[k].Node, "href") ||
			m.Els[k].Tag() == atom.Code {
			m.children(i, to, in)
			return
		}
	}
	s := collapse(text.Strip(dom.TextContent(m.Els[i].Node, 0)))
	if s == "" {
		return
	}
	c := newElement(atom.Code)
	c.AppendChild(newText(s))
	to.AppendChild(c)
}

func (m *markdowner) holdsBlocks(i int32) bool {
	for k := i + 1; k < m.Els[i].End; k++ {
		if dom.DisplayOf(m.Els[k].Tag()) == dom.DisplayBlock {
			return true
		}
	}
	return false
}

func (m *markdowner) link(i int32, to *html.Node, in mode) {
	n := m.Els[i].Node
	if litter(m.Tree, i) {
		return
	}
	href := strings.TrimSpace(dom.Attr(n, "href"))
	if href == "" || in.link {
		m.children(i, to, in)
		return
	}
	target := m.absolute(href)
	if target == "" {
		m.children(i, to, in)
		return
	}
	if m.holdsBlocks(i) {
		if in.cell || in.inline {
			m.children(i, to, in)
			return
		}
		if card := m.copy(i, atom.Div, to, in); card != to {
			m.join()
			linkCard(card, target)
		}
		return
	}
	a := newElement(atom.A)
	a.Attr = []html.Attribute{{Key: "href", Val: target}}
	to.AppendChild(a)
	in.link = true
	m.children(i, a, in)
	m.join()
	if strings.TrimSpace(dom.TextContent(a, 0)) == "" && !hasImage(a) {
		to.RemoveChild(a)
	}
}

// linkCard puts the link of a card, which is a link as a whole, on its first
// heading, or on its first line if it has none: Markdown has no links around
// blocks.
func linkCard(card *html.Node, target string) {
	line := cardTitle(card)
	if line == nil || line.DataAtom == atom.Pre {
		return
	}
	a := newElement(atom.A)
	a.Attr = []html.Attribute{{Key: "href", Val: target}}
	// The inline part of the line, up to the first block in it.
	for c := line.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type != html.TextNode && dom.DisplayOf(c.DataAtom) != dom.DisplayInline {
			if a.FirstChild != nil {
				break
			}
		} else if a.FirstChild != nil || c.Type != html.TextNode || !blankText(c) {
			if a.FirstChild == nil {
				line.InsertBefore(a, c)
			}
			line.RemoveChild(c)
			a.AppendChild(c)
		}
		c = next
	}
}

// cardTitle is the block of a card in which its first heading stands, or else its first
// text. It is nil for a card that holds a link already, and for one without text.
func cardTitle(card *html.Node) *html.Node {
	var line, heading *html.Node
	for c := range card.Descendants() {
		if c.Type == html.ElementNode && c.DataAtom == atom.A {
			return nil
		}
		if c.Type != html.TextNode || blankText(c) {
			continue
		}
		up := c.Parent
		for up != card && dom.DisplayOf(up.DataAtom) == dom.DisplayInline {
			up = up.Parent
		}
		if line == nil {
			line = up
		}
		if heading == nil && headingTag(up.DataAtom) {
			heading = up
		}
	}
	if heading != nil {
		return heading
	}
	return line
}

func blankText(n *html.Node) bool { return strings.TrimSpace(n.Data) == "" }

func hasImage(n *html.Node) bool {
	for c := range n.Descendants() {
		if c.DataAtom == atom.Img {
			return true
		}
	}
	return false
}

// absolute makes an address absolute and keeps its fragment; "" for what leads
// to no page. Addresses within the page stay as they are.
func (m *markdowner) absolute(href string) string {
	if strings.HasPrefix(href, "#") {
		return href
	}
	if low := strings.ToLower(href); strings.HasPrefix(low, "mailto:") ||
		strings.HasPrefix(low, "tel:") {
		return href
	}
	if !leads(href) {
		return ""
	}
	ref, fragment, _ := strings.Cut(href, "#")
	u, ok := m.known[ref]
	if !ok {
		u = leadsTo(m.base, ref)
		m.known[ref] = u
	}
	if u != "" && fragment != "" {
		u += "#" + fragment
	}
	return u
}

func (m *markdowner) image(n *html.Node, to *html.Node, in mode) {
	if in.cell && strings.TrimSpace(dom.Attr(n, "alt")) == "" ||
		!m.mainAt(int(m.run)-1) && !m.mainAt(int(m.run)) {
		return
	}
	src := ""
	for _, key := range []string{"data-src", "data-original", "data-lazy-src", "src"} {
		if v := strings.TrimSpace(dom.Attr(n, key)); v != "" && !strings.HasPrefix(v, "data:") {
			src = v
			break
		}
	}
	if src == "" || dom.Attr(n, "width") == "1" || dom.Attr(n, "height") == "1" {
		return
	}
	u := m.absolute(src)
	if u == "" {
		return
	}
	img := newElement(atom.Img)
	img.Attr = []html.Attribute{{Key: "src", Val: u},
		{Key: "alt", Val: collapse(dom.Attr(n, "alt"))}}
	to.AppendChild(img)
}

// pictures reports whether element i holds images between main text and nothing
// else to see.
func (m *markdowner) pictures(i int32) bool {
	r := m.runRange[i]
	if r[0] != r[1] || !m.mainAt(int(r[0])-1) || !m.mainAt(int(r[0])) || m.Els[i].End-i > 40 {
		return false
	}
	for k := i; k < m.Els[i].End; k++ {
		switch m.Els[k].Tag() {
		case atom.Img:
			return true
		case atom.Noscript, atom.Svg, atom.Script:
			return false
		}
	}
	return false
}
