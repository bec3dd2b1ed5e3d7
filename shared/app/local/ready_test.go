package local_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"
	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/app/searching"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// configured is testConfig with settings.
func configured(t *testing.T, settings map[string]string) config.Config {
	t.Helper()
	c, err := testConfig(t).With(settings, config.OriginFlag)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What a model lacks is said before a page is read and before anything is sent, in the same way for
// each kind of model.
func TestWhatModelsLackIsSaidFirst(t *testing.T) {
	var asked atomic.Int32
	count := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked.Add(1)
	}))
	defer count.Close()
	model := func(op wstk.Operation, more ...string) map[string]string {
		s := "model." + string(op)
		out := map[string]string{s + ".provider": "anthropic", s + ".model": "m1"}
		for i := 0; i < len(more); i += 2 {
			out[s+more[i]] = more[i+1]
		}
		return out
	}
	missing := filepath.Join(t.TempDir(), "none.txt")
	at := ".base_url"
	for _, c := range []struct {
		name                     string
		settings                 map[string]string
		ingest, ask, run, recall bool // which of them need it
		says                     string
	}{
		{"no key to summarize", model(wstk.OpSummarize), true, false, false, false,
			"ANTHROPIC_API_KEY is not set"},
		{"no key to extract", model(wstk.OpExtract), false, true, false, false,
			"ANTHROPIC_API_KEY is not set"},
		{"no key to classify", model(wstk.OpClassify), false, true, false, false,
			"ANTHROPIC_API_KEY is not set"},
		{"no key to rewrite", model(wstk.OpRewrite), false, false, true, false,
			"ANTHROPIC_API_KEY is not set"},
		{"no prompt to extract", model(wstk.OpExtract, at, count.URL, ".prompt_file", missing),
			false, true, false, false, "cannot be read"},
		{"no prompt to rewrite", merged(model(wstk.OpRewrite, at, count.URL),
			map[string]string{"rewrite.prompt_file": missing}), false, false, true, false,
			"cannot be read"},
		{"no key to embed", map[string]string{"embedder.provider": "voyage"}, true, true, false,
			true, "VOYAGE_API_KEY is not set"},
		{"no key to rerank", map[string]string{"reranker.provider": "jina"}, true, true, false, true,
			"JINA_API_KEY is not set"},
		{"an address that needs no key", model(wstk.OpExtract, at, count.URL), false, false, false,
			false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := open(t, configured(t, c.settings))
			check := func(what string, needed bool, err error) {
				t.Helper()
				lacks := wstk.CodeOf(err) == wstk.Unprocessable &&
					strings.Contains(err.Error(), c.says) && len(wstk.StepsOf(err)) > 0
				if lacks != needed {
					t.Errorf("%s: %v, %v; want that it says what is missing: %t", what, err,
						wstk.StepsOf(err), needed)
				}
			}
			ctx := t.Context()
			_, err := a.Crawling.Ingest(ctx, crawling.IngestRequest{URL: count.URL + "/"})
			check("ingest", c.ingest, err)
			if n := asked.Load(); c.ingest && n > 0 {
				t.Errorf("the site was asked %d times", n)
			}
			_, err = a.Answering.Ask(ctx, wstk.AskQuery{Query: "What is the pressure?"})
			check("ask", c.ask, err)
			_, err = a.Answering.Recall(ctx, answering.RecallRequest{Query: "pressure"})
			check("recall", c.recall, err)
			if c.run {
				_, err = a.Searching.CreateRun(ctx, searching.RunRequest{Query: "pressure",
					Provider: "index"})
				check("search run", c.run, err)
			}
			asked.Store(0)
		})
	}
}

func merged(all ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}

// What a service of vectors costs is told by the command that makes them.
func TestVectorsHaveACost(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		var data []map[string]any
		for i, text := range q.Input {
			v := make([]float32, 256)
			for _, word := range strings.Fields(strings.ToLower(text)) {
				h := fnv.New32a()
				h.Write([]byte(strings.Trim(word, ".,?")))
				v[h.Sum32()%256] += float32(len(word))
			}
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		json.NewEncoder(w).Encode(map[string]any{"data": data,
			"usage": map[string]int{"total_tokens": 3}})
	}))
	defer service.Close()
	before := testConfig(t)
	a := open(t, before)
	ingest(t, a, serve(t, pumps())+"/")
	c, err := before.With(map[string]string{"embedder.provider": "openai", "embedder.model": "mine",
		"embedder.dimension": "256", "embedder.base_url": service.URL}, config.OriginFlag)
	if err != nil {
		t.Fatal(err)
	}
	with := open(t, c)
	if n, err := with.ModelFiles.Lacking(t.Context()); err != nil || n == 0 {
		t.Fatalf("%d pages lack vectors, %v", n, err)
	}
	checks := app.Doctor(t.Context(), c, func(ctx context.Context) (*app.App, error) {
		return local.Open(ctx, c, with.Log)
	}, nil)
	if at := slices.IndexFunc(checks, func(c app.Check) bool { return c.Name == "vectors" }); at < 0 ||
		!strings.Contains(checks[at].Detail, "no vectors") || len(checks[at].Steps) != 1 {
		t.Errorf("doctor says %+v", checks)
	}
	made, err := with.ModelFiles.Index(t.Context(), nil)
	if err != nil || made.Pages == 0 || made.Usage.Calls == 0 || made.Usage.InputTokens == 0 {
		t.Errorf("%+v, %v", made, err)
	}
}

// A crawl whose model refuses the key ends with the reason, and soon; and the key, which the server
// repeats in its error, stands nowhere.
func TestARefusedKeyEndsACrawl(t *testing.T) {
	key := "sk-" + "made-up-" + "0123456789"
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s"}}`,
			strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	}))
	defer refusing.Close()
	c := testConfig(t)
	c, err := local.Settings().Load(func(name string) string {
		return map[string]string{"OPENAI_API_KEY": key, "OPENAI_BASE_URL": refusing.URL,
			"WSTK_MODEL": "openai:m1", "WSTK_ALLOW_PRIVATE": "1", "WSTK_DATA_DIR": c.DataDir,
			"WSTK_CACHE_DIR": c.CacheDir}[name]
	}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, c)
	var logs bytes.Buffer
	apptest.Change(a, func(h *app.Home) {
		h.Log = slog.New(slog.NewTextHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	const pages = 300
	root := serve(t, manyPages(pages))
	res, err := a.Crawling.Ingest(t.Context(), crawling.IngestRequest{URL: root + "/"})
	if !errors.Is(err, wstk.ErrUnusable) || !strings.Contains(fmt.Sprint(err), "refused the key") ||
		len(wstk.StepsOf(err)) == 0 {
		t.Errorf("the crawl ends with %v, %v", err, wstk.StepsOf(err))
	}
	if n := res.Accounting.Stored(); n > pages/3 {
		t.Errorf("%d of %d pages were read before the crawl ended", n, pages)
	}
	answer, asked := a.Answering.Ask(t.Context(), wstk.AskQuery{
		Query: "Which pump is number 1?", From: []string{root + "/p1"}})
	if wstk.CodeOf(asked) != wstk.ModelFailed || answer.HasAnswer() {
		t.Errorf("the answer is %+v, %v", answer, asked)
	}
	data, _ := json.Marshal([]any{res, answer})
	for what, said := range map[string]string{"a reply": string(data), "an error": fmt.Sprint(err,
		asked, wstk.StepsOf(err), wstk.StepsOf(asked)), "the log": logs.String()} {
		if strings.Contains(said, key) {
			t.Errorf("%s shows the key", what)
		}
	}
	for name, data := range files(t, c.DataDir) {
		if bytes.Contains(data, []byte(key)) {
			t.Errorf("the key stands in %s", name)
		}
	}
	if !strings.Contains(fmt.Sprint(asked), "***") {
		t.Errorf("the server's words are not shown: %v", asked)
	}
}
