package wstk

import "context"

// RerankerInfo names a reranker.
type RerankerInfo struct {
	Provider  string   `json:"provider,omitempty"` // as in EmbedderInfo
	Name      string   `json:"name"`
	SHA256    Hash     `json:"sha256,omitempty"` // of its weights; "" if a service keeps them
	MaxTokens int      `json:"max_tokens"`       // of query and text together
	Languages []string `json:"languages"`        // as in EmbedderInfo
}

// Speaks reports whether the reranker was trained for the language with this tag. An unknown
// language ("") counts as any.
func (i RerankerInfo) Speaks(tag string) bool { return speaks(i.Languages, tag) }

// RerankReply is what a call of a Reranker said and cost.
type RerankReply struct {
	Scores []float64 // one for each text, in their order
	Usage  Usage     // of a service; zero for a model that computes here
}

// Reranker reads a query and a text together and says how well they fit: slower than an
// Embedder, and better. It is safe for concurrent use and keeps no state between calls.
type Reranker interface {
	// Info says which model it is. It reads no weights and sends no request.
	Info() RerankerInfo

	// Rerank returns one score for each text; none for no texts, and then no request is sent.
	// A higher score fits better. Scores are finite; those of one query can be compared with
	// each other and with nothing else. A text has the same score alone and beside others. Of
	// a text that is too long the beginning counts. Codes and Usage are those of
	// Embedder.Embed.
	Rerank(ctx context.Context, query string, texts ...string) (RerankReply, error)
}
