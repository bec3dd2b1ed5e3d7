package page

import (
	"maps"
	"slices"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// holding is words that are looked for in a Document.
type holding struct {
	d     *wstk.Document
	words string
}

// Lists reports whether a block of a page holds words whole, with at least half of the stems of
// a topic. A Document is searched once for the same words.
func (p *Set) Lists(d *wstk.Document, words string, topic map[string]bool) bool {
	return slices.ContainsFunc(p.holdersOf(d, words), func(i int) bool {
		both := 0
		for _, stem := range p.stemsOf(d, i) {
			if topic[stem] {
				both++
			}
		}
		return 2*both >= len(topic)
	})
}

// holdersOf are the blocks that hold words whole.
func (p *Set) holdersOf(d *wstk.Document, words string) []int {
	key := holding{d, words}
	out, known := p.holders[key]
	if known {
		return out
	}
	p.Tick()
	for at := range text.Places(d.Text, words) {
		i := d.BlockAt(at)
		if i < 0 || len(out) > 0 && out[len(out)-1] == i {
			continue
		}
		from := at - d.Blocks[i].ByteStart
		if s := d.BlockText(i); from+len(words) <= len(s) && text.Whole(s, from, from+len(words)) {
			out = append(out, i)
		}
	}
	p.holders[key] = out
	return out
}

// stemsOf are the stems of a block, each once, without stop words.
func (p *Set) stemsOf(d *wstk.Document, block int) []string {
	if p.content[d] == nil {
		p.content[d] = make([][]string, len(d.Blocks))
	}
	if p.content[d][block] == nil {
		p.Tick()
		p.content[d][block] = slices.AppendSeq([]string{}, maps.Keys(
			wording.Content(d.BlockText(block), d.Meta.Language)))
	}
	return p.content[d][block]
}
