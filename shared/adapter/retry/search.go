// Package retry repeats calls that may work a moment later. Its types wrap a port and
// implement it. They lie inside limits, so that they never wait out the pause of a service,
// and inside caches.
package retry

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"wstk/shared/wstk"
)

// Defaults of Search.
const (
	tries   = 3
	first   = 500 * time.Millisecond
	longest = 8 * time.Second
)

// Search is a wstk.SearchProvider that asks Provider up to three times, when it is
// RateLimited, Unavailable, or fails by Timeout or Network. It waits between half and all
// of 0.5 s, then of 1 s, or as long as the vendor asks for, and gives up at once when that
// is over 8 s or does not fit the context's deadline. It is safe for concurrent use.
type Search struct {
	wstk.SearchProvider

	Sleep  func(ctx context.Context, d time.Duration) error // nil means a timer
	Chance func() float64                                   // in [0, 1); nil means a random one
}

var _ wstk.SearchProvider = Search{}

// Search asks, and says in Tries how often it did, with an error, too.
func (s Search) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	asked := 0
	var said error // by the vendor, the last time it said something
	for pause := first; ; pause *= 2 {
		reply, err := s.SearchProvider.Search(ctx, q)
		asked += max(reply.Tries, 1)
		reply.Tries = asked
		if err != nil && said != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return reply, said // that the time was over then says less
		}
		said = err
		wait, again := s.wait(ctx, pause, err)
		if !again || asked >= tries || s.sleep(ctx, wait) != nil {
			return reply, err
		}
	}
}

// wait reports whether asking again may help, and after how long.
func (s Search) wait(ctx context.Context, pause time.Duration, err error) (time.Duration, bool) {
	if !wstk.IsTransient(err) || errors.Is(err, wstk.ErrResting) || ctx.Err() != nil {
		return 0, false
	}
	chance := s.Chance
	if chance == nil {
		chance = rand.Float64
	}
	wait := max(wstk.RetryAfterOf(err), time.Duration((0.5+chance()/2)*float64(pause)))
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
		return 0, false
	}
	return wait, wait <= longest
}

func (s Search) sleep(ctx context.Context, d time.Duration) error {
	if s.Sleep != nil {
		return s.Sleep(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
