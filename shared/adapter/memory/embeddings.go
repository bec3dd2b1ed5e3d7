package memory

import (
	"context"
	"maps"
	"slices"
	"sync"

	"wstk/shared/wstk"
)

var _ wstk.EmbeddingStore = (*Embeddings)(nil)

// Embeddings is a wstk.EmbeddingStore.
type Embeddings struct {
	mu sync.RWMutex
	m  map[wstk.EmbeddingKey][]float32
}

// NewEmbeddings returns an empty store.
func NewEmbeddings() *Embeddings { return &Embeddings{m: map[wstk.EmbeddingKey][]float32{}} }

func (s *Embeddings) Put(
	ctx context.Context, vectors map[wstk.EmbeddingKey][]float32,
) error {
	const op = "storing vectors"
	if err := alive(ctx, op); err != nil {
		return err
	}
	if err := wstk.CheckEmbeddings(op, vectors); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, v := range vectors {
		if _, ok := s.m[k]; !ok { // the first one stays
			s.m[k] = slices.Clone(v)
		}
	}
	return nil
}

func (s *Embeddings) Get(
	ctx context.Context, model string, texts ...wstk.Hash,
) (map[wstk.Hash][]float32, error) {
	if err := alive(ctx, "reading vectors"); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := map[wstk.Hash][]float32{}
	for _, h := range texts {
		if v, ok := s.m[wstk.EmbeddingKey{Text: h, Model: model}]; ok {
			out[h] = slices.Clone(v)
		}
	}
	return out, nil
}

func (s *Embeddings) Remove(ctx context.Context, texts ...wstk.Hash) error {
	if err := alive(ctx, "removing vectors"); err != nil {
		return err
	}
	gone := make(map[wstk.Hash]bool, len(texts))
	for _, h := range texts {
		gone[h] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.m, func(k wstk.EmbeddingKey, _ []float32) bool { return gone[k.Text] })
	return nil
}
