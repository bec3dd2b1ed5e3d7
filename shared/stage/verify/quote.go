package verify

import (
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Haystack is a Document text made ready to look for quotes in. The folded form,
// the offset table and what links need are built once, on first need.
type Haystack struct {
	Text      string
	offsets   *text.Offsets
	folded    *text.Folded
	fragments *text.Fragments
}

// Find looks for quote, verbatim first, then by the fold table of text.Fold, and
// returns the stored span. near is a byte offset to prefer among several places;
// -1 prefers the first.
//
// A place counts only where the words are whole: neither end may cut a word, a
// number (the 1,000 of 21,000, the 5 of 5.2, the 10 of 10⁵, the 12 of −12 or of 12
// percent, see stands) or a combining sequence, since such a substring says something the
// page does not say.
// Scripts written without spaces have no word ends to cut.
func (h *Haystack) Find(quote string, near int) (wstk.Span, wstk.EvidenceStatus, bool) {
	quote = strings.TrimSpace(quote)
	if quote == "" {
		return wstk.Span{}, "", false
	}
	if r, ok := best(h.Text, quote, near, func(start, end int) (text.Range, bool) {
		return text.Range{Start: start, End: end}, stands(h.Text, start, end)
	}); ok {
		return h.Span(r), wstk.StatusDirect, true
	}
	needle := strings.TrimSpace(text.Fold(quote).Text)
	if needle == "" {
		return wstk.Span{}, "", false
	}
	if h.folded == nil {
		f := text.Fold(h.Text)
		h.folded = &f
	}
	if r, ok := best(h.folded.Text, needle, near, func(start, end int) (text.Range, bool) {
		if !text.Whole(h.folded.Text, start, end) {
			return text.Range{}, false
		}
		r := h.folded.Original(start, end)
		if r.Start >= r.End || !stands(h.Text, r.Start, r.End) {
			return text.Range{}, false
		}
		// The way back is checked, not trusted: the stored words must fold to
		// what was looked for.
		return r, strings.TrimSpace(text.Fold(h.Text[r.Start:r.End]).Text) == needle
	}); ok {
		return h.Span(r), wstk.StatusNormalized, true
	}
	return wstk.Span{}, "", false
}

// best returns the place of needle in hay that accept maps to a range, nearest to
// near. It stops at the first place past near, so it reads hay once.
func best(
	hay, needle string, near int, accept func(start, end int) (text.Range, bool),
) (text.Range, bool) {
	if near >= 0 && near <= len(hay) && strings.HasPrefix(hay[near:], needle) {
		if r, good := accept(near, near+len(needle)); good {
			return r, true
		}
	}
	var found text.Range
	ok := false
	refused := 0
	for from := 0; from <= len(hay)-len(needle); {
		i := strings.Index(hay[from:], needle)
		if i < 0 {
			break
		}
		start := from + i
		if r, good := accept(start, start+len(needle)); good {
			if !ok || abs(r.Start-near) < abs(found.Start-near) {
				found, ok = r, true
			}
			if near < 0 || r.Start >= near {
				break
			}
		} else if refused++; refused == maxRefused {
			break
		}
		_, size := utf8.DecodeRuneInString(hay[start:])
		from = start + size
	}
	return found, ok
}

// maxRefused is after how many cut places the search ends: a page with a million places that
// cut a number proves no quote.
const maxRefused = 20_000

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Span gives a byte range both kinds of offsets.
func (h *Haystack) Span(r text.Range) wstk.Span {
	if h.offsets == nil {
		h.offsets = text.NewOffsets(h.Text)
	}
	return wstk.Span{
		CharStart: h.offsets.Char(r.Start), CharEnd: h.offsets.Char(r.End),
		ByteStart: r.Start, ByteEnd: r.End,
	}
}

// SentenceAt returns the whole sentences of a Document that hold a span of its text, and ""
// if the span is all of them. It is what Evidence.Sentence holds. A span without the full
// stop at its end is still whole; one without the question mark is not.
func SentenceAt(d *wstk.Document, span wstk.Span) string {
	if span.ByteStart < 0 || span.ByteStart >= span.ByteEnd || span.ByteEnd > len(d.Text) {
		return ""
	}
	r := sentencesOf(d, span)
	sentence := d.Text[r.Start:r.End]
	if r.Start >= span.ByteStart &&
		strings.TrimLeft(d.Text[min(span.ByteEnd, r.End):r.End], ".。।۔ \u00a0") == "" {
		return ""
	}
	return sentence
}

// sentencesOf is the range of the whole sentences that hold a span of a Document's text.
func sentencesOf(d *wstk.Document, span wstk.Span) text.Range {
	return text.SentenceOf(d.Text, d.Meta.Language,
		text.Range{Start: span.ByteStart, End: span.ByteEnd}, func(at int) (text.Range, bool) {
			i := d.BlockAt(at)
			if i < 0 {
				return text.Range{}, false
			}
			return text.Range{Start: d.Blocks[i].ByteStart, End: d.Blocks[i].ByteEnd}, true
		})
}

// widest is how long the sentences or the row are to which Stage.Whole widens a quote, in bytes.
const widest = 1500

// widened is the span of the whole sentences or, with rows set, of the whole row of a table that
// hold a span; the span itself if they are longer than widest.
func (h *Haystack) widened(d *wstk.Document, span wstk.Span, rows bool) wstk.Span {
	r := sentencesOf(d, span)
	if i := d.BlockAt(span.ByteStart); rows && i >= 0 && d.Blocks[i].Kind == wstk.BlockTableRow &&
		span.ByteEnd <= d.Blocks[i].ByteEnd {
		r = text.Range{Start: d.Blocks[i].ByteStart, End: d.Blocks[i].ByteEnd}
	}
	r.Start, r.End = min(r.Start, span.ByteStart), max(r.End, span.ByteEnd)
	if r.End-r.Start > widest || !stands(h.Text, r.Start, r.End) {
		return span
	}
	return h.Span(r)
}
