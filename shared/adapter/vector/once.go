package vector

import (
	"context"

	"wstk/shared/wstk"
)

var _ wstk.Embedder = Once{}

// Once is a wstk.Embedder that embeds each passage once: it keeps the vector under the hash of
// the words and the id of the model, and so a page that is read again, or stands at two
// addresses, costs only what is new of it. Queries are not kept: what is asked stays private.
//
// A passage whose vector was kept has no Tokens, and is not Cut.
type Once struct {
	wstk.Embedder
	Kept wstk.EmbeddingStore
}

// Embed asks for the vectors that are not kept. Codes: those of the Embedder and of the store.
func (o Once) Embed(
	ctx context.Context, purpose wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	if purpose != wstk.EmbedPassage || len(texts) == 0 {
		return o.Embedder.Embed(ctx, purpose, texts...)
	}
	info := o.Info()
	hashes := make([]wstk.Hash, len(texts))
	for i, s := range texts {
		hashes[i] = wstk.HashOf([]byte(s))
	}
	held, err := o.Kept.Get(ctx, info.ID(), hashes...)
	if err != nil {
		return wstk.EmbedReply{}, err
	}
	var open []string
	place := map[wstk.Hash]int{} // of what is open
	for i, h := range hashes {
		if _, listed := place[h]; len(held[h]) != info.Dimension && !listed {
			place[h] = len(open)
			open = append(open, texts[i])
		}
	}
	made, err := o.Embedder.Embed(ctx, purpose, open...)
	if err != nil {
		return wstk.EmbedReply{Usage: made.Usage}, err
	}
	fresh := make(map[wstk.EmbeddingKey][]float32, len(open))
	for i, m := range made.Embeddings {
		fresh[wstk.EmbeddingKey{Text: wstk.HashOf([]byte(open[i])), Model: info.ID()}] = m.Vector
	}
	out := wstk.EmbedReply{Usage: made.Usage, Embeddings: make([]wstk.Embedding, len(texts))}
	for i, h := range hashes {
		m := wstk.Embedding{Vector: held[h]}
		if at, ok := place[h]; ok {
			m = made.Embeddings[at]
		}
		m.Vector = append([]float32(nil), m.Vector...) // each belongs to the caller
		out.Embeddings[i] = m
	}
	if len(fresh) == 0 {
		return out, nil
	}
	return out, o.Kept.Put(ctx, fresh)
}
