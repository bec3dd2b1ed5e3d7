package minilm

import "wstk/shared/wstk"

// Kind is what a model does.
type Kind string

// The kinds.
const (
	Embeds  Kind = "embedder"
	Reranks Kind = "reranker"
)

// Spec is what is known of a model: which file it is and how to compute with it. All are
// BERT models with the vocabulary of this package.
type Spec struct {
	Name      string
	Kind      Kind
	SHA256    wstk.Hash // of the safetensors file
	Size      int64     // of that file, in bytes
	Languages []string  // that it was trained for
	License   string    // SPDX
	MaxTokens int
	Weight    float64 // of an embedder, as in wstk.EmbedderInfo
	Unrelated float64 // likewise

	Hidden, Inner, Layers, Heads int
	Prefix                       string // of the names of tensors
}

// Embedder names the model as an embedder.
func (s Spec) Embedder() wstk.EmbedderInfo {
	return wstk.EmbedderInfo{Name: s.Name, SHA256: s.SHA256, Dimension: s.Hidden,
		MaxTokens: s.MaxTokens, Languages: s.Languages, Weight: s.Weight, Unrelated: s.Unrelated}
}

// Known are the models that can be used, the default of each kind first. A file with another
// hash is refused, whatever its name says.
var Known = []Spec{
	{Name: "all-MiniLM-L6-v2", Kind: Embeds,
		SHA256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
		Size:   90_868_376, Languages: []string{"en"}, License: "Apache-2.0", MaxTokens: 256,
		// .5 was best on other collections, and 1 finds most of what users ask in their own
		// words. Above 1, the words of a page count too little for those who use them.
		Weight: .75,
		// texts that have nothing in common have about 0, and seldom .2
		Unrelated: .2,
		Hidden:    384, Inner: 1536, Layers: 6, Heads: 12},
	{Name: "ms-marco-MiniLM-L6-v2", Kind: Reranks,
		SHA256: "821d1aa69520101d6e0737f78a042ae25b19e5cb9160701909d10434f4aeb0ae",
		Size:   90_870_598, Languages: []string{"en"}, License: "Apache-2.0", MaxTokens: 512,
		Hidden: 384, Inner: 1536, Layers: 6, Heads: 12, Prefix: "bert."},
}
