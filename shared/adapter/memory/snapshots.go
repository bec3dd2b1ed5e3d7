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
	byBody map[wstk.Hash][]snapshot
}

type snapshot struct {
	at   time.Time
	url  string
	data []byte
}

// NewSnapshots returns an empty store.
func NewSnapshots() *Snapshots {
	return &Snapshots{byURL: map[string][]snapshot{}, byBody: map[wstk.Hash][]snapshot{}}
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
	i, found := slices.BinarySearchFunc(list, v.FetchedAt, newestFirst)
	if found {
		return nil // it never changes
	}
	n := snapshot{v.FetchedAt, v.URL, data}
	s.byURL[v.URL] = slices.Insert(list, i, n)
	if h := v.BodySHA256; h != "" {
		i, _ := slices.BinarySearchFunc(s.byBody[h], v.FetchedAt, newestFirst)
		s.byBody[h] = slices.Insert(s.byBody[h], i, n)
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
	list := s.byBody[h]
	if len(list) == 0 {
		return wstk.Snapshot{}, wstk.Errorf(wstk.NotFound, op, "no snapshot with body %s", h)
	}
	return decode[wstk.Snapshot](op, list[0].data)
}

func newestFirst(a snapshot, t time.Time) int { return t.Compare(a.at) }

func (s *Snapshots) List(ctx context.Context, url string, limit int) ([]wstk.Snapshot, error) {
	const op = "listing snapshots"
	if err := alive(ctx, op); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return decodeSome(op, s.byURL[url], limit)
}

func (s *Snapshots) WithBody(ctx context.Context, h wstk.Hash, limit int) ([]wstk.Snapshot, error) {
	const op = "listing snapshots of body"
	if err := alive(ctx, op); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return decodeSome(op, s.byBody[h], limit)
}

func decodeSome(op string, list []snapshot, limit int) (out []wstk.Snapshot, err error) {
	for _, n := range list[:min(len(list), wstk.Limit(limit))] {
		v, err := decode[wstk.Snapshot](op, n.data)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (s *Snapshots) Remove(ctx context.Context, url string, at ...time.Time) error {
	if err := alive(ctx, "removing snapshots"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := func(n snapshot) bool {
		return n.url == url && slices.ContainsFunc(at, n.at.Equal)
	}
	if s.byURL[url] = slices.DeleteFunc(s.byURL[url], mine); len(s.byURL[url]) == 0 {
		delete(s.byURL, url)
	}
	for h := range s.byBody {
		if s.byBody[h] = slices.DeleteFunc(s.byBody[h], mine); len(s.byBody[h]) == 0 {
			delete(s.byBody, h)
		}
	}
	return nil
}
