package searching

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"wstk/shared/config"
	"wstk/shared/stage/search"
	"wstk/shared/wstk"
)

// SearchRequest asks for pages of the web. Fields that are not set have the configured
// defaults; the lists of allowed and blocked domains are the configured ones.
type SearchRequest struct {
	Query      string // the user's words
	Provider   string // id, or auto
	MaxResults int    // 1–100
	TimeRange  string // d, w, m, y, the words for them, or DAY..DAY with either end open
	Region     string // COUNTRY-LANGUAGE
	Language   string
	SafeSearch wstk.SafeSearch
	Sites      []string // only these domains
	Exclude    []string // none of these
	Prefer     []string // domains that are marked in the results
	IncludeRaw bool
	Order      []string // in which auto asks; nil means the configured one
}

// SearchResult is what a search found.
type SearchResult struct {
	Query string `json:"query"` // the user's words
	// that gave the results; null when none did
	Provider         *string                `json:"provider"`
	Results          []wstk.SearchResult    `json:"results"`
	ProviderOutcomes []wstk.ProviderOutcome `json:"provider_outcomes"`
	Warnings         []wstk.Warning         `json:"-"`
}

// Limits of what a search takes.
const (
	maxSearchWords = 2000 // code points
	maxSearchSites = 20
)

// Search asks the providers for pages; what its errors mean stands at search.Stage.Do.
// The result holds the outcome of each provider with an error, too.
func (s *Room) Search(ctx context.Context, req SearchRequest) (SearchResult, error) {
	out := SearchResult{Query: strings.Join(strings.Fields(req.Query), " "),
		Results: []wstk.SearchResult{}, ProviderOutcomes: []wstk.ProviderOutcome{}}
	in, err := s.searchRequest(out.Query, req)
	if err != nil {
		return out, err
	}
	res, err := s.Searching.Do(ctx, in)
	for _, o := range res.Outcomes {
		s.noteOutcome(ctx, o)
	}
	out.Results, out.ProviderOutcomes = res.Results, res.Outcomes
	out.Warnings = append(res.Warnings, s.warningsOfResults(ctx, res.Results)...)
	if res.Provider != "" {
		out.Provider = &res.Provider
	}
	return out, err
}

// noteOutcome counts and logs what became of a provider.
func (s *Room) noteOutcome(ctx context.Context, o wstk.ProviderOutcome) {
	s.Metrics.Provider(o)
	s.Log.DebugContext(ctx, "provider", "id", o.Provider, "status", o.Status, "code", o.Code,
		"results", o.Results, "cached", o.Cached, "tries", o.Tries, "ms", o.DurationMS,
		"query", s.Config.Logged(o.Query), "message", s.Config.Logged(o.Message))
}

// noteRewriting logs what became of a user's words.
func (s *Room) noteRewriting(
	ctx context.Context, r search.Rewritten, err error, took time.Duration,
) {
	failure := ""
	if err != nil {
		failure = s.Config.Logged(err.Error())
	}
	s.Log.DebugContext(ctx, "rewriting", "engine", r.Engine, "model", r.Model, "reused", r.Reused,
		"template", s.Config.Logged(search.Text(r.Template)), "ms", took.Milliseconds(),
		"code", wstk.CodeOf(err), "error", failure)
}

// searchRequest checks a request and fills in the configured defaults.
func (s *Room) searchRequest(words string, req SearchRequest) (search.Request, error) {
	const op = "searching"
	switch n := utf8.RuneCountInString(words); {
	case n == 0:
		return search.Request{}, wstk.Errorf(wstk.Invalid, op, "the query has no words")
	case n > maxSearchWords:
		return search.Request{}, wstk.Errorf(wstk.Invalid, op,
			"the query has %d characters; the limit is %d", n, maxSearchWords)
	}
	given := map[string]string{}
	if req.MaxResults != 0 {
		given["search.max_results"] = fmt.Sprint(req.MaxResults)
	}
	if req.Region != "" {
		given["search.region"] = req.Region
	}
	if req.SafeSearch != "" {
		given["search.safe_search"] = string(req.SafeSearch)
	}
	c, err := s.Config.With(given, "request")
	if err != nil {
		return search.Request{}, err
	}
	q := wstk.SearchQuery{Words: words, Max: c.Search.MaxResults, Region: c.Search.Region,
		Language:   strings.ToLower(req.Language),
		SafeSearch: c.Search.SafeSearch, Raw: req.IncludeRaw, Fresh: c.Cache.Fresh}
	if q.TimeRange, q.After, q.Before, err = timeRange(req.TimeRange); err != nil {
		return search.Request{}, wstk.Wrap(wstk.Invalid, op, err)
	}
	if strings.ContainsFunc(q.Language, func(r rune) bool { return r < 'a' || r > 'z' }) ||
		len(q.Language) == 1 || len(q.Language) > 3 {
		return search.Request{},
			wstk.Errorf(wstk.Invalid, op, "the language %q is not a code such as en", req.Language)
	}
	if n := max(len(req.Sites), len(req.Exclude), len(req.Prefer)); n > maxSearchSites {
		return search.Request{}, wstk.Errorf(wstk.Invalid, op,
			"%d sites are too many; the limit is %d", n, maxSearchSites)
	}
	if q.Sites, err = config.Domains(req.Sites); err == nil {
		q.Exclude, err = config.Domains(req.Exclude)
	}
	var prefer []string
	if err == nil {
		prefer, err = config.Domains(req.Prefer)
	}
	if err != nil {
		return search.Request{}, wstk.Wrap(wstk.Invalid, op, err)
	}
	provider := req.Provider
	if provider == "" {
		provider = c.Search.Provider
	}
	order := req.Order
	if order == nil {
		order = c.Search.Order
	}
	return search.Request{Query: q, Provider: provider, Order: order, Allow: c.AllowDomains,
		Block: c.BlockDomains, Prefer: prefer}, nil
}

// timeRange reads d, w, m, y, day, week, month, year, or two days such as
// 2026-01-31..2026-02-28, of which one may be missing.
func timeRange(s string) (r wstk.TimeRange, after, before time.Time, err error) {
	s = strings.ToLower(strings.TrimSpace(s))
	if from, to, ok := strings.Cut(s, ".."); ok && s != ".." {
		if from != "" {
			after, err = time.Parse(time.DateOnly, from)
		}
		if to != "" && err == nil {
			before, err = time.Parse(time.DateOnly, to)
		}
		if err == nil && !after.IsZero() && !before.IsZero() && before.Before(after) {
			return "", after, before,
				wstk.Errorf(wstk.Invalid, "", "the time range %q ends before it begins", s)
		}
		if err == nil {
			return "", after, before, nil
		}
	}
	switch s {
	case "":
		return "", after, before, nil
	case "d", "day":
		return wstk.LastDay, after, before, nil
	case "w", "week":
		return wstk.LastWeek, after, before, nil
	case "m", "month":
		return wstk.LastMonth, after, before, nil
	case "y", "year":
		return wstk.LastYear, after, before, nil
	}
	return "", after, before, wstk.Errorf(wstk.Invalid, "",
		"the time range %q is none of d, w, m, y, and not DAY..DAY such as 2026-01-31..2026-02-28",
		s)
}

// Providers lists everything that searches, fetches, renders and extracts, and whether it
// can be used. It sends no request.
func (s *Room) Providers(context.Context) []wstk.ProviderInfo {
	var out []wstk.ProviderInfo
	for _, p := range s.Searching.Providers {
		info := p.Info()
		info.Auto = info.Auto && info.Enabled
		out = append(out, info)
	}
	chrome := wstk.ProviderInfo{ID: "chrome", Type: "render", Enabled: true, EnvVars: []string{},
		Privacy: "The browser sends requests to the page and to everything the page loads."}
	err := errors.New("pages are not rendered here")
	if s.FindBrowser != nil {
		_, err = s.FindBrowser()
	}
	if err != nil {
		chrome.Enabled, chrome.Reason, chrome.Steps = false, err.Error(), wstk.StepsOf(err)
	}
	return append(out,
		wstk.ProviderInfo{ID: "http", Type: "fetch", Enabled: true, Auto: true,
			EnvVars: []string{}},
		chrome,
		wstk.ProviderInfo{ID: "readability", Type: "extract", Enabled: true, Auto: true,
			EnvVars: []string{}},
		wstk.ProviderInfo{ID: "docs", Type: "extract", Enabled: true, Auto: true,
			EnvVars: []string{}})
}

// CacheHit reports whether the answer came from the cache.
func (r SearchResult) CacheHit() bool {
	answered := false
	for _, o := range r.ProviderOutcomes {
		if o.Status == wstk.ProviderSkipped {
			continue
		}
		if !o.Cached {
			return false
		}
		answered = true
	}
	return answered
}
