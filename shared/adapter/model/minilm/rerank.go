package minilm

import (
	"context"
	"math"

	"wstk/shared/wstk"
)

var _ wstk.Reranker = Reranker{}

// Reranker is a wstk.Reranker: a cross-encoder, which reads query and text as one.
type Reranker struct{ *Model }

// Info names the model.
func (r Reranker) Info() wstk.RerankerInfo {
	return wstk.RerankerInfo{Name: r.spec.Name, SHA256: r.spec.SHA256,
		MaxTokens: r.spec.MaxTokens, Languages: r.spec.Languages}
}

// Rerank scores the texts one by one, several at the same time. A query takes half of the
// tokens at most.
func (r Reranker) Rerank(
	ctx context.Context, query string, texts ...string,
) (wstk.RerankReply, error) {
	const op = "reranking"
	if err := ctx.Err(); err != nil {
		return wstk.RerankReply{}, wstk.Wrap(wstk.Cancelled, op, err)
	}
	asked, _ := tokens(query, r.spec.MaxTokens/2)
	out := make([]float64, len(texts))
	err := r.each(ctx, len(texts), func(ctx context.Context, s *scratch, i int) (err error) {
		out[i], err = r.scoreOf(ctx, s, asked, texts[i])
		return err
	})
	if err != nil {
		return wstk.RerankReply{}, wstk.Wrap(wstk.Cancelled, op, err)
	}
	return wstk.RerankReply{Scores: out}, nil
}

func (r Reranker) scoreOf(
	ctx context.Context, s *scratch, query []int32, text string,
) (float64, error) {
	words, _ := tokens(text, r.spec.MaxTokens-3-len(query))
	ids := make([]int32, 0, len(query)+len(words)+3)
	ids = append(append(append(ids, idBegin), query...), idEnd)
	second := len(ids)
	ids = append(append(ids, words...), idEnd)
	if err := r.pass(ctx, s, ids, second); err != nil {
		return 0, err
	}
	n := r.spec.Hidden
	score := float64(r.weights.score.bias[0])
	for i, weight := range r.weights.score.weight {
		sum := float64(r.pooler.bias[i]) +
			float64(dot(s.x[:n], r.pooler.weight[i*n:][:n]))
		score += float64(weight) * math.Tanh(sum)
	}
	if math.IsNaN(score) || math.IsInf(score, 0) {
		return 0, wstk.Errorf(wstk.ModelFailed, "reranking",
			"%s gave a number that is not finite", r.spec.Name)
	}
	return score, nil
}
