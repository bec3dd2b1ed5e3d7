package wstk

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// SearchQuery is what a search provider is asked, in words that fit all of them. An
// adapter puts each field into its vendor's own parameter, into an operator of the
// query language (site:, -site:, after:, before:), or says in Compiled.Unsupported that
// it cannot.
type SearchQuery struct {
	Words string // what the user typed, or a compiled query; never empty
	// results wanted, 1–MostResults; 0 means DefaultResults. A provider with a lower limit gives
	// fewer
	Max        int
	Sites      []string   // only pages of these domains and their subdomains; .eu is a domain too
	Exclude    []string   // no pages of these
	TimeRange  TimeRange  // "" means any time; not together with After or Before
	After      time.Time  // published on or after this day (UTC); zero means any
	Before     time.Time  // published on or before this day (UTC); zero means any
	Region     string     // COUNTRY-LANGUAGE in lower case: us-en, de-de; wt-wt or "" means none
	Language   string     // BCP 47 primary subtag; "" means that of Region, or any
	SafeSearch SafeSearch // "" means moderate
	Raw        bool       // keep what the vendor said of each result
	Fresh      bool       // ask again although an answer is cached; the vendor does not hear of it
	Unkept     bool       // cache nothing of the answer: the caller keeps it elsewhere
}

// How many results a search gives.
const (
	DefaultResults = 10
	MostResults    = 100
)

// Limit is how many results q wants, Max with its default.
func (q SearchQuery) Limit() int {
	if q.Max <= 0 {
		return DefaultResults
	}
	return min(q.Max, MostResults)
}

// TimeRange limits results to the last day, week, month or year.
type TimeRange string

const (
	LastDay   TimeRange = "d"
	LastWeek  TimeRange = "w"
	LastMonth TimeRange = "m"
	LastYear  TimeRange = "y"
)

// SafeSearch is how strictly adult content is left out.
type SafeSearch string

const (
	SafeSearchOn       SafeSearch = "on"
	SafeSearchModerate SafeSearch = "moderate"
	SafeSearchOff      SafeSearch = "off"
)

// Compiled is a SearchQuery in one vendor's words.
type Compiled struct {
	Query string `json:"query"` // the text of the query as it is sent
	// what could not be said, a clause each: "region us-en", "more than 20 results"
	Unsupported []string `json:"unsupported,omitempty"`
}

// SearchResult is one result in the form that all providers share. Unknown is absent.
type SearchResult struct {
	Title          string     `json:"title"` // text, no markup
	URL            string     `json:"url"`   // as the provider gave it, absolute http or https
	Snippet        string     `json:"snippet"`
	PublishedAt    *time.Time `json:"published_at"`
	SourceProvider string     `json:"source_provider"`
	Score          *float64   `json:"score"` // 0–1, only where the provider gives one
	Rank           int        `json:"rank"`  // the provider's own order, from 1
	// hash of URL and title: the same in every run
	ResultID     string   `json:"result_id"`
	MatchedRules []string `json:"matched_rules"`
	// what the vendor said of it, with SearchQuery.Raw
	Raw json.RawMessage `json:"raw,omitempty"`
}

// SearchReply is what a provider answered.
type SearchReply struct {
	Query   string         // as sent: Compiled.Query
	Results []SearchResult // in the provider's order; none is not an error
	// all that it listed, with what Results leave out, in the vendor's ranks; nil means Results
	Rows     []SearchResult
	Warnings []Warning
	Tries    int  // how often the vendor was asked for it; a retry says so with an error, too
	Cached   bool // it was given before and kept
}

// ProviderInfo describes a provider, for choosing one.
type ProviderInfo struct {
	ID      string   `json:"id"`
	Aliases []string `json:"-"`    // other names that users may write
	RunName string   `json:"-"`    // its name in the bodies of search runs; "" means ID
	Type    string   `json:"type"` // search, fetch, render, extract, crawl
	Enabled bool     `json:"enabled"`
	Reason  string   `json:"reason,omitempty"` // why it is not enabled, or not chosen by auto
	EnvVars []string `json:"env_vars"`         // variables it needs; any one of those joined by |
	Privacy string   `json:"privacy_warning,omitempty"`
	Auto    bool     `json:"auto"` // whether --provider auto may choose it
	// whether it sends queries off this machine and its network
	Remote bool `json:"remote,omitempty"`
	// whether each search counts against a quota or a bill
	Metered bool `json:"metered,omitempty"`
	// whether it knows the stored pages only, and not the web
	Stored bool     `json:"stored,omitempty"`
	Steps  []Step   `json:"-"`                    // that enable it
	Next   []string `json:"next_steps,omitempty"` // Steps, in the words of the door that shows it
}

// ErrResting is in the chain of the error of a SearchProvider that was not asked, because
// it failed before and is left alone for RetryAfterOf(err). The error's code is that of
// the failure that began the rest.
var ErrResting = errors.New("it rests after failures")

// ErrProviderTime is the cause (context.Cause) of a context that ended because a
// SearchProvider took longer than each provider is given. It tells a slow provider from a
// caller whose own time is over, which says nothing about the provider.
var ErrProviderTime = errors.New("the time for one provider is over")

// SearchProvider finds pages by words. It is safe for concurrent use, keeps no state
// between calls, and tries each call once: who retries stands around it.
type SearchProvider interface {
	// Info says what the provider is. It sends no request.
	Info() ProviderInfo

	// Compile says how q would be sent. It sends no request.
	Compile(q SearchQuery) Compiled

	// Search asks the vendor. Results have an absolute http or https URL, text without
	// markup, ranks from 1, and are at most q.Limit(); what the vendor lists without an
	// address is left out, and what it lists twice stands in Rows alone. An empty list is a
	// success. Errors carry these codes: Unauthorized (no key, or a refused one), RateLimited
	// (with Error.RetryAfter where the vendor says so), Blocked (the vendor asks for a
	// human), Invalid (it refuses the query), Timeout, Network, Unavailable (5xx), HTTPError
	// (another status, or a reply that is not in the vendor's shape), TooLarge,
	// RefusedAddress, Cancelled. No error text holds a key.
	Search(ctx context.Context, q SearchQuery) (SearchReply, error)
}

// ProviderOutcome is what became of one provider in one search, so that "nothing was
// found" and "no provider could be asked" never look alike.
type ProviderOutcome struct {
	Provider   string         `json:"provider"`
	Status     ProviderStatus `json:"status"`
	Code       Code           `json:"code,omitempty"`    // of an error
	Message    string         `json:"message,omitempty"` // of an error, or why it was skipped
	Query      string         `json:"query,omitempty"`   // as it was sent
	Results    int            `json:"results"`
	DurationMS int64          `json:"duration_ms"`
	Tries      int            `json:"tries,omitempty"`
	Cached     bool           `json:"cached,omitempty"`
	RetryAt    *time.Time     `json:"retry_at,omitempty"` // when it makes sense to ask again
	Notes      []string       `json:"notes,omitempty"`    // what the provider could not express
}

// ProviderStatus is how a provider came out.
type ProviderStatus string

const (
	ProviderOK     ProviderStatus = "ok"     // it gave results
	ProviderEmpty  ProviderStatus = "empty"  // it answered: there are none
	ProviderFailed ProviderStatus = "failed" // it could not be asked, or did not answer properly
	// it was not asked: not enabled, resting after failures, query too long
	ProviderSkipped ProviderStatus = "skipped"
)
