package model

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"wstk/shared/adapter/model/minilm"
	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestRequestsKeepToTheLimitsOfVendors(t *testing.T) {
	for provider, vendor := range embedVendors {
		s := &service{most: vendor.texts}
		e := embedder(t, provider, 64, s)
		few, err := e.Embed(t.Context(), wstk.EmbedPassage,
			slices.Repeat([]string{"boat"}, 2*vendor.texts+1)...)
		if err != nil || few.Usage.Calls < 3 || len(few.Embeddings) != 2*vendor.texts+1 {
			t.Errorf("%s: %d requests for many texts, %v", provider, few.Usage.Calls, err)
		}
		s.calls = nil
		long := strings.Repeat("boat ", 2500)
		if _, err := e.Embed(t.Context(), wstk.EmbedPassage,
			slices.Repeat([]string{long}, 300)...); err != nil {
			t.Fatal(err)
		}
		for _, c := range s.calls {
			if n := strings.Count(c, "boat"); n > vendor.tokens {
				t.Errorf("%s: a request has %d tokens, the limit is %d", provider, n, vendor.tokens)
			}
		}
	}
	// vectors of many numbers make a long reply
	e := embedder(t, "openai", 3000, nil)
	if n := len(e.(*Embedder).batch(make([]string, 1000))); n > 8<<20/12/3000 {
		t.Errorf("a reply of %d vectors of 3,000 numbers is larger than what is read", n)
	}
}

func TestAQueryIsNotAPassage(t *testing.T) {
	for provider, want := range map[string][2]string{
		"cohere": {`"search_query"`, `"search_document"`},
		"gemini": {`"RETRIEVAL_QUERY"`, `"RETRIEVAL_DOCUMENT"`},
		"voyage": {`"query"`, `"document"`},
	} {
		s := &service{}
		e := embedder(t, provider, 64, s)
		for i, purpose := range []wstk.EmbedPurpose{wstk.EmbedQuery, wstk.EmbedPassage} {
			if _, err := e.Embed(t.Context(), purpose, "boat"); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(s.calls[i], want[i]) {
				t.Errorf("%s, %s: sent %s", provider, purpose, s.calls[i])
			}
		}
	}
	s := &service{}
	e, err := NewEmbedder(EmbedderSetup{Provider: "openai", Model: "nomic-ai/nomic-embed-text-v1.5",
		Dimension: 64}, client(s))
	if err != nil {
		t.Fatal(err)
	}
	if e.Info().Name != "nomic-ai/nomic-embed-text-v1.5" || e.Info().Weight != likeMiniLM {
		t.Errorf("info is %+v", e.Info())
	}
	for _, purpose := range []wstk.EmbedPurpose{wstk.EmbedQuery, wstk.EmbedPassage} {
		if _, err := e.Embed(t.Context(), purpose, "boat"); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(s.calls[0], `"search_query: boat"`) ||
		!strings.Contains(s.calls[1], `"search_document: boat"`) {
		t.Errorf("sent were %v", s.calls)
	}
}

func TestDimensions(t *testing.T) {
	for _, c := range []struct {
		provider, model string
		want, dimension int
		weight          float64
	}{
		{"openai", "text-embedding-3-small", 0, 1024, .75},
		{"openai", "text-embedding-3-small", 256, 256, .75},
		{"openai", "text-embedding-3-small", 5000, 0, 0},
		{"openai", "all-minilm:latest", 0, 384, .75},
		{"openai", "all-minilm:latest", 512, 0, 0},
		{"openai", "nomic-embed-text", 0, 768, .75},
		{"openai", "text-embedding-ada-002", 0, 1536, .75},
		{"openai", "my-own", 0, 1024, 0},
		{"openai", "my-own", 768, 768, 0},
		{"cohere", "", 0, 1024, .75},
		{"gemini", "", 0, 1024, .75},
		{"voyage", "", 0, 1024, .75},
		{"other", "", 0, 0, 0},
	} {
		e, err := NewEmbedder(EmbedderSetup{Provider: c.provider, Model: c.model,
			Dimension: c.want}, client(&service{}))
		if c.dimension == 0 {
			if wstk.CodeOf(err) != wstk.Invalid {
				t.Errorf("%+v: %v, want Invalid", c, err)
			}
			continue
		}
		if err != nil || e.Info().Dimension != c.dimension || e.Info().Weight != c.weight {
			t.Errorf("%+v: %+v, %v", c, e, err)
		}
	}
	if _, err := NewEmbedder(EmbedderSetup{Provider: "openai"}, client(nil)); wstk.CodeOf(err) !=
		wstk.Invalid {
		t.Errorf("an own address without a model: %v, want Invalid", err)
	}

	// a server that ignores the dimension: what may be cut is cut, all else is refused
	for name, code := range map[string]wstk.Code{"text-embedding-3-small": "",
		"my-own": wstk.ModelFailed} {
		e, err := NewEmbedder(EmbedderSetup{Provider: "openai", Model: name, Dimension: 32},
			client(&service{ignores: true}))
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Embed(t.Context(), wstk.EmbedPassage, "boat")
		if wstk.CodeOf(err) != code || err == nil && len(r.Embeddings[0].Vector) != 32 {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

func TestWithoutAKeyNoServiceIsAsked(t *testing.T) {
	asked := roundTrip(func(*http.Request) { t.Error("it was asked") })
	e, err := NewEmbedder(EmbedderSetup{Provider: "cohere"}, webapi.Client{Transport: asked})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), wstk.EmbedQuery, "boat"); wstk.CodeOf(err) !=
		wstk.Unprocessable || len(wstk.StepsOf(err)) == 0 {
		t.Errorf("%v, want Unprocessable with a step", err)
	}
	r, err := NewReranker("jina", "", webapi.Client{Transport: asked})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Rerank(t.Context(), "ship", "boat"); wstk.CodeOf(err) != wstk.Unprocessable {
		t.Errorf("%v, want Unprocessable", err)
	}
	if _, err := NewReranker("other", "", client(nil)); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("an unknown provider: %v, want Invalid", err)
	}
}

func TestABrokenEmbedderIsNoticed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, embed := range map[string]func(string, int) []float32{
		"all alike": func(_ string, n int) []float32 { return slices.Repeat([]float32{1}, n) },
		"random": func(_ string, n int) []float32 {
			v := make([]float32, n)
			for i := range v {
				v[i] = float32(r.NormFloat64())
			}
			return v
		},
	} {
		s := &service{embed: embed}
		e := Sound(embedder(t, "openai", 64, s))
		for range 2 {
			_, err := e.Embed(t.Context(), wstk.EmbedQuery, "boat")
			if wstk.CodeOf(err) != wstk.ModelFailed || len(wstk.StepsOf(err)) == 0 {
				t.Errorf("%s: %v, want ModelFailed with steps", name, err)
			}
		}
		if len(s.calls) != 2 {
			t.Errorf("%s: %d requests, want those of one check", name, len(s.calls))
		}
	}
	s := &service{}
	e := Sound(embedder(t, "openai", 64, s))
	for range 2 {
		if _, err := e.Embed(t.Context(), wstk.EmbedQuery, "boat"); err != nil {
			t.Error(err)
		}
	}
	if len(s.calls) != 4 {
		t.Errorf("%d requests of a sound one, want one check and two", len(s.calls))
	}

	// a service that does not answer is no broken one
	down := &flaky{RoundTripper: &service{}, fails: 1}
	e = Sound(embedder(t, "openai", 64, down))
	for _, code := range []wstk.Code{wstk.Network, ""} {
		if _, err := e.Embed(t.Context(), wstk.EmbedQuery, "boat"); wstk.CodeOf(err) != code {
			t.Errorf("%v, want code %q", err, code)
		}
	}
}

// flaky fails some times at first.
type flaky struct {
	http.RoundTripper
	fails int
}

func (f *flaky) RoundTrip(r *http.Request) (*http.Response, error) {
	if f.fails--; f.fails >= 0 {
		return nil, errors.New("reset")
	}
	return f.RoundTripper.RoundTrip(r)
}

func TestMiniLMIsSound(t *testing.T) {
	spec := minilm.Known[0]
	path := os.Getenv("WSTK_MODEL")
	if path == "" {
		path = "../../../.cache/model/" + string(spec.SHA256) + ".safetensors"
	}
	m, err := minilm.Open(spec, path)
	if err != nil {
		wstktest.Skip(t, "no weights of "+spec.Name+": run make model")
	}
	defer m.Close()
	right, _, err := CountRight(t.Context(), minilm.Embedder{Model: m})
	if err != nil || right != len(probes) {
		t.Errorf("%d of %d probes are right, %v", right, len(probes), err)
	}
}
