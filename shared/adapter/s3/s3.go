// Package s3 keeps blobs in an S3 bucket.
package s3

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	"github.com/klauspost/compress/zstd"

	"wstk/shared/wstk"
)

var _ wstk.BlobStore = Blobs{}

// Blobs is a wstk.BlobStore in a bucket. A blob is one object, named by its hash under
// Prefix and compressed with zstd where that makes it smaller (its metadata says so).
// It is written under the condition that it does not exist yet: objects never
// change.
type Blobs struct {
	Client *s3.Client
	Bucket string
	Prefix string // "blobs/"

	// Expires says that objects under Prefix go some time after they were written. They
	// are then written again, with the same bytes, so that what is in use stays.
	Expires bool
}

const (
	codingKey = "coding" // user metadata of an object: zstd, or absent
	sizeKey   = "size"   // bytes before compression
)

// maxBlob bounds what is decompressed, against a damaged object; no blob of ours is
// larger.
const maxBlob = 1 << 30

var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true),
			zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic("zstd options: " + err.Error()) // they are constants
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0),
			zstd.WithDecoderMaxMemory(maxBlob))
		if err != nil {
			panic("zstd options: " + err.Error())
		}
		return d
	})
)

func (b Blobs) key(h wstk.Hash) *string {
	return aws.String(b.Prefix + string(h[:2]) + "/" + string(h))
}

func (b Blobs) Put(ctx context.Context, data []byte) (wstk.Hash, error) {
	const op = "storing blob"
	h := wstk.HashOf(data)
	in := &s3.PutObjectInput{Bucket: &b.Bucket, Key: b.key(h), Body: bytes.NewReader(data),
		ContentType: aws.String("application/octet-stream"),
		Metadata:    map[string]string{sizeKey: strconv.Itoa(len(data))}}
	if small := encoder().EncodeAll(data, nil); len(small) < len(data) {
		in.Body, in.Metadata[codingKey] = bytes.NewReader(small), "zstd"
	}
	if !b.Expires {
		in.IfNoneMatch = aws.String("*")
	}
	for try := 1; ; try++ {
		_, err := b.Client.PutObject(ctx, in)
		switch code := codeOf(err); {
		case err == nil, code == "PreconditionFailed": // or it is there already
			return h, nil
		// another process is writing or deleting it right now
		case code == "ConditionalRequestConflict" && try < 5:
			in.Body.(*bytes.Reader).Seek(0, io.SeekStart)
			select {
			case <-time.After(10 * time.Millisecond << try):
			case <-ctx.Done():
				return "", failed(ctx, op, ctx.Err())
			}
		default:
			return "", failed(ctx, op, err)
		}
	}
}

func (b Blobs) Get(ctx context.Context, h wstk.Hash) ([]byte, error) {
	const op = "reading blob"
	if !h.Valid() {
		return nil, wstk.Errorf(wstk.Invalid, op, "%q is not a hash", h)
	}
	out, err := b.Client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.Bucket, Key: b.key(h)})
	if err != nil {
		if Missing(err) {
			return nil, wstk.Errorf(wstk.NotFound, op, "no blob %s", h)
		}
		return nil, failed(ctx, op, err)
	}
	defer out.Body.Close()
	data, err := io.ReadAll(out.Body)
	if err != nil {
		return nil, failed(ctx, op, err)
	}
	if out.Metadata[codingKey] == "zstd" {
		if data, err = decoder().DecodeAll(data, nil); err != nil {
			return nil, wstk.Errorf(wstk.Internal, op, "blob %s is damaged: %w", h, err)
		}
	}
	if wstk.HashOf(data) != h {
		return nil, wstk.Errorf(wstk.Internal, op,
			"blob %s is damaged: its bytes have another hash", h)
	}
	return data, nil
}

func (b Blobs) Has(ctx context.Context, h wstk.Hash) (bool, error) {
	const op = "looking for blob"
	if !h.Valid() {
		return false, wstk.Errorf(wstk.Invalid, op, "%q is not a hash", h)
	}
	_, err := b.Client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.Bucket, Key: b.key(h)})
	if err != nil && Missing(err) {
		return false, nil
	}
	if err != nil {
		return false, failed(ctx, op, err)
	}
	return true, nil
}

func (b Blobs) Delete(ctx context.Context, h wstk.Hash) error {
	const op = "removing blob"
	if !h.Valid() {
		return wstk.Errorf(wstk.Invalid, op, "%q is not a hash", h)
	}
	if _, err := b.Client.DeleteObject(ctx,
		&s3.DeleteObjectInput{Bucket: &b.Bucket, Key: b.key(h)}); err != nil {
		return failed(ctx, op, err)
	}
	return nil
}

func codeOf(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

// Missing reports whether an error of S3 says that there is no such object.
func Missing(err error) bool {
	switch codeOf(err) {
	case "NoSuchKey", "NotFound":
		return true
	}
	return false
}

// failed gives an error of the SDK its code.
func failed(ctx context.Context, op string, err error) error {
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	}
	switch codeOf(err) {
	case "":
		return wstk.Errorf(wstk.Unavailable, op, "S3 cannot be reached: %w", err)
	case "NoSuchBucket":
		return wstk.Errorf(wstk.Internal, op, "%w", err).
			Try(wstk.Advice("deploy the stack; its bucket is missing here"))
	case "EntityTooLarge":
		return wstk.Errorf(wstk.TooLarge, op, "%w", err)
	case "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken",
		"InvalidArgument", "InvalidRequest":
		return wstk.Errorf(wstk.Internal, op, "%w", err)
	}
	return wstk.Errorf(wstk.Unavailable, op, "%w", err)
}
