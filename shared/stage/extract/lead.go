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

// leadsTo returns the blocks that block i introduces, see Document.LedBy.
func (p *page) leadsTo(i int) blockRange {
	from, to := p.doc.LedBy(i, p.words.announce)
	return blockRange{from, to}
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
	line := lastSentence(p.doc.BlockText(u.block))
	if p.turnedUnder(line, u.section) || p.namesDefault && p.words.ends(line).has(roleExample) {
		return nil // none of them answers by itself
	}
	for _, q := range p.parts(u, most) {
		out = append(out, wstk.Claim{Statement: q[0].Words,
			Support: wstk.SupportDirect, Proposed: q})
	}
	return out
}

// MaxList is up to how many bytes of a list, of steps or of a table are quoted for an answer that
// leads to it. LeftOut counts the rest.
const MaxList = 4000

// parts quotes what the block of a unit introduces, at most most parts and MaxList bytes: each as
// the quote itself and, of a definition, that of its term.
func (p *page) parts(u *unit, most int) (out [][]wstk.Proposal) {
	d := p.doc
	size := 0
	leads := p.leadsTo(u.block)
	term := -1
	for i := leads.from; i < leads.to && len(out) < most; i++ {
		b := d.Blocks[i]
		if b.Kind == wstk.BlockTerm {
			term = i
			continue
		}
		if b.IsHeader || p.avoid(d.URL, b.ByteStart, b.ByteEnd) ||
			p.taken(b.ByteStart, b.ByteEnd) {
			continue
		}
		start, end := p.fit(b.ByteStart, b.ByteEnd, p.marksIn(b.ByteStart, b.ByteEnd), nil)
		q := p.propose(start, end)
		if q.Words == "" {
			continue
		}
		if size += len(q.Words); size > MaxList && len(out) > 0 {
			break
		}
		part := []wstk.Proposal{q}
		if b.Kind == wstk.BlockDefinition && term >= 0 {
			part = append(part, p.block(term))
		}
		out = append(out, part)
	}
	return out
}

// leadsNowhere reports whether a unit says nothing but that something follows which the page does
// not have, or of which nothing may be quoted: "The options are:".
func (p *page) leadsNowhere(u *unit) bool {
	s := strings.TrimRight(p.text(u), " \n")
	if u.kind == wstk.BlockHeading || u.kind == wstk.BlockCode || u.kind == wstk.BlockTableRow ||
		!introduces(s) || !p.ends(u) {
		return false
	}
	return len(p.parts(u, 1)) == 0 && !p.readsOn(u.block)
}

// ends reports whether a unit is the last of its block.
func (p *page) ends(u *unit) bool {
	return strings.TrimSpace(p.doc.Text[u.end:p.doc.Blocks[u.block].ByteEnd]) == ""
}

// readsOn reports whether a paragraph of the same section follows a block: what its last line
// announces may stand there.
func (p *page) readsOn(block int) bool {
	d := p.doc
	next := block + 1
	if next >= len(d.Blocks) || d.Blocks[next].Section != d.Blocks[block].Section {
		return false
	}
	k := d.KindAt(next)
	return k == wstk.BlockParagraph || k == wstk.BlockOther || k == wstk.BlockDefinition
}

// marksIn are the marks between two bytes of the text.
func (p *page) marksIn(start, end int) []mark {
	from := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].start >= start })
	to := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].start >= end })
	return p.marks[from:to]
}

// leadOf is the unit that leads to the block of another; nil without one.
func (p *page) leadOf(u *unit) *unit {
	if u.header < 0 || !p.leadsTo(u.header).holds(u.block) {
		return nil
	}
	i := p.unitAt(p.doc.Blocks[u.header].ByteEnd) - 1
	if i < 0 || p.units[i].block != u.header {
		return nil
	}
	return &p.units[i]
}

// leadFirst puts each claim that quotes a lead-in before the claims that quote what it leads to.
func leadFirst(claims []wstk.Claim, pages []*page) []wstk.Claim {
	for k := range claims {
		for i := range k {
			if leadsToClaim(pages, claims[k], claims[i]) {
				lead := claims[k]
				copy(claims[i+1:k+1], claims[i:k])
				claims[i] = lead
				break
			}
		}
	}
	return claims
}

// leadsToClaim reports whether the first quote of line leads to that of of.
func leadsToClaim(pages []*page, line, of wstk.Claim) bool {
	if len(line.Proposed) == 0 || len(of.Proposed) == 0 {
		return false
	}
	a, b := line.Proposed[0], of.Proposed[0]
	if a.URL != b.URL || a.ByteStart < 0 || b.ByteStart < 0 {
		return false
	}
	for _, p := range pages {
		if p.doc.URL != a.URL {
			continue
		}
		i, j := p.doc.BlockAt(a.ByteStart), p.doc.BlockAt(b.ByteStart)
		return i >= 0 && j >= 0 && p.leadsTo(i).holds(j)
	}
	return false
}
