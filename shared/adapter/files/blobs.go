package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"wstk/shared/wstk"
)

var _ wstk.BlobStore = Blobs{}

// Blobs is a wstk.BlobStore in the directory Dir. A blob is written to a file of
// its own in tmp and renamed into place, so that a reader sees all of it or nothing,
// also when the writer is killed.
//
// Without Sync a blob is safe from a killed process, not from a power cut: the
// newest ones may then be missing or damaged. Get finds that out (NotFound or
// Internal, never wrong bytes), and the next Put of the same bytes repairs it.
type Blobs struct {
	Dir  string
	Sync bool // flush every blob to the disk before Put returns

	create func(dir string) (*os.File, error) // makes the temporary file; tests replace it
}

const compressed = ".zst"

// A coder of zstd costs some memory and no little time to make, and serves any
// number of goroutines.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic("zstd options: " + err.Error()) // they are constants
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0),
			zstd.WithDecoderMaxMemory(1<<30))
		if err != nil {
			panic("zstd options: " + err.Error())
		}
		return d
	})
)

func (b Blobs) tmp() string { return filepath.Join(b.Dir, "tmp") }

func (b Blobs) path(h wstk.Hash) string {
	return filepath.Join(b.Dir, string(h[:2]), string(h[2:4]), string(h))
}

func (b Blobs) Put(ctx context.Context, data []byte) (wstk.Hash, error) {
	const op = "storing blob"
	if err := ctx.Err(); err != nil {
		return "", wstk.Wrap(wstk.Cancelled, op, err)
	}
	h := wstk.HashOf(data)
	if b.intact(h) {
		return h, nil
	}
	name, other := b.path(h), b.path(h)+compressed
	if small := encoder().EncodeAll(data, nil); len(small) < len(data) {
		data, name, other = small, other, name
	}
	if err := b.write(name, data); err != nil {
		return "", failed(op, b.Dir, err)
	}
	// A damaged blob in the other form would hide this one or waste its space.
	if err := os.Remove(other); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", failed(op, b.Dir, err)
	}
	return h, nil
}

// intact reports whether h is stored and whole. It makes the blob young again, so that
// pruning of old blobs keeps one that was just put.
func (b Blobs) intact(h wstk.Hash) bool {
	_, name, err := b.read(h)
	if err != nil {
		return false
	}
	now := time.Now()
	return os.Chtimes(name, now, now) == nil
}

// temporary makes a file that Clean removes if its writer dies.
func (b Blobs) temporary() (*os.File, error) {
	create := b.create
	if create == nil {
		create = func(dir string) (*os.File, error) { return os.CreateTemp(dir, "*") }
	}
	f, err := create(b.tmp())
	if errors.Is(err, fs.ErrNotExist) { // the first blob of a store
		if err = os.MkdirAll(b.tmp(), 0o700); err == nil {
			f, err = create(b.tmp())
		}
	}
	return f, err
}

func (b Blobs) write(name string, data []byte) (err error) {
	f, err := b.temporary()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	if err == nil && b.Sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	err = os.Rename(f.Name(), name)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(name), 0o700); err == nil {
			err = os.Rename(f.Name(), name)
		}
	}
	if err == nil && b.Sync {
		err = syncDir(filepath.Dir(name))
	}
	return err
}

// syncDir makes a rename last: the new name is an entry of the directory.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func (b Blobs) Get(ctx context.Context, h wstk.Hash) ([]byte, error) {
	const op = "reading blob"
	if err := check(ctx, op, h); err != nil {
		return nil, err
	}
	data, _, err := b.read(h)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, wstk.Errorf(wstk.NotFound, op, "no blob %s", h)
	case errors.Is(err, errDamaged):
		return nil, wstk.Errorf(wstk.Internal, op, "%w", err).
			Try(wstk.Step{Do: wstk.DoDoctor},
				wstk.Advice("fetch the page again: the same bytes repair the blob"))
	case err != nil:
		return nil, failed(op, b.Dir, err)
	}
	return data, nil
}

var errDamaged = errors.New("damaged blob")

// read returns the bytes of h and the file they came from. Two processes may
// have stored h in both forms; one that is whole is enough.
func (b Blobs) read(h wstk.Hash) ([]byte, string, error) {
	var first error
	for _, form := range []string{compressed, ""} {
		name := b.path(h) + form
		data, err := os.ReadFile(name)
		if err == nil && form == compressed {
			data, err = decoder().DecodeAll(data, nil)
			if err != nil {
				err = damaged(name, err)
			}
		}
		if err == nil && wstk.HashOf(data) != h {
			err = damaged(name, errors.New("its bytes have another hash"))
		}
		if err == nil {
			return data, name, nil
		}
		if first == nil || errors.Is(first, fs.ErrNotExist) {
			first = err
		}
	}
	return nil, "", first
}

func damaged(name string, err error) error {
	return &damage{name, err}
}

type damage struct {
	name string
	err  error
}

func (d *damage) Error() string   { return d.name + " is damaged: " + d.err.Error() }
func (d *damage) Unwrap() []error { return []error{errDamaged, d.err} }

func (b Blobs) Has(ctx context.Context, h wstk.Hash) (bool, error) {
	const op = "looking for blob"
	if err := check(ctx, op, h); err != nil {
		return false, err
	}
	for _, form := range []string{compressed, ""} {
		_, err := os.Stat(b.path(h) + form)
		if err == nil {
			return true, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return false, failed(op, b.Dir, err)
		}
	}
	return false, nil
}

func (b Blobs) Delete(ctx context.Context, h wstk.Hash) error {
	const op = "removing blob"
	if err := check(ctx, op, h); err != nil {
		return err
	}
	for _, form := range []string{compressed, ""} {
		if err := os.Remove(b.path(h) + form); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return failed(op, b.Dir, err)
		}
	}
	return nil
}

func check(ctx context.Context, op string, h wstk.Hash) error {
	if err := ctx.Err(); err != nil {
		return wstk.Wrap(wstk.Cancelled, op, err)
	}
	if !h.Valid() {
		return wstk.Errorf(wstk.Invalid, op, "%q is not a SHA-256 in lower-case hex", h)
	}
	return nil
}

// probe is as much as the records of a request take, in bytes, and more than a file
// system puts into its directories, where there may be room when there is none for files.
const probe = 16 << 10

// CanWrite reports whether the disk takes a small file, which it removes again. When it does
// not, the error is the one that Put would meet: Unavailable on a full disk.
func (b Blobs) CanWrite(ctx context.Context) error {
	const op = "trying to write"
	if err := ctx.Err(); err != nil {
		return wstk.Wrap(wstk.Cancelled, op, err)
	}
	f, err := b.temporary()
	if err != nil {
		return failed(op, b.Dir, err)
	}
	_, err = f.Write(make([]byte, probe))
	if err = errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return failed(op, b.Dir, err)
	}
	return nil
}

// Walk calls f for every stored blob, in no certain order, with the size of its
// file and when it was last put. An error of f ends the walk and is returned.
// Blobs that come or go meanwhile may be seen or not.
func (b Blobs) Walk(
	ctx context.Context, f func(h wstk.Hash, bytes int64, put time.Time) error,
) error {
	const op = "listing blobs"
	err := filepath.WalkDir(b.Dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone since its directory was read
			return nil
		case err != nil:
			return failed(op, b.Dir, err)
		case ctx.Err() != nil:
			return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
		case d.IsDir() && path == b.tmp():
			return fs.SkipDir
		}
		h := wstk.Hash(strings.TrimSuffix(d.Name(), compressed))
		if d.IsDir() || !h.Valid() {
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return failed(op, b.Dir, err)
		}
		return f(h, info.Size(), info.ModTime())
	})
	return err
}

// Clean removes temporary files that were last written before the given time: their
// writers have died. It returns how many there were.
func (b Blobs) Clean(before time.Time) (int, error) {
	const op = "removing temporary files"
	entries, err := os.ReadDir(b.tmp())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, failed(op, b.Dir, err)
	}
	n := 0
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.ModTime().Before(before) {
			continue // gone, or in use
		}
		if err := os.Remove(filepath.Join(b.tmp(), e.Name())); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			return n, failed(op, b.Dir, err)
		}
		n++
	}
	return n, nil
}
