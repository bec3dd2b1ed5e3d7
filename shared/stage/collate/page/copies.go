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
	return s.of(x).NearCopies(t.of(y))
}

// mainText is the text by which near-copies are compared: the main content, so that two
// short pages with the same menus do not count as copies; the whole text if a page has no
// main content.
type mainText struct {
	size     int            // bytes
	shingles *text.Shingles // nil until they are needed
}

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

// of returns the shingles of the main text of d.
func (m *mainText) of(d *wstk.Document) text.Shingles {
	if m.shingles == nil {
		s := text.ShinglesOf(wordsOfMain(d))
		m.shingles = &s
	}
	return *m.shingles
}
