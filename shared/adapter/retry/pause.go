package retry

import (
	"context"
	"math/rand/v2"
	"time"

	"wstk/shared/wstk"
)

// Defaults of all ports.
const (
	tries = 3
	first = 500 * time.Millisecond
)

// Pause is how a call waits before the next try. The zero value waits as long as it takes, by
// a timer. It is safe for concurrent use.
type Pause struct {
	Sleep  func(ctx context.Context, d time.Duration) error // nil means a timer
	Chance func() float64                                   // in [0, 1); nil means a random one
}

// wait is how long to wait after an error: between half and all of pause, or as long as the
// vendor asks for. It reports whether that is at most longest, and within the deadline.
func (p Pause) wait(
	ctx context.Context, pause, longest time.Duration, err error,
) (time.Duration, bool) {
	chance := p.Chance
	if chance == nil {
		chance = rand.Float64
	}
	wait := max(wstk.RetryAfterOf(err), time.Duration((0.5+chance()/2)*float64(pause)))
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
		return 0, false
	}
	return wait, wait <= longest && ctx.Err() == nil
}

func (p Pause) sleep(ctx context.Context, d time.Duration) error {
	if p.Sleep != nil {
		return p.Sleep(ctx, d)
	}
	return wstk.Sleep(ctx, d)
}
