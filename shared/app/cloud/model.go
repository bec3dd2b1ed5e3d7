package cloud

import (
	"context"
	"io"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"wstk/shared/adapter/bedrock"
	"wstk/shared/adapter/model/minilm"
	"wstk/shared/adapter/retry"
	"wstk/shared/adapter/s3"
	"wstk/shared/app/stages"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// modelsPrefix is the folder of the bucket with the weights of models, each under its hash.
const modelsPrefix = "models/"

// modelsDir is where a function keeps them while its process lives.
const modelsDir = "/tmp/models"

var _ wstk.Embedder = (*bucketEmbedder)(nil)

// bucketEmbedder is an embedder whose weights lie in a bucket. The first text that is embedded
// waits until they are read: 91 MB. It may be used concurrently.
type bucketEmbedder struct {
	spec  minilm.Spec
	shelf minilm.Shelf // on the disk of this process
	open  func(ctx context.Context, key string) (io.ReadCloser, error)

	mu    sync.Mutex
	model *minilm.Embedder // nil until it was read
}

// embedderNamed returns the known embedder with this name, over the weights in a bucket; nil if
// there is none.
func embedderNamed(name string, client *awss3.Client, bucket string) *bucketEmbedder {
	for _, spec := range minilm.Known {
		if spec.Kind == minilm.Embeds && strings.EqualFold(spec.Name, name) {
			return &bucketEmbedder{spec: spec,
				shelf: minilm.Shelf{Dir: modelsDir, Known: minilm.Known},
				open:  objects{client, bucket}.open}
		}
	}
	return nil
}

// Info reads nothing.
func (b *bucketEmbedder) Info() wstk.EmbedderInfo { return b.spec.Embedder() }

// Embed reads the weights first. Codes, beside the model's own: NotFound if they are not in the
// bucket, Invalid if what is there has another hash, Unavailable.
func (b *bucketEmbedder) Embed(
	ctx context.Context, purpose wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	m, err := b.load(ctx)
	if err != nil {
		return wstk.EmbedReply{}, err
	}
	return m.Embed(ctx, purpose, texts...)
}

func (b *bucketEmbedder) load(ctx context.Context) (*minilm.Embedder, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.model != nil {
		return b.model, nil
	}
	if !b.shelf.Holds(b.spec) {
		if err := b.fetch(ctx); err != nil {
			return nil, err
		}
	}
	m, err := minilm.Open(b.spec, b.shelf.Path(b.spec))
	if err != nil {
		return nil, err
	}
	b.model = &minilm.Embedder{Model: m}
	return b.model, nil
}

// fetch reads the weights from the bucket to the disk, where only those with the right hash
// arrive.
func (b *bucketEmbedder) fetch(ctx context.Context) error {
	key := modelsPrefix + string(b.spec.SHA256) + ".safetensors"
	in, err := b.open(ctx, key)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = b.shelf.Store(ctx, b.spec, in)
	return err
}

// objects are those of a bucket.
type objects struct {
	client *awss3.Client
	bucket string
}

// open returns the bytes of an object. Codes: NotFound, Unavailable.
func (o objects) open(ctx context.Context, key string) (io.ReadCloser, error) {
	const op = "reading model"
	out, err := o.client.GetObject(ctx,
		&awss3.GetObjectInput{Bucket: aws.String(o.bucket), Key: &key})
	if err != nil {
		if s3.Missing(err) {
			return nil, wstk.Errorf(wstk.NotFound, op, "the bucket has no %s", key).
				Try(wstk.Advices("copy the weights into the bucket under this name",
					"deploy with an empty parameter Embedder")...)
		}
		return nil, wstk.Wrap(wstk.Unavailable, op, err)
	}
	return out.Body, nil
}

// ownModels are the embedders and rerankers of this home, and the embedder that compares the
// sentences of answers, too: the one whose weights lie in the bucket, if it is named; else nil.
// Invalid for a name that no such embedder has.
func ownModels(
	c config.Config, cfg aws.Config, client *awss3.Client,
) (stages.OwnModels, wstk.Embedder, error) {
	var here wstk.Embedder
	if o := c.Embedder; (o.Provider == config.Local || o.Provider == "") && o.Model != "" {
		named := embedderNamed(o.Model, client, c.Cloud.Bucket)
		if named == nil {
			return stages.OwnModels{}, nil, wstk.Errorf(wstk.Invalid, "reading the settings",
				"no embedder whose weights lie in the bucket is called %q", o.Model).
				Try(wstk.Advice("use " + minilm.Known[0].Name +
					", or name the service that has this model"))
		}
		here = named
	}
	return stages.OwnModels{
		Embedders: map[string]func(config.EmbedderOptions) (wstk.Embedder, error){
			config.Local: func(config.EmbedderOptions) (wstk.Embedder, error) { return here, nil },
			config.Bedrock: func(o config.EmbedderOptions) (wstk.Embedder, error) {
				return bedrock.NewEmbedder(bedrock.New(cfg), o.Model, o.Dimension)
			}},
		Rerankers: map[string]func(config.RerankerOptions) (wstk.Reranker, error){
			config.Bedrock: func(o config.RerankerOptions) (wstk.Reranker, error) {
				r, err := bedrock.NewReranker(bedrock.New(cfg), o.Model)
				if err != nil {
					return nil, err
				}
				return retry.Reranker{Reranker: r}, nil
			}},
	}, here, nil
}
