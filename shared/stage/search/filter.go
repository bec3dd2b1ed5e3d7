package search

import (
	"fmt"
	"strings"
	"unicode"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// drops counts what was left out, by reason.
type drops struct{ site, exclude, allow, block int }

// warning tells of what was left out; nil when nothing was.
func (d drops) warning(provider string) *wstk.Warning {
	var reasons []string
	details := map[string]any{"provider": provider}
	for _, r := range []struct {
		n          int
		key, words string
	}{{d.site, "site", "not of the sites asked for"}, {d.exclude, "exclude", "of a site not wanted"},
		{d.allow, "allow_domain", "not on the allow list"}, {d.block, "block_domain", "on the block list"}} {
		if r.n > 0 {
			reasons, details[r.key] = append(reasons, fmt.Sprintf("%d %s", r.n, r.words)), r.n
		}
	}
	if reasons == nil {
		return nil
	}
	return &wstk.Warning{Code: "results_dropped", Details: details,
		Message: fmt.Sprintf("Results of %s were left out: %s.", provider, strings.Join(reasons, ", "))}
}

// filter holds results against the request's lists of domains: providers do not always
// keep to what they were told. Those that stay say which rules they match.
func filter(results []wstk.SearchResult, req Request) (kept []wstk.SearchResult, d drops) {
	kept = []wstk.SearchResult{}
	for _, r := range results {
		host := hostOf(r.URL)
		site, allowed := listed(host, req.Query.Sites), listed(host, req.Allow)
		switch {
		case listed(host, req.Block) != "":
			d.block++
		case listed(host, req.Query.Exclude) != "":
			d.exclude++
		case len(req.Query.Sites) > 0 && site == "":
			d.site++
		case len(req.Allow) > 0 && allowed == "":
			d.allow++
		default:
			rules := append([]string{}, r.MatchedRules...)
			if site != "" {
				rules = append(rules, "site:"+site)
			}
			if allowed != "" {
				rules = append(rules, "allow_domain")
			}
			if listed(host, req.Prefer) != "" {
				rules = append(rules, "preferred_domain")
			}
			r.MatchedRules = rules
			kept = append(kept, r)
		}
	}
	return kept, d
}

// hostOf is the host of a page's address, as canonical addresses have it.
func hostOf(raw string) string {
	canonical, err := text.Canonical(raw)
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(text.HostKey(canonical), "://")
	return rest[:strings.LastIndexByte(rest, ':')]
}

// listed returns the entry that is host or a domain above it.
func listed(host string, domains []string) string {
	for _, entry := range domains {
		domain := strings.ToLower(strings.Trim(entry, "."))
		if !ascii(domain) { // an international name is written in two ways
			domain = hostOf("https://" + domain)
		}
		if domain != "" && (host == domain || strings.HasSuffix(host, "."+domain)) {
			return entry
		}
	}
	return ""
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}
