package recall

import (
	"context"
)

// Leg is a way of searching that gives scored passages, such as vectors.
type Leg interface {
	Name() string // as it stands in wstk.Leg
	// Weight is the leg's part in the fusion; the BM25 leg has 1. It belongs to
	// the leg, since how far an embedder can be trusted is a property of it.
	Weight() float64
	// Search returns entries for q, best first, at most limit. What it cannot
	// find is an empty list; an error fails the recall, since a configured leg
	// that is silently left out makes answers thinner.
	Search(ctx context.Context, q Query, limit int) ([]Scored, error)
}

// Scored is an entry as a leg sees it. Scores are compared within one search.
type Scored struct {
	ID    string
	Score float64
}
