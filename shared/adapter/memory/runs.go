package memory

import (
	"context"
	"slices"
	"sync"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.RunStore = (*Runs)(nil)

// Runs is a wstk.RunStore. Now tells when a cancel was asked for; it may be set
// before first use.
type Runs struct {
	Now func() time.Time

	mu    sync.RWMutex
	m     map[wstk.RunID][]byte
	parts map[wstk.RunID]map[int]wstk.Hash
}

// NewRuns returns an empty store.
func NewRuns() *Runs {
	return &Runs{Now: time.Now, m: map[wstk.RunID][]byte{},
		parts: map[wstk.RunID]map[int]wstk.Hash{}}
}

func (s *Runs) Create(ctx context.Context, r wstk.Run) error {
	const op = "creating run"
	if err := alive(ctx, op); err != nil {
		return err
	}
	if err := r.Check(op); err != nil {
		return err
	}
	data, err := encode(op, r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.m[r.ID]; ok {
		return wstk.Errorf(wstk.Conflict, op, "run %s exists", r.ID)
	}
	s.m[r.ID] = data
	return nil
}

func (s *Runs) Get(ctx context.Context, id wstk.RunID) (wstk.Run, error) {
	const op = "reading run"
	if err := alive(ctx, op); err != nil {
		return wstk.Run{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.get(op, id)
}

func (s *Runs) get(op string, id wstk.RunID) (wstk.Run, error) {
	data, ok := s.m[id]
	if !ok {
		return wstk.Run{}, wstk.Errorf(wstk.NotFound, op, "no run %s", id)
	}
	return decode[wstk.Run](op, data)
}

// change applies f to a running run and reports whether it was running.
func (s *Runs) change(
	ctx context.Context, op string, id wstk.RunID, f func(*wstk.Run),
) (bool, error) {
	if err := alive(ctx, op); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.get(op, id)
	if err != nil || r.State.Terminal() {
		return false, err
	}
	f(&r)
	data, err := encode(op, r)
	if err != nil {
		return false, err
	}
	s.m[id] = data
	return true, nil
}

func (s *Runs) End(ctx context.Context, id wstk.RunID, end wstk.Run) (bool, error) {
	const op = "ending run"
	if err := end.CheckEnd(op); err != nil {
		return false, err
	}
	return s.change(ctx, op, id, func(r *wstk.Run) { r.Finish(end) })
}

func (s *Runs) RequestCancel(ctx context.Context, id wstk.RunID) error {
	_, err := s.change(ctx, "cancelling run", id, func(r *wstk.Run) {
		if !r.Cancel {
			r.Cancel, r.UpdatedAt = true, s.Now()
		}
	})
	return err
}

func (s *Runs) Touch(ctx context.Context, id wstk.RunID, at time.Time) error {
	_, err := s.change(ctx, "touching run", id, func(r *wstk.Run) { r.Touch(at) })
	return err
}

func (s *Runs) AddPart(ctx context.Context, id wstk.RunID, p wstk.Part) error {
	const op = "adding part of run"
	if err := alive(ctx, op); err != nil {
		return err
	}
	if err := p.Check(op); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, err := s.get(op, id); err != nil || r.State.Terminal() {
		return err
	}
	m := s.parts[id]
	if m == nil {
		m = map[int]wstk.Hash{}
		s.parts[id] = m
	}
	if _, ok := m[p.N]; !ok {
		m[p.N] = p.Data
	}
	return nil
}

func (s *Runs) Remove(ctx context.Context, id wstk.RunID) error {
	const op = "removing run"
	if err := alive(ctx, op); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, err := s.get(op, id); err == nil && !r.State.Terminal() {
		return wstk.Errorf(wstk.Conflict, op, "run %s has not ended", id)
	}
	delete(s.m, id)
	delete(s.parts, id)
	return nil
}

func (s *Runs) Parts(ctx context.Context, id wstk.RunID) ([]wstk.Part, error) {
	if err := alive(ctx, "reading parts of run"); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []wstk.Part
	for n, h := range s.parts[id] {
		out = append(out, wstk.Part{N: n, Data: h})
	}
	slices.SortFunc(out, func(a, b wstk.Part) int { return a.N - b.N })
	return out, nil
}

func (s *Runs) List(
	ctx context.Context, f wstk.RunFilter, cursor string, limit int,
) ([]wstk.Run, string, error) {
	const op = "listing runs"
	if err := alive(ctx, op); err != nil {
		return nil, "", err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var ids []string
	for id := range s.m {
		if cursor == "" || string(id) < cursor {
			ids = append(ids, string(id))
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	var out []wstk.Run
	for _, id := range ids {
		r, err := s.get(op, wstk.RunID(id))
		if err != nil {
			return nil, "", err
		}
		if !f.Match(r) {
			continue
		}
		if len(out) == wstk.Limit(limit) {
			return out, string(out[len(out)-1].ID), nil
		}
		out = append(out, r)
	}
	return out, "", nil
}
