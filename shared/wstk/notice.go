package wstk

import (
	"context"
	"time"
)

// Notice is what a caller that waits may show: something failed for a moment, and is done again.
type Notice struct {
	Why  string        // what failed, a sentence without its stop
	Wait time.Duration // until the next try
}

// noticeKey is the key of a context with what Noticing was given.
type noticeKey struct{}

// Noticing returns a context in which tell is called with each Notice, by any goroutine that works
// under it. tell must be quick.
func Noticing(ctx context.Context, tell func(Notice)) context.Context {
	return context.WithValue(ctx, noticeKey{}, tell)
}

// Notify tells the caller of the work under ctx, if it listens.
func Notify(ctx context.Context, n Notice) {
	if tell, ok := ctx.Value(noticeKey{}).(func(Notice)); ok {
		tell(n)
	}
}
