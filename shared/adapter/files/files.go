// Package files keeps blobs and locks as plain files in a data directory, which
// several processes may share. Layout:
//
//	FORMAT                     "wstk store 1": the version of this layout
//	blobs/ab/cd/<sha256>.zst   a blob, compressed with zstd
//	blobs/ab/cd/<sha256>       a blob that does not get smaller
//	blobs/tmp/                 blobs being written
//	locks/<name>-<hash>.lock   one for each name that was ever locked
//	wstk.db, -wal, -shm        the records, see adapter/sqlite
//
// ab and cd are the first four digits of the hash. A blob's name is the hash of
// its uncompressed bytes, so `zstd -dc FILE | sha256sum` checks it.
package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"wstk/shared/wstk"
)

// Version is the version of the layout this package writes. It reads every
// version from 1 on.
const Version = 1

// Store is an open data directory.
type Store struct {
	Dir   string
	Blobs Blobs
	Locks Locks
}

// Open opens the data directory dir, which is made if it is missing, and removes
// what writers that died more than an hour ago left in blobs/tmp. A directory that a
// newer version has written is Conflict; one that cannot be made or written is
// Unavailable.
func Open(dir string) (*Store, error) {
	const op = "opening data directory"
	s := &Store{Dir: dir, Blobs: Blobs{Dir: filepath.Join(dir, "blobs")},
		Locks: Locks{Dir: filepath.Join(dir, "locks")}}
	for _, d := range []string{dir, s.Blobs.Dir, s.Blobs.tmp(), s.Locks.Dir} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, failed(op, dir, err)
		}
	}
	if err := checkFormat(op, dir); err != nil {
		return nil, err
	}
	if _, err := s.Blobs.Clean(time.Now().Add(-time.Hour)); err != nil {
		return nil, err
	}
	return s, nil
}

func checkFormat(op, dir string) error {
	path := filepath.Join(dir, "FORMAT")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return writeFormat(op, dir, path)
	}
	if err != nil {
		return failed(op, dir, err)
	}
	text, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "wstk store ")
	version, err := strconv.Atoi(text)
	switch {
	case !ok || err != nil || version < 1:
		return wstk.Errorf(wstk.Internal, op, "%s does not say which format the directory has",
			path).
			Try(wstk.Step{Do: wstk.DoDoctor}, wstk.Advice("choose another data directory"))
	case version > Version:
		return wstk.Errorf(wstk.Conflict, op,
			"%s has format %d, this program knows formats up to %d", dir, version, Version).
			Try(wstk.Advices("use the newer version that wrote it",
				"choose another data directory")...)
	}
	return nil
}

// writeFormat renames a whole file into place, since another process may be
// opening the directory too.
func writeFormat(op, dir, path string) error {
	f, err := os.CreateTemp(dir, ".format-*")
	if err != nil {
		return failed(op, dir, err)
	}
	_, err = fmt.Fprintf(f, "wstk store %d\n", Version)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return failed(op, dir, err)
	}
	return nil
}

// failed gives an error of the file system its code and says what to do.
func failed(op, path string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return wstk.Errorf(wstk.Unavailable, op, "the disk is full: %w", err).
			Try(wstk.Advices("free some space on the disk that holds "+path+
				" and try again; what was stored before is kept",
				"choose a data directory on another disk")...)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return wstk.Errorf(wstk.Unavailable, op, "no permission: %w", err).
			Try(wstk.Advices("make "+path+" writable for this user",
				"choose another data directory")...)
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return wstk.Errorf(wstk.Unavailable, op, "too many open files: %w", err).
			Try(wstk.Advice("raise the limit of open files (ulimit -n)"))
	case errors.Is(err, syscall.ENOTDIR):
		return wstk.Errorf(wstk.Invalid, op, "%w", err).
			Try(wstk.Advice("choose a data directory that is not a file"))
	}
	return wstk.Wrap(wstk.Internal, op, err)
}
