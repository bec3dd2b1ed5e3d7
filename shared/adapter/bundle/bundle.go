// Package bundle writes and reads proof bundles: one zip file with a result and
// every text, snapshot and page structure that its evidence refers to, so that anyone who receives
// it can check each quote without the system, the store or the network.
//
// A bundle holds result.json (the reply as it was printed), blobs/HASH (the bytes
// whose SHA-256 is HASH), documents/HASH (the same, of the structure of a page: see
// wstk.SaveDocument), snapshots/HASH (the same, of what is known of a fetch: a
// wstk.Snapshot as JSON) and README.txt (how to check it by hand).
package bundle

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"wstk/shared/wstk"
)

// readme is README.txt of each bundle: a document for people at a shell.
//
//go:embed readme.txt
var readme string

// What a bundle may unpack to, so that one from a stranger cannot fill memory: in bytes,
// all of its entries together, and in entries.
const (
	maxTotal   = 256 << 20
	maxEntries = 4096
)

// folders are where blobs lie, under the hash of their bytes.
var folders = []string{"blobs/", "documents/", "snapshots/"}

// Write stores result, the blobs named by hashes, the structures of pages named by
// documents, and fetches, as a bundle at path. It appears whole or not at all, and only
// its owner may read it. A blob that is missing is NotFound; what Open would refuse for
// its size is TooLarge. A file at path that is no bundle, or that holds an answer where result
// is none, is left as it is, and that is Invalid.
func Write(
	ctx context.Context, path string, result []byte, blobs wstk.BlobStore, hashes,
	documents []wstk.Hash, fetches []wstk.Snapshot,
) (err error) {
	const op = "writing bundle"
	if err := replaceable(ctx, path, len(hashes) > 0 && answers(result)); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".bundle-*")
	if err != nil {
		var cause *fs.PathError
		if errors.As(err, &cause) { // its path is a name of no interest
			err = cause.Err
		}
		return wstk.Errorf(wstk.Unavailable, op, "no file can be made in the folder %s: %w",
			filepath.Dir(path), err).
			Try(wstk.Advice("name a file in a folder that exists and may be written"))
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	z := zip.NewWriter(tmp)
	total, entries := 0, 0
	put := func(name string, data []byte) error {
		if total, entries = total+len(data), entries+1; total > maxTotal || entries > maxEntries {
			return wstk.Errorf(wstk.TooLarge, op,
				"the pages do not fit into a bundle: it holds at most %d MB in %d files",
				maxTotal>>20, maxEntries).
				Try(wstk.Step{Do: wstk.DoOption, For: "ask for less",
					Options: []wstk.Option{wstk.OptLimit.Set(10)}},
					wstk.Step{Do: wstk.DoOption,
						For:     "save the reply, which verifies against this store",
						Options: []wstk.Option{wstk.OptJSON.On()}})
		}
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(data)
		}
		return wstk.Wrap(wstk.Unavailable, op, err)
	}
	if err := put("README.txt", []byte(readme)); err != nil {
		return err
	}
	if err := put("result.json", result); err != nil {
		return err
	}
	written := map[wstk.Hash]bool{}
	for i, list := range [][]wstk.Hash{hashes, documents} {
		for _, h := range slices.Compact(slices.Sorted(slices.Values(list))) {
			if written[h] || i == 0 && slices.Contains(documents, h) {
				continue
			}
			written[h] = true
			data, err := blobs.Get(ctx, h)
			if err != nil {
				return wstk.Wrap(wstk.Internal, op, err)
			}
			if err := put(folders[i]+string(h), data); err != nil {
				return err
			}
		}
	}
	for _, s := range fetches {
		data, err := json.Marshal(s)
		if err != nil {
			return wstk.Wrap(wstk.Internal, op, err)
		}
		h := wstk.HashOf(data)
		if written[h] {
			continue
		}
		written[h] = true
		if err := put(folders[2]+string(h), data); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return wstk.Wrap(wstk.Unavailable, op, err)
	}
	if err := tmp.Close(); err != nil { // it was made with mode 0600
		return wstk.Wrap(wstk.Unavailable, op, err)
	}
	return wstk.Wrap(wstk.Internal, op, os.Rename(tmp.Name(), path))
}

// answers reports whether a result is an answer. Only one that says so is none.
func answers(result []byte) bool {
	var r struct {
		Answered *bool `json:"answered"`
	}
	return json.Unmarshal(result, &r) != nil || r.Answered == nil || *r.Answered
}

// replaceable refuses a path at which there is something else than a bundle, or one with an
// answer that would give way to one without.
func replaceable(ctx context.Context, path string, answer bool) error {
	const another = "name a new file"
	st, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return wstk.Errorf(wstk.Invalid, "writing bundle", "%w", err).Try(wstk.Advice(another))
	case !st.Mode().IsRegular():
		return wstk.Errorf(wstk.Invalid, "", "%s is not a regular file", path).
			Try(wstk.Advice(another))
	case st.Size() == 0:
		return nil
	}
	b, err := Open(ctx, path)
	if ctx.Err() != nil {
		if err == nil {
			b.Close()
		}
		return wstk.Wrap(wstk.Cancelled, "writing bundle", ctx.Err())
	}
	if err != nil {
		return wstk.Errorf(wstk.Invalid, "", "%s exists and is not a bundle", path).
			Try(wstk.Advice(another))
	}
	defer b.Close()
	if !answer && len(b.blobs) > 0 && answers(b.result) {
		return wstk.Errorf(wstk.Invalid, "", "%s holds an answer, and this question has none: "+
			"the file was not changed", path).Try(wstk.Advice(another))
	}
	return nil
}

// Bundle is an open bundle: a result, and a read-only wstk.BlobStore. It reads each entry
// once and keeps it; what all of them unpack to is bounded.
type Bundle struct {
	result    []byte
	file      *zip.ReadCloser
	blobs     map[wstk.Hash]*zip.File
	documents []wstk.Hash
	fetches   []wstk.Hash

	mu   sync.Mutex
	read map[wstk.Hash][]byte // and found to be what their name says
}

var _ wstk.BlobStore = (*Bundle)(nil)

// Open reads the bundle in the file of this name. What is not a bundle, holds anything
// but what Write puts there, or unpacks to more than a bundle may, is Invalid.
func Open(ctx context.Context, name string) (_ *Bundle, err error) {
	const op = "opening bundle"
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "%w", err)
	}
	b := &Bundle{file: z, blobs: map[wstk.Hash]*zip.File{}, read: map[wstk.Hash][]byte{}}
	defer func() {
		if err != nil {
			z.Close()
		}
	}()
	if err := plain(name, &z.Reader); err != nil {
		return nil, wstk.Wrap(wstk.Invalid, op, err)
	}
	var result *zip.File
	total, seen := uint64(0), map[string]bool{}
	for _, f := range z.File {
		if seen[f.Name] {
			return nil, wstk.Errorf(wstk.Invalid, op, "the bundle holds %q twice", f.Name)
		}
		seen[f.Name] = true
		if total += f.UncompressedSize64; total > maxTotal || f.UncompressedSize64 > maxTotal {
			return nil, wstk.Errorf(wstk.Invalid, op,
				"the bundle would unpack to more than %d MB", maxTotal>>20)
		}
		dir, base := path.Split(f.Name)
		h := wstk.Hash(base)
		switch {
		case f.Name == "result.json":
			result = f
		case f.Name == "README.txt":
		case slices.Contains(folders, dir) && h.Valid():
			if b.blobs[h] != nil {
				return nil, wstk.Errorf(wstk.Invalid, op, "the bundle holds the blob %s twice", h)
			}
			b.blobs[h] = f
			switch dir {
			case "documents/":
				b.documents = append(b.documents, h)
			case "snapshots/":
				b.fetches = append(b.fetches, h)
			}
		default:
			return nil, wstk.Errorf(wstk.Invalid, op,
				"the bundle holds %q, which does not belong in a bundle", f.Name)
		}
	}
	if result == nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "%s holds no result.json", name)
	}
	if b.result, err = unpack(result); err != nil {
		return nil, wstk.Wrap(wstk.Invalid, op, err)
	}
	for _, h := range b.fetches {
		data, err := b.Get(ctx, h)
		if ctx.Err() != nil {
			return nil, wstk.Wrap(wstk.Cancelled, op, ctx.Err())
		}
		if err != nil { // a damaged bundle is the caller's, not ours
			return nil, wstk.Errorf(wstk.Invalid, op, "%w", err)
		}
		if err := json.Unmarshal(data, &wstk.Snapshot{}); err != nil {
			return nil, wstk.Errorf(wstk.Invalid, op, "the fetch %s cannot be read: %w", h, err)
		}
	}
	return b, nil
}

// plain refuses a file that two programs may unpack to two things: where the headers in
// front of the entries name other files than the directory at the end, where something
// lies before, between or behind the entries, and where entries are more than a bundle has.
func plain(name string, z *zip.Reader) error {
	if len(z.File) > maxEntries {
		return fmt.Errorf("the bundle holds more than %d files", maxEntries)
	}
	if z.Comment != "" {
		return fmt.Errorf("the bundle holds a comment")
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	places := make([]place, 0, len(z.File))
	for _, e := range z.File {
		at, err := e.DataOffset()
		if err != nil {
			return err
		}
		places = append(places, place{e, at})
	}
	slices.SortFunc(places, func(a, b place) int { return int(a.data - b.data) })
	at := int64(0)
	for _, e := range places {
		if at, err = e.check(f, at); err != nil {
			return err
		}
	}
	return checkDirectory(f, at, len(z.File))
}

// place is an entry, and where its data begins in the file.
type place struct {
	*zip.File
	data int64
}

// check compares the header of an entry, which begins at this offset, with what the directory
// says of it, and returns where the entry ends.
func (e place) check(f *os.File, at int64) (end int64, err error) {
	const header, signature = 30, "PK\x03\x04"
	head := make([]byte, header)
	if _, err := f.ReadAt(head, at); err != nil || string(head[:4]) != signature {
		return 0, fmt.Errorf("the bundle has bytes before %q that its directory does not name", e.Name)
	}
	n, more := int64(head[26])|int64(head[27])<<8, int64(head[28])|int64(head[29])<<8
	called := make([]byte, n)
	if _, err := f.ReadAt(called, at+header); err != nil || string(called) != e.Name ||
		at+header+n+more != e.data {
		return 0, fmt.Errorf("the bundle's directory names the file %q, "+
			"and the header of that file has another name", e.Name)
	}
	if more > 0 || len(e.Extra) > 0 || e.Comment != "" { // another name may stand there
		return 0, fmt.Errorf("the file %q has extra fields or a comment", e.Name)
	}
	if !sameHead(head, e.File) {
		return 0, fmt.Errorf("the header of the file %q differs from the directory", e.Name)
	}
	if e.Flags&1 != 0 || e.NonUTF8 || e.Mode().IsDir() || !e.Mode().IsRegular() {
		return 0, fmt.Errorf("%q is not a plain file", e.Name)
	}
	at = e.data + int64(e.CompressedSize64)
	if e.Flags&8 == 0 {
		return at, nil
	}
	// its sizes stand behind it, with or without a signature
	tail := make([]byte, 4)
	if _, err := f.ReadAt(tail, at); err != nil {
		return 0, err
	}
	if string(tail) == "PK\x07\x08" {
		return at + 16, nil
	}
	return at + 12, nil
}

// checkDirectory refuses a file whose directory does not begin at this offset, right behind
// the entries, or does not end with the file.
func checkDirectory(f *os.File, at int64, entries int) error {
	const endSize = 22
	dir := make([]byte, 4)
	if _, err := f.ReadAt(dir, at); err != nil || entries > 0 && string(dir) != "PK\x01\x02" {
		return fmt.Errorf("the bundle has bytes before its directory that it does not name")
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	end := make([]byte, endSize)
	if _, err := f.ReadAt(end, info.Size()-endSize); err != nil || string(end[:4]) != "PK\x05\x06" {
		return fmt.Errorf("the bundle has bytes after the end of its directory")
	}
	size, offset := le32(end[12:]), le32(end[16:])
	if int(end[10])|int(end[11])<<8 != entries || offset != at ||
		offset+size != info.Size()-endSize {
		return fmt.Errorf("the end record of the bundle gives a wrong place for its directory")
	}
	return nil
}

// sameHead reports whether the header in front of an entry says of it what the directory
// does: how it is packed, its sum and its sizes, which may stand behind it instead.
func sameHead(head []byte, e *zip.File) bool {
	le16 := func(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 }
	if le16(head[6:]) != e.Flags || le16(head[8:]) != e.Method ||
		e.Method != zip.Store && e.Method != zip.Deflate {
		return false
	}
	sum, packed, size := uint32(le32(head[14:])), uint64(le32(head[18:])), uint64(le32(head[22:]))
	if e.Flags&8 != 0 && sum == 0 && packed == 0 && size == 0 {
		return true
	}
	return sum == e.CRC32 && packed == e.CompressedSize64 && size == e.UncompressedSize64
}

func le32(b []byte) int64 {
	return int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16 | int64(b[3])<<24
}

// Reply returns the result as it was written.
func (b *Bundle) Reply() []byte { return b.result }

// Documents are the hashes of the structures of the pages it holds.
func (b *Bundle) Documents() []wstk.Hash { return b.documents }

// Fetches are the hashes of what is known of the fetches whose bodies it holds, each a
// wstk.Snapshot as JSON; none in bundles of older versions.
func (b *Bundle) Fetches() []wstk.Hash { return b.fetches }

// Blobs are the hashes of all that it holds beside the result, in their order.
func (b *Bundle) Blobs() []wstk.Hash { return slices.Sorted(maps.Keys(b.blobs)) }

// Close closes the file.
func (b *Bundle) Close() error { return b.file.Close() }

// Get returns the bytes of a blob after checking them against h. They are kept: callers
// must not change them.
func (b *Bundle) Get(ctx context.Context, h wstk.Hash) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !h.Valid() {
		return nil, wstk.Errorf(wstk.Invalid, "reading bundle", "%q is not a hash", h)
	}
	f := b.blobs[h]
	if f == nil {
		return nil, wstk.Errorf(wstk.NotFound, "reading bundle", "no blob %s", h)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if data, ok := b.read[h]; ok {
		return data, nil
	}
	data, err := unpack(f)
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, "reading bundle", err)
	}
	if got := wstk.HashOf(data); got != h {
		return nil, wstk.Errorf(wstk.Internal, "reading bundle", "blob %s has hash %s", h, got)
	}
	b.read[h] = data
	return data, nil
}

// Has reports whether the bundle holds h.
func (b *Bundle) Has(_ context.Context, h wstk.Hash) (bool, error) { return b.blobs[h] != nil, nil }

// Put is refused: a bundle is read only.
func (b *Bundle) Put(context.Context, []byte) (wstk.Hash, error) { return "", readOnly() }

// Delete is refused: a bundle is read only.
func (b *Bundle) Delete(context.Context, wstk.Hash) error { return readOnly() }

func readOnly() error {
	return wstk.Errorf(wstk.Invalid, "writing bundle", "a bundle is read only")
}

// unpack reads an entry, which must be as long as the directory says and fill its place.
func unpack(f *zip.File) ([]byte, error) {
	if err := filled(f); err != nil {
		return nil, err
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, int64(f.UncompressedSize64)+1))
	if err == nil && uint64(len(data)) != f.UncompressedSize64 {
		err = fmt.Errorf("%s does not have the %d bytes that its bundle states", f.Name,
			f.UncompressedSize64)
	}
	return data, err
}

// filled refuses an entry behind whose packed bytes others lie, which no program unpacks.
func filled(f *zip.File) error {
	raw, err := f.OpenRaw()
	if err != nil || f.Method != zip.Deflate {
		return err
	}
	in := bufio.NewReader(raw)
	if _, err := io.Copy(io.Discard, io.LimitReader(flate.NewReader(in), maxTotal)); err != nil {
		return err
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return fmt.Errorf("%s is larger than its bundle says", f.Name)
	}
	return nil
}
