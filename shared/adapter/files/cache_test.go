package files_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

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
			old, err := captures.Put(ctx,
				wstk.Capture{Manifest: wstk.CaptureManifest{CapturedAt: at,
					Snapshot: wstk.Snapshot{FinalURL: "https://a.example/"},
					Files: []wstk.CaptureFile{
						{Role: wstk.RoleBody, ContentType: "text/html", Data: noise(5_000)}}}})
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
		t.Errorf("%+v, %v; want err == nil && use.Removed == 1 && use.Entries == 2", use, err)
	}
	if _, err := c.Get(ctx, "long"); err != nil {
		t.Error(err)
	}
}

// What another user may have written is not taken, nor what is no file; who looks is told why.
func TestEntriesOfOthersAreNotTaken(t *testing.T) {
	ctx := context.Background()
	for name, spoil := range map[string]func(path string) error{
		"another user": func(path string) error {
			if os.Geteuid() != 0 {
				return os.Chmod(path, 0o622)
			}
			return os.Chown(path, 65534, 65534)
		},
		"written by": func(path string) error { return os.Chmod(path, 0o622) },
		"regular": func(path string) error {
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o700))
		},
	} {
		var heard []string
		c := files.Cache{Dir: t.TempDir(), Refused: func(reason string) {
			heard = append(heard, reason)
		}}
		if err := c.Put(ctx, "k", []byte("v"), time.Hour); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Get(ctx, "k"); err != nil || heard != nil {
			t.Fatalf("%s: %v, %q; want err == nil && heard == nil", name, err, heard)
		}
		h := string(wstk.HashOf([]byte("k")))
		if err := spoil(filepath.Join(c.Dir, "entries1", h[:2], h)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Get(ctx, "k"); wstk.CodeOf(err) != wstk.NotFound {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.NotFound", name, err)
		}
		if len(heard) != 1 || os.Geteuid() == 0 && !strings.Contains(heard[0], name) {
			t.Errorf("%s: heard %q", name, heard)
		}
	}
}

func TestCaptures(t *testing.T) {
	wstktest.CaptureStore(t, func(t *testing.T) wstk.CaptureStore {
		return files.Captures{Dir: t.TempDir()}
	},
		func(t *testing.T, c wstk.Capture, name string, data []byte) {
			if err := os.WriteFile(filepath.Join(c.Dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		})
}

// Eight writers, each as another process has the cache, keep to its size together.
func TestWritersKeepToTheSizeTogether(t *testing.T) {
	const writers, each, size, most = 8, 100, 8_000, 1_000_000
	dir := t.TempDir()
	value := noise(size)
	var group errgroup.Group
	for w := range writers {
		group.Go(func() error {
			c := files.Cache{Dir: dir, MaxBytes: most}
			for i := range each {
				if err := c.Put(context.Background(), fmt.Sprint(w, " ", i), value,
					time.Hour); err != nil {
					return err
				}
			}
			return nil
		})
	}
	done := make(chan error)
	go func() { done <- group.Wait() }()
	var highest int64
	for running := true; running; {
		select {
		case err := <-done:
			if running = false; err != nil {
				t.Error(err)
			}
		case <-time.After(5 * time.Millisecond):
		}
		use, err := files.Cache{Dir: dir}.Use(t.Context())
		if err != nil {
			t.Error(err)
		}
		highest = max(highest, use.Bytes)
	}
	if highest > most*5/4 { // they were counted while others wrote and pruned
		t.Errorf("up to %d bytes were kept", highest)
	}
	use, err := files.Cache{Dir: dir}.Use(t.Context())
	if err != nil || use.Bytes > most || use.Entries < most*8/10/(size+1000) {
		t.Errorf("at the end: %+v, %v", use, err)
	}
}

// A folder that is being written is no capture, and stays; one whose writer has died goes
// after an hour. A folder whose removal was cut short goes like any other.
func TestUnfinishedFoldersOfEvidence(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	at := time.Now()
	captures := files.Captures{Dir: filepath.Join(dir, "evidence")}
	c := files.Cache{Dir: filepath.Join(dir, "cache"), Also: captures.Dir, MaxBytes: 100_000,
		Now: func() time.Time { return at }}
	whole, err := captures.Put(ctx,
		wstk.Capture{Manifest: wstk.CaptureManifest{CapturedAt: at,
			Snapshot: wstk.Snapshot{FinalURL: "https://a.example/"},
			Files: []wstk.CaptureFile{
				{Role: wstk.RoleBody, ContentType: "text/html", Data: noise(5_000)}}}})
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(filepath.Join(whole.Dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if n := files.Bytes(whole); n != int64(5_000+len(manifest)) {
		t.Errorf("it takes %d bytes and is said to take %d", 5_000+len(manifest), n)
	}
	day := filepath.Dir(whole.Dir)
	folder := func(name string, contents map[string][]byte) string {
		path := filepath.Join(day, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, data := range contents {
			if err := os.WriteFile(filepath.Join(path, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	writing := folder(".new-1", map[string][]byte{"manifest.json": manifest, "body.html": noise(1_000)})
	killed := folder(".new-2", map[string][]byte{"manifest.json": manifest, "body.html": noise(1_000)})
	halfGone := folder("000000.000-0.example-1a2b3c4d", map[string][]byte{"body.html": noise(1_000)})
	own := filepath.Join(captures.Dir, "mine", "notes")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	old := at.Add(-61 * time.Minute)
	if err := os.Chtimes(killed, old, old); err != nil {
		t.Fatal(err)
	}

	if list, err := captures.List(ctx); err != nil || len(list) != 2 || list[0].Dir != whole.Dir ||
		list[1].Dir != halfGone || list[1].Manifest.Format != "" {
		t.Errorf("captures: %v, %v", list, err)
	}
	all := int64(8_000 + 3*len(manifest))
	if use, err := c.Use(ctx); err != nil || use.Folders != 2 || use.Bytes != all {
		t.Errorf("%+v, %v, want 2 folders and %d bytes", use, err, all)
	}
	exist := func(after string, wanted map[string]bool) {
		t.Helper()
		for path, want := range wanted {
			if _, err := os.Stat(path); (err == nil) != want {
				t.Errorf("after %s: %s: %v", after, filepath.Base(path), err)
			}
		}
	}
	use, err := c.Prune(ctx)
	if err != nil || use.Folders != 2 || use.Removed != 1 ||
		use.Freed != int64(1_000+len(manifest)) {
		t.Errorf("pruned: %+v, %v", use, err)
	}
	exist("pruning", map[string]bool{whole.Dir: true, writing: true, killed: false,
		halfGone: true, own: true})
	use, err = c.Clear(ctx)
	if err != nil || use.Folders != 0 || use.Removed != 2 ||
		use.Freed != int64(6_000+len(manifest)) {
		t.Errorf("cleared: %+v, %v", use, err)
	}
	exist("clearing", map[string]bool{whole.Dir: false, writing: true, halfGone: false, own: true})
	at = at.Add(2 * time.Hour)
	if _, err := c.Prune(ctx); err != nil {
		t.Fatal(err)
	}
	exist("two hours", map[string]bool{writing: false, day: false, own: true})
}
