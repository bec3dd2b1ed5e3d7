package crawling

import (
	"context"

	"wstk/shared/wstk"
)

// Answers are the kept answers, as the removal of a site needs them.
type Answers interface {
	// CitedBy returns the evidence that an answer cites, by its id, and the blobs that are
	// the answer's own.
	CitedBy(ctx context.Context, run wstk.Run) (map[string]wstk.Evidence, []wstk.Hash, error)

	// Forget removes an answer, with everything that nothing else refers to. It returns NotFound
	// if there is no answer with this id.
	Forget(ctx context.Context, id wstk.RunID) error
}
