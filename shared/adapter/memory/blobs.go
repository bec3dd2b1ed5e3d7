package memory

import (
	"context"
	"slices"
	"sync"

	"wstk/shared/wstk"
)

var _ wstk.BlobStore = (*Blobs)(nil)

// Blobs is a wstk.BlobStore. With Most set, before first use, the oldest blobs are
// forgotten when all together have more bytes than that.
type Blobs struct {
	Most int

	mu    sync.RWMutex
	m     map[wstk.Hash][]byte
	order []wstk.Hash // with Most: as they came
	bytes int
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
		b.forget(h, len(data))
	}
	return h, nil
}

// forget makes room for a blob that was just stored.
func (b *Blobs) forget(h wstk.Hash, size int) {
	if b.Most == 0 {
		return
	}
	b.order = append(b.order, h)
	for b.bytes += size; b.bytes > b.Most && len(b.order) > 1; b.order = b.order[1:] {
		b.bytes -= len(b.m[b.order[0]])
		delete(b.m, b.order[0])
	}
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
