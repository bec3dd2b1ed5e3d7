package searching

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"wstk/shared/config"
	"wstk/shared/stage/search"
	"wstk/shared/wstk"
)

// Request asks for pages of the web. Fields that are not set have the configured
// defaults; the lists of allowed and blocked domains are the configured ones.
type Request struct {
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

// Result is what a search found.
type Result struct {
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
func (s *Room) Search(ctx context.Context, req Request) (Result, error) {
	out := Result{Query: strings.Join(strings.Fields(req.Query), " "),
		Results: []wstk.SearchResult{}, ProviderOutcomes: []wstk.ProviderOutcome{}}
	in, err := s.toAsk(out.Query, req)
	if err != nil {
		return out, err
	}
	res, err := s.WebSearch.Do(ctx, in)
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

// toAsk checks a request and fills in the configured defaults.
func (s *Room) toAsk(words string, req Request) (search.Request, error) {
	const op = "searching"
	if err := checkWords(words); err != nil {
		return search.Request{}, wstk.Wrap(wstk.Invalid, op, err)
	}
	c, err := s.Config.With(req.settings(), "request")
	if err != nil {
		return search.Request{}, err
	}
	out := search.Request{Provider: cmp.Or(req.Provider, c.Search.Provider), Order: req.Order,
		Allow: c.AllowDomains, Block: c.BlockDomains,
		Query: wstk.SearchQuery{Words: words, Max: c.Search.MaxResults, Region: c.Search.Region,
			Language:   strings.ToLower(req.Language),
			SafeSearch: c.Search.SafeSearch, Raw: req.IncludeRaw, Fresh: c.Cache.Fresh}}
	if out.Order == nil {
		out.Order = c.Search.Order
	}
	q := &out.Query
	if q.TimeRange, q.After, q.Before, err = timeRange(req.TimeRange); err != nil {
		return search.Request{}, wstk.Wrap(wstk.Invalid, op, err)
	}
	if n := len(q.Language); n == 1 || n > 3 || strings.Trim(q.Language, letters) != "" {
		return search.Request{},
			wstk.Errorf(wstk.Invalid, op, "the language %q is not a code such as en", req.Language)
	}
	for _, list := range []struct {
		to   *[]string
		from []string
	}{{&q.Sites, req.Sites}, {&q.Exclude, req.Exclude}, {&out.Prefer, req.Prefer}} {
		if n := len(list.from); n > maxSearchSites {
			return search.Request{}, wstk.Errorf(wstk.Invalid, op,
				"%d sites are too many; the limit is %d", n, maxSearchSites)
		}
		if *list.to, err = config.Domains(list.from); err != nil {
			return search.Request{}, wstk.Wrap(wstk.Invalid, op, err)
		}
	}
	return out, nil
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// checkWords returns an error if a query has no words, or too many.
func checkWords(words string) error {
	switch n := utf8.RuneCountInString(words); {
	case n == 0:
		return wstk.Errorf(wstk.Invalid, "", "the query has no words")
	case n > maxSearchWords:
		return wstk.Errorf(wstk.Invalid, "",
			"the query has %d characters; the limit is %d", n, maxSearchWords)
	}
	return nil
}

// settings are the settings that a request has of its own, by their keys.
func (r Request) settings() map[string]string {
	given := map[string]string{}
	if r.MaxResults != 0 {
		given["search.max_results"] = fmt.Sprint(r.MaxResults)
	}
	if r.Region != "" {
		given["search.region"] = r.Region
	}
	if r.SafeSearch != "" {
		given["search.safe_search"] = string(r.SafeSearch)
	}
	return given
}

// timeRanges are the words for a time range.
var timeRanges = map[string]wstk.TimeRange{
	"": "", "d": wstk.LastDay, "day": wstk.LastDay, "w": wstk.LastWeek, "week": wstk.LastWeek,
	"m": wstk.LastMonth, "month": wstk.LastMonth, "y": wstk.LastYear, "year": wstk.LastYear,
}

// timeRange reads d, w, m, y, day, week, month, year, or two days such as
// 2026-01-31..2026-02-28, of which one may be missing.
func timeRange(s string) (r wstk.TimeRange, after, before time.Time, err error) {
	s = strings.ToLower(strings.TrimSpace(s))
	if r, ok := timeRanges[s]; ok {
		return r, after, before, nil
	}
	if after, before, err = days(s); err != nil {
		return "", after, before, err
	}
	if !after.IsZero() && !before.IsZero() && before.Before(after) {
		return "", after, before,
			wstk.Errorf(wstk.Invalid, "", "the time range %q ends before it begins", s)
	}
	return "", after, before, nil
}

// days reads DAY..DAY, of which one may be missing: it is zero then.
func days(s string) (from, to time.Time, err error) {
	bad := wstk.Errorf(wstk.Invalid, "",
		"the time range %q must be d, w, m, y, or DAY..DAY such as 2026-01-31..2026-02-28",
		s)
	first, last, ok := strings.Cut(s, "..")
	if !ok || s == ".." {
		return from, to, bad
	}
	if first != "" {
		if from, err = time.Parse(time.DateOnly, first); err != nil {
			return from, to, bad
		}
	}
	if last != "" {
		if to, err = time.Parse(time.DateOnly, last); err != nil {
			return from, to, bad
		}
	}
	return from, to, nil
}

// Providers lists everything that searches, fetches, renders and extracts, and whether it
// can be used. It sends no request.
func (s *Room) Providers(context.Context) []wstk.ProviderInfo {
	var out []wstk.ProviderInfo
	for _, p := range s.WebSearch.Providers {
		info := p.Info()
		info.Auto = info.Auto && info.Enabled
		out = append(out, info)
	}
	chrome := wstk.ProviderInfo{ID: "chrome", Type: "render", Enabled: true, EnvVars: []string{},
		Privacy: "The browser sends requests to the page and to everything the page loads."}
	if _, err := s.Browser.Find(); err != nil {
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
func (r Result) CacheHit() bool {
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
