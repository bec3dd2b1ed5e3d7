package bundle

import (
	"archive/zip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"wstk/shared/wstk"
)

// store is a blob store of this test's own: adapters do not know each other.
type store map[wstk.Hash][]byte

func (s store) Put(_ context.Context, data []byte) (wstk.Hash, error) {
	h := wstk.HashOf(data)
	s[h] = data
	return h, nil
}

func (s store) Get(_ context.Context, h wstk.Hash) ([]byte, error) {
	if data, ok := s[h]; ok {
		return data, nil
	}
	return nil, wstk.Errorf(wstk.NotFound, "reading", "no blob %s", h)
}

func (s store) Has(_ context.Context, h wstk.Hash) (bool, error) { return s[h] != nil, nil }
func (s store) Delete(context.Context, wstk.Hash) error          { return errors.New("not used") }

func TestBundleHoldsWhatItWasGiven(t *testing.T) {
	ctx := context.Background()
	s := store{}
	a, _ := s.Put(ctx, []byte("the text"))
	b, _ := s.Put(ctx, []byte("<html>the page</html>"))
	d, _ := s.Put(ctx, []byte(`{"url":"http://a.example/"}`))
	path := filepath.Join(t.TempDir(), "proof.zip")
	if err := Write(ctx, path, []byte(`{"ok":true}`), s, []wstk.Hash{b, a, a}, []wstk.Hash{d, d}); err != nil {
		t.Fatal(err)
	}
	got, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if string(got.Reply()) != `{"ok":true}` {
		t.Errorf("reply %s", got.Reply())
	}
	for _, h := range []wstk.Hash{a, b, d} {
		data, err := got.Get(ctx, h)
		if err != nil || string(data) != string(s[h]) {
			t.Errorf("blob %s: %q, %v", h, data, err)
		}
	}
	if docs := got.Documents(); len(docs) != 1 || docs[0] != d {
		t.Errorf("documents %v", docs)
	}
	if _, err := got.Get(ctx, wstk.HashOf([]byte("other"))); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("a blob that is not there: %v", err)
	}
	if _, err := got.Get(ctx, "no hash"); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("a hash that is none: %v", err)
	}
	if _, err := got.Put(ctx, nil); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("a bundle takes bytes: %v", err)
	}
}

func TestWriteLeavesNothingBehindWhenABlobIsMissing(t *testing.T) {
	dir := t.TempDir()
	err := Write(context.Background(), filepath.Join(dir, "proof.zip"), []byte("{}"), store{}, []wstk.Hash{wstk.HashOf(nil)}, nil)
	if wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A bundle comes from strangers: bytes that do not match their name are not given out.
func TestGetChecksTheHash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forged.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	h := wstk.HashOf([]byte("true"))
	z := zip.NewWriter(f)
	for name, data := range map[string]string{"result.json": "{}", "blobs/" + string(h): "forged", "blobs/../../x": "out"} {
		w, _ := z.Create(name)
		w.Write([]byte(data))
	}
	z.Close()
	f.Close()
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := b.Get(context.Background(), h); wstk.CodeOf(err) != wstk.Internal {
		t.Errorf("forged bytes: %v", err)
	}
}

func TestOpenRefusesWhatIsNoBundle(t *testing.T) {
	for name, data := range map[string]string{"text": "hello", "empty": "", "cut": "PK\x03\x04"} {
		path := filepath.Join(t.TempDir(), name)
		os.WriteFile(path, []byte(data), 0o600)
		if _, err := Open(path); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "missing")); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("missing: %v", err)
	}
}
