package wstk

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// SiteID names a site: scheme, host, port and the root's path, hashed short:
// "site_" and 16 hex digits. The same root always has the same id.
type SiteID string

// SiteIDOf returns the id of the site whose root has this canonical URL.
func SiteIDOf(root string) SiteID { return SiteID("site_" + string(HashOf([]byte(root)))[:16]) }

// Valid reports whether id has the form of a site's id.
func (id SiteID) Valid() bool {
	s, ok := strings.CutPrefix(string(id), "site_")
	return ok && len(s) == 16 && strings.Trim(s, "0123456789abcdef") == ""
}

// Site is a place to crawl. Root is its canonical URL; what belongs to it is
// decided by CrawlOptions.
type Site struct {
	ID        SiteID       `json:"id"`
	Root      string       `json:"root"`
	Title     string       `json:"title,omitempty"`
	Options   CrawlOptions `json:"options"`
	LastRun   RunID        `json:"last_run,omitempty"`
	CreatedAt time.Time    `json:"created_at"`
	UpdatedAt time.Time    `json:"updated_at"`
}

// CrawlOptions bound a crawl. Start from DefaultCrawlOptions: zero is a value
// here (depth 0 is the root alone, rate limit 0 is as fast as the host answers).
//
// JSON says both times in units that speak: rate_limit_ms and stale_after_s. Records of
// older versions have rate_limit and stale_age, in nanoseconds; they are read, not written.
type CrawlOptions struct {
	MaxPages int `json:"max_pages"` // pages stored by one run; default 500
	MaxDepth int `json:"max_depth"` // links from the root; default 10
	// rate_limit_ms: least time between requests to one host; default 500 ms
	RateLimit time.Duration `json:"-"`
	Include   []string      `json:"include,omitempty"`    // path globs; empty means all
	Exclude   []string      `json:"exclude,omitempty"`    // path globs; exclude wins
	Robots    RobotsPolicy  `json:"robots"`               // default respect
	Usage     UsagePolicy   `json:"usage,omitempty"`      // "" means warn
	UserAgent string        `json:"user_agent,omitempty"` // "" means the product's own
	Fresh     bool          `json:"fresh,omitempty"`      // no conditional requests
	Render    bool          `json:"render,omitempty"`     // pages that need a browser are rendered
	Crawler   Crawler       `json:"crawler,omitempty"`    // "" means http
	// what the pages should answer, for a Crawler that asks a service; or what an answer lacks
	Query string `json:"query,omitempty"`
	// nothing but these URLs is asked for, best first, beside the root if it was never read
	Only []string `json:"only,omitempty"`
	// stale_after_s: older pages are due for refresh; default 7 days
	StaleAge time.Duration `json:"-"`
}

// plainOptions are CrawlOptions as encoding/json knows them by itself.
type plainOptions CrawlOptions

// spokenOptions are the JSON of CrawlOptions.
type spokenOptions struct {
	*plainOptions
	RateLimitMS *int64 `json:"rate_limit_ms"`
	StaleAfterS *int64 `json:"stale_after_s"`
}

func (o CrawlOptions) MarshalJSON() ([]byte, error) {
	// never faster than asked
	ms, s := (o.RateLimit + time.Millisecond - 1).Milliseconds(), int64(o.StaleAge/time.Second)
	return json.Marshal(spokenOptions{(*plainOptions)(&o), &ms, &s})
}

// UnmarshalJSON takes either way to say a time; of both, the finer one counts.
func (o *CrawlOptions) UnmarshalJSON(data []byte) error {
	in := struct {
		spokenOptions
		RateLimit *time.Duration `json:"rate_limit"`
		StaleAge  *time.Duration `json:"stale_age"`
	}{spokenOptions: spokenOptions{plainOptions: (*plainOptions)(o)}}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	take(&o.RateLimit, in.RateLimit, in.RateLimitMS, time.Millisecond)
	take(&o.StaleAge, in.StaleAge, in.StaleAfterS, time.Second)
	return nil
}

// take sets a time to what was said of it, in nanoseconds or in units.
func take(at, fine *time.Duration, spoken *int64, unit time.Duration) {
	switch {
	case fine != nil:
		*at = *fine
	case spoken != nil:
		*at = time.Duration(*spoken) * unit
	}
}

// DefaultCrawlOptions returns the defaults.
func DefaultCrawlOptions() CrawlOptions {
	return CrawlOptions{MaxPages: 500, MaxDepth: 10, RateLimit: 500 * time.Millisecond,
		Robots: RobotsRespect, StaleAge: 7 * 24 * time.Hour}
}

// SiteStore keeps sites.
type SiteStore interface {
	// Put stores s under its ID, replacing what was there.
	Put(ctx context.Context, s Site) error

	// Get returns the site with this id or NotFound.
	Get(ctx context.Context, id SiteID) (Site, error)

	// List returns sites in order of id, at most limit, starting after the
	// cursor; next is "" at the end.
	List(ctx context.Context, cursor string, limit int) (sites []Site, next string, err error)

	// Remove forgets a site; one that is not there is no error.
	Remove(ctx context.Context, id SiteID) error
}
