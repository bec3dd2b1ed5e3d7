package bedrock

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"wstk/shared/wstk"
)

// Embedder makes vectors by a model of Bedrock: Titan Text Embeddings V2, Cohere Embed 3 or 4.
// A text is cut at as many bytes as the model takes tokens (Titan, Cohere 4) or characters
// (Cohere 3), so that no text is refused for its length.
type Embedder struct {
	client    *Client
	model     string
	dimension int
	family    embedFamily
}

var _ wstk.Embedder = (*Embedder)(nil)

// embedFamily is how models of one kind are asked.
type embedFamily struct {
	part       string // of the model's id
	dimensions []int  // that it can make, its default first
	tokens     int    // of a text
	bytes      int    // of a text
	languages  []string
	embed      func(e *Embedder, ctx context.Context, purpose wstk.EmbedPurpose,
		texts []string) ([]vector, wstk.Usage, error)
}

var embedFamilies = []embedFamily{
	{part: "amazon.titan-embed-text-v2", dimensions: []int{1024, 512, 256}, tokens: 8192,
		bytes: 8192, embed: (*Embedder).titan},
	{part: "cohere.embed-english-v3", dimensions: []int{1024}, tokens: 512, bytes: 2048,
		languages: []string{"en"}, embed: (*Embedder).cohere},
	{part: "cohere.embed-multilingual-v3", dimensions: []int{1024}, tokens: 512, bytes: 2048,
		embed: (*Embedder).cohere},
	{part: "cohere.embed-v4", dimensions: []int{1024, 256, 512, 1536}, tokens: 8192,
		bytes: 8192, embed: (*Embedder).cohere},
}

// NewEmbedder returns the embedder with this id (of a model or an inference profile); the
// dimension 0 means 1024. An id of another kind, or a dimension that the model does not make,
// is Invalid.
func NewEmbedder(c *Client, model string, dimension int) (*Embedder, error) {
	const op = "reading the settings"
	for _, f := range embedFamilies {
		if !strings.Contains(model, f.part) {
			continue
		}
		if dimension == 0 {
			dimension = f.dimensions[0]
		}
		if !slices.Contains(f.dimensions, dimension) {
			return nil, wstk.Errorf(wstk.Invalid, op, "%s makes no vectors of %d numbers", model,
				dimension).Try(wstk.Advice("use " + listed(f.dimensions)))
		}
		return &Embedder{client: c, model: model, dimension: dimension, family: f}, nil
	}
	var known []string
	for _, f := range embedFamilies {
		known = append(known, f.part)
	}
	return nil, wstk.Errorf(wstk.Invalid, op, "no embedder of Bedrock is called %q", model).
		Try(wstk.Advice("use one of " + strings.Join(known, ", ")))
}

func listed(numbers []int) string {
	var words []string
	for _, n := range numbers {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, " or ")
}

// Info names the model.
func (e *Embedder) Info() wstk.EmbedderInfo {
	return wstk.EmbedderInfo{Provider: Vendor, Name: e.model, Dimension: e.dimension,
		MaxTokens: e.family.tokens, Languages: e.family.languages}
}

// vector is what came for one text.
type vector struct {
	numbers []float32
	tokens  int // 0 if the model does not say
}

// Embed asks once for each text (Titan) or once for 96 texts (Cohere).
func (e *Embedder) Embed(
	ctx context.Context, purpose wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	if len(texts) == 0 {
		return wstk.EmbedReply{}, nil
	}
	asked := make([]string, len(texts))
	out := wstk.EmbedReply{Embeddings: make([]wstk.Embedding, len(texts))}
	for i, t := range texts {
		asked[i], out.Embeddings[i].Cut = within(t, e.family.bytes)
	}
	started := e.client.now()
	made, usage, err := e.family.embed(e, ctx, purpose, asked)
	usage.DurationMS = e.client.now().Sub(started).Milliseconds()
	if err != nil {
		return wstk.EmbedReply{Usage: usage}, err
	}
	for i, v := range made {
		if len(v.numbers) != e.dimension || !unit(v.numbers) {
			return wstk.EmbedReply{Usage: usage}, fault(wstk.ModelFailed,
				"it made no vector of "+strconv.Itoa(e.dimension)+" numbers")
		}
		out.Embeddings[i].Vector, out.Embeddings[i].Tokens = v.numbers, v.tokens
	}
	out.Usage = usage
	return out, nil
}

// unit gives v the length 1, and reports whether that can be done.
func unit(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if !(length > 0) || math.IsInf(length, 0) {
		return false
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
	return true
}

// titansAtOnce is how many requests of one call are on their way at the same time.
const titansAtOnce = 4

// titan asks for each text by itself: the model takes one.
func (e *Embedder) titan(
	ctx context.Context, _ wstk.EmbedPurpose, texts []string,
) ([]vector, wstk.Usage, error) {
	made := make([]vector, len(texts))
	var mu sync.Mutex
	var usage wstk.Usage
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(titansAtOnce)
	for i, t := range texts {
		group.Go(func() error {
			var answer struct {
				Embedding []float32
				Tokens    int `json:"inputTextTokenCount"`
			}
			err := e.client.invoke(ctx, e.model, map[string]any{"inputText": t,
				"dimensions": e.dimension, "normalize": true}, &answer)
			if err != nil {
				return err
			}
			made[i] = vector{answer.Embedding, answer.Tokens}
			mu.Lock()
			defer mu.Unlock()
			usage.Add(wstk.Usage{Calls: 1, InputTokens: answer.Tokens})
			return nil
		})
	}
	err := group.Wait()
	return made, usage, err
}

// cohereBatch is how many texts Cohere takes at once.
const cohereBatch = 96

// inputTypes are Cohere's words for what a text is for.
var inputTypes = map[wstk.EmbedPurpose]string{
	wstk.EmbedQuery: "search_query", wstk.EmbedPassage: "search_document"}

func (e *Embedder) cohere(
	ctx context.Context, purpose wstk.EmbedPurpose, texts []string,
) (made []vector, usage wstk.Usage, err error) {
	for batch := range slices.Chunk(texts, cohereBatch) {
		body := map[string]any{"texts": batch, "input_type": inputTypes[purpose],
			"embedding_types": []string{"float"}, "truncate": "END"}
		if len(e.family.dimensions) > 1 {
			body["output_dimension"], body["truncate"] = e.dimension, "RIGHT"
		}
		var answer struct{ Embeddings struct{ Float [][]float32 } }
		if err := e.client.invoke(ctx, e.model, body, &answer); err != nil {
			return nil, usage, err
		}
		usage.Calls++
		if len(answer.Embeddings.Float) != len(batch) {
			return nil, usage, fault(wstk.ModelFailed, "it made "+
				strconv.Itoa(len(answer.Embeddings.Float))+" vectors of "+
				strconv.Itoa(len(batch))+" texts")
		}
		for _, v := range answer.Embeddings.Float {
			made = append(made, vector{numbers: v})
		}
	}
	return made, usage, nil
}
