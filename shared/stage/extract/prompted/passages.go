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
	near   []int        // the blocks of passages that recall found, best first
}

// show chooses what a model reads of the pages of a bucket, whole blocks within a budget of
// tokens. Pages that fit are shown whole. Of others come first the passages that recall found,
// best first, with the blocks beside them, then the beginning. Each page has an equal share; what
// short ones leave is for the others. What is left out is named in warnings. docs are the pages
// in the order of their numbers, from 1.
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
	fill(list, budget)
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
		return s.ByteStart < end && start < s.ByteEnd
	})
}

// fill chooses the blocks of pages within a budget. Short pages come first, so that what they do
// not need is for the long ones.
func fill(pages []*page, budget int) {
	order := slices.Clone(pages)
	slices.SortStableFunc(order, func(a, b *page) int {
		return cmp.Compare(len(a.doc.Text), len(b.doc.Text))
	})
	for i, p := range order {
		budget -= p.take(budget / (len(order) - i))
	}
}

// take shows blocks of a page within a budget and returns what they cost.
func (p *page) take(budget int) (used int) {
	full := false
	add := func(n int) {
		if full || n < 0 || n >= len(p.blocks) || p.shown[n] {
			return
		}
		const marks = 3 // tokens around a block
		cost := text.EstimateTokens(p.doc.BlockText(p.blocks[n])) + marks
		if used+cost > budget {
			full = true
			return
		}
		used += cost
		p.shown[n] = true
	}
	for _, n := range p.near {
		add(n)
	}
	for _, n := range p.near {
		for _, beside := range []int{n - 1, n + 1, n - 2, n + 2} {
			add(beside)
		}
	}
	for n := range p.blocks {
		add(n)
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
