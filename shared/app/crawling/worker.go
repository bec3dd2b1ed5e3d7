package crawling

import (
	"context"

	"wstk/shared/wstk"
)

// Worker works on the messages of crawls in this process.
type Worker interface {
	// Drive works on a run until it has ended, and calls tick now and then from one goroutine.
	// The error is what stopped it; the run stays open then, or ends as partial when
	// Config.Timeout passed.
	Drive(ctx context.Context, run wstk.Run, resumed bool, tick func()) error
}
