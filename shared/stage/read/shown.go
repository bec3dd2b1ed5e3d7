package read

import (
	"context"
	"unicode/utf8"

	"golang.org/x/net/html"

	"wstk/shared/stage/read/deadline"
	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Shown is a page of HTML with what of it a visitor sees, so that a span of its text can
// be pointed out where it stands.
type Shown struct {
	Root   *html.Node // the parsed page; the caller's own
	Text   string     // of the Document that Do makes of the same Input
	blocks []block
	runs   [][]*html.Node // by block: its text nodes in order
}

// Piece is a part of a text node: Node.Data[Start:End].
type Piece struct {
	Node       *html.Node
	Start, End int
}

// Show reads a body as Do does and returns the page instead of its Document. A body that
// is no page of HTML is UnsupportedMediaType.
func (s *Stage) Show(ctx context.Context, in Input) (shown *Shown, err error) {
	stop := deadline.New(ctx)
	defer stop.Caught(&err)
	if err := ctx.Err(); err != nil {
		return nil, wstk.Wrap(wstk.Cancelled, "showing page", err)
	}
	m, src, err := source(&in)
	if err != nil {
		return nil, err
	}
	if m != mediaHTML && m != mediaXHTML {
		return nil, wstk.Errorf(wstk.UnsupportedMediaType, "showing page",
			"a body of kind %s has no elements", m)
	}
	t := dom.Parse(stop, src, xmlPage(in.Body))
	p, _ := readShown(t, &in)
	shown = &Shown{Root: t.Root, Text: string(p.text), blocks: p.blocks,
		runs: make([][]*html.Node, len(p.blocks))}
	for _, r := range p.runs {
		if r.block >= 0 {
			shown.runs[r.block] = append(shown.runs[r.block], r.node)
		}
	}
	return shown, nil
}

// Visible calls f with each text node that a visitor sees some of.
func (s *Shown) Visible(f func(*html.Node)) {
	for _, nodes := range s.runs {
		for _, n := range nodes {
			f(n)
		}
	}
}

// Find returns the parts of text nodes that make a span of Text, in order. White space
// that stands between them on the page is in no piece. It is false where the span is
// none, or holds words that are in no node of the tree, such as those of a noscript
// element.
func (s *Shown) Find(span wstk.Span) ([]Piece, bool) {
	if span.ByteStart < 0 || span.ByteStart >= span.ByteEnd || span.ByteEnd > len(s.Text) {
		return nil, false
	}
	var out []Piece
	for i := range s.blocks {
		if b := &s.blocks[i]; b.ByteEnd > span.ByteStart && b.ByteStart < span.ByteEnd {
			pieces, ok := s.pieces(i, span)
			if !ok {
				return nil, false
			}
			out = append(out, pieces...)
		}
	}
	return out, len(out) > 0
}

// pieces lays the text of block i along its nodes, character by character. They differ
// in white space, which collapses or is put between neighbours, and in characters that
// are stripped everywhere.
func (s *Shown) pieces(i int, span wstk.Span) (out []Piece, ok bool) {
	at, end := s.blocks[i].ByteStart, s.blocks[i].ByteEnd
	skip := func() {
		for at < end && dom.HTMLSpace(s.Text[at]) {
			at++
		}
	}
	for _, n := range s.runs[i] {
		p := Piece{Node: n, Start: -1}
		for k := 0; k < len(n.Data); {
			r, size := utf8.DecodeRuneInString(n.Data[k:])
			k += size
			if size == 1 && dom.HTMLSpace(n.Data[k-1]) || text.Stripped(r) {
				continue
			}
			skip()
			if at >= end || s.Text[at:min(at+size, end)] != n.Data[k-size:k] {
				return nil, false
			}
			if at >= span.ByteStart && at < span.ByteEnd {
				if p.Start < 0 {
					p.Start = k - size
				}
				p.End = k
			}
			at += size
		}
		if p.Start >= 0 {
			out = append(out, p)
		}
	}
	skip()
	return out, at == end
}
