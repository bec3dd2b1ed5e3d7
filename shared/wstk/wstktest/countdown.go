package wstktest

import "context"

// Countdown is a context that ends after it was asked so often whether it has: what works
// under it is stopped in the middle, wherever that is. It is for one goroutine.
type Countdown struct {
	context.Context
	Left int // looks until it ends
	Late int // looks since it ended
}

// Err implements context.Context.
func (c *Countdown) Err() error {
	if c.Left--; c.Left < 0 {
		c.Late++
		return context.Canceled
	}
	return nil
}
