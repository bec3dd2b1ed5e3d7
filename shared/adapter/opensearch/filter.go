package opensearch

import (
	"strings"
	"time"

	"wstk/shared/wstk"
)

// filters makes of a query the clauses that every entry of it fulfils.
func filters(q wstk.IndexQuery) []any {
	kind := map[string]any{"terms": map[string]any{
		"kind": []wstk.EntryKind{wstk.KindChunk, wstk.KindSummary}}}
	if q.Kind != "" {
		kind = term("kind", q.Kind)
	}
	return append([]any{kind}, narrowed(q.Filter, q.Pages)...)
}

// narrowed makes of a filter and of the URLs of pages the clauses that every document of them
// fulfils. They are wstk.Filter.Match except for paths over maxPath bytes, of which the beginning
// is compared; passes settles those.
func narrowed(f wstk.Filter, pages []string) (all []any) {
	if !f.MinDate.IsZero() {
		all = append(all, map[string]any{"range": map[string]any{
			"fetched_at": map[string]any{"gte": nanos(f.MinDate)}}})
	}
	if len(f.IncludeSites) > 0 {
		all = append(all, either(rules(f.IncludeSites)))
	}
	if len(f.ExcludeSites) > 0 {
		all = append(all, map[string]any{"bool": map[string]any{"must_not": rules(f.ExcludeSites)}})
	}
	if len(pages) > 0 {
		var keys []string
		for _, url := range pages {
			keys = append(keys, key(url))
		}
		all = append(all, map[string]any{"terms": map[string]any{"page": keys}})
	}
	return all
}

// passes reports whether a document is what the filter asks for. What no time in
// nanoseconds can say is left to the index.
func passes(f wstk.Filter, d document) bool {
	f.MinDate = time.Time{}
	return f.Match(d.Site, d.URL, time.Time{})
}

func either(clauses []any) map[string]any {
	return map[string]any{"bool": map[string]any{"should": clauses, "minimum_should_match": 1}}
}

func rules(sites []string) []any {
	var out []any
	for _, s := range sites {
		out = append(out, rule(wstk.ParseSiteRule(s)))
	}
	return out
}

// rule is wstk.SiteRule.Match as a query.
func rule(r wstk.SiteRule) map[string]any {
	if r.Site != "" {
		return term("site", r.Site)
	}
	all := []any{term("host", r.Host)}
	if !r.Exact {
		all[0] = term("hosts", r.Host)
	}
	if r.Scheme != "" {
		all = append(all, term("scheme", r.Scheme))
	}
	if r.Port != "" {
		all = append(all, term("port", r.Port))
	}
	if r.Path != "" {
		prefix := func(p string) any {
			return map[string]any{"prefix": map[string]any{"path": map[string]any{"value": p[:min(len(p), maxPath)]}}}
		}
		if strings.HasSuffix(r.Path, "/") || len(r.Path) >= maxPath {
			all = append(all, prefix(r.Path))
		} else {
			all = append(all, either(
				[]any{term("path", r.Path), prefix(r.Path + "/"), prefix(r.Path + "?")}))
		}
	}
	return map[string]any{"bool": map[string]any{"filter": all}}
}
