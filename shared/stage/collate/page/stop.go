package page

import (
	"context"

	"wstk/shared/wstk"
)

// stop ends work whose time is over. Loops over statements, quotes and pages tick; the work
// is unwound from there, so that nothing half done is taken for a finding.
type stop struct{ ctx context.Context }

// stopped is what the work panics with when it is to end. It never leaves the package.
type stopped struct{}

// Tick looks whether to go on.
func (s stop) Tick() {
	if s.ctx.Err() != nil {
		panic(stopped{})
	}
}

// Caught turns the end of the work into an error; it is deferred.
func (s stop) Caught(op string, err *error) {
	switch v := recover(); v.(type) {
	case nil:
	case stopped:
		*err = wstk.Wrap(wstk.Cancelled, op, s.ctx.Err())
	default:
		panic(v)
	}
}
