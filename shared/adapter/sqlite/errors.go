package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"wstk/shared/wstk"
)

// failed gives an error of SQLite its code and says what to do. An error that has
// a code keeps it.
func (db *DB) failed(op string, err error) error {
	var coded *wstk.Error
	var s *driver.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &coded):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return wstk.Wrap(wstk.Cancelled, op, err)
	case isDamage(err):
		return damaged(op, db.path, err)
	case !errors.As(err, &s):
		return wstk.Wrap(wstk.Internal, op, err)
	}
	switch s.Code() & 0xff {
	case lib.SQLITE_FULL:
		return full(op, db.path, err)
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return wstk.Errorf(wstk.Unavailable, op,
			"%s is locked: another process has been writing to it for too long", db.path).
			Try(wstk.Advice("wait for the other process or stop it, then try again"))
	case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM, lib.SQLITE_AUTH:
		return unwritable(op, db.path, err)
	case lib.SQLITE_IOERR:
		// Where it is not the database itself that could not grow, SQLite does not say
		// that the disk is full.
		if diskIsFull(filepath.Dir(db.path)) {
			return full(op, db.path, err)
		}
		return wstk.Errorf(wstk.Internal, op, "%s: %w", db.path, err).
			Try(wstk.Step{Do: wstk.DoDoctor, For: "check the disk, then"})
	case lib.SQLITE_INTERRUPT:
		return wstk.Wrap(wstk.Cancelled, op, fmt.Errorf("%w: %w", context.Canceled, err))
	case lib.SQLITE_NOMEM:
		return wstk.Errorf(wstk.Unavailable, op, "%w", err)
	}
	return wstk.Wrap(wstk.Internal, op, err)
}

// full is the error of a full disk, whichever call reports it: its cause is ENOSPC or EDQUOT.
func full(op, path string, err error) error {
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		err = fmt.Errorf("%w (%w)", syscall.ENOSPC, err)
	}
	return wstk.Errorf(wstk.Unavailable, op, "the disk is full: %w", err).
		Try(wstk.Advices("free some space on the disk that holds "+path+
			" and try again; what was stored before is kept",
			"choose a data directory on another disk")...)
}

// isBusy reports whether err is about a lock that another connection holds.
func isBusy(err error) bool {
	var s *driver.Error
	return errors.As(err, &s) && s.Code()&0xff == lib.SQLITE_BUSY
}

// isDamage reports whether err is about a file that is damaged.
func isDamage(err error) bool {
	var s *driver.Error
	if errors.As(err, &s) {
		return s.Code()&0xff == lib.SQLITE_CORRUPT || s.Code()&0xff == lib.SQLITE_NOTADB
	}
	return errors.Is(err, errPostings)
}

func damaged(op, path string, err error) error {
	return wstk.Errorf(wstk.Internal, op, "%s is damaged or not a database: %w", path, err).
		Try(wstk.Step{Do: wstk.DoDoctor},
			wstk.Advice("restore "+path+
				" from a backup, or move it away and crawl again; blobs are kept"))
}

// diskIsFull reports whether less than a megabyte is left for us.
func diskIsFull(dir string) bool {
	var st syscall.Statfs_t
	return syscall.Statfs(dir, &st) == nil && uint64(st.Bavail)*uint64(st.Bsize) < 1<<20
}

func unwritable(op, path string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return full(op, path, err)
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return wstk.Errorf(wstk.Invalid, op, "%w", err).
			Try(wstk.Advice("choose a data directory that is not a file"))
	}
	return wstk.Errorf(wstk.Unavailable, op, "%s cannot be written: %w", path, err).
		Try(wstk.Advices("make "+filepath.Dir(path)+" writable for this user",
			"choose another data directory")...)
}

// writable checks what SQLite needs before it is asked, since its own error for
// any of it is "unable to open database file".
func writable(op, dir, path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return unwritable(op, path, err)
	}
	f.Close()
	f, err = os.CreateTemp(dir, ".writable-*") // WAL mode makes files beside the database
	if err != nil {
		return unwritable(op, path, err)
	}
	f.Close()
	os.Remove(f.Name())
	return nil
}
