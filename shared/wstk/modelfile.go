package wstk

// ModelFile is a model that can be used on this machine, or could be.
type ModelFile struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind"` // embedder or reranker
	SHA256    Hash     `json:"sha256"`
	Bytes     int64    `json:"bytes"`
	License   string   `json:"license"`   // SPDX
	Languages []string `json:"languages"` // that it was trained for
	Path      string   `json:"path"`      // of its weights; "" until it is added
}
