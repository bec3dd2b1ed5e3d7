package screen

import (
	"strings"

	"wstk/shared/text"
)

const (
	shellText   = 300 // a shell shows less than this
	shellChrome = 800 // … or this, where its root is empty
	bareShell   = 60  // … or hardly a word
	emptyRoot   = 40  // a root with less than this is not yet built
)

// shell reports whether the page is an empty shell that a script would fill.
func (p *page) shell() string {
	if !p.html || p.size > shellChrome {
		return ""
	}
	m := p.markup()
	if m.scripts == 0 && !(m.root && p.size < bareShell) {
		return ""
	}
	// In the root there is what a script put there, or what stands there until
	// it does. A page without any text has none in its root either.
	inRoot := min(m.inRoot, p.size)
	switch {
	case m.root && (inRoot < emptyRoot || p.onlyNotice()):
		return "the element that a script would fill is empty"
	case p.size <= shellText && p.onlyNotice():
		return "the page only says that it needs JavaScript"
	case p.size == 0 && m.scripts > 0 && m.frames == 0 && m.images == 0 &&
		first(m.noscript, phrases("script notices")) == "":
		return "the page has no text without its script"
	case p.size < bareShell:
		return p.bare(m)
	}
	return ""
}

// bare says what shows that a page with next to no text has yet to be made.
func (p *page) bare(m *markup) string {
	switch {
	case first(m.noscript, phrases("script notices")) != "":
		return "the page has almost no text and says that it needs JavaScript"
	case m.state || m.module || m.external > 0 && p.waits():
		return "the page has almost no text; a script would make it from data on the page"
	}
	return ""
}

// onlyNotice reports whether nothing much is left of the text without the blocks
// that ask for JavaScript or for patience, and there is one such.
func (p *page) onlyNotice() bool {
	left, notice := 0, false
	for _, b := range p.blocks {
		if first(b, phrases("script notices")) != "" || among("waiting", bare(b)) {
			notice = true
		} else {
			left += weigh(b, text.Range{End: len(b)}, nil)
		}
	}
	return notice && left < bareShell
}

// waits reports whether the page says that it is loading.
func (p *page) waits() bool {
	for _, b := range p.blocks {
		if among("waiting", bare(b)) {
			return true
		}
	}
	return strings.HasPrefix(p.text, "loading")
}
