package wstk

import (
	"context"
	"time"
)

// Snapshot is one fetch of a Page: what was asked, what came back, and the
// verdict. It never changes. BodySHA256 names the stored body: the decoded
// bytes as received, charset untouched. A Snapshot without a body (a refusal, a
// timeout) has BodySHA256 "".
type Snapshot struct {
	URL string `json:"url"` // canonical form of what was asked
	// after redirects; equal to URL without any
	FinalURL  string     `json:"final_url"`
	Redirects []Redirect `json:"redirects,omitempty"`
	// HTTP status; 0 when there was no reply
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	// media type, lower case, without parameters
	ContentType string `json:"content_type,omitempty"`
	// as declared by the Content-Type header
	Charset    string `json:"charset,omitempty"`
	BodySHA256 Hash   `json:"body_sha256,omitempty"`
	BodyBytes  int64  `json:"body_bytes"`
	// PNG of the page in a browser
	ScreenshotSHA256 Hash `json:"screenshot_sha256,omitempty"`
	// a Visibility: what a browser showed of the body
	VisibilitySHA256 Hash        `json:"visibility_sha256,omitempty"`
	Method           FetchMethod `json:"fetch_method"`
	// id of the service that fetched the page and handed it over; "" where we did, or a person
	FetchedBy string `json:"fetched_by,omitempty"`
	// host of that service's address; "" also in snapshots of older versions
	FetchedVia string `json:"fetched_via,omitempty"`
	// the operator's rule that had it asked for; nil for what every reader gets
	Access       *Permit   `json:"access,omitempty"`
	FetchedAt    time.Time `json:"fetched_at"`
	DurationMS   int64     `json:"duration_ms"`
	ETag         string    `json:"etag,omitempty"`
	LastModified string    `json:"last_modified,omitempty"` // header value as received
	// what the site asked for with 429 or 503
	RetryAfterSec int     `json:"retry_after_s,omitempty"`
	Verdict       Verdict `json:"verdict"`
	// one clause a person can read; "" only for ok
	Reason   string    `json:"reason"`
	Warnings []Warning `json:"warnings,omitempty"`

	// Rights is what robots.txt and the headers said of the page's use when it was
	// fetched; nil where they said nothing or robots.txt was not read. PageRights adds
	// what the page says itself.
	Rights *Rights `json:"rights,omitempty"`
}

// Via names the service that fetched a page, with its host where that is known.
func Via(by, host string) string {
	if host == "" {
		return by
	}
	return by + " (" + host + ")"
}

// Redirect is one hop: the URL that answered, and the status it answered with.
type Redirect struct {
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// RedirectsTo returns where the site pointed when that was reported and not
// followed, as in a crawl, where the target is a discovered URL of its own; else
// "". Such a Snapshot has the redirecting reply's Status, that reply as the last
// of Redirects, FinalURL as the target, no body, and the verdict http_error.
func (s Snapshot) RedirectsTo() string {
	n := len(s.Redirects)
	if n == 0 || s.Status == 0 || s.Status != s.Redirects[n-1].Status || s.BodySHA256 != "" ||
		s.Verdict != VerdictHTTPError {
		return ""
	}
	return s.FinalURL
}

// FetchMethod is how a body was obtained.
type FetchMethod string

const (
	MethodHTTP     FetchMethod = "http"
	MethodBrowser  FetchMethod = "browser"
	MethodRemote   FetchMethod = "remote"   // a service fetched it and handed it over
	MethodProvided FetchMethod = "provided" // handed in: a file, standard input, an upload
)

// SnapshotStore keeps the history of fetches. Stored snapshots never change, but they can
// be removed.
type SnapshotStore interface {
	// Put stores s under (URL, FetchedAt). Putting it again is the same as once.
	Put(ctx context.Context, s Snapshot) error

	// Get returns the newest snapshot whose body is h, or NotFound.
	Get(ctx context.Context, h Hash) (Snapshot, error)

	// List returns the snapshots of url, newest first, at most limit.
	List(ctx context.Context, url string, limit int) ([]Snapshot, error)

	// WithBody returns the snapshots whose body is h, newest first, at most limit.
	WithBody(ctx context.Context, h Hash, limit int) ([]Snapshot, error)

	// Remove forgets the snapshots of url that were fetched at these times; what is not
	// there is no error.
	Remove(ctx context.Context, url string, at ...time.Time) error
}
