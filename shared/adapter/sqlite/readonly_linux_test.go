package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"wstk/shared/adapter/sqlite"
	"wstk/shared/wstk"
)

func TestReadOnlyDirectoryIsUnavailable(t *testing.T) {
	dir := t.TempDir()
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(t.TempDir(), "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Dir(dir), filepath.Dir(locked), locked} {
		if err := os.Chmod(path, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o755) })
	}
	// root may write anywhere; become an unprivileged user, on this thread, for files only
	if os.Geteuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := syscall.Setfsuid(0); err != nil {
				t.Fatal(err)
			}
		}()
	}
	for _, d := range []string{dir, locked, filepath.Join(locked, "new")} {
		_, err := sqlite.Open(t.Context(), d)
		if wstk.CodeOf(err) != wstk.Unavailable ||
			!strings.Contains(fmt.Sprint(wstk.StepsOf(err)), "writable") {
			t.Errorf("%s: %v, next %v", d, err, wstk.StepsOf(err))
		}
	}
}
