package wstk

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
)

// PageVectors are the vectors of a page's chunks by one model.
type PageVectors struct {
	URL       string
	Site      SiteID
	FetchedAt time.Time
	Model     string      // EmbedderInfo.ID
	Chunks    []string    // ids of chunks, each once
	Vectors   [][]float32 // of Chunks, in their order; all of one dimension and the length 1
}

// VectorQuery asks a VectorIndex.
type VectorQuery struct {
	Model  string
	Vector []float32 // of the length 1
	Filter Filter
	Pages  []string // only chunks of these URLs; empty means all
	Limit  int      // default 50
}

// VectorHit is a chunk with the cosine of its vector and that of the query.
type VectorHit struct {
	Chunk string
	Score float64
}

// VectorIndex finds chunks by their vectors.
type VectorIndex interface {
	// Replace makes p all that is held for p.URL and p.Model. A p whose FetchedAt is older
	// than what is held is ignored. Invalid, and nothing is replaced: no URL or model,
	// vectors that are not one for each chunk, of different dimensions, or that
	// CheckEmbeddings refuses.
	Replace(ctx context.Context, p PageVectors) error

	// Remove forgets a page, by every model; an unknown URL is no error.
	Remove(ctx context.Context, url string) error

	// Held returns, of these URLs, those of which vectors of the model are held, with their
	// FetchedAt; a page whose chunks have no vectors is among them once it was put.
	Held(ctx context.Context, model string, urls ...string) (map[string]time.Time, error)

	// Nearest returns the chunks with the highest scores, best first, at most q.Limit; equal
	// scores are ordered by chunk. It compares all, and so misses none; only an index that says
	// so may miss one among thousands. Vectors of another dimension are left out.
	Nearest(ctx context.Context, q VectorQuery) ([]VectorHit, error)
}

// CheckPageVectors returns Invalid for what Replace of a VectorIndex refuses.
func CheckPageVectors(op string, p PageVectors) error {
	if p.URL == "" || p.Model == "" || len(p.Chunks) != len(p.Vectors) {
		return Errorf(Invalid, op, "%d vectors of %d chunks of %q by %q", len(p.Vectors),
			len(p.Chunks), p.URL, p.Model)
	}
	for i, v := range p.Vectors {
		if p.Chunks[i] == "" || len(v) != len(p.Vectors[0]) {
			return Errorf(Invalid, op, "vector %d has %d numbers, the first one has %d", i, len(v),
				len(p.Vectors[0]))
		}
		k := EmbeddingKey{Text: Hash(p.Chunks[i]), Model: p.Model}
		if err := CheckEmbeddings(op, map[EmbeddingKey][]float32{k: v}); err != nil {
			return err
		}
	}
	return nil
}

// Nearer are the best of many VectorHits. Its zero value keeps 50.
type Nearer struct {
	Limit int
	hits  []VectorHit
	least float64 // see Least
	full  bool
}

func (n *Nearer) limit() int {
	if n.Limit < 1 {
		return 50
	}
	return n.Limit
}

// Least is a score that as many as are kept have already: one with less is not among the best.
// It is -2, less than any cosine, until that is known.
func (n *Nearer) Least() float64 {
	if !n.full {
		return -2
	}
	return n.least
}

// Add takes one more.
func (n *Nearer) Add(chunk string, score float64) {
	n.hits = append(n.hits, VectorHit{chunk, score})
	if len(n.hits) >= 4*n.limit() {
		n.Best()
	}
}

// Best returns those with the highest scores, best first, equal ones by chunk.
func (n *Nearer) Best() []VectorHit {
	slices.SortFunc(n.hits, func(a, b VectorHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Chunk, b.Chunk))
	})
	n.hits = n.hits[:min(len(n.hits), n.limit())]
	if n.full = len(n.hits) == n.limit(); n.full {
		n.least = n.hits[len(n.hits)-1].Score
	}
	return n.hits
}
