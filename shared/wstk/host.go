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

// HostBusy says from when on a host that was busy may be free. It promises nothing: where a
// request is in flight, its end is unknown.
type HostBusy struct{ Until time.Time }

func (b *HostBusy) Error() string {
	return "no request before " + b.Until.UTC().Format(time.RFC3339)
}

// BusyHost is the Conflict of HostStore.Begin. from is when the gap and the pause are over;
// the time to come back is not before now.
func BusyHost(op, host string, now, from time.Time) error {
	if from.Before(now) {
		from = now
	}
	return Errorf(Conflict, op,
		"another request to %s is in flight or has just ended, or the host is paused: %w", host,
		&HostBusy{Until: from})
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
	// with Conflict, at once where it is known that it will not pass in time. HostBusy is in
	// the error's chain and says when to come back. Slots are gap apart already; but messages
	// may come late, several at once, and after a pause that was set meanwhile.
	Begin(ctx context.Context, host, token string, gap, lease, wait time.Duration) error

	// End frees the host, if token still holds it.
	End(ctx context.Context, host, token string) error

	// Defer allows no new slot and no request before until: Retry-After, or back-off after 429
	// and 503. An earlier pause is never shortened.
	Defer(ctx context.Context, host string, until time.Time) error
}
