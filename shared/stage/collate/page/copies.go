package page

import (
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Copies reports whether the pages of two quotes are one source: one canonical
// address, one text, or nearly one main text. Each two pages are compared once.
func (p *Set) Copies(a, b wstk.Evidence) bool {
	x, y := p.Of(a), p.Of(b)
	if x == nil || y == nil {
		return false
	}
	same, known := p.copies[[2]*wstk.Document{x, y}]
	if !known {
		same = p.compareTexts(x, y)
		p.copies[[2]*wstk.Document{x, y}], p.copies[[2]*wstk.Document{y, x}] = same, same
	}
	return same
}

func (p *Set) compareTexts(x, y *wstk.Document) bool {
	if x.CanonicalURL != "" && x.CanonicalURL == y.CanonicalURL ||
		x.TextSHA256 != "" && x.TextSHA256 == y.TextSHA256 {
		return true
	}
	s, t := p.mainOf(x), p.mainOf(y)
	if short, long := min(s.size, t.size), max(s.size, t.size); short == 0 || 3*short < 2*long {
		return false // too unlike in length to be worth comparing
	}
	p.Tick()
	a, b := p.shinglesOf(x, s), p.shinglesOf(y, t)
	p.Tick() // nothing is known about a page that was read in part
	return a.NearCopies(b)
}

// mainText is what is known of the text by which near-copies are compared.
type mainText struct {
	size     int            // bytes
	shingles *text.Shingles // nil until they are needed
}

// ShinglesOf returns the shingles of the text by which near-copies are compared: of the main
// content, so that two short pages with the same menus do not count as copies; of the whole
// text if a page has no main content.
func ShinglesOf(d *wstk.Document) text.Shingles { return text.ShinglesOf(wordsOfMain(d)) }

func wordsOfMain(d *wstk.Document) string {
	s := d.MainText()
	if strings.TrimSpace(s) == "" {
		return d.Text
	}
	return s
}

func (p *Set) mainOf(d *wstk.Document) *mainText {
	if p.main[d] == nil {
		p.main[d] = &mainText{size: len(wordsOfMain(d))}
	}
	return p.main[d]
}

func (p *Set) shinglesOf(d *wstk.Document, m *mainText) text.Shingles {
	if m.shingles == nil {
		s := p.shingles(p.ctx, d)
		m.shingles = &s
	}
	return *m.shingles
}
