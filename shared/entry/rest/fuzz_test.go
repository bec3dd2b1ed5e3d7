package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"unicode/utf8"
	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/apptest"

	"wstk/shared/app/crawling"
	"wstk/shared/entry/codes"
)

// Whatever a request says, the reply is JSON with a status that fits its code, and
// nothing breaks inside.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{`{"query": "What is a pump?"}`, `{"url": "http://a.example/", "max_pages": 3, "include": ["/a/**"]}`, `{"query": "x", "filter": {"min_date": "2026-01-31"}, "limit": 5}`,
		"", "{", "null", "[]", `{"query": "\ud800"}`, `{"query": "x"}{}`, `{"query": {"query": {"query": 1}}}`, "\xef\xbb\xbf{}", `{"query":"x","limit":1e3}`} {
		f.Add(byte(0), "x", []byte(body))
	}
	for i, path := range []string{"http://a.example/", "..", "%2e%2e", "a/b", "", "\x00", "ä", "http:/x/refresh", "https://me:p@x/"} {
		f.Add(byte(i), path, []byte("{}"))
	}
	home := open(f, Options{})
	// nothing is really crawled or asked
	apptest.Change(home.app, func(h *app.Home) {
		h.Dispatch, h.Machines = crawling.ByMessages{}, answering.Elsewhere{Workflows: ending{h}}
	})
	f.Fuzz(func(t *testing.T, which byte, segment string, body []byte) {
		routes := (&handler{}).routes()
		rt := routes[int(which)%len(routes)]
		path := bytes.Replace([]byte(rt.path), []byte("{id}"), []byte(segment), 1)
		r := httptest.NewRequest(rt.method, "/", bytes.NewReader(body))
		r.URL = &url.URL{Path: string(path), RawQuery: "q=" + url.QueryEscape(segment)}
		if rt.path != "/recall" {
			r.URL.RawQuery = ""
		}
		r.Header.Set("Authorization", "Bearer "+firstToken)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		home.h.ServeHTTP(w, r)
		if w.Code >= 500 || w.Code < 200 || w.Code >= 300 && w.Code < 400 {
			t.Fatalf("%s %q %q: %d %s; want w.Code < 500 && w.Code >= 200 && (w.Code < 300 || w.Code >= 400)", rt.method, path, body, w.Code, w.Body)
		}
		if !json.Valid(w.Body.Bytes()) || !utf8.Valid(w.Body.Bytes()) {
			t.Fatalf("%s %q: no JSON: %q", rt.method, path, w.Body)
		}
		if w.Code >= http.StatusBadRequest {
			var p problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil ||
				codes.Status(p.Code) != w.Code || p.Error == "" || p.RequestID == "" {
				t.Fatalf("%s %q: %d %s; want err == nil && codes.Status(p.Code) == w.Code && p.Error != \"\" && p.RequestID != \"\"", rt.method, path, w.Code, w.Body)
			}
		}
	})
}
