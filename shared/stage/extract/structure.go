package extract

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// item is one of several like things on a page.
type item struct {
	page  *page
	group *group
	title string // verbatim on the page, or a literal of structured data
	span  extent // of the Document text; empty for structured data
	data  *wstk.Place
	link  string // a page of its own, if it has one
	own   termSet
	named termSet // in a titled group, those of its title
}

// group is a run of like things: rows of a table, items of a list, sections of
// one level, terms with definitions, repeated blocks, items of structured data,
// pages of one kind.
type group struct {
	page   *page
	what   string // for the rationale
	label  string // what the page calls it
	items  []item
	strong termSet // terms in what introduces it: heading, caption, header row
	weak   termSet // terms above: outer headings, the page's title and address
	main   bool
	loose  bool // like things by their words only
	titled bool // of the items only the titles say what they are: sections
	fits   bool // its heading is mostly words of the query
	turned bool // the line or the heading over it denies what is asked
	at     extent
	score  float64
}

// minItems is how many like things make a group.
const minItems = 2

// groups finds the repeated structures of a page.
func (p *page) groups() []group {
	var gs []group
	gs = append(gs, p.tableGroups()...)
	gs = append(gs, p.listGroups()...)
	gs = append(gs, p.termGroups()...)
	gs = append(gs, p.sectionGroups()...)
	gs = append(gs, p.cardGroups()...)
	gs = append(gs, p.paragraphGroups()...)
	gs = append(gs, p.dataGroups()...)
	kept := gs[:0]
	for _, g := range gs {
		// an item that is crossed out is none, nor is one that leads to another page
		g.items = slices.DeleteFunc(g.items, func(it item) bool {
			return it.data == nil && it.span.start < it.span.end &&
				(p.taken(it.span.start, it.span.start+1) || p.leadsAway(it.span))
		})
		if len(g.items) < minItems || g.turned {
			continue
		}
		p.context(&g)
		kept = append(kept, g)
	}
	return kept
}

// context gathers the query terms that say what a group is a group of.
func (p *page) context(g *group) {
	lex := p.lex
	g.weak |= p.title
	if u, err := url.Parse(p.doc.URL); err == nil {
		own, syn, _ := p.scan(strings.NewReplacer("/", " ", "-", " ", "_", " ", ".html", "", ".htm",
			"").Replace(u.Path), 0, lex, false)
		g.weak |= own | syn
	}
	own, syn, _ := p.scan(g.label, 0, lex, false)
	g.strong |= own | syn
	for i := range g.items {
		it := &g.items[i]
		if it.data != nil {
			continue
		}
		it.own |= p.termsIn(it.span)
		if g.titled {
			own, syn, _ := p.scan(it.title, 0, lex, false)
			it.named = own | syn
		}
	}
}

// leadsAway reports whether all that is in a range is navigation.
func (p *page) leadsAway(x extent) bool {
	i := p.unitAt(x.start)
	return i < len(p.units) && p.units[i].start < x.end && p.units[i].end >= x.end &&
		p.navigates(&p.units[i], p.text(&p.units[i]))
}

// termsIn unites the terms of the units in a range.
func (p *page) termsIn(x extent) termSet {
	var s termSet
	for i := p.unitAt(x.start); i < len(p.units) && p.units[i].start < x.end; i++ {
		s |= p.units[i].own | p.units[i].synonym
	}
	return s
}

// unitAt is the first unit that starts at or after a byte.
func (p *page) unitAt(at int) int {
	lo, hi := 0, len(p.units)
	for lo < hi {
		mid := (lo + hi) / 2
		if p.units[mid].start < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// around sets a group's context from the section of its first block and
// from a paragraph that introduces it.
func (p *page) around(g *group, block int) {
	b := p.doc.Blocks[block]
	g.main = b.Main
	if b.Section >= 0 && b.Section < len(p.sections) {
		g.strong |= p.sections[b.Section].near
		g.weak |= p.sections[b.Section].far
		g.fits = p.sections[b.Section].fits
		g.label = p.doc.Sections[b.Section].Title
		g.turned = p.deniedIn(g.label)&^p.denied != 0 || p.sections[b.Section].denies
	}
	for k := block - 1; k >= 0 && k >= block-2; k-- {
		prev := p.doc.Blocks[k]
		if prev.Kind == wstk.BlockCaption || prev.Kind == wstk.BlockParagraph ||
			prev.Kind == wstk.BlockOther {
			s := p.doc.BlockText(k)
			if rs := text.Sentences(s, p.lang); len(rs) > 0 {
				s = s[rs[len(rs)-1].Start:rs[len(rs)-1].End]
			}
			own, syn, _ := p.scan(s, 0, p.lex, false)
			if p.leadsTo(k).holds(block) || prev.Kind == wstk.BlockCaption {
				g.strong |= own | syn
				g.turned = p.turnedUnder(s, b.Section)
			} else {
				g.weak |= own
			}
			break
		}
	}
}

func (p *page) isRow(i int) bool {
	return p.doc.KindAt(i) == wstk.BlockTableRow
}

func (p *page) tableGroups() []group {
	var gs []group
	d := p.doc
	for i := 0; i < len(d.Blocks); i++ {
		if !p.isRow(i) {
			continue
		}
		table, first := d.Blocks[i].Table, i
		g := group{page: p, what: "rows of a table"}
		p.around(&g, first)
		name := 0
		for ; i < len(d.Blocks) && d.Blocks[i].Table == table && p.isRow(i); i++ {
			b := d.Blocks[i]
			cells := cellsOf(d.BlockText(i), b.ByteStart)
			if b.IsHeader {
				own, syn, _ := p.scan(d.BlockText(i), 0, p.lex, false)
				g.strong |= own | syn
				for k, c := range cells {
					if titleLabels[foldLabel(d.Text[c.start:c.end])] {
						name = k
					}
				}
				continue
			}
			if len(cells) < 2 {
				continue
			}
			if above, _ := d.CellAt(i, name); above != i && len(g.items) > 0 {
				g.items[len(g.items)-1].span.end = b.ByteEnd // the row above names it, too
				continue
			}
			title := d.CellText(i, name)
			for k := 0; title == "" && k < len(cells); k++ {
				title = strings.TrimSpace(d.Text[cells[k].start:cells[k].end])
			}
			if title == "" {
				continue
			}
			g.items = append(g.items,
				item{page: p, title: firstClause(title), span: extent{b.ByteStart, b.ByteEnd}})
		}
		g.at = extent{d.Blocks[first].ByteStart, d.Blocks[i-1].ByteEnd}
		i--
		gs = append(gs, g)
	}
	return gs
}

func (p *page) listGroups() []group {
	var gs []group
	d := p.doc
	for i := 0; i < len(d.Blocks); i++ {
		if d.Blocks[i].Kind != wstk.BlockListItem {
			continue
		}
		first := i
		level := d.Blocks[i].Level
		for k := i; k < len(d.Blocks) && d.Blocks[k].Kind == wstk.BlockListItem &&
			d.Blocks[k].Section == d.Blocks[first].Section; k++ {
			level = min(level, d.Blocks[k].Level)
		}
		g := group{page: p, what: "items of a list"}
		p.around(&g, first)
		links := 0
		for ; i < len(d.Blocks) && d.Blocks[i].Kind == wstk.BlockListItem &&
			d.Blocks[i].Section == d.Blocks[first].Section; i++ {
			b := d.Blocks[i]
			if b.Level > level && len(g.items) > 0 {
				g.items[len(g.items)-1].span.end = b.ByteEnd
				continue
			}
			s := strings.TrimSpace(d.BlockText(i))
			if p.anchors[s] {
				links++
			}
			g.items = append(g.items,
				item{page: p, title: p.itemTitle(s), span: extent{b.ByteStart, b.ByteEnd}})
		}
		g.at = extent{d.Blocks[first].ByteStart, d.Blocks[i-1].ByteEnd}
		i--
		if links == len(g.items) && !g.main {
			continue // a menu
		}
		gs = append(gs, g)
	}
	return gs
}

func (p *page) termGroups() []group {
	var gs []group
	d := p.doc
	for i := 0; i < len(d.Blocks); i++ {
		if d.Blocks[i].Kind != wstk.BlockTerm {
			continue
		}
		first := i
		g := group{page: p, what: "terms with definitions"}
		p.around(&g, first)
		for ; i < len(d.Blocks); i++ {
			b := d.Blocks[i]
			switch b.Kind {
			case wstk.BlockTerm:
				g.items = append(g.items, item{page: p, title: strings.TrimSpace(d.BlockText(i)),
					span: extent{b.ByteStart, b.ByteEnd}})
				continue
			case wstk.BlockHeading, wstk.BlockTableRow:
			default:
				// The text between two terms belongs to the first of them.
				if b.Kind == wstk.BlockDefinition || p.termAhead(i) {
					if n := len(g.items); n > 0 {
						g.items[n-1].span.end = b.ByteEnd
						continue
					}
				}
			}
			break
		}
		g.at = extent{d.Blocks[first].ByteStart, d.Blocks[i-1].ByteEnd}
		i--
		gs = append(gs, g)
	}
	return gs
}

// termAhead reports whether a term follows within a few blocks, with no heading
// between.
func (p *page) termAhead(i int) bool {
	const near = 12
	for k := i; k < len(p.doc.Blocks) && k < i+near; k++ {
		switch p.doc.Blocks[k].Kind {
		case wstk.BlockTerm, wstk.BlockDefinition:
			return true
		case wstk.BlockHeading:
			return false
		}
	}
	return false
}

// sectionGroups takes the sections of one level under one heading.
func (p *page) sectionGroups() []group {
	d := p.doc
	spans := p.sectionSpans()
	byParent := map[int][]int{}
	var parents []int
	for i, s := range d.Sections {
		if spans[i].start < 0 || spans[i].head < 0 || s.Parent >= i {
			continue
		}
		if byParent[s.Parent] == nil {
			parents = append(parents, s.Parent)
		}
		byParent[s.Parent] = append(byParent[s.Parent], i)
	}
	var gs []group
	for _, parent := range parents {
		children := byParent[parent]
		if len(children) < minItems {
			continue
		}
		g := group{page: p, what: "sections of one level", titled: true}
		if parent >= 0 && parent < len(p.sections) {
			g.label = d.Sections[parent].Title
			g.fits = p.sections[parent].fits
			g.strong |= p.sections[parent].near
			g.weak |= p.sections[parent].far
		}
		for _, c := range children {
			g.main = g.main || d.Blocks[spans[c].head].Main
			title := strings.TrimSpace(d.BlockText(spans[c].head))
			if title != "" {
				g.items = append(g.items, item{page: p, title: title, span: spans[c].extent})
			}
		}
		g.at = extent{spans[children[0]].start, spans[children[len(children)-1]].end}
		gs = append(gs, g)
	}
	return gs
}

// sectionSpan is the range of a section with those below it; start is -1 without blocks.
type sectionSpan struct {
	extent
	head int // the block of its heading; -1
}

// sectionSpans are the ranges of the sections of a page.
func (p *page) sectionSpans() []sectionSpan {
	const deepest = 8 // levels
	d := p.doc
	n := len(d.Sections)
	out := make([]sectionSpan, n)
	for i := range out {
		out[i] = sectionSpan{extent{start: -1}, -1}
	}
	for i, b := range d.Blocks {
		s := b.Section
		for level := 0; s >= 0 && s < n && level < deepest; level++ {
			if out[s].start < 0 {
				out[s].start = b.ByteStart
			}
			if out[s].head < 0 && b.Kind == wstk.BlockHeading && b.Section == s {
				out[s].head = i
			}
			out[s].end = b.ByteEnd
			if d.Sections[s].Parent >= s {
				break
			}
			s = d.Sections[s].Parent
		}
	}
	return out
}

// paragraphGroups finds runs of paragraphs that say similar things about one thing each: most
// begin with a word of their own, and most share a word. Tables and lists that were only
// layout become such runs when a page is read.
func (p *page) paragraphGroups() []group {
	const least, longest, share = 4, 900, 0.6
	d := p.doc
	var gs []group
	for i := 0; i < len(d.Blocks); i++ {
		first := i
		var run []int
		for ; i < len(d.Blocks); i++ {
			b := d.Blocks[i]
			if b.Kind != wstk.BlockParagraph || !b.Main || b.Section != d.Blocks[first].Section ||
				b.ByteEnd-b.ByteStart > longest {
				break
			}
			run = append(run, i)
		}
		if len(run) < least {
			continue
		}
		named := func(k int) bool {
			for _, t := range text.Tokenize(d.BlockText(k), p.lang) {
				return !t.Stop
			}
			return false
		}
		for len(run) > 0 && !named(run[0]) { // what comes before the first is the introduction
			run = run[1:]
		}
		n := 0
		seen := map[string]int{}
		for _, k := range run {
			if named(k) {
				n++
			}
			for w := range contentWords(d.BlockText(k), p.lang) {
				seen[w]++
			}
		}
		most := 0
		for _, c := range seen {
			most = max(most, c)
		}
		if len(run) < least || float64(n) < share*float64(len(run)) ||
			float64(most) < share*float64(len(run)) {
			continue
		}
		g := group{page: p, what: "paragraphs of one form", loose: true}
		p.around(&g, run[0])
		for _, k := range run {
			b := d.Blocks[k]
			g.items = append(g.items, item{page: p, title: firstClause(d.BlockText(k)),
				span: extent{b.ByteStart, b.ByteEnd}})
		}
		g.at = extent{d.Blocks[run[0]].ByteStart, d.Blocks[run[len(run)-1]].ByteEnd}
		gs = append(gs, g)
	}
	return gs
}

// cardGroups finds repeated blocks that begin with a link of their own: the cards
// of a listing, whose frames the text no longer shows.
func (p *page) cardGroups() []group {
	const longestCard = 10
	d := p.doc
	var gs []group
	var cur group
	var starts []int
	flush := func(last int) {
		if len(starts) >= 3 {
			cur.page, cur.what = p, "repeated blocks that begin with a link"
			for k, s := range starts {
				stop := last
				if k+1 < len(starts) {
					stop = starts[k+1] - 1
				}
				stop = min(stop, s+longestCard)
				cur.items = append(cur.items,
					item{page: p, title: strings.TrimSpace(d.BlockText(s)),
						span: extent{d.Blocks[s].ByteStart, d.Blocks[stop].ByteEnd}})
			}
			p.around(&cur, starts[0])
			cur.at = extent{d.Blocks[starts[0]].ByteStart, d.Blocks[last].ByteEnd}
			gs = append(gs, cur)
		}
		cur, starts = group{}, nil
	}
	for i, b := range d.Blocks {
		if b.Kind != wstk.BlockParagraph && b.Kind != wstk.BlockOther || !b.Main {
			if b.Kind == wstk.BlockHeading {
				flush(i - 1)
			}
			continue
		}
		s := strings.TrimSpace(d.BlockText(i))
		n := utf8.RuneCountInString(s)
		if n < 3 || n > 120 || !p.anchors[s] {
			continue
		}
		if len(starts) > 0 {
			switch gap := i - starts[len(starts)-1]; {
			case gap == 1:
				flush(i - 1) // links in a row are a menu
				continue
			case gap > longestCard || d.Blocks[starts[0]].Section != b.Section:
				flush(i - 1)
			}
		}
		starts = append(starts, i)
	}
	if len(d.Blocks) > 0 {
		flush(len(d.Blocks) - 1)
	}
	return gs
}
