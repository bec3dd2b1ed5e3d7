package read

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// page is a parsed page and its visible text, while it is being read.
type page struct {
	*dom.Tree
	url      string
	base     string // what links are relative to
	text     []byte
	chars    int
	blocks   []block
	runs     []run
	runRange [][2]int32 // per element: the runs of its subtree
	rows     []rowInfo  // per element; only of tr and table elements
	aside    []asideLink
	sections []wstk.Section
	flagged  []wstk.Flagged
	hidden   []wstk.Hidden
	unread   int // linked style sheets
	warnings []wstk.Warning
	head     int32 // see titleOf
	forum    bool  // see forumPage
	rightTo  bool  // see rightToLeft
}

// block is a Block with what choosing the main content needs to know.
type block struct {
	wstk.Block
	owner     int32 // element index
	linkBytes int   // how much of it is link text
	control   bool  // a form control
}

func (b *block) bytes() int { return b.ByteEnd - b.ByteStart }

func (p *page) blockText(i int) string {
	return string(p.text[p.blocks[i].ByteStart:p.blocks[i].ByteEnd])
}

// asideLink is a link in a part of the page that is not in its tree: noscript.
type asideLink struct {
	element         int32
	href, text, rel string
}

// run is a visible text node and the block it became part of, -1 where it
// was white space only.
type run struct {
	node  *html.Node
	block int32
}

// walker makes blocks of a tree. It follows what a browser's innerText does:
// white space collapses as CSS says, elements begin and end lines by their
// display, a table row is one line with tabs between its cells. Differences, all
// for the sake of quoting: table cells never hold a line break; paragraphs are
// separated by two <br>; links, buttons and digits that meet without a space (two
// neighbouring links, 10<sup>5</sup>) get one.
type walker struct {
	*page
	sheet *css.Sheet

	cur      []byte // the block in the making
	start    state  // the state it began in
	run0     int
	link     int // link bytes in cur
	space    bool
	breaks   int
	tabs     int
	parts    []flagged // of cur
	whole    flagSet   // of all of cur
	floats   int       // parts of cur that float to the right
	lastLink int32
	numeral  bool // a superscript, subscript or number element began or ended
	control  bool

	joined    bool    // blocks beyond maxBlocks were joined
	stack     []int32 // open sections
	tables    int
	table     *tableState
	hiding    []hiddenText
	rulesHide bool  // rules of the page's style may hide text
	shown     int32 // an element that is visible all the same, -1
	streams   bool  // hidden parts with an id S:… are moved into place
	noscripts []int32
	box       box        // of the element whose look is worked out
	links     *css.Color // the colour of links by the body's attribute
	// per element, and one more: pictures and the like before it; see media
	mediaAt  []int32
	browser  *shownIn              // what a browser showed; nil where the markup decides
	controls map[string]bool       // see controlled; nil until needed
	opened   map[string]bool       // names of details that are open
	ids      map[string]*html.Node // see referred; nil until needed
}

// state is what an element inherits from its ancestors.
type state struct {
	owner   int32 // the element whose block text goes to
	kind    wstk.BlockKind
	level   int
	depth   int // of lists
	pre     bool
	row     bool
	header  bool
	table   int
	link    int32        // the link around, -1
	hide    int32        // index into hiding, -1 when visible
	why     byte         // what hides: 'h' for good, 's' the look, which may change below
	svg     bool         // text outside <text> is not drawn
	draw    *drawing     // the svg around
	columns map[int]bool // of the table around: collapsed ones
	look    *looks
	excuse  string // a reason of the look that does not hold here, see visibility

	unknown bool // the browser could not tell about what stands here
	inherited
}

type hiddenText struct {
	element int32
	reason  string
	text    []byte
	chars   int
	space   bool
}

type tableState struct {
	ordinal int
	carry   []int // rows that cells from above still reach down, by column
	col     int   // of the next cell
	written int   // column the last text was put in
}

// readPage walks the tree and fills the page's text, blocks, sections and
// hidden text.
func readPage(t *dom.Tree, url string) *page { return readPageShown(t, url, nil) }

// readPageShown is readPage where a browser has said what it shows of the page.
func readPageShown(t *dom.Tree, url string, browser *shownIn) *page {
	sheet := css.Read(t)
	p := walkPage(t, url, sheet, browser, true, -1)
	defer func() { p.unread = sheet.Unread }()
	if browser != nil {
		return p // its scripts ran: what is hidden now stays so
	}
	byRule := 0
	for _, h := range p.hidden {
		if h.Reason == reasonRule {
			byRule += h.Chars
		}
	}
	if byRule >= 2000 && len(p.text)*4 < byRule {
		// Rules hide nearly everything: the state before the page's script has
		// run, not what a visitor sees.
		p = walkPage(t, url, sheet, nil, false, -1)
		p.warn("hidden_until_script", "the page's own style hides most of it until a script has "+
			"run; rules that hide text were not applied")
	}
	if k := p.unveiled(); k >= 0 {
		p = walkPage(t, url, sheet, nil, true, k)
		p.warn("hidden_until_script", "the page hides the part that holds its title and most of "+
			"its text until a script has run; that part was read")
	}
	if sheet.Spent() {
		p.warn("style_budget", "the page's style sheets are too large to be applied whole; "+
			"hidden text may count as visible")
	}
	return p
}

// unveiled returns the element of a page without a visible title that holds a
// hidden one and more text than the rest shows, -1 if there is none. What stands
// around it is the frame that a visitor sees for a moment.
func (p *page) unveiled() int32 {
	for i := range p.blocks {
		if b := &p.blocks[i]; b.Kind == wstk.BlockHeading && b.Level == 1 {
			return -1
		}
	}
	for _, h := range p.hidden {
		if h.Reason != reasonInline && h.Reason != reasonRule || h.Chars < 500 ||
			h.Chars <= p.chars {
			continue
		}
		for k := int32(h.Element); k < p.Els[h.Element].End; k++ {
			if p.Els[k].Tag() == atom.H1 {
				return int32(h.Element)
			}
		}
	}
	return -1
}

// walkPage walks the tree. Rules of the page's style hide text if rulesHide says
// so; element shown, unless it is -1, is visible whatever its style says.
func walkPage(
	t *dom.Tree, url string, sheet *css.Sheet, browser *shownIn, rulesHide bool, shown int32,
) *page {
	p := &page{Tree: t, url: url, base: url,
		runRange: make([][2]int32, len(t.Els)), rows: rowInfos(t)}
	w := &walker{page: p, sheet: sheet, lastLink: -1, browser: browser,
		rulesHide: rulesHide, shown: shown}
	w.head, w.forum, w.rightTo = titleOf(t), forumPage(t, url), rightToLeft(t)
	if len(t.Els) > 0 {
		w.streams = streamed(t)
		w.element(0, state{owner: 0, link: -1, hide: -1, look: w.firstLook()})
		w.flush()
	}
	if w.thin() && w.Noscripts < 2 { // one in another is a mistake, thousands are a trap
		w.readNoscripts()
	}
	if w.joined {
		p.warn("reading_bounded",
			fmt.Sprintf("the page has more than %d blocks; those after stand together, line by line", maxBlocks))
	}
	for _, h := range w.hiding {
		if h.chars > 0 {
			p.hidden = append(p.hidden, wstk.Hidden{Element: int(h.element), Reason: h.reason,
				Text: string(h.text), Chars: h.chars})
		}
	}
	return p
}

// streamed reports whether the page was sent in parts, as React does: a part
// comes as <div hidden id="S:1">, and a script right behind it moves it to the
// place of <template id="B:1">. A page without any script was saved without
// them.
func streamed(t *dom.Tree) bool {
	slot, script, scripts := false, false, false
	for i := range t.Els {
		switch n := t.Els[i].Node; n.DataAtom {
		case atom.Template:
			slot = slot || strings.HasPrefix(dom.Attr(n, "id"), "B:")
		case atom.Script:
			scripts = true
			script = script || n.FirstChild != nil &&
				(strings.Contains(n.FirstChild.Data, `$RC("B:`) ||
					strings.Contains(n.FirstChild.Data, `$RB=[`) ||
					strings.Contains(n.FirstChild.Data, `$RX("B:`))
		}
	}
	return slot && (script || !scripts)
}

func (p *page) warn(code, message string) {
	p.warnings = append(p.warnings, wstk.Warning{Code: code, Message: message, URL: p.url})
}

// thinText is how many bytes of visible text make a page thin.
const thinText = 250

func (w *walker) thin() bool { return len(w.text) < thinText }

// readNoscripts adds the text of <noscript>. A visitor with scripts does not
// see it, so it is left out where the page has other text; on a page that has
// next to none it is what the site says without them. Its blocks carry the
// index of the noscript element.
func (w *walker) readNoscripts() {
	for _, i := range w.noscripts {
		raw := dom.TextContent(w.Els[i].Node, 1<<20)
		inner := dom.Parse(w.Stop, raw, false)
		inner.Noscripts = w.Noscripts + 1
		w.Truncated, w.Trimmed = w.Truncated || inner.Truncated, w.Trimmed || inner.Trimmed
		sub := readPage(inner, w.url)
		for k := range sub.blocks {
			b := sub.blocks[k]
			w.cur = append(w.cur[:0], sub.text[b.ByteStart:b.ByteEnd]...)
			w.start = state{owner: i, kind: b.Kind, level: b.Level, pre: true}
			if b.Kind == wstk.BlockHeading {
				w.start.kind, w.start.level = wstk.BlockParagraph, 0 // it must not open a section
			}
			w.run0 = len(w.runs)
			for _, f := range b.Flags {
				w.whole |= bitOf(f)
			}
			w.flush()
		}
		for k := range inner.Els {
			if n := inner.Els[k].Node; n.DataAtom == atom.A && dom.HasAttr(n, "href") {
				words, _ := sub.linkText(int32(k))
				w.aside = append(w.aside, asideLink{i, strings.TrimSpace(dom.Attr(n, "href")),
					words, dom.Attr(n, "rel")})
			}
		}
	}
}

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

// boundary ends the block in the making; within a table row it is a space.
func (w *walker) boundary(s *state) {
	if s.row {
		w.gap(s)
		return
	}
	if s.hide < 0 {
		w.flush()
	}
}

func (w *walker) gap(s *state) {
	if s.hide >= 0 {
		w.hiding[s.hide].space = true
	} else if len(w.cur) > 0 {
		w.space = true
	}
}

func (w *walker) lineBreak(s *state) {
	switch {
	case s.hide >= 0, s.row, s.kind == wstk.BlockHeading:
		w.gap(s)
	case s.pre:
		if len(w.cur) > 0 {
			w.cur = append(w.cur, '\n')
		}
	default:
		w.breaks++
	}
}

// textNode adds a text node to the block in the making.
func (w *walker) textNode(n *html.Node, s *state) {
	if s.svg {
		return
	}
	data := n.Data
	if !ascii(data) {
		if s.hide < 0 && overrides(data) {
			defer func() { w.whole |= isReordered }()
		}
		data = text.Strip(data)
	}
	if s.hide >= 0 {
		w.hiding[s.hide].add(data)
		return
	}
	if s.pre && !s.row {
		if len(w.cur) == 0 {
			w.begin(s)
		}
		w.joinLine()
		from := len(w.cur)
		w.cur = append(w.cur, data...)
		w.note(from, s)
		w.runs = append(w.runs, run{n, -1})
		if s.link >= 0 {
			w.link += len(data)
		}
		return
	}
	wrote := false
	for data != "" {
		i := 0
		for i < len(data) && dom.HTMLSpace(data[i]) {
			i++
		}
		if i > 0 {
			w.space = w.space || len(w.cur) > 0
			data = data[i:]
			continue
		}
		for i < len(data) && !dom.HTMLSpace(data[i]) {
			i++
		}
		w.word(data[:i], s)
		wrote = true
		data = data[i:]
	}
	if wrote {
		w.runs = append(w.runs, run{n, -1})
	}
}

// word adds characters without white space, with what has to stand before them.
func (w *walker) word(word string, s *state) {
	if w.breaks > 1 && len(w.cur) > 0 {
		w.flush()
	}
	if len(w.cur) == 0 {
		w.begin(s)
	}
	w.joinLine()
	if w.tabs > 0 {
		for ; w.tabs > 0; w.tabs-- {
			w.cur = append(w.cur, '\t')
		}
		w.space = false
	}
	if s.link != w.lastLink && s.link >= 0 && w.lastLink >= 0 {
		w.space = true
	}
	if w.numeral && len(w.cur) > 0 && digit(w.cur[len(w.cur)-1]) && digit(word[0]) {
		w.space = true
	}
	w.numeral = false
	w.lastLink = s.link
	if w.space && len(w.cur) > 0 {
		if last := w.cur[len(w.cur)-1]; last != '\n' && last != '\t' {
			w.cur = append(w.cur, ' ')
			if s.link >= 0 {
				w.link++
			}
		}
	}
	w.space = false
	from := len(w.cur)
	w.cur = append(w.cur, word...)
	w.note(from, s)
	if s.link >= 0 {
		w.link += len(word)
	}
}

// joinLine writes a line break that was met before.
func (w *walker) joinLine() {
	if w.breaks > 0 && len(w.cur) > 0 {
		w.cur = append(w.cur, '\n')
		w.space = false
	}
	w.breaks = 0
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func (w *walker) begin(s *state) {
	w.start = *s
	w.run0 = len(w.runs)
	w.link = 0
	w.lastLink = -1
	w.space = false
	w.breaks = 0
}

// flush ends the block in the making and adds it to the page, if it has
// something to see.
func (w *walker) flush() {
	defer func() {
		w.cur, w.parts = w.cur[:0], w.parts[:0]
		w.space, w.breaks, w.tabs, w.link, w.whole, w.floats = false, 0, 0, 0, 0, 0
	}()
	if len(w.cur) == 0 {
		return
	}
	c := w.cur
	if w.start.pre {
		c = trimLines(c)
	} else {
		for len(c) > 0 && (c[len(c)-1] == ' ' || c[len(c)-1] == '\n' || c[len(c)-1] == '\t') {
			c = c[:len(c)-1]
		}
	}
	if blank(c) {
		return
	}
	if n := len(w.blocks); n >= maxBlocks && w.extend(c) {
		return
	}
	if len(w.text) > 0 {
		w.text = append(w.text, '\n')
		w.chars++
	}
	b := block{owner: w.start.owner, linkBytes: min(w.link, len(c)), control: w.control}
	b.Element = int(w.start.owner)
	b.Kind, b.Level, b.Table, b.IsHeader = w.start.kind, w.start.level,
		w.start.table, w.start.header
	b.ByteStart, b.CharStart = len(w.text), w.chars
	w.text = append(w.text, c...)
	w.chars += utf8.RuneCount(c)
	b.ByteEnd, b.CharEnd = len(w.text), w.chars
	if b.Kind == "" {
		b.Kind = wstk.BlockOther
		if proseLike(c) {
			b.Kind = wstk.BlockParagraph
		}
	}
	if b.Kind != wstk.BlockHeading && b.Kind != wstk.BlockListItem {
		b.Level = 0
	}
	if b.Kind == wstk.BlockHeading {
		w.openSection(string(c), b.Level, b.owner)
	}
	b.Section = -1
	if len(w.stack) > 0 {
		b.Section = int(w.stack[len(w.stack)-1])
	}
	if b.Kind == wstk.BlockCode {
		b.Lang = codeLanguage(w.Els[b.owner].Node)
	}
	w.flagged = append(w.flagged, flagsOf(c, trimmed(w.parts, w.cur, c), w.whole, &b.Block)...)
	for k := w.run0; k < len(w.runs); k++ {
		w.runs[k].block = int32(len(w.blocks))
	}
	w.blocks = append(w.blocks, b)
}

// maxBlocks is how many blocks of a page are kept apart: what comes after stands in
// blocks of up to maxJoined bytes, a line each. A block takes more memory than the word
// it may consist of. Real pages have a twentieth.
const (
	maxBlocks = 60_000
	maxJoined = 4 << 10
)

// extend adds a line to the last block instead of beginning one, and reports whether
// it did.
func (w *walker) extend(c []byte) bool {
	last := &w.blocks[len(w.blocks)-1]
	heading := last.Kind == wstk.BlockHeading || w.start.kind == wstk.BlockHeading
	if last.bytes()+len(c) > maxJoined || heading && len(w.blocks) < 2*maxBlocks {
		return false
	}
	w.joined = true
	last.Kind, last.Level, last.Table, last.IsHeader = wstk.BlockOther, 0, 0, false
	last.linkBytes += min(w.link, len(c))
	w.text = append(append(w.text, '\n'), c...)
	w.chars += 1 + utf8.RuneCount(c)
	last.ByteEnd, last.CharEnd = len(w.text), w.chars
	for k := w.run0; k < len(w.runs); k++ {
		w.runs[k].block = int32(len(w.blocks) - 1)
	}
	return true
}

// proseLike tells a line of prose from a label.
func proseLike(c []byte) bool {
	if len(c) >= 80 {
		return true
	}
	switch c[len(c)-1] {
	case '.', '!', '?', ':':
		return len(c) > 20
	}
	return strings.HasSuffix(string(c), "。")
}

// trimLines drops empty lines at both ends and white space at the end.
func trimLines(c []byte) []byte {
	for len(c) > 0 && (dom.HTMLSpace(c[len(c)-1])) {
		c = c[:len(c)-1]
	}
	for {
		i := 0
		for i < len(c) && dom.HTMLSpace(c[i]) && c[i] != '\n' {
			i++
		}
		if i == len(c) || c[i] != '\n' {
			return c
		}
		c = c[i+1:]
	}
}

// blank reports whether there is nothing to see.
func blank(c []byte) bool {
	for len(c) > 0 {
		r, n := utf8.DecodeRune(c)
		if !unicode.IsSpace(r) && r != 0x00AD && r != 0x200C && r != 0x200D &&
			r != 0x200E && r != 0x200F {
			return false
		}
		c = c[n:]
	}
	return true
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// maxHidden is how many code points of a hidden text are kept.
const maxHidden = 500

func (h *hiddenText) add(data string) {
	for data != "" {
		i := 0
		for i < len(data) && dom.HTMLSpace(data[i]) {
			i++
		}
		if i > 0 {
			h.space = true
			data = data[i:]
			continue
		}
		if h.space && h.chars > 0 {
			h.put(" ")
		}
		h.space = false
		for i < len(data) && !dom.HTMLSpace(data[i]) {
			i++
		}
		h.put(data[:i])
		data = data[i:]
	}
}

func (h *hiddenText) put(word string) {
	if h.chars >= maxHidden {
		h.chars += utf8.RuneCountInString(word)
		return
	}
	for _, r := range word {
		if h.chars < maxHidden {
			h.text = utf8.AppendRune(h.text, r)
		}
		h.chars++
	}
}
