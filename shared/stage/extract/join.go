package extract

import (
	"fmt"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// mergedItem is one item as several pages show it.
type mergedItem struct{ parts []item }

// mergeItems joins items of one title, in order of their first appearance.
func mergeItems(items []item) []mergedItem {
	var out []mergedItem
	exact := map[string]int{}
	for _, it := range items {
		key := text.FoldCompare(it.title)
		if i, ok := exact[key]; ok {
			if sameItem(out[i].parts[0], it) {
				out[i].parts = append(out[i].parts, it)
				continue
			}
		} else {
			exact[key] = len(out)
		}
		joined := false
		for i := range out {
			if len(out) > maxItems { // pairwise comparison stays bounded
				break
			}
			if out[i].parts[0].group != it.group &&
				sameTitle(out[i].parts[0].title, it.title, it.page.lang) {
				out[i].parts = append(out[i].parts, it)
				joined = true
				break
			}
		}
		if !joined {
			out = append(out, mergedItem{[]item{it}})
		}
	}
	return out
}

// sameItem reports whether two items of one title are the same thing: on two pages,
// in two structures, in a page's text and its structured data. Two rows of one
// table that begin alike are two items.
func sameItem(a, b item) bool { return a.group != b.group }

// sameTitle compares titles by their words; numbers have to be equal, so that
// "Level 1" and "Level 2" stay apart.
func sameTitle(a, b, lang string) bool {
	x := contentWords(sectionNumber().ReplaceAllString(a, ""), lang)
	y := contentWords(sectionNumber().ReplaceAllString(b, ""), lang)
	if jaccard(x, y) < titlesAlike {
		return false
	}
	for w := range x {
		if !y[w] && strings.ContainsAny(w, "0123456789") {
			return false
		}
	}
	for w := range y {
		if !x[w] && strings.ContainsAny(w, "0123456789") {
			return false
		}
	}
	return true
}

func (m mergedItem) bucket() wstk.Bucket {
	b := wstk.Bucket{Title: m.parts[0].title}
	for _, it := range m.parts {
		u := it.page.doc.URL
		if !slices.Contains(b.Pages, u) {
			b.Pages = append(b.Pages, u)
		}
		switch {
		case it.data != nil:
			b.Places = append(b.Places, *it.data)
		case it.span.end > it.span.start:
			o := it.page.offsets()
			b.Places = append(b.Places, wstk.Place{URL: u, Element: -1, Span: &wstk.Span{
				CharStart: o.Char(it.span.start), CharEnd: o.Char(it.span.end),
				ByteStart: it.span.start, ByteEnd: it.span.end}})
		}
	}
	g := m.parts[0].group
	under := ""
	if g.label != "" {
		under = " under “" + clip(g.label) + "”"
	}
	b.Rationale = fmt.Sprintf("one of %d %s%s", len(g.items), g.what, under)
	if n := len(b.Pages); n > 1 {
		b.Rationale += fmt.Sprintf("; %d pages show it", n)
	}
	return b
}

// ownPage is the address of the page an item links to by its title.
func (m mergedItem) ownPage() string {
	for _, it := range m.parts {
		if it.link != "" {
			if u, err := text.Resolve(it.page.doc.URL, it.link); err == nil {
				return u
			}
		}
		for _, l := range it.page.doc.Links {
			if l.Main && strings.TrimSpace(l.Text) == it.title && sameHost(l.URL, it.page.doc.URL) {
				if i := strings.IndexByte(l.URL, '#'); i >= 0 {
					continue
				}
				return l.URL
			}
		}
	}
	return ""
}

func sameHost(a, b string) bool { return text.HostKey(a) == text.HostKey(b) }

// titled reports whether a page is about an item: its title or first heading holds
// the item's words.
func titled(d *wstk.Document, title string) bool {
	lang := d.Meta.Language
	want := contentWords(title, lang)
	if len(want) == 0 {
		return false
	}
	for _, s := range []string{d.Meta.Title, headingOf(d)} {
		got := contentWords(s, lang)
		n := 0
		for w := range want {
			if got[w] {
				n++
			}
		}
		if float64(n) >= 0.75*float64(len(want)) {
			return true
		}
	}
	return false
}

// hitsOf keeps the hits on an item's pages, and where it has a place, those that
// touch it.
func hitsOf(hits []wstk.Hit, b wstk.Bucket) []wstk.Hit {
	var out []wstk.Hit
	for _, h := range hits {
		if !slices.Contains(b.Pages, h.URL) {
			continue
		}
		placed, touches := false, false
		for _, pl := range b.Places {
			if pl.URL == h.URL && pl.Span != nil && h.Span != nil {
				placed = true
				touches = touches || pl.Span.ByteStart < h.Span.ByteEnd &&
					h.Span.ByteStart < pl.Span.ByteEnd
			}
		}
		if !placed || touches {
			out = append(out, h)
		}
	}
	return out
}
