package chunk

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// atom is the smallest part of a chunk: a block, or a part of a block that is too long for
// one chunk.
type atom struct {
	start, end int // bytes of the Document text, white space at both ends left out
	block      int
	tokens     int // at least 1
	first      bool
}

// atoms cuts blocks [from, to) of d into atoms, in order. Blocks without
// visible text give none. It gives up when ctx ends.
func atoms(ctx context.Context, d *wstk.Document, from, to int) []atom {
	var out []atom
	for i := from; i < to && ctx.Err() == nil; i++ {
		b := d.Blocks[i]
		start, end := trim(d.Text, b.ByteStart, b.ByteEnd)
		if start == end {
			continue
		}
		n := tokens(d.Text[start:end])
		if n <= MaxTokens {
			out = append(out, atom{start, end, i, n, true})
			continue
		}
		at := len(out)
		for _, part := range parts(d.Text[start:end], b.Kind, d.Meta.Language) {
			if ctx.Err() != nil {
				return nil
			}
			s, e := trim(d.Text, start+part.Start, start+part.End)
			if s == e {
				continue
			}
			if n := tokens(d.Text[s:e]); n <= MaxTokens {
				out = append(out, atom{s, e, i, n, false})
				continue
			}
			out = hard(out, d.Text, s, e, i)
		}
		out[at].first = true
	}
	return out
}

// parts cuts a block's text where its kind allows: code between lines, a table row between
// cells, all else between sentences. The parts cover s without gaps.
func parts(s string, kind wstk.BlockKind, lang string) []text.Range {
	var starts []int
	switch kind {
	case wstk.BlockCode:
		starts = after(s, '\n')
	case wstk.BlockTableRow:
		starts = after(s, '\t')
	default:
		for _, r := range text.Sentences(s, lang) {
			starts = append(starts, r.Start)
		}
	}
	// Each part ends where the next begins, so that nothing between two sentences is lost.
	out := make([]text.Range, 0, len(starts)+1)
	at := 0
	for _, next := range append(starts, len(s)) {
		if next > at {
			out = append(out, text.Range{Start: at, End: next})
			at = next
		}
	}
	return out
}

// after returns the offsets that follow each sep in s.
func after(s string, sep byte) []int {
	var out []int
	for at := 0; ; {
		i := strings.IndexByte(s[at:], sep)
		if i < 0 {
			return out
		}
		at += i + 1
		out = append(out, at)
	}
}

// hard cuts s[start:end], which has no better place, at word boundaries, or inside a word
// that is too long by itself. It goes forward in steps of a word or maxStep bytes, so that
// its time is linear for any text.
func hard(out []atom, s string, start, end, block int) []atom {
	for start < end {
		at, n := start, 0
		for at < end {
			next := step(s, at, end)
			t := tokens(s[at:next])
			if n > 0 && n+t > MaxTokens {
				break
			}
			at, n = next, n+t
		}
		if b, e := trim(s, start, at); b < e {
			out = append(out, atom{b, e, block, n, false})
		}
		start = at
	}
	return out
}

const maxStep = 64 // bytes

// step returns the end of the word that begins at i and of the space after it, or a place
// inside it at most about maxStep bytes further. It never splits a code point, nor a mark
// or a joiner from the character it belongs to.
func step(s string, i, end int) int {
	at := i
	for at < end && at < i+maxStep {
		r, w := utf8.DecodeRuneInString(s[at:end])
		at += w
		if unicode.IsSpace(r) {
			return at
		}
	}
	const zwj = '\u200d'
	for joined := false; at < end && at < i+2*maxStep; {
		r, w := utf8.DecodeRuneInString(s[at:end])
		if !joined && !unicode.Is(unicode.M, r) && r != zwj {
			break
		}
		joined = r == zwj
		at += w
	}
	return at
}

// trim narrows [start, end) to what is not white space.
func trim(s string, start, end int) (int, int) {
	t := strings.TrimLeftFunc(s[start:end], unicode.IsSpace)
	start = end - len(t)
	return start, start + len(strings.TrimRightFunc(t, unicode.IsSpace))
}

func tokens(s string) int { return max(1, text.EstimateTokens(s)) }
