package files_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"wstk/shared/adapter/files"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestBlobs(t *testing.T) {
	wstktest.BlobStore(t, func(t *testing.T) wstk.BlobStore {
		return files.Blobs{Dir: t.TempDir()}
	},
		wstktest.Features[wstk.BlobStore]{Second: func(
			t *testing.T, first wstk.BlobStore,
		) wstk.BlobStore {
			return files.Blobs{Dir: first.(files.Blobs).Dir, Sync: true}
		}})
}

func TestLocks(t *testing.T) {
	wstktest.Locker(t, func(t *testing.T) wstk.Locker {
		return files.Locks{Dir: filepath.Join(t.TempDir(), "locks")}
	},
		wstktest.Features[wstk.Locker]{Second: func(t *testing.T, first wstk.Locker) wstk.Locker {
			return files.Locks{Dir: first.(files.Locks).Dir}
		}})
}

// The test binary plays other processes: with WSTK_FILES_CHILD set it does that
// and nothing else.
func TestMain(m *testing.M) {
	switch dir := os.Getenv("WSTK_FILES_DIR"); os.Getenv("WSTK_FILES_CHILD") {
	case "lock":
		if _, err := (files.Locks{Dir: dir}).Lock(context.Background(), "site", time.Minute); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		time.Sleep(time.Hour) // with nothing to wait for the process would end by itself
	case "put":
		fmt.Println("started")
		for i := range 1 << 30 {
			if _, err := (files.Blobs{Dir: dir}).Put(context.Background(), body(i)); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}

func child(t *testing.T, what, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WSTK_FILES_CHILD="+what, "WSTK_FILES_DIR="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the child says nothing")
	}
	return cmd, lines
}

// body is the ith blob of a child: half of them compress.
func body(i int) []byte {
	if i%2 == 0 {
		return bytes.Repeat(fmt.Appendf(nil, "blob %d\n", i), 20_000)
	}
	r := rand.New(rand.NewPCG(uint64(i), 0))
	out := make([]byte, 100_000)
	for j := range out {
		out[j] = byte(r.Uint32())
	}
	return out
}

func TestLockOfADeadProcessIsFree(t *testing.T) {
	dir := t.TempDir()
	cmd, lines := child(t, "lock", dir)
	if lines.Text() != "held" {
		t.Fatal(lines.Text(), `want lines.Text() == "held"`)
	}
	_, err := files.Locks{Dir: dir}.Lock(t.Context(), "site", time.Minute)
	if wstk.CodeOf(err) != wstk.Conflict ||
		!strings.Contains(err.Error(), fmt.Sprint("process ", cmd.Process.Pid)) {
		t.Fatalf("while it lives: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	unlock, err := files.Locks{Dir: dir}.Lock(t.Context(), "site", time.Minute)
	if err != nil {
		t.Fatalf("after it was killed: %v", err)
	}
	unlock()
}

func TestKilledWritersLeaveNoHalfBlob(t *testing.T) {
	dir := t.TempDir()
	for range 4 {
		cmd, _ := child(t, "put", dir)
		time.Sleep(60 * time.Millisecond)
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
	}
	b, n := files.Blobs{Dir: dir}, 0
	err := b.Walk(t.Context(), func(h wstk.Hash, _ int64, _ time.Time) error {
		n++
		_, err := b.Get(t.Context(), h)
		return err
	})
	if err != nil || n == 0 {
		t.Fatalf("%d blobs, %v", n, err)
	}
	if _, err := b.Clean(time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Join(dir, "tmp"))
	if err != nil || len(left) != 0 {
		t.Errorf("%d temporary files after Clean, %v", len(left), err)
	}
}

// blobFile finds the only blob of a store.
func blobFile(t *testing.T, dir string) string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) != 1 {
		t.Fatalf("files %v, %v", found, err)
	}
	return found[0]
}

func TestDamagedBlobIsFoundAndRepaired(t *testing.T) {
	for name, data := range map[string][]byte{"compressed": body(0), "plain": body(1)} {
		for what, damage := range map[string]func([]byte) []byte{
			"empty":   func([]byte) []byte { return nil },
			"cut":     func(b []byte) []byte { return b[:len(b)/2] },
			"a bit":   func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
			"garbage": func(b []byte) []byte { return []byte("not a blob at all") },
			"longer":  func(b []byte) []byte { return append(b, 0) },
			"exploding": func([]byte) []byte {
				return []byte{0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0xff, 0xff, 0xff, 0xff,
					0xff, 0xff, 0xff, 0x7f}
			},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				b := files.Blobs{Dir: t.TempDir()}
				h, err := b.Put(t.Context(), data)
				if err != nil {
					t.Fatal(err)
				}
				file := blobFile(t, b.Dir)
				if strings.HasSuffix(file, ".zst") != (name == "compressed") {
					t.Fatalf("stored as %s", file)
				}
				stored, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, damage(stored), 0o600); err != nil {
					t.Fatal(err)
				}
				_, err = b.Get(t.Context(), h)
				if wstk.CodeOf(err) != wstk.Internal || !strings.Contains(err.Error(), file) ||
					len(wstk.StepsOf(err)) == 0 {
					t.Errorf("Get: %v, next %v", err, wstk.StepsOf(err))
				}
				if _, err := b.Put(t.Context(), data); err != nil {
					t.Fatal(err)
				}
				if got, err := b.Get(t.Context(), h); err != nil || !bytes.Equal(got, data) {
					t.Errorf("after another Put: %d bytes, %v", len(got), err)
				}
			})
		}
	}
}

func TestBlobsAreCompressedWhereItHelps(t *testing.T) {
	b := files.Blobs{Dir: t.TempDir()}
	data := body(0)
	if _, err := b.Put(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(blobFile(t, b.Dir))
	if err != nil || info.Size() > int64(len(data))/50 {
		t.Errorf("%d bytes became %d, %v", len(data), info.Size(), err)
	}
}

func TestOpenInAPlaceThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "x")} {
		if _, err := files.Open(dir); wstk.CodeOf(err) != wstk.Invalid ||
			len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.Invalid && len(wstk.StepsOf(err)) != 0", dir, err)
		}
	}
}

func TestOpenKnowsItsFormat(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for range 2 { // made, then found
		s, err := files.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Blobs.Put(t.Context(), []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	format := filepath.Join(dir, "FORMAT")
	if data, err := os.ReadFile(format); err != nil || string(data) != "wstk store 1\n" {
		t.Fatalf("%q, %v; want err == nil && string(data) == \"wstk store 1\\n\"", data, err)
	}
	for text, want := range map[string]wstk.Code{"wstk store 2\n": wstk.Conflict, "": wstk.Internal,
		"something else": wstk.Internal, "wstk store -1": wstk.Internal} {
		if err := os.WriteFile(format, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := files.Open(dir)
		if wstk.CodeOf(err) != want || len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%q: %v; want wstk.CodeOf(err) == want && len(wstk.StepsOf(err)) != 0", text, err)
		}
	}
}

func TestOpenRemovesWhatDeadWritersLeft(t *testing.T) {
	dir := t.TempDir()
	s, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	old, young := filepath.Join(s.Blobs.Dir, "tmp", "old"), filepath.Join(s.Blobs.Dir, "tmp", "young")
	for _, f := range []string{old, young} {
		if err := os.WriteFile(f, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(old, past, past); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Open(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the old one is still there")
	}
	if _, err := os.Stat(young); err != nil {
		t.Error("the young one, which may be in use, is gone")
	}
}

func TestPutAgainMakesABlobYoung(t *testing.T) {
	b := files.Blobs{Dir: t.TempDir()}
	if _, err := b.Put(t.Context(), []byte("x")); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(blobFile(t, b.Dir), past, past); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Put(t.Context(), []byte("x")); err != nil {
		t.Fatal(err)
	}
	err := b.Walk(t.Context(), func(_ wstk.Hash, size int64, put time.Time) error {
		if time.Since(put) > time.Hour || size != 1 {
			t.Errorf("put at %s, %d bytes", put, size)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
