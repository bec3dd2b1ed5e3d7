package retry

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

// longestOfModel is how long a model may ask to be left alone: vendors count by the minute.
const longestOfModel = time.Minute

// Model is a wstk.Model that asks Model up to three times, if it is RateLimited, Unavailable,
// or fails by Network. It waits between half and all of 0.5 s, then of 1 s, or as long as the
// vendor asks for, and tells of each wait (wstk.Notify). It gives up at once if the wait is over a
// minute or does not fit the context's deadline. What came too late is not asked for again: it may
// have been paid for. It is safe for concurrent use.
type Model struct {
	wstk.Model
	Pause
}

var _ wstk.Model = Model{}

// Complete asks; Usage is that of all tries.
func (m Model) Complete(
	ctx context.Context, r wstk.ModelRequest,
) (wstk.ModelReply, error) {
	var usage wstk.Usage
	var reply wstk.ModelReply
	err := m.repeat(ctx, func() (err error) {
		reply, err = m.Model.Complete(ctx, r)
		usage.Add(reply.Usage)
		reply.Usage = usage
		return err
	})
	return reply, err
}

// repeat calls ask up to three times, as Model says.
func (p Pause) repeat(ctx context.Context, ask func() error) error {
	for asked, pause := 1, first; ; asked, pause = asked+1, pause*2 {
		err := ask()
		switch wstk.CodeOf(err) {
		case wstk.RateLimited, wstk.Unavailable, wstk.Network:
		default:
			return err
		}
		wait, again := p.wait(ctx, pause, longestOfModel, err)
		if !again || asked >= tries {
			return err
		}
		wstk.Notify(ctx, wstk.Notice{Why: err.Error(), Wait: wait})
		if p.sleep(ctx, wait) != nil {
			return err
		}
	}
}
