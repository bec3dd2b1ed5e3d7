package opensearch

import (
	"context"

	"wstk/shared/wstk"
)

// pages finds the newest document of each of these pages, by key. fields are those
// of the reply beside page and version.
func (x *Index) pages(
	ctx context.Context, op string, keys []string, fields ...string,
) (map[string]document, error) {
	out := map[string]document{}
	const at = 1000
	for len(keys) > 0 {
		part := keys[:min(at, len(keys))]
		keys = keys[len(part):]
		f, err := search[found](ctx, x, op, map[string]any{"size": most, "track_total_hits": false,
			"_source": append([]string{"page", "version"}, fields...),
			"query": map[string]any{"bool": map[string]any{"filter": []any{
				term("kind", kindPage), map[string]any{"terms": map[string]any{"page": part}}}}}})
		if err != nil {
			return nil, err
		}
		for _, c := range f.list() {
			if held, ok := out[c.Page]; !ok || held.Version < c.Version {
				out[c.Page] = c.document
			}
		}
	}
	return out, nil
}

func (x *Index) Links(ctx context.Context, url string, limit int) ([]wstk.LinkTo, error) {
	const op = "reading links"
	if limit < 1 {
		limit = 100
	}
	from := key(url)
	source, err := x.pages(ctx, op, []string{from}, "link_list")
	if err != nil {
		return nil, err
	}
	var keys []string
	seen := map[string]bool{}
	for _, l := range source[from].LinkList {
		if k := key(l.URL); !seen[k] {
			seen[k] = true
			keys = append(keys, k)
		}
	}
	targets, err := x.pages(ctx, op, keys, "site", "first_main")
	if err != nil {
		return nil, err
	}
	var links []wstk.Link
	for _, l := range source[from].LinkList {
		if _, ok := targets[key(l.URL)]; ok && len(links) < limit {
			links = append(links, l)
		}
	}
	if len(links) == 0 {
		return nil, nil
	}
	share, err := x.inShares(ctx, op, links, targets)
	if err != nil {
		return nil, err
	}
	var out []wstk.LinkTo
	for _, l := range links {
		k := key(l.URL)
		out = append(out, wstk.LinkTo{URL: l.URL, Text: l.Text, Main: l.Main, InShare: share(k),
			TargetID: targets[k].FirstMain})
	}
	return out, nil
}

type shareReply struct {
	answered
	Aggregations struct {
		Pages struct {
			Buckets map[string]struct {
				Count float64 `json:"doc_count"`
			} `json:"buckets"`
		} `json:"pages"`
	} `json:"aggregations"`
}

// inShares counts, in one request, the pages of each target's site and those of
// them that link to it.
func (x *Index) inShares(
	ctx context.Context, op string, links []wstk.Link, targets map[string]document,
) (func(key string) float64, error) {
	clauses := map[string]any{}
	for _, l := range links {
		k := key(l.URL)
		site := targets[k].Site
		clauses["site "+string(site)] = term("site", site)
		clauses["to "+k] = map[string]any{"bool": map[string]any{
			"filter": []any{term("site", site), term("targets", k)}}}
	}
	found, err := search[shareReply](ctx, x, op,
		map[string]any{"size": 0, "track_total_hits": false, "query": term("kind", kindPage),
			"aggs": map[string]any{"pages": map[string]any{"filters": map[string]any{"filters": clauses}}}})
	count := found.Aggregations.Pages.Buckets
	return func(key string) float64 {
		return count["to "+key].Count / max(count["site "+string(targets[key].Site)].Count, 1)
	}, err
}
