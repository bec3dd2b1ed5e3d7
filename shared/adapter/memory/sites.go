package memory

import (
	"context"
	"slices"
	"sync"

	"wstk/shared/wstk"
)

var _ wstk.SiteStore = (*Sites)(nil)

// Sites is a wstk.SiteStore.
type Sites struct {
	mu sync.RWMutex
	m  map[wstk.SiteID][]byte
}

// NewSites returns an empty store.
func NewSites() *Sites { return &Sites{m: map[wstk.SiteID][]byte{}} }

func (s *Sites) Put(ctx context.Context, v wstk.Site) error {
	const op = "storing site"
	if err := alive(ctx, op); err != nil {
		return err
	}
	if v.ID == "" {
		return wstk.Errorf(wstk.Invalid, op, "a site needs an id")
	}
	data, err := encode(op, v)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[v.ID] = data
	return nil
}

func (s *Sites) Get(ctx context.Context, id wstk.SiteID) (wstk.Site, error) {
	const op = "reading site"
	if err := alive(ctx, op); err != nil {
		return wstk.Site{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	data, ok := s.m[id]
	if !ok {
		return wstk.Site{}, wstk.Errorf(wstk.NotFound, op, "no site %s", id)
	}
	return decode[wstk.Site](op, data)
}

func (s *Sites) List(ctx context.Context, cursor string, limit int) ([]wstk.Site, string, error) {
	const op = "listing sites"
	if err := alive(ctx, op); err != nil {
		return nil, "", err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var ids []string
	for id := range s.m {
		if string(id) > cursor {
			ids = append(ids, string(id))
		}
	}
	slices.Sort(ids)
	ids, next := cut(ids, limit)
	var out []wstk.Site
	for _, id := range ids {
		v, err := decode[wstk.Site](op, s.m[wstk.SiteID(id)])
		if err != nil {
			return nil, "", err
		}
		out = append(out, v)
	}
	return out, next, nil
}

func (s *Sites) Remove(ctx context.Context, id wstk.SiteID) error {
	if err := alive(ctx, "removing site"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, id)
	return nil
}
