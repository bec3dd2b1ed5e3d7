package screen

import (
	"slices"
	"strings"
	"unicode"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// page is what the verdict is made from: how much there is to read, and, for
// pages short enough to be something else than they seem, the words themselves in
// lower case. Sentences with an injection in them are left out of all of it.
//
// Sizes are in letters as Latin script counts them: white space is nothing, an
// ideograph or a syllable of Hangul or kana is two.
type page struct {
	size    int    // of all visible text
	own     int    // of it, what is no link text
	links   int    // how many links there are
	title   string // lower case
	heading string // the first h1, or the first heading, lower case
	text    string // all visible text, lower case; "" for long pages
	blocks  []string
	main    int // size of the main blocks
	largest int // size of the largest block
	prose   int // size of blocks that are long enough to be a paragraph
	doc     *wstk.Document
	body    []byte
	html    bool

	facts *markup // see markup
}

// Sizes that the rules share.
const (
	maxNotice  = 6000 // more than this to read is a page, whatever else is on it
	paragraph  = 120  // a block of this size is prose
	bodyToScan = 4 << 20
)

func newPage(snap wstk.Snapshot, doc *wstk.Document, body []byte, injected []match) *page {
	p := &page{doc: doc, body: body, links: len(doc.Links)}
	if len(body) > bodyToScan { // a challenge or a shell is small
		p.body = body[:bodyToScan]
	}
	p.html = strings.Contains(snap.ContentType, "html") ||
		snap.ContentType == "" && looksLikeHTML(body)
	cuts := sentences(doc.Text, injected)
	p.size = weigh(doc.Text, text.Range{End: len(doc.Text)}, cuts)
	linked := 0
	for _, l := range doc.Links {
		linked += weigh(l.Text, text.Range{End: len(l.Text)}, nil)
	}
	p.own = max(0, p.size-linked)
	p.title = plain(doc.Meta.Title)
	p.readBlocks(cuts)
	if p.own <= maxNotice {
		p.text = plain(keep(doc.Text, text.Range{End: len(doc.Text)}, cuts))
	}
	return p
}

// readBlocks takes the sizes of the blocks, the heading, and, of a short page, the words.
func (p *page) readBlocks(cuts []text.Range) {
	doc, short := p.doc, p.own <= maxNotice
	first := false // the first h1 has been met
	cut := 0       // the first cut that may touch the next block
	for _, b := range doc.Blocks {
		r := text.Range{Start: b.ByteStart, End: b.ByteEnd}
		if r.Start < 0 || r.End > len(doc.Text) || r.Start > r.End {
			continue // not a Document that a reader made
		}
		for cut < len(cuts) && cuts[cut].End <= r.Start {
			cut++
		}
		size, heading := weigh(doc.Text, r, cuts[cut:]), b.Kind == wstk.BlockHeading
		p.largest = max(p.largest, size)
		if b.Main {
			p.main += size
		}
		if size == 0 {
			continue
		}
		if size >= paragraph && !heading {
			p.prose += size
		}
		if heading && (p.heading == "" || b.Level == 1 && !first) {
			p.heading = plain(keep(doc.Text, r, cuts[cut:]))
			first = b.Level == 1
		}
		if short {
			p.blocks = append(p.blocks, plain(keep(doc.Text, r, cuts[cut:])))
		}
	}
}

// weigh is the size of s in r without the cuts, which are in order.
func weigh(s string, r text.Range, cuts []text.Range) int {
	n := 0
	for part := range parts(r, cuts) {
		for _, c := range s[part.Start:part.End] {
			switch {
			case c < 0x80:
				if c > ' ' {
					n++
				}
			case unicode.IsSpace(c):
			case unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
				n += 2
			default:
				n++
			}
		}
	}
	return n
}

// keep is s in r without the cuts.
func keep(s string, r text.Range, cuts []text.Range) string {
	var b strings.Builder
	for part := range parts(r, cuts) {
		b.WriteString(s[part.Start:part.End])
	}
	return b.String()
}

// parts yields what is left of r between the cuts.
func parts(r text.Range, cuts []text.Range) func(func(text.Range) bool) {
	return func(yield func(text.Range) bool) {
		at := r.Start
		for _, c := range cuts {
			if c.Start >= r.End {
				break
			}
			if c.Start > at && !yield(text.Range{Start: at, End: c.Start}) {
				return
			}
			at = max(at, c.End)
		}
		if at < r.End {
			yield(text.Range{Start: at, End: r.End})
		}
	}
}

// sentences widens matches to the sentences they stand in, joined and in order.
func sentences(s string, matches []match) []text.Range {
	if len(matches) == 0 {
		return nil
	}
	rs := make([]text.Range, len(matches))
	for i, m := range matches {
		rs[i] = m.Range
	}
	slices.SortFunc(rs, func(a, b text.Range) int { return a.Start - b.Start })
	var out []text.Range
	for _, r := range rs {
		if n := len(out); n > 0 && r.Start < out[n-1].End {
			if r.End <= out[n-1].End {
				continue
			}
			r.Start = out[n-1].End
		}
		low := 0
		if n := len(out); n > 0 {
			low = out[n-1].End
		}
		out = append(out, text.Range{Start: sentenceStart(s, r.Start, low),
			End: sentenceEnd(s, r.End)})
	}
	return out
}

// sentenceStart goes back from i to where the sentence begins, not below low.
func sentenceStart(s string, i, low int) int {
	for i > low {
		switch c := s[i-1]; {
		case c == '\n':
			return i
		case c == ' ' && i-2 >= low && (s[i-2] == '.' || s[i-2] == '!' || s[i-2] == '?'):
			return i
		case c >= 0x80 && fullStop(s[max(0, i-3):i]):
			return i
		}
		i--
	}
	return i
}

// sentenceEnd goes on from i to where the sentence ends.
func sentenceEnd(s string, i int) int {
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			return i
		case (c == '.' || c == '!' || c == '?') &&
			(i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n'):
			return i + 1
		case c >= 0x80 && i+3 <= len(s) && fullStop(s[i:i+3]):
			return i + 3
		}
	}
	return i
}

func fullStop(s string) bool { return s == "。" || s == "！" || s == "？" || s == "।" }

var plainMarks = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "\u00a0", " ", "…",
	"...", "–", "-", "—", "-")

// plain is s in lower case with plain quote marks, on one line.
func plain(s string) string {
	return plainMarks.Replace(strings.ToLower(strings.Join(strings.Fields(s), " ")))
}

func looksLikeHTML(body []byte) bool {
	head := strings.ToLower(string(body[:min(len(body), 2048)]))
	return strings.Contains(head, "<html") || strings.Contains(head, "<!doctype html") ||
		strings.Contains(head, "<head") || strings.Contains(head, "<body")
}
