package wstk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Hash is the SHA-256 of some bytes in lower-case hex, 64 characters. It names
// bodies, Document texts and bundles.
type Hash string

// HashOf returns the hash of data.
func HashOf(data []byte) Hash {
	sum := sha256.Sum256(data)
	return Hash(hex.EncodeToString(sum[:]))
}

// Valid reports whether h has the form of a hash.
func (h Hash) Valid() bool {
	if len(h) != 2*sha256.Size {
		return false
	}
	for _, c := range []byte(h) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// KeepBlob stores data again if it is gone. The code that stored a row that names a blob calls it
// after that: the removal of a site, which found no row that named the blob, may have come
// between the two.
func KeepBlob(ctx context.Context, blobs BlobStore, h Hash, data []byte) error {
	has, err := blobs.Has(ctx, h)
	if err != nil || has {
		return err
	}
	_, err = blobs.Put(ctx, data)
	return err
}

// BlobStore keeps bytes under their hash: raw bodies, Document texts, Document
// structures, results. A stored blob never changes. Implementations may
// compress; callers never see it. All methods may be called concurrently, also
// by several processes on one store.
type BlobStore interface {
	// Put stores data and returns its hash. Putting the same bytes again is the
	// same as once. When Put has returned, a reader sees all of the bytes or,
	// had it failed, none: a half-written blob is never visible. A full disk is
	// Unavailable.
	Put(ctx context.Context, data []byte) (Hash, error)

	// Get returns the bytes stored under h, checked against h. A missing blob is
	// NotFound; bytes that no longer match their hash are Internal; an h that is
	// not Valid is Invalid. The caller may keep and change what it gets.
	Get(ctx context.Context, h Hash) ([]byte, error)

	// Has reports whether h is stored, without reading it.
	Has(ctx context.Context, h Hash) (bool, error)

	// Delete removes h; a missing one is no error.
	Delete(ctx context.Context, h Hash) error
}

// PutJSON stores v as JSON.
func PutJSON(ctx context.Context, blobs BlobStore, v any) (Hash, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", Wrap(Internal, "storing", err)
	}
	return blobs.Put(ctx, data)
}

// GetJSON reads what PutJSON stored. What is no JSON of T is Internal.
func GetJSON[T any](ctx context.Context, blobs BlobStore, h Hash) (v T, err error) {
	data, err := blobs.Get(ctx, h)
	if err != nil {
		return v, err
	}
	return v, Wrap(Internal, "reading "+string(h), json.Unmarshal(data, &v))
}
