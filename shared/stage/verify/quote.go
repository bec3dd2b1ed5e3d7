package verify

import (
	"strings"
	"unicode"
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
// A place counts only where the words stand whole: neither end may cut a word, a
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
		if !whole(h.folded.Text, start, end) {
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
func best(hay, needle string, near int, accept func(start, end int) (text.Range, bool)) (text.Range, bool) {
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

// maxRefused bounds how many places are looked at in vain: a page of a million cut numbers
// is no proof of one.
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

// SentenceAt returns the whole sentences of a Document in which a span of its text stands,
// and "" where the span is all of them: what Evidence.Sentence holds. A full stop at the
// end that is left out leaves out nothing; a question mark does.
func SentenceAt(d *wstk.Document, span wstk.Span) string {
	if span.ByteStart < 0 || span.ByteStart >= span.ByteEnd || span.ByteEnd > len(d.Text) {
		return ""
	}
	r := text.SentenceOf(d.Text, d.Meta.Language, text.Range{Start: span.ByteStart, End: span.ByteEnd}, func(at int) (text.Range, bool) {
		i := d.BlockAt(at)
		if i < 0 {
			return text.Range{}, false
		}
		return text.Range{Start: d.Blocks[i].ByteStart, End: d.Blocks[i].ByteEnd}, true
	})
	sentence := d.Text[r.Start:r.End]
	if r.Start >= span.ByteStart && strings.TrimLeft(d.Text[min(span.ByteEnd, r.End):r.End], ".。।۔ \u00a0") == "" {
		return ""
	}
	return sentence
}

// whole tells whether s[start:end] begins and ends between words.
func whole(s string, start, end int) bool {
	return !cuts(s, start) && !cuts(s, end)
}

// cuts tells whether a boundary at byte i of s would cut something in two.
func cuts(s string, i int) bool {
	if i <= 0 || i >= len(s) {
		return false
	}
	if !utf8.RuneStart(s[i]) {
		return true
	}
	before, size := utf8.DecodeLastRuneInString(s[:i])
	after, afterSize := utf8.DecodeRuneInString(s[i:])
	switch {
	case unicode.Is(unicode.M, after), after == '\u200d', before == '\u200d':
		return true // combining mark or joiner
	case isNumeric(before) && isNumeric(after):
		return true // 10|5, 10|⁵, 1|½
	case isSeparator(after) && isNumeric(before):
		next, _ := utf8.DecodeRuneInString(s[i+afterSize:])
		return isNumeric(next) // 5|.2
	case isSeparator(before) && isNumeric(after):
		prev, _ := utf8.DecodeLastRuneInString(s[:i-size])
		return isNumeric(prev) // 5.|2
	case isSuperscript(after) && unicode.IsLetter(before):
		// people¹ has a footnote, km² and x² do not
		n := 0
		for _, r := range reversed(s[:i]) {
			if !unicode.IsLetter(r) {
				break
			}
			n++
		}
		return n < 4
	case isWord(before) && isWord(after):
		return !unspaced(before) && !unspaced(after)
	}
	return false
}

func isSuperscript(r rune) bool {
	return r == '¹' || r == '²' || r == '³' || r >= '⁰' && r <= '⁹'
}

// reversed is the last few runes of s, the last first.
func reversed(s string) []rune {
	var out []rune
	for len(s) > 0 && len(out) < 4 {
		r, size := utf8.DecodeLastRuneInString(s)
		out, s = append(out, r), s[:len(s)-size]
	}
	return out
}

// isNumeric is true of every rune with a numeric meaning: digits, superscripts,
// fractions, enclosed numbers. Han numerals count as letters.
func isNumeric(r rune) bool { return unicode.Is(unicode.N, r) }

// isSeparator is true of what may stand inside a number.
func isSeparator(r rune) bool {
	switch r {
	case '.', ',', '\'', '\u2019', '\u066b', '\u066c', '·', '．', '，', '_', '\u02d9':
		return true
	}
	return false
}

func isWord(r rune) bool { return unicode.IsLetter(r) || isNumeric(r) || r == '_' }

// unspaced is true of letters of scripts that write no spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
