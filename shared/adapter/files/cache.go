package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"wstk/shared/wstk"
)

var (
	_ wstk.Cache       = Cache{}
	_ wstk.CacheUpkeep = Cache{}
)

// Cache is a wstk.Cache in the directory Dir, which may be deleted at any time and
// shared by several processes. An entry is one file: a line of JSON, then the value,
// compressed with zstd. When a file was last used stands in its modification time.
//
// MaxBytes bounds the entries of Dir and the folders in Also, which are pruned with them,
// whole: what was used longest ago goes first. Puts keep to it except for what is being
// written at the moment: at most one entry or folder for each writer.
type Cache struct {
	Dir      string
	MaxBytes int64 // 0 means no bound
	// the Dir of Captures, each folder of which is forgotten as one; "" means none
	Also string
	Now  func() time.Time // nil means the system's clock

	// Refused hears of an entry that Get did not take, since it is of another user or of the
	// future: neither was made by a process of this user. nil hears nothing.
	Refused func(reason string)
}

// entryHead is the first line of an entry's file.
type entryHead struct {
	Key       string    `json:"key"`
	StoredAt  time.Time `json:"stored_at"`
	ExpiresAt time.Time `json:"expires_at"`
	SHA256    wstk.Hash `json:"sha256"` // of the value
}

const (
	// entries is the folder of the entries below Dir; its name has their format.
	entries = "entries1"

	// usedFile holds about how many bytes there are, so that a Put need not look.
	usedFile = "used"

	// lockFile is locked by who counts or prunes. It is never removed, see Locks.
	lockFile = "used.lock"

	// patience is how long to wait for another writer that counts or prunes.
	patience = 10 * time.Second

	// dead is the age from which what is not finished has no writer any more.
	dead = time.Hour

	// keepShare of MaxBytes is left after pruning, so that not every Put prunes.
	keepShare = 0.9
)

func (c Cache) now() time.Time {
	if c.Now != nil {
		return c.Now()
	}
	return time.Now()
}

func (c Cache) path(key string) string {
	h := string(wstk.HashOf([]byte(key)))
	return filepath.Join(c.Dir, entries, h[:2], h)
}

func (c Cache) Get(ctx context.Context, key string) (wstk.CacheEntry, error) {
	const op = "reading the cache"
	if err := ctx.Err(); err != nil {
		return wstk.CacheEntry{}, wstk.Wrap(wstk.Cancelled, op, err)
	}
	missing := wstk.Errorf(wstk.NotFound, op, "nothing is kept under this key")
	name := c.path(key)
	data, foreign, err := readOwn(name)
	if err != nil {
		return wstk.CacheEntry{}, missing
	}
	if foreign != "" {
		c.refused(foreign)
		return wstk.CacheEntry{}, missing
	}
	line, rest, _ := bytes.Cut(data, []byte{'\n'})
	var head entryHead
	if json.Unmarshal(line, &head) != nil || head.Key != key {
		return wstk.CacheEntry{}, missing
	}
	now := c.now()
	if !now.Before(head.ExpiresAt) {
		return wstk.CacheEntry{}, missing
	}
	if head.StoredAt.After(now.Add(wstk.ClockSkew)) {
		c.refused("an entry says that it was stored in the future")
		return wstk.CacheEntry{}, missing
	}
	value, err := decoder().DecodeAll(rest, nil)
	if err != nil || wstk.HashOf(value) != head.SHA256 {
		return wstk.CacheEntry{}, missing
	}
	// Nothing is lost when this fails but the entry's place in the order of use.
	_ = os.Chtimes(name, now, now)
	return wstk.CacheEntry{Value: value, StoredAt: head.StoredAt, ExpiresAt: head.ExpiresAt}, nil
}

func (c Cache) refused(reason string) {
	if c.Refused != nil {
		c.Refused(reason)
	}
}

// readOwn reads a file of this user's. Of another's, and of one that others may write, it
// reads nothing and says why.
func readOwn(name string) (data []byte, foreign string, err error) {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, "", err
	}
	switch uid, ok := ownerOf(st); {
	case !st.Mode().IsRegular():
		return nil, "an entry is no regular file", nil
	case ok && uid != os.Geteuid():
		return nil, "an entry belongs to another user", nil
	case st.Mode().Perm()&0o022 != 0:
		return nil, "an entry may be written by other users", nil
	}
	data, err = io.ReadAll(f)
	return data, "", err
}

// ownerOf is the user a file belongs to.
func ownerOf(st fs.FileInfo) (uid int, ok bool) {
	if s, ok := st.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid), true
	}
	return 0, false
}

func (c Cache) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	const op = "writing to the cache"
	if err := ctx.Err(); err != nil {
		return wstk.Wrap(wstk.Cancelled, op, err)
	}
	now := c.now()
	head, err := json.Marshal(entryHead{Key: key, StoredAt: now.UTC(), ExpiresAt: now.Add(ttl).
		UTC(), SHA256: wstk.HashOf(value)})
	if err != nil {
		return wstk.Wrap(wstk.Internal, op, err)
	}
	data := encoder().EncodeAll(value, append(head, '\n'))
	if err := (Blobs{Dir: c.Dir}).write(c.path(key), data); err != nil {
		return failed(op, c.Dir, err)
	}
	_ = os.Chtimes(c.path(key), now, now) // by the clock that prunes
	return c.Grew(ctx, int64(len(data)))
}

func (c Cache) Delete(ctx context.Context, key string) error {
	const op = "removing from the cache"
	if err := ctx.Err(); err != nil {
		return wstk.Wrap(wstk.Cancelled, op, err)
	}
	if err := os.Remove(c.path(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(op, c.Dir, err)
	}
	return nil
}

// Grew notes that n more bytes are kept, in Dir or in Also, and prunes when that is too
// many. It is Conflict when another writer has been counting or pruning for ten seconds.
func (c Cache) Grew(ctx context.Context, n int64) error {
	if c.MaxBytes <= 0 {
		return nil
	}
	unlock, err := c.alone(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	used := filepath.Join(c.Dir, usedFile)
	data, err := os.ReadFile(used)
	sum, parse := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	if err != nil || parse != nil || sum+n > c.MaxBytes {
		_, err := c.sweep(ctx, c.MaxBytes)
		return err
	}
	return c.note(sum + n)
}

// alone waits until no other writer counts or prunes: of two that read the same sum, one
// would forget what the other added.
func (c Cache) alone(ctx context.Context) (unlock func(), err error) {
	const op = "counting the cache"
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, failed(op, c.Dir, err)
	}
	// Not by Locks, which writes down who holds a lock: every Put is here, and only for a moment.
	f, err := os.OpenFile(filepath.Join(c.Dir, lockFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, failed(op, c.Dir, err)
	}
	begin := time.Now()
	for pause := time.Millisecond; ; pause = min(2*pause, 16*time.Millisecond) {
		switch err := flock(f); {
		case err == nil:
			return func() { f.Close() }, nil
		case !errors.Is(err, unix.EWOULDBLOCK):
			f.Close()
			return nil, failed(op, c.Dir, err)
		case ctx.Err() != nil:
			f.Close()
			return nil, wstk.Wrap(wstk.Cancelled, op, ctx.Err())
		case time.Since(begin) > patience:
			f.Close()
			return nil, wstk.Errorf(wstk.Conflict, op,
				"another process has locked the cache for %s", patience)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

func (c Cache) note(sum int64) error {
	if err := (Blobs{Dir: c.Dir}).
		write(filepath.Join(c.Dir, usedFile), strconv.AppendInt(nil, sum, 10)); err != nil {
		return failed("writing to the cache", c.Dir, err)
	}
	return nil
}

// kept is an entry, or a folder of Also.
type kept struct {
	path   string
	bytes  int64
	used   time.Time
	folder bool
	part   bool // of a folder that is not finished
}

// Prune leaves at most nine tenths of MaxBytes when there was more than that.
func (c Cache) Prune(ctx context.Context) (wstk.CacheUse, error) { return c.prune(ctx, c.MaxBytes) }

func (c Cache) Clear(ctx context.Context) (wstk.CacheUse, error) { return c.prune(ctx, -1) }

func (c Cache) Use(ctx context.Context) (wstk.CacheUse, error) {
	all, err := c.list(ctx)
	var use wstk.CacheUse
	for _, k := range all {
		add(&use, k)
	}
	return use, err
}

func add(u *wstk.CacheUse, k kept) {
	u.Bytes += k.bytes
	switch {
	case k.part: // takes room, and is nothing yet
	case k.folder:
		u.Folders++
	default:
		u.Entries++
	}
}

// prune keeps at most that many bytes: all of them with 0, none with less.
func (c Cache) prune(ctx context.Context, most int64) (wstk.CacheUse, error) {
	unlock, err := c.alone(ctx)
	if err != nil {
		return wstk.CacheUse{}, err
	}
	defer unlock()
	return c.sweep(ctx, most)
}

// sweep is prune for who is alone.
func (c Cache) sweep(ctx context.Context, most int64) (wstk.CacheUse, error) {
	const op = "pruning the cache"
	all, err := c.list(ctx)
	if err != nil {
		return wstk.CacheUse{}, err
	}
	var sum int64
	for _, k := range all {
		sum += k.bytes
	}
	aim := sum
	switch {
	case most < 0:
		aim = -1
	case most > 0 && sum > most:
		aim = int64(float64(most) * keepShare)
	}
	slices.SortFunc(all, func(a, b kept) int { return a.used.Compare(b.used) })
	now := c.now()
	var use wstk.CacheUse
	for _, k := range all {
		stays := sum <= aim && (k.folder || !expired(k.path, now))
		if k.part { // another process may be writing it
			stays = k.used.After(now.Add(-dead))
		}
		if stays {
			add(&use, k)
			continue
		}
		path := k.path
		// a removal that is cut short leaves nothing that looks like evidence
		if k.folder && !unfinished(path) {
			path = filepath.Join(filepath.Dir(path), newFolder+filepath.Base(path))
			if err := os.Rename(k.path, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return use, failed(op, c.Dir, err)
			}
		}
		if err := os.RemoveAll(path); err != nil {
			return use, failed(op, c.Dir, err)
		}
		if k.folder { // that of its day, once it is empty
			_ = os.Remove(filepath.Dir(k.path))
		}
		sum -= k.bytes
		use.Removed++
		use.Freed += k.bytes
	}
	if _, err := (Blobs{Dir: c.Dir}).Clean(now.Add(-dead)); err != nil {
		return use, err
	}
	return use, c.note(sum)
}

// expired reports whether an entry is out of date, or no entry at all.
func expired(path string, now time.Time) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	buf := make([]byte, 8<<10)
	n, _ := f.Read(buf)
	line, _, ok := bytes.Cut(buf[:n], []byte{'\n'})
	var head entryHead
	return ok && (json.Unmarshal(line, &head) != nil || !now.Before(head.ExpiresAt))
}

// list finds entries and folders. What vanishes meanwhile is left out.
func (c Cache) list(ctx context.Context) ([]kept, error) {
	const op = "looking through the cache"
	var out []kept
	err := filepath.WalkDir(filepath.Join(c.Dir, entries),
		func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return pass(ctx, err)
			}
			if info, err := d.Info(); err == nil {
				out = append(out, kept{path: path, bytes: info.Size(), used: info.ModTime()})
			}
			return nil
		})
	if err != nil {
		return nil, failed(op, c.Dir, err)
	}
	if c.Also == "" {
		return out, nil
	}
	folders, err := Captures{Dir: c.Also}.folders()
	if err != nil {
		return nil, failed(op, c.Also, err)
	}
	for _, path := range folders {
		if err := ctx.Err(); err != nil {
			return nil, wstk.Wrap(wstk.Cancelled, op, err)
		}
		k := kept{path: path, folder: true, part: unfinished(path)}
		if info, err := os.Stat(path); err == nil {
			k.used = info.ModTime()
		}
		if info, err := os.Stat(filepath.Join(path, manifestFile)); err == nil && !k.part {
			k.used = info.ModTime()
		}
		files, err := os.ReadDir(path)
		if err != nil {
			continue
		}
		for _, f := range files {
			if info, err := f.Info(); err == nil {
				k.bytes += info.Size()
			}
		}
		out = append(out, k)
	}
	return out, nil
}

// pass lets a walk go on where something vanished.
func pass(ctx context.Context, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, ctx.Err())
}
