package stages

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/model"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// vectorsOf answers as OpenAI does: a text's vector counts its letters.
func vectorsOf(asked *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		json.NewDecoder(r.Body).Decode(&q)
		var data []map[string]any
		for i, s := range q.Input {
			*asked = append(*asked, s)
			v := make([]float32, 32)
			for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
				return strings.ContainsRune(" .,?", r)
			}) {
				for k := range len(w) {
					v[(int(w[k])*7+k*len(w))%32]++
				}
				if len(w) > 3 {
					v[(int(w[0])*31+int(w[1])*17+int(w[2])*5+int(w[3]))%32] += 12
				}
			}
			v[0] += .1
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}
}

// settings are the defaults with some values.
func settings(t *testing.T, values map[string]string) config.Config {
	t.Helper()
	c, err := Settings().Load(func(string) string { return "" }, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if c, err = c.With(values, "test"); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTheOwnAddressOfAnEmbedder(t *testing.T) {
	var asked []string
	server := httptest.NewServer(vectorsOf(&asked))
	defer server.Close()
	values := map[string]string{"embedder.provider": "openai", "embedder.model": "my-own",
		"embedder.dimension": "32", "embedder.base_url": server.URL + "/v1",
		"embedder.weight": "0.6", "embedder.key": "made" + "-up-key"}
	e, err := Embedder(settings(t, values), OwnModels{}, memory.NewEmbeddings(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if info := e.Info(); info.Weight != .6 || info.ID() != "openai/my-own@32" {
		t.Errorf("info is %+v", info)
	}
	for range 2 {
		if _, err := e.Embed(t.Context(), wstk.EmbedPassage, "a boat"); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(slices.DeleteFunc(asked, func(s string) bool { return s != "a boat" })); n != 1 {
		t.Errorf("a passage was sent %d times, want once", n)
	}

	// only this address is open, and a redirect leads nowhere
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("another address was asked")
	}))
	defer elsewhere.Close()
	away := httptest.NewServer(http.RedirectHandler(elsewhere.URL+"/v1/embeddings",
		http.StatusTemporaryRedirect))
	defer away.Close()
	values["embedder.base_url"] = away.URL
	e, err = Embedder(settings(t, values), OwnModels{}, nil, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), wstk.EmbedQuery, "boat"); wstk.CodeOf(err) !=
		wstk.HTTPError {
		t.Errorf("a redirect: %v, want HTTPError", err)
	}
	transport, err := wayTo(settings(t, nil), 0, away.URL)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := http.NewRequestWithContext(t.Context(), "GET", elsewhere.URL, nil)
	if _, err := transport.RoundTrip(r); wstk.CodeOf(err) != wstk.RefusedAddress {
		t.Errorf("an address that is not configured: %v, want RefusedAddress", err)
	}
}

func TestWhichModelsAreConfigured(t *testing.T) {
	none := OwnModels{}
	if e, err := Embedder(settings(t, nil), none, nil, time.Now); e != nil || err != nil {
		t.Errorf("by default: %v, %v, want no embedder", e, err)
	}
	if r, err := Reranker(settings(t, nil), none, time.Now); r != nil || err != nil {
		t.Errorf("by default: %v, %v, want no reranker", r, err)
	}
	for _, provider := range model.RerankerProviders() {
		c := settings(t, map[string]string{"reranker_provider": provider})
		r, err := Reranker(c, none, time.Now)
		if err != nil || r.Info().Provider != provider || r.Info().Name == "" {
			t.Errorf("%s: %+v, %v", provider, r, err)
		}
	}
	for _, provider := range model.EmbedderProviders() {
		c := settings(t, map[string]string{"embedder.provider": provider})
		e, err := Embedder(c, none, nil, time.Now)
		if err != nil || e.Info().Provider != provider || e.Info().Dimension != 1024 {
			t.Errorf("%s: %+v, %v", provider, e, err)
		}
	}
	for key, provider := range map[string]string{"embedder.provider": "bedrock",
		"reranker.provider": "bedrock", "reranker_provider": "local"} {
		c := settings(t, map[string]string{key: provider})
		_, err := Embedder(c, none, nil, time.Now)
		if err == nil {
			_, err = Reranker(c, none, time.Now)
		}
		if wstk.CodeOf(err) != wstk.Invalid || len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%s = %s: %v, want Invalid with steps", key, provider, err)
		}
	}
}

// The settings name the vendors that there are adapters of.
func TestSettingsKnowTheVendors(t *testing.T) {
	for _, c := range [][2][]string{{config.EmbedderVendors(), model.EmbedderProviders()},
		{config.RerankerVendors(), model.RerankerProviders()}} {
		if slices.Sort(c[1]); !slices.Equal(c[0], c[1]) {
			t.Errorf("the settings know %v, there are %v", c[0], c[1])
		}
	}
}
