package recall

import (
	"context"

	"wstk/shared/wstk"
)

// Leg is a further way to search for passages, such as vectors. Its methods may be called
// concurrently.
type Leg interface {
	Name() string // the Name in wstk.Leg
	// Weight is the leg's weight in the fusion; the BM25 leg has 1. The leg itself names
	// it, because it knows how far its scores can be trusted.
	Weight() float64
	// Search returns at most limit entries for q, best first, and what it paid for them. If
	// nothing matches, the list is empty. A query for summaries wants summaries alone, any
	// other one passages and summaries; what is not wanted is left out later. An error fails the
	// whole recall: if a configured leg were left out silently, answers would lack what it finds.
	Search(ctx context.Context, q Query, limit int) ([]Scored, wstk.Usage, error)
}

// Scored is an entry with a leg's score. Scores are compared only with those of the same
// search.
type Scored struct {
	ID    string
	Score float64
}
