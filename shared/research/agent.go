package research

import (
	"context"
	"slices"

	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// PageRef is a stored page that a search found.
type PageRef struct {
	URL   string
	Title string
	Hits  []wstk.Hit // its passages that were found, best first
}

// mostHits bounds the passages that one search ranks.
const mostHits = 1000

// Search ranks stored pages for a query, best first, and returns at most limit of them; 0 means
// 10. It asks no site and no provider. None is an empty list.
func (r *Research) Search(ctx context.Context, query string, limit int) ([]PageRef, error) {
	if limit <= 0 {
		limit = 10
	}
	found, err := r.app.Answering.Recall(ctx,
		answering.RecallRequest{Query: query, Limit: min(10*limit, mostHits)})
	if err != nil {
		return nil, err
	}
	pages := byPage(found.Hits, nil)
	return pages[:min(limit, len(pages))], nil
}

// SearchForGap ranks stored pages for what an answer lacks, by the words of its Query: rare words
// weigh most. Pages that were searched already are left out. None is an empty list: then only a
// further crawl can help.
func (r *Research) SearchForGap(ctx context.Context, gap wstk.Gap) ([]PageRef, error) {
	found, err := r.app.Answering.Gap(ctx, answering.RecallRequest{Query: gap.Query})
	if err != nil {
		return nil, err
	}
	return byPage(found.Hits, gap.Searched), nil
}

// byPage gathers hits by their pages, in the order of the best of each.
func byPage(hits []wstk.Hit, but []string) []PageRef {
	pages := []PageRef{}
	for _, h := range hits {
		if slices.Contains(but, h.URL) {
			continue
		}
		i := slices.IndexFunc(pages, func(p PageRef) bool { return p.URL == h.URL })
		if i < 0 {
			i = len(pages)
			pages = append(pages, PageRef{URL: h.URL, Title: h.Title})
		}
		pages[i].Hits = append(pages[i].Hits, h)
	}
	return pages
}

// Read returns what is stored of pages, in the order of their addresses. It asks no site. A page
// of which nothing is stored is NotFound, beside those before it.
func (r *Research) Read(ctx context.Context, urls ...string) ([]*wstk.Document, error) {
	pages := make([]*wstk.Document, 0, len(urls))
	for _, u := range urls {
		p, _, err := r.app.Looking.ReadPage(ctx, u)
		if err != nil {
			return pages, err
		}
		pages = append(pages, p.Document)
	}
	return pages, nil
}

// ExtractFrom answers a question from these pages alone, as they are stored now. It is Ask with
// From; without a page it is Invalid.
func (r *Research) ExtractFrom(
	ctx context.Context, question string, pages ...*wstk.Document,
) (wstk.AskResult, error) {
	if len(pages) == 0 {
		return wstk.AskResult{}, wstk.Errorf(wstk.Invalid, "extracting", "no page was given")
	}
	return r.Ask(ctx, question, func(q *wstk.AskQuery) {
		for _, p := range pages {
			q.From = append(q.From, p.URL)
		}
	})
}
