package memory

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.VectorIndex = (*Vectors)(nil)

// Vectors is a wstk.VectorIndex.
type Vectors struct {
	mu sync.RWMutex
	m  map[pageModel]wstk.PageVectors
}

type pageModel struct{ url, model string }

// NewVectors returns an empty index.
func NewVectors() *Vectors { return &Vectors{m: map[pageModel]wstk.PageVectors{}} }

func (x *Vectors) Replace(ctx context.Context, p wstk.PageVectors) error {
	const op = "indexing vectors"
	if err := alive(ctx, op); err != nil {
		return err
	}
	if err := wstk.CheckPageVectors(op, p); err != nil {
		return err
	}
	p.Chunks = slices.Clone(p.Chunks)
	p.Vectors = slices.Clone(p.Vectors)
	for i, v := range p.Vectors {
		p.Vectors[i] = slices.Clone(v)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	k := pageModel{p.URL, p.Model}
	if held, ok := x.m[k]; !ok || !p.FetchedAt.Before(held.FetchedAt) {
		x.m[k] = p
	}
	return nil
}

func (x *Vectors) Remove(ctx context.Context, url string) error {
	if err := alive(ctx, "removing vectors"); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	maps.DeleteFunc(x.m, func(k pageModel, _ wstk.PageVectors) bool { return k.url == url })
	return nil
}

func (x *Vectors) Held(
	ctx context.Context, model string, urls ...string,
) (map[string]time.Time, error) {
	if err := alive(ctx, "reading vectors"); err != nil {
		return nil, err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	out := map[string]time.Time{}
	for _, url := range urls {
		if p, ok := x.m[pageModel{url, model}]; ok {
			out[url] = p.FetchedAt
		}
	}
	return out, nil
}

func (x *Vectors) Nearest(ctx context.Context, q wstk.VectorQuery) ([]wstk.VectorHit, error) {
	if err := alive(ctx, "searching vectors"); err != nil {
		return nil, err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	best := wstk.Nearer{Limit: q.Limit}
	for k, p := range x.m {
		if k.model != q.Model || !q.Filter.Match(p.Site, p.URL, p.FetchedAt) ||
			len(q.Pages) > 0 && !slices.Contains(q.Pages, p.URL) {
			continue
		}
		for i, v := range p.Vectors {
			if len(v) == len(q.Vector) {
				best.Add(p.Chunks[i], wstk.Cosine(v, q.Vector))
			}
		}
	}
	return best.Best(), nil
}
