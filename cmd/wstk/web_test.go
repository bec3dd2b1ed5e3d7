package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

// The server has a web page at its address: a visitor who types the printed token there gets
// in, and the session opens nothing of the API.
func TestServeHasAWebPage(t *testing.T) {
	s := startServer(t, t.TempDir(), nil)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	get := func(path string, form url.Values) (status int, at, body string) {
		t.Helper()
		do := func() (*http.Response, error) { return browser.Get(s.url + path) }
		if form != nil {
			do = func() (*http.Response, error) { return browser.PostForm(s.url+path, form) }
		}
		res, err := do()
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, res.Request.URL.Path, string(data)
	}
	if status, at, _ := get("/", nil); status != 200 || at != "/login" {
		t.Errorf("at first: %d at %s", status, at)
	}
	if status, at, _ := get("/login", url.Values{"token": {"no token"}}); status != 401 || at != "/login" {
		t.Errorf("with a wrong token: %d at %s", status, at)
	}
	if status, at, body := get("/login", url.Values{"token": {s.token}}); status != 200 ||
		at != "/" || !strings.Contains(body, "Ask what is stored") {
		t.Errorf("with the token: %d at %s: %s", status, at, body)
	}
	if status, _, body := get("/sites", nil); status != 401 {
		t.Errorf("the session opens the API: %d %s", status, body)
	}
	if log, _ := s.stop(); !strings.Contains(log, "the web page asks for it: "+s.url+"/\n") {
		t.Errorf("the address of the page is not told: %s", log)
	}
}
