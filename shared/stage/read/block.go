package read

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

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
	switch {
	case s.hide >= 0:
		w.hiding[s.hide].add(data)
	case s.pre && !s.row:
		w.verbatim(data, s)
		w.runs = append(w.runs, run{n, -1})
	case w.words(data, s):
		w.runs = append(w.runs, run{n, -1})
	}
}

// verbatim adds text whose white space counts.
func (w *walker) verbatim(data string, s *state) {
	if len(w.cur) == 0 {
		w.begin(s)
	}
	w.joinLine()
	from := len(w.cur)
	w.cur = append(w.cur, data...)
	w.note(from, s)
	if s.link >= 0 {
		w.link += len(data)
	}
}

// words adds the words of a text, and reports whether it has any.
func (w *walker) words(data string, s *state) bool {
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
	return wrote
}

// word adds characters without white space, with what has to stand before them.
func (w *walker) word(word string, s *state) {
	if w.breaks > 1 && len(w.cur) > 0 {
		w.paragraph()
	}
	if len(w.cur) == 0 {
		w.begin(s)
	}
	w.joinLine()
	w.joinWord(word[0], s)
	from := len(w.cur)
	w.cur = append(w.cur, word...)
	w.note(from, s)
	if s.link >= 0 {
		w.link += len(word)
	}
}

// joinWord writes the tabs or the space before a word that begins with first.
func (w *walker) joinWord(first byte, s *state) {
	for ; w.tabs > 0; w.tabs-- {
		w.cur = append(w.cur, '\t')
		w.space = false
	}
	if s.link != w.lastLink && s.link >= 0 && w.lastLink >= 0 {
		w.space = true // between two links
	}
	last := byte('\n')
	if len(w.cur) > 0 {
		last = w.cur[len(w.cur)-1]
	}
	if w.numeral && digit(last) && digit(first) {
		w.space = true
	}
	if w.space && last != '\n' && last != '\t' {
		w.cur = append(w.cur, ' ')
		if s.link >= 0 {
			w.link++
		}
	}
	w.numeral, w.lastLink, w.space = false, s.link, false
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
	w.places = slices.DeleteFunc(w.places, func(p place) bool { return p.breaks < w.breaks })
	w.breaks = 0
}

// paragraph begins a block within an element, behind several line breaks.
func (w *walker) paragraph() {
	var next []place
	for _, p := range w.places {
		if p.breaks > 1 {
			next = append(next, place{breaks: p.breaks, worded: p.worded})
		}
	}
	breaks := w.breaks
	w.flush()
	w.places, w.breaks = append(w.places, next...), breaks
}

// flush ends the block in the making and adds it to the page, if it has
// something to see.
func (w *walker) flush() {
	w.addBlock(w.finished())
	w.cur, w.parts, w.places = w.cur[:0], w.parts[:0], w.places[:0]
	w.space, w.breaks, w.tabs, w.link, w.whole, w.floats = false, 0, 0, 0, 0, 0
}

// finished is the text in the making without white space around it.
func (w *walker) finished() []byte {
	if w.start.pre {
		return trimLines(w.cur)
	}
	c := w.cur
	for len(c) > 0 && (c[len(c)-1] == ' ' || c[len(c)-1] == '\n' || c[len(c)-1] == '\t') {
		c = c[:len(c)-1]
	}
	return c
}

// addBlock adds the block in the making to the page. c is its text.
func (w *walker) addBlock(c []byte) {
	if blank(c) || len(w.blocks) >= maxBlocks && w.extend(c) {
		return
	}
	if len(w.text) > 0 {
		w.text = append(w.text, '\n')
		w.chars++
	}
	b := block{owner: w.start.owner, linkBytes: min(w.link, len(c)), control: w.control}
	b.Element = int(w.start.owner)
	b.Table, b.IsHeader = w.start.table, w.start.header
	b.Kind, b.Level = kindOf(&w.start, c)
	b.ByteStart, b.CharStart = len(w.text), w.chars
	w.text = append(w.text, c...)
	w.chars += utf8.RuneCount(c)
	b.ByteEnd, b.CharEnd = len(w.text), w.chars
	if b.Kind == wstk.BlockHeading {
		w.openSection(string(c), b.Level, b.owner)
	}
	b.Section = -1
	if len(w.stack) > 0 {
		b.Section = int(w.stack[len(w.stack)-1])
	}
	if b.Kind == wstk.BlockCode {
		b.Lang = codeLanguage(w.Els[b.owner].Node)
		if b.Lang == "" && isWrapped(c) {
			b.Kind = wstk.BlockParagraph
		}
	}
	parts := overlay(trimmed(w.parts, w.cur, c),
		incomplete(c, shifted(w.places, cap(c)-cap(w.cur)), w.start.pre))
	w.flagged = append(w.flagged, flagsOf(c, parts, w.whole, &b.Block)...)
	w.setBlock(len(w.blocks))
	w.blocks = append(w.blocks, b)
}

// setBlock notes in which block the texts of the block in the making stand.
func (w *walker) setBlock(k int) {
	for i := w.run0; i < len(w.runs); i++ {
		w.runs[i].block = int32(k)
	}
}

// kindOf is the kind and the level of a block that began in state s and has text c.
func kindOf(s *state, c []byte) (wstk.BlockKind, int) {
	switch s.kind {
	case wstk.BlockHeading, wstk.BlockListItem:
		return s.kind, s.level
	case "":
		if proseLike(c) {
			return wstk.BlockParagraph, 0
		}
		return wstk.BlockOther, 0
	}
	return s.kind, 0
}

// maxBlocks is how many blocks of a page are kept apart. What comes after stands in
// blocks of up to maxJoined bytes, a line each, because a block takes more memory than
// the word it may consist of. Real pages have a twentieth.
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
	w.setBlock(len(w.blocks) - 1)
	return true
}

// proseLike reports whether a line is prose rather than a label.
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
