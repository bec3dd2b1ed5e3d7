package extract

import (
	"context"
	"slices"

	"wstk/shared/wstk"
)

// The numbers of Partition. A structure has to hold this share of the query to be
// what was asked for; another one with nearly its score is the same collection
// continued.
const (
	groupAt      = 0.45
	coveredAt    = 0.55 // of the query, whatever else speaks for it
	groupBeside  = 0.88
	maxItems     = 200
	maxListPages = 20 // pages in which structures are looked for
	titlesAlike  = 0.8
)

// Partition gathers hits into buckets, one for each item that is asked for. A
// Singular or Narrative query is one bucket of all pages. A Collection is one
// bucket for each like thing in the structure that fits the query best, joined
// over pages by title and with the item's own page where one is stored; where no
// structure fits, it is one bucket without title or places, and Do answers it as
// it would a Singular query.
//
// left counts items found beyond the first 200, which are not returned. An error
// is the Document function's own. Buckets keep the order of the hits, then of the
// pages; the same input gives the same buckets.
func (s *Stage) Partition(
	ctx context.Context, query string, strategy wstk.Strategy, hits []wstk.Hit,
) (buckets []wstk.Bucket, left int, err error) {
	urls := pagesOf(hits)
	if len(urls) == 0 {
		return nil, 0, nil
	}
	one := wstk.Bucket{Pages: urls, Hits: hits,
		Rationale: "one answer is asked for, so all pages are read together"}
	if strategy == wstk.Narrative {
		one.Rationale = "an account is asked for, so all pages are read together"
	}
	if strategy != wstk.Collection {
		return []wstk.Bucket{one}, 0, nil
	}
	docs, err := s.documents(ctx, urls[:min(len(urls), maxListPages)])
	if err != nil {
		return nil, 0, err
	}
	q := newQuestion(query, whole(query), commonLanguage(docs))
	q.call = s.newCall(ctx)
	q.dropListWords()
	none := func(string, int, int) bool { return false }
	pages := q.pages(docs, wstk.Bucket{Pages: urls, Hits: hits}, none)
	weigh(q, pages)
	if err := stopped(ctx); err != nil {
		return nil, 0, err
	}
	chosen := q.choose(pages, hits)
	if len(chosen) == 0 {
		one.Rationale = "no list, table or run of sections fits the query, so the pages are read " +
			"together"
		return []wstk.Bucket{one}, 0, nil
	}
	items := q.filter(chosen)
	merged := mergeItems(items)
	if len(merged) > maxItems {
		left = len(merged) - maxItems
		merged = merged[:maxItems]
	}
	for _, m := range merged {
		if err := ctx.Err(); err != nil {
			return nil, 0, wstk.Wrap(wstk.Cancelled, "partitioning", err)
		}
		b := m.bucket()
		if u := m.ownPage(); u != "" && !slices.Contains(b.Pages, u) {
			d, err := s.Document(ctx, u)
			switch {
			case err == nil && titled(d, b.Title):
				b.Pages = append(b.Pages, d.URL)
				b.Rationale += "; it has a page of its own"
			case err != nil && wstk.CodeOf(err) != wstk.NotFound:
				return nil, 0, wstk.Wrap(wstk.Internal, "reading the document of "+u, err)
			}
		}
		b.Hits = hitsOf(hits, b)
		buckets = append(buckets, b)
	}
	return buckets, left, nil
}

func pagesOf(hits []wstk.Hit) []string {
	var urls []string
	for _, h := range hits {
		if !slices.Contains(urls, h.URL) {
			urls = append(urls, h.URL)
		}
	}
	return urls
}
