package files

import (
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// onFullDisk is b on a disk that is full.
func onFullDisk(t *testing.T, b Blobs) Blobs {
	b.create = wstktest.FullDisk(t)
	return b
}

func TestFullDiskIsUnavailableAndKeepsWhatWasStored(t *testing.T) {
	b := Blobs{Dir: t.TempDir()}
	h, err := b.Put(t.Context(), []byte("stored before"))
	if err != nil {
		t.Fatal(err)
	}
	full := onFullDisk(t, b)
	new := []byte("the disk has no room for this")
	_, err = full.Put(t.Context(), new)
	if wstk.CodeOf(err) != wstk.Unavailable || !wstk.IsTransient(err) ||
		!strings.Contains(err.Error(), "disk is full") || len(wstk.StepsOf(err)) == 0 {
		t.Fatalf("Put on a full disk: %v, next %v", err, wstk.StepsOf(err))
	}
	if has, err := b.Has(t.Context(), wstk.HashOf(new)); err != nil || has {
		t.Errorf("half a blob is visible: %v, %v", has, err)
	}
	left, err := os.ReadDir(b.tmp())
	if err != nil || len(left) != 0 {
		t.Errorf("%d temporary files are left, %v", len(left), err)
	}
	if _, err := b.Get(t.Context(), h); err != nil {
		t.Errorf("what was stored before: %v", err)
	}
}

func TestCanWriteFindsAFullDiskAndLeavesNothing(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Blobs.CanWrite(t.Context()); err != nil {
		t.Errorf("on a disk with room: %v", err)
	}
	if err := onFullDisk(t, s.Blobs).CanWrite(t.Context()); wstk.CodeOf(err) != wstk.Unavailable ||
		!strings.Contains(err.Error(), "disk is full") {
		t.Errorf("on a full disk: %v", err)
	}
	if left, err := os.ReadDir(s.Blobs.tmp()); err != nil || len(left) != 0 {
		t.Errorf("%d temporary files are left, %v", len(left), err)
	}
	if err := os.RemoveAll(s.Dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.Dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Blobs.CanWrite(t.Context()); err == nil {
		t.Error("where there is no folder, it can write")
	}
}

func TestErrorsOfTheFileSystemHaveCodes(t *testing.T) {
	for errno, want := range map[error]wstk.Code{
		syscall.ENOSPC: wstk.Unavailable, syscall.EDQUOT: wstk.Unavailable,
		syscall.EACCES: wstk.Unavailable,
		syscall.EPERM:  wstk.Unavailable, syscall.EROFS: wstk.Unavailable,
		syscall.EMFILE:  wstk.Unavailable,
		syscall.ENOTDIR: wstk.Invalid, syscall.EIO: wstk.Internal,
	} {
		err := failed("storing blob", "/data", &fs.PathError{Op: "write", Path: "/data/x", Err: errno})
		if wstk.CodeOf(err) != want {
			t.Errorf("%v: %v, want %v", errno, err, want)
		}
		if want != wstk.Internal && len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%v: no next step", errno)
		}
	}
}
