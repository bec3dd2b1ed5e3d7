package files_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"wstk/shared/adapter/files"
	"wstk/shared/wstk"
)

func TestReadOnlyDirectoryIsUnavailable(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	// root may write anywhere; become an unprivileged user, on this thread, for files only
	if os.Geteuid() == 0 {
		if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
			t.Fatal(err)
		}
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer syscall.Setfsuid(0)
	}
	_, err := files.Open(filepath.Join(dir, "data"))
	if wstk.CodeOf(err) != wstk.Unavailable || len(wstk.StepsOf(err)) == 0 {
		t.Errorf("%v; want wstk.CodeOf(err) == wstk.Unavailable && len(wstk.StepsOf(err)) != 0", err)
	}
}
