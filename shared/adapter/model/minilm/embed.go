package minilm

import (
	"context"
	"math"

	"wstk/shared/wstk"
)

var _ wstk.Embedder = Embedder{}

// Embedder is a wstk.Embedder: the mean of the states of a text's tokens.
type Embedder struct{ *Model }

// Info names the model.
func (e Embedder) Info() wstk.EmbedderInfo { return e.spec.Embedder() }

// Embed embeds the texts one by one, several at the same time. The model reads a query as it
// reads a passage.
func (e Embedder) Embed(
	ctx context.Context, _ wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	const op = "embedding"
	if err := ctx.Err(); err != nil {
		return wstk.EmbedReply{}, wstk.Wrap(wstk.Cancelled, op, err)
	}
	out := make([]wstk.Embedding, len(texts))
	err := e.each(ctx, len(texts), func(ctx context.Context, s *scratch, i int) (err error) {
		out[i], err = e.embed(ctx, s, texts[i])
		return err
	})
	if err != nil {
		return wstk.EmbedReply{}, wstk.Wrap(wstk.Cancelled, op, err)
	}
	return wstk.EmbedReply{Embeddings: out}, nil
}

func (e Embedder) embed(ctx context.Context, s *scratch, text string) (wstk.Embedding, error) {
	words, cut := tokens(text, e.spec.MaxTokens-2)
	ids := make([]int32, 0, len(words)+2)
	ids = append(append(append(ids, idBegin), words...), idEnd)
	if err := e.pass(ctx, s, ids, len(ids)); err != nil {
		return wstk.Embedding{}, err
	}
	v := mean(s.x, len(ids), e.spec.Hidden)
	if !finite(v) {
		return wstk.Embedding{}, wstk.Errorf(wstk.ModelFailed, "embedding",
			"%s gave numbers that are not finite", e.spec.Name)
	}
	return wstk.Embedding{Vector: v, Tokens: len(ids), Cut: cut}, nil
}

// mean returns the mean of the first rows, with the length 1.
func mean(x []float32, rows, n int) []float32 {
	v := make([]float32, n)
	for t := range rows {
		for i, f := range x[t*n:][:n] {
			v[i] += f
		}
	}
	var squares float64
	for _, f := range v {
		squares += float64(f) * float64(f)
	}
	scale := float32(1 / math.Sqrt(squares))
	for i := range v {
		v[i] *= scale
	}
	return v
}
