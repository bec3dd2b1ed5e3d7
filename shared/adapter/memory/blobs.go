package memory

import (
	"context"
	"slices"
	"sync"

	"wstk/shared/wstk"
)

var _ wstk.BlobStore = (*Blobs)(nil)

// Blobs is a wstk.BlobStore.
type Blobs struct {
	mu sync.RWMutex
	m  map[wstk.Hash][]byte
}

// NewBlobs returns an empty store.
func NewBlobs() *Blobs { return &Blobs{m: map[wstk.Hash][]byte{}} }

func (b *Blobs) Put(ctx context.Context, data []byte) (wstk.Hash, error) {
	if err := alive(ctx, "storing blob"); err != nil {
		return "", err
	}
	h := wstk.HashOf(data)
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.m[h]; !ok {
		b.m[h] = slices.Clone(data)
	}
	return h, nil
}

func (b *Blobs) Get(ctx context.Context, h wstk.Hash) ([]byte, error) {
	const op = "reading blob"
	if err := b.check(ctx, op, h); err != nil {
		return nil, err
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	data, ok := b.m[h]
	if !ok {
		return nil, wstk.Errorf(wstk.NotFound, op, "no blob %s", h)
	}
	return slices.Clone(data), nil
}

func (b *Blobs) Has(ctx context.Context, h wstk.Hash) (bool, error) {
	if err := b.check(ctx, "looking for blob", h); err != nil {
		return false, err
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	_, ok := b.m[h]
	return ok, nil
}

func (b *Blobs) Delete(ctx context.Context, h wstk.Hash) error {
	if err := b.check(ctx, "removing blob", h); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.m, h)
	return nil
}

// Len is the number of blobs.
func (b *Blobs) Len() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.m)
}

func (b *Blobs) check(ctx context.Context, op string, h wstk.Hash) error {
	if err := alive(ctx, op); err != nil {
		return err
	}
	if !h.Valid() {
		return wstk.Errorf(wstk.Invalid, op, "%q is not a SHA-256 in lower-case hex", h)
	}
	return nil
}
