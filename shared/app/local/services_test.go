package local_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"
	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

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
	service := &apptest.MeaningServer{}
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
	done, err := a.Crawling.Ingest(t.Context(), crawling.IngestRequest{URL: site.URL + "/"})
	if err != nil {
		t.Fatal(err)
	}
	// a page and the check of the service are at least four requests of three tokens
	if u := done.Run.Usage; u.Calls < 4 || u.InputTokens != 3*u.Calls {
		t.Errorf("the crawl cost %+v", u)
	}
	embedded := service.Passages.Load()
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
	if n := service.Passages.Load(); n != embedded {
		t.Errorf("%d texts were embedded again", n-embedded)
	}
	// A page that a question names is embedded, and the run of the question says what all cost.
	pages["/c"] = "The harbour master counts forty boats in the harbour on each summer evening."
	before := service.Calls.Load()
	answer, err = a.Answering.Ask(t.Context(), wstk.AskQuery{From: []string{site.URL + "/c"},
		Query: "How many boats does the harbour master count?"})
	if n := service.Calls.Load() - before; err != nil || service.Passages.Load() == embedded ||
		int64(answer.Usage.Calls) != n {
		t.Errorf("%d calls, and the answer says %+v, %v", n, answer.Usage, err)
	}
	service.Down.Store(true)
	if _, err := a.Answering.Recall(t.Context(),
		answering.RecallRequest{Query: "ferry"}); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("a service that refuses: %v, want its code", err)
	}
}
