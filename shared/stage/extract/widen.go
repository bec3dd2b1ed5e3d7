package extract

import (
	"slices"
	"sort"

	"wstk/shared/stage/extract/choice"
	"wstk/shared/wstk"
)

// A passage is quoted where no sentence is believed by itself.
const (
	maxPassage = 500 // bytes of a quoted passage
	widened    = 16  // candidates around which passages are looked at
)

// passageOf is a run of whole sentences, or of whole blocks of a section, that may be quoted.
type passageOf struct {
	page       *page
	start, end int // bytes of the Document text
}

// spans returns what may be quoted of candidates, given best first: each of the first few
// alone, and the passages around them.
func (q *question) spans(cands []*candidate) ([]choice.Span, []passageOf) {
	byPage := map[*page][]int{}
	for i, c := range cands {
		byPage[c.page] = append(byPage[c.page], i)
	}
	for _, at := range byPage {
		slices.SortStableFunc(at, func(a, b int) int {
			return cands[a].unit.start - cands[b].unit.start
		})
	}
	var out []choice.Span
	var where []passageOf
	seen := map[passageOf]bool{}
	for i, c := range cands[:min(widened, len(cands))] {
		out = append(out, q.spanOf(cands, []int{i}, c.unit.end-c.unit.start))
		where = append(where, passageOf{c.page, c.unit.start, c.unit.end})
		if q.want.hard || q.want.kind.telling() && c.value != nil { // it says what it is
			continue
		}
		for _, w := range c.passages() {
			if seen[w] {
				continue
			}
			seen[w] = true
			if holds := heldBy(cands, byPage[w.page], w); len(holds) > 1 {
				out = append(out, q.spanOf(cands, holds, w.end-w.start))
				where = append(where, w)
			}
		}
	}
	return out, where
}

// heldBy returns the candidates, of those of a page in their order, that a passage holds.
func heldBy(cands []*candidate, at []int, w passageOf) (out []int) {
	from := sort.Search(len(at), func(i int) bool { return cands[at[i]].unit.start >= w.start })
	for _, i := range at[from:] {
		if cands[i].unit.start >= w.end {
			break
		}
		if cands[i].unit.end <= w.end {
			out = append(out, i)
		}
	}
	return out
}

// spanOf describes a quote that holds some candidates.
func (q *question) spanOf(cands []*candidate, holds []int, size int) choice.Span {
	var own, like, firm termSet
	for _, i := range holds {
		own |= cands[i].unit.own
		like |= cands[i].unit.synonym
		firm |= cands[i].firm
	}
	heaviest := 0
	for i, t := range q.terms {
		if t.weight > q.terms[heaviest].weight {
			heaviest = i
		}
	}
	all := max(q.total, 1e-9)
	return choice.Span{Holds: holds, Size: size, Own: q.weightOf(own) / all,
		Alike: q.weightOf(own|like) / all, Firm: q.weightOf(own|like|firm) / all,
		Heaviest: number((own | like | firm).has(heaviest))}
}

// passages returns the runs of sentences of a candidate's block, or, where the block is short,
// the runs of blocks around it, that may be quoted as one.
func (c *candidate) passages() []passageOf {
	d, k := c.page.doc, c.unit.block
	if !joinable(d, k) {
		return nil
	}
	if d.Blocks[k].ByteEnd-d.Blocks[k].ByteStart > maxPassage {
		return c.runsOfSentences()
	}
	if c.value != nil { // what other blocks say is not about it
		return []passageOf{{c.page, d.Blocks[k].ByteStart, d.Blocks[k].ByteEnd}}
	}
	var out []passageOf
	for from := k; from >= 0 && c.joins(from) &&
		d.Blocks[k].ByteEnd-d.Blocks[from].ByteStart <= maxPassage; from-- {
		for to := k; to < len(d.Blocks) && c.joins(to) &&
			d.Blocks[to].ByteEnd-d.Blocks[from].ByteStart <= maxPassage; to++ {
			out = append(out, passageOf{c.page, d.Blocks[from].ByteStart, d.Blocks[to].ByteEnd})
		}
	}
	return out
}

// joins reports whether a block may be part of a passage around a candidate.
func (c *candidate) joins(block int) bool {
	d := c.page.doc
	b, of := d.Blocks[block], d.Blocks[c.unit.block]
	i := c.page.unitAt(b.ByteStart)
	return b.Section == of.Section && b.Main == of.Main && joinable(d, block) &&
		i < len(c.page.units) && c.page.units[i].block == block &&
		!c.page.underTurned(&c.page.units[i]) &&
		passageOf{c.page, b.ByteStart, b.ByteEnd}.quotable(block)
}

// joinable reports whether a block of a kind may be quoted with others. A row of a table is
// quoted alone, and a heading says nothing.
func joinable(d *wstk.Document, block int) bool {
	switch d.KindAt(block) {
	case wstk.BlockHeading, wstk.BlockTableRow, wstk.BlockCaption:
		return false
	}
	return true
}

// runsOfSentences returns the runs of sentences of a long block.
func (c *candidate) runsOfSentences() (out []passageOf) {
	us := c.page.units
	from := c.at
	for from > 0 && us[from-1].block == c.unit.block {
		from--
	}
	for ; from <= c.at; from++ {
		if c.unit.end-us[from].start > maxPassage {
			continue
		}
		for to := c.at; to < len(us) && us[to].block == c.unit.block &&
			us[to].end-us[from].start <= maxPassage; to++ {
			w := passageOf{c.page, us[from].start, us[to].end}
			if w.quotable(c.unit.block) {
				out = append(out, w)
			}
		}
	}
	return out
}

// quotable reports whether the site itself says all of a passage that begins in a block, takes
// none of it back, and nothing in it must be left out.
func (w passageOf) quotable(block int) bool {
	p := w.page
	return w.start < w.end && !p.avoid(p.doc.URL, w.start, w.end) && !p.taken(w.start, w.end) &&
		!p.others(&unit{block: block, start: w.start, end: w.end})
}

// widen returns a candidate whose unit is a passage that holds it.
func (c *candidate) widen(w passageOf, cands []*candidate, holds []int) *candidate {
	out, u := *c, *c.unit
	by := u.start - w.start
	u.start, u.end, u.wide = w.start, w.end, true
	u.leads = blockRange{}
	for _, i := range holds {
		u.own |= cands[i].unit.own
		u.synonym |= cands[i].unit.synonym
		out.covers |= cands[i].covers
		out.firm |= cands[i].firm
	}
	if c.value != nil {
		v := *c.value
		v.Start, v.End = v.Start+by, v.End+by
		out.value = &v
	}
	out.unit = &u
	return &out
}
