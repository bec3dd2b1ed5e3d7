package reading

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"wstk/shared/wstk"
)

// countedBlobs counts how often blobs are read.
type countedBlobs struct {
	wstk.BlobStore
	mu   sync.Mutex
	m    map[wstk.Hash][]byte
	gets atomic.Int64
}

func (b *countedBlobs) Get(_ context.Context, h wstk.Hash) ([]byte, error) {
	b.gets.Add(1)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.m[h], nil
}

func (b *countedBlobs) Put(_ context.Context, data []byte) (wstk.Hash, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := wstk.HashOf(data)
	b.m[h] = data
	return h, nil
}

// TestALargeDocumentIsReadOnce: the tasks of one extraction that run at the same time hold
// one copy of a page that is too large to be kept.
func TestALargeDocumentIsReadOnce(t *testing.T) {
	blobs := &countedBlobs{m: map[wstk.Hash][]byte{}}
	large := strings.Repeat("word ", maxDocuments/4)
	h, err := wstk.SaveDocument(t.Context(), blobs,
		&wstk.Document{URL: "https://x.example/", Text: large, TextSHA256: wstk.HashOf([]byte(large))})
	if err != nil {
		t.Fatal(err)
	}
	blobs.gets.Store(0)
	a := &Room{Ports: Ports{Blobs: blobs}}
	var group sync.WaitGroup
	docs := make([]*wstk.Document, 8)
	for i := range docs {
		group.Go(func() {
			var err error
			if docs[i], err = a.Document(t.Context(), h); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, d := range docs {
		if d != docs[0] {
			t.Error("two copies are held at the same time")
		}
	}
	if n := blobs.gets.Load(); n != 2 { // the structure and the text
		t.Errorf("%d blobs were read", n)
	}
	if len(a.documents.m) != 0 {
		t.Error("it is kept although it is not needed")
	}
}
