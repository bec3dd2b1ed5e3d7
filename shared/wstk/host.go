package wstk

import (
	"context"
	"time"
)

// Slot is a host's permission for one request.
type Slot struct {
	Token string    `json:"token"`
	At    time.Time `json:"at"` // not before
}

// HostStore holds the politeness of every host (scheme, host and port): when its
// next request may start, and who is in flight. At most one request per host is in
// flight, across all runs and processes that share the store.
type HostStore interface {
	// Reserve gives the next free slot of host: at now, or gap after the slot
	// reserved before it, whichever is later, and never before a pause set by
	// Defer. Two calls never get the same time when gap > 0.
	Reserve(ctx context.Context, host string, now time.Time, gap time.Duration) (Slot, error)

	// Begin marks the slot's request as in flight until End, or until the lease
	// is over, so that a dead worker frees the host. If a request is in flight, be it
	// of this very slot (a message that came twice), or the one before began less than
	// gap ago, or Defer paused the host, it waits up to wait for that to pass, then fails
	// with Conflict. Slots are gap apart already; but messages may come late, several at
	// once, and after a pause that was set meanwhile.
	Begin(ctx context.Context, host, token string, gap, lease, wait time.Duration) error

	// End frees the host, if token still holds it.
	End(ctx context.Context, host, token string) error

	// Defer allows no new slot and no request before until: Retry-After, or back-off after 429
	// and 503. An earlier pause is never shortened.
	Defer(ctx context.Context, host string, until time.Time) error
}
