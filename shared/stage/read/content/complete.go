package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"wstk/shared/wstk"
)

// complete corrects a choice of blocks where the score, which looks at single blocks, would
// tear a text apart. A table or list of terms is chosen whole if most of it is chosen. So
// are the heading over chosen blocks and the title of the page. Articles lose lists of
// links to other pages.
func (p *Page) complete(main []bool, odds []float64) {
	p.fillGaps(main, odds)
	p.addHeadings(main, odds)
	p.dropLinkLists(main)
	p.addTitle(main)
}

// minLinkList is how many links in a row are a list of other pages.
const minLinkList = 3

// dropLinkLists takes lists of links out of the choice on the page of an article: what to
// read next, and the news of the day. Listings that call themselves articles keep theirs:
// little of what is chosen there is prose.
func (p *Page) dropLinkLists(main []bool) {
	if !p.Kind().Article || !p.mostlyProse(main) {
		return
	}
	for i := 0; i < len(main); {
		end, links := i, 0
		for end < len(main) && (p.isLink(end) || p.Blocks[end].Kind == wstk.BlockHeading) {
			if p.Blocks[end].Kind != wstk.BlockHeading {
				links++
			}
			end++
		}
		next := max(end, i+1)
		for end > i && !p.isLink(end-1) {
			end-- // a heading over what follows the list
		}
		if links >= minLinkList {
			for k := i; k < end; k++ {
				if b := &p.Blocks[k]; b.Kind != wstk.BlockHeading || b.Level > 1 {
					main[k] = false
				}
			}
		}
		i = next
	}
}

// mostlyProse reports whether at least half of the chosen text reads as prose.
func (p *Page) mostlyProse(main []bool) bool {
	prose, all := 0, 0
	for i := range main {
		if main[i] {
			all += p.Blocks[i].bytes()
			if p.Blocks[i].prose() {
				prose += p.Blocks[i].bytes()
			}
		}
	}
	return prose*2 >= all
}

// isLink reports whether a block is links and little else.
func (p *Page) isLink(i int) bool {
	return p.Blocks[i].LinkBytes*5 >= p.Blocks[i].bytes()*4
}

// title returns the heading that the page is named after: the first of level 1 or 2
// whose words stand in the page's title, else the first of level 1, else -1.
func (p *Page) title() int {
	named := strings.ToLower(p.Says.Title)
	h1 := -1
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Kind != wstk.BlockHeading || b.Level > 2 {
			continue
		}
		if t := strings.ToLower(p.blockText(i)); len(t) > 8 && strings.Contains(named, t) {
			return i
		}
		if h1 < 0 && b.Level == 1 {
			h1 = i
		}
	}
	return h1
}

// addTitle chooses the title heading of the page if the main content begins within a few
// lines under it. The score may leave it out, because the labels it was fitted on keep
// titles apart, but the main content should have its name.
func (p *Page) addTitle(main []bool) {
	t := p.title()
	if t < 0 || main[t] {
		return
	}
	for i, between := t+1, 0; i < len(main) && i <= t+4 && between < 400; i++ {
		if main[i] {
			main[t] = true
			return
		}
		between += p.Blocks[i].bytes()
	}
}

// addHeadings chooses headings whose next block is chosen: a section needs its heading.
func (p *Page) addHeadings(main []bool, odds []float64) {
	for i := len(main) - 2; i >= 0; i-- {
		if main[i] || !main[i+1] || p.Blocks[i].Kind != wstk.BlockHeading || odds[i] <= -3 ||
			!p.related(i, i+1, 5) {
			continue
		}
		next := &p.Blocks[i+1]
		main[i] = next.Kind != wstk.BlockHeading || next.Level >= p.Blocks[i].Level
	}
}

// related reports whether two blocks stand in the same part of the page: their nearest
// common ancestor is at most up levels above the element of the first.
func (p *Page) related(i, k, up int) bool {
	other := p.Blocks[k].Owner
	e := p.Blocks[i].Owner
	for range up + 1 {
		if e < 0 {
			return false
		}
		if other >= e && other < p.Els[e].End {
			return true
		}
		e = p.Els[e].Parent
	}
	return false
}

// fillGaps chooses what was left out of parts of the page that are chosen: code among
// chosen blocks, prose with chosen blocks on both sides, and all of a table or list of
// terms of which more than half is chosen, whatever their score. On a page
// with much code or many terms, a manual, it also fills parts that are chosen nearly
// whole, unless the score is sure that a block is not content.
func (p *Page) fillGaps(main []bool, odds []float64) {
	technical := 0
	for i := range p.Blocks {
		if k := p.Blocks[i].Kind; main[i] && (k == wstk.BlockCode || k == wstk.BlockTerm) {
			technical++
		}
	}
	p.fillHoles(main, odds)
	chosen := p.chosenParts(main)
	before, after := near(main)
	for i := range main {
		b := &p.Blocks[i]
		switch {
		case main[i] || b.Control:
		case b.Kind == wstk.BlockCode && before[i],
			b.prose() && before[i] && after[i] && odds[i] > -3:
			main[i] = true
		default:
			main[i] = p.inChosenPart(b, chosen, technical >= 3 && odds[i] > -2)
		}
	}
}

// maxHole is how many blocks in a row may be left out between chosen ones by mistake.
const maxHole = 2

// fillHoles chooses blocks between chosen ones that stand in the same element: the
// synopsis of a command between its heading and its description.
func (p *Page) fillHoles(main []bool, odds []float64) {
	last := -1 // the last chosen block
	for i := range main {
		if !main[i] {
			continue
		}
		if hole := i - last - 1; last >= 0 && hole > 0 && hole <= maxHole {
			for k := last + 1; k < i; k++ {
				b := &p.Blocks[k]
				main[k] = !b.Control && b.LinkBytes*3 < b.bytes() && odds[k] > -3 &&
					p.related(last, k, 2) && p.related(k, i, 2)
			}
		}
		last = i
	}
}

// inChosenPart reports whether a block stands in a table or list of terms that is mostly
// chosen, or, where any part may be filled, in any part that is chosen nearly whole.
func (p *Page) inChosenPart(b *Block, chosen []float64, any bool) bool {
	for e, up := b.Owner, 0; e > 0 && up < 12; e, up = p.Els[e].Parent, up+1 {
		most := chosen[e] >= 0.6
		switch p.Els[e].Tag() {
		case atom.Body:
			continue
		case atom.Dl:
		case atom.Table, atom.Tbody, atom.Thead, atom.Tr:
			most = most && b.Table > 0
		default:
			most = false
		}
		if most || any && chosen[e] >= 0.8 {
			return true
		}
	}
	return false
}

// chosenParts returns which part of the text of each element is chosen.
func (p *Page) chosenParts(main []bool) []float64 {
	text, kept := make([]int32, len(p.Els)), make([]int32, len(p.Els))
	for i := range p.Blocks {
		b := &p.Blocks[i]
		text[b.Owner] += int32(b.bytes())
		if main[i] {
			kept[b.Owner] += int32(b.bytes())
		}
	}
	out := make([]float64, len(p.Els))
	for e := len(p.Els) - 1; e >= 0; e-- {
		if up := p.Els[e].Parent; up >= 0 {
			text[up] += text[e]
			kept[up] += kept[e]
		}
		out[e] = float64(kept[e]) / float64(max(1, text[e]))
	}
	return out
}

// near returns for each block whether one of the three blocks before it is chosen, and
// one of the three after it.
func near(main []bool) (before, after []bool) {
	before, after = make([]bool, len(main)), make([]bool, len(main))
	last := -9
	for i := range main {
		before[i] = i-last <= 3
		if main[i] {
			last = i
		}
	}
	last = len(main) + 9
	for i := len(main) - 1; i >= 0; i-- {
		after[i] = last-i <= 3
		if main[i] {
			last = i
		}
	}
	return before, after
}
