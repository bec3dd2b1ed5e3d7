package opensearch

import (
	"strings"
	"time"

	"wstk/shared/wstk"
)

// filters makes of a query the clauses that every entry of it fulfils. They are
// wstk.Filter.Match except for paths over maxPath bytes, of which the beginning is
// compared; passes settles those.
func filters(q wstk.IndexQuery) []any {
	all := []any{map[string]any{"terms": map[string]any{"kind": []wstk.EntryKind{wstk.KindChunk, wstk.KindSummary}}}}
	if q.Kind != "" {
		all[0] = term("kind", q.Kind)
	}
	if !q.Filter.MinDate.IsZero() {
		all = append(all, map[string]any{"range": map[string]any{
			"fetched_at": map[string]any{"gte": nanos(q.Filter.MinDate)}}})
	}
	if len(q.Filter.IncludeSites) > 0 {
		all = append(all, either(rules(q.Filter.IncludeSites)))
	}
	if len(q.Filter.ExcludeSites) > 0 {
		all = append(all, map[string]any{"bool": map[string]any{"must_not": rules(q.Filter.ExcludeSites)}})
	}
	if len(q.Pages) > 0 {
		var keys []string
		for _, url := range q.Pages {
			keys = append(keys, key(url))
		}
		all = append(all, map[string]any{"terms": map[string]any{"page": keys}})
	}
	return all
}

// passes reports whether an entry is what the query asks for. What no time in
// nanoseconds can say is left to the index.
func passes(q wstk.IndexQuery, d document) bool {
	q.Filter.MinDate = time.Time{}
	return q.Filter.Match(d.Site, d.URL, time.Time{})
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
