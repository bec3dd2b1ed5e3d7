package wstk

import (
	"context"
	"fmt"
	"math"
)

// EmbedderInfo names an embedder and says what it takes and gives.
type EmbedderInfo struct {
	Name      string   `json:"name"`       // as its makers call it: all-MiniLM-L6-v2
	SHA256    Hash     `json:"sha256"`     // of its weights
	Dimension int      `json:"dimension"`  // numbers in a vector
	MaxTokens int      `json:"max_tokens"` // of a text, with the marks around it
	Languages []string `json:"languages"`  // BCP 47 tags of what it was trained for; nil means any
}

// ID is the model of an EmbeddingKey: the name and the beginning of the hash. Vectors
// of different ids cannot be compared.
func (i EmbedderInfo) ID() string {
	return i.Name + "@" + string(i.SHA256[:min(12, len(i.SHA256))])
}

// Speaks reports whether the embedder was trained for the language with this tag. An
// unknown language ("") counts as any.
func (i EmbedderInfo) Speaks(tag string) bool {
	if tag == "" || i.Languages == nil {
		return true
	}
	for _, l := range i.Languages {
		if tag == l || len(tag) > len(l) && tag[:len(l)] == l && tag[len(l)] == '-' {
			return true
		}
	}
	return false
}

// Embedding is what an Embedder made of one text.
type Embedding struct {
	// Vector has the length 1 (L2), so that the dot product of two is their cosine: 1 for
	// the same meaning, about 0 for subjects that have nothing in common.
	Vector []float32
	Tokens int  // read, with the marks around the text
	Cut    bool // the text is longer than MaxTokens; its end was not read
}

// Embedder turns texts into vectors: texts of like meaning get like directions. It is safe for
// concurrent use and keeps no state between calls.
//
// A text has the same vector in every call, alone and beside others. On another kind of
// processor, the cosine to that vector is at least .9999.
type Embedder interface {
	// Info says which model it is. It reads no weights and sends no request.
	Info() EmbedderInfo

	// Embed returns one Embedding for each text, in their order; none for no texts. A text
	// without words has a vector too. Each vector belongs to the caller. Codes: Cancelled
	// and Timeout (within a second), ModelFailed for a model that gives numbers that are
	// not finite, Unavailable, RateLimited and Network for one that is asked over a network.
	Embed(ctx context.Context, texts ...string) ([]Embedding, error)
}

// Cosine is the dot product of two vectors of length 1, -1 to 1. It panics if their
// dimensions differ.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("wstk: the cosine of %d and %d numbers", len(a), len(b)))
	}
	var sum float64
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return math.Max(-1, math.Min(1, sum))
}
