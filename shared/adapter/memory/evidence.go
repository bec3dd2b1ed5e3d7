package memory

import (
	"context"
	"maps"
	"slices"
	"sync"

	"wstk/shared/wstk"
)

var _ wstk.EvidenceStore = (*Evidence)(nil)

// Evidence is a wstk.EvidenceStore.
type Evidence struct {
	mu sync.RWMutex
	m  map[string][]byte
}

// NewEvidence returns an empty store.
func NewEvidence() *Evidence { return &Evidence{m: map[string][]byte{}} }

func (s *Evidence) Put(ctx context.Context, items ...wstk.Evidence) error {
	const op = "storing evidence"
	if err := alive(ctx, op); err != nil {
		return err
	}
	all := make([][]byte, len(items)) // encoded before the first is stored: all or none
	for i, e := range items {
		if e.ID == "" {
			return wstk.Errorf(wstk.Invalid, op, "item %d has no id", i)
		}
		data, err := encode(op, e)
		if err != nil {
			return err
		}
		all[i] = data
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, e := range items {
		if _, ok := s.m[e.ID]; !ok { // the first one stays
			s.m[e.ID] = all[i]
		}
	}
	return nil
}

func (s *Evidence) Naming(
	ctx context.Context, h wstk.Hash, limit int,
) (out []wstk.Evidence, err error) {
	const op = "listing evidence"
	if err := alive(ctx, op); err != nil || h == "" {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, id := range slices.Sorted(maps.Keys(s.m)) {
		e, err := decode[wstk.Evidence](op, s.m[id])
		if err != nil {
			return nil, err
		}
		if (e.TextSHA256 == h || e.SnapshotSHA256 == h) && len(out) < wstk.Limit(limit) {
			out = append(out, e)
		}
	}
	return out, nil
}

func (s *Evidence) Get(ctx context.Context, id string) (wstk.Evidence, error) {
	const op = "reading evidence"
	if err := alive(ctx, op); err != nil {
		return wstk.Evidence{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	data, ok := s.m[id]
	if !ok {
		return wstk.Evidence{}, wstk.Errorf(wstk.NotFound, op, "no evidence %s", id)
	}
	return decode[wstk.Evidence](op, data)
}

func (s *Evidence) Remove(ctx context.Context, ids ...string) error {
	if err := alive(ctx, "removing evidence"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		delete(s.m, id)
	}
	return nil
}
