package recall

import (
	"context"

	"wstk/shared/wstk"
)

// Vectors is a Leg that finds passages by their meaning. It compares the query with all
// passages that have a vector; in a language that the Embedder was not trained for it finds
// none.
type Vectors struct {
	Embedder wstk.Embedder
	Index    wstk.VectorIndex
	Share    float64 // the Leg's weight
}

// VectorShare is the weight of MiniLM's vectors: between .5, which was best on other
// collections, and 1, which finds most of what users ask in their own words. Above 1, the
// words of a page count too little for those who use them.
const VectorShare = 0.75

// leastCosine is what a passage must have to be found at all: texts that have nothing in
// common have about 0, and seldom .2.
const leastCosine = 0.2

// Name returns "vector".
func (v Vectors) Name() string { return "vector" }

// Weight returns Share.
func (v Vectors) Weight() float64 { return v.Share }

// Search embeds the words of q and returns the nearest passages.
func (v Vectors) Search(ctx context.Context, q Query, limit int) ([]Scored, error) {
	info := v.Embedder.Info()
	if !info.Speaks(q.Lang) {
		return nil, nil
	}
	made, err := v.Embedder.Embed(ctx, q.Text)
	if err != nil {
		return nil, err
	}
	hits, err := v.Index.Nearest(ctx, wstk.VectorQuery{Model: info.ID(), Vector: made[0].Vector,
		Filter: q.Filter, Pages: q.Pages, Limit: limit})
	if err != nil {
		return nil, err
	}
	var out []Scored
	for _, h := range hits {
		if h.Score >= leastCosine {
			out = append(out, Scored{ID: h.Chunk, Score: h.Score})
		}
	}
	return out, nil
}
