package memory

import (
	"context"
	"maps"
	"sync"

	"wstk/shared/wstk"
)

var _ wstk.SummaryStore = (*Summaries)(nil)

// Summaries is a wstk.SummaryStore.
type Summaries struct {
	mu sync.RWMutex
	m  map[wstk.SummaryKey][]byte
}

// NewSummaries returns an empty store.
func NewSummaries() *Summaries { return &Summaries{m: map[wstk.SummaryKey][]byte{}} }

func (s *Summaries) Put(ctx context.Context, v wstk.Summary) error {
	const op = "storing summary"
	if err := alive(ctx, op); err != nil {
		return err
	}
	data, err := encode(op, v)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.m[v.Key()]; !ok { // the first one stays
		s.m[v.Key()] = data
	}
	return nil
}

func (s *Summaries) Get(ctx context.Context, k wstk.SummaryKey) (wstk.Summary, error) {
	const op = "reading summary"
	if err := alive(ctx, op); err != nil {
		return wstk.Summary{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	data, ok := s.m[k]
	if !ok {
		return wstk.Summary{}, wstk.Errorf(wstk.NotFound, op,
			"no summary of %s by %s", k.URL, k.Engine)
	}
	return decode[wstk.Summary](op, data)
}

func (s *Summaries) Remove(ctx context.Context, url string) error {
	if err := alive(ctx, "removing summaries"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.m, func(k wstk.SummaryKey, _ []byte) bool { return k.URL == url })
	return nil
}
