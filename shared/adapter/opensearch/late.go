package opensearch

import (
	"slices"

	"wstk/shared/wstk"
)

// Late pages were written so lately that OpenSearch Serverless may not show them yet. Their
// entries are made here as Replace makes them, and counted and scored as if they were shown.

// lateDocuments are the documents of late pages.
func lateDocuments(op string, pages []wstk.PageIndex) (all []document, err error) {
	for _, p := range pages {
		docs, err := documents(op, p)
		if err != nil {
			return nil, err
		}
		for i := range docs {
			docs[i].Version = fetchedPart(p.FetchedAt)
		}
		all = append(all, docs...)
	}
	return all, nil
}

// shownTexts asks which of the texts of some pages the index shows.
func shownTexts(pages []wstk.PageIndex) any {
	var keys []string
	var texts []wstk.Hash
	for _, p := range pages {
		keys, texts = append(keys, key(p.URL)), append(texts, p.TextSHA256)
	}
	return map[string]any{
		"filter": map[string]any{"bool": map[string]any{"filter": []any{term("kind", kindPage),
			map[string]any{"terms": map[string]any{"page": keys}},
			map[string]any{"terms": map[string]any{"text_sha256": texts}}}}},
		"aggs": map[string]any{"texts": map[string]any{"terms": map[string]any{
			"field": "text_sha256", "size": len(texts)}}}}
}

func (f found) shown() map[wstk.Hash]bool {
	out := map[wstk.Hash]bool{}
	for _, b := range f.Aggregations.All.Late.Texts.Buckets {
		out[b.Key] = true
	}
	return out
}

// add counts the entries of late pages that the index does not show yet, and returns those that
// the query asks for.
func (c *counts) add(q wstk.IndexQuery, terms []queryTerm, late []document) (out []candidate) {
	for _, d := range late {
		if d.Kind == kindPage || c.shown[d.TextSHA256] {
			continue
		}
		c.entries, c.tokens = c.entries+1, c.tokens+float64(d.Length)
		matches := false
		for i, t := range terms {
			if d.frequency(t.word) > 0 {
				c.holding[i]++
				matches = true
			}
		}
		if matches && asks(q, d) {
			out = append(out, candidate{document: d})
		}
	}
	return out
}

// asks reports whether an entry is one that a query narrows to.
func asks(q wstk.IndexQuery, d document) bool {
	return (q.Kind == "" || q.Kind == d.Kind) &&
		(len(q.Pages) == 0 || slices.Contains(q.Pages, d.URL)) &&
		(q.Filter.MinDate.IsZero() || d.FetchedAt >= nanos(q.Filter.MinDate)) && passes(q.Filter, d)
}
