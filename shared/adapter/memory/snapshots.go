package memory

import (
	"context"
	"slices"
	"sync"
	"time"

	"wstk/shared/wstk"
)

var _ wstk.SnapshotStore = (*Snapshots)(nil)

// Snapshots is a wstk.SnapshotStore.
type Snapshots struct {
	mu     sync.RWMutex
	byURL  map[string][]snapshot // newest first
	byBody map[wstk.Hash]snapshot
}

type snapshot struct {
	at   time.Time
	data []byte
}

// NewSnapshots returns an empty store.
func NewSnapshots() *Snapshots {
	return &Snapshots{byURL: map[string][]snapshot{}, byBody: map[wstk.Hash]snapshot{}}
}

func (s *Snapshots) Put(ctx context.Context, v wstk.Snapshot) error {
	const op = "storing snapshot"
	if err := alive(ctx, op); err != nil {
		return err
	}
	if v.URL == "" || v.FetchedAt.IsZero() {
		return wstk.Errorf(wstk.Invalid, op, "a snapshot needs a URL and a time")
	}
	data, err := encode(op, v)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.byURL[v.URL]
	i, found := slices.BinarySearchFunc(list, v.FetchedAt, func(a snapshot, t time.Time) int { return t.Compare(a.at) })
	if found {
		return nil // it never changes
	}
	n := snapshot{v.FetchedAt, data}
	s.byURL[v.URL] = slices.Insert(list, i, n)
	if v.BodySHA256 != "" && !s.byBody[v.BodySHA256].at.After(v.FetchedAt) {
		s.byBody[v.BodySHA256] = n
	}
	return nil
}

func (s *Snapshots) Get(ctx context.Context, h wstk.Hash) (wstk.Snapshot, error) {
	const op = "reading snapshot"
	if err := alive(ctx, op); err != nil {
		return wstk.Snapshot{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	n, ok := s.byBody[h]
	if !ok {
		return wstk.Snapshot{}, wstk.Errorf(wstk.NotFound, op, "no snapshot with body %s", h)
	}
	return decode[wstk.Snapshot](op, n.data)
}

func (s *Snapshots) List(ctx context.Context, url string, limit int) ([]wstk.Snapshot, error) {
	const op = "listing snapshots"
	if err := alive(ctx, op); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []wstk.Snapshot
	for _, n := range s.byURL[url] {
		if len(out) == wstk.Limit(limit) {
			break
		}
		v, err := decode[wstk.Snapshot](op, n.data)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}
