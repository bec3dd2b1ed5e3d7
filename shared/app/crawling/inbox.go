package crawling

import (
	"context"

	"wstk/shared/wstk"
)

// Inbox is the receiving side of a queue.
type Inbox interface {
	// Receive waits for the next message of a queue that is due. Calling done with
	// nil removes it; with an error it comes again.
	Receive(ctx context.Context, queue string) (m wstk.Message, done func(error), err error)
}
