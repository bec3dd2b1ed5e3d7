package wstk

import (
	"context"
	"fmt"
	"math"
	"strconv"
)

// EmbedderInfo names an embedder and says what it takes and gives.
type EmbedderInfo struct {
	Provider  string `json:"provider,omitempty"` // of a service: openai, …; "" computes here
	Name      string `json:"name"`               // as its makers call it: all-MiniLM-L6-v2
	SHA256    Hash   `json:"sha256,omitempty"`   // of its weights; "" if a service keeps them
	Dimension int    `json:"dimension"`          // numbers in a vector
	MaxTokens int    `json:"max_tokens"`         // of a text, with the marks around it
	// BCP 47 tags of what it was trained for; nil means any
	Languages []string `json:"languages"`

	// Weight is what its vectors count in a search beside the words, which count 1. 0 means
	// that no one has measured it.
	Weight float64 `json:"weight,omitempty"`

	// Unrelated is a cosine that texts seldom reach that have nothing in common. 0 means that
	// no one has measured it.
	Unrelated float64 `json:"unrelated,omitempty"`
}

// ID is the model of an EmbeddingKey. Vectors of different ids cannot be compared. It is the
// name and the beginning of the hash; of a service, which does not say the hash, it is
// provider, name and dimension.
func (i EmbedderInfo) ID() string {
	if i.SHA256 == "" {
		return i.Provider + "/" + i.Name + "@" + strconv.Itoa(i.Dimension)
	}
	return i.Name + "@" + string(i.SHA256[:min(12, len(i.SHA256))])
}

// Speaks reports whether the embedder was trained for the language with this tag. An
// unknown language ("") counts as any.
func (i EmbedderInfo) Speaks(tag string) bool { return speaks(i.Languages, tag) }

func speaks(languages []string, tag string) bool {
	if tag == "" || languages == nil {
		return true
	}
	for _, l := range languages {
		if tag == l || len(tag) > len(l) && tag[:len(l)] == l && tag[len(l)] == '-' {
			return true
		}
	}
	return false
}

// EmbedPurpose is what a text is for. Many models read a query in another way than what may answer
// it; others make the same vector of both.
type EmbedPurpose string

// The purposes.
const (
	EmbedQuery   EmbedPurpose = "query"   // it asks
	EmbedPassage EmbedPurpose = "passage" // it may be found
)

// Embedding is what an Embedder made of one text.
type Embedding struct {
	// Vector has the length 1 (L2), so that the dot product of two is their cosine: 1 for
	// the same meaning, about 0 for subjects that have nothing in common.
	Vector []float32
	Tokens int  // read, with the marks around the text; 0 if a service does not say
	Cut    bool // the text is longer than MaxTokens; its end was not read
}

// EmbedReply is what a call of an Embedder made and cost.
type EmbedReply struct {
	Embeddings []Embedding // one for each text, in their order
	Usage      Usage       // of a service; zero for a model that computes here
}

// Embedder turns texts into vectors: texts of like meaning get like directions. It is safe for
// concurrent use and keeps no state between calls that shows in a vector.
//
// A text has the same vector for a purpose in every call, alone and beside others. On another
// kind of processor, and from a service, the cosine to that vector is at least .9999.
type Embedder interface {
	// Info says which model it is. It reads no weights and sends no request.
	Info() EmbedderInfo

	// Embed returns an Embedding for each text; none for no texts, and then no request is
	// sent. All texts have the same purpose. A text without words has a vector too. Each
	// vector belongs to the caller. Codes: Cancelled and Timeout (within a second), ModelFailed
	// for a model that gives numbers that are not finite or vectors of another dimension; for
	// a service also those of Model.Complete. Usage counts what was paid for although the call
	// failed.
	Embed(ctx context.Context, purpose EmbedPurpose, texts ...string) (EmbedReply, error)
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
