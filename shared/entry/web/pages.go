package web

import (
	"net/http"
	"strings"

	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// search is what was looked for among the stored pages.
type search struct {
	Asked    string
	Hits     []wstk.Hit
	Warnings []wstk.Warning
}

// maxHits is how many passages are shown.
const maxHits = 20

// find looks for passages; without words it shows where to type them.
func (h *handler) find(r *http.Request, words string) (view, error) {
	v := view{page: "find", section: "pages", title: "Stored pages", data: search{}}
	if strings.TrimSpace(words) == "" {
		return v, nil
	}
	words, err := bounded(words)
	if err != nil {
		return v, err
	}
	found, err := h.app.Answering.Recall(r.Context(),
		answering.RecallRequest{Query: words, Limit: maxHits})
	v.data = search{Asked: words, Hits: found.Hits, Warnings: found.Warnings}
	return v, err
}

// stored is a stored page as it is read here: its text and its warnings.
type stored struct {
	Doc      *wstk.Document
	Page     *wstk.Page // nil for what only the cache holds
	Warnings []wstk.Warning
	Parts    []passage
	Left     int // blocks that are not shown
}

// passage is a run of blocks of the main content, or of what stands around it.
type passage struct {
	Main   bool
	Blocks []block
}

// block is a block with its text.
type block struct {
	wstk.Block
	Words string
}

// maxBlocks is how many blocks of a page are shown.
const maxBlocks = 1500

func (h *handler) storedPage(r *http.Request) (view, error) {
	q := r.URL.Query()
	name := strings.TrimSpace(q.Get("url"))
	if name == "" {
		return h.find(r, q.Get("q"))
	}
	d, warnings, err := h.app.Looking.ReadPage(r.Context(), name)
	if err != nil {
		return view{}, err
	}
	s := stored{Doc: d.Document, Warnings: warnings, Left: max(0, len(d.Blocks)-maxBlocks)}
	if p, err := h.app.Pages.Get(r.Context(), d.URL); err == nil {
		s.Page = &p
	} else if wstk.CodeOf(err) != wstk.NotFound {
		return view{}, err
	}
	for i, b := range d.Blocks[:len(d.Blocks)-s.Left] {
		if n := len(s.Parts); n == 0 || s.Parts[n-1].Main != b.Main {
			s.Parts = append(s.Parts, passage{Main: b.Main})
		}
		last := &s.Parts[len(s.Parts)-1]
		last.Blocks = append(last.Blocks, block{b, d.BlockText(i)})
	}
	return view{page: "stored", section: "pages", title: "A stored page", data: s}, nil
}
