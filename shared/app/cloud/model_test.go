package cloud

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"wstk/shared/adapter/model/minilm"
	"wstk/shared/app/stages"
	"wstk/shared/config"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// inBucket is an embedder over objects in memory; opened counts what was read.
func inBucket(t *testing.T, objects map[string][]byte, opened *int) *bucketEmbedder {
	t.Helper()
	e := embedderNamed("all-minilm-l6-v2", nil, "")
	e.shelf.Dir = t.TempDir()
	e.open = func(_ context.Context, key string) (io.ReadCloser, error) {
		*opened++
		data, ok := objects[key]
		if !ok {
			return nil, wstk.Errorf(wstk.NotFound, "reading model", "there is no %s", key)
		}
		return io.NopCloser(bytes.NewReader(data)), nil
	}
	return e
}

// A model whose weights lie in the bucket finds pages and compares sentences; a service finds
// pages alone, as on one machine.
func TestWhichEmbedderIsAsked(t *testing.T) {
	for _, c := range []struct{ provider, model, pages, sentences string }{
		{"", "", "", ""},
		{"none", "amazon.titan-embed-text-v2:0", "", ""},
		{"local", "all-MiniLM-L6-v2", "all-MiniLM-L6-v2@53aa51172d14", "all-MiniLM-L6-v2"},
		{"bedrock", "amazon.titan-embed-text-v2:0", "bedrock/amazon.titan-embed-text-v2:0@1024", ""},
		{"bedrock", "cohere.embed-english-v3", "bedrock/cohere.embed-english-v3@1024", ""},
		{"openai", "text-embedding-3-large", "openai/text-embedding-3-large@1024", ""},
	} {
		s := config.Config{Embedder: config.EmbedderOptions{ServiceOptions: config.ServiceOptions{
			Provider: c.provider, Model: c.model}}}
		own, sentences, err := ownModels(s, aws.Config{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := sentences; (got == nil) != (c.sentences == "") ||
			got != nil && got.Info().Name != c.sentences {
			t.Errorf("%+v: sentences are compared by %v", c, got)
		}
		pages, err := stages.Embedder(s, own, nil, time.Now)
		if err != nil || (pages == nil) != (c.pages == "") ||
			pages != nil && pages.Info().ID() != c.pages {
			t.Errorf("%+v: pages are found by %v, %v", c, pages, err)
		}
	}
	for provider, name := range map[string]string{"local": "ms-marco-MiniLM-L6-v2", "bedrock": "other"} {
		s := config.Config{Embedder: config.EmbedderOptions{ServiceOptions: config.ServiceOptions{
			Provider: provider, Model: name}}}
		own, _, err := ownModels(s, aws.Config{}, nil)
		if err == nil {
			_, err = stages.Embedder(s, own, nil, time.Now)
		}
		if wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s of %s: %v, want Invalid", name, provider, err)
		}
	}
}

func TestWeightsOfAnotherHashAreRefused(t *testing.T) {
	opened := 0
	weights := map[string][]byte{}
	e := inBucket(t, weights, &opened)
	if e.Info().Name != "all-MiniLM-L6-v2" || e.Info().Dimension != 384 || opened != 0 {
		t.Errorf("the model is %+v, and %d objects were read for that", e.Info(), opened)
	}
	if _, err := e.Embed(t.Context(), wstk.EmbedPassage, "a boat"); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("without weights: %v, want NotFound", err)
	}
	weights[modelsPrefix+string(e.spec.SHA256)+".safetensors"] = make([]byte, e.spec.Size)
	if _, err := e.Embed(t.Context(), wstk.EmbedPassage, "a boat"); wstk.CodeOf(err) != wstk.Invalid ||
		!strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("with the weights of another model: %v, want Invalid", err)
	}
	left, err := os.ReadDir(e.shelf.Dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind are %v, %v", left, err)
	}
}

// realWeights are those of the known embedder, under their key.
func realWeights(t *testing.T) map[string][]byte {
	t.Helper()
	spec := minilm.Known[0]
	path := os.Getenv("WSTK_MODEL")
	if path == "" {
		path = "../../../.cache/model/" + string(spec.SHA256) + ".safetensors"
	}
	data, err := os.ReadFile(path)
	if err != nil {
		wstktest.Skip(t, "no weights of "+spec.Name+": run make model")
	}
	return map[string][]byte{modelsPrefix + string(spec.SHA256) + ".safetensors": data}
}

func TestEmbedderOfABucket(t *testing.T) {
	weights := realWeights(t)
	wstktest.Embedder(t, func(t *testing.T) wstk.Embedder {
		return inBucket(t, weights, new(int))
	})
}

func TestWeightsAreReadOnce(t *testing.T) {
	opened := 0
	e := inBucket(t, realWeights(t), &opened)
	for range 2 {
		r, err := e.Embed(t.Context(), wstk.EmbedPassage, "a boat", "a ship")
		if err != nil {
			t.Fatal(err)
		}
		made := r.Embeddings
		if c := wstk.Cosine(made[0].Vector, made[1].Vector); c < .5 {
			t.Errorf("the cosine of a boat and a ship is %g", c)
		}
	}
	again := inBucket(t, nil, &opened) // another process of the same machine
	again.shelf = e.shelf
	if _, err := again.Embed(t.Context(), wstk.EmbedPassage, "a boat"); err != nil || opened != 1 {
		t.Errorf("%v; %d objects were read, want 1", err, opened)
	}
}
