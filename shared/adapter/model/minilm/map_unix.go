//go:build unix

package minilm

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file read-only: its pages are shared by all processes that use the model.
func mapFile(f *os.File, size int) (data []byte, unmap func() error, err error) {
	data, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return data, func() error { return unix.Munmap(data) }, nil
}
