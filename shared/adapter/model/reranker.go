package model

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"wstk/shared/adapter/webapi"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

var _ wstk.Reranker = (*Reranker)(nil)

// Reranker is a wstk.Reranker that a service runs. Make one with NewReranker. It trusts no
// reply: each text must have one score, under its own place.
type Reranker struct {
	webapi.Client
	vendor RerankerRow
	info   wstk.RerankerInfo
}

// RerankerRow is a service that reranks. All of them speak almost alike: texts go out in a list,
// and come back as places in it with scores.
type RerankerRow struct {
	Provider  string
	Model     string // the default
	Variable  string // that holds its key
	MaxTokens int    // of query and text together
	Texts     int    // in one request, at most
	base      string // its own address
	path      string
	plain     bool // it can be told to leave out the texts from its reply, and should be
}

// Rerankers are those that are known, in the order of the documents. An own address of jina may
// be a server of llama.cpp or vLLM, which speak as it does.
var Rerankers = []RerankerRow{
	{Provider: "cohere", Model: "rerank-v3.5", Variable: "COHERE_API_KEY", MaxTokens: 4096,
		Texts: 1000, base: "https://api.cohere.com/v2", path: "/rerank"},
	{Provider: "jina", Model: "jina-reranker-v2-base-multilingual", Variable: "JINA_API_KEY",
		MaxTokens: 1024, Texts: 512, base: "https://api.jina.ai/v1", path: "/rerank", plain: true},
	{Provider: "zeroentropy", Model: "zerank-2", Variable: "ZEROENTROPY_API_KEY",
		MaxTokens: 8192, Texts: 512, base: "https://api.zeroentropy.dev/v1",
		path: "/models/rerank"},
}

// RerankerProviders are the services that are known.
func RerankerProviders() (ids []string) {
	for _, r := range Rerankers {
		ids = append(ids, r.Provider)
	}
	return ids
}

// NewReranker returns the reranker of a provider; an empty model means its default. It sends no
// request. An unknown provider is Invalid.
func NewReranker(provider, model string, client webapi.Client) (*Reranker, error) {
	for _, r := range Rerankers {
		if r.Provider == provider {
			return &Reranker{Client: client, vendor: r, info: wstk.RerankerInfo{
				Provider: provider, Name: cmp.Or(model, r.Model), MaxTokens: r.MaxTokens}}, nil
		}
	}
	return nil, wstk.Errorf(wstk.Invalid, "reading the settings of the reranker",
		"no reranker is offered by %q; known are %s", provider,
		strings.Join(RerankerProviders(), ", "))
}

// Info names the model.
func (r *Reranker) Info() wstk.RerankerInfo { return r.info }

// Rerank sends the texts in as few requests as the vendor's limit allows, one after another. A
// query takes half of the tokens at most. Without a key the vendor's own address is not asked:
// Unprocessable.
func (r *Reranker) Rerank(
	ctx context.Context, query string, texts ...string,
) (wstk.RerankReply, error) {
	var out wstk.RerankReply
	if len(texts) > 0 && r.Secret() == "" && r.BaseURL == "" {
		return out, noKey(r.Client, r.vendor.Provider, r.vendor.Variable)
	}
	query, _ = cutText(worded(query), r.info.MaxTokens/2)
	left := r.info.MaxTokens - text.EstimateTokens(query)
	started := r.Clock()
	var scores []float64
	for len(texts) > 0 {
		batch := make([]string, min(len(texts), r.vendor.Texts))
		for i := range batch {
			s, _ := cutText(texts[i], left)
			batch[i] = worded(s)
		}
		some, err := r.ask(ctx, query, batch, &out.Usage)
		if err != nil {
			return out, err
		}
		scores, texts = append(scores, some...), texts[len(batch):]
	}
	out.Scores = scores
	out.Usage.DurationMS = r.Clock().Sub(started).Milliseconds()
	return out, nil
}

// ask sends one request.
func (r *Reranker) ask(
	ctx context.Context, query string, texts []string, usage *wstk.Usage,
) ([]float64, error) {
	body := struct {
		Model     string   `json:"model"`
		Query     string   `json:"query"`
		Documents []string `json:"documents"`
		Texts     *bool    `json:"return_documents,omitempty"`
	}{Model: r.info.Name, Query: query, Documents: texts}
	if r.vendor.plain {
		body.Texts = new(bool)
	}
	var reply scored
	err := r.AskJSON(ctx, webapi.Call{Vendor: r.vendor.Provider, Method: http.MethodPost,
		URL: r.Base(r.vendor.base) + r.vendor.path, Header: bearer(r.Client), JSON: body}, &reply)
	if err != nil {
		return nil, err
	}
	tokens := max(reply.Usage.Total, reply.Total)
	if tokens == 0 { // the vendor does not say: query and text are read together
		tokens = len(texts) * text.EstimateTokens(query)
		for _, s := range texts {
			tokens += text.EstimateTokens(s)
		}
	}
	usage.Add(wstk.Usage{Calls: 1, InputTokens: tokens})
	return r.scores(reply, len(texts))
}

// scored is a reply: places of texts with scores, in any order.
type scored struct {
	Results []struct {
		Index *int
		Score *float64 `json:"relevance_score"`
	}
	Usage struct {
		Total int `json:"total_tokens"`
	}
	Total int `json:"total_tokens"`
}

// scores returns the score of each of n texts.
func (r *Reranker) scores(reply scored, n int) ([]float64, error) {
	fail := func(said string) ([]float64, error) {
		return nil, r.Fail(r.vendor.Provider, wstk.ModelFailed, said)
	}
	if len(reply.Results) != n {
		return fail("it was given " + text.Count(n, "text") + " and returned " +
			text.Count(len(reply.Results), "score"))
	}
	out, seen := make([]float64, n), make([]bool, n)
	for _, x := range reply.Results {
		switch {
		case x.Index == nil || x.Score == nil:
			return nil, r.Garbled(r.vendor.Provider)
		case *x.Index < 0 || *x.Index >= n:
			return fail("it scored a text that it was not given")
		case seen[*x.Index]:
			return fail("it scored a text twice")
		}
		out[*x.Index], seen[*x.Index] = *x.Score, true
	}
	return out, nil
}
