package read

import (
	"sort"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// shownIn is what a browser said of a page (wstk.Visibility), made ready for the walk.
type shownIn struct {
	hash    wstk.Hash
	unseen  []wstk.Unseen // by element
	unknown map[int32]bool

	generated map[int32]wstk.GeneratedText // by element

	opened map[int32]bool        // per element that hides: a visitor opens it, see panel
	hiding map[wstk.Unseen]int32 // index into walker.hiding by what hides, Element being 0
}

// browserRecord reads the record of Input.Visibility, and tells why it decides nothing
// where it does not fit the page: then the markup decides, as without a browser.
func browserRecord(in *Input, t *dom.Tree) (b *shownIn, why string) {
	v, err := wstk.DecodeVisibility(in.Visibility, wstk.HashOf(in.Body))
	switch {
	case err != nil:
		return nil, err.Error()
	case v.Elements != len(t.Els):
		return nil, "the page has other elements here than it had in the browser"
	}
	b = &shownIn{hash: wstk.HashOf(in.Visibility), unseen: v.Unseen,
		unknown:   make(map[int32]bool, len(v.Unknown)),
		generated: generatedOf(v.Generated), opened: map[int32]bool{},
		hiding: map[wstk.Unseen]int32{}}
	for _, i := range v.Unknown {
		b.unknown[int32(i)] = true
	}
	return b, ""
}

// of returns what the browser said of element i, and false where it shows its text.
func (b *shownIn) of(i int32) (wstk.Unseen, bool) {
	k := sort.Search(len(b.unseen), func(k int) bool { return b.unseen[k].Element >= int(i) })
	if k == len(b.unseen) || b.unseen[k].Element != int(i) {
		return wstk.Unseen{}, false
	}
	return b.unseen[k], true
}

// seen puts what the browser said of element i in the place of what the markup says.
func (w *walker) seen(i int32, s *state) {
	b := w.browser
	if b == nil || s.unknown {
		return
	}
	s.unknown = b.unknown[i]
	s.hide = -1
	u, hidden := b.of(i)
	if !hidden {
		return
	}
	open, known := b.opened[int32(u.By)]
	if !known {
		open = w.panel(int32(u.By), reasonRule)
		b.opened[int32(u.By)] = open
	}
	if open {
		return
	}
	u.Element = 0
	k, known := b.hiding[u]
	if !known {
		k = int32(len(w.hiding))
		w.hiding = append(w.hiding, hiddenText{element: int32(u.By), reason: u.Reason})
		b.hiding[u] = k
	}
	s.hide, s.why = k, 'h'
}

// readShown reads a page by what a browser showed of it, where that is known.
func readShown(t *dom.Tree, in *Input) (*page, *shownIn) {
	if in.Visibility == nil {
		return readPage(t, in.URL), nil
	}
	browser, why := browserRecord(in, t)
	p := readPageShown(t, in.URL, browser)
	if browser == nil {
		p.warn("visibility_unmatched", "what the browser showed of the page could not be used: "+
			why+"; the page's markup alone decided what is visible")
	}
	return p, browser
}
