package extract

import (
	"strings"
	"unicode"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// pageTypes are kinds of structured data about the page or the site, not about
// items on it.
var pageTypes = set("website webpage breadcrumblist organization searchaction imageobject " +
	"sitenavigationelement wpheader wpfooter listitem readaction person collectionpage")

var listPointer = text.Pattern(
	`^(.*?/(?:itemListElement|@graph|hasPart|mainEntity|hasOfferCatalog/itemListElement))/\d+`)

func (p *page) dataGroups() []group {
	byType := map[string]*group{}
	var order []string
	put := func(typ string, it item) {
		g := byType[typ]
		if g == nil {
			g = &group{page: p, what: "items of structured data",
				label: splitCamel(typ), main: true}
			byType[typ] = g
			order = append(order, typ)
		}
		g.items = append(g.items, it)
	}
	for _, di := range p.doc.Data {
		if di.Format != "json-ld" && di.Format != "microdata" {
			continue
		}
		if lists := p.listedData(di); len(lists) >= minItems {
			for _, it := range lists {
				put(di.Type, it)
			}
			continue
		}
		if di.Type == "" || pageTypes[strings.ToLower(di.Type)] {
			continue
		}
		it := item{page: p, data: &wstk.Place{URL: p.doc.URL, Element: di.Element}}
		it.title = nameLeaf(di.Leaves, "")
		p.readLeaves(&it, di.Leaves)
		if it.title != "" {
			put(di.Type, it)
		}
	}
	var gs []group
	for _, typ := range order {
		gs = append(gs, *byType[typ])
	}
	return gs
}

// listedData takes the elements of a list inside one item of structured data.
func (p *page) listedData(di wstk.DataItem) []item {
	var out []item
	index := map[string]int{}
	leaves := map[string][]wstk.DataLeaf{}
	var keys []string
	if strings.EqualFold(di.Type, "BreadcrumbList") {
		return nil
	}
	for _, l := range di.Leaves {
		m := listPointer().FindString(l.Pointer)
		if m == "" {
			continue
		}
		if _, ok := index[m]; !ok {
			index[m] = len(keys)
			keys = append(keys, m)
		}
		leaves[m] = append(leaves[m], l)
	}
	for _, k := range keys {
		it := item{page: p, data: &wstk.Place{URL: p.doc.URL, Element: di.Element, Pointer: k}}
		it.title = nameLeaf(leaves[k], k)
		p.readLeaves(&it, leaves[k])
		if it.title != "" {
			out = append(out, it)
		}
	}
	return out
}

// nameLeaf is what an item of structured data calls itself: the shallowest name.
func nameLeaf(leaves []wstk.DataLeaf, under string) string {
	best, depth := "", 1<<30
	for _, l := range leaves {
		name := l.Name
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			name = name[i+1:]
		}
		if name != "name" && name != "headline" && name != "title" {
			continue
		}
		if d := strings.Count(l.Name, ".") + strings.Count(strings.TrimPrefix(l.Pointer, under),
			"/"); d < depth && strings.TrimSpace(l.Literal) != "" {
			best, depth = l.Literal, d
		}
	}
	return best
}

// readLeaves takes the query's terms and the link from an item's literals.
func (p *page) readLeaves(it *item, leaves []wstk.DataLeaf) {
	const longest = 2000
	for _, l := range leaves {
		if it.link == "" && (l.Name == "url" || strings.HasSuffix(l.Name, ".url")) {
			it.link = l.Literal
		}
		if len(l.Literal) <= longest {
			own, syn, _ := p.scan(l.Literal, 0, p.lex, false)
			it.own |= own | syn
		}
	}
}

// splitCamel turns JobPosting into "Job Posting".
func splitCamel(s string) string {
	var b strings.Builder
	small := false
	for _, r := range s {
		if small && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		b.WriteRune(r)
	}
	return b.String()
}
