package extract

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// blockRange is a range of blocks of a Document, end exclusive; empty if they are equal.
type blockRange struct{ from, to int }

func (r blockRange) empty() bool { return r.from >= r.to }

func (r blockRange) holds(block int) bool { return r.from <= block && block < r.to }

// mostLed is how many of the blocks that a sentence leads to count as its own words.
const mostLed = 24

// leadsTo returns the blocks that block i introduces: the code right below it, or the list,
// the table, the terms or the quotation if its last words announce them.
func (p *page) leadsTo(i int) (r blockRange) {
	d := p.doc
	next := i + 1
	if next >= len(d.Blocks) || !p.mayLead(i) || d.Blocks[next].Section != d.Blocks[i].Section {
		return r
	}
	kind := kindOf(d.Blocks[next], d.BlockText(next))
	if kind != wstk.BlockCode && !p.words.announce(d.BlockText(i)) {
		return r
	}
	switch kind {
	case wstk.BlockListItem:
		if d.Blocks[i].Kind == wstk.BlockListItem && d.Blocks[next].Level <= d.Blocks[i].Level {
			return r // the next item, not one below it
		}
	case wstk.BlockCode, wstk.BlockTableRow, wstk.BlockTerm, wstk.BlockQuote:
	default:
		return r
	}
	return blockRange{next, p.endOfRun(next, kind)}
}

// mayLead reports whether a block is of a kind that may introduce others.
func (p *page) mayLead(i int) bool {
	switch kindOf(p.doc.Blocks[i], p.doc.BlockText(i)) {
	case wstk.BlockParagraph, wstk.BlockOther, wstk.BlockListItem, wstk.BlockDefinition,
		wstk.BlockCaption:
		return true
	}
	return false
}

// endOfRun returns where a run of blocks of one kind ends. Code belongs to the items of a
// list, definitions to their terms.
func (p *page) endOfRun(from int, kind wstk.BlockKind) int {
	d := p.doc
	level := d.Blocks[from].Level
	i := from + 1
	for ; i < len(d.Blocks) && d.Blocks[i].Section == d.Blocks[from].Section; i++ {
		b := d.Blocks[i]
		k := kindOf(b, d.BlockText(i))
		same := k == kind
		switch kind {
		case wstk.BlockListItem:
			same = same && b.Level >= level || k == wstk.BlockCode
		case wstk.BlockTerm:
			same = same || k == wstk.BlockDefinition || k == wstk.BlockCode
		case wstk.BlockTableRow:
			same = same && b.Table == d.Blocks[from].Table
		}
		if !same {
			break
		}
	}
	return i
}

// announce reports whether a text ends as a lead-in does: with a colon, with words such as
// "as follows", or with a sentence that names what follows: "Use the following options."
func (ps unitWords) announce(s string) bool {
	s = lastSentence(s)
	if introduces(s) {
		return true
	}
	s = text.FoldCompare(strings.TrimRight(s, " .…。"))
	if endsWithAny(s, ps["lead ends"]) {
		return true
	}
	return holdsWord(s, ps["leads"])
}

// endsWithAny reports whether a text ends with one of some phrases, as whole words where the
// script has spaces.
func endsWithAny(s string, phrases map[string]bool) bool {
	end, at := len(s), len(s)
	for n := 0; n < longestPhrase && at > 0; n++ {
		at = strings.LastIndexFunc(s[:at], unicode.IsSpace)
		if phrases[strings.TrimLeft(s[at+1:end], "(,“\"")] {
			return true
		}
	}
	if r, _ := utf8.DecodeLastRuneInString(s); unspaced(string(r)) {
		for phrase := range phrases {
			if strings.HasSuffix(s, phrase) {
				return true
			}
		}
	}
	return false
}

// holdsWord reports whether a text holds one of some phrases.
func holdsWord(s string, phrases map[string]bool) bool {
	for phrase := range phrases {
		first, _ := utf8.DecodeRuneInString(phrase)
		if unspaced(string(first)) && strings.Contains(s, phrase) ||
			strings.Contains(s, phrase) && wordIndex(s, phrase) >= 0 {
			return true
		}
	}
	return false
}

// lead marks the last sentence before what a block introduces, and gives each its place in
// the other: the sentence is the header of what it leads to. It is called when the units of a
// page are complete.
func (p *page) lead() {
	for i := range p.units {
		u := &p.units[i]
		if i+1 < len(p.units) && p.units[i+1].block == u.block || u.asks {
			continue
		}
		u.leads = p.leadsTo(u.block)
		for k := i + 1; k < len(p.units) && u.leads.holds(p.units[k].block); k++ {
			v := &p.units[k]
			if v.block < u.leads.from+mostLed {
				u.led |= v.own | v.synonym
			}
			switch v.kind {
			case wstk.BlockDefinition: // its term stands closer
			case wstk.BlockTableRow:
				v.before |= u.around
				if v.header < 0 {
					v.header, v.headerOwn = u.block, u.around
				}
			default: // of two lead-ins the nearer one, which comes later
				v.header, v.headerOwn, v.defines = u.block, u.around, false
			}
		}
	}
}

// listed claims what the block of a chosen sentence introduces: each item, row, definition or
// piece of code by itself, at most most of them.
func (p *page) listed(u *unit, most int) []wstk.Claim {
	var out []wstk.Claim
	for _, q := range p.parts(u, most) {
		out = append(out, wstk.Claim{Statement: q[0].Words,
			Support: wstk.SupportDirect, Proposed: q})
	}
	return out
}

// parts quotes what the block of a unit introduces, at most most parts: each as the quote
// itself and, of a definition, that of its term.
func (p *page) parts(u *unit, most int) (out [][]wstk.Proposal) {
	d := p.doc
	leads := p.leadsTo(u.block)
	term := -1
	for i := leads.from; i < leads.to && len(out) < most; i++ {
		b := d.Blocks[i]
		if b.Kind == wstk.BlockTerm {
			term = i
			continue
		}
		if b.IsHeader || p.avoid(d.URL, b.ByteStart, b.ByteEnd) {
			continue
		}
		start, end := p.fit(b.ByteStart, b.ByteEnd, p.marksIn(b.ByteStart, b.ByteEnd), nil)
		q := p.propose(start, end)
		if q.Words == "" {
			continue
		}
		part := []wstk.Proposal{q}
		if b.Kind == wstk.BlockDefinition && term >= 0 {
			part = append(part, p.block(term))
		}
		out = append(out, part)
	}
	return out
}

// marksIn are the marks between two bytes of the text.
func (p *page) marksIn(start, end int) []mark {
	from := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].start >= start })
	to := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].start >= end })
	return p.marks[from:to]
}
