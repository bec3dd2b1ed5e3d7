package reading

import (
	"context"
	"errors"
	"fmt"
	"time"

	"wstk/shared/wstk"
)

// wantsBrowser reports whether a page that was read without scripts may hold more with them.
func wantsBrowser(v wstk.Verdict) bool {
	return v == wstk.VerdictNeedsRender || v == wstk.VerdictThin
}

// Visit is a page as one command saw it: fetched now, or taken from the cache.
type Visit struct {
	Read
	Screenshot []byte
	Hit        bool      // taken from the cache
	Previous   *Previous // what the cache held of an earlier visit, when this one is new
	Capture    *wstk.Capture
}

// Previous tells what was seen at an earlier visit.
type Previous struct {
	FetchedAt  time.Time    `json:"fetched_at"`
	Verdict    wstk.Verdict `json:"verdict"`
	BodySHA256 wstk.Hash    `json:"body_sha256,omitempty"`
	Changed    bool         `json:"changed"` // the body is another one now
}

// Escalate gets a page over HTTP, and in a browser when it turns out to need one.
func (r *Room) Escalate(
	ctx context.Context, req PageRequest, get func(context.Context, PageRequest) (Visit, error),
) (Visit, error) {
	first, err := get(ctx, req)
	if err != nil {
		return first, err
	}
	verdict := r.verdict(req, first.Read)
	if !wantsBrowser(verdict) {
		return first, nil
	}
	dropped := ""
	if len(req.Header) > 0 || req.Accept != "" {
		dropped = " The headers given were not sent by it."
	}
	req.Method, req.Header, req.Accept = wstk.MethodBrowser, nil, ""
	second, err := get(ctx, req)
	switch {
	case wstk.CodeOf(err) == wstk.Unavailable: // no browser: say what the first try found
		first.Snapshot.Warnings = append(first.Snapshot.Warnings, wstk.Warning{Code: "not_rendered",
			Message: fmt.Sprintf("A browser was not tried: %v.", errors.Unwrap(err)),
			URL:     first.Snapshot.URL})
		return first, nil
	case err != nil:
		return first, err
	case verdict.Readable() && !r.verdict(req, second.Read).Readable():
		first.Snapshot.Warnings = append(first.Snapshot.Warnings, wstk.Warning{Code: "not_rendered",
			Message: "The browser could not fetch the page (" +
				string(r.verdict(req, second.Read)) + "); the reply is what HTTP gave.",
			URL: first.Snapshot.URL})
		return first, nil
	}
	second.Snapshot.Warnings = append(second.Snapshot.Warnings, wstk.Warning{Code: "rendered",
		Message: "Rendered in a browser, since over HTTP the page is " + string(verdict) + "." +
			dropped, URL: second.Snapshot.URL})
	return second, nil
}
