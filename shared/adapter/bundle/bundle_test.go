package bundle

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
	if err := Write(ctx, path, []byte(`{"ok":true}`), s, []wstk.Hash{b, a, a},
		[]wstk.Hash{d, d}, nil); err != nil {
		t.Fatal(err)
	}
	got, err := Open(t.Context(), path)
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

func TestWriteReplacesOnlyWhatItMayReplace(t *testing.T) {
	ctx, s := context.Background(), store{}
	text, _ := s.Put(ctx, []byte("the text"))
	proof := filepath.Join(t.TempDir(), "proof.zip")
	write := func(path string, hashes ...wstk.Hash) error {
		return Write(ctx, path, []byte(`{"ok":true}`), s, hashes, nil, nil)
	}
	for range 2 { // one with quotes replaces another
		if err := write(proof, text); err != nil {
			t.Fatal(err)
		}
	}
	notes := filepath.Join(filepath.Dir(proof), "notes.txt")
	if err := os.WriteFile(notes, []byte("my notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	none := []byte(`{"answered":false}`) // of the nearest passages
	if err := Write(ctx, proof, none, s, []wstk.Hash{text}, nil, nil); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("a proof was written over: %v", err)
	}
	for _, result := range [][]byte{none, none, []byte(`{"answered":true}`)} {
		if err := Write(ctx, notes+".zip", result, s, []wstk.Hash{text}, nil, nil); err != nil {
			t.Error(err)
		}
	}
	err := Write(ctx, filepath.Join(filepath.Dir(proof), "nope", "a.zip"), none, s, nil, nil, nil)
	if wstk.CodeOf(err) != wstk.Unavailable || strings.Contains(err.Error(), ".bundle-") {
		t.Errorf("a folder that does not exist: %v", err)
	}
	link := notes + ".link"
	if err := os.Symlink(notes, link); err != nil {
		t.Fatal(err)
	}
	for path, err := range map[string]error{proof: write(proof), notes: write(notes, text),
		link: write(link, text)} {
		if wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s was written over: %v", path, err)
		}
	}
	if data, _ := os.ReadFile(notes); string(data) != "my notes" {
		t.Errorf("the notes are %q", data)
	}
}

func TestWriteLeavesNothingBehindWhenABlobIsMissing(t *testing.T) {
	dir := t.TempDir()
	err := Write(context.Background(), filepath.Join(dir, "proof.zip"), []byte("{}"), store{},
		[]wstk.Hash{wstk.HashOf(nil)}, nil, nil)
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
	for name, data := range map[string]string{"result.json": "{}", "blobs/" + string(h): "forged"} {
		w, _ := z.Create(name)
		w.Write([]byte(data))
	}
	z.Close()
	f.Close()
	b, err := Open(t.Context(), path)
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
		if _, err := Open(t.Context(), path); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "missing")); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("missing: %v", err)
	}
}

// zipped is a bundle of these entries, in their order.
func zipped(t *testing.T, change func(z *zip.Writer)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "odd.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	change(z)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func entry(z *zip.Writer, name, data string) {
	w, _ := z.Create(name)
	w.Write([]byte(data))
}

// A bundle that two programs may unpack to two things, or that fills memory, is refused.
func TestOddBundlesAreRefused(t *testing.T) {
	h := string(wstk.HashOf([]byte("true")))
	whole := func(z *zip.Writer) { entry(z, "result.json", "{}"); entry(z, "blobs/"+h, "true") }
	good, err := os.ReadFile(zipped(t, whole))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := Open(t.Context(), zipped(t, whole)); err != nil {
		t.Fatal(err)
	} else {
		b.Close()
	}
	for name, change := range map[string]func(z *zip.Writer){
		"two results":                func(z *zip.Writer) { whole(z); entry(z, "result.json", "{}") },
		"no result":                  func(z *zip.Writer) { entry(z, "blobs/"+h, "true") },
		"a result in upper case":     func(z *zip.Writer) { whole(z); entry(z, "RESULT.JSON", "{}") },
		"a result in a folder":       func(z *zip.Writer) { whole(z); entry(z, "./result.json", "{}") },
		"a result by another way":    func(z *zip.Writer) { whole(z); entry(z, "blobs/../result.json", "{}") },
		"a result with a back slash": func(z *zip.Writer) { whole(z); entry(z, "x\\result.json", "{}") },
		"a name out of the folder":   func(z *zip.Writer) { whole(z); entry(z, "../../etc/passwd", "x") },
		"an absolute name":           func(z *zip.Writer) { whole(z); entry(z, "/etc/passwd", "x") },
		"a blob twice":               func(z *zip.Writer) { whole(z); entry(z, "blobs/"+h, "true") },
		"a blob in two folders":      func(z *zip.Writer) { whole(z); entry(z, "documents/"+h, "true") },
		"a blob in upper case":       func(z *zip.Writer) { whole(z); entry(z, "blobs/"+strings.ToUpper(h), "true") },
		"a blob of no hash":          func(z *zip.Writer) { whole(z); entry(z, "blobs/x", "true") },
		"a folder":                   func(z *zip.Writer) { whole(z); entry(z, "blobs/", "") },
		"another file":               func(z *zip.Writer) { whole(z); entry(z, "answer.html", "It is free.") },
		"a fetch that is none":       func(z *zip.Writer) { whole(z); entry(z, "snapshots/"+string(wstk.HashOf([]byte("[]"))), "[]") },
		"a fetch of another hash":    func(z *zip.Writer) { whole(z); entry(z, "snapshots/"+string(wstk.HashOf([]byte("x"))), "{}") },
		"a comment":                  func(z *zip.Writer) { whole(z); z.SetComment("It is free.") },
		"another name in a note": func(z *zip.Writer) {
			whole(z)
			w, _ := z.CreateHeader(&zip.FileHeader{Name: "README.txt", Extra: []byte("up\x0f\x00\x01\x00\x00\x00\x00result.jso")})
			w.Write([]byte("{}"))
		},
		"a comment of a file": func(z *zip.Writer) {
			whole(z)
			w, _ := z.CreateHeader(&zip.FileHeader{Name: "README.txt", Comment: "It is free."})
			w.Write([]byte("{}"))
		},
		"bytes behind what is packed": func(z *zip.Writer) {
			entry(z, "blobs/"+h, "true")
			var b bytes.Buffer
			packed, _ := flate.NewWriter(&b, flate.BestSpeed)
			packed.Write([]byte("{}"))
			packed.Close()
			b.WriteString("It is free.")
			w, _ := z.CreateRaw(&zip.FileHeader{Name: "result.json", Method: zip.Deflate,
				CRC32:            crc32.ChecksumIEEE([]byte("{}")),
				CompressedSize64: uint64(b.Len()), UncompressedSize64: 2})
			w.Write(b.Bytes())
		},
		"a link": func(z *zip.Writer) {
			whole(z)
			head := &zip.FileHeader{Name: "README.txt"}
			head.SetMode(0o777 | os.ModeSymlink)
			w, _ := z.CreateHeader(head)
			w.Write([]byte("/etc/passwd"))
		},
		"many files": func(z *zip.Writer) {
			whole(z)
			for i := range maxEntries {
				data := strconv.Itoa(i)
				entry(z, "blobs/"+string(wstk.HashOf([]byte(data))), data)
			}
		},
	} {
		b, err := Open(t.Context(), zipped(t, change))
		if wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			b.Close()
		}
	}
	at := func(s string) int { return strings.Index(string(good), s) }
	for name, odd := range map[string]string{
		"bytes before":       "x" + string(good),
		"bytes behind":       string(good) + "x",
		"another zip before": string(good) + string(good),
		// stored, says the header in front of it
		"packed otherwise":    string(good[:8]) + "\x00" + string(good[9:]),
		"another name inside": string(good[:at("result.json")]) + "RESULT.json" + string(good[at("result.json")+11:]),
	} {
		path := filepath.Join(t.TempDir(), "odd.zip")
		os.WriteFile(path, []byte(odd), 0o600)
		if _, err := Open(t.Context(), path); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What entries unpack to is bounded, all of them together, whatever they say of their size.
func TestABundleFillsNoMemory(t *testing.T) {
	zeros := make([]byte, 1<<20)
	bomb := func(parts, each int) string {
		return zipped(t, func(z *zip.Writer) {
			entry(z, "result.json", "{}")
			for i := range parts {
				w, _ := z.Create("blobs/" + string(wstk.HashOf([]byte(strconv.Itoa(i)))))
				for range each {
					w.Write(zeros)
				}
			}
		})
	}
	for _, path := range []string{bomb(maxTotal>>20/64+1, 64), bomb(1, maxTotal>>20+1)} {
		if info, err := os.Stat(path); err != nil || info.Size() > 1<<20 {
			t.Fatalf("%v, %v", info, err)
		}
		if _, err := Open(t.Context(), path); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("a bomb opens: %v", err)
		}
	}
	// A size that lies is found when the entry is read.
	path := zipped(t, func(z *zip.Writer) {
		entry(z, "blobs/"+string(wstk.HashOf(zeros)), string(zeros))
		entry(z, "result.json", "{}")
	})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := bytes.Index(data, []byte("PK\x01\x02"))
	copy(data[dir+24:], []byte{9, 0, 0, 0})
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := Open(t.Context(), path)
	if err != nil {
		return // refused at once: as good
	}
	defer b.Close()
	if _, err := b.Get(context.Background(), wstk.HashOf(zeros)); err == nil {
		t.Error("an entry is larger than its bundle says, and is read")
	}
}

// Each blob is read once; its owner alone may read a bundle.
func TestBundlesAreTheirOwners(t *testing.T) {
	ctx, s := context.Background(), store{}
	h, _ := s.Put(ctx, []byte("the text"))
	path := filepath.Join(t.TempDir(), "proof.zip")
	fetch := wstk.Snapshot{URL: "http://a.example/", FinalURL: "http://a.example/", BodySHA256: h}
	if err := Write(ctx, path, []byte(`{"ok":true}`), s, []wstk.Hash{h}, nil,
		[]wstk.Snapshot{fetch, fetch}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	b, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if f := b.Fetches(); len(f) != 1 || len(b.Blobs()) != 2 {
		t.Errorf("fetches %v, blobs %v", f, b.Blobs())
	} else if data, err := b.Get(ctx, f[0]); err != nil ||
		!strings.Contains(string(data), fetch.FinalURL) {
		t.Errorf("fetch %s, %v", data, err)
	}
	if _, err := b.Get(ctx, h); err != nil {
		t.Fatal(err)
	}
	b.Close()
	if data, err := b.Get(ctx, h); err != nil || string(data) != "the text" {
		t.Errorf("read a second time: %q, %v", data, err)
	}
}
