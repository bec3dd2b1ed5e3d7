package wstk

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
)

// Code says what kind of thing went wrong. Callers act on codes, never on
// messages. What a code becomes outside, an exit code, an HTTP status, a batch
// failure, is decided once, in shared/entry.
type Code string

// The codes. A wall that a site put up is a Verdict first; it becomes one of
// these codes only where a command or a request was about that one page.
const (
	Invalid      Code = "invalid"      // the caller's words are off
	Unauthorized Code = "unauthorized" // no token, or a wrong one
	NotFound     Code = "not_found"    // no such thing
	// the site says: it was here, it is no more
	Gone             Code = "gone"
	Empty            Code = "empty"              // everything worked and there is nothing
	MethodNotAllowed Code = "method_not_allowed" // HTTP only
	// another process holds it, or it changed meanwhile
	Conflict             Code = "conflict"
	TooLarge             Code = "too_large"              // over a stated limit
	UnsupportedMediaType Code = "unsupported_media_type" // we do not read this kind of body
	Unprocessable        Code = "unprocessable"          // well-formed, but invalid in its meaning
	RateLimited          Code = "rate_limited"           // too many requests to us or to a provider
	// a bot wall, a login wall, a 401, 403 or 429
	Blocked Code = "blocked"
	// a consent page stands in front of the page
	Consent       Code = "consent"
	RefusedRobots Code = "refused_robots" // robots.txt or robots meta says no
	RefusedPolicy Code = "refused_policy" // our own policy says no
	// the address is private, reserved or otherwise closed
	RefusedAddress Code = "refused_address"
	// the page is an empty shell without JavaScript
	NeedsRender Code = "needs_render"
	// the site answered with a status that is none of the above
	HTTPError       Code = "http_error"
	ModelFailed     Code = "model_failed"     // a configured model failed
	ProvidersFailed Code = "providers_failed" // every search provider failed
	Timeout         Code = "timeout"          // a time limit passed
	Network         Code = "network"          // no connection, no name, cut off
	Unavailable     Code = "unavailable"      // transient: the same call may work later
	Cancelled       Code = "cancelled"        // the caller stopped it
	Internal        Code = "internal"         // our mistake, or a broken disk
)

// Codes lists every code, in the order of their declaration.
func Codes() []Code {
	return []Code{Invalid, Unauthorized, NotFound, Gone, Empty, MethodNotAllowed,
		Conflict, TooLarge,
		UnsupportedMediaType, Unprocessable, RateLimited, Blocked, Consent,
		RefusedRobots, RefusedPolicy,
		RefusedAddress, NeedsRender, HTTPError, ModelFailed, ProvidersFailed, Timeout,
		Network, Unavailable,
		Cancelled, Internal}
}

// Error is a failure of ours with a code, what was being done, and a cause.
type Error struct {
	Code  Code
	Op    string // what was being done, lower case: "opening page store"
	Err   error  // the cause; may be nil
	Steps []Step // what the user may try; may be nil

	// RetryAfter is how long the other side asked to be left alone; 0 when it did not say.
	RetryAfter time.Duration
}

// Errorf returns an Error whose cause is formatted as by fmt.Errorf (so %w wraps).
func Errorf(code Code, op, format string, args ...any) *Error {
	return &Error{Code: code, Op: op, Err: fmt.Errorf(format, args...)}
}

// Wrap gives err a code and an operation; nil stays nil. An err that already
// carries a code keeps it: the first to know is the one who knows best.
func Wrap(code Code, op string, err error) error {
	if err == nil {
		return nil
	}
	if c := carried(err); c != "" {
		code = c
	}
	return &Error{Code: code, Op: op, Err: err}
}

// Try returns the same error with steps that the user may try.
func (e *Error) Try(steps ...Step) *Error {
	c := *e
	c.Steps = append(append([]Step(nil), e.Steps...), steps...)
	return &c
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.Err != nil {
		if e.Op != "" {
			b.WriteString(": ")
		}
		b.WriteString(e.Err.Error())
	}
	if b.Len() == 0 {
		return string(e.Code)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of err: that of the outermost Error in its tree,
// Cancelled and Timeout for the context's own errors, Internal for any other
// error, "" for nil. Of joined errors, the first that has an Error counts.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if c := carried(err); c != "" {
		return c
	}
	return Internal
}

// carried returns the code that err carries, "" if it carries none.
func carried(err error) Code {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Code
	case errors.Is(err, context.Canceled):
		return Cancelled
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	}
	return ""
}

// StepsOf returns the steps found in err's tree, outermost first.
func StepsOf(err error) []Step {
	var out []Step
	for e := range errorsIn(err) {
		out = append(out, e.Steps...)
	}
	return out
}

// RetryAfterOf returns how long the other side asked to be left alone, by the outermost
// Error in err's tree that knows; 0 when none does.
func RetryAfterOf(err error) time.Duration {
	for e := range errorsIn(err) {
		if e.RetryAfter > 0 {
			return e.RetryAfter
		}
	}
	return 0
}

// errorsIn yields the Errors in err's tree, in the order in which errors.As looks at them.
func errorsIn(err error) iter.Seq[*Error] {
	return func(yield func(*Error) bool) { eachError(err, yield) }
}

// eachError reports whether yield wants more.
func eachError(err error, yield func(*Error) bool) bool {
	if e, ok := err.(*Error); ok && !yield(e) {
		return false
	}
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		return eachError(x.Unwrap(), yield)
	case interface{ Unwrap() []error }:
		for _, err := range x.Unwrap() {
			if !eachError(err, yield) {
				return false
			}
		}
	}
	return true
}

// Causes that callers ask for with errors.Is.
var (
	// ErrNotListening is the cause of a Network error of an address that takes no connections.
	ErrNotListening = errors.New("the site does not accept connections")

	// ErrUnusable is a cause of the errors of a model that will not work before an operator
	// changes something: each further call would fail for the same reason.
	ErrUnusable = errors.New("the model cannot be used as it is set up")
)

// IsTransient reports whether the same call may work later, so that a queue or a
// retry wrapper should try again.
func IsTransient(err error) bool {
	switch CodeOf(err) {
	case Unavailable, Timeout, Network, RateLimited:
		return true
	}
	return false
}

// Warning is something a reader of the reply should know that is not a failure:
// a refused robots check, a truncated list, an injection pattern.
type Warning struct {
	Code    string `json:"code"`          // snake_case, stable
	Message string `json:"message"`       // one sentence
	URL     string `json:"url,omitempty"` // the page it is about
	// code points into the Document text, where the warning has a place
	Start   int `json:"start,omitempty"`
	End     int `json:"end,omitempty"`     // exclusive
	Details any `json:"details,omitempty"` // structured, per code
}
