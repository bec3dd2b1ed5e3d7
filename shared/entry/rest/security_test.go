package rest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// bodies are the operations that take a body, with the least that each needs.
func bodies() map[operationName]map[string]any {
	out := map[operationName]map[string]any{}
	for _, op := range api.operations() {
		body := get(op.spec, "requestBody")
		if body == nil {
			continue
		}
		least := map[string]any{}
		required, _ := api.follow(get(body, "content.application/json.schema"))["required"].([]any)
		for _, name := range required {
			least[name.(string)] = map[string]any{"url": "http://pumps.example/", "query": "pumps"}[name.(string)]
		}
		out[operationName{op.method, strings.ReplaceAll(op.path, "{id}", "site_0123456789abcdef")}] = least
	}
	return out
}

type operationName struct{ method, path string }

// endless is a body that has no end, and counts what was read of it.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	e.read += len(b)
	return len(b), nil
}

// Bodies that are meant to do harm are refused, each by its code, before they cost
// anything.
func TestHarmfulBodies(t *testing.T) {
	h := newHome(t, Options{})
	apptest.Change(h.app, func(h *app.Home) {
		h.Dispatch, h.Machines = crawling.ByMessages{}, answering.Elsewhere{Workflows: idle{}}
	})
	ops := bodies()
	if len(ops) < 6 {
		t.Fatalf("only %d operations", len(ops))
	}
	for op, least := range ops {
		with := func(name, value string) string {
			data, err := json.Marshal(least)
			if err != nil {
				t.Fatal(err)
			}
			inner := strings.TrimSuffix(strings.TrimPrefix(string(data), "{"), "}")
			if inner != "" {
				inner += ","
			}
			return "{" + inner + name + value + "}"
		}
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		for range 50 {
			z.Write(bytes.Repeat([]byte(" "), 1<<20))
		}
		z.Close()
		for what, c := range map[string]struct {
			body   string
			status int
			code   wstk.Code
			header []string
		}{
			"an unknown field": {with(`"nosuch":`, "1"), 400, wstk.Invalid, nil},
			"another case":     {with(`"QUERY":`, `"x"`), 400, wstk.Invalid, nil},
			"a prototype":      {with(`"__proto__":`, `{"x":1}`), 400, wstk.Invalid, nil},
			"over the limit":   {with(`"nosuch":`, `"`+strings.Repeat("a", MaxRequest)+`"`), 413, wstk.TooLarge, nil},
			"nested": {with(`"nosuch":`,
				strings.Repeat("[", 32)+strings.Repeat("]", 32)), 400, wstk.Invalid, nil},
			"nested very deep":       {with(`"nosuch":`, strings.Repeat(`{"a":`, 30000)), 400, wstk.Invalid, nil},
			"nested in front":        {strings.Repeat("[", 100000), 400, wstk.Invalid, nil},
			"a huge number":          {with(`"limit":`, "1e999999999"), 400, wstk.Invalid, nil},
			"a long number":          {with(`"limit":`, strings.Repeat("9", 100000)), 400, wstk.Invalid, nil},
			"a long fraction":        {with(`"limit":`, "1."+strings.Repeat("0", 100000)+"1"), 400, wstk.Invalid, nil},
			"not a number":           {with(`"limit":`, "NaN"), 400, wstk.Invalid, nil},
			"a name twice":           {with(`"filter":{},"filter":`, "{}"), 400, wstk.Invalid, nil},
			"a name twice, escaped":  {with(`"filter":{},"f\u0069lter":`, "{}"), 400, wstk.Invalid, nil},
			"two values":             {with("", "") + "{}", 400, wstk.Invalid, nil},
			"a list":                 {"[]", 400, wstk.Invalid, nil},
			"no UTF-8":               {with(`"nosuch":`, "\"\xff\""), 400, wstk.Invalid, nil},
			"compressed":             {zipped.String(), 415, wstk.UnsupportedMediaType, []string{"Content-Encoding", "gzip"}},
			"compressed twice":       {zipped.String(), 415, wstk.UnsupportedMediaType, []string{"Content-Encoding", "identity, gzip"}},
			"compressed, not saying": {zipped.String(), 400, wstk.Invalid, nil},
			"a form":                 {"a=b", 415, wstk.UnsupportedMediaType, []string{"Content-Type", "application/x-www-form-urlencoded"}},
			"of no type":             {with("", ""), 415, wstk.UnsupportedMediaType, []string{"Content-Type", ""}},
		} {
			started := time.Now()
			w := h.call(op.method, op.path, strings.Replace(c.body, ",}", "}", 1), c.header...)
			if w.Code != c.status || !strings.Contains(w.Body.String(), `"code":"`+string(c.code)+`"`) {
				t.Errorf("%s %s, %s: %d %.300s; want %d", op.method, op.path, what, w.Code, w.Body, c.status)
			}
			if w.Body.Len() > 2000 {
				t.Errorf("%s %s, %s: the reply repeats %d bytes", op.method, op.path, what, w.Body.Len())
			}
			if took := time.Since(started); took > 2*time.Second {
				t.Errorf("%s %s, %s took %v", op.method, op.path, what, took)
			}
		}

		for _, length := range []int64{-1, 50 << 20} {
			for _, key := range []string{"", "some-key"} {
				var body endless
				r := httptest.NewRequest(op.method, op.path, io.LimitReader(&body, 50<<20))
				r.ContentLength = length
				r.Header.Set("Authorization", "Bearer "+firstToken)
				r.Header.Set("Content-Type", "application/json")
				if key != "" {
					r.Header.Set(keyHeader, key)
				}
				w := httptest.NewRecorder()
				h.h.ServeHTTP(w, r)
				if w.Code != 413 || body.read > 2*MaxRequest {
					t.Errorf("%s %s, 50 MiB: %d after %d bytes", op.method, op.path, w.Code, body.read)
				}
			}
		}
	}
}

// What stands under the id of a run is shown by the route of its kind alone; requests are
// shown by none.
func TestRunsOfOtherKinds(t *testing.T) {
	h := newHome(t, Options{})
	h.ingest()
	h.json(202, "POST", "/extractions", `{"query": "What working pressure does the Mark 3 reach?"}`, "Idempotency-Key", "k")
	ids := map[wstk.RunKind]string{}
	for _, kind := range []wstk.RunKind{wstk.RunIngest, wstk.RunRefresh, wstk.RunExtraction,
		wstk.RunSearch, wstk.RunAnswer, wstk.RunResolution, wstk.RunRequest} {
		now := time.Now().UTC()
		run := wstk.Run{ID: wstk.NewRunID(now, nil), Kind: kind, State: wstk.RunComplete,
			Query: "words of somebody", StartedAt: now, UpdatedAt: now, EndedAt: now}
		if kind == wstk.RunSearch {
			run.Search = &wstk.SearchRun{Providers: []string{}, Counts: map[string]int{}}
		}
		if err := h.app.Runs.Create(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		ids[kind] = string(run.ID)
	}
	ids[""] = string(keyID("owner", "POST", "/extractions", "k", 0)) // of the request above
	for _, route := range []struct {
		method, path string
		kind         wstk.RunKind
		status       int
	}{
		{"GET", "/extractions/%", wstk.RunExtraction, 200},
		{"GET", "/extractions/%/events", wstk.RunExtraction, 200},
		{"DELETE", "/extractions/%", wstk.RunExtraction, 200},
		{"GET", "/search-runs/%", wstk.RunSearch, 200},
		{"GET", "/search-runs/%?raw=true", wstk.RunSearch, 200},
		{"GET", "/sites/%", "none", 404},
		{"GET", "/evidence/%", "none", 404},
		{"GET", "/snapshots/%", "none", 404},
	} {
		for kind, id := range ids {
			want := 404
			if kind == route.kind {
				want = route.status
			}
			w := h.call(route.method, strings.ReplaceAll(route.path, "%", id), nil)
			if w.Code != want || want == 404 && strings.Contains(w.Body.String(), "somebody") {
				t.Errorf("%s %s of kind %q: %d %s", route.method, route.path, kind, w.Code, w.Body)
			}
		}
	}
	if list := h.json(200, "GET", "/search-runs", nil)["runs"].([]any); len(list) != 1 {
		t.Errorf("listed are %d runs: %v", len(list), list)
	}
}
