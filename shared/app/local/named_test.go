package local_test

import (
	"context"
	"sync"
	"testing"
	"wstk/shared/app"
	"wstk/shared/app/apptest"

	"wstk/shared/wstk"
)

// between deletes a blob when it is named for the first time, as the removal of a site does
// that looked before.
type between struct {
	blobs wstk.BlobStore
	mu    sync.Mutex
	seen  map[wstk.Hash]bool
}

func (b *between) comes(ctx context.Context, named ...wstk.Hash) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, h := range named {
		if h == "" || b.seen[h] {
			continue
		}
		b.seen[h] = true
		if err := b.blobs.Delete(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

type pagesBetween struct {
	wstk.PageStore
	*between
}

func (s pagesBetween) Put(ctx context.Context, p wstk.Page) error {
	if err := s.PageStore.Put(ctx, p); err != nil {
		return err
	}
	return s.comes(ctx, p.TextSHA256, p.Screening)
}

type snapshotsBetween struct {
	wstk.SnapshotStore
	*between
}

func (s snapshotsBetween) Put(ctx context.Context, snap wstk.Snapshot) error {
	if err := s.SnapshotStore.Put(ctx, snap); err != nil {
		return err
	}
	return s.comes(ctx, snap.BodySHA256)
}

// The code that names a blob stores it once more: the removal of another site may have taken it
// between the two.
func TestWhatIsNamedIsThere(t *testing.T) {
	a := open(t, testConfig(t))
	root := serve(t, steadyPumps())
	b := &between{blobs: a.Blobs, seen: map[wstk.Hash]bool{}}
	apptest.Change(a, func(h *app.Home) { h.Pages = pagesBetween{h.Pages, b} })
	a.Fetch.Snapshots = snapshotsBetween{a.Fetch.Snapshots, b}
	a.Crawl.Robots.Snapshots = snapshotsBetween{a.Crawl.Robots.Snapshots, b}
	ingest(t, a, root+"/")
	if len(b.seen) < 9 {
		t.Errorf("%d blobs were named", len(b.seen))
	}
	for h := range b.seen {
		if has, err := a.Blobs.Has(t.Context(), h); err != nil || !has {
			t.Errorf("%s is named and gone: %v", h, err)
		}
	}
}
