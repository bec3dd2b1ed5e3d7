package wstk

import (
	"context"
	"strings"
	"time"
)

// SiteID names a site: scheme, host, port and the root's path, hashed short:
// "site_" and 16 hex digits. The same root always has the same id.
type SiteID string

// SiteIDOf returns the id of the site whose root has this canonical URL.
func SiteIDOf(root string) SiteID { return SiteID("site_" + string(HashOf([]byte(root)))[:16]) }

// Valid tells whether id has the form of a site's id.
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
type CrawlOptions struct {
	MaxPages  int           `json:"max_pages"`            // pages stored by one run; default 500
	MaxDepth  int           `json:"max_depth"`            // links from the root; default 10
	RateLimit time.Duration `json:"rate_limit"`           // least time between requests to one host; default 500 ms
	Include   []string      `json:"include,omitempty"`    // path globs; empty means all
	Exclude   []string      `json:"exclude,omitempty"`    // path globs; exclude wins
	Robots    RobotsPolicy  `json:"robots"`               // default respect
	Usage     UsagePolicy   `json:"usage,omitempty"`      // "" means warn
	UserAgent string        `json:"user_agent,omitempty"` // "" means the product's own
	Fresh     bool          `json:"fresh,omitempty"`      // no conditional requests
	StaleAge  time.Duration `json:"stale_age"`            // older pages are due for refresh; default 7 days
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
}
