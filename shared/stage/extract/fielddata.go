package extract

import (
	"strings"

	"wstk/shared/wstk"
)

// inData offers a literal of structured data. Of several items on a page, it is of the one whose
// name is asked about.
func (f *field) inData(p *page, places []wstk.Place, offer func(fieldFind)) {
	for _, it := range p.doc.Data {
		title := nameLeaf(it.Leaves, "")
		about, ok := f.concerns(p, nil, []string{title}, nil)
		if !ok {
			continue
		}
		for _, l := range it.Leaves {
			if l.Literal == "" || len(l.Literal) > 4*maxQuote ||
				!within(places, p.doc.URL, it, l) ||
				p.nothing(l.Literal) {
				continue
			}
			v := f.value(l.Literal, p.lang)
			rank, ok := f.namedBy(l.Name)
			if !ok || !f.suits(l, it, p.lang) {
				continue
			}
			name := strings.ToLower(l.Name)
			score := 0.45 - 0.01*float64(rank) - 0.02*float64(strings.Count(name, ".")) -
				0.002*float64(min(p.order, 10))
			offer(fieldFind{score: score, about: about, page: p, data: title + "\x00" + it.Type,
				claim: wstk.Claim{Field: f.name, Statement: l.Literal, Support: wstk.SupportDirect,
					Proposed: []wstk.Proposal{{Kind: wstk.EvidenceData, URL: p.doc.URL,
						Words: l.Literal, ByteStart: -1, Element: l.Element, Pointer: l.Pointer}},
					Value: v}})
		}
	}
}

// suits reports whether all words of the hint stand in the name of a leaf or of its item, or are
// those of the field that the leaf names.
func (f *field) suits(l wstk.DataLeaf, it wstk.DataItem, lang string) bool {
	if len(f.words) < 2 {
		return true
	}
	under := l.Pointer[:max(0, strings.LastIndexByte(l.Pointer, '/'))]
	var nearest []wstk.DataLeaf
	for _, o := range it.Leaves {
		if strings.HasPrefix(o.Pointer, under) {
			nearest = append(nearest, o)
		}
	}
	label := namingsOf(strings.ReplaceAll(splitCamel(l.Name), ".", " "), lang)
	around := namingsOf(nameLeaf(nearest, under), lang)
	for _, n := range f.words {
		named := false
		for _, field := range n.fields {
			for _, d := range fieldWords().data[field] {
				name := strings.ToLower(l.Name)
				named = named || name == d || strings.HasSuffix(name, "."+d)
			}
		}
		if !named && !n.among(label) && !n.among(around) {
			return false
		}
	}
	return true
}

// namedBy reports whether the name of a leaf names the field, and how late among its names.
func (f *field) namedBy(leaf string) (rank int, ok bool) {
	name := strings.ToLower(leaf)
	for k, want := range f.data {
		if want != "" && (name == want || strings.HasSuffix(name, "."+want)) {
			return k, true
		}
	}
	return 0, false
}

// within reports whether a leaf of item it belongs to one of places; where no place
// names structured data of that page, every leaf does.
func within(places []wstk.Place, url string, it wstk.DataItem, l wstk.DataLeaf) bool {
	listed := false
	for _, pl := range places {
		if pl.URL != url || pl.Span != nil {
			continue
		}
		listed = true
		if pl.Element == it.Element && (pl.Pointer == "" || l.Pointer == pl.Pointer ||
			strings.HasPrefix(l.Pointer, pl.Pointer+"/")) {
			return true
		}
	}
	return !listed
}
