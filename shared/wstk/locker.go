package wstk

import (
	"context"
	"time"
)

// Locker gives exclusive leases on names, so that a site has one active crawl.
type Locker interface {
	// Lock takes the lease on name or fails at once with Conflict when a live
	// holder has it. A holder that died holds nothing: at once on one machine
	// (the lock goes with the process), after ttl elsewhere. The lease is renewed
	// until unlock is called; unlock may be called more than once.
	Lock(ctx context.Context, name string, ttl time.Duration) (unlock func(), err error)

	// Held reports whether a live holder has the lease on name. It takes nothing, and
	// does not keep others from taking it.
	Held(ctx context.Context, name string) (bool, error)
}
