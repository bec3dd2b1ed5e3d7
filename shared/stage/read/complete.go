package read

import (
	"strings"

	"golang.org/x/net/html/atom"

	"wstk/shared/wstk"
)

// complete mends a choice of blocks where it would tear a text apart: a table or
// list of terms of which most is chosen is chosen whole, and so are the heading over
// chosen blocks and the title of the page. The score looks at blocks, a reader
// at chapters.
func (p *page) complete(main []bool, odds []float64, f *facts) {
	p.fillGaps(main, odds)
	p.addHeadings(main, odds)
	p.addTitle(main, f)
}

// title returns the heading that the page is named after: the first of level 1
// or 2 whose words stand in the page's title, else the first of level 1, else -1.
func (p *page) title(f *facts) int {
	named := strings.ToLower(f.first("og:title"))
	if named == "" {
		named = strings.ToLower(f.title)
	}
	h1 := -1
	for i := range p.blocks {
		b := &p.blocks[i]
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

// addTitle chooses the title heading of the page where the main content begins
// within a few lines under it: a reader of the content wants its name, though
// the score, fitted on labels that keep titles apart, may leave it out.
func (p *page) addTitle(main []bool, f *facts) {
	t := p.title(f)
	if t < 0 || main[t] {
		return
	}
	for i, between := t+1, 0; i < len(main) && i <= t+4 && between < 400; i++ {
		if main[i] {
			main[t] = true
			return
		}
		between += p.blocks[i].bytes()
	}
}

// addHeadings chooses headings whose next block is chosen: a part of a text is
// read with its name.
func (p *page) addHeadings(main []bool, odds []float64) {
	for i := len(main) - 2; i >= 0; i-- {
		if !main[i] && main[i+1] && p.blocks[i].Kind == wstk.BlockHeading && odds[i] > -3 && p.related(i, i+1) {
			if p.blocks[i+1].Kind == wstk.BlockHeading && p.blocks[i+1].Level < p.blocks[i].Level {
				continue
			}
			main[i] = true
		}
	}
}

// related reports whether two blocks stand in the same part of the page: their
// nearest common ancestor is at most five levels above the first.
func (p *page) related(i, k int) bool {
	other := p.blocks[k].owner
	e := p.blocks[i].owner
	for range 6 {
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

// fillGaps chooses what was left out of parts of the page that are chosen: code
// among chosen blocks, prose with chosen blocks on both sides, and all of a table or list of terms of which more than half
// is chosen, whatever the score says of them. On a page with much code or many
// terms, a manual, it also fills parts that are chosen nearly whole, unless the
// score is sure that a block is no content.
func (p *page) fillGaps(main []bool, odds []float64) {
	technical := 0
	for i := range p.blocks {
		if k := p.blocks[i].Kind; main[i] && (k == wstk.BlockCode || k == wstk.BlockTerm) {
			technical++
		}
	}
	manual := technical >= 3
	text, kept := make([]int32, len(p.Els)), make([]int32, len(p.Els))
	for i := range p.blocks {
		b := &p.blocks[i]
		text[b.owner] += int32(b.bytes())
		if main[i] {
			kept[b.owner] += int32(b.bytes())
		}
	}
	for e := len(p.Els) - 1; e > 0; e-- {
		if up := p.Els[e].Parent; up >= 0 {
			text[up] += text[e]
			kept[up] += kept[e]
		}
	}
	// Whether one of the three blocks on that side is chosen.
	before, after := make([]bool, len(main)), make([]bool, len(main))
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
	for i := range main {
		b := &p.blocks[i]
		if main[i] || b.control {
			continue
		}
		if b.Kind == wstk.BlockCode && before[i] || b.prose() && before[i] && after[i] && odds[i] > -3 {
			main[i] = true
			continue
		}
		for e, up := b.owner, 0; e > 0 && up < 12 && !main[i]; e, up = p.Els[e].Parent, up+1 {
			part := float64(kept[e]) / float64(max(1, text[e]))
			near := manual && part >= 0.8 && odds[i] > -2
			switch p.Els[e].Tag() {
			case atom.Body:
			case atom.Dl:
				main[i] = part >= 0.6 || near
			case atom.Table, atom.Tbody, atom.Thead, atom.Tr:
				main[i] = part >= 0.6 && b.Table > 0 || near
			default:
				main[i] = near
			}
		}
	}
}
