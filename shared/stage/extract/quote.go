package extract

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// maxQuote is how long a quote may be, in code points.
const maxQuote = 300

// proposal quotes the unit of c: the whole of it where it fits, else the run of
// clauses (or table cells) that holds its value and the most of the query's words.
func (c *candidate) proposal() wstk.Proposal {
	p, u := c.page, c.unit
	start, end := u.start, u.end
	if u.wide {
		return p.propose(start, end)
	}
	var keep *text.Range
	if c.value != nil {
		keep = &text.Range{Start: u.start + c.value.Start, End: u.start + c.value.End}
	}
	start, end = p.fit(start, end, p.marks[u.marks[0]:u.marks[1]], keep)
	return p.propose(start, end)
}

// propose quotes a range of the page's text, without outer space.
func (p *page) propose(start, end int) wstk.Proposal {
	s := p.doc.Text[start:end]
	start += len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	s = strings.TrimSpace(s)
	return wstk.Proposal{Kind: wstk.EvidenceText, URL: p.doc.URL, Words: s,
		ByteStart: start, Element: -1}
}

// block quotes a whole block, or as much of its end as fits: what introduces a
// list says so last.
func (p *page) block(i int) wstk.Proposal {
	b := p.doc.Blocks[i]
	start, end := p.fit(b.ByteStart, b.ByteEnd, nil,
		&text.Range{Start: b.ByteEnd - 1, End: b.ByteEnd})
	if b.IsHeader || b.Kind == wstk.BlockTerm {
		start, end = p.fit(b.ByteStart, b.ByteEnd, nil, nil)
	} else if rs := text.Sentences(p.doc.BlockText(i), p.lang); len(rs) > 1 {
		last := rs[len(rs)-1]
		start, end = p.fit(b.ByteStart+last.Start, b.ByteStart+last.End, nil, nil)
	}
	return p.propose(start, end)
}

// maxSentence is how long a quote may be that is one sentence, in code points. Cut it
// would not be a direct answer any more.
const maxSentence = 600

// fit returns the part of Text[start:end] to quote: all of it when it has at most
// maxQuote code points or is a sentence of at most maxSentence, else the contiguous run of
// sentences or cells that holds keep and the most marks. Where a run of clauses holds more,
// or no sentence is short enough, it is that run, of at most maxQuote. A clause that is too
// long by itself is cut between words.
func (p *page) fit(start, end int, marks []mark, keep *text.Range) (int, int) {
	if runes(p.doc.Text, start, end) <= maxQuote {
		return start, end
	}
	s := p.doc.Text[start:end]
	from, to, most := p.fullest(start, sentenceCuts(s, p.lang), maxSentence, marks, keep)
	if a, b, score := p.fullest(start, clauseCuts(s), maxQuote, marks, keep); score > most {
		from, to, most = a, b, score
	}
	if most >= 0 {
		return from, to
	}
	return p.window(start, end, marks, keep)
}

// fullest returns the run of parts between cuts, counted from start, that has at most
// maxQuote code points, or is one part of at most longest, and holds keep and the most
// marks; and how much it holds, -1 where no part is short enough.
func (p *page) fullest(
	start int, cuts []int, longest int, marks []mark, keep *text.Range,
) (from, to, most int) {
	most = -1
	at := func(i int) int { return start + cuts[i] }
	j := 0
	for i := 0; i+1 < len(cuts); i++ {
		j = max(j, i+1)
		for j+1 < len(cuts) && runes(p.doc.Text, at(i), at(j+1)) <= maxQuote {
			j++
		}
		if n := runes(p.doc.Text, at(i), at(j)); n > maxQuote && (j > i+1 || n > longest) {
			continue
		}
		score := 0
		var seen termSet
		first := sort.Search(len(marks), func(k int) bool { return marks[k].start >= at(i) })
		for _, m := range marks[first:] {
			if m.start >= at(j) {
				break
			}
			if m.end <= at(j) && !seen.has(m.term) {
				seen |= 1 << uint(m.term)
				score += 10
			}
		}
		if keep != nil && keep.Start >= at(i) && keep.End <= at(j) {
			score += 35
		}
		if score > most {
			from, to, most = at(i), at(j), score
		}
	}
	return from, to, most
}

// sentenceCuts returns where s may be cut so that sentences, cells and lines stay whole.
func sentenceCuts(s, lang string) []int {
	cuts := []int{0}
	at := 0
	for _, cell := range strings.SplitAfter(s, "\t") {
		for _, r := range text.Sentences(cell, lang) {
			if at+r.Start > cuts[len(cuts)-1] {
				cuts = append(cuts, at+r.Start)
			}
		}
		at += len(cell)
	}
	return append(cuts, len(s))
}

func runes(s string, start, end int) int { return utf8.RuneCountInString(s[start:end]) }

// window cuts a text without clause marks around what it has to hold, between
// words where there are any.
func (p *page) window(start, end int, marks []mark, keep *text.Range) (int, int) {
	at := start
	switch {
	case keep != nil:
		at = keep.Start
	case len(marks) > 0:
		at = marks[0].start
	}
	from := at
	for n := 0; n < maxQuote/3 && from > start; n++ {
		_, size := utf8.DecodeLastRuneInString(p.doc.Text[start:from])
		from -= size
	}
	to := from
	for n := 0; n < maxQuote && to < end; n++ {
		_, size := utf8.DecodeRuneInString(p.doc.Text[to:end])
		to += size
	}
	if from > start {
		if i := strings.IndexFunc(p.doc.Text[from:at], unicode.IsSpace); i >= 0 {
			from += i
		}
	}
	if to < end {
		if i := strings.LastIndexFunc(p.doc.Text[at:to], unicode.IsSpace); i > 0 {
			to = at + i
		}
	}
	return from, to
}

// clauseCuts returns where s may be cut: its ends, and after every mark that
// separates clauses, cells or lines. A comma or colon inside a number or a time
// is none.
func clauseCuts(s string) []int {
	cuts := []int{0}
	for i, r := range s {
		n := utf8.RuneLen(r)
		switch r {
		case '\t', '\n', ';', '；', '，', '、', '。', '—':
		case ',', ':', '.', '!', '?':
			next, _ := utf8.DecodeRuneInString(s[i+1:])
			if !unicode.IsSpace(next) {
				continue
			}
		case '(':
			n = 0
			if i == 0 || s[i-1] != ' ' {
				continue
			}
		default:
			continue
		}
		if at := i + n; at > cuts[len(cuts)-1] && at < len(s) {
			cuts = append(cuts, at)
		}
	}
	return append(cuts, len(s))
}
