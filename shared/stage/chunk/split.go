package chunk

import (
	"context"
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Sizes in estimated model tokens (text.EstimateTokens).
const (
	// MinTokens is the size below which a chunk is joined with its neighbours in
	// the same section, if it has any.
	MinTokens = 200
	// MaxTokens is the size that no chunk exceeds, its heading aside.
	MaxTokens = 400

	maxHeading = 100 // a longer heading is text like any other
	maxAtoms   = 128 // in one chunk; bounds the search for the best cuts
)

// Split returns the chunks of d in page order.
//
// A chunk is a run of blocks of one section, all main or all not, of about MinTokens to
// MaxTokens; short sections stay short. The first chunk of a section begins with its
// heading; a heading is a chunk by itself only if nothing of its kind (main or not) is right
// under it. A block that fits stays whole. A longer one is cut between sentences (code
// between lines, table rows between cells), or between words if that does not help. If a
// section needs several chunks, the cuts are the cheapest by the costs below: better between
// blocks than inside a list, a table or a block, never after a heading, better not after a
// line that ends in a colon.
//
// The span of a chunk has no white space at its ends. Spans do not overlap, and every
// character of a block that is not white space is in one of them. Equal documents give equal
// chunks.
//
// The only error is Cancelled, if ctx ends before the work does; then there are no chunks.
func Split(ctx context.Context, d *wstk.Document) ([]wstk.Chunk, error) {
	var out []wstk.Chunk
	var at cursor
	for from := 0; from < len(d.Blocks); {
		to := from + 1
		for to < len(d.Blocks) && together(d.Blocks[from], d.Blocks[to]) {
			to++
		}
		as := atoms(ctx, d, from, to)
		cuts := cheapest(ctx, d, as)
		if err := ctx.Err(); err != nil {
			return nil, wstk.Wrap(wstk.Cancelled, "cutting into chunks", err)
		}
		start := 0
		for _, end := range cuts {
			out = append(out, build(d, as[start:end], len(out), &at))
			start = end
		}
		from = to
	}
	for i := range out {
		if i > 0 {
			out[i].Prev = out[i-1].ID
		}
		if i+1 < len(out) {
			out[i].Next = out[i+1].ID
		}
	}
	return out, nil
}

// together reports whether block b may be in the chunk that began with block a.
func together(a, b wstk.Block) bool {
	return b.Kind != wstk.BlockHeading && a.Section == b.Section && a.Main == b.Main
}

func build(d *wstk.Document, as []atom, seq int, at *cursor) wstk.Chunk {
	first, last := as[0], as[len(as)-1]
	b := d.Blocks[first.block]
	span := wstk.Span{ByteStart: first.start, ByteEnd: last.end}
	span.CharStart = at.char(d.Text, span.ByteStart)
	span.CharEnd = at.char(d.Text, span.ByteEnd)
	c := wstk.Chunk{
		ID:             wstk.ChunkID(d.URL, d.TextSHA256, span),
		URL:            d.URL,
		TextSHA256:     d.TextSHA256,
		SnapshotSHA256: d.SnapshotSHA256,
		Seq:            seq,
		Parent:         -1,
		Kind:           kind(d, as),
		Main:           b.Main,
		Span:           span,
		Blocks:         [2]int{first.block, last.block + 1},
		Flags:          d.FlagsIn(span.ByteStart, span.ByteEnd),
		Repeat:         wstk.HashOf([]byte(text.FoldCompare(d.Text[span.ByteStart:span.ByteEnd]))),
	}
	for _, a := range as {
		c.Tokens += a.tokens
	}
	if b.Section >= 0 && b.Section < len(d.Sections) {
		c.Parent = b.Section
		c.SectionPath = d.SectionPath(b.Section)
		c.Anchor = d.Sections[b.Section].Anchor
	}
	return c
}

// kind names what most of the chunk is.
func kind(d *wstk.Document, as []atom) string {
	var code, table, list, prose int
	for _, a := range as {
		switch d.Blocks[a.block].Kind {
		case wstk.BlockHeading:
		case wstk.BlockCode:
			code += a.tokens
		case wstk.BlockTableRow:
			table += a.tokens
		case wstk.BlockListItem, wstk.BlockTerm, wstk.BlockDefinition:
			list += a.tokens
		default:
			prose += a.tokens
		}
	}
	switch most := max(code, table, list, prose); {
	case most == prose:
		return "prose"
	case most == code:
		return "code"
	case most == table:
		return "table"
	}
	return "list"
}

// cheapest returns where to cut as: the ends of its chunks, ascending, the last
// one len(as). It is the dynamic program over the cost of a chunk's size and of
// the cut before it. Whole numbers keep the result equal on every processor. It gives up
// when ctx ends.
func cheapest(ctx context.Context, d *wstk.Document, as []atom) []int {
	n := len(as)
	cost := make([]int, n+1) // of the best cutting of as[:i]
	prev := make([]int, n+1)
	for end := 1; end <= n; end++ {
		if ctx.Err() != nil {
			return nil
		}
		cost[end] = -1
		size := 0
		for start := end - 1; start >= 0 && end-start <= maxAtoms; start-- {
			size += as[start].tokens
			limit := MaxTokens
			if isHeading(d, as[start]) {
				limit += as[start].tokens
			}
			if size > MaxTokens+maxHeading || size > limit && end-start > 1 {
				if size > MaxTokens+maxHeading {
					break
				}
				continue // a heading before it would make room for itself
			}
			c := cost[start] + sizeCost(size)
			if start > 0 {
				c += cutCost(d, as[start-1], as[start])
			}
			if cost[end] < 0 || c < cost[end] {
				cost[end], prev[end] = c, start
			}
		}
	}
	var cuts []int
	for at := n; at > 0; at = prev[at] {
		cuts = append(cuts, at)
	}
	for l, r := 0, len(cuts)-1; l < r; l, r = l+1, r-1 {
		cuts[l], cuts[r] = cuts[r], cuts[l]
	}
	return cuts
}

// sizeCost is 0 in the middle of the wanted range, 25 at its ends, and grows
// quickly below it: two chunks of 100 cost more than any cut saves.
func sizeCost(size int) int {
	off := size - (MinTokens+MaxTokens)/2
	c := off * off / 400
	if size < MinTokens {
		short := MinTokens - size
		c += 60 + short*short/100
	}
	return c
}

// cutCost is the price of a cut between two neighbouring atoms.
func cutCost(d *wstk.Document, a, b atom) int {
	if isHeading(d, a) {
		return 1 << 20
	}
	if a.block == b.block {
		return 120
	}
	x, y := d.Blocks[a.block], d.Blocks[b.block]
	c := 0
	switch {
	case x.Kind == wstk.BlockTerm && y.Kind == wstk.BlockDefinition:
		c = 100
	case x.Kind == wstk.BlockTableRow && x.IsHeader && y.Table == x.Table:
		c = 200
	case x.Kind == wstk.BlockTableRow && y.Kind == wstk.BlockTableRow && x.Table == y.Table:
		c = 60
	case x.Kind == wstk.BlockListItem && y.Kind == wstk.BlockListItem:
		c = 30
		if y.Level > x.Level {
			c = 80
		}
	}
	if introduces(d.Text[a.start:a.end]) {
		c += 100
	}
	return c
}

// isHeading reports whether a is a heading that is short enough to be kept with what
// follows.
func isHeading(d *wstk.Document, a atom) bool {
	return d.Blocks[a.block].Kind == wstk.BlockHeading && a.tokens <= maxHeading
}

// introduces reports whether s announces what follows it.
func introduces(s string) bool {
	return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")
}

// cursor counts code points while moving forward through a text.
type cursor struct{ bytes, chars int }

func (c *cursor) char(s string, byteOff int) int {
	c.chars += utf8.RuneCountInString(s[c.bytes:byteOff])
	c.bytes = byteOff
	return c.chars
}
