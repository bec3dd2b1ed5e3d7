package model

import "strings"

// EmbedderRow is what is known of an embedder that a service runs. Where nothing else is said,
// it comes from the vendor's documentation or from the card that the model's makers published.
type EmbedderRow struct {
	Provider string
	Model    string // the beginning of its name, in lower case, without the name of its makers
	// Dimension is how many numbers its vectors have. If Cut, the first numbers of a vector
	// are a vector too (Matryoshka), and a smaller dimension may be asked for.
	Dimension int
	Cut       bool
	MaxTokens int
	Languages []string // nil means many
	// Weight is what its vectors count in a search; 0 means that there is no ground for one.
	Weight float64
	// Query and Passage stand before what is embedded, where the model was trained so.
	Query, Passage string
	// Price is what the vendor asks for a million tokens, in US dollars; 0 for a model that
	// one runs oneself.
	Price float64
}

// likeMiniLM is the weight of models that are published as better at retrieval than
// all-MiniLM-L6-v2, whose weight was measured. More was measured of none of them.
const likeMiniLM = .75

// asked is how the makers of these models begin a query.
const asked = "Represent this sentence for searching relevant passages: "

var english = []string{"en"}

// Embedders are those that are known, for each provider the default first. For another model
// the settings must say the dimension, and its weight is a careful one.
var Embedders = []EmbedderRow{
	{Provider: "openai", Model: "text-embedding-3-small", Dimension: 1536, Cut: true,
		MaxTokens: 8191, Weight: likeMiniLM, Price: .02},
	{Provider: "openai", Model: "text-embedding-3-large", Dimension: 3072, Cut: true,
		MaxTokens: 8191, Weight: likeMiniLM, Price: .13},
	{Provider: "openai", Model: "text-embedding-ada-002", Dimension: 1536, MaxTokens: 8191,
		Weight: likeMiniLM, Price: .1},

	{Provider: "cohere", Model: "embed-v4.0", Dimension: 1536, Cut: true, MaxTokens: 128_000,
		Weight: likeMiniLM, Price: .12},
	{Provider: "cohere", Model: "embed-multilingual-v3.0", Dimension: 1024, MaxTokens: 512,
		Weight: likeMiniLM, Price: .1},
	{Provider: "cohere", Model: "embed-english-v3.0", Dimension: 1024, MaxTokens: 512,
		Languages: english, Weight: likeMiniLM, Price: .1},

	{Provider: "gemini", Model: "gemini-embedding-001", Dimension: 3072, Cut: true,
		MaxTokens: 2048, Weight: likeMiniLM, Price: .15},

	{Provider: "voyage", Model: "voyage-3.5", Dimension: 2048, Cut: true, MaxTokens: 32_000,
		Weight: likeMiniLM, Price: .06},

	// Run by Ollama, llama.cpp, vLLM and others that speak as OpenAI does.
	{Provider: "openai", Model: "nomic-embed-text", Dimension: 768, Cut: true, MaxTokens: 2048,
		Languages: english, Weight: likeMiniLM, Query: "search_query: ",
		Passage: "search_document: "},
	{Provider: "openai", Model: "mxbai-embed-large", Dimension: 1024, Cut: true, MaxTokens: 512,
		Languages: english, Weight: likeMiniLM, Query: asked},
	{Provider: "openai", Model: "all-minilm", Dimension: 384, MaxTokens: 256, Languages: english,
		Weight: likeMiniLM},
	{Provider: "openai", Model: "bge-m3", Dimension: 1024, MaxTokens: 8192, Weight: likeMiniLM},
	{Provider: "openai", Model: "snowflake-arctic-embed2", Dimension: 1024, Cut: true,
		MaxTokens: 8192, Weight: likeMiniLM, Query: "query: "},
	{Provider: "openai", Model: "embeddinggemma", Dimension: 768, Cut: true, MaxTokens: 2048,
		Weight: likeMiniLM, Query: "task: search result | query: ",
		Passage: "title: none | text: "},
	{Provider: "openai", Model: "qwen3-embedding", Dimension: 1024, Cut: true, MaxTokens: 8192,
		Weight: likeMiniLM, Query: "Instruct: Given a web search query, retrieve relevant " +
			"passages that answer the query\nQuery:"},
}

const (
	// usualDimension is that of vectors where nothing else is known or asked for.
	usualDimension = 1024
	// usualTokens is how many tokens most embedders read, at least.
	usualTokens = 512
)

// known returns the row of a model; of another one, a row without weight. An empty name means
// the provider's first.
func known(provider, name string) EmbedderRow {
	plain := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	for _, r := range Embedders {
		switch {
		case r.Provider != provider:
		case name == "":
			return r
		case strings.HasPrefix(plain, r.Model):
			r.Model = name
			return r
		}
	}
	return EmbedderRow{Provider: provider, Model: name, MaxTokens: usualTokens}
}

// dimension is that of the vectors to ask for; want is what the settings say, 0 if nothing.
func (r EmbedderRow) dimension(want int) int {
	if want > 0 {
		return want
	}
	if r.Dimension > 0 && (!r.Cut || r.Dimension < usualDimension) {
		return r.Dimension
	}
	return usualDimension
}
