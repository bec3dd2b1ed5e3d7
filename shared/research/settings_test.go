package research_test

import (
	"encoding/json"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"wstk/shared/research"
	"wstk/shared/wstk"
)

// services is a server of models: it embeds texts by their words, keeps the order of passages, and
// refuses to propose.
type services struct{ embedded, reranked, asked atomic.Int32 }

func (s *services) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct{ Input, Documents []string }
	if json.NewDecoder(r.Body).Decode(&q) != nil || len(q.Input)+len(q.Documents) == 0 {
		s.asked.Add(1)
		http.Error(w, `{"error":{"message":"no such model"}}`, http.StatusBadRequest)
		return
	}
	s.reranked.Add(int32(len(q.Documents)))
	var data, results []map[string]any
	for i, text := range q.Input {
		if strings.Contains(text, "\n") { // a passage with its title
			s.embedded.Add(1)
		}
		v := make([]float32, 256)
		for _, word := range strings.Fields(strings.ToLower(text)) {
			h := fnv.New32a()
			h.Write([]byte(strings.Trim(word, ".,?")))
			v[h.Sum32()%256] += float32(len(word))
		}
		data = append(data, map[string]any{"index": i, "embedding": v})
	}
	for i := range q.Documents {
		results = append(results, map[string]any{"index": i, "relevance_score": 1 / float64(i+1)})
	}
	json.NewEncoder(w).Encode(map[string]any{"data": data, "results": results,
		"usage": map[string]int{"total_tokens": 3}})
}

// Models, embedder and reranker of the settings work over every kind of store.
func TestSettingsOfModelsHoldOverEveryStore(t *testing.T) {
	for name, options := range map[string]func() research.Options{
		"folder": func() research.Options { return research.Options{Dir: t.TempDir()} },
		"memory": func() research.Options { return research.Options{} },
		"stores": func() research.Options {
			own := research.InMemory()
			return research.Options{Stores: &own}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &services{}
			server := httptest.NewServer(s)
			defer server.Close()
			o := options()
			o.Settings = map[string]string{"embedder.provider": "openai",
				"embedder.model": "my-own", "embedder.dimension": "256",
				"embedder.base_url": server.URL, "reranker.provider": "jina",
				"reranker.base_url":      server.URL,
				"model.extract.provider": "openai", "model.extract.model": "x",
				"model.extract.base_url": server.URL}
			r, _ := opened(t, o)
			found, err := r.Search(t.Context(), "the pump", 2)
			meant := func(l wstk.Leg) bool { return l.Name == "vector of openai" }
			if err != nil || len(found) != 2 ||
				!slices.ContainsFunc(found[0].Hits[0].Legs, meant) || s.embedded.Load() < 3 ||
				s.reranked.Load() == 0 {
				t.Errorf("%+v, %v; %d embedded, %d reranked", found, err, s.embedded.Load(),
					s.reranked.Load())
			}
			answer, err := r.Ask(t.Context(), "What is the maximum pressure of the pump?")
			if err == nil || answer.HasAnswer() || s.asked.Load() == 0 {
				t.Errorf("of a model that refuses: %+v, %v, asked %d times", answer, err,
					s.asked.Load())
			}
		})
	}
}

// What the settings name and these stores cannot do is an error, never left out.
func TestSettingsThatCannotBeHonouredAreRefused(t *testing.T) {
	bare := research.InMemory()
	bare.Vectors = nil
	for _, k := range []struct {
		key, value string
		stores     *research.Stores
		code       wstk.Code
		says       string
	}{
		{"embedder.provider", "local", nil, wstk.Invalid, "data directory"},
		{"reranker.provider", "local", nil, wstk.Invalid, "data directory"},
		{"embedder.provider", "bedrock", nil, wstk.Invalid, "not available here"},
		{"reranker.provider", "bedrock", nil, wstk.Invalid, "not available here"},
		{"embedder.provider", "openai", &bare, wstk.Invalid, "Vectors"},
		{"model.extract.provider", "anthropic", nil, wstk.Invalid, "no model is named"},
	} {
		_, err := research.Open(t.Context(), research.Options{Stores: k.stores,
			Settings: map[string]string{k.key: k.value}})
		if wstk.CodeOf(err) != k.code || !strings.Contains(err.Error(), k.says) {
			t.Errorf("%s = %s: %v", k.key, k.value, err)
		}
	}
	r, err := research.Open(t.Context(), research.Options{Stores: &bare,
		Settings: map[string]string{"embedder.provider": "none"}})
	if err != nil {
		t.Fatalf("without an embedder: %v", err)
	}
	r.Close()
}

// No bundle is written of a result that was changed.
func TestAForgedResultGetsNoBundle(t *testing.T) {
	r, _ := opened(t, research.Options{})
	answer, err := r.Ask(t.Context(), "What is the maximum pressure of the pump?")
	if err != nil || !answer.HasAnswer() {
		t.Fatalf("%+v, %v", answer, err)
	}
	path := filepath.Join(t.TempDir(), "proof.zip")
	if err := r.WriteBundle(t.Context(), path, answer); err != nil {
		t.Fatal(err)
	}
	for name, forge := range map[string]func(*wstk.Extraction){
		"quote": func(x *wstk.Extraction) {
			x.Evidence[0].Quote = strings.Replace(x.Evidence[0].Quote, "9 bar", "8 bar", 1)
		},
		"statement": func(x *wstk.Extraction) { x.Statements[0].Statement = "The pump sings." },
	} {
		data, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		var forged wstk.AskResult
		if err := json.Unmarshal(data, &forged); err != nil {
			t.Fatal(err)
		}
		forge(&forged.Extractions[0])
		path := filepath.Join(t.TempDir(), "proof.zip")
		err = r.WriteBundle(t.Context(), path, forged)
		if _, missing := os.Stat(path); wstk.CodeOf(err) != wstk.Conflict || missing == nil {
			t.Errorf("a forged %s: %v, file: %v", name, err, missing)
		}
	}
}
