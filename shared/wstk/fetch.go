package wstk

import (
	"net/http"
	"time"
)

// FetchTask asks the fetch stage for one URL. In a crawl Run is set, and
// redirects are reported rather than followed, since the target is a discovered
// URL of its own.
type FetchTask struct {
	Run  RunID  `json:"run_id,omitempty"`
	Site SiteID `json:"site_id,omitempty"`
	URL  string `json:"url"`
	// token of the reserved host slot, see HostStore
	Slot      string    `json:"slot,omitempty"`
	NotBefore time.Time `json:"not_before,omitzero"` // when the slot begins
	// how many redirects to follow; 0 in a crawl
	Follow   int          `json:"follow,omitempty"`
	Robots   RobotsPolicy `json:"robots,omitempty"`    // "" means respect
	MaxBytes int64        `json:"max_bytes,omitempty"` // 0 means the client's own
	// least time between requests to the host; robots may ask for more
	Gap       time.Duration `json:"gap,omitempty"`
	Fresh     bool          `json:"fresh,omitempty"`      // do not ask conditionally
	Header    http.Header   `json:"-"`                    // one-page commands only
	UserAgent string        `json:"user_agent,omitempty"` // "" means the product's own
	Usage     UsagePolicy   `json:"usage,omitempty"`      // "" means warn
	Method    FetchMethod   `json:"method,omitempty"`     // http, browser or remote; "" means http
	// what a browser needs to know besides; one-page commands only
	Render RenderRequest `json:"-"`
	// judge by the status alone; one-page commands only
	NoDetect bool `json:"-"`
	// how a rule of the operator's has URL asked for; nil means as every reader may ask; one-page
	// commands only, with the method http
	Way *Way `json:"-"`
}

// UsagePolicy says what happens to a page whose site does not want its content used as
// input of a model (ai-input=no and the like).
type UsagePolicy string

const (
	UsageRespect UsagePolicy = "respect" // it is refused
	UsageWarn    UsagePolicy = "warn"    // it is used, with a warning
	UsageIgnore  UsagePolicy = "ignore"  // rights are shown and nothing is said
)

// RobotsPolicy says what a robots refusal does.
type RobotsPolicy string

const (
	RobotsRespect RobotsPolicy = "respect" // refused pages are not fetched
	RobotsWarn    RobotsPolicy = "warn"    // fetched, with a warning
	RobotsIgnore  RobotsPolicy = "ignore"  // robots.txt is not read
)
