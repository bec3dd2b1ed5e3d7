package bedrock

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"wstk/shared/wstk"
)

// Reranker scores texts by a model of Bedrock: Amazon Rerank 1.0 or Cohere Rerank 3.5. It asks
// by InvokeModel, which needs no other service than the models do.
type Reranker struct {
	client *Client
	model  string
	cohere bool
}

var _ wstk.Reranker = (*Reranker)(nil)

const (
	rerankTokens = 4096 // of query and text together
	// Texts are cut by us: the models cut at a token, which no one can foresee.
	rerankQuery = 1024 // bytes of a query, at most
	rerankText  = rerankTokens - rerankQuery
	rerankBatch = 100 // texts of one request, which is also the unit that is billed
)

// NewReranker returns the reranker with this id. An id of another kind is Invalid.
func NewReranker(c *Client, model string) (*Reranker, error) {
	cohere := strings.Contains(model, "cohere.rerank-")
	if !cohere && !strings.Contains(model, "amazon.rerank-") {
		return nil, wstk.Errorf(wstk.Invalid, "reading the settings",
			"no reranker of Bedrock is called %q", model).
			Try(wstk.Advice("use amazon.rerank-v1:0 or cohere.rerank-v3-5:0"))
	}
	return &Reranker{c, model, cohere}, nil
}

// Info names the model.
func (r *Reranker) Info() wstk.RerankerInfo {
	return wstk.RerankerInfo{Provider: Vendor, Name: r.model, MaxTokens: rerankTokens}
}

// Rerank asks once for 100 texts.
func (r *Reranker) Rerank(
	ctx context.Context, query string, texts ...string,
) (out wstk.RerankReply, err error) {
	query, _ = within(query, rerankQuery)
	started := r.client.now()
	defer func() { out.Usage.DurationMS = r.client.now().Sub(started).Milliseconds() }()
	var scores []float64
	for batch := range slices.Chunk(texts, rerankBatch) {
		some, err := r.ask(ctx, query, batch)
		if err != nil {
			return out, err
		}
		out.Usage.Calls++
		if !scored(some) {
			return out, fault(wstk.ModelFailed, "it did not score each of "+
				strconv.Itoa(len(batch))+" texts")
		}
		scores = append(scores, some...)
	}
	out.Scores = scores
	return out, nil
}

// ask returns a score for each text, NaN where none came.
func (r *Reranker) ask(ctx context.Context, query string, texts []string) ([]float64, error) {
	documents := make([]string, len(texts))
	for i, t := range texts {
		documents[i], _ = within(t, rerankText)
	}
	body := map[string]any{"query": query, "documents": documents, "top_n": len(documents)}
	if r.cohere {
		body["api_version"] = 2
	}
	var answer struct {
		Results []struct {
			Index *int
			Score float64 `json:"relevance_score"`
		}
	}
	if err := r.client.invoke(ctx, r.model, body, &answer); err != nil {
		return nil, err
	}
	scores := slices.Repeat([]float64{math.NaN()}, len(texts))
	for _, a := range answer.Results {
		if a.Index != nil && *a.Index >= 0 && *a.Index < len(scores) {
			scores[*a.Index] = a.Score
		}
	}
	return scores, nil
}

// scored reports whether each text has a score that is a number.
func scored(scores []float64) bool {
	return !slices.ContainsFunc(scores, func(s float64) bool {
		return math.IsNaN(s) || math.IsInf(s, 0)
	})
}
