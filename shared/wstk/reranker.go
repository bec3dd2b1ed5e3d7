package wstk

import "context"

// RerankerInfo names a reranker.
type RerankerInfo struct {
	Name      string   `json:"name"`
	SHA256    Hash     `json:"sha256"`     // of its weights
	MaxTokens int      `json:"max_tokens"` // of query and text together
	Languages []string `json:"languages"`  // as in EmbedderInfo
}

// Reranker reads a query and a text together and says how well they fit: slower than an
// Embedder, and better. It is safe for concurrent use and keeps no state between calls.
type Reranker interface {
	// Info says which model it is. It reads no weights and sends no request.
	Info() RerankerInfo

	// Rerank returns one score for each text, in their order; none for no texts. A higher
	// score fits better. Scores are finite; those of one query can be compared with each
	// other and with nothing else. A text has the same score alone and beside others. Of a
	// text that is too long the beginning counts. Codes are those of Embedder.Embed.
	Rerank(ctx context.Context, query string, texts ...string) ([]float64, error)
}
