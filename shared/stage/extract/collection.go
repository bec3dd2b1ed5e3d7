package extract

import (
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// titleField is the field under which an item's title is claimed.
const titleField = "title"

// aboutField is the label of the text that follows an item's own title.
const aboutField = "description"

// An item without hints is described by at most this many sentences and labelled
// values.
const (
	maxDescribed = 3
	maxLabelled  = 12
)

// item claims what pages say about one item of a collection: its title, its
// fields, and, where no fields were asked for, its labelled values and its first
// sentences.
func (q *question) item(
	pages []*page, b wstk.Bucket, hints []string, avoid avoidFunc,
) ([]wstk.Claim, []wstk.Gap) {
	var claims []wstk.Claim
	if c, ok := titleClaim(pages, b, avoid); ok {
		claims = append(claims, c)
	}
	if len(hints) > 0 {
		fields, gaps := findFields(pages, b, b.Title, hints, avoid)
		return append(claims, fields...), gaps
	}
	claims = append(claims, labelledValues(pages, b)...)
	claims = append(claims, q.described(pages, b.Title, claims)...)
	if len(claims) <= 1 {
		claims = append(claims, dataFields(pages, b)...)
	}
	return claims, nil
}

// findFields looks for each hint. A hint without an answer is a gap.
func findFields(
	pages []*page, b wstk.Bucket, subject string, hints []string, avoid avoidFunc,
) ([]wstk.Claim, []wstk.Gap) {
	var claims []wstk.Claim
	var gaps []wstk.Gap
	for _, h := range hints {
		if strings.TrimSpace(h) == "" {
			continue
		}
		f := newField(h)
		f.subject = subject
		if titleLabels[f.label] {
			c, ok := titleClaim(pages, b, avoid)
			if ok && f.name == c.Field && b.Title != "" {
				continue // claimed already
			}
			if ok {
				c.Field = f.name
				claims = append(claims, c)
				continue
			}
		}
		if c, ok := f.find(pages, b.Places); ok {
			claims = append(claims, c)
		} else {
			gaps = append(gaps, fieldGap(f.name, subject, b.Pages))
		}
	}
	return claims, gaps
}

// titleClaim quotes the item's title once from each of its pages, or its name in structured
// data.
func titleClaim(pages []*page, b wstk.Bucket, avoid avoidFunc) (wstk.Claim, bool) {
	title := strings.TrimSpace(b.Title)
	c := wstk.Claim{Field: titleField, Statement: title, Support: wstk.SupportDirect}
	if title == "" {
		for _, p := range pages {
			for i, blk := range p.doc.Blocks {
				if blk.Kind == wstk.BlockHeading && blk.Main &&
					!avoid(p.doc.URL, blk.ByteStart, blk.ByteEnd) {
					q := p.block(i)
					c.Statement, c.Proposed = q.Words, []wstk.Proposal{q}
					return c, q.Words != ""
				}
			}
		}
		return c, false
	}
	for _, p := range pages {
		if at := p.findTitle(title, b.Places); at >= 0 && !avoid(p.doc.URL, at, at+len(title)) {
			c.Proposed = append(c.Proposed, p.propose(at, at+len(title)))
		}
	}
	if len(c.Proposed) > 0 {
		return c, true
	}
	for _, p := range pages {
		for _, it := range p.doc.Data {
			for _, l := range it.Leaves {
				if l.Literal == title && within(b.Places, p.doc.URL, it, l) {
					c.Proposed = []wstk.Proposal{{Kind: wstk.EvidenceData, URL: p.doc.URL,
						Words: l.Literal, ByteStart: -1, Element: l.Element, Pointer: l.Pointer}}
					return c, true
				}
			}
		}
	}
	return c, false
}

// findTitle returns where title is on p: in the item's place, else in a
// heading, else anywhere in the main text.
func (p *page) findTitle(title string, places []wstk.Place) int {
	placed := false
	for _, pl := range places {
		if pl.URL != p.doc.URL || pl.Span == nil {
			continue
		}
		placed = true
		if i := wordIndex(p.doc.Text[pl.Span.ByteStart:pl.Span.ByteEnd], title); i >= 0 {
			return pl.Span.ByteStart + i
		}
	}
	if placed {
		return -1
	}
	for i, b := range p.doc.Blocks {
		if b.Kind == wstk.BlockHeading {
			if k := wordIndex(p.doc.BlockText(i), title); k >= 0 {
				return b.ByteStart + k
			}
		}
	}
	for i, b := range p.doc.Blocks {
		if b.Main {
			if k := wordIndex(p.doc.BlockText(i), title); k >= 0 {
				return b.ByteStart + k
			}
		}
	}
	return -1
}

// labelledValues claims what the item's pages say under a label: the cells
// of its table row by their headers, "Label: value" lines, rows of two cells,
// defined terms.
func labelledValues(pages []*page, b wstk.Bucket) []wstk.Claim {
	var out []wstk.Claim
	seen := map[string]bool{}
	add := func(p *page, label string, value extent, quote wstk.Proposal, more ...wstk.Proposal) {
		label = strings.TrimSpace(label)
		if label == b.Title { // "UNLOCKED | No locks are held": what follows tells about the item
			label = aboutField
		}
		s := strings.TrimSpace(p.doc.Text[value.start:value.end])
		key := foldLabel(label)
		if label == "" || s == "" || key == "" || seen[key] || len(out) == maxLabelled ||
			s == b.Title || !strings.Contains(quote.Words, clip(s)) {
			return
		}
		seen[key] = true
		f := newField(label)
		if label == aboutField {
			label = ""
		}
		out = append(out, wstk.Claim{Field: label, Statement: clip(s), Support: wstk.SupportDirect,
			Proposed: append([]wstk.Proposal{quote}, more...), Value: f.value(s, p.lang)})
	}
	for _, p := range pages {
		for i := range p.units {
			u := &p.units[i]
			s := p.text(u)
			switch u.kind {
			case wstk.BlockTableRow:
				cells := cellsOf(s, u.start)
				if u.header < 0 {
					if len(cells) == 2 && strings.TrimSpace(
						p.doc.Text[cells[0].start:cells[0].end]) != "" {
						add(p, p.doc.Text[cells[0].start:cells[0].end], cells[1],
							p.propose(u.start, u.end))
					} else {
						start, end := p.fit(u.start, u.end, nil, nil)
						add(p, b.Title, extent{start, end}, p.propose(start, end))
					}
					continue
				}
				for k := range cells {
					start, end := p.fit(u.start, u.end, nil,
						&text.Range{Start: cells[k].start, End: cells[k].end})
					add(p, p.doc.CellText(u.header, k), cells[k],
						p.propose(start, end), p.block(u.header))
				}
			case wstk.BlockCode, wstk.BlockHeading:
			default:
				if label, from, ok := splitLabel(s); ok {
					add(p, label, extent{u.start + from, u.end},
						(&candidate{page: p, unit: u}).proposal())
				}
			}
		}
	}
	return out
}

// described quotes the first sentences about an item, those that hold words of
// the query before others.
func (q *question) described(pages []*page, title string, claimed []wstk.Claim) []wstk.Claim {
	var out []wstk.Claim
	quoted := map[string]bool{}
	for _, c := range claimed {
		for _, p := range c.Proposed {
			if c.Field != titleField || p.Words != title {
				quoted[p.Words] = true
			}
		}
	}
	for _, p := range pages {
		for i := range p.units {
			u := &p.units[i]
			s := strings.TrimSpace(p.text(u))
			if u.kind == wstk.BlockHeading || u.kind == wstk.BlockCode ||
				u.kind == wstk.BlockTableRow || s == title || isQuestion(s) {
				continue
			}
			if p.anchors[s] && u.kind != wstk.BlockListItem || !p.doc.Blocks[u.block].Main {
				continue
			}
			c := candidate{page: p, unit: u}
			w := c.proposal()
			if quoted[w.Words] || w.Words == "" {
				continue
			}
			quoted[w.Words] = true
			out = append(out, wstk.Claim{Statement: w.Words, Support: wstk.SupportDirect,
				Proposed: []wstk.Proposal{w}})
			if len(out) == maxDescribed {
				return out
			}
		}
	}
	return out
}

// dataFields claims the leaves of an item that is in structured data only.
func dataFields(pages []*page, b wstk.Bucket) []wstk.Claim {
	var out []wstk.Claim
	for _, p := range pages {
		for _, it := range p.doc.Data {
			for _, l := range it.Leaves {
				name := l.Name
				if l.Literal == "" || l.Literal == b.Title || strings.Contains(name, "@") ||
					len(l.Literal) > 4*maxQuote ||
					!placedData(b.Places, p.doc.URL, it) || !within(b.Places, p.doc.URL, it, l) ||
					len(out) == maxLabelled {
					continue
				}
				f := newField(name)
				out = append(out, wstk.Claim{Field: name, Statement: clip(l.Literal),
					Support: wstk.SupportDirect,
					Proposed: []wstk.Proposal{{Kind: wstk.EvidenceData, URL: p.doc.URL,
						Words: l.Literal, ByteStart: -1, Element: l.Element, Pointer: l.Pointer}},
					Value: f.value(l.Literal, p.lang)})
			}
		}
	}
	return out
}

func placedData(places []wstk.Place, url string, it wstk.DataItem) bool {
	for _, pl := range places {
		if pl.URL == url && pl.Span == nil && pl.Element == it.Element {
			return true
		}
	}
	return false
}

// wordIndex is strings.Index for a needle of whole words.
func wordIndex(s, needle string) int {
	for from := 0; from < len(s); {
		i := strings.Index(s[from:], needle)
		if i < 0 {
			return -1
		}
		at := from + i
		if !wordAt(s, at-1, at) && !wordAt(s, at+len(needle), at+len(needle)-1) {
			return at
		}
		from = at + 1
	}
	return -1
}

// wordAt reports whether bytes i and j of s, neighbours, belong to one word.
func wordAt(s string, i, j int) bool {
	if i < 0 || j < 0 || i >= len(s) || j >= len(s) {
		return false
	}
	return wordByte(s[i]) && wordByte(s[j])
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' ||
		'A' <= c && c <= 'Z' || c >= 0xc0
}
