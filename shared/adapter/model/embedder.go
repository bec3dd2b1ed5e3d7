package model

import (
	"context"
	"math"
	"strings"
	"unicode/utf8"

	"wstk/shared/adapter/webapi"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

var _ wstk.Embedder = (*Embedder)(nil)

// Embedder is a wstk.Embedder that a service runs. Make one with NewEmbedder. It trusts no
// reply: it checks the number of vectors, their dimension and their numbers, and gives them
// the length 1.
type Embedder struct {
	webapi.Client
	vendor embedVendor
	row    EmbedderRow
	info   wstk.EmbedderInfo
}

// EmbedderSetup says which embedder to make.
type EmbedderSetup struct {
	Provider  string  // one of EmbedderProviders
	Model     string  // "" means the provider's default
	Dimension int     // 0 means what suits the model
	Weight    float64 // in a search; 0 means what is known of the model
}

// EmbedderProviders are the services that are known, in the order of the documents.
func EmbedderProviders() []string { return []string{"openai", "cohere", "gemini", "voyage"} }

// NewEmbedder returns an embedder. It sends no request. Codes: Invalid for an unknown provider,
// for a dimension that the model does not have, and where an own address comes without a model.
func NewEmbedder(s EmbedderSetup, client webapi.Client) (*Embedder, error) {
	const op = "reading the settings of the embedder"
	vendor, ok := embedVendors[s.Provider]
	if !ok {
		return nil, wstk.Errorf(wstk.Invalid, op, "no embedder is offered by %q; known are %s",
			s.Provider, strings.Join(EmbedderProviders(), ", "))
	}
	if s.Model == "" && client.BaseURL != "" && s.Provider == openaiID {
		return nil, wstk.Errorf(wstk.Invalid, op,
			"embedder.base_url is set, and embedder.model is not").
			Try(wstk.Step{Do: wstk.DoConfigure, Variable: "WSTK_EMBEDDER_MODEL"})
	}
	row := known(s.Provider, s.Model)
	n := row.dimension(s.Dimension)
	if n > wstk.MaxDimension || row.Dimension > 0 && n != row.Dimension && !row.Cut {
		return nil, wstk.Errorf(wstk.Invalid, op, "%s makes vectors of %d numbers, not of %d",
			row.Model, row.Dimension, n).Try(wstk.Advice("leave out embedder.dimension"))
	}
	weight := row.Weight
	if s.Weight > 0 {
		weight = s.Weight
	}
	return &Embedder{Client: client, vendor: vendor, row: row, info: wstk.EmbedderInfo{
		Provider: s.Provider, Name: row.Model, Dimension: n, MaxTokens: row.MaxTokens,
		Languages: row.Languages, Weight: weight}}, nil
}

// Info names the model.
func (e *Embedder) Info() wstk.EmbedderInfo { return e.info }

// Embed sends the texts in as few requests as the vendor's limits allow, one after another.
// Without a key the vendor's own address is not asked: Unprocessable.
func (e *Embedder) Embed(
	ctx context.Context, purpose wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	var out wstk.EmbedReply
	if len(texts) > 0 && e.Secret() == "" && e.BaseURL == "" {
		return out, noKey(e.Client, e.vendor.name, e.vendor.variable)
	}
	before := e.row.Passage
	if purpose == wstk.EmbedQuery {
		before = e.row.Query
	}
	sent := make([]string, len(texts))
	for i, s := range texts {
		m := wstk.Embedding{}
		sent[i], m.Cut = cutText(s, e.row.MaxTokens)
		sent[i] = before + worded(sent[i])
		out.Embeddings = append(out.Embeddings, m)
	}
	started := e.Clock()
	for at := 0; at < len(sent); {
		batch := e.batch(sent[at:])
		vectors, err := e.ask(ctx, purpose, batch, &out.Usage)
		if err != nil {
			out.Embeddings = nil
			return out, err
		}
		for i, v := range vectors {
			out.Embeddings[at+i].Vector = v
		}
		at += len(batch)
	}
	out.Usage.DurationMS = e.Clock().Sub(started).Milliseconds()
	return out, nil
}

// noKey is the error for the vendor's own address without a key.
func noKey(c webapi.Client, vendor, variable string) error {
	return c.Fail(vendor, wstk.Unprocessable, "it needs a key, and none is set").
		Try(wstk.Step{Do: wstk.DoConfigure, Variable: variable})
}

const (
	// maxVectors bounds the numbers of a reply, so that it stays below what webapi reads: a
	// number takes some 12 bytes.
	maxVectors = 300_000
	// fewTokens leaves room where our count of tokens is too low.
	fewTokens = 2. / 3
)

// batch returns the first texts: as many as one request takes.
func (e *Embedder) batch(texts []string) []string {
	most := max(1, min(e.vendor.texts, maxVectors/max(e.row.Dimension, e.info.Dimension)))
	tokens := 0
	for i, s := range texts {
		tokens += text.EstimateTokens(s)
		if i == most || i > 0 && float64(tokens) > float64(e.vendor.tokens)*fewTokens {
			return texts[:i]
		}
	}
	return texts
}

// ask sends one request and returns its vectors, checked.
func (e *Embedder) ask(
	ctx context.Context, purpose wstk.EmbedPurpose, texts []string, usage *wstk.Usage,
) ([][]float32, error) {
	call := embedCall{model: e.row.Model, purpose: purpose, texts: texts}
	if e.row.Cut {
		call.dimension = e.info.Dimension
	}
	vectors, tokens, err := e.vendor.ask(ctx, e.Client, call)
	if err != nil {
		return nil, err
	}
	if tokens == 0 { // the vendor does not say
		for _, s := range texts {
			tokens += text.EstimateTokens(s)
		}
	}
	usage.Add(wstk.Usage{Calls: 1, InputTokens: tokens})
	if len(vectors) != len(texts) {
		return nil, e.Fail(e.vendor.name, wstk.ModelFailed, "it was given "+
			text.Count(len(texts), "text")+" and returned "+text.Count(len(vectors), "vector"))
	}
	for i := range vectors {
		if vectors[i], err = e.check(vectors[i]); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// check returns v with the length 1.
func (e *Embedder) check(v []float32) ([]float32, error) {
	want := e.info.Dimension
	if e.row.Cut && len(v) > want && len(v) <= wstk.MaxDimension {
		v = v[:want] // the server does not know the parameter
	}
	if len(v) != want {
		err := e.Fail(e.vendor.name, wstk.ModelFailed, e.row.Model+" returned vectors of "+
			text.Count(len(v), "number")+", and "+text.Count(want, "number")+" were expected")
		return nil, err.Try(wstk.Advice("set embedder.dimension to what the model returns"))
	}
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	length := math.Sqrt(squares)
	if math.IsNaN(length) || math.IsInf(length, 0) || length < 1e-12 {
		return nil, e.Fail(e.vendor.name, wstk.ModelFailed,
			e.row.Model+" returned a vector that has no direction")
	}
	out := make([]float32, want)
	for i, x := range v {
		out[i] = float32(float64(x) / length)
	}
	return out, nil
}

// worded returns s, or a point in place of what has no words: services refuse an empty text.
func worded(s string) string {
	if strings.TrimSpace(s) == "" {
		return "."
	}
	return s
}

// cutText returns the beginning of s that surely has no more tokens, and whether an end was
// left out. Vendors count in other ways than text.EstimateTokens; a third is left for that.
func cutText(s string, tokens int) (string, bool) {
	most := int(float64(tokens) * fewTokens)
	if len(s) <= most || text.EstimateTokens(s) <= most {
		return s, false
	}
	low, high := 0, len(s) // s[:low] fits
	for high-low > 1 {
		mid := (low + high) / 2
		if text.EstimateTokens(s[:mid]) <= most {
			low = mid
		} else {
			high = mid
		}
	}
	for low > 0 && !utf8.RuneStart(s[low]) {
		low--
	}
	return s[:low], true
}
