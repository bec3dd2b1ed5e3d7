package dynamodb

import (
	"context"
	"slices"

	"wstk/shared/wstk"
)

var _ wstk.EmbeddingStore = Embeddings{}

// Embeddings is a wstk.EmbeddingStore. A vector is an item of the partition of its text.
type Embeddings struct{ *DB }

func vectorsOf(text wstk.Hash) string { return "vectors " + string(text) }

func (s Embeddings) Put(ctx context.Context, vectors map[wstk.EmbeddingKey][]float32) error {
	const op = "storing vectors"
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	}
	if err := wstk.CheckEmbeddings(op, vectors); err != nil {
		return err
	}
	var left []item
	for k, v := range vectors {
		it := key{vectorsOf(k.Text), k.Model}.item()
		it["vector"] = bin(wstk.PackVector(v))
		left = append(left, it)
	}
	for part := range slices.Chunk(left, maxWrites) {
		if err := s.putNew(ctx, op, s.Tables.Records, part); err != nil {
			return err
		}
	}
	return nil
}

func (s Embeddings) Get(
	ctx context.Context, model string, texts ...wstk.Hash,
) (map[wstk.Hash][]float32, error) {
	const op = "reading vectors"
	if ctx.Err() != nil {
		return nil, wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	}
	texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	keys := make([]key, len(texts))
	of := make(map[string]wstk.Hash, len(texts))
	for i, h := range texts {
		keys[i] = key{vectorsOf(h), model}
		of[keys[i].pk] = h
	}
	items, err := s.getAll(ctx, op, s.Tables.Records, keys)
	if err != nil {
		return nil, err
	}
	out := make(map[wstk.Hash][]float32, len(items))
	for _, it := range items {
		v, err := wstk.UnpackVector(op, binOf(it, "vector"))
		if err != nil {
			return nil, err
		}
		out[of[strOf(it, "pk")]] = v
	}
	return out, nil
}

func (s Embeddings) Remove(ctx context.Context, texts ...wstk.Hash) error {
	const op = "removing vectors"
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	}
	var keys []key
	for _, h := range texts {
		err := s.each(ctx, op, span{table: s.Tables.Records, pk: vectorsOf(h)}, 0,
			func(it item) (bool, error) {
				keys = append(keys, key{strOf(it, "pk"), strOf(it, "sk")})
				return true, nil
			})
		if err != nil {
			return err
		}
	}
	return s.removeKeys(ctx, op, s.Tables.Records, keys)
}
