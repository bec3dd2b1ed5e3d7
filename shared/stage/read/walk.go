package read

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
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
	places   []place   // of cur, see omit
	lastLink int32
	numeral  bool // a superscript, subscript or number element began or ended
	control  bool

	joined    bool    // blocks beyond maxBlocks were joined
	stack     []int32 // open sections
	tables    int
	table     *tableState
	spanned   int // columns of rows, see maxSpanned
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
	carry   []carried      // cells from above that reach down, by column
	col     int            // of the next cell
	written int            // column the last text was put in
	spanned []wstk.Spanned // of the row in the making
}

// carried is a cell that reaches down over rows.
type carried struct {
	rows        int // that it still reaches down
	block, from int // where it is; block is -1 if its row has no text
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
			fmt.Sprintf("the page has more than %d blocks; those after stand together, "+
				"line by line", maxBlocks))
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
			w.parts = append(w.parts[:0], sub.partsOf(k)...)
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

// partsOf are the parts of block k that carry flags, in bytes of its text.
func (p *page) partsOf(k int) []flagged {
	b := &p.blocks[k]
	parts := []flagged{{0, b.bytes(), bitsOf(b.Flags)}}
	d := wstk.Document{Flagged: p.flagged}
	for _, f := range d.FlaggedIn(b.ByteStart, b.ByteEnd) {
		one := flagged{f.ByteStart - b.ByteStart, f.ByteEnd - b.ByteStart, bitsOf(f.Flags)}
		parts = overlay(parts, []flagged{one})
	}
	return parts
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
