package wstk

// Verdict is what a fetch met. Whatever a site did is a stored verdict; a Go
// error means that we could not do our part. So a wall never makes a queue
// retry forever.
type Verdict string

const (
	VerdictOK            Verdict = "ok"
	VerdictNotModified   Verdict = "not_modified"
	VerdictBlocked       Verdict = "blocked"        // bot wall, login wall, 401, 403, 429
	VerdictConsent       Verdict = "consent"        // a consent page instead of the page
	VerdictNeedsRender   Verdict = "needs_render"   // an empty shell without JavaScript
	VerdictThin          Verdict = "thin"           // a page with next to no text
	VerdictNotFound      Verdict = "not_found"      // 404, or a page that says so
	VerdictGone          Verdict = "gone"           // 410
	VerdictRefusedRobots Verdict = "refused_robots" // robots.txt, X-Robots-Tag or meta robots
	// scheme, bad port, block list, credentials in the URL
	VerdictRefusedPolicy  Verdict = "refused_policy"
	VerdictRefusedAddress Verdict = "refused_address" // a private, reserved or metadata address
	VerdictTooLarge       Verdict = "too_large"       // body or headers over the cap
	// too slow as a whole, or slower than the minimum rate
	VerdictTimeout Verdict = "timeout"
	// no name, no connection, TLS, cut off, broken compression
	VerdictNetwork   Verdict = "network"
	VerdictHTTPError Verdict = "http_error" // any other status
)

// Verdicts lists every verdict.
func Verdicts() []Verdict {
	return []Verdict{VerdictOK, VerdictNotModified, VerdictBlocked, VerdictConsent,
		VerdictNeedsRender,
		VerdictThin, VerdictNotFound, VerdictGone, VerdictRefusedRobots, VerdictRefusedPolicy,
		VerdictRefusedAddress, VerdictTooLarge, VerdictTimeout, VerdictNetwork, VerdictHTTPError}
}

// Readable reports whether a page with this verdict has text worth keeping.
func (v Verdict) Readable() bool { return v == VerdictOK || v == VerdictThin }

// Code is the error code of a command that was about this one page; "" where
// the verdict is no failure (ok, not_modified, and thin, which is a warning).
func (v Verdict) Code() Code {
	switch v {
	case VerdictOK, VerdictNotModified, VerdictThin:
		return ""
	}
	return Code(v)
}

// Outcome is where a crawled URL with this verdict ends.
func (v Verdict) Outcome() Outcome {
	switch v {
	case VerdictOK, VerdictThin:
		return OutcomeFetched
	case VerdictNotModified:
		return OutcomeNotModified
	case VerdictBlocked, VerdictConsent:
		return OutcomeBlocked
	case VerdictNeedsRender:
		return OutcomeNeedsRender
	case VerdictNotFound, VerdictGone:
		return OutcomeNotFound
	case VerdictRefusedRobots:
		return OutcomeRefusedRobots
	case VerdictRefusedPolicy, VerdictRefusedAddress:
		return OutcomeRefusedPolicy
	case VerdictTooLarge:
		return OutcomeTooLarge
	}
	return OutcomeFailed
}
