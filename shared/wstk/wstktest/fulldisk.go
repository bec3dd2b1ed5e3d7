package wstktest

import (
	"os"
	"path/filepath"
	"testing"
)

// FullDisk returns a function that creates a file in a folder as if its disk were full: every
// write to it fails. The test is skipped where the machine has no such device.
func FullDisk(t testing.TB) func(dir string) (*os.File, error) {
	return func(dir string) (*os.File, error) {
		name := filepath.Join(dir, "full")
		if err := os.Symlink("/dev/full", name); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			Skip(t, "there is no /dev/full here: ", err)
		}
		return f, nil
	}
}
