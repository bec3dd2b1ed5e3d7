package rest

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"wstk/shared/app"

	"wstk/shared/app/apptest"
	"wstk/shared/app/local"
	"wstk/shared/app/reading"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// searcher is a home whose providers and model are stand-ins.
func searcher(t *testing.T, v *wstktest.Vendors) *home {
	t.Helper()
	v.Start()
	t.Cleanup(v.Close)
	env := v.Settings(true)
	dir := t.TempDir()
	env["HOME"], env["WSTK_ALLOW_PRIVATE"] = dir, "true"
	c, err := local.Settings().Load(func(name string) string { return env[name] }, dir)
	if err != nil {
		t.Fatal(err)
	}
	h := &home{TB: t}
	h.app, h.log = opened(t, c)
	h.h = New(h.app, []string{firstToken}, Options{})
	return h
}

const lastWeek = "latest EU AI regulation updates in the last week"

func ordinary() *wstktest.Vendors {
	return &wstktest.Vendors{
		Serper: wstktest.VendorAnswer{URLs: []string{"https://ec.europa.eu/act.html", "https://www.politico.eu/ai/"}},
		Google: wstktest.VendorAnswer{URLs: []string{"https://www.politico.eu/ai/", "https://ec.europa.eu/act.html?utm_source=g"}},
		Brave:  wstktest.VendorAnswer{URLs: []string{"https://ec.europa.eu/act.html"}},
		Model:  wstktest.VendorAnswer{Text: apptest.Template},
	}
}

// The bodies of search runs, field by field.
func TestSearchRunBodies(t *testing.T) {
	h := searcher(t, ordinary())
	made := h.json(201, "POST", "/search-runs", map[string]any{"query": lastWeek, "options": map[string]any{"lang": "en", "maxResults": 10}})
	id := made["run_id"].(string)
	if made["rewritten_template"] != apptest.Text || !slices.Equal(texts(made["providers_used"]), []string{"serper", "google", "brave"}) {
		t.Errorf("got %v", made)
	}
	final := made["final_queries"].(map[string]any)
	if len(final) != 3 || final["serper"] != final["google"] || final["brave"] != `("AI regulation" OR "AI Act") site:.eu` {
		t.Errorf("asked %v", final)
	}
	first := made["urls"].([]any)[0].(map[string]any)
	if first["url"] != "https://ec.europa.eu/act.html" || first["confidence"] != 3.0 || len(first["providers"].([]any)) != 3 || len(first["aliases"].([]any)) != 1 {
		t.Errorf("first is %v", first)
	}
	meta := made["meta"].(map[string]any)
	if meta["total_unique"] != 2.0 || fmt.Sprint(meta["counts"]) != "map[brave:1 google:2 serper:2]" {
		t.Errorf("meta is %v", meta)
	}

	got := h.json(200, "GET", "/search-runs/"+id, nil)
	if fmt.Sprint(got) != fmt.Sprint(made) || got["query"] != lastWeek || got["timestamp"] == nil {
		t.Errorf("stored is\n%v\nmade was\n%v", got, made)
	}
	if raw := h.json(200, "GET", "/search-runs/"+id+"?raw=true",
		nil)["raw"].([]any); len(raw) != 5 || raw[0].(map[string]any)["meta"] == nil {
		t.Errorf("raw rows are %v", raw)
	}
	second := h.json(201, "POST", "/search-runs", map[string]any{"query": "another thing"})
	listed := h.json(200, "GET", "/search-runs", nil)["runs"].([]any)
	if len(listed) != 2 || listed[0].(map[string]any)["run_id"] != second["run_id"] {
		t.Errorf("listed are %v", listed)
	}
	if only := h.json(200, "GET", "/search-runs?query="+url.QueryEscape(lastWeek)+
		"&from=2020-01-01&to=2199-01-01", nil)["runs"].([]any); len(only) != 1 || only[0].(map[string]any)["run_id"] != id {
		t.Errorf("of these words are %v", only)
	}
	page := h.json(200, "GET", "/search-runs?limit=1", nil)
	rest := h.json(200, "GET", "/search-runs?limit=1&cursor="+page["next_cursor"].(string), nil)
	if rest["runs"].([]any)[0].(map[string]any)["run_id"] != id || rest["next_cursor"] != "" {
		t.Errorf("the second page is %v", rest)
	}
	if head := h.call("HEAD", "/search-runs/"+id, nil); head.Code != 200 || head.Body.Len() != 0 {
		t.Errorf("HEAD is %d", head.Code)
	}
}

func texts(v any) (out []string) {
	for _, x := range v.([]any) {
		out = append(out, x.(string))
	}
	return out
}

// The errors of search runs: their codes and their two words.
func TestSearchRunErrors(t *testing.T) {
	v := ordinary()
	h := searcher(t, v)
	ask := map[string]any{"query": lastWeek}
	for _, c := range []struct {
		name, vendor    string
		answer          wstktest.VendorAnswer
		status          int
		summary, detail string
		code            wstk.Code
	}{
		{"junk", "model", wstktest.VendorAnswer{Text: `{"keywords": ["x"], "filters": {"date_after": "{PAST_2_WEEKS}"}}`}, 400, "invalid schema", "unknown placeholder {PAST_2_WEEKS}", wstk.Invalid},
		{"model down", "model", wstktest.VendorAnswer{Status: 500}, 502, "LLM call failed", "500", wstk.ModelFailed},
		{"model in time", "model", wstktest.VendorAnswer{Text: apptest.Template}, 201, "", "", ""},
		{"one down", "serper", wstktest.VendorAnswer{Status: 403}, 201, "", "", ""},
		{"two down", "google", wstktest.VendorAnswer{Status: 403}, 201, "", "", ""},
		{"all down", "brave", wstktest.VendorAnswer{Status: 403}, 502, "providers failed", "serper: unauthorized", wstk.ProvidersFailed},
	} {
		v.Set(c.vendor, c.answer)
		got := h.json(c.status, "POST", "/search-runs", ask)
		if c.status == 201 {
			continue
		}
		if got["error"] != c.summary || !strings.Contains(got["details"].(string), c.detail) ||
			got["code"] != string(c.code) || got["request_id"] == "" {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for name, body := range map[string]string{
		"unknown field":             `{"query": "x", "provider": "serper"}`,
		"unknown option":            `{"query": "x", "options": {"region": "us"}}`,
		"an option in another case": `{"query": "x", "options": {"maxresults": 3}}`,
		"no query":                  `{}`,
		"null":                      `{"query": null}`,
		"empty":                     `{"query": " "}`,
		"no number":                 `{"query": "x", "options": {"maxResults": "10"}}`,
		"none wanted":               `{"query": "x", "options": {"maxResults": 0}}`,
		"too many wanted":           `{"query": "x", "options": {"maxResults": 101}}`,
		"no code of a language":     `{"query": "x", "options": {"lang": "english"}}`,
		"an empty language":         `{"query": "x", "options": {"lang": ""}}`,
		"a long query":              `{"query": "` + strings.Repeat("a", 2001) + `"}`,
	} {
		if got := h.json(400, "POST", "/search-runs", body); got["code"] != "invalid" {
			t.Errorf("%s: %v; want got[\"code\"] == \"invalid\"", name, got)
		}
	}
	for target, status := range map[string]int{"/search-runs/run_x": 404, "/search-runs/124": 404,
		"/search-runs/" + string(wstk.NewRunID(h.app.Now(), nil)): 404,
		"/search-runs?from=yesterday":                             400, "/search-runs?from=2026-02-02&to=2026-02-01": 400, "/search-runs?limit=0": 400, "/search-runs?cursor=7": 400, "/search-runs?page=2": 400,
		"/search-runs?query=": 400} {
		h.json(status, "GET", target, nil)
	}
}

// The same key starts one run, and of another kind there is none under its id.
func TestSearchRunsOnceAndOfTheirKind(t *testing.T) {
	v := ordinary()
	h := searcher(t, v)
	first := h.json(201, "POST", "/search-runs", map[string]any{"query": lastWeek}, "Idempotency-Key", "k")
	w := h.call("POST", "/search-runs", map[string]any{"query": lastWeek}, "Idempotency-Key", "k")
	if w.Code != 201 || w.Header().Get("Idempotent-Replayed") != "true" ||
		!strings.Contains(w.Body.String(), first["run_id"].(string)) || len(v.Asked("serper")) != 1 {
		t.Errorf("again: %d, %s; serper was asked %d times", w.Code, w.Body, len(v.Asked("serper")))
	}
	if w.Header().Get("Location") != "/search-runs/"+first["run_id"].(string) {
		t.Errorf("Location is %q", w.Header().Get("Location"))
	}
	h.json(404, "GET", "/extractions/"+first["run_id"].(string), nil)
	h.json(404, "DELETE", "/extractions/"+first["run_id"].(string), nil)
	runs, _, err := h.app.Runs.List(t.Context(), wstk.RunFilter{Kind: wstk.RunRequest}, "", 10)
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d requests, %v", len(runs), err)
	}
	h.json(404, "GET", "/search-runs/"+string(runs[0].ID), nil)
	if w := h.call("POST", "/search-runs", map[string]any{"query": "x"}, "Authorization",
		""); w.Code != http.StatusUnauthorized || len(v.Asked("serper")) != 1 {
		t.Errorf("without a token: %d", w.Code)
	}
}

// The log of a run or a request shows what was done for it: the
// rewriting, what became of each provider, the merging.
func TestLinesOfARunAreCorrelated(t *testing.T) {
	v := ordinary()
	v.Serper = wstktest.VendorAnswer{Status: 403}
	h := searcher(t, v)
	log := &bytes.Buffer{}
	apptest.Change(h.app, func(h *app.Home) {
		h.Log = reading.Correlated(slog.New(
			slog.NewTextHandler(&locked{w: log}, &slog.HandlerOptions{Level: slog.LevelDebug})))
	})
	made := h.json(201, "POST", "/search-runs", map[string]any{"query": lastWeek}, "X-Request-Id", "req-7")
	for _, want := range []string{"msg=rewriting ", "msg=provider id=serper status=failed ", "msg=provider id=brave_api status=ok ", "msg=merging rows=3 ", `msg="search run" `} {
		n := 0
		for line := range strings.Lines(log.String()) {
			if strings.Contains(line, want) {
				n++
				if strings.Count(line, " run="+made["run_id"].(string)) != 1 || strings.Count(line, " request_id=req-7") != 1 {
					t.Errorf("not found by its run and request: %s", line)
				}
			}
		}
		if n != 1 {
			t.Errorf("%q is in the log %d times:\n%s", want, n, log)
		}
	}
}
