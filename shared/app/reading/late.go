package reading

import (
	"context"

	"wstk/shared/stage/index"
	"wstk/shared/wstk"
)

// IsLate reports whether the index was given a page so lately that it may not show it yet.
func (r *Room) IsLate(p wstk.Page) bool {
	return r.IndexLag > 0 && !p.IndexedAt.IsZero() && r.Now().Sub(p.IndexedAt) <= r.IndexLag
}

// Late returns what the index was given of those pages that it may not show yet, without their
// summaries; where it shows each write at once, nothing.
func (r *Room) Late(ctx context.Context, urls []string) (late []wstk.PageIndex, err error) {
	if r.IndexLag == 0 {
		return nil, nil // no page is late, and none needs to be looked up
	}
	for _, u := range urls {
		p, err := r.Pages.Get(ctx, u)
		if wstk.CodeOf(err) == wstk.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		if p.Document == "" || !r.IsLate(p) {
			continue
		}
		doc, err := wstk.LoadDocument(ctx, r.Blobs, p.Document)
		if err != nil {
			return nil, err
		}
		built, err := r.Indexing.Build(ctx, index.Input{Page: p, Document: doc})
		if err != nil {
			return nil, err
		}
		late = append(late, built)
	}
	return late, nil
}
