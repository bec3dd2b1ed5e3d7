package crawling

import (
	"context"

	"wstk/shared/wstk"
)

// Answers are the answers that are kept, as the removal of a site sees them.
type Answers interface {
	// CitedBy returns the evidence that an answer cites, by its id, and the blobs that are
	// the answer's own.
	CitedBy(ctx context.Context, run wstk.Run) (map[string]wstk.Evidence, []wstk.Hash, error)

	// Forget removes an answer with what nothing else refers to. NotFound when there is none
	// of that id.
	Forget(ctx context.Context, id wstk.RunID) error
}
