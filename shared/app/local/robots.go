package local

import (
	"context"
	"encoding/json"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/wstk"
)

// One-page commands keep what sites say in robots.txt in the cache, so that a hundred of
// them ask a site once, as a crawl does.

// robotsAge is how long that is kept; its reader knows how old it may be.
const robotsAge = 24 * time.Hour

// cachedBlobs are blobs in memory that outlive the process in a cache, for a day.
type cachedBlobs struct {
	*memory.Blobs
	cache wstk.Cache
	note  func(error) // of a cache that cannot be written: nothing is lost
}

func (b cachedBlobs) Put(ctx context.Context, data []byte) (wstk.Hash, error) {
	h, err := b.Blobs.Put(ctx, data)
	if err != nil {
		return h, err
	}
	b.note(b.cache.Put(ctx, "blob/"+string(h), data, robotsAge))
	return h, nil
}

func (b cachedBlobs) Get(ctx context.Context, h wstk.Hash) ([]byte, error) {
	data, err := b.Blobs.Get(ctx, h)
	if wstk.CodeOf(err) != wstk.NotFound {
		return data, err
	}
	if e, missing := b.cache.Get(ctx, "blob/"+string(h)); missing == nil &&
		wstk.HashOf(e.Value) == h {
		return e.Value, nil
	}
	return nil, err
}

func (b cachedBlobs) Has(ctx context.Context, h wstk.Hash) (bool, error) {
	_, err := b.Get(ctx, h)
	if wstk.CodeOf(err) == wstk.NotFound {
		return false, nil
	}
	return err == nil, err
}

func (b cachedBlobs) Delete(ctx context.Context, h wstk.Hash) error {
	if err := b.Blobs.Delete(ctx, h); err != nil {
		return err
	}
	return b.cache.Delete(ctx, "blob/"+string(h))
}

// cachedSnapshots are snapshots in memory, of which the newest of each URL outlives the
// process in a cache, for a day.
type cachedSnapshots struct {
	*memory.Snapshots
	cache wstk.Cache
	note  func(error)
}

func (s cachedSnapshots) Put(ctx context.Context, snap wstk.Snapshot) error {
	if err := s.Snapshots.Put(ctx, snap); err != nil {
		return err
	}
	data, err := json.Marshal(snap)
	if err != nil {
		return wstk.Wrap(wstk.Internal, "storing snapshot", err)
	}
	s.note(s.cache.Put(ctx, "snapshot/"+snap.URL, data, robotsAge))
	return nil
}

func (s cachedSnapshots) List(ctx context.Context, url string, limit int) ([]wstk.Snapshot, error) {
	list, err := s.Snapshots.List(ctx, url, limit)
	if err != nil || len(list) > 0 || limit < 1 {
		return list, err
	}
	var snap wstk.Snapshot
	if e, missing := s.cache.Get(ctx, "snapshot/"+url); missing == nil &&
		json.Unmarshal(e.Value, &snap) == nil {
		list = append(list, snap)
	}
	return list, nil
}
