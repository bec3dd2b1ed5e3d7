package read

import (
	"golang.org/x/net/html/atom"

	"wstk/shared/wstk"
)

// complete mends a choice of blocks where it would tear a text apart: the
// heading over chosen blocks belongs to them, and so does a gap within a part of
// the page that is chosen nearly whole. The score looks at blocks, a reader at
// chapters.
func (p *page) complete(main []bool, odds []float64) {
	p.addHeadings(main, odds)
	p.addTitle(main, odds)
}

// addHeadings chooses headings whose next block is chosen.
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

// related tells whether two blocks stand in the same part of the page: their
// nearest common ancestor is at most five levels above the first.
func (p *page) related(i, k int) bool {
	other := p.blocks[k].owner
	e := p.blocks[i].owner
	for range 6 {
		if e < 0 {
			return false
		}
		if other >= e && other < p.els[e].end {
			return true
		}
		e = p.els[e].parent
	}
	return false
}

// addTitle chooses the first heading of level 1 where only short lines stand
// between it and the first chosen block.
func (p *page) addTitle(main []bool, odds []float64) {
	title := -1
	for i := range main {
		if main[i] {
			break
		}
		if b := &p.blocks[i]; b.Kind == wstk.BlockHeading && b.Level == 1 && odds[i] > -4 {
			title = i
		}
	}
	if title < 0 {
		return
	}
	for i := title + 1; i < len(main) && i <= title+7; i++ {
		if main[i] {
			main[title] = true
			return
		}
	}
}

// wholeStructures makes tables and lists whole: one of whose text at least share
// is chosen is chosen altogether.
func (p *page) wholeStructures(main []bool, share float64) {
	text, kept := make([]int32, len(p.els)), make([]int32, len(p.els))
	for i := range p.blocks {
		b := &p.blocks[i]
		text[b.owner] += int32(b.bytes())
		if main[i] {
			kept[b.owner] += int32(b.bytes())
		}
	}
	for e := len(p.els) - 1; e > 0; e-- {
		if up := p.els[e].parent; up >= 0 {
			text[up] += text[e]
			kept[up] += kept[e]
		}
	}
	for i := range p.blocks {
		if main[i] || p.blocks[i].control {
			continue
		}
		for e, up := p.blocks[i].owner, 0; e > 0 && up < 12; e, up = p.els[e].parent, up+1 {
			switch p.els[e].tag() {
			case atom.Ul, atom.Ol, atom.Dl, atom.Tbody, atom.Thead, atom.Table:
				if p.els[e].tag() == atom.Table && p.blocks[i].Table == 0 {
					continue
				}
				if float64(kept[e]) >= share*float64(text[e]) {
					main[i] = true
				}
			}
			if main[i] {
				break
			}
		}
	}
}

// betweenChosen chooses blocks of a kind that stand between two chosen ones.
func (p *page) betweenChosen(main []bool, odds []float64, least float64, is func(b *block) bool) {
	for i := 1; i+1 < len(main); i++ {
		if main[i] || !main[i-1] || odds[i] < least || !is(&p.blocks[i]) {
			continue
		}
		k := i + 1
		for k < len(main) && k < i+4 && !main[k] && is(&p.blocks[k]) {
			k++
		}
		if k < len(main) && main[k] {
			main[i] = true
		}
	}
}
