package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"wstk/shared/wstk"
)

var _ wstk.Locker = Locks{}

// Locks is a wstk.Locker for all processes that share the directory Dir, by
// flock(2): the lock belongs to an open file, so the kernel frees it when the
// process ends, however it ends, and no ttl is needed. A lock file is never
// removed: removing it could free a lock that another process just took.
type Locks struct {
	Dir string
}

// held keeps the files of held locks from the garbage collector, which would
// close them and free the locks of a caller that lost its unlock function.
var held sync.Map

func (l Locks) Lock(ctx context.Context, name string, _ time.Duration) (func(), error) {
	const op = "taking lock"
	if err := ctx.Err(); err != nil {
		return nil, wstk.Wrap(wstk.Cancelled, op, err)
	}
	if name == "" {
		return nil, wstk.Errorf(wstk.Invalid, op, "a lock needs a name")
	}
	if err := os.MkdirAll(l.Dir, 0o700); err != nil {
		return nil, failed(op, l.Dir, err)
	}
	f, err := os.OpenFile(l.path(name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, failed(op, l.Dir, err)
	}
	if err := take(f); err != nil {
		by := holder(f)
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, wstk.Errorf(wstk.Conflict, op, "%s is held%s", name, by).
				Try(wstk.Advice("wait until it ends, or stop it"))
		}
		return nil, failed(op, l.Dir, err)
	}
	note(f)
	held.Store(f, nil)
	return sync.OnceFunc(func() {
		held.Delete(f)
		f.Close() // closing the file frees the lock
	}), nil
}

// take locks f. Held looks at a lock by sharing it for a moment: so what is held is tried
// again before it is believed.
func take(f *os.File) error {
	for try := 0; ; try++ {
		err := flock(f)
		if try == 3 || !errors.Is(err, unix.EWOULDBLOCK) {
			return err
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// Held shares the lock for a moment: that fails while a holder has it, and two who look
// at once do not take each other for one.
func (l Locks) Held(ctx context.Context, name string) (bool, error) {
	const op = "looking at lock"
	if err := ctx.Err(); err != nil {
		return false, wstk.Wrap(wstk.Cancelled, op, err)
	}
	if name == "" {
		return false, wstk.Errorf(wstk.Invalid, op, "a lock needs a name")
	}
	f, err := os.Open(l.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, failed(op, l.Dir, err)
	}
	defer f.Close()
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return true, nil
		case err != nil:
			return false, failed(op, l.Dir, err)
		default:
			return false, nil
		}
	}
}

// flock locks an open file until it is closed. It is EWOULDBLOCK while another open file
// holds the lock.
func flock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// path makes a file name from any lock name: what can be read of it, and a hash
// that keeps names apart.
func (l Locks) path(name string) string {
	readable := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' {
			return c
		}
		return '-'
	}, name)
	if len(readable) > 60 {
		readable = readable[:60]
	}
	return filepath.Join(l.Dir, readable+"-"+string(wstk.HashOf([]byte(name)))[:32]+".lock")
}

// note writes who holds the lock into its file, for the error of the next one
// and for people. The lock does not depend on it.
func note(f *os.File) {
	if f.Truncate(0) == nil {
		fmt.Fprintf(f, "process %d", os.Getpid())
	}
}

func holder(f *os.File) string {
	data, err := io.ReadAll(io.LimitReader(f, 100))
	if err != nil || len(data) == 0 {
		return ""
	}
	return " by " + string(data)
}
