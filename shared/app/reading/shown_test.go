package reading

import (
	"context"
	"testing"

	"wstk/shared/stage/read"
	"wstk/shared/wstk"
)

// onePage is the stores of one page.
type onePage struct {
	wstk.BlobStore
	body string
}

func (p onePage) Get(context.Context, wstk.Hash) ([]byte, error) { return []byte(p.body), nil }

// itsFetch is where it came from.
type itsFetch struct{ wstk.SnapshotStore }

func (itsFetch) Get(_ context.Context, h wstk.Hash) (wstk.Snapshot, error) {
	return wstk.Snapshot{URL: "https://example.org/", FinalURL: "https://example.org/", BodySHA256: h, ContentType: "text/html"}, nil
}

// A page that is shown counts among the bodies that are read until its tree is of no more
// use, and no longer.
func TestAShownPageHoldsItsSlot(t *testing.T) {
	free := func() bool {
		if readingNow.TryAcquire(readAtOnce) {
			readingNow.Release(readAtOnce)
			return true
		}
		return false
	}
	show := func(body string, use func(*read.Shown)) error {
		a := &Room{Ports: Ports{Blobs: onePage{body: body}, Snapshots: itsFetch{},
			Read: &read.Stage{}}}
		_, err := a.ShowPage(t.Context(), wstk.HashOf([]byte(body)), use)
		return err
	}
	used := false
	if err := show("<p>A pump.</p>", func(s *read.Shown) {
		used = s.Text != "" && !free()
	}); err != nil || !used || !free() {
		t.Errorf("%v, held in use: %v, free behind it: %v", err, used, free())
	}
	if err := show("%PDF-1.4", func(*read.Shown) { t.Error("no page is shown") }); wstk.CodeOf(
		err) != wstk.UnsupportedMediaType || !free() {
		t.Errorf("no page: %v", err)
	}
	func() {
		defer func() { recover() }()
		show("<p>A pump.</p>", func(*read.Shown) { panic("use") })
	}()
	if !free() {
		t.Error("a panic keeps the slot")
	}
}
