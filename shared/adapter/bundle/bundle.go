// Package bundle writes and reads proof bundles: one zip file with a result and
// every text, snapshot and page structure that its evidence refers to, so that whoever receives
// it can check each quote without the system, the store or the network.
//
// A bundle holds result.json (the reply as it was printed), blobs/HASH (the bytes
// whose SHA-256 is HASH), documents/HASH (the same, of the structure of a page: see
// wstk.SaveDocument) and README.txt (how to check it by hand).
package bundle

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	"wstk/shared/wstk"
)

const readme = `This is a proof bundle.

result.json   the reply. Each object under "evidence" names the stored bytes it
              was found in: text_sha256 for quotes, snapshot_sha256 for data.
blobs/HASH    those bytes. Their SHA-256 is their name.
documents/HASH  the structure of each page: address, sections, when it was fetched.

To check it with the tool:  wstk verify FILE
To check it by hand:        sha256sum blobs/* ; then look at bytes byte_start to
                            byte_end of blobs/TEXT_SHA256 for each quote.
`

// maxEntry bounds what one entry may unpack to, in bytes, so that a bundle from a
// stranger cannot fill memory.
const maxEntry = 256 << 20

// Write stores result, the blobs named by hashes, and the structures of pages named
// by documents, as a bundle at path. It appears whole or not at all. A blob that is
// missing is NotFound.
func Write(ctx context.Context, path string, result []byte, blobs wstk.BlobStore, hashes, documents []wstk.Hash) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".bundle-*")
	if err != nil {
		return wstk.Errorf(wstk.Invalid, "writing bundle", "%w", err).WithNext("name a file in a folder that exists and may be written")
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	z := zip.NewWriter(tmp)
	put := func(name string, data []byte) error {
		w, err := z.Create(name)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	}
	if err := put("README.txt", []byte(readme)); err != nil {
		return wstk.Wrap(wstk.Unavailable, "writing bundle", err)
	}
	if err := put("result.json", result); err != nil {
		return wstk.Wrap(wstk.Unavailable, "writing bundle", err)
	}
	for _, folder := range []struct {
		name   string
		hashes []wstk.Hash
	}{{"blobs/", hashes}, {"documents/", documents}} {
		for _, h := range slices.Compact(slices.Sorted(slices.Values(folder.hashes))) {
			data, err := blobs.Get(ctx, h)
			if err != nil {
				return wstk.Wrap(wstk.Internal, "writing bundle", err)
			}
			if err := put(folder.name+string(h), data); err != nil {
				return wstk.Wrap(wstk.Unavailable, "writing bundle", err)
			}
		}
	}
	if err := z.Close(); err != nil {
		return wstk.Wrap(wstk.Unavailable, "writing bundle", err)
	}
	if err := tmp.Close(); err != nil {
		return wstk.Wrap(wstk.Unavailable, "writing bundle", err)
	}
	if err := os.Chmod(tmp.Name(), 0o644); err != nil {
		return wstk.Wrap(wstk.Internal, "writing bundle", err)
	}
	return wstk.Wrap(wstk.Internal, "writing bundle", os.Rename(tmp.Name(), path))
}

// Bundle is an open bundle: a result, and a read-only wstk.BlobStore.
type Bundle struct {
	result    []byte
	file      *zip.ReadCloser
	blobs     map[wstk.Hash]*zip.File
	documents []wstk.Hash
}

var _ wstk.BlobStore = (*Bundle)(nil)

// Open reads the bundle in the file of this name. What is not a bundle is Invalid.
func Open(name string) (*Bundle, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, "opening bundle", "%w", err)
	}
	b := &Bundle{file: z, blobs: map[wstk.Hash]*zip.File{}}
	for _, f := range z.File {
		if dir, name := path.Split(f.Name); (dir == "blobs/" || dir == "documents/") && wstk.Hash(name).Valid() {
			b.blobs[wstk.Hash(name)] = f
			if dir == "documents/" {
				b.documents = append(b.documents, wstk.Hash(name))
			}
		}
		if f.Name == "result.json" {
			if b.result, err = read(f); err != nil {
				z.Close()
				return nil, wstk.Wrap(wstk.Invalid, "opening bundle", err)
			}
		}
	}
	if b.result == nil {
		z.Close()
		return nil, wstk.Errorf(wstk.Invalid, "opening bundle", "%s holds no result.json", name)
	}
	return b, nil
}

// Reply returns the result as it was written.
func (b *Bundle) Reply() []byte { return b.result }

// Documents are the hashes of the structures of the pages it holds.
func (b *Bundle) Documents() []wstk.Hash { return b.documents }

// Close closes the file.
func (b *Bundle) Close() error { return b.file.Close() }

// Get returns the bytes of a blob after checking them against h.
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
	data, err := read(f)
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, "reading bundle", err)
	}
	if got := wstk.HashOf(data); got != h {
		return nil, wstk.Errorf(wstk.Internal, "reading bundle", "blob %s has hash %s", h, got)
	}
	return data, nil
}

// Has tells whether the bundle holds h.
func (b *Bundle) Has(_ context.Context, h wstk.Hash) (bool, error) { return b.blobs[h] != nil, nil }

// Put is refused: a bundle is read only.
func (b *Bundle) Put(context.Context, []byte) (wstk.Hash, error) { return "", readOnly() }

// Delete is refused: a bundle is read only.
func (b *Bundle) Delete(context.Context, wstk.Hash) error { return readOnly() }

func readOnly() error { return wstk.Errorf(wstk.Invalid, "writing bundle", "a bundle is read only") }

func read(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxEntry+1))
	if err == nil && len(data) > maxEntry {
		err = fmt.Errorf("%s is over %d bytes", f.Name, maxEntry)
	}
	return data, err
}
