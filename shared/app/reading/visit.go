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

// Escalate gets a page over HTTP, and in a browser when it turns out to need one. If that
// brings no more, and the operator lets auto ask the service, the service fetches it.
func (r *Room) Escalate(
	ctx context.Context, req PageRequest, get func(context.Context, PageRequest) (Visit, error),
) (Visit, error) {
	out, err := get(ctx, req)
	if err != nil {
		return out, err
	}
	verdict := r.verdict(req, out.Read)
	if !wantsBrowser(verdict) {
		return out, nil
	}
	dropped := ""
	if len(req.Header) > 0 || req.Accept != "" {
		dropped = " The headers given were not sent by it."
	}
	for _, by := range r.escalations() {
		req.Method, req.Header, req.Accept = by.method, nil, ""
		if by.method == wstk.MethodRemote {
			req.AcceptLanguage, req.NoFollow = "", false
		}
		next, err := get(ctx, req)
		var e *wstk.Error
		switch {
		case errors.As(err, &e) && (e.Code == wstk.Unavailable || by.method == wstk.MethodRemote) &&
			ctx.Err() == nil: // say what the try before found
			out.Snapshot.Warnings = append(out.Snapshot.Warnings, wstk.Warning{Code: "not_rendered",
				Message: fmt.Sprintf("%s was not tried: %v.", by.name, errors.Unwrap(err)),
				URL:     out.Snapshot.URL})
			continue
		case err != nil:
			return out, err
		}
		found := r.verdict(req, next.Read)
		if verdict.Readable() && !found.Readable() {
			out.Snapshot.Warnings = append(out.Snapshot.Warnings, wstk.Warning{Code: "not_rendered",
				Message: by.name + " could not fetch the page (" + string(found) +
					"); the reply is what HTTP gave.", URL: out.Snapshot.URL})
			continue
		}
		next.Snapshot.Warnings = append(next.Snapshot.Warnings, wstk.Warning{Code: "rendered",
			Message: by.done + ", since over HTTP the page is " + string(verdict) + "." + dropped,
			URL:     next.Snapshot.URL})
		if out = next; !wantsBrowser(found) {
			return out, nil
		}
	}
	return out, nil
}

// escalation is a way to get a page whose scripts have run.
type escalation struct {
	method     wstk.FetchMethod
	name, done string // of warnings
}

// escalations are the ways that auto tries after HTTP.
func (r *Room) escalations() []escalation {
	ways := []escalation{{wstk.MethodBrowser, "A browser", "Rendered in a browser"}}
	if r.Config.AutoRemote && r.serviceReady() {
		ways = append(ways, escalation{wstk.MethodRemote, "The service", "Fetched by a service"})
	}
	return ways
}

// serviceReady reports whether a service is set up that fetches single pages.
func (r *Room) serviceReady() bool {
	return r.Fetch.Scraper != nil && r.Fetch.Scraper.Info().Enabled
}
