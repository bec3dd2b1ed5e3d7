package read

import (
	"net/url"
	"strings"

	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// A manual repeats its menu and its table of contents on each page, before the text: long
// lists of links to its own headings and its other pages. They are no main content.

// fewestInMenu is how many items such a list has.
const fewestInMenu = 12

// withoutMenus takes the lists of links that stand before the first text of the main
// content out of it, on a page that has more text than links there. main is by block.
func (p *page) withoutMenus(main []bool) {
	var items []int // of lists
	links, first := 0, 0
	for ; first < len(p.blocks); first++ {
		b := &p.blocks[first]
		if !main[first] || b.Kind == wstk.BlockHeading {
			continue
		}
		isItem := p.isMenuItem(first)
		if !isItem && b.bytes() >= shortLine {
			break // the text begins
		}
		if isItem {
			links++
		}
		if b.Kind == wstk.BlockListItem { // an item, or what names a list
			items = append(items, first)
		}
	}
	if links < fewestInMenu || 10*links < 9*len(items) || !p.moreTextThan(items, main, first) {
		return
	}
	for _, i := range items {
		main[i] = false
	}
}

// shortLine is how long a line without a sentence may be, in bytes.
const shortLine = 80

// moreTextThan reports whether the main content has three times as much from block first on
// as there is in some blocks before it.
func (p *page) moreTextThan(items []int, main []bool, first int) bool {
	before, after := 0, 0
	for _, i := range items {
		before += p.blocks[i].bytes()
	}
	for i := first; i < len(p.blocks); i++ {
		if main[i] {
			after += p.blocks[i].bytes() - p.blocks[i].linkBytes
		}
	}
	return after > 3*before
}

// isMenuItem reports whether block i is an item of a list that is nothing but a link to a
// place of the page or to another page of its site. A sentence, as the questions of a FAQ
// are, is more.
func (p *page) isMenuItem(i int) bool {
	b := &p.blocks[i]
	return b.Kind == wstk.BlockListItem && 10*b.linkBytes >= 9*b.bytes() &&
		!proseLike([]byte(p.blockText(i))) && p.leadsInside(b.owner)
}

// leadsInside reports whether the first link in element i leads to its own site.
func (p *page) leadsInside(i int32) bool {
	for k := i; k < p.Els[i].End; k++ {
		if p.Els[k].Tag() != atom.A {
			continue
		}
		href := strings.TrimSpace(dom.Attr(p.Els[k].Node, "href"))
		u, err := url.Parse(href)
		if err != nil || href == "" {
			return false
		}
		if u.Host == "" {
			return u.Scheme == ""
		}
		page, err := url.Parse(p.url)
		return err == nil && strings.EqualFold(u.Host, page.Host)
	}
	return false
}
