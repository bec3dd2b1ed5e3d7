package wstktest

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// BlobStore checks the promises of wstk.BlobStore.
func BlobStore(
	t *testing.T, open func(t *testing.T) wstk.BlobStore, features ...Features[wstk.BlobStore],
) {
	s := blobStoreSuite{newSuite(t, open, features)}
	s.run("GetReturnsWhatWasPut", s.getReturnsWhatWasPut)
	s.run("PutTwiceIsPutOnce", s.putTwiceIsPutOnce)
	s.run("GetMissingIsNotFound", s.getMissingIsNotFound)
	s.run("HasTellsWhatIsStored", s.hasTellsWhatIsStored)
	s.run("DeleteRemoves", s.deleteRemoves)
	s.run("DeleteMissingIsNoError", s.deleteMissingIsNoError)
	s.run("MalformedHashIsInvalid", s.malformedHashIsInvalid)
	s.run("CallersKeepTheirBytes", s.callersKeepTheirBytes)
	s.run("CancelledStoresNothing", s.cancelledStoresNothing)
	s.pair("ReadersSeeAllBytesOrNone", s.readersSeeAllBytesOrNone)
	s.pair("HandlesShareTheStore", s.handlesShareTheStore)
}

type blobStoreSuite struct{ suite[wstk.BlobStore] }

func (s blobStoreSuite) getReturnsWhatWasPut(t *testing.T, b wstk.BlobStore) {
	for name, data := range map[string][]byte{
		"empty":       {},
		"one byte":    {0},
		"text":        []byte("Wie weit ist es nach Köln?\n"),
		"repetitive":  bytes.Repeat([]byte("<p>the same again</p>\n"), 20_000),
		"random":      randomBytes(1, 300_000),
		"zstd itself": {0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0},
		"large":       randomBytes(2, 5<<20),
	} {
		h, err := b.Put(bg, data)
		must(t, err)
		if h != wstk.HashOf(data) {
			t.Errorf("%s: stored as %s, its hash is %s", name, h, wstk.HashOf(data))
		}
		got, err := b.Get(bg, h)
		must(t, err)
		if !bytes.Equal(got, data) {
			t.Errorf("%s: got %d bytes back, put %d", name, len(got), len(data))
		}
	}
}

func (s blobStoreSuite) putTwiceIsPutOnce(t *testing.T, b wstk.BlobStore) {
	h1, err := b.Put(bg, []byte("x"))
	must(t, err)
	h2, err := b.Put(bg, []byte("x"))
	must(t, err)
	if h1 != h2 {
		t.Errorf("%s and %s for the same bytes", h1, h2)
	}
	must(t, b.Delete(bg, h1))
	if has, err := b.Has(bg, h1); err != nil || has {
		t.Errorf("put twice, removed once: Has says %v, %v", has, err)
	}
}

func (s blobStoreSuite) getMissingIsNotFound(t *testing.T, b wstk.BlobStore) {
	_, err := b.Get(bg, wstk.HashOf([]byte("this was never put")))
	wantCode(t, "Get", err, wstk.NotFound)
}

func (s blobStoreSuite) hasTellsWhatIsStored(t *testing.T, b wstk.BlobStore) {
	h, err := b.Put(bg, []byte("here"))
	must(t, err)
	if has, err := b.Has(bg, h); err != nil || !has {
		t.Errorf("stored: %v, %v", has, err)
	}
	if has, err := b.Has(bg, wstk.HashOf([]byte("not here"))); err != nil || has {
		t.Errorf("never stored: %v, %v", has, err)
	}
}

func (s blobStoreSuite) deleteRemoves(t *testing.T, b wstk.BlobStore) {
	h, err := b.Put(bg, []byte("gone soon"))
	must(t, err)
	must(t, b.Delete(bg, h))
	_, err = b.Get(bg, h)
	wantCode(t, "Get", err, wstk.NotFound)
	if has, err := b.Has(bg, h); err != nil || has {
		t.Errorf("Has: %v, %v", has, err)
	}
	h2, err := b.Put(bg, []byte("gone soon"))
	must(t, err)
	if _, err := b.Get(bg, h2); err != nil {
		t.Errorf("put again after Delete: %v", err)
	}
}

func (s blobStoreSuite) deleteMissingIsNoError(t *testing.T, b wstk.BlobStore) {
	must(t, b.Delete(bg, wstk.HashOf([]byte("never there"))))
}

func (s blobStoreSuite) malformedHashIsInvalid(t *testing.T, b wstk.BlobStore) {
	good := string(wstk.HashOf([]byte("x")))
	for _, bad := range []string{"", "x", strings.ToUpper(good), good[1:], good + "0",
		"../../../../etc/passwd", good[:63] + "/"} {
		_, err := b.Get(bg, wstk.Hash(bad))
		wantCode(t, "Get "+bad, err, wstk.Invalid)
		_, err = b.Has(bg, wstk.Hash(bad))
		wantCode(t, "Has "+bad, err, wstk.Invalid)
		wantCode(t, "Delete "+bad, b.Delete(bg, wstk.Hash(bad)), wstk.Invalid)
	}
}

func (s blobStoreSuite) callersKeepTheirBytes(t *testing.T, b wstk.BlobStore) {
	data := []byte("what was put")
	h, err := b.Put(bg, data)
	must(t, err)
	data[0] = 'X'
	got, err := b.Get(bg, h)
	must(t, err)
	got[0] = 'Y'
	again, err := b.Get(bg, h)
	must(t, err)
	if string(again) != "what was put" {
		t.Errorf("got %q", again)
	}
}

func (s blobStoreSuite) cancelledStoresNothing(t *testing.T, b wstk.BlobStore) {
	_, err := b.Put(cancelled(), []byte("too late"))
	wantCode(t, "Put", err, wstk.Cancelled)
	h := wstk.HashOf([]byte("too late"))
	if has, err := b.Has(bg, h); err != nil || has {
		t.Errorf("after a cancelled Put: Has says %v, %v", has, err)
	}
	_, err = b.Get(cancelled(), h)
	wantCode(t, "Get", err, wstk.Cancelled)
	_, err = b.Has(cancelled(), h)
	wantCode(t, "Has", err, wstk.Cancelled)
	wantCode(t, "Delete", b.Delete(cancelled(), h), wstk.Cancelled)
}

func (s blobStoreSuite) readersSeeAllBytesOrNone(t *testing.T, a, b wstk.BlobStore) {
	data := randomBytes(3, 200_000)
	h := wstk.HashOf(data)
	together(t, 12, func(i int) error {
		if i%3 == 0 {
			_, err := []wstk.BlobStore{a, b}[i%2].Put(bg, data)
			return err
		}
		got, err := []wstk.BlobStore{a, b}[i%2].Get(bg, h)
		if wstk.CodeOf(err) == wstk.NotFound {
			return nil
		}
		if err == nil && !bytes.Equal(got, data) {
			t.Errorf("a reader saw %d of %d bytes", len(got), len(data))
		}
		return err
	})
}

func (s blobStoreSuite) handlesShareTheStore(t *testing.T, a, b wstk.BlobStore) {
	h, err := a.Put(bg, []byte("shared"))
	must(t, err)
	got, err := b.Get(bg, h)
	must(t, err)
	if string(got) != "shared" {
		t.Errorf("got %q", got)
	}
	must(t, b.Delete(bg, h))
	_, err = a.Get(bg, h)
	wantCode(t, "Get after the other removed it", err, wstk.NotFound)
}

func randomBytes(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	return out
}
