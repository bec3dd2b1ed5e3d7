package retry

import (
	"context"

	"wstk/shared/wstk"
)

var (
	_ wstk.Embedder = Embedder{}
	_ wstk.Reranker = Reranker{}
)

// Embedder is a wstk.Embedder that asks Embedder again as Model does.
type Embedder struct {
	wstk.Embedder
	Pause
}

// Embed asks; Usage is that of all tries.
func (e Embedder) Embed(
	ctx context.Context, purpose wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	var usage wstk.Usage
	var reply wstk.EmbedReply
	err := e.repeat(ctx, func() (err error) {
		reply, err = e.Embedder.Embed(ctx, purpose, texts...)
		usage.Add(reply.Usage)
		reply.Usage = usage
		return err
	})
	return reply, err
}

// Reranker is a wstk.Reranker that asks Reranker again as Model does.
type Reranker struct {
	wstk.Reranker
	Pause
}

// Rerank asks; Usage is that of all tries.
func (r Reranker) Rerank(
	ctx context.Context, query string, texts ...string,
) (wstk.RerankReply, error) {
	var usage wstk.Usage
	var reply wstk.RerankReply
	err := r.repeat(ctx, func() (err error) {
		reply, err = r.Reranker.Rerank(ctx, query, texts...)
		usage.Add(reply.Usage)
		reply.Usage = usage
		return err
	})
	return reply, err
}
