package s3

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/logging"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func open(t *testing.T) Blobs {
	t.Helper()
	endpoint := os.Getenv("WSTK_AWS_ENDPOINT")
	if endpoint == "" {
		wstktest.Skip(t, "WSTK_AWS_ENDPOINT names no endpoint")
	}
	cfg, err := config.LoadDefaultConfig(t.Context(), config.WithBaseEndpoint(endpoint),
		config.WithRegion("us-east-1"), config.WithLogger(logging.Nop{}))
	if err != nil {
		t.Fatal(err)
	}
	client := s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = true })
	b := Blobs{Client: client, Bucket: "test-" + strings.ToLower(rand.Text()), Prefix: "blobs/"}
	if _, err := client.CreateBucket(t.Context(),
		&s3.CreateBucketInput{Bucket: &b.Bucket}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.Background()
		list, err := client.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: &b.Bucket})
		if err != nil {
			return
		}
		for _, o := range list.Contents {
			client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.Bucket, Key: o.Key})
		}
		client.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: &b.Bucket})
	})
	return b
}

func TestBlobs(t *testing.T) {
	wstktest.BlobStore(t, func(t *testing.T) wstk.BlobStore { return open(t) })
}

// A stored object is never written over, and damage is found when it is read.
func TestObjectsNeverChange(t *testing.T) {
	b := open(t)
	ctx := t.Context()
	data := []byte(strings.Repeat("the same words again ", 100))
	h, err := b.Put(ctx, data)
	if err != nil {
		t.Fatal(err)
	}
	other := []byte("written here by hand")
	if _, err := b.Client.PutObject(ctx, &s3.PutObjectInput{Bucket: &b.Bucket, Key: b.key(h),
		Body: bytes.NewReader(other)}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Get(ctx, h); wstk.CodeOf(err) != wstk.Internal {
		t.Errorf("other bytes under the hash: %v", err)
	}
	if _, err := b.Put(ctx, data); err != nil {
		t.Fatal(err)
	}
	out, err := b.Client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.Bucket, Key: b.key(h)})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Body.Close()
	var got bytes.Buffer
	got.ReadFrom(out.Body)
	if !bytes.Equal(got.Bytes(), other) {
		t.Error("Put wrote over an object")
	}
}

func TestTextIsCompressed(t *testing.T) {
	b := open(t)
	h, err := b.Put(t.Context(), bytes.Repeat([]byte("<p>the same again</p>\n"), 10_000))
	if err != nil {
		t.Fatal(err)
	}
	head, err := b.Client.HeadObject(t.Context(),
		&s3.HeadObjectInput{Bucket: &b.Bucket, Key: b.key(h)})
	if err != nil || aws.ToInt64(head.ContentLength) > 2000 {
		t.Errorf("%d bytes are stored, %v", aws.ToInt64(head.ContentLength), err)
	}
}
