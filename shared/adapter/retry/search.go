// Package retry repeats calls that may work a moment later. Its types wrap a port and
// implement it. They lie inside limits, so that they never wait out the pause of a service,
// and inside caches.
package retry

import (
	"context"
	"errors"
	"time"

	"wstk/shared/wstk"
)

// longest is how long a search provider may ask to be left alone.
const longest = 8 * time.Second

// Search is a wstk.SearchProvider that asks Provider up to three times, when it is
// RateLimited, Unavailable, or fails by Timeout or Network. It waits between half and all
// of 0.5 s, then of 1 s, or as long as the vendor asks for, and gives up at once when that
// is over 8 s or does not fit the context's deadline. It is safe for concurrent use.
type Search struct {
	wstk.SearchProvider
	Pause
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
		if !wstk.IsTransient(err) || errors.Is(err, wstk.ErrResting) {
			return reply, err
		}
		wait, again := s.wait(ctx, pause, longest, err)
		if !again || asked >= tries || s.sleep(ctx, wait) != nil {
			return reply, err
		}
	}
}
