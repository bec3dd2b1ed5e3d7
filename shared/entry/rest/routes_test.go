package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// The whole way: a site is crawled, asked, and every quote is found again in what the
// interface itself hands out. Each reply is checked against its schema.
func TestTheWholeWay(t *testing.T) {
	h := newHome(t, Options{})
	if v := h.json(200, "GET", "/sites", nil); len(get(v, "sites").([]any)) != 0 {
		t.Errorf("sites of a new home: %v", v)
	}
	if v := h.json(200, "GET", "/recall?q=pump", nil); len(get(v, "hits").([]any)) != 0 {
		t.Errorf("hits in a new home: %v", v)
	}
	id := h.ingest()

	status := h.json(200, "GET", "/sites/"+id, nil)
	if get(status, "accounting.fetched") != 3.0 || get(status, "accounting.not_found") != 1.0 || get(status, "pages") != 3.0 {
		t.Errorf("status %v", status)
	}
	byURL := h.json(200, "GET", "/sites/"+url.PathEscape(h.site+"/mk3.html"), nil)
	if get(byURL, "site.id") != id {
		t.Errorf("by its URL: %v", byURL)
	}
	why := h.json(200, "GET", "/sites/"+id+"?why="+url.QueryEscape(h.site+"/lost.html"), nil)
	if why["outcome"] != "not_found" || why["why"] == "" {
		t.Errorf("why: %v", why)
	}
	if v := h.json(200, "GET", "/sites?limit=1", nil); get(v, "sites.0.site.id") != id || v["next_cursor"] != "" {
		t.Errorf("list: %v", v)
	}

	hits := h.json(200, "GET", "/recall?q=working+pressure&limit=2&include_site="+id, nil)
	if get(hits, "hits.0.url") != h.site+"/mk3.html" || len(hits["hits"].([]any)) > 2 {
		t.Errorf("recall: %v", hits)
	}
	if v := h.json(200, "GET", "/recall?q=pressure&exclude_site="+id, nil); len(v["hits"].([]any)) != 0 {
		t.Errorf("recall elsewhere: %v", v)
	}
	if v := h.json(200, "GET", "/recall?q=pressure&min_date=2199-01-01", nil); len(v["hits"].([]any)) != 0 {
		t.Errorf("recall of later: %v", v)
	}
	if v := h.json(200, "POST", "/gaps", map[string]any{"query": "motor volts", "limit": 1,
		"filter": map[string]any{"include_sites": []string{id}}}); get(v, "hits.0.url") != h.site+"/mk3.html" {
		t.Errorf("gaps: %v", v)
	}

	w := h.call("POST", "/extractions", map[string]any{"query": "What working pressure does the Mark 3 reach?", "hints": []string{"pressure"}})
	if w.Code != 202 || !strings.HasPrefix(w.Header().Get("Location"), "/extractions/run_") {
		t.Fatalf("%d %v %s; want w.Code == 202 && strings.HasPrefix(w.Header().Get(\"Location\"), \"/extractions/run_\")", w.Code, w.Header(), w.Body)
	}
	x := h.wait(w.Header().Get("Location"))
	if get(x, "run.state") != "complete" || x["strategy"] != "singular" {
		t.Fatalf("extraction: %v", x)
	}
	quote := get(x, "extractions.0.evidence.0").(map[string]any)
	if !strings.Contains(quote["quote"].(string), "9 bar") {
		t.Errorf("evidence %v", quote)
	}
	kept := h.json(200, "GET", "/evidence/"+quote["id"].(string), nil)
	if fmt.Sprint(kept) != fmt.Sprint(quote) {
		t.Errorf("evidence by id is %v, want %v", kept, quote)
	}

	// Found again with nothing but replies.
	doc := h.json(200, "POST", "/read", map[string]any{"url": quote["url"]})
	text := doc["text"].(string)
	if wstk.HashOf([]byte(text)) != wstk.Hash(quote["text_sha256"].(string)) || doc["text_sha256"] != quote["text_sha256"] {
		t.Error("the text is not the one of the evidence")
	}
	if got := text[int(quote["byte_start"].(float64)):int(quote["byte_end"].(float64))]; got != quote["quote"] {
		t.Errorf("at the offsets stands %q", got)
	}
	snap := h.call("GET", "/snapshots/"+quote["snapshot_sha256"].(string), nil)
	hash := wstk.Hash(quote["snapshot_sha256"].(string))
	if snap.Code != 200 || wstk.HashOf(snap.Body.Bytes()) != hash ||
		snap.Body.String() != pages["/mk3.html"] {
		t.Errorf("snapshot: %d %s", snap.Code, snap.Body)
	}

	lost := h.json(202, "POST", "/extractions", `{"query": "Who painted the ceiling of the chapel?"}`)
	none := h.wait("/extractions/" + get(lost, "run.id").(string))
	if len(none["extractions"].([]any)) != 0 || get(none, "gaps.0.query") == nil {
		t.Errorf("a question nothing answers: %v", none)
	}
	from := h.json(202, "POST", "/extractions", map[string]any{"query": "What is the price of the Mark 4 pump?", "urls": []string{h.site + "/data.html"}, "strict": false})
	if v := h.wait("/extractions/" + get(from, "run.id").(string)); get(v, "run.state") != "complete" || get(v, "extractions.0.evidence.0.url") != h.site+"/data.html" {
		t.Errorf("from one page: %v", v)
	}

	again := h.json(202, "POST", "/sites/"+id+"/refresh", nil)
	if get(again, "run.kind") != "refresh" {
		t.Errorf("refresh: %v", again)
	}
	if v := h.wait("/sites/" + id); get(v, "run.state") != "complete" || get(v, "accounting.fetched") != 3.0 {
		t.Errorf("after the refresh: %v", v)
	}
	h.json(202, "POST", "/sites/"+id+"/refresh", `{"max_pages": 1, "include": ["/mk3.html"]}`)
	if v := h.wait("/sites/" + id); get(v, "run.options.max_pages") != 1.0 || get(v, "run.options.include.0") != "/mk3.html" ||
		get(v, "site.options.max_pages") != 500.0 || get(v, "site.options.include") != nil ||
		get(v, "next_steps.0") != "to look at the 2 that are left: POST /sites/"+url.PathEscape(h.site+"/")+"/refresh" {
		t.Errorf("after a bounded refresh: %v", v)
	}
	if v := h.json(200, "GET", "/healthz", nil, "Authorization", ""); v["status"] != "ok" {
		t.Errorf("health: %v", v)
	}
	if v := h.json(200, "GET", "/openapi.json", nil); v["openapi"] != "3.1.0" {
		t.Errorf("openapi: %v", v["openapi"])
	}
}

// A crawl that runs is 409 for a second one.
func TestOneCrawlPerSite(t *testing.T) {
	h := open(t, Options{})
	release := make(chan struct{})
	web := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-release }))
	defer web.Close()
	defer close(release)
	h.json(202, "POST", "/sites", map[string]any{"url": web.URL})
	v := h.json(409, "POST", "/sites", map[string]any{"url": web.URL + "/"})
	if v["code"] != "conflict" || !strings.Contains(get(v, "next.0").(string), "/sites/http:%2F%2F127") {
		t.Errorf("%v; want v[\"code\"] == \"conflict\" && strings.Contains(get(v, \"next.0\").(string), \"/sites/http:%%2F%%2F127\")", v)
	}
}

// Several sites are crawled at once.
func TestCrawlsAtOnce(t *testing.T) {
	h := newHome(t, Options{})
	var ids []string
	for range 4 {
		web := httptest.NewServer(http.HandlerFunc(servePages))
		defer web.Close()
		v := h.json(202, "POST", "/sites", map[string]any{"url": web.URL, "rate_limit_ms": 20})
		ids = append(ids, get(v, "site.id").(string))
	}
	for _, id := range ids {
		if v := h.wait("/sites/" + id); get(v, "run.state") != "complete" || get(v, "accounting.fetched") != 3.0 {
			t.Errorf("%v; want get(v, \"run.state\") == \"complete\" && get(v, \"accounting.fetched\") == 3.0", v)
		}
	}
	first := h.json(200, "GET", "/sites?limit=3", nil)
	rest := h.json(200, "GET", "/sites?limit=3&cursor="+first["next_cursor"].(string), nil)
	if len(first["sites"].([]any)) != 3 || len(rest["sites"].([]any)) != 1 || rest["next_cursor"] != "" {
		t.Errorf("in pages: %v, %v", first, rest)
	}
}

// What an extraction is asked arrives whole; strict is the default.
func TestWhatAnExtractionIsAsked(t *testing.T) {
	h := open(t, Options{})
	apptest.Change(h.app, func(h *app.Home) { h.Machines = answering.Elsewhere{Workflows: idle{}} })
	for body, want := range map[string]wstk.AskQuery{
		`{"query": "a pump"}`: {Query: "a pump", Strict: true},
		`{"query": "a pump", "output_language": "pt-BR", "max_tokens": 20000}`: {Query: "a pump", Strict: true,
			OutputLanguage: "pt-BR", MaxTokens: 20000},
		`{"query": "a pump", "strict": true, "limit": 7}`:        {Query: "a pump", Strict: true, Limit: 7},
		`{"query": "a pump", "strict": false, "hints": ["bar"]}`: {Query: "a pump", Hints: []string{"bar"}},
		`{"query": "a pump", "urls": ["http://A.example"], "filter": {"include_sites": ["a"], "exclude_sites": ["b", "c"], "min_date": "2026-01-31"}}`: {
			Query: "a pump", Strict: true, From: []string{"http://a.example/"},
			Filter: wstk.Filter{IncludeSites: []string{"a"}, ExcludeSites: []string{"b", "c"},
				MinDate: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)}},
	} {
		v := h.json(202, "POST", "/extractions", body)
		data, err := h.app.Blobs.Get(context.Background(), wstk.Hash(get(v, "run.request").(string)))
		var got wstk.AskQuery
		if err == nil {
			err = json.Unmarshal(data, &got)
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s asks %+v, want %+v, %v", body, got, want, err)
		}
	}
}

// A crawl gets the bounds of its request, and all else from the server.
func TestWhatACrawlIsTold(t *testing.T) {
	h := open(t, Options{})
	apptest.Change(h.app, func(h *app.Home) {
		h.Dispatch = crawling.ByMessages{} // nothing is really crawled
	})
	h.app.Config.Crawl.MaxDepth, h.app.Config.Origin["crawl.max_depth"] = 4, "environment"
	v := h.json(202, "POST", "/sites", `{"url": "http://a.example/docs/", "max_pages": 7, "rate_limit_ms": 250, "include": ["/docs/**", "/b"], "exclude": [], "robots": "warn"}`)
	want := map[string]any{"max_pages": 7.0, "max_depth": 4.0, "rate_limit_ms": 250.0, "include": []any{"/docs/**", "/b"}, "robots": "warn", "stale_after_s": 604800.0}
	if got := get(v, "run.options"); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(get(v, "site.options"), want) {
		t.Errorf("options %v, want %v", got, want)
	}
	if len(h.app.Config.Origin) != 1 || h.app.Config.Crawl.MaxPages != 500 {
		t.Errorf("the server's own settings became %+v", h.app.Config)
	}
	for _, pattern := range []string{"/docs/{a", "/docs/[ab]/**", "http://a.example/docs/**"} {
		body := map[string]any{"url": "http://a.example/", "exclude": []string{pattern}}
		if v := h.json(400, "POST", "/sites", body); !strings.Contains(fmt.Sprint(v), pattern) ||
			len(v["next"].([]any)) == 0 {
			t.Errorf("the pattern %s: %v", pattern, v)
		}
	}
	v = h.json(202, "POST", "/sites", `{"url": "http://b.example/"}`)
	if get(v, "run.options.max_pages") != 500.0 || get(v, "run.options.robots") != "respect" {
		t.Errorf("without bounds: %v", v)
	}
}

// holding is a store of runs that halts their work after the first bucket.
type holding struct {
	wstk.RunStore
	hold chan struct{}
}

func (s holding) AddPart(ctx context.Context, id wstk.RunID, p wstk.Part) error {
	err := s.RunStore.AddPart(ctx, id, p)
	if p.N == 0 {
		<-s.hold
	}
	return err
}

func TestCancelAndPiecesSoFar(t *testing.T) {
	h := newHome(t, Options{})
	h.ingest()
	hold := make(chan struct{})
	apptest.Change(h.app, func(h *app.Home) { h.Runs = holding{h.Runs, hold} })
	id := get(h.json(202, "POST", "/extractions", `{"query": "What working pressure does the Mark 3 reach?"}`), "run.id").(string)
	var v map[string]any
	for range 500 {
		if v = h.json(200, "GET", "/extractions/"+id, nil); len(v["extractions"].([]any)) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if get(v, "run.state") != "running" || len(v["extractions"].([]any)) != 1 {
		t.Errorf("the pieces so far: %v", v)
	}
	if v := h.json(202, "DELETE", "/extractions/"+id, nil); get(v, "run.cancel_requested") != true {
		t.Errorf("cancel: %v", v)
	}
	close(hold)
	if v := h.wait("/extractions/" + id); get(v, "run.state") != "cancelled" {
		t.Errorf("after the cancel: %v", v)
	}
	if v := h.json(200, "DELETE", "/extractions/"+id, nil); get(v, "run.state") != "cancelled" || get(v, "removed.run_id") != id {
		t.Errorf("removal of an ended run: %v", v)
	}
	h.json(404, "GET", "/extractions/"+id, nil)
	h.json(404, "DELETE", "/extractions/"+id, nil)
}

// A crawl is cancelled by the address or the id of its site, as often as one likes.
func TestCancelACrawl(t *testing.T) {
	h := newHome(t, Options{})
	asked, release := make(chan string, 100), make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		<-release
	}))
	defer web.Close()
	defer close(release)
	begun := h.json(202, "POST", "/sites", map[string]any{"url": web.URL})
	id := get(begun, "site.id").(string)
	<-asked
	w := h.call("DELETE", "/sites/"+web.URL+"/crawl", nil)
	if w.Code != 202 || w.Header().Get("Location") != "/sites/"+id || !strings.Contains(w.Body.String(), `"cancel_requested":true`) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	v := h.wait("/sites/" + id)
	if get(v, "run.state") != "cancelled" || get(v, "run.id") != get(begun, "run.id") || get(v, "accounting.open") != 0.0 {
		t.Errorf("after the cancel: %v", v)
	}
	if v := h.json(200, "DELETE", "/sites/"+id+"/crawl", nil); get(v, "run.state") != "cancelled" {
		t.Errorf("once more: %v", v)
	}
	h.json(404, "DELETE", "/sites/site_0123456789abcdef/crawl", nil)
	h.json(404, "DELETE", "/sites/nothing/crawl", nil)
	h.json(400, "DELETE", "/sites/"+id+"/crawl?now=true", nil)
}

// A site is removed by a run that can be followed when the site is gone; while it is crawled
// that is a conflict, which says what to do.
func TestRemoveASite(t *testing.T) {
	h := newHome(t, Options{})
	asked, release := make(chan string, 100), make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		<-release
	}))
	defer web.Close()
	begun := h.json(202, "POST", "/sites", map[string]any{"url": web.URL})
	id := get(begun, "site.id").(string)
	<-asked
	if v := h.json(409, "DELETE", "/sites/"+id, nil); !strings.Contains(fmt.Sprint(v), "cancel it first: DELETE /sites/") {
		t.Errorf("while it is crawled: %v", v)
	}
	h.json(202, "DELETE", "/sites/"+id+"/crawl", nil)
	h.wait("/sites/" + id)
	close(release)

	h.json(400, "DELETE", "/sites/"+id+"?with_runs=perhaps", nil)
	h.json(400, "DELETE", "/sites/"+id+"?now=true", nil)
	var w *httptest.ResponseRecorder
	// the crawl lets go of the site a moment after its run has ended
	for w == nil || w.Code == 409 {
		w = h.call("DELETE", "/sites/"+id+"?with_runs=true", nil)
	}
	var v map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || w.Code != 202 {
		t.Fatalf("%d %s; want err == nil && w.Code == 202", w.Code, w.Body)
	}
	at := "/removals/" + get(v, "run.id").(string)
	if w.Header().Get("Location") != at || get(v, "run.kind") != "removal" {
		t.Errorf("%v %s; want w.Header().Get(\"Location\") == at && get(v, \"run.kind\") == \"removal\"", w.Header(), w.Body)
	}
	if v := h.wait(at); get(v, "run.state") != "complete" || get(v, "removal.phase") != "done" || get(v, "removal.with_runs") != true || get(v, "removal.site_id") != id {
		t.Errorf("%v", v)
	}
	h.json(404, "GET", "/sites/"+id, nil)
	h.json(404, "DELETE", "/sites/"+id, nil)
	h.json(404, "DELETE", "/sites/nothing", nil)
	h.json(404, "GET", "/removals/"+get(begun, "run.id").(string), nil)
	h.json(404, "GET", "/removals/nothing", nil)
}

// Without a valid token every address but health and readiness is 401, whether there is
// something or not, and the reply is the same.
func TestNothingWithoutAToken(t *testing.T) {
	h := newHome(t, Options{})
	replies := map[string]bool{}
	try := func(method, target string) {
		for _, auth := range []string{"", "Bearer", "Bearer ", "Bearer wrong",
			"Bearer " + firstToken[:8], "Bearer " + firstToken + "x", "Basic " + firstToken, firstToken,
			"Bearer " + firstToken + ", Bearer second-token", "Bearer  x " + firstToken} {
			w := h.call(method, target, `{"query": "x", "url": "http://a.example/"}`, "Authorization", auth, "X-Request-Id", "same")
			if w.Code != 401 {
				t.Errorf("%s %s: %d; want w.Code == 401", method, target, w.Code)
			}
			if !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer ") || w.Header().Get("Allow") != "" {
				t.Errorf("%s %s: headers %v", method, target, w.Header())
			}
			if method != "HEAD" {
				wantProblem(t, w, 401, wstk.Unauthorized)
				replies[w.Body.String()] = true
			}
		}
	}
	for _, op := range api.operations() {
		if isOpen(op.path) {
			continue
		}
		target := strings.NewReplacer("{id}", "x", "{sha256}", strings.Repeat("a", 64)).Replace(op.path)
		try(op.method, target)
		try("HEAD", target)
		try("PATCH", target)
		try("OPTIONS", target)
	}
	for _, target := range []string{"/", "/nosuch", "/sites/", "//sites", "/healthz/", "/healthz/../sites", "/HEALTHZ", "/sites/https://a.example/"} {
		try("GET", target)
	}
	if len(replies) != 1 {
		t.Errorf("%d different replies: %v", len(replies), replies)
	}
	for _, auth := range []string{"Bearer " + firstToken, "Bearer second-token", "bearer second-token", "Bearer   second-token"} {
		if w := h.call("GET", "/sites", nil, "Authorization", auth); w.Code != 200 {
			t.Errorf("%q: %d; want w.Code == 200", auth, w.Code)
		}
	}

	for name, tokens := range map[string][]string{"no tokens": nil, "empty tokens": {"", ""}} {
		h.h = New(h.app, tokens, Options{})
		for _, auth := range []string{"", "Bearer ", "Bearer " + firstToken} {
			if w := h.call("GET", "/sites", nil, "Authorization", auth); w.Code != 401 {
				t.Errorf("%s: %q: %d; want w.Code == 401", name, auth, w.Code)
			}
		}
		if w := h.call("GET", "/healthz", nil, "Authorization", ""); w.Code != 200 {
			t.Errorf("%s: health: %d", name, w.Code)
		}
	}
	h.h = New(h.app, nil, Options{Open: true})
	if w := h.call("GET", "/sites", nil, "Authorization", ""); w.Code != 200 {
		t.Errorf("open: %d", w.Code)
	}
}

func TestErrors(t *testing.T) {
	h := newHome(t, Options{})
	h.ingest()
	long := `{"query": "` + strings.Repeat("x", MaxRequest) + `"}`
	run := string(wstk.NewRunID(time.Now(), nil))
	for _, c := range []struct {
		method, target string
		body           any
		status         int
		code           wstk.Code
		headers        []string
	}{
		{"GET", "/", nil, 404, wstk.NotFound, nil},
		{"GET", "/nosuch", nil, 404, wstk.NotFound, nil},
		{"GET", "/sites/", nil, 404, wstk.NotFound, nil},
		{"GET", "//sites", nil, 404, wstk.NotFound, nil},
		{"GET", "/sites/../sites", nil, 404, wstk.NotFound, nil},
		{"GET", "/sites/site_0123456789abcdef", nil, 404, wstk.NotFound, nil},
		{"GET", "/sites/nosuch", nil, 404, wstk.NotFound, nil},
		{"GET", "/sites/nosuch?why=http://a.example/", nil, 404, wstk.NotFound, nil},
		{"POST", "/sites/nosuch/refresh", nil, 404, wstk.NotFound, nil},
		{"GET", "/sites/https:%2F%2Fother.example%2F", nil, 404, wstk.NotFound, nil},
		{"GET", "/sites/https:%2F%2Fme:secret@other.example%2F", nil, 400, wstk.Invalid, nil},
		{"GET", "/sites/" + url.PathEscape(h.site) + "?why=nonsense", nil, 400, wstk.Invalid, nil},
		{"GET", "/sites/" + url.PathEscape(h.site) + "?why=", nil, 400, wstk.Invalid, nil},
		{"GET", "/sites/" + url.PathEscape(h.site) + "?why=" + h.site + "/never", nil, 404, wstk.NotFound, nil},
		{"GET", "/extractions/" + run, nil, 404, wstk.NotFound, nil},
		{"GET", "/extractions/run_1", nil, 404, wstk.NotFound, nil},
		{"GET", "/extractions/..%2Fsites", nil, 404, wstk.NotFound, nil},
		{"DELETE", "/extractions/" + run, nil, 404, wstk.NotFound, nil},
		{"DELETE", "/extractions/x", nil, 404, wstk.NotFound, nil},
		{"GET", "/evidence/ev_000000000000000000000000", nil, 404, wstk.NotFound, nil},
		{"GET", "/evidence/%00", nil, 404, wstk.NotFound, nil},
		{"GET", "/snapshots/" + strings.Repeat("0", 64), nil, 404, wstk.NotFound, nil},
		{"GET", "/snapshots/..%2F..%2Fetc%2Fpasswd", nil, 404, wstk.NotFound, nil},
		{"POST", "/read", `{"url": "http://other.example/"}`, 404, wstk.NotFound, nil},
		{"POST", "/read", `{"url": "not an address"}`, 400, wstk.Invalid, nil},

		{"DELETE", "/sites", nil, 405, wstk.MethodNotAllowed, nil},
		{"PUT", "/recall?q=x", nil, 405, wstk.MethodNotAllowed, nil},
		{"GET", "/read", nil, 405, wstk.MethodNotAllowed, nil},
		{"OPTIONS", "/extractions", nil, 405, wstk.MethodNotAllowed, nil},
		{"POST", "/healthz", nil, 405, wstk.MethodNotAllowed, nil},

		{"GET", "/recall", nil, 400, wstk.Invalid, nil},
		{"GET", "/recall?q=%20", nil, 400, wstk.Invalid, nil},
		{"GET", "/recall?q=x&q=y", nil, 400, wstk.Invalid, nil},
		{"GET", "/recall?q=x&limit=many", nil, 400, wstk.Invalid, nil},
		{"GET", "/recall?q=x&limit=", nil, 400, wstk.Invalid, nil},
		{"GET", "/recall?q=x&nosuch=1", nil, 400, wstk.Invalid, nil},
		{"GET", "/recall?q=x&min_date=yesterday", nil, 400, wstk.Invalid, nil},
		{"GET", "/recall?q=x&min_date=2999-01-01", nil, 200, "", nil},
		{"GET", "/recall?q=x&min_date=0001-01-01", nil, 200, "", nil},
		{"GET", "/recall?q=x&min_date=0000-01-01", nil, 400, wstk.Invalid, nil},
		{"GET", "/recall?q=x&min_date=", nil, 400, wstk.Invalid, nil},
		{"GET", "/recall?q=%ff", nil, 400, wstk.Invalid, nil},
		{"GET", "/recall?q=%zz", nil, 400, wstk.Invalid, nil},
		{"GET", "/sites?nosuch=1", nil, 400, wstk.Invalid, nil},
		{"GET", "/healthz?nosuch=1", nil, 200, "", nil},
		{"GET", "/openapi.json?nosuch=1", nil, 400, wstk.Invalid, nil},
		{"POST", "/gaps?query=x", `{"query": "x"}`, 400, wstk.Invalid, nil},

		{"POST", "/gaps", nil, 415, wstk.UnsupportedMediaType, nil},
		{"POST", "/gaps", `{"query": "x"}`, 415, wstk.UnsupportedMediaType, []string{"Content-Type", "text/plain"}},
		{"POST", "/gaps", `query=x`, 415, wstk.UnsupportedMediaType, []string{"Content-Type", "application/x-www-form-urlencoded"}},
		{"POST", "/gaps", `{"query": "x"}`, 415, wstk.UnsupportedMediaType, []string{"Content-Type", ""}},
		{"POST", "/gaps", `{"query": "x"}`, 200, "", []string{"Content-Type", "application/json; charset=utf-8"}},
		{"POST", "/gaps", long, 413, wstk.TooLarge, nil},
		{"POST", "/extractions", long, 413, wstk.TooLarge, []string{"Idempotency-Key", "k"}},
		{"POST", "/gaps", "", 400, wstk.Invalid, nil},
		{"POST", "/gaps", "{", 400, wstk.Invalid, nil},
		{"POST", "/gaps", "null", 400, wstk.Invalid, nil},
		{"POST", "/gaps", `["query"]`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `"query"`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"Query": "x"}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x", "QUERY": "y"}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x", "": "y"}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x", "filter": {"Min_Date": "2026-01-01"}}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x", "filter": null}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x", "limit": null}`, 400, wstk.Invalid, nil},
		{"POST", "/extractions", `{"query": "x", "output_language": "German!"}`, 400, wstk.Invalid, nil},
		{"POST", "/extractions", `{"query": "x", "output_language": ""}`, 400, wstk.Invalid, nil},
		{"POST", "/extractions", `{"query": "x", "max_tokens": 0}`, 400, wstk.Invalid, nil},
		{"POST", "/extractions", `{"query": "x", "max_tokens": 10000001}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x", "filter": {"min_date": null}}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x", "filter": {"min_date": ""}}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x", "limit": 5.0}`, 200, "", nil},
		{"POST", "/gaps", `{"query": "x", "limit": 0.5e1}`, 200, "", nil},
		{"POST", "/gaps", `{"query": "x", "limit": 5.5}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x", "limit": 1e400}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": 7}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x", "filter": {"sites": []}}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x"} {"query": "y"}`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x"}]`, 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x"} ` + "\n\t", 200, "", nil},
		{"POST", "/gaps", "{\"query\": \"\xff\"}", 400, wstk.Invalid, nil},
		{"POST", "/gaps", `{"query": "x", "filter": {"min_date": "soon"}}`, 400, wstk.Invalid, nil},
		{"POST", "/extractions", `{"query": "?!"}`, 422, wstk.Unprocessable, nil},
		{"POST", "/extractions", `{"query": "x", "urls": ["nonsense"]}`, 400, wstk.Invalid, nil},
		{"POST", "/extractions", `{"query": "x", "urls": ["http://me:secret@a.example/"]}`, 400, wstk.Invalid, nil},
		{"POST", "/extractions", `{"query": "x", "urls": ["https://a.example/", "file:///etc/passwd"]}`, 400, wstk.Invalid, nil},
		{"POST", "/extractions", `{"query": "x", "urls": ["stdin:"]}`, 400, wstk.Invalid, nil},
		{"POST", "/extractions", `{"query": "x", "urls": ["s3://bucket/inbox/x"]}`, 400, wstk.Invalid, nil},
		{"GET", "/sites?cursor=abc", ``, 400, wstk.Invalid, nil},
		{"GET", "/sites?cursor=site_0123456789abcdeF", ``, 400, wstk.Invalid, nil},
		{"GET", "/sites?cursor=site_0123456789abcdef", ``, 200, "", nil},
		{"GET", "/sites?cursor=", ``, 200, "", nil},
		{"GET", "/search-runs?cursor=abc", ``, 400, wstk.Invalid, nil},
		{"POST", "/sites", `{"url": "nonsense"}`, 400, wstk.Invalid, nil},
		{"POST", "/sites", `{"url": "http://me:secret@a.example/"}`, 400, wstk.Invalid, nil},
		{"POST", "/sites", `{"url": "http://a.example/", "include": ["/a,b"]}`, 400, wstk.Invalid, nil},
		{"POST", "/sites", `{"url": "http://a.example/", "max_pages": 99999999999999999999}`, 400, wstk.Invalid, nil},
		{"POST", "/sites", `{"url": "http://a.example/", "Config": {}}`, 400, wstk.Invalid, nil},
		{"POST", "/sites/" + url.PathEscape(h.site) + "/refresh", `{"url": "x"}`, 400, wstk.Invalid, nil},
		{"POST", "/sites/" + url.PathEscape(h.site) + "/refresh", `x`, 415, wstk.UnsupportedMediaType, []string{"Content-Type", "text/plain"}},
	} {
		t.Run(strings.ReplaceAll(c.method+" "+c.target, "/", "∕"), func(t *testing.T) {
			w := h.call(c.method, c.target, c.body, c.headers...)
			if c.status < 400 {
				if w.Code != c.status {
					t.Errorf("status %d, want %d: %s", w.Code, c.status, w.Body)
				}
				return
			}
			wantProblem(t, w, c.status, c.code)
			body := w.Body.String()
			for _, bad := range []string{"secret", "wstk ", "--", "json:", "Go "} {
				if strings.Contains(body, bad) {
					t.Errorf("%q stands in %s", bad, body)
				}
			}
			if allow := w.Header().Get("Allow"); (allow != "") != (c.status == 405) {
				t.Errorf("Allow is %q", allow)
			}
		})
	}
	if got := h.call("PUT", "/sites", nil).Header().Get("Allow"); got != "GET, HEAD, POST" {
		t.Errorf("Allow is %q", got)
	}
}

// The address of a site is one segment however it arrives.
func TestAddressesOfSitesInPaths(t *testing.T) {
	h := newHome(t, Options{})
	id := h.ingest()
	host := strings.TrimPrefix(h.site, "http://")
	for _, name := range []string{
		url.PathEscape(h.site + "/"), "http:%2F%2F" + host + "%2F", "http%3A%2F%2F" + url.PathEscape(host) + "%2F", "http%3a%2f%2f" + host,
		"http://" + host + "/", "http:/" + host + "/mk3.html", "http://" + host, "http:%2F%2F" + host + "%2F%3Fa=b", "http:%2F%2F" + host + "/mk3.html",
	} {
		if v := h.json(200, "GET", "/sites/"+name, nil); get(v, "site.id") != id {
			t.Errorf("%s: %v, want %v", name, v, id)
		}
	}
	for _, name := range []string{url.PathEscape(h.site + "/"), h.site, "http:/" + host + "/"} {
		target := "/sites/" + strings.TrimSuffix(name, "/") + "/refresh"
		if v := h.json(202, "POST", target, nil); get(v, "site.id") != id {
			t.Errorf("%s: %v, want %v", target, v, id)
		}
		h.wait("/sites/" + id)
	}
}

func TestHead(t *testing.T) {
	h := newHome(t, Options{})
	id := h.ingest()
	for _, target := range []string{"/sites", "/sites/" + id, "/recall?q=pump", "/healthz", "/openapi.json", "/nosuch"} {
		get, head := h.call("GET", target, nil, "X-Request-Id", "x"), h.call("HEAD", target, nil, "X-Request-Id", "x")
		if head.Code != get.Code || head.Body.Len() != 0 || get.Body.Len() == 0 {
			t.Errorf("%s: GET %d with %d bytes, HEAD %d with %d", target, get.Code, get.Body.Len(), head.Code, head.Body.Len())
		}
		if a, b := get.Header().Get("Content-Length"), head.Header().Get("Content-Length"); a != b || a == "" {
			t.Errorf("%s: lengths %q and %q", target, a, b)
		}
	}
}

func TestSnapshots(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789abcdef"), MaxBody/16+1)
	h := open(t, Options{})
	ctx := context.Background()
	store := func(body []byte, contentType, charset string) string {
		hash, err := h.app.Blobs.Put(ctx, body)
		if err == nil {
			err = h.app.Snapshots.Put(ctx, wstk.Snapshot{URL: "http://a.example/" + string(hash),
				FetchedAt: time.Now(), BodySHA256: hash,
				BodyBytes: int64(len(body)), ContentType: contentType, Charset: charset,
				Verdict: wstk.VerdictOK})
		}
		if err != nil {
			t.Fatal(err)
		}
		return "/snapshots/" + string(hash)
	}
	for _, c := range []struct{ contentType, charset, want, ending string }{
		{"text/html", "utf-8", "text/plain; charset=utf-8", ".txt"},
		{"text/html", "", "text/plain", ".txt"},
		{"text/html", "x; y=\"\r\nSet-Cookie: a=b", "", ".txt"},
		{"application/xhtml+xml", "iso-8859-1", "text/plain; charset=iso-8859-1", ".txt"},
		{"image/svg+xml", "", "text/plain", ".txt"},
		{"text/javascript", "", "text/plain", ".txt"},
		{"application/javascript", "", "text/plain", ".txt"},
		{"application/json", "", "application/json", ".json"},
		{"application/pdf", "", "application/pdf", ".pdf"},
		{"image/png", "", "image/png", ".png"},
		{"application/x-shockwave-flash", "", "application/octet-stream", ".bin"},
		{"", "", "application/octet-stream", ".bin"},
	} {
		body := []byte("<script>alert(1)</script>" + c.contentType + c.charset)
		target := store(body, c.contentType, c.charset)
		w := h.call("GET", target, nil)
		head := w.Header()
		if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), body) {
			t.Errorf("%s: %d %q; want w.Code == 200 && bytes.Equal(w.Body.Bytes(), body)", c.contentType, w.Code, w.Body)
		}
		if got := head.Get("Content-Type"); got != c.want && c.want != "" ||
			strings.Contains(got, "html") || strings.ContainsAny(got, "\r\n") {
			t.Errorf("%s is sent as %q", c.contentType, got)
		}
		if got := head.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment; ") || !strings.Contains(got, c.ending+`"`) {
			t.Errorf("%s: %s; want strings.HasPrefix(got, \"attachment; \") && strings.Contains(got, c.ending+`\"`)", c.contentType, got)
		}
		if head.Get("X-Content-Trust") != "untrusted" || head.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(head.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s: %v", c.contentType, head)
		}
		if w := h.call("HEAD", target, nil); w.Code != 200 || w.Body.Len() != 0 || w.Header().
			Get("Content-Length") != fmt.Sprint(len(body)) {
			t.Errorf("HEAD: %d %v", w.Code, w.Header())
		}
		if w := h.call("GET", target, nil, "Range", "bytes=1-6"); w.Code != 206 || w.Body.String() != "script" {
			t.Errorf("range: %d %q", w.Code, w.Body)
		}
		if w := h.call("GET", target, nil, "If-None-Match", head.Get("ETag")); w.Code != 304 || w.Body.Len() != 0 {
			t.Errorf("conditional: %d", w.Code)
		}
	}

	target := store(big, "text/html", "utf-8")
	if w := h.call("GET", target, nil); w.Code != 200 || w.Body.Len() != len(big) {
		t.Errorf("large without a hook: %d, %d bytes", w.Code, w.Body.Len())
	}
	elsewhere := "https://bucket.example/x?signature=very-secret"
	h.h = New(h.app, []string{firstToken},
		Options{Large: func(_ context.Context, hash wstk.Hash) (string, bool) {
			return elsewhere, hash != wstk.HashOf(big[:MaxBody+1])
		}})
	for _, method := range []string{"GET", "HEAD"} {
		if w := h.call(method, target, nil); w.Code != 307 || w.Header().
			Get("Location") != elsewhere || w.Body.Len() != 0 {
			t.Errorf("%s large: %d %v", method, w.Code, w.Header())
		}
	}
	limit := store(big[:MaxBody], "text/html", "utf-8")
	if w := h.call("GET", limit, nil); w.Code != 200 || w.Body.Len() != MaxBody {
		t.Errorf("at the limit: %d, %d bytes", w.Code, w.Body.Len())
	}
	if over := store(big[:MaxBody+1], "text/html", "utf-8"); h.call("GET", over, nil).Code != 200 {
		t.Error("a hook that says no")
	}
	if strings.Contains(h.log.String(), "very-secret") {
		t.Error("a signed address was logged")
	}
	if w := h.call("GET", "/snapshots/"+string(wstk.HashOf([]byte("no snapshot"))), nil); w.Code != 404 {
		t.Errorf("a blob that is no snapshot: %d", w.Code)
	}
}

// JSON over the limit leaves as a redirect too.
func TestLargeJSON(t *testing.T) {
	h := open(t, Options{})
	var asked wstk.Hash
	large := func(_ context.Context, hash wstk.Hash) (string, bool) {
		asked = hash
		return "https://bucket.example/" + string(hash), true
	}
	m := &handler{app: h.app, opts: Options{Large: large}}
	w := httptest.NewRecorder()
	if err := m.send(w, httptest.NewRequest("POST", "/read", nil),
		reply{body: strings.Repeat("x", MaxBody)}); err != nil {
		t.Fatal(err)
	}
	data, err := h.app.Blobs.Get(context.Background(), asked)
	if w.Code != 303 || !strings.HasSuffix(w.Header().Get("Location"), string(asked)) ||
		err != nil || len(data) != MaxBody+3 {
		t.Errorf("%d %v, %d bytes, %v", w.Code, w.Header(), len(data), err)
	}
	// What Lambda writes with six characters each counts as such.
	for body, status := range map[string]int{strings.Repeat("<", 1<<20): 303,
		strings.Repeat("x", 1<<20): 200} {
		w := httptest.NewRecorder()
		if err := m.send(w, httptest.NewRequest("POST", "/read", nil),
			reply{body: body}); err != nil || w.Code != status {
			t.Errorf("a body of %q: %d, %v", body[:3], w.Code, err)
		}
	}
}

// broken is a store of runs that fails or panics.
type broken struct {
	wstk.RunStore
	err   error
	panic any
	wait  bool
}

func (b broken) Get(ctx context.Context, _ wstk.RunID) (wstk.Run, error) {
	if b.panic != nil {
		panic(b.panic)
	}
	if b.wait {
		<-ctx.Done()
		return wstk.Run{}, wstk.Wrap(wstk.Unavailable, "reading", ctx.Err())
	}
	return wstk.Run{}, b.err
}

func TestWhatBreaksInside(t *testing.T) {
	h := open(t, Options{Timeout: 50 * time.Millisecond})
	target := "/extractions/" + string(wstk.NewRunID(time.Now(), nil))
	for _, c := range []struct {
		runs   broken
		status int
		code   wstk.Code
	}{
		{broken{err: errors.New("disk of /srv/data is on fire")}, 500, wstk.Internal},
		{broken{err: wstk.Errorf(wstk.Unavailable, "opening /srv/data", "locked")}, 503, wstk.Unavailable},
		{broken{panic: "in /srv/data"}, 500, wstk.Internal},
		{broken{wait: true}, 504, wstk.Timeout},
	} {
		h.log.Reset()
		apptest.Change(h.app, func(h *app.Home) { h.Runs = c.runs })
		w := h.call("GET", target, nil, "X-Request-Id", "my-id")
		wantProblem(t, w, c.status, c.code)
		if strings.Contains(w.Body.String(), "/srv") {
			t.Errorf("the client is told %s", w.Body)
		}
		if log := h.log.String(); c.code != wstk.Timeout && !strings.Contains(log, "/srv/data") ||
			!strings.Contains(log, "request_id=my-id") {
			t.Errorf("the log says %s", log)
		}
		// health is remembered
		h.h = New(h.app, []string{firstToken}, Options{Timeout: 50 * time.Millisecond})
		if c.runs.err != nil {
			wantProblem(t, h.call("GET", "/healthz", nil, "Authorization", ""), 503, wstk.Unavailable)
		}
	}
}

func TestRequestIDs(t *testing.T) {
	h := open(t, Options{})
	if got := h.call("GET", "/sites", nil, "X-Request-Id", "abc-1.2_3").Header().Get("X-Request-Id"); got != "abc-1.2_3" {
		t.Errorf("a sane id became %q", got)
	}
	seen := map[string]bool{}
	for _, id := range []string{"", "a b", "x\r\ny", strings.Repeat("x", 65), "ä", "<script>"} {
		got := h.call("GET", "/sites", nil, "X-Request-Id", id).Header().Get("X-Request-Id")
		if !strings.HasPrefix(got, "req_") || seen[got] {
			t.Errorf("%q became %q", id, got)
		}
		seen[got] = true
	}
}

func TestLogHoldsNoSecrets(t *testing.T) {
	h := open(t, Options{})
	for _, target := range []string{"/recall?q=secret", "/sites/https:%2F%2Fme:secret@a.example%2F", "/sites/http://a.example/?t=secret", "/nosuch/a=secret", "/sites?cursor=secret",
		"/evidence/%22secret", "/sites/x?why=http://a.example/secret"} {
		h.call("GET", target, nil)
		h.call("GET", target, nil, "Authorization", "Bearer secret")
	}
	h.call("POST", "/extractions", `{"query": "secret"}`, "Idempotency-Key", "secret")
	log := h.log.String()
	if strings.Contains(log, "secret") || strings.Contains(log, firstToken) {
		t.Errorf("the log holds a secret:\n%s", log)
	}
	for _, want := range []string{"msg=request method=GET path=/recall status=200 ms=", "path=/sites/{id} status=", "request_id=req_", "status=401"} {
		if !strings.Contains(log, want) {
			t.Errorf("%q is not in the log:\n%s", want, log)
		}
	}
}

// What an empty store and an unknown site are asked is no error, and the reply says why
// nothing was found.
func TestWhyNothingWasFound(t *testing.T) {
	h := newHome(t, Options{})
	if v := h.json(200, "GET", "/recall?q=pump", nil); get(v, "warnings.0.code") != "nothing_stored" {
		t.Errorf("an empty store: %v", v)
	}
	h.ingest()
	if v := h.json(200, "GET", "/recall?q=pump&include_site=elsewhere.example", nil); get(v, "warnings.0.code") != "unknown_site" {
		t.Errorf("an unknown site: %v", v)
	}
	if v := h.json(200, "POST", "/gaps", `{"query": "zeppelin", "filter": {"include_sites": ["elsewhere.example"]}}`); get(v, "warnings.0.code") != "unknown_site" {
		t.Errorf("an unknown site: %v", v)
	}
	if v := h.json(200, "GET", "/recall?q=zeppelin", nil); get(v, "warnings.0.code") != nil {
		t.Errorf("a site that is known: %v", v)
	}
}

// A request in nanoseconds is refused with the name to use.
func TestFormerNamesOfFields(t *testing.T) {
	h := open(t, Options{})
	v := h.json(400, "POST", "/sites", `{"url": "http://a.example/", "rate_limit": 500000000}`)
	if m := fmt.Sprint(v); !strings.Contains(m, "rate_limit_ms, in milliseconds") {
		t.Errorf("%v; want strings.Contains(m, \"rate_limit_ms, in milliseconds\")", v)
	}
}
