package files_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wstk/shared/adapter/files"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestCache(t *testing.T) {
	wstktest.Cache(t, func(t *testing.T, now func() time.Time) wstk.Cache {
		return files.Cache{Dir: t.TempDir(), MaxBytes: 1 << 30, Now: now}
	})
}

func noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.Int())
	}
	return b
}

// Pages that were used longest ago go first, evidence with them, and what is used stays.
func TestCacheKeepsToItsSize(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	at := time.Now().Add(-time.Hour)
	clock := func() time.Time { at = at.Add(time.Second); return at }
	captures := files.Captures{Dir: filepath.Join(dir, "evidence")}
	c := files.Cache{Dir: filepath.Join(dir, "cache"), Also: captures.Dir, MaxBytes: 100_000, Now: clock}
	for i := range 30 {
		if err := c.Put(ctx, fmt.Sprint("page ", i), noise(9_000), time.Hour); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Get(ctx, "page 0"); err != nil {
			t.Fatalf("after %d pages the one that is always used is gone: %v", i, err)
		}
		if i == 3 {
			old, err := captures.Put(ctx, wstk.Capture{Manifest: wstk.CaptureManifest{CapturedAt: at, Snapshot: wstk.Snapshot{FinalURL: "https://a.example/"},
				Files: []wstk.CaptureFile{{Role: wstk.RoleBody, ContentType: "text/html", Data: noise(5_000)}}}})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(filepath.Join(old.Dir, "manifest.json"), at, at); err != nil {
				t.Fatal(err)
			}
			if err := c.Grew(ctx, files.Bytes(old)); err != nil {
				t.Fatal(err)
			}
		}
		use, err := c.Use(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if use.Bytes > 100_000 {
			t.Fatalf("after %d pages %d bytes are kept", i+1, use.Bytes)
		}
	}
	if _, err := c.Get(ctx, "page 1"); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("the oldest unused page: %v", err)
	}
	if _, err := c.Get(ctx, "page 29"); err != nil {
		t.Errorf("the newest page: %v", err)
	}
	if list, err := captures.List(ctx); err != nil || len(list) != 0 {
		t.Errorf("old evidence: %d folders, %v", len(list), err)
	}
	use, err := c.Clear(ctx)
	if err != nil || use.Bytes != 0 || use.Entries != 0 || use.Removed == 0 {
		t.Errorf("after clearing: %+v, %v", use, err)
	}
}

// Entries out of date go with the next pruning; damaged ones are as good as missing.
func TestCacheForgetsWhatIsOver(t *testing.T) {
	ctx := context.Background()
	at := time.Now()
	c := files.Cache{Dir: t.TempDir(), Now: func() time.Time { return at }}
	for _, key := range []string{"short", "damaged", "long"} {
		ttl := time.Hour
		if key == "short" {
			ttl = time.Minute
		}
		if err := c.Put(ctx, key, bytes.Repeat([]byte(key), 1000), ttl); err != nil {
			t.Fatal(err)
		}
	}
	h := string(wstk.HashOf([]byte("damaged")))
	name := filepath.Join(c.Dir, "entries1", h[:2], h)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-3] ^= 0xff
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get(ctx, "damaged"); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("damaged entry: %v", err)
	}
	at = at.Add(time.Minute)
	use, err := c.Prune(ctx)
	if err != nil || use.Removed != 1 || use.Entries != 2 {
		t.Errorf("%+v, %v", use, err)
	}
	if _, err := c.Get(ctx, "long"); err != nil {
		t.Error(err)
	}
}

func TestCaptures(t *testing.T) {
	wstktest.CaptureStore(t, func(t *testing.T) wstk.CaptureStore { return files.Captures{Dir: t.TempDir()} },
		func(t *testing.T, c wstk.Capture, name string, data []byte) {
			if err := os.WriteFile(filepath.Join(c.Dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		})
}
