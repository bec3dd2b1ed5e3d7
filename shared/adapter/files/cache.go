package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

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
// MaxBytes bounds the files of Dir and of the folders in Also, which are pruned with
// them, whole: what was used longest ago goes first. Puts keep to it closely, not
// exactly, when several processes write.
type Cache struct {
	Dir      string
	MaxBytes int64            // 0 means no bound
	Also     string           // a folder of folders, each of them forgotten as one; "" means none
	Now      func() time.Time // nil means the system's clock
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
	data, err := os.ReadFile(name)
	if err != nil {
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
	value, err := decoder().DecodeAll(rest, nil)
	if err != nil || wstk.HashOf(value) != head.SHA256 {
		return wstk.CacheEntry{}, missing
	}
	// Nothing is lost when this fails but the entry's place in the order of use.
	_ = os.Chtimes(name, now, now)
	return wstk.CacheEntry{Value: value, StoredAt: head.StoredAt, ExpiresAt: head.ExpiresAt}, nil
}

func (c Cache) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	const op = "writing to the cache"
	if err := ctx.Err(); err != nil {
		return wstk.Wrap(wstk.Cancelled, op, err)
	}
	now := c.now()
	head, err := json.Marshal(entryHead{Key: key, StoredAt: now.UTC(), ExpiresAt: now.Add(ttl).UTC(), SHA256: wstk.HashOf(value)})
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
// many.
func (c Cache) Grew(ctx context.Context, n int64) error {
	if c.MaxBytes <= 0 {
		return nil
	}
	used := filepath.Join(c.Dir, usedFile)
	data, err := os.ReadFile(used)
	sum, parse := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	if err != nil || parse != nil || sum+n > c.MaxBytes {
		_, err := c.Prune(ctx)
		return err
	}
	return c.note(sum + n)
}

func (c Cache) note(sum int64) error {
	if err := (Blobs{Dir: c.Dir}).write(filepath.Join(c.Dir, usedFile), strconv.AppendInt(nil, sum, 10)); err != nil {
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
	if k.folder {
		u.Folders++
	} else {
		u.Entries++
	}
}

// prune keeps at most that many bytes: all of them with 0, none with less.
func (c Cache) prune(ctx context.Context, most int64) (wstk.CacheUse, error) {
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
		if sum <= aim && (k.folder || !expired(k.path, now)) {
			add(&use, k)
			continue
		}
		if err := os.RemoveAll(k.path); err != nil {
			return use, failed(op, c.Dir, err)
		}
		if k.folder { // that of its day, once it is empty
			_ = os.Remove(filepath.Dir(k.path))
		}
		sum -= k.bytes
		use.Removed++
		use.Freed += k.bytes
	}
	if _, err := (Blobs{Dir: c.Dir}).Clean(now.Add(-time.Hour)); err != nil {
		return use, err
	}
	return use, c.note(sum)
}

// expired tells whether an entry is out of date, or no entry at all.
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
	err := filepath.WalkDir(filepath.Join(c.Dir, entries), func(path string, d fs.DirEntry, err error) error {
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
	folders, err := filepath.Glob(filepath.Join(c.Also, "*", "*", manifestFile))
	if err != nil {
		return nil, failed(op, c.Also, err)
	}
	for _, manifest := range folders {
		k := kept{path: filepath.Dir(manifest), folder: true}
		if info, err := os.Stat(manifest); err == nil {
			k.used = info.ModTime()
		}
		files, err := os.ReadDir(k.path)
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
