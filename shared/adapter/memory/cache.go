package memory

import (
	"context"
	"slices"
	"sync"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.Cache = (*Cache)(nil)

// Cache is a wstk.Cache without bound.
type Cache struct {
	Now func() time.Time // nil means the system's clock

	mu sync.Mutex
	m  map[string]wstk.CacheEntry
}

// NewCache returns an empty cache on a clock; nil means the system's.
func NewCache(now func() time.Time) *Cache {
	if now == nil {
		now = time.Now
	}
	return &Cache{Now: now, m: map[string]wstk.CacheEntry{}}
}

func (c *Cache) Get(ctx context.Context, key string) (wstk.CacheEntry, error) {
	const op = "reading the cache"
	if err := alive(ctx, op); err != nil {
		return wstk.CacheEntry{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.m[key]
	now := c.Now()
	if !ok || !now.Before(e.ExpiresAt) || e.StoredAt.After(now.Add(wstk.ClockSkew)) {
		delete(c.m, key)
		return wstk.CacheEntry{}, wstk.Errorf(wstk.NotFound, op, "nothing is kept under this key")
	}
	e.Value = slices.Clone(e.Value)
	return e, nil
}

func (c *Cache) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if err := alive(ctx, "writing to the cache"); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.Now().UTC()
	c.m[key] = wstk.CacheEntry{Value: slices.Clone(value), StoredAt: now, ExpiresAt: now.Add(ttl)}
	return nil
}

func (c *Cache) Delete(ctx context.Context, key string) error {
	if err := alive(ctx, "removing from the cache"); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.m, key)
	return nil
}
