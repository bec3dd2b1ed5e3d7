package prompted

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"wstk/shared/prompt"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// WarnPassages is the code of the warning that a model was not shown all of a page.
const WarnPassages = "passages_left_out"

// page is what a model may be shown of a Document.
type page struct {
	doc    *wstk.Document
	blocks []int        // that may be shown, in order
	shown  map[int]bool // of them
	near   []int        // places in blocks of passages that recall found, best first
}

// show chooses what a model reads of the pages of a bucket, whole blocks within a budget of
// tokens. Pages on which recall found nothing have an equal share, from their beginning. Then come
// the passages that recall found on the others, best first over all pages, then the blocks beside
// them, then the beginnings. What is left out is named in warnings. docs are the pages in the
// order of their numbers, from 1.
func (e *Engine) show(
	ctx context.Context, b wstk.Bucket, budget int,
) (pages []prompt.Page, docs []*wstk.Document, warnings []wstk.Warning, err error) {
	var list []*page
	for _, u := range b.Pages {
		d, err := e.Document(ctx, u)
		if wstk.CodeOf(err) == wstk.NotFound {
			continue
		}
		if err != nil {
			return nil, nil, nil, wstk.Wrap(wstk.Internal, "reading the document of "+u, err)
		}
		var addressed []wstk.Span
		if e.Addressed != nil {
			addressed = e.Addressed(ctx, u)
		}
		list = append(list, newPage(d, b, addressed))
	}
	fill(slices.Clone(list), b.Hits, budget)
	for i, p := range list {
		docs = append(docs, p.doc)
		pages = append(pages, prompt.Page{Number: i + 1, URL: p.doc.URL, Passages: p.passages()})
		if n := len(p.blocks) - len(p.shown); n > 0 {
			warnings = append(warnings, wstk.Warning{Code: WarnPassages, URL: p.doc.URL,
				Details: map[string]int{"blocks": n, "of": len(p.blocks)},
				Message: fmt.Sprintf("The model was not shown all of this page: %d of its %d "+
					"paragraphs, rows and items are beyond the bound of a call.", n,
					len(p.blocks))})
		}
	}
	return pages, docs, warnings, nil
}

// newPage is a page of a bucket, of which nothing is shown yet.
func newPage(d *wstk.Document, b wstk.Bucket, addressed []wstk.Span) *page {
	p := &page{doc: d, shown: map[int]bool{}}
	var places []wstk.Span
	for _, pl := range b.Places {
		if pl.URL == d.URL && pl.Span != nil {
			places = append(places, *pl.Span)
		}
	}
	for i, bl := range d.Blocks {
		if bl.ByteEnd > bl.ByteStart && !touches(addressed, bl.ByteStart, bl.ByteEnd) &&
			(places == nil || touches(places, bl.ByteStart, bl.ByteEnd)) {
			p.blocks = append(p.blocks, i)
		}
	}
	for _, h := range b.Hits {
		if h.URL == d.URL && h.Span != nil && h.TextSHA256 == d.TextSHA256 {
			p.near = append(p.near, p.blocksIn(*h.Span)...)
		}
	}
	return p
}

// blocksIn are the places of the blocks that a span touches.
func (p *page) blocksIn(s wstk.Span) (out []int) {
	for n, i := range p.blocks {
		if touches([]wstk.Span{s}, p.doc.Blocks[i].ByteStart, p.doc.Blocks[i].ByteEnd) {
			out = append(out, n)
		}
	}
	return out
}

// touches reports whether one of some spans shares a byte with start to end.
func touches(spans []wstk.Span, start, end int) bool {
	return slices.ContainsFunc(spans, func(s wstk.Span) bool {
		return s.Overlaps(start, end)
	})
}

// fill chooses the blocks of pages within a budget, in the order that show says.
func fill(pages []*page, hits []wstk.Hit, budget int) {
	share, left := budget/max(1, len(pages)), budget
	of := map[string]*page{}
	for _, p := range pages {
		of[p.doc.URL] = p
		if len(p.near) == 0 {
			left -= p.begin(share)
		}
	}
	for _, reach := range []int{0, 1, 2} {
		for _, h := range hits {
			if p := of[h.URL]; p != nil && h.Span != nil && h.TextSHA256 == p.doc.TextSHA256 {
				left -= p.around(*h.Span, reach, left)
			}
		}
	}
	slices.SortStableFunc(pages, func(a, b *page) int {
		return cmp.Compare(len(a.doc.Text), len(b.doc.Text))
	})
	for i, p := range pages {
		left -= p.begin(left / (len(pages) - i))
	}
}

// add shows the block at a place, if it is not shown and costs at most budget, and returns its
// cost.
func (p *page) add(n, budget int) int {
	if n < 0 || n >= len(p.blocks) || p.shown[n] {
		return 0
	}
	const marks = 3 // tokens around a block
	cost := text.EstimateTokens(p.doc.BlockText(p.blocks[n])) + marks
	if cost > budget {
		return 0
	}
	p.shown[n] = true
	return cost
}

// around shows the blocks of a passage, or those so many places from them.
func (p *page) around(s wstk.Span, reach, budget int) (used int) {
	for _, n := range p.blocksIn(s) {
		used += p.add(n-reach, budget-used)
		used += p.add(n+reach, budget-used)
	}
	return used
}

// begin shows blocks from the beginning, as long as they fit.
func (p *page) begin(budget int) (used int) {
	for n := range p.blocks {
		cost := p.add(n, budget-used)
		if cost == 0 && !p.shown[n] {
			break
		}
		used += cost
	}
	return used
}

// passages are the shown blocks as runs of text.
func (p *page) passages() (out []string) {
	var run []string
	flush := func() {
		if len(run) > 0 {
			out = append(out, strings.Join(run, "\n"))
			run = nil
		}
	}
	before := -1
	for n, i := range p.blocks {
		if !p.shown[n] {
			continue
		}
		if before >= 0 && i != before+1 {
			flush()
		}
		run, before = append(run, p.doc.BlockText(i)), i
	}
	flush()
	return out
}
