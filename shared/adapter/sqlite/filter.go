package sqlite

import (
	"encoding/json"
	"strings"

	"wstk/shared/wstk"
)

// pagesThat makes of a filter a condition on index_pages, with its arguments; ""
// when every page passes. It is wstk.Filter.Match in SQL.
func pagesThat(f wstk.Filter, pages []string) (condition string, args []any, err error) {
	var where []string
	if !f.MinDate.IsZero() {
		where, args = append(where, `fetched_at >= ?`), append(args, nanos(f.MinDate))
	}
	any := func(sites []string) string {
		var or []string
		for _, s := range sites {
			condition, a := site(wstk.ParseSiteRule(s))
			or, args = append(or, condition), append(args, a...)
		}
		return strings.Join(or, ` OR `)
	}
	if len(f.IncludeSites) > 0 {
		where = append(where, `(`+any(f.IncludeSites)+`)`)
	}
	if len(f.ExcludeSites) > 0 {
		where = append(where, `NOT (`+any(f.ExcludeSites)+`)`)
	}
	if len(pages) > 0 {
		data, err := json.Marshal(pages)
		if err != nil {
			return "", nil, err
		}
		where = append(where,
			`id IN (SELECT id FROM index_urls WHERE url IN (SELECT value FROM json_each(?)))`)
		args = append(args, string(data))
	}
	return strings.Join(where, ` AND `), args, nil
}

// site is wstk.SiteRule.Match in SQL.
func site(r wstk.SiteRule) (condition string, args []any) {
	if r.Site != "" {
		return `site = ?`, []any{r.Site}
	}
	and := []string{`host = ?`}
	args = []any{r.Host}
	if !r.Exact {
		and[0] = `(host = ? OR substr(host, -length(?)) = ?)`
		args = append(args, "."+r.Host, "."+r.Host)
	}
	if r.Scheme != "" {
		and, args = append(and, `scheme = ?`), append(args, r.Scheme)
	}
	if r.Port != "" {
		and, args = append(and, `port = ?`), append(args, r.Port)
	}
	if r.Path != "" {
		// not LIKE, which would need escapes and takes A for a
		and = append(and,
			`substr(path, 1, length(?)) = ?
				AND (path = ? OR ? OR substr(path, length(?) + 1, 1) IN ('/', '?'))`)
		args = append(args, r.Path, r.Path, r.Path, strings.HasSuffix(r.Path, "/"), r.Path)
	}
	return strings.Join(and, ` AND `), args
}
