package search

import (
	"fmt"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// drops counts what was left out, by reason.
type drops struct{ site, exclude, allow, block int }

// offSite warns of results that are not of the sites asked for, and stay.
func offSite(n int, provider string) wstk.Warning {
	return wstk.Warning{Code: "results_off_site",
		Details: map[string]any{"provider": provider, "results": n},
		Message: fmt.Sprintf("%d results from %s are of sites that were not asked for; they stay in "+
			"the list.", n, provider)}
}

// warning tells of what was left out; nil when nothing was.
func (d drops) warning(provider string) *wstk.Warning {
	var reasons []string
	details := map[string]any{"provider": provider}
	for _, r := range []struct {
		n          int
		key, words string
	}{{d.site, "site", "not of the sites asked for"},
		{d.exclude, "exclude", "of a site not wanted"},
		{d.allow, "allow_domain", "not on the allow list"},
		{d.block, "block_domain", "on the block list"}} {
		if r.n > 0 {
			reasons, details[r.key] = append(reasons, fmt.Sprintf("%d %s", r.n, r.words)), r.n
		}
	}
	if reasons == nil {
		return nil
	}
	return &wstk.Warning{Code: "results_dropped", Details: details,
		Message: fmt.Sprintf("Results of %s were left out: %s.", provider,
			strings.Join(reasons, ", "))}
}

// filter holds results against the request's lists of domains: providers do not always
// keep to what they were told. Those that stay say which rules they
// match; off counts those among them that are not of the sites asked for.
func filter(results []wstk.SearchResult, req Request) (kept []wstk.SearchResult, off int, d drops) {
	kept = []wstk.SearchResult{}
	for _, r := range results {
		host := text.HostOf(r.URL)
		site, allowed := text.Under(host, req.Query.Sites), text.Under(host, req.Allow)
		switch {
		case text.Under(host, req.Block) != "":
			d.block++
		case text.Under(host, req.Query.Exclude) != "":
			d.exclude++
		case len(req.Query.Sites) > 0 && site == "" && !req.Union:
			d.site++
		case len(req.Allow) > 0 && allowed == "":
			d.allow++
		default:
			if len(req.Query.Sites) > 0 && site == "" {
				off++
			}
			rules := append([]string{}, r.MatchedRules...)
			if site != "" {
				rules = append(rules, "site:"+site)
			}
			if allowed != "" {
				rules = append(rules, "allow_domain")
			}
			if text.Under(host, req.Prefer) != "" {
				rules = append(rules, "preferred_domain")
			}
			r.MatchedRules = rules
			kept = append(kept, r)
		}
	}
	return kept, off, d
}
