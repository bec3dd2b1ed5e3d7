package extract

import (
	"math"
	"slices"
	"sort"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// page is a Document cut into units and marked with the query's terms.
type page struct {
	*call
	doc    *wstk.Document
	order  int // position in the bucket
	lang   string
	lex    *lex
	words  unitWords
	denied termSet // what the question denies, see denied.go
	// the question asks for what is not so, or is so no longer
	asksWhatIsNot bool
	namesDefault  bool // see question.namesDefault
	title         termSet
	fits          bool    // the title is mostly words of the query: the page is about what is asked
	everything    termSet // anywhere on the page
	units         []unit
	marks         []mark // of all units, in order

	// What surrounds a unit says what it is about: the titles of its sections, by section.
	// The texts of links are not answers.
	sections []sectionTerms
	anchors  map[string]bool
	opening  int // block of the first paragraph of the main text; -1

	unranked bool      // recall found nothing: the pages were named
	passages []termSet // terms of the passages that recall found
	ranked   float64   // how high recall ranked a passage of the page: 1 over the root of its rank
	avoid    avoidFunc
	columns  map[int][]termSet // see columnsUnder
	setting  *text.Setting     // what of the text the page takes back
	outline  *outline          // built on first need
	chars    *text.Offsets
}

// offsets is built on first need.
func (p *page) offsets() *text.Offsets {
	if p.chars == nil {
		p.chars = text.NewOffsets(p.doc.Text)
	}
	return p.chars
}

// sectionTerms are the query terms in a section's own title, in those above it,
// and anywhere in its text.
type sectionTerms struct {
	near, far, body termSet
	fits            bool // the heading is about what is asked, see page.fits
	denies          bool // the heading, or one above, says that what is under it is not so
	head            int  // block of the heading; -1
}

// unit is what can be quoted: a sentence, a list item, a table row, a heading, a
// line of code. A sentence that leads to code, a list or a table is quoted with it.
type unit struct {
	block      int
	start, end int // bytes of the Document text
	kind       wstk.BlockKind
	section    int
	own        termSet // terms in it
	synonym    termSet // terms of which a synonym does
	// terms in the sentence before it in its block, or in the paragraph that introduces its list
	before    termSet
	around    termSet // terms in the rest of its block, or of the definition it is part of
	label     termSet // terms in its first cell or label, if that is mostly words of the query
	header    int     // block of the header row, the term, or the introduction; -1
	headerOwn termSet
	asks      bool // its block is a question: what follows answers
	// the header is a term that is mostly words of the query: what follows is about it
	defines bool
	leads   blockRange // what it introduces: it is the last sentence before these blocks
	led     termSet    // terms in these, synonyms included
	words   int        // content words
	marks   [2]int
	first   bool // first of its block
	paired  bool // quoted with the sentence before
	wide    bool // a passage, see widen
	rank    int  // of the best hit that holds it, from 1; 0 for none
	// recall's score of that hit beside the best hit's, 0–1; and, of the best, by which share its
	// score is above that of the next
	recalled, standsOut float64
	alike               float64 // cosine of that passage with the question; 0 is unknown
	passage             int     // of page.passages, of that hit; -1
}

// mark is a query term in the text.
type mark struct {
	term       int
	start, end int
	synonym    bool
}

func (p *page) text(u *unit) string { return p.doc.Text[u.start:u.end] }

// wholeItem is up to how many bytes a list item is quoted whole, whatever
// sentences it holds.
const wholeItem = 240

// maxWhole is up to how many bytes of text a page is read whole; of a longer one, a
// log or a dump, only the passages that recall found are read. maxUnits bounds the
// work on a page of very many very short lines.
const (
	maxWhole = 2 << 20
	maxUnits = 100000
)

// newPage cuts a document. within restricts it to some spans of its text; nil
// means all of it. What avoid names is not cut into units, nor quoted as what
// introduces one.
func newPage(doc *wstk.Document, q *question, within []wstk.Span, avoid avoidFunc) *page {
	p := &page{call: q.call, doc: doc, avoid: avoid, setting: q.setting(doc),
		lang: doc.Meta.Language, anchors: map[string]bool{}}
	if p.lang == "" {
		p.lang = languageOf(doc)
	}
	if p.lang == "" {
		p.lang = q.lang
	}
	p.lex, p.words = q.in(p.lang), unitWordsIn(p.lang)
	p.denied = p.deniedIn(q.text[q.part.start:q.part.end])
	p.asksWhatIsNot = p.words.speaksOfWhatIsNot(q.text)
	p.namesDefault = q.namesDefault()
	p.title, p.fits = p.heading(doc.Meta.Title)
	p.readSections(within)
	for _, l := range doc.Links {
		if l.Text != "" && len(l.Text) <= wholeItem {
			p.anchors[strings.TrimSpace(l.Text)] = true
		}
	}
	p.opening = openingOf(doc)
	p.cut(within)
	p.drop()
	p.surround()
	p.lead()
	p.everything = p.title
	for i := range p.units {
		u := &p.units[i]
		p.everything |= u.own | u.headerOwn
		if s := u.section; s >= 0 && s < len(p.sections) {
			p.sections[s].body |= u.own
			p.everything |= p.sections[s].near | p.sections[s].far
		}
	}
	return p
}

// readSections takes the terms and the block of each heading that stands above what is read.
func (p *page) readSections(within []wstk.Span) {
	p.sections = make([]sectionTerms, len(p.doc.Sections))
	above := p.sectionsAbove(within)
	for i, s := range p.doc.Sections {
		t := &p.sections[i]
		if above[i] {
			t.near, t.fits = p.heading(s.Title)
		}
		t.head, t.denies = -1, p.denying(s.Title)
		if s.Parent >= 0 && s.Parent < i {
			up := p.sections[s.Parent]
			t.far, t.denies = up.near|up.far, t.denies || up.denies
		}
	}
	for i, b := range p.doc.Blocks {
		if b.Kind == wstk.BlockHeading && b.Section >= 0 && b.Section < len(p.sections) &&
			p.sections[b.Section].head < 0 {
			p.sections[b.Section].head = i
		}
	}
}

// sectionsAbove are the sections of the spans that are read, and those above them.
func (p *page) sectionsAbove(within []wstk.Span) []bool {
	above := make([]bool, len(p.doc.Sections))
	c := cutter{page: p, within: within}
	for _, b := range p.doc.Blocks {
		if b.Section >= 0 && b.Section < len(above) && c.inside(b) {
			above[b.Section] = true
		}
	}
	for i := len(above) - 1; i >= 0; i-- { // a section comes after the one that it is in
		if up := p.doc.Sections[i].Parent; above[i] && up >= 0 && up < i {
			above[up] = true
		}
	}
	return above
}

// heading reads a title: the terms in it, and whether it is mostly made of them.
// A site's name after a bar or dash is not part of it.
func (p *page) heading(s string) (terms termSet, fits bool) {
	terms, _, _ = p.scan(s, 0, p.lex, false)
	if terms == 0 {
		return 0, false
	}
	for _, bar := range []string{" | ", " — ", " – ", " - ", " · ", " :: "} {
		if i := strings.Index(s, bar); i > 0 {
			s = s[:i]
		}
	}
	own, _, words := p.scan(sectionNumber().ReplaceAllString(s, ""), 0, p.lex, false)
	n := 0
	for ; own != 0; own &= own - 1 {
		n++
	}
	return terms, words > 0 && float64(n) >= titleFits*float64(words)
}

// sectionNumber is the number a heading may begin with.
var sectionNumber = text.Pattern(
	`^[\s\x{a0}]*(?:\(?\d+(?:\.\d+)*[.)]?|[A-Z]\.(?:\d+\.)*)[\s\x{a0}]+`)

// parenthesis is what a term adds about itself: "shared_buffers (integer)".
var parenthesis = text.Pattern(`\s*\([^()]*\)\s*$`)

// titleFits is the share of a title's content words that has to be the query's
// for the title to speak for everything under it.
const titleFits = 0.6

// labelled returns the query's terms in a label, none where most of the label is
// other words.
func (p *page) labelled(label string) termSet {
	const longest = 80
	if len(label) > longest {
		return 0
	}
	own, synonym, words := p.scan(label, 0, p.lex, false)
	own |= synonym
	n := 0
	for s := own; s != 0; s &= s - 1 {
		n++
	}
	if float64(n) < titleFits*float64(words) {
		return 0
	}
	return own
}

// languageOf guesses a page's language from the beginning of its main text.
func languageOf(doc *wstk.Document) string {
	const enough = 2000
	var b strings.Builder
	for i, blk := range doc.Blocks {
		if blk.Main && blk.Kind != wstk.BlockCode {
			b.WriteString(doc.BlockText(i))
			b.WriteByte('\n')
		}
		if b.Len() > enough {
			break
		}
	}
	return text.DetectLanguage(b.String())
}

// cut makes the units of a page, of some spans of its text where within is not nil.
func (p *page) cut(within []wstk.Span) {
	none := intro{block: -1}
	c := cutter{page: p, within: within, header: none, term: none, question: none}
	for i, b := range p.doc.Blocks {
		if len(p.units) >= maxUnits || p.call.over() {
			return
		}
		// Header rows and terms are read wherever they are: a row inside the span needs the
		// header above it.
		if !c.inside(b) && !b.IsHeader && b.Kind != wstk.BlockTerm {
			continue
		}
		switch p.doc.KindAt(i) {
		case wstk.BlockTableRow:
			c.row(i)
		case wstk.BlockTerm:
			c.defined(i)
		case wstk.BlockDefinition:
			c.definition(i)
		default:
			c.prose(i)
		}
	}
}

// cutter walks the blocks of a page once. It remembers what introduces the units to come:
// the header row of their table, the term they define, the question they answer.
type cutter struct {
	*page
	within                 []wstk.Span // nil for all of the text
	next                   int         // of within: the first that is not over
	table                  int         // of the header
	header, term, question intro
}

// intro is a block that says what the units after it are about.
type intro struct {
	block int     // -1 for none
	terms termSet // of the query, in the block; in a question its synonyms too
	fits  bool    // see page.fits
}

// inside reports whether a block is at least partly in the spans to read.
func (c *cutter) inside(b wstk.Block) bool {
	if c.within == nil {
		return true
	}
	for c.next < len(c.within) && c.within[c.next].ByteEnd <= b.ByteStart {
		c.next++
	}
	return c.next < len(c.within) && b.ByteStart < c.within[c.next].ByteEnd &&
		c.within[c.next].ByteStart < b.ByteEnd
}

func (c *cutter) row(i int) {
	b, s := c.doc.Blocks[i], c.doc.BlockText(i)
	if b.Table != c.table {
		c.table, c.header = b.Table, intro{block: -1}
	}
	if b.IsHeader {
		own, _, _ := c.scan(s, b.ByteStart, c.lex, false)
		if i > 0 && c.header.block == i-1 { // the names of groups of columns
			own |= c.header.terms
		}
		c.header = intro{block: i, terms: own}
		return
	}
	u := c.add(i, b.ByteStart, b.ByteEnd)
	u.header, u.headerOwn = c.header.block, c.header.terms
	if strings.Contains(s, "\t") {
		u.label = c.labelled(c.doc.CellText(i, 0))
	}
	for _, above := range c.reachingInto(i) {
		for _, cell := range c.spannedFrom(i, above) {
			own, _, _ := c.scan(cell, 0, c.lex, false)
			u.around |= own
		}
	}
}

// reachingInto are the rows above a row that have a cell which reaches down into it.
func (p *page) reachingInto(row int) (out []int) {
	for _, s := range p.doc.Blocks[row].Spanned {
		if s.Block < row && !slices.Contains(out, s.Block) {
			out = append(out, s.Block)
		}
	}
	return out
}

// spannedFrom are the cells of a row above that reach down into a row.
func (p *page) spannedFrom(row, above int) (out []string) {
	for _, s := range p.doc.Blocks[row].Spanned {
		if s.Block == above {
			out = append(out, p.doc.CellText(row, s.Column))
		}
	}
	return out
}

// defined remembers a term. Several may share one definition.
func (c *cutter) defined(i int) {
	own, fits := c.heading(parenthesis().ReplaceAllString(c.doc.BlockText(i), ""))
	if c.term.block >= 0 && i > 0 && c.doc.Blocks[i-1].Kind == wstk.BlockTerm {
		own |= c.term.terms
		fits = fits || c.term.fits
	}
	c.term = intro{i, own, fits}
}

func (c *cutter) definition(i int) {
	from := len(c.units)
	c.sentences(i)
	for k := from; k < len(c.units); k++ {
		u := &c.units[k]
		u.header, u.headerOwn, u.defines = c.term.block, c.term.terms, c.term.fits
	}
}

// prose cuts all other blocks.
func (c *cutter) prose(i int) {
	b, s := c.doc.Blocks[i], c.doc.BlockText(i)
	if b.Kind == wstk.BlockHeading || i > c.question.block+maxReply ||
		c.question.block >= 0 && b.Section != c.doc.Blocks[c.question.block].Section {
		c.question = intro{block: -1}
	}
	asks := len(s) <= wholeItem && isQuestion(s)
	from := len(c.units)
	c.addUnits(i)
	for k := from; k < len(c.units); k++ {
		u := &c.units[k]
		u.asks = asks
		if c.question.terms != 0 && !asks {
			u.header, u.headerOwn, u.defines = c.question.block, c.question.terms, c.question.fits
		}
	}
	if asks {
		own, synonym, _ := c.scan(s, b.ByteStart, c.lex, false)
		_, fits := c.heading(s)
		c.question = intro{i, own | synonym, fits}
	}
}

// addUnits adds the units of a block by its kind.
func (p *page) addUnits(i int) {
	b := p.doc.Blocks[i]
	switch {
	case b.Kind == wstk.BlockCode:
		p.lines(i)
	case b.Kind == wstk.BlockHeading,
		b.Kind == wstk.BlockListItem && b.ByteEnd-b.ByteStart <= wholeItem:
		p.add(i, b.ByteStart, b.ByteEnd)
	default:
		p.sentences(i)
	}
}

// maxReply is how many blocks answer a question.
const maxReply = 8

// openingOf finds the first paragraph of the main text that says something.
func openingOf(d *wstk.Document) int {
	const least = 40
	for i, b := range d.Blocks {
		if b.Main && (b.Kind == wstk.BlockParagraph || b.Kind == wstk.BlockDefinition ||
			b.Kind == wstk.BlockOther) && b.ByteEnd-b.ByteStart >= least {
			return i
		}
	}
	return -1
}

// drop removes the units that must not be quoted, and what introduces others
// where that must not be: what avoid names, and what the page itself takes back.
func (p *page) drop() {
	kept := make([]unit, 0, len(p.units))
	for _, u := range p.units {
		if p.avoid(p.doc.URL, u.start, u.end) {
			continue
		}
		if u.header >= 0 {
			if b := p.doc.Blocks[u.header]; p.avoid(p.doc.URL, b.ByteStart, b.ByteEnd) ||
				p.taken(b.ByteStart, b.ByteEnd) {
				u.header, u.headerOwn = -1, 0
			}
		}
		kept = append(kept, p.keep(u)...)
	}
	p.units = kept
}

// surround gives each unit what the rest of its block says, and for a definition
// what its other paragraphs do.
func (p *page) surround() {
	for i := 0; i < len(p.units); {
		var all termSet
		j := i
		for ; j < len(p.units) && p.units[i].with(&p.units[j]); j++ {
			all |= p.units[j].own
		}
		for k := i; k < j; k++ {
			p.units[k].around |= all
		}
		i = j
	}
}

// with reports whether two units are parts of one thing.
func (u *unit) with(v *unit) bool {
	return u.block == v.block || u.kind == wstk.BlockDefinition && v.kind == wstk.BlockDefinition &&
		u.header == v.header && u.header >= 0
}

// introduces reports whether a paragraph announces what follows it.
func introduces(s string) bool {
	return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")
}

// lastLine is the end of a paragraph, the part that introduces a list.
func lastLine(s string) string {
	const enough = 400
	if len(s) > enough {
		s = s[len(s)-enough:]
	}
	return s
}

// sentences adds the sentences of a block. Tokens are made once for the block and
// dealt out.
func (p *page) sentences(i int) {
	b := p.doc.Blocks[i]
	s := p.doc.BlockText(i)
	ranges := phrased(s, text.Sentences(s, p.lang))
	if len(ranges) <= 1 {
		p.add(i, b.ByteStart, b.ByteEnd)
		return
	}
	var before termSet
	from := len(p.units)
	var last text.Range
	for k, r := range ranges {
		u := p.add(i, b.ByteStart+r.Start, b.ByteStart+r.End)
		u.start = b.ByteStart + p.pair(last, r, b.ByteStart)
		u.paired = u.start < b.ByteStart+r.Start
		last = r
		u.first = k == 0
		u.before = before
		before = u.own
		if len(p.units)-from >= maxUnits {
			return
		}
	}
}

// lines adds the lines of a code block that are not blank.
func (p *page) lines(i int) {
	b := p.doc.Blocks[i]
	s := p.doc.BlockText(i)
	for at := 0; at < len(s) && len(p.units) < maxUnits; {
		end := strings.IndexByte(s[at:], '\n')
		if end < 0 {
			end = len(s)
		} else {
			end += at
		}
		if line := strings.TrimSpace(s[at:end]); line != "" {
			start := at + strings.Index(s[at:end], line)
			p.add(i, b.ByteStart+start, b.ByteStart+start+len(line))
		}
		at = end + 1
	}
}

func (p *page) add(block, start, end int) *unit {
	u := unit{block: block, start: start, end: end, header: -1, first: true}
	b := p.doc.Blocks[block]
	u.kind, u.section = p.doc.KindAt(block), b.Section
	from := len(p.marks)
	u.own, u.synonym, u.words = p.scan(p.doc.Text[start:end], start, p.lex, true)
	u.synonym &^= u.own
	u.marks = [2]int{from, len(p.marks)}
	if u.own != 0 && u.kind != wstk.BlockTableRow && u.kind != wstk.BlockCode {
		if l, _, ok := splitLabel(p.doc.Text[start:end]); ok {
			u.label = p.labelled(l)
		}
	}
	p.units = append(p.units, u)
	return &p.units[len(p.units)-1]
}

// scan looks for the query's terms in s, which begins at byte offset at. Words are
// counted once, whatever tokens they have; stop words are none.
func (p *page) scan(s string, at int, lex *lex, keep bool) (own, synonym termSet, words int) {
	end := 0
	var found []mark // where there are names to look for
	for _, t := range text.Tokenize(s, p.lang) {
		if !t.Stop && t.Start >= end {
			words++
			end = t.End
		}
		if i, ok := lex.exact[t.Text]; ok {
			own |= 1 << uint(i)
			if len(lex.names) > 0 {
				found = append(found, mark{term: i, start: t.Start, end: t.End})
			}
			if keep {
				p.marks = append(p.marks, mark{i, at + t.Start, at + t.End, false})
			}
		} else if i, ok := lex.like(t.Text); ok && !t.Stop {
			synonym |= 1 << uint(i)
			if keep {
				p.marks = append(p.marks, mark{i, at + t.Start, at + t.End, true})
			}
		} else if i, ok := lex.akin(t.Text); ok {
			synonym |= 1 << uint(i)
		}
	}
	for k, n := range lex.names { // "shared buffers" is next to shared_buffers
		if own&n.parts == n.parts && adjoin(found, n.parts) {
			synonym |= 1 << uint(lex.index[k])
		}
	}
	return own, synonym, words
}

// adjoin reports whether marks of all the terms are side by side.
func adjoin(ms []mark, terms termSet) bool {
	var run termSet
	end := 0
	for _, m := range ms {
		if !terms.has(m.term) {
			continue
		}
		if m.start > end+1 {
			run = 0
		}
		run |= 1 << uint(m.term)
		end = m.end
		if run == terms {
			return true
		}
	}
	return false
}

// passage is what recall found of a page.
type passage struct {
	start, end, rank int
	score            float64
	alike            float64 // cosine with the question, where vectors found it
}

// found notes how recall ranked the page, and returns its passages in their order.
func (p *page) found(hits []wstk.Hit) []passage {
	var ps []passage
	p.unranked = len(hits) == 0
	for _, h := range hits {
		if h.URL == p.doc.URL && h.Rank > 0 {
			p.ranked = max(p.ranked, 1/math.Sqrt(float64(h.Rank)))
		}
		if h.Span != nil && h.TextSHA256 == p.doc.TextSHA256 {
			ps = append(ps, passage{h.Span.ByteStart, h.Span.ByteEnd, h.Rank, h.Score,
				alikeOf(h)})
		}
	}
	sort.Slice(ps, func(i, j int) bool { return ps[i].start < ps[j].start })
	return ps
}

// alikeOf is the score that the leg of vectors gave a hit; 0 if it did not find it.
func alikeOf(h wstk.Hit) float64 {
	for _, l := range h.Legs {
		if l.Name == "vector" {
			return l.Score
		}
	}
	return 0
}

// rankBy gives each unit the rank of the best passage that holds it.
func (p *page) rankBy(hits []wstk.Hit) {
	ps := p.found(hits)
	p.passages = make([]termSet, len(ps))
	top, next := bestScores(hits)
	k := 0
	for i := range p.units {
		u := &p.units[i]
		u.passage = -1
		for k < len(ps) && ps[k].end <= u.start {
			k++
		}
		for j := k; j < len(ps) && ps[j].start < u.end; j++ {
			p.passages[j] |= u.own | u.synonym | u.headerOwn
			if u.rank == 0 || ps[j].rank < u.rank {
				u.rank, u.passage, u.alike = ps[j].rank, j, ps[j].alike
			}
		}
		switch {
		case u.passage < 0:
		case top <= 0: // hits without scores count by their ranks
			u.recalled = 1 / math.Sqrt(float64(u.rank))
		default:
			u.recalled = ps[u.passage].score / top
			if u.rank == 1 {
				u.standsOut = (top - next) / top
			}
		}
	}
}

// bestScores returns the highest score of some hits and the next one.
func bestScores(hits []wstk.Hit) (top, next float64) {
	for _, h := range hits {
		switch {
		case h.Score > top:
			top, next = h.Score, top
		case h.Score > next:
			next = h.Score
		}
	}
	return top, next
}
