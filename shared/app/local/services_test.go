package local_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// meaningServer embeds texts by their first letters, and prefers passages that speak of a harbour.
type meaningServer struct {
	passages, reranked atomic.Int64
	down               atomic.Bool
}

func (s *meaningServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.down.Load() {
		http.Error(w, "out of order", http.StatusBadRequest)
		return
	}
	var q struct{ Input, Documents []string }
	json.NewDecoder(r.Body).Decode(&q)
	var data, results []map[string]any
	for i, t := range q.Input {
		if strings.Contains(t, "\n") { // with its title
			s.passages.Add(1)
		}
		v := make([]float32, 256)
		for _, word := range strings.Fields(strings.ToLower(t)) {
			word = strings.Trim(word, ".,?")
			if len(word) > 3 {
				v[(int(word[0])*31+int(word[1])*7+int(word[2])*3+int(word[3]))%256]++
			}
		}
		v[0] += .1
		data = append(data, map[string]any{"index": i, "embedding": v})
	}
	for i, t := range q.Documents {
		s.reranked.Add(1)
		results = append(results, map[string]any{"index": i,
			"relevance_score": strings.Count(t, "harbour")})
	}
	json.NewEncoder(w).Encode(map[string]any{"data": data, "results": results,
		"usage": map[string]int{"total_tokens": 3}})
}

// From the settings to an answer: pages are embedded once, hits name the services that found and
// ordered them, the cost is told, and a service that fails is an error.
func TestServicesFromSettingsToAnswers(t *testing.T) {
	pages := map[string]string{"/": `<a href="/a">Boats</a> <a href="/b">Trips</a>`,
		"/a": "The ferry leaves the island at nine, and again at noon.",
		"/b": "The ferry leaves the harbour at ten, and again at two."}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "<html lang=en><title>Ferries %s</title><main><h1>Ferries</h1><p>%s</p>"+
			"</main></html>", r.URL.Path, body)
	}))
	defer site.Close()
	service := &meaningServer{}
	server := httptest.NewServer(service)
	defer server.Close()
	folders := testConfig(t)
	c, err := local.Settings().Load(func(name string) string {
		return map[string]string{"WSTK_EMBEDDER_PROVIDER": "openai",
			"WSTK_EMBEDDER_MODEL": "my-own", "WSTK_EMBEDDER_DIMENSION": "256",
			"WSTK_EMBEDDER_BASE_URL": server.URL, "RERANKER_PROVIDER": "jina",
			"WSTK_RERANKER_BASE_URL": server.URL}[name]
	}, t.TempDir(), config.Flag{Name: "allow-private", Key: "fetch.allow_private", Value: "true"})
	if err != nil {
		t.Fatal(err)
	}
	c.DataDir, c.CacheDir = folders.DataDir, folders.CacheDir
	a := open(t, c)
	if _, err := a.Crawling.Ingest(t.Context(),
		crawling.IngestRequest{URL: site.URL + "/"}); err != nil {
		t.Fatal(err)
	}
	embedded := service.passages.Load()
	if embedded < 4 {
		t.Errorf("%d passages and summaries were embedded", embedded)
	}
	res, err := a.Answering.Recall(t.Context(),
		answering.RecallRequest{Query: "When does the ferry leave?"})
	if err != nil || len(res.Hits) < 2 || !strings.HasSuffix(res.Hits[0].URL, "/b") ||
		res.Usage.Calls < 2 || res.Usage.InputTokens < 6 {
		t.Fatalf("%+v, cost %+v, %v", res.Hits, res.Usage, err)
	}
	for _, name := range []string{"vector of openai", "rerank"} {
		if !slices.ContainsFunc(res.Hits[0].Legs, func(l wstk.Leg) bool { return l.Name == name }) {
			t.Errorf("no leg %q in %+v", name, res.Hits[0].Legs)
		}
	}
	answer, err := a.Answering.Ask(t.Context(),
		wstk.AskQuery{Query: "When does the ferry leave the harbour?"})
	if err != nil || len(answer.Extractions) == 0 || answer.Usage.Calls < 2 ||
		answer.Proposer != nil {
		t.Errorf("%+v, %v", answer, err)
	}
	if n := service.passages.Load(); n != embedded {
		t.Errorf("%d texts were embedded again", n-embedded)
	}
	service.down.Store(true)
	if _, err := a.Answering.Recall(t.Context(),
		answering.RecallRequest{Query: "ferry"}); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("a service that refuses: %v, want its code", err)
	}
}
