package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SentenceOf returns the whole sentences of s that s[r] is in or reaches into: r itself,
// without outer white space, where it begins and ends with them. block gives the part of s
// in which a byte stands, a block of a page; no sentence goes beyond it, nor beyond a tab,
// which parts the cells of a row. Where block knows nothing of an end of r, that end
// stays. r must lie within s. See Sentences for lang.
func SentenceOf(s, lang string, r Range, block func(at int) (Range, bool)) Range {
	words := strings.TrimLeftFunc(s[r.Start:r.End], unicode.IsSpace)
	r.Start = r.End - len(words)
	r.End = r.Start + len(strings.TrimRightFunc(words, unicode.IsSpace))
	if r.Start == r.End {
		return r
	}
	out := r
	if b, ok := block(r.Start); ok {
		out.Start = min(out.Start, sentenceAt(s, lang, b, r.Start).Start)
	}
	if b, ok := block(r.End - 1); ok {
		out.End = max(out.End, sentenceAt(s, lang, b, r.End-1).End)
	}
	return out
}

// sentenceReach is how far around a place a sentence is looked for, in bytes. What has no
// stop within it, a list of words, is cut there between words.
const sentenceReach = 4000

// sentenceAt returns the sentence of the block b in which the byte at stands.
func sentenceAt(s, lang string, b Range, at int) Range {
	if b.Start < 0 || b.End > len(s) || at < b.Start || at >= b.End {
		return Range{at, at + 1}
	}
	if at-b.Start > sentenceReach {
		b.Start = at - sentenceReach
		b.Start += max(0, strings.IndexFunc(s[b.Start:at], unicode.IsSpace))
	}
	if b.End-at > sentenceReach {
		b.End = at + sentenceReach
		if i := strings.LastIndexFunc(s[at:b.End], unicode.IsSpace); i > 0 {
			b.End = at + i
		}
	}
	if i := strings.LastIndexByte(s[b.Start:at], '\t'); i >= 0 {
		b.Start += i + 1
	}
	if i := strings.IndexByte(s[at:b.End], '\t'); i >= 0 {
		b.End = at + i
	}
	for !utf8.RuneStart(s[b.Start]) {
		b.Start++ // no white space was near
	}
	for b.End < len(s) && !utf8.RuneStart(s[b.End]) {
		b.End--
	}
	for _, r := range Sentences(s[b.Start:b.End], lang) {
		if start, end := b.Start+r.Start, b.Start+r.End; at < end {
			return Range{min(start, at), end}
		}
	}
	return Range{at, at + 1}
}
