package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"wstk/shared/app"
	"wstk/shared/app/local"
	"wstk/shared/config"
	"wstk/shared/entry/serve"
	"wstk/shared/wstk"
)

const firstToken = "first-token-of-the-tests"

// home is a system on one machine with a handler over it, and a site to read.
type home struct {
	testing.TB
	phase *serve.Phase
	app   *app.App
	h     http.Handler
	site  string // its address
	log   *bytes.Buffer
}

// pages are a small site: a fact with a number, a second page, structured data.
var pages = map[string]string{
	"/":          `<title>Pumps</title><h1>Pumps</h1><p>We build pumps for wells and cellars since 1970.</p><a href="/mk3.html">Mark 3</a> <a href="/data.html">Data</a> <a href="/lost.html">Lost</a>`,
	"/mk3.html":  `<title>Mark 3</title><h1>Mark 3</h1><p>The Mark 3 pump reaches a working pressure of 9 bar. It weighs 14 kg.</p><p>Its motor needs 230 volts.</p>`,
	"/data.html": `<title>Price</title><script type="application/ld+json">{"@type":"Product","name":"Mark 4","offers":{"price":"499.00","priceCurrency":"EUR"}}</script><p>The price of the Mark 4 pump is 499 EUR.</p>`,
}

func servePages(w http.ResponseWriter, r *http.Request) {
	body, ok := pages[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, body)
}

func newHome(t testing.TB, o Options) *home {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(servePages))
	t.Cleanup(web.Close)
	h := open(t, o)
	h.site = web.URL
	return h
}

func open(t testing.TB, o Options) *home {
	t.Helper()
	dir := t.TempDir()
	c := config.Config{DataDir: filepath.Join(dir, "data"), CacheDir: filepath.Join(dir, "cache"),
		AllowPrivate: true, MaxBytes: 8 << 20,
		Search: config.SearchOptions{Cascade: []string{"index"}}, // no provider of the web is asked
		Crawl:  wstk.DefaultCrawlOptions(), Origin: map[string]string{},
		Answer: config.AnswerOptions{MaxExpansionDepth: 3, ContextBudget: 6000, PagesPerTurn: 5,
			MaxPages: 30}}
	a, log := opened(t, c)
	o.Phase = &serve.Phase{}
	return &home{TB: t, app: a, phase: o.Phase, h: New(a, []string{firstToken, "second-token"}, o), log: log}
}

// opened is the App of a configuration, and its log.
func opened(t testing.TB, c config.Config) (*app.App, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	a, err := local.Open(context.Background(), c,
		slog.New(slog.NewTextHandler(&locked{w: log}, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a, log
}

// locked is a writer for several goroutines.
type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// call asks with the first token. A body that is no string becomes JSON; headers are
// pairs.
func (h *home) call(method, target string, body any, headers ...string) *httptest.ResponseRecorder {
	h.Helper()
	text, ok := body.(string)
	if !ok && body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			h.Fatal(err)
		}
		text = string(data)
	}
	r := httptest.NewRequest(method, target, strings.NewReader(text))
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Authorization", "Bearer "+firstToken)
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	w := httptest.NewRecorder()
	h.h.ServeHTTP(w, r)
	return w
}

// patient is call that waits where a crawl is to begin: the one before holds its site
// for a moment after its run has ended.
func (h *home) patient(
	status int, method, target string, body any, headers ...string,
) *httptest.ResponseRecorder {
	h.Helper()
	w := h.call(method, target, body, headers...)
	for tries := 0; status == 202 && w.Code == 409 && tries < 200; tries++ {
		time.Sleep(10 * time.Millisecond)
		w = h.call(method, target, body, headers...)
	}
	return w
}

// json asks, wants this status, and returns the reply, which must be as its schema says.
func (h *home) json(status int, method, target string, body any, headers ...string) map[string]any {
	h.Helper()
	w := h.patient(status, method, target, body, headers...)
	if w.Code != status {
		h.Fatalf("%s %s: %d, want %d: %s", method, target, w.Code, status, w.Body)
	}
	var v map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		h.Fatalf("%s %s: %v: %s", method, target, err, w.Body)
	}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		h.Fatal(err)
	}
	api.check(h.TB, method, named(u, method).EscapedPath(), status, v)
	return v
}

// wait asks for something until its run has ended.
func (h *home) wait(target string) map[string]any {
	h.Helper()
	for range 1000 {
		v := h.json(200, "GET", target, nil)
		if run, ok := v["run"].(map[string]any); ok && run["state"] != "running" {
			return v
		}
		time.Sleep(10 * time.Millisecond)
	}
	h.Fatalf("%s never ended\n%s", target, h.log)
	return nil
}

// ingest crawls the site and returns its id.
func (h *home) ingest() string {
	h.Helper()
	v := h.json(202, "POST", "/sites", map[string]any{"url": h.site + "/", "rate_limit_ms": 0})
	id := get(v, "site.id").(string)
	if got := get(h.wait("/sites/"+id), "run.state"); got != "complete" {
		h.Fatalf("the crawl is %v\n%s", got, h.log)
	}
	return id
}

// get follows a dotted path through JSON; a number is an index.
func get(v any, path string) any {
	for _, name := range strings.Split(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[name]
		case []any:
			var i int
			fmt.Sscan(name, &i)
			if i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// wantProblem checks the shape of an error.
func wantProblem(t testing.TB, w *httptest.ResponseRecorder, status int, code wstk.Code) {
	t.Helper()
	var p map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Errorf("status %d, no JSON: %q", w.Code, w.Body)
		return
	}
	if w.Code != status || p["code"] != string(code) {
		t.Errorf("status %d, %s; want %d, %s", w.Code, w.Body, status, code)
	}
	api.valid(t, "the error", map[string]any{"$ref": "#/components/schemas/Error"}, p)
	if p["request_id"] == "" || p["request_id"] != w.Header().Get("X-Request-Id") || p["error"] == "" {
		t.Errorf("request id %q in the header, reply %s", w.Header().Get("X-Request-Id"), w.Body)
	}
	if got := w.Header().Get("Content-Type"); !strings.HasPrefix(got, "application/json") {
		t.Errorf("content type %q", got)
	}
	if h := w.Header(); h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store" || h.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("headers %v", h)
	}
}
