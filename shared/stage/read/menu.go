package read

import (
	"net/url"
	"strings"

	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// A manual repeats its menu and its table of contents on each page, before the text: long
// lists of links to its own headings and its other pages. They are no main content. Some
// generators write lists, some a line for each link.

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
		isItem := b.Kind == wstk.BlockListItem && p.isMenuLine(first)
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
	p.withoutSiteMenus(main, first)
	if links < fewestInMenu || 10*links < 9*len(items) || !p.moreTextThan(items, main, first) {
		return
	}
	for _, i := range items {
		main[i] = false
	}
}

// withoutSiteMenus takes the runs of links before block first out of the main content that
// lead to the page itself, too, as only the menu of a site does. Such a menu may be longer
// than the text. One line in a run may be something else: a link to another site.
func (p *page) withoutSiteMenus(main []bool, first int) {
	if first == len(p.blocks) {
		return // there is nothing but links
	}
	for i := 0; i < first; {
		end, menu := p.menuFrom(i, first)
		for k := i; menu && k < end; k++ {
			main[k] = false
		}
		i = max(end, i+1)
	}
}

// menuFrom returns where the run of links that begins with block i ends, at block first at
// the latest, and whether it is the menu of a site.
func (p *page) menuFrom(i, first int) (end int, menu bool) {
	links, here := 0, false
	for end = i; end < first; end++ {
		if p.isMenuLine(end) {
			links++
			here = here || p.leadsHere(p.blocks[end].owner)
		} else if p.blocks[end].Kind == wstk.BlockHeading || end+1 == first ||
			!p.isMenuLine(end+1) {
			break
		}
	}
	return end, links >= fewestInMenu && here
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

// isMenuLine reports whether block i is an item of a list, or a line, that is nothing but a
// link to a place of the page or to another page of its site. A sentence, as the questions
// of a FAQ are, is more.
func (p *page) isMenuLine(i int) bool {
	b := &p.blocks[i]
	return (b.Kind == wstk.BlockListItem || b.Kind == wstk.BlockOther) &&
		10*b.linkBytes >= 9*b.bytes() &&
		!proseLike([]byte(p.blockText(i))) && p.leadsInside(b.owner)
}

// leadsHere reports whether the first link in element i leads to the page itself, not to a
// place in it.
func (p *page) leadsHere(i int32) bool {
	href := p.firstLink(i)
	if href == "" || strings.Contains(href, "#") {
		return false
	}
	to, err := text.Resolve(p.base, href)
	if err != nil {
		return false
	}
	base, _, _ := strings.Cut(p.base, "#")
	here, err := text.Resolve(base, base)
	return err == nil && to == here
}

// firstLink returns the address of the first link in element i as it is written.
func (p *page) firstLink(i int32) string {
	for k := i; k < p.Els[i].End; k++ {
		if p.Els[k].Tag() == atom.A {
			return strings.TrimSpace(dom.Attr(p.Els[k].Node, "href"))
		}
	}
	return ""
}

// leadsInside reports whether the first link in element i leads to its own site.
func (p *page) leadsInside(i int32) bool {
	href := p.firstLink(i)
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
