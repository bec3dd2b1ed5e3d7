package page

import (
	"context"

	"wstk/shared/wstk"
)

// stop ends the work when its context ends. Loops over statements, quotes and pages call
// Tick, which panics then, so that nothing half done becomes a finding.
type stop struct{ ctx context.Context }

// stopped is what the work panics with when it is to end. It never leaves the package.
type stopped struct{}

// Tick panics if the work must end.
func (s stop) Tick() {
	if s.ctx.Err() != nil {
		panic(stopped{})
	}
}

// Caught turns the panic of Tick into the error Cancelled; callers defer it.
func (s stop) Caught(op string, err *error) {
	switch v := recover(); v.(type) {
	case nil:
	case stopped:
		*err = wstk.Wrap(wstk.Cancelled, op, s.ctx.Err())
	default:
		panic(v)
	}
}
