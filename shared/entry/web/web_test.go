package web

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
	"wstk/shared/app/apptest"

	"golang.org/x/net/html"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/app/searching"
	"wstk/shared/config"
	"wstk/shared/entry/serve"
	"wstk/shared/entry/token"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

const secret = "first-token-of-the-tests"

// home is a system on one machine with the pages over it, and a browser's cookie.
type home struct {
	testing.TB
	app    *app.App
	phase  *serve.Phase
	h      http.Handler
	cookie string
	log    *bytes.Buffer
}

func newHome(t testing.TB) *home {
	t.Helper()
	dir := t.TempDir()
	c := config.Config{DataDir: filepath.Join(dir, "data"), CacheDir: filepath.Join(dir, "cache"),
		AllowPrivate: true, MaxBytes: 8 << 20,
		Crawl: wstk.DefaultCrawlOptions(), Origin: map[string]string{}}
	c.Search.Provider = "index"
	log := &bytes.Buffer{}
	a, err := local.Open(context.Background(), c, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "the api has "+r.URL.Path)
	})
	phase := &serve.Phase{}
	h := &home{TB: t, app: a, phase: phase, h: New(a, token.New([]string{secret}, nil), api, phase),
		log: log}
	return h
}

// newHomeOver is another process with pages over the stores of a.
func newHomeOver(t testing.TB, a *app.App) *home {
	return &home{TB: t, app: a, h: New(a, token.New([]string{secret}, nil), http.NotFoundHandler(),
		&serve.Phase{}), log: &bytes.Buffer{}}
}

// ingest crawls what serve answers, from its root.
func (h *home) ingest(serve http.Handler) (root string) {
	h.Helper()
	site := httptest.NewServer(serve)
	h.Cleanup(site.Close)
	if _, err := h.app.Crawling.Ingest(h.Context(),
		crawling.IngestRequest{URL: site.URL + "/"}); err != nil {
		h.Fatal(err)
	}
	return site.URL
}

// pages serves pages by path.
func pages(by map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := by[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, body)
	})
}

// call asks like a browser. A form that is not nil is posted.
func (h *home) call(target string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	h.Helper()
	r := httptest.NewRequest("GET", target, nil)
	if form != nil {
		r = httptest.NewRequest("POST", target, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if h.cookie != "" {
		r.AddCookie(&http.Cookie{Name: cookie, Value: h.cookie})
	}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	w := httptest.NewRecorder()
	h.h.ServeHTTP(w, r)
	return w
}

func (h *home) login() *home {
	h.Helper()
	w := h.call("/login", url.Values{"token": {secret}})
	for _, c := range w.Result().Cookies() {
		if c.Name == cookie {
			h.cookie = c.Value
		}
	}
	if w.Code != http.StatusSeeOther || h.cookie == "" {
		h.Fatalf("login: %d %s", w.Code, w.Body)
	}
	return h
}

// page asks for a page and wants this status. Every page of ours is checked.
func (h *home) page(status int, target string) string {
	h.Helper()
	w := h.call(target, nil)
	if w.Code != status {
		h.Fatalf("%s: %d, want %d: %s\n%s", target, w.Code, status, w.Body, h.log)
	}
	checkPage(h.TB, target, w)
	return w.Body.String()
}

// checkPage wants of a page what all of ours have: the headers, landmarks, a title, one
// first heading, tables with captions, names of inputs, no script, nothing inline.
func checkPage(t testing.TB, target string, w *httptest.ResponseRecorder) {
	t.Helper()
	for name, want := range map[string]string{"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Referrer-Policy": "same-origin", "Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8"} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %s is %q, want %q", target, name, got, want)
		}
	}
	root, err := html.Parse(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	count, level := map[string]int{}, 0
	ids := map[string]bool{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		attrs := map[string]string{}
		for _, a := range n.Attr {
			attrs[a.Key] = a.Val
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("%s: <%s> has %s", target, n.Data, a.Key)
			}
		}
		if id := attrs["id"]; id != "" && ids[id] {
			t.Errorf("%s: the id %s stands twice", target, id)
		}
		ids[attrs["id"]] = true
		switch n.Data {
		case "html":
			if attrs["lang"] == "" {
				t.Errorf("%s: no language", target)
			}
		case "script", "style", "object", "embed", "base", "img":
			t.Errorf("%s: it has <%s>", target, n.Data)
		case "table":
			if n.FirstChild == nil || !strings.Contains(render(n), "<caption") {
				t.Errorf("%s: a table without a caption", target)
			}
		case "h1", "h2", "h3", "h4", "h5", "h6":
			if now := int(n.Data[1] - '0'); now > level+1 {
				t.Errorf("%s: <%s> comes after <h%d>", target, n.Data, level)
			} else {
				level = now
			}
		case "iframe":
			if sandbox, ok := attrs["sandbox"]; !ok || sandbox != "" || attrs["title"] == "" {
				t.Errorf("%s: a frame that is not locked, or has no title: %v", target, attrs)
			}
		case "input":
			if attrs["type"] != "hidden" && !strings.Contains(w.Body.String(), `<label for="`+attrs["id"]+`"`) {
				t.Errorf("%s: the input %s has no label", target, attrs["name"])
			}
		case "a":
			if href := attrs["href"]; attrs["target"] == "_blank" &&
				!strings.Contains(attrs["rel"], "noopener noreferrer") ||
				strings.Contains(href, "javascript") || strings.Contains(href, "Zgotmpl") {
				t.Errorf("%s: a link %v", target, attrs)
			}
		case "svg":
			if attrs["aria-hidden"] == "" && attrs["aria-label"] == "" {
				t.Errorf("%s: a drawing without words", target)
			}
		}
	}
	for _, one := range []string{"title", "main", "header", "footer", "h1"} {
		if count[one] < 1 || one == "h1" && count[one] != 1 {
			t.Errorf("%s: %d of <%s>", target, count[one], one)
		}
	}
}

func render(n *html.Node) string {
	var b strings.Builder
	if err := html.Render(&b, n); err != nil {
		panic(err)
	}
	return b.String()
}

// words is the text of a page.
func words(page string) string {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "style" && n.Parent.Data != "title" {
			b.WriteString(n.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func wantWords(t testing.TB, page string, wanted ...string) {
	t.Helper()
	all := words(page)
	for _, w := range wanted {
		if !strings.Contains(all, w) {
			t.Errorf("%q is not on the page: %s", w, all)
		}
	}
}

func TestWithoutASessionEverythingLeadsToTheLogin(t *testing.T) {
	h := newHome(t)
	for _, target := range []string{"/", "/web/runs", "/web/runs/run_0", "/web/extractions", "/web/sites", "/web/sites/x", "/web/evidence/x", "/web/pages?url=x", "/web/pages/00", "/web", "/web/nothing"} {
		w := h.call(target, nil)
		if w.Code != http.StatusSeeOther || !strings.HasPrefix(w.Header().Get("Location"), "/login") {
			t.Errorf("%s: %d %s; want w.Code == http.StatusSeeOther && strings.HasPrefix(w.Header().Get(\"Location\"), \"/login\")", target, w.Code, w.Header())
		}
	}
	for _, target := range []string{"/web/runs", "/web/extractions", "/logout"} {
		w := h.call(target, url.Values{"query": {" "}})
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/login" {
			t.Errorf("POST %s: %d %s", target, w.Code, w.Header())
		}
	}
	if w := h.call("/", nil, "Authorization", "Bearer "+secret); w.Code != http.StatusSeeOther {
		t.Errorf("a token in the header: %d", w.Code)
	}
	if runs, _, err := h.app.Runs.List(t.Context(), wstk.RunFilter{}, "", 10); err != nil ||
		len(runs) > 0 {
		t.Errorf("%v, %v; want err == nil && len(runs) <= 0", runs, err)
	}
	wantWords(t, h.page(200, "/login"), "Token")
}

// Only what is ours is answered here, and the cookie opens nothing of the API: its
// handler sees the request as it came.
func TestTheAPIIsLeftAlone(t *testing.T) {
	h := newHome(t).login()
	for _, target := range []string{"/sites", "/sites/http:%2F%2Fexample.org%2F", "/sites/http://example.org/", "/healthz", "/web2", "/static2/x", "//", "/loginx"} {
		if w := h.call(target, nil); !strings.HasPrefix(w.Body.String(), "the api has ") || w.Header().Get("Content-Security-Policy") != "" {
			t.Errorf("%s: %d %s; want strings.HasPrefix(w.Body.String(), \"the api has \") && w.Header().Get(\"Content-Security-Policy\") == \"\"", target, w.Code, w.Body)
		}
	}
	if w := h.call("/sites", url.Values{}, "Sec-Fetch-Site", "cross-site"); !strings.HasPrefix(w.Body.String(), "the api has ") {
		t.Errorf("%d %s; want strings.HasPrefix(w.Body.String(), \"the api has \")", w.Code, w.Body)
	}
}

func TestLogin(t *testing.T) {
	h := newHome(t)
	w := h.call("/login", url.Values{"token": {" " + secret + " "}, "next": {"/web/sites?after=x"}})
	c := w.Result().Cookies()
	if w.Code != 303 || w.Header().Get("Location") != "/web/sites?after=x" || len(c) != 1 {
		t.Fatalf("%d %s; want w.Code == 303 && w.Header().Get(\"Location\") == \"/web/sites?after=x\" && len(c) == 1", w.Code, w.Header())
	}
	if !c[0].HttpOnly || c[0].SameSite != http.SameSiteStrictMode || c[0].Path != "/" ||
		c[0].Secure || strings.Contains(c[0].Value, secret) {
		t.Errorf("the cookie is %v", c[0])
	}
	w = h.call("/login", url.Values{"token": {secret}}, "X-Forwarded-Proto", "https")
	if c := w.Result().Cookies(); len(c) != 1 || !c[0].Secure {
		t.Errorf("behind TLS the cookie is %v", c)
	}
	h.login()
	h.page(200, "/")
	if w := h.call("/login", nil); w.Code != 303 || w.Header().Get("Location") != "/" {
		t.Errorf("logged in already: %d", w.Code)
	}
	w = h.call("/logout", url.Values{})
	if c := w.Result().Cookies(); w.Code != 303 || len(c) != 1 || c[0].MaxAge >= 0 {
		t.Errorf("logout: %d %v", w.Code, c)
	}
	h.cookie = h.cookie[:len(h.cookie)-2] + "xx"
	if w := h.call("/", nil); w.Code != 303 {
		t.Errorf("a forged cookie: %d", w.Code)
	}
}

// What was typed into a form whose session had ended stands in the form again after the
// login, also after a wrong token; nothing begins by itself, and no address has the words.
func TestWordsOutliveTheSession(t *testing.T) {
	const typed = `"pumps" & <b>wells</b>`
	for target, name := range map[string]string{"/web/extractions": "question", "/web/runs": "words"} {
		h := newHome(t)
		w := h.call(target, url.Values{"query": {typed}})
		for _, guess := range []string{"wrong", secret} {
			if checkPage(t, target, w); w.Code != 401 || w.Header().
				Get("Location") != "" || inputs(w.Body.String())[name] != typed {
				t.Fatalf("%s: %d, %v; want w.Code == 401 && w.Header().Get(\"Location\") == \"\" && inputs(w.Body.String())[name] == typed", target, w.Code, inputs(w.Body.String()))
			}
			w = h.call("/login", url.Values{"token": {guess}, name: {inputs(w.Body.String())[name]}})
		}
		checkPage(t, "/login", w)
		if c := w.Result().Cookies(); w.Code != 200 || len(c) != 1 ||
			c[0].Value == "" || !c[0].HttpOnly {
			t.Errorf("%s: logged in with %d and %v", target, w.Code, c)
		}
		for id, value := range inputs(w.Body.String()) {
			if want := map[bool]string{true: typed}[id == name]; value != want {
				t.Errorf("%s: %s holds %q, want %q", target, id, value, want)
			}
		}
		if runs, _, err := h.app.Runs.List(t.Context(), wstk.RunFilter{}, "", 10); err != nil ||
			len(runs) > 0 {
			t.Errorf("%d runs began, %v", len(runs), err)
		}
	}
	h := newHome(t)
	if w := h.call("/web/runs", url.Values{"query": {strings.Repeat("x", maxWords+1)}}); w.Code != 303 {
		t.Errorf("too many words: %d", w.Code)
	}
	if w := h.call("/login", url.Values{"token": {secret}, "question": {strings.Repeat("x", maxWords+1)}}); w.Code != 303 {
		t.Errorf("too many words at the login: %d", w.Code)
	}
}

// inputs are the values of a page's inputs by id, or by name where they are hidden.
func inputs(page string) map[string]string {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		panic(err)
	}
	out := map[string]string{}
	for n := range root.Descendants() {
		if n.Data != "input" {
			continue
		}
		by := map[string]string{}
		for _, a := range n.Attr {
			by[a.Key] = a.Val
		}
		if by["id"] == "" {
			by["id"] = by["name"]
		}
		out[by["id"]] = by["value"]
	}
	return out
}

func TestSessionsEnd(t *testing.T) {
	h := newHome(t).login()
	now := h.app.Now
	apptest.Change(h.app, func(h *app.Home) {
		h.Now = func() time.Time { return now().Add(token.SessionAge + time.Second) }
	})
	if w := h.call("/", nil); w.Code != 303 {
		t.Errorf("after its time: %d", w.Code)
	}
}

func TestNextLeadsNowhereElse(t *testing.T) {
	h := newHome(t)
	for _, next := range []string{"https://example.org/web/", "//example.org/web/", "/\\example.org", "/web/\\x", "javascript:alert(1)", "/sites", "web/", "/web/\r\nx"} {
		if w := h.call("/login", url.Values{"token": {secret}, "next": {next}}); w.Header().Get("Location") != "/" {
			t.Errorf("%q leads to %q", next, w.Header().Get("Location"))
		}
	}
}

// A session that was logged out of is over for every copy of its cookie, in this process, in
// another, and after a restart; other sessions of the same token go on.
func TestLogoutEndsTheSession(t *testing.T) {
	h := newHome(t).login()
	copied, other := h.cookie, newHomeOver(t, h.app).login()
	if w := h.call("/web/sites", nil); w.Code != 200 {
		t.Fatalf("logged in: %d", w.Code)
	}
	if w := h.call("/logout", url.Values{}); w.Code != 303 || w.Header().Get("Location") != "/login" {
		t.Fatalf("logging out: %d", w.Code)
	}
	h.cookie = copied
	again := newHomeOver(t, h.app) // another process over the same stores
	again.cookie = copied
	reopened, err := local.Open(t.Context(), h.app.Config, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer reopened.Close()
	later := newHomeOver(t, reopened)
	later.cookie = copied
	for name, door := range map[string]*home{"here": h, "in another process": again, "after a restart": later} {
		if w := door.call("/web/sites", nil); w.Code != 303 || !strings.HasPrefix(w.Header().Get("Location"), "/login") {
			t.Errorf("%s: %d to %q", name, w.Code, w.Header().Get("Location"))
		}
		if w := door.call("/web/runs", url.Values{"query": {"pumps"}}); w.Code != 401 {
			t.Errorf("%s a form: %d", name, w.Code)
		}
	}
	if w := other.call("/web/sites", nil); w.Code != 200 {
		t.Errorf("another session of the token: %d", w.Code)
	}
	if runs, _, err := h.app.Reading.ListRuns(t.Context(), wstk.RunSearch, "", 10); err != nil ||
		len(runs) != 0 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}

// What a token may do, and whose runs it sees, holds for the pages as for the API.
func TestSessionsHaveScopesAndNames(t *testing.T) {
	h := newHome(t)
	h.h = New(h.app, token.New([]string{secret, "ci:read:reader-of-pages", "lab:write:writer-of-pages"}, nil), http.NotFoundHandler(), &serve.Phase{})
	run, err := h.app.Searching.CreateRun(t.Context(), searching.RunRequest{Query: "pumps for wells"})
	if err != nil {
		t.Fatal(err)
	}
	mine := "/web/runs/" + string(run.ID)
	as := func(word string) *home {
		w := h.call("/login", url.Values{"token": {word}})
		if len(w.Result().Cookies()) != 1 {
			t.Fatalf("%s: %d; want len(w.Result().Cookies()) == 1", word, w.Code)
		}
		other := *h
		other.cookie = w.Result().Cookies()[0].Value
		return &other
	}
	for word, want := range map[string]struct{ sees, begins int }{secret: {200, 303},
		"reader-of-pages": {404, 403}, "writer-of-pages": {404, 303}} {
		door := as(word)
		if w := door.call(mine, nil); w.Code != want.sees {
			t.Errorf("%s: the run of another name: %d", word, w.Code)
		}
		for _, list := range []string{"/", "/web/runs"} {
			if w := door.call(list, nil); strings.Contains(w.Body.String(),
				"pumps for wells") != (want.sees == 200) {
				t.Errorf("%s: %s lists it: %v", word, list, want.sees != 200)
			}
		}
		if w := door.call("/web/extractions", url.Values{"query": {"How deep are the wells of " + word + "?"}}); w.Code != want.begins {
			t.Errorf("%s: begins a run: %d", word, w.Code)
		}
	}
}

func TestWrongTokens(t *testing.T) {
	const maxWrong = 10
	h := newHome(t)
	now := time.Now()
	apptest.Change(h.app, func(h *app.Home) { h.Now = func() time.Time { return now } })
	for i := range maxWrong {
		w := h.call("/login", url.Values{"token": {fmt.Sprint("guess", i)}})
		if w.Code != 401 || len(w.Result().Cookies()) != 0 {
			t.Fatalf("guess %d: %d", i, w.Code)
		}
		checkPage(t, "/login", w)
		wantWords(t, w.Body.String(), "not a valid token")
	}
	if w := h.call("/login", url.Values{"token": {"guess"}}); w.Code != 429 ||
		len(w.Result().Cookies()) != 0 || w.Header().Get("Retry-After") != "60" {
		t.Errorf("after %d guesses: %d, wait %q", maxWrong, w.Code, w.Header().Get("Retry-After"))
	}
	r := httptest.NewRequest("POST", "/login", strings.NewReader(url.Values{"token": {"guess"}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.RemoteAddr = "[2001:db8::1]:1"
	w := httptest.NewRecorder()
	if h.h.ServeHTTP(w, r); w.Code != 401 {
		t.Errorf("another client: %d", w.Code)
	}
	now = now.Add(time.Minute)
	if w := h.call("/login", url.Values{"token": {"guess"}}); w.Code != 401 {
		t.Errorf("a minute later: %d", w.Code)
	}
	for i := range maxWrong {
		h.call("/login", url.Values{"token": {fmt.Sprint("more ", i)}})
	}
	if w := h.call("/login", url.Values{"token": {"a last guess"}}); w.Code != 429 || w.Header().Get("Retry-After") != "120" {
		t.Errorf("the second time: %d, wait %q", w.Code, w.Header().Get("Retry-After"))
	}
	// the owner is not locked out
	if w := h.call("/login", url.Values{"token": {secret}}); w.Code != 303 || len(w.Result().Cookies()) != 1 {
		t.Errorf("the right token after all these guesses: %d", w.Code)
	}
	if strings.Contains(h.log.String(), "guess") || strings.Contains(h.log.String(), secret) {
		t.Error("the log holds tokens")
	}
}

// A page of another site cannot send anything, with or without the cookie.
func TestFormsOfOtherSites(t *testing.T) {
	h := newHome(t).login()
	for _, headers := range [][]string{
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"},
		{"Sec-Fetch-Site", "", "Origin", "https://evil.example"}, {"Sec-Fetch-Site", "", "Origin", "null"},
	} {
		for _, target := range []string{"/login", "/logout", "/web/runs", "/web/extractions"} {
			w := h.call(target, url.Values{"query": {"pumps"}, "token": {secret}}, headers...)
			if w.Code != 403 || len(w.Result().Cookies()) > 0 {
				t.Errorf("%v %s: %d; want w.Code == 403 && len(w.Result().Cookies()) <= 0", headers, target, w.Code)
			}
			checkPage(t, target, w)
		}
	}
	if runs, _, _ := h.app.Runs.List(t.Context(), wstk.RunFilter{}, "", 10); len(runs) > 0 {
		t.Errorf("%d runs began", len(runs))
	}
	if w := h.call("/web/extractions", url.Values{"query": {"pumps"}}, "Sec-Fetch-Site", "", "Origin", "http://example.com"); w.Code != 303 {
		t.Errorf("from our own page: %d %s", w.Code, w.Body)
	}
}

func TestFormsAreBounded(t *testing.T) {
	h := newHome(t).login()
	for _, q := range []string{"", "  \n", strings.Repeat("x", maxWords+1), strings.Repeat("x", maxForm)} {
		for _, target := range []string{"/web/runs", "/web/extractions"} {
			w := h.call(target, url.Values{"query": {q}})
			if w.Code != 400 {
				t.Errorf("%s with %d bytes: %d", target, len(q), w.Code)
			}
			checkPage(t, target, w)
		}
	}
}

// small is a site whose titles and words hold markup and turned text.
var small = map[string]string{
	"/":         `<title>Pumps &lt;script&gt;alert(1)&lt;/script&gt;</title><h1>Pumps</h1><p>We build pumps for wells since 1970.</p><a href="/mk3.html">Mark 3</a> <a href="/lost.html">Lost</a>`,
	"/mk3.html": "<title>Mark 3 &quot;&gt;&lt;img src=x onerror=alert(1)&gt; \u202egnp.exe</title><h1>Mark 3 <b>&lt;/bdi&gt;&lt;h1&gt;Log in</b></h1><p>The Mark 3 pump reaches a working pressure of <b>9 bar</b>. It weighs 14&nbsp;kg.</p>",
}

// answered asks a question on the page and waits for its answer.
func (h *home) answered(query string) (target, page string) {
	h.Helper()
	w := h.call("/web/extractions", url.Values{"query": {query}})
	if w.Code != 303 {
		h.Fatalf("%d %s", w.Code, w.Body)
	}
	target = w.Header().Get("Location")
	for range 500 {
		if page = h.page(200, target); !strings.Contains(page, `http-equiv="refresh"`) {
			return target, page
		}
		time.Sleep(10 * time.Millisecond)
	}
	h.Fatal("it never ends")
	return
}

// An answer comes first, as it stands on its page and each sentence once; the quotes with their
// places are one click away, and a mark leads to its quote.
func TestTheAnswerComesFirst(t *testing.T) {
	at := func(n int) *int { return &n }
	quote := func(id string, from int, words string) wstk.Evidence {
		return wstk.Evidence{ID: id, Kind: wstk.EvidenceText, URL: "https://a.example/x",
			Quote: words, ByteStart: at(from), ByteEnd: at(from + len(words)),
			CharStart: at(from), CharEnd: at(from + len(words))}
	}
	x := wstk.Extraction{Title: "Pump", Evidence: []wstk.Evidence{
		quote("ev_1", 0, "Pump it by running:"), quote("ev_2", 20, "pump\n  --now"),
		quote("ev_3", 90, "Pump")},
		Statements: []wstk.Statement{
			{Field: "title", Statement: "Pump", Evidence: []int{2}, Support: wstk.SupportDirect},
			{Statement: "Pump it by running:", Evidence: []int{0, 1}, Support: wstk.SupportDirect}}}
	x.Evidence[1].Flags = []wstk.Flag{wstk.FlagComment}
	run := answering.ExtractionRun{}
	run.Extractions = []wstk.Extraction{x, {Title: "Valve"}}
	got := newAnswer(run).Items[0]
	if len(got.Paragraphs) != 1 || got.Heading != "" ||
		got.Paragraphs[0].Words != "Pump it by running:\n    pump\n      --now" ||
		fmt.Sprint(got.Paragraphs[0].Refs) != "[{1 3 ev_3} {1 1 ev_1} {1 2 ev_2}]" ||
		fmt.Sprint(got.Paragraphs[0].Flags) != "[comment]" {
		t.Errorf("%+v", got)
	}
	h := newHome(t).login()
	h.ingest(pages(small))
	_, page := h.answered("What working pressure does the Mark 3 pump reach?")
	said, proof, found := strings.Cut(page, `<details class="quoted">`)
	if !found || !strings.Contains(said, "9 bar") || !strings.Contains(said, "1 site says so") ||
		!strings.Contains(said, `class="ref" href="/web/evidence/ev_`) ||
		strings.Contains(said, "characters") || !strings.Contains(proof, "characters") {
		t.Errorf("before the proof:\n%s\nin it:\n%s", said, proof)
	}
}

// The page of an answer names the model that proposed it, and what it cost.
func TestAnAnswerNamesItsModel(t *testing.T) {
	h := newHome(t).login()
	h.ingest(pages(small))
	m := &apptest.Model{Answer: func(_ context.Context, p apptest.Prompt) (string, error) {
		return apptest.Pick(p), nil
	}}
	apptest.Change(h.app, func(h *app.Home) {
		h.Models = func(op wstk.Operation) wstk.Model {
			if op == wstk.OpExtract {
				return m
			}
			return nil
		}
	})
	_, page := h.answered("What working pressure does the Mark 3 pump reach?")
	wantWords(t, page, "proposed by scripted:made-up-1: 1 model call, 110 tokens")
}

func TestFromQuestionToPlace(t *testing.T) {
	h := newHome(t).login()
	h.ingest(pages(small))
	target, page := h.answered("What working pressure does the Mark 3 pump reach?")
	wantWords(t, page, "9 bar", "1 site", "no other site says the first statement", "verbatim", "complete")
	link := regexp.MustCompile(`/web/evidence/ev_[0-9a-f]{24}`).FindString(page)
	if link == "" {
		t.Fatalf("no quote on %s", page)
	}
	page = h.page(200, link)
	wantWords(t, page, "The Mark 3 pump reaches a working pressure of 9 bar.", "SHA-256 of the text", "with the quote marked")
	frame := html.UnescapeString(regexp.MustCompile(`src="(/web/pages/[^"]+)`).FindStringSubmatch(page)[1])
	w := h.call(strings.TrimSuffix(frame, "#quote"), nil)
	if w.Code != 200 || w.Header().Get("Content-Security-Policy") != inertPolicy || w.Header().Get("X-Frame-Options") != "SAMEORIGIN" ||
		w.Header().Get("Referrer-Policy") != "no-referrer" || w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", w.Code, w.Header())
	}
	if got := marked(w.Body.Bytes()); got != "TheMark3pumpreachesaworkingpressureof9bar." || strings.Count(w.Body.String(), `id="quote"`) != 1 {
		t.Errorf("marked is %q in %s", got, w.Body)
	}
	home := h.page(200, "/")
	wantWords(t, home, "What working pressure", "Discovered")
	if !strings.Contains(home, target) || !strings.Contains(h.page(200, "/web/extractions"), target) {
		t.Error("the answer is not in the lists")
	}
	wantWords(t, h.page(200, "/web/pages?url="+url.QueryEscape(regexp.MustCompile(`http://127[^"&]+/mk3.html`).FindString(page))), "It weighs 14 kg.", "ok")
}

// What visitors wrote answers with its flag in sight: in the answer, with its quote, and
// where passages are looked for.
func TestFlagsAreInSight(t *testing.T) {
	h := newHome(t).login()
	h.ingest(pages(map[string]string{"/": `<!doctype html><html lang="en"><title>P-9</title><main><h1>The P-9 pump</h1><p>The P-9 is our smallest pump and the one most people buy.</p></main>
<section id="comments" class="comments"><h2>Comments</h2><article class="comment"><p>The weight of the P-9 pump is 14 kg.</p></article></section>`}))
	_, page := h.answered("What is the weight of the P-9 pump?")
	if wantWords(t, page, "14 kg"); !strings.Contains(page, `<span class="badge">comment</span></blockquote>`) {
		t.Errorf("the answer shows no flag: %s", page)
	}
	for _, target := range []string{regexp.MustCompile(`/web/evidence/ev_[0-9a-f]{24}`).FindString(page), "/web/pages?q=" + url.QueryEscape("weight of the P-9")} {
		if page := h.page(200, target); !strings.Contains(page, `<span class="badge">comment</span>`) {
			t.Errorf("%s shows no flag: %s", target, page)
		}
	}
}

func TestQuestionWithoutAnAnswer(t *testing.T) {
	h := newHome(t).login()
	_, page := h.answered("Who painted the ceiling of the chapel?")
	wantWords(t, page, "No stored page answers this", "Missing", "wstk site ingest URL", "Search the web for it")
	if got := inputs(page); got["question"] != "Who painted the ceiling of the chapel?" || got["query"] != got["question"] ||
		!strings.Contains(page, `href="/web/pages?q=Who%20painted`) {
		t.Errorf("no steps lead on: %v", got)
	}
}

// In place of an answer stand the nearest passages, each with the way to its place.
func TestNearestPassages(t *testing.T) {
	h := newHome(t).login()
	h.ingest(pages(small))
	_, page := h.answered("Who invented the lamp of the Mark 3 museum?")
	wantWords(t, page, "No stored page answers this", "Nearest passages, not an answer", "Mark 3")
	link := regexp.MustCompile(`/web/evidence/ev_[0-9a-f]{24}`).FindString(page)
	if link == "" {
		t.Fatalf("no passage leads to its place: %s", page)
	}
	wantWords(t, h.page(200, link), "SHA-256 of the text", "with the quote marked")
}

// Titles of strangers are text, cut off from what stands around them.
func TestStrangersCannotWriteOurPages(t *testing.T) {
	h := newHome(t).login()
	root := h.ingest(pages(small))
	id := wstk.SiteIDOf(root + "/")
	all := h.page(200, "/web/sites/"+string(id)) + h.page(200, "/web/pages?url="+url.QueryEscape(root+"/mk3.html"))
	_, answer := h.answered("How much does the Mark 3 weigh?")
	for _, page := range []string{all, answer} {
		if strings.Contains(page, "<script") || strings.Contains(page, "<img") || strings.Contains(page, "</bdi><h1>Log") {
			t.Errorf("markup of the site is on our page: %s", page)
		}
	}
	if !strings.Contains(all, `<bdi class="web">Mark 3 &lt;/bdi&gt;&lt;h1&gt;Log in</bdi>`) {
		t.Errorf("the title is not set apart: %s", all)
	}
}

func TestSite(t *testing.T) {
	h := newHome(t).login()
	root := h.ingest(pages(small))
	target := "/web/sites/" + string(wstk.SiteIDOf(root+"/"))
	page := h.page(200, target)
	wantWords(t, page, "fetched", "read and stored 2 66.7 %", "not found", "discovered the sum of the rows above 3 100 %", "complete")
	if got := strings.Count(page, "<rect"); got != 2 {
		t.Errorf("%d parts of the bar, want 2", got)
	}
	wantWords(t, h.page(200, target+"?why="+url.QueryEscape(root+"/lost.html")), "404")
	wantWords(t, h.page(200, target+"?why="+url.QueryEscape(root+"/never.html")), "did not find", "no page or sitemap that it read leads there")
	if list := page[strings.Index(page, `id="h-pages"`):]; strings.Count(list, "<tr>") != 1+2 ||
		strings.Contains(list, "lost.html") {
		t.Errorf("the list has others than the 2 pages that are held: %s", list)
	}
	wantWords(t, page, "2 pages stored", "2 in all")
	wantWords(t, h.page(200, target+"?why=no+address"), "no address")
	wantWords(t, h.page(200, "/web/sites"), "2 0 0 1 0 3")
	h.page(404, "/web/sites/site_0000000000000000")
	h.page(404, "/web/sites/x")
}

// The list of a site has as many pages as are held, however many others stand between them.
func TestHeldPagesAreListed(t *testing.T) {
	h := newHome(t).login()
	site := wstk.Site{ID: wstk.SiteIDOf("https://example.org/"), Root: "https://example.org/"}
	if err := h.app.SiteStore.Put(t.Context(), site); err != nil {
		t.Fatal(err)
	}
	const held, lost = perPage + 7, 30
	for i := range held {
		at := time.Now()
		put := func(p wstk.Page) {
			p.Site, p.FetchedAt, p.CheckedAt = site.ID, at, at
			if err := h.app.Pages.Put(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		put(wstk.Page{URL: fmt.Sprintf("https://example.org/%03d", i), Verdict: wstk.VerdictOK,
			Document: wstk.HashOf([]byte{byte(i)})})
		for k := range lost {
			put(wstk.Page{URL: fmt.Sprintf("https://example.org/%03d/lost%d", i, k), Verdict: wstk.VerdictNotFound})
		}
	}
	seen := map[string]bool{}
	for target, pages := "/web/sites/"+string(site.ID), 0; target != ""; pages++ {
		page := h.page(200, target)
		wantWords(t, page, fmt.Sprintf("%d pages stored", held))
		for _, m := range regexp.MustCompile(`/web/pages\?url=([^"]+)`).FindAllStringSubmatch(page, -1) {
			if seen[m[1]] {
				t.Errorf("%s stands twice", m[1])
			}
			seen[m[1]] = true
		}
		target = ""
		if next := regexp.MustCompile(`href="(/web/sites/[^"]+)" rel="next"`).FindStringSubmatch(page); next != nil {
			target = html.UnescapeString(next[1])
		}
		if pages > held {
			t.Fatal("it never ends")
		}
	}
	if len(seen) != held {
		t.Errorf("%d pages are listed, want %d", len(seen), held)
	}
}

// Characters that turn text around are on no page, wherever they come from.
func TestNoPageTurnsTextAround(t *testing.T) {
	const turned = "pump \u202egnp.exe\u202c \u2067x"
	h := newHome(t).login()
	root := h.ingest(pages(small))
	run := h.putRun(turned, time.Now())
	answer, _ := h.answered("Which " + turned + " is that?")
	for _, target := range []string{"/", "/web/runs", "/web/runs/" + string(run), "/web/runs/" + string(run) + "/rows", "/web/extractions", answer,
		"/web/pages?q=" + url.QueryEscape(turned), "/web/pages?url=" + url.QueryEscape(root+"/mk3.html"),
		"/web/sites/" + string(wstk.SiteIDOf(root+"/")) + "?why=" + url.QueryEscape(turned)} {
		page := h.page(200, target)
		if text.Strip(page) != page {
			t.Errorf("%s has such characters: %q", target, page)
		}
		if !strings.Contains(page, "gnp.exe") && !strings.HasPrefix(target, "/web/pages?url") {
			t.Errorf("%s has lost the words", target)
		}
	}
}

func TestBrief(t *testing.T) {
	for _, s := range []string{"", "pumps", strings.Repeat("ä", maxBrief)} {
		if brief(s) != s {
			t.Errorf("%q became %q", s, brief(s))
		}
	}
	got := brief("begin" + strings.Repeat("ä", maxBrief) + "end")
	if n := utf8.RuneCountInString(got); n != maxBrief || !strings.HasPrefix(got, "begin") ||
		!strings.HasSuffix(got, "end") || strings.Count(got, "…") != 1 {
		t.Errorf("%q has %d characters", got, n)
	}
}

func TestPassages(t *testing.T) {
	h := newHome(t).login()
	h.ingest(pages(small))
	page := h.page(200, "/web/pages?q=working+pressure")
	wantWords(t, page, "The Mark 3 pump reaches a working pressure of 9 bar.")
	if !strings.Contains(page, `value="working pressure"`) || strings.Contains(page, "<b>") {
		t.Errorf("%s; want strings.Contains(page, `value=\"working pressure\"`) && !strings.Contains(page, \"<b>\")", page)
	}
	wantWords(t, h.page(200, "/web/pages?q=chapel"), "No stored page has these words")
	h.page(400, "/web/pages?q="+strings.Repeat("x", maxWords+1))
}

// What stands around the main content of a stored page is folded away.
func TestStoredPage(t *testing.T) {
	h := newHome(t).login()
	prose := strings.Repeat("<p>The Mark 3 pump reaches a working pressure of 9 bar, and its motor needs 230 volts all the time.</p>", 8)
	root := h.ingest(pages(map[string]string{"/": "<title>Pumps</title><nav><ul><li><a href=/>Home</a><li><a href=/>Shop</a></ul></nav><main><h1>Pumps</h1>" + prose + "</main><footer>Imprint of the company</footer>"}))
	page := h.page(200, "/web/pages?url="+url.QueryEscape(root+"/"))
	wantWords(t, page, "lines around the main content Home Shop", "1 line around the main content Imprint of the company", "230 volts")
	if strings.Index(page, "<details>") > strings.Index(page, "Home") ||
		strings.Index(page, "</details>") > strings.Index(page, "230 volts") {
		t.Errorf("the main content is folded, or the menu is not: %s", page)
	}
}

// Every outcome has its group and its meaning, and the numbers of an account add up.
func TestAccounts(t *testing.T) {
	a := wstk.Accounting{By: map[wstk.Outcome]int{}}
	for i, o := range wstk.Outcomes() {
		if outcomes[o].meaning == "" {
			t.Errorf("%s has no meaning", o)
		}
		a.By[o] = i + 1
		a.Discovered += i + 1
	}
	got := newAccount(a)
	lines, groups, width := 0, 0, 0.0
	for _, l := range got.Lines {
		lines += l.N
	}
	for _, g := range got.Groups {
		groups += g.N
	}
	for _, p := range got.Bar {
		if diff := p.X - width; diff > .001 || diff < -.001 {
			t.Errorf("%s begins at %f, want %f", p.Name, p.X, width)
		}
		width += p.Width
	}
	if lines != a.Discovered || groups != a.Discovered || width < barWidth-.001 ||
		width > barWidth+.001 || !got.Balanced {
		t.Errorf("%d, %d and %f of %d", lines, groups, width, a.Discovered)
	}
	if len(newAccount(wstk.Accounting{}).Bar) != 0 {
		t.Error("nothing has a bar")
	}
}

// putRun stores a search run of four providers.
func (h *home) putRun(query string, at time.Time) wstk.RunID {
	h.Helper()
	id := wstk.NewRunID(at, nil)
	found := []wstk.FoundURL{
		{URL: "https://sqlite.org/wal.html", Aliases: []string{"http://sqlite.org/wal.html"},
			Providers: []string{"brave", "serper", "searxng_local"}, Confidence: 3, Title: new("Write-Ahead Logging"), BestRank: 1},
		{URL: "https://example.org/?q=<script>", Providers: []string{"serper"}, Confidence: 1, Title: new(`"><script>alert(1)</script>`), BestRank: 2},
		{URL: "javascript:alert(1)", Providers: []string{"brave", "serper"}, Confidence: 2, BestRank: 3},
	}
	raw := []wstk.SearchRow{{Provider: "brave", URL: "https://sqlite.org/wal.html", Rank: 1, Title: new("Write-Ahead Logging"), Snippet: new("The <b>default</b> method")}}
	s := &wstk.SearchRun{Rewritten: `sqlite wal after:{LAST_WEEK_START}`, Final: map[string]string{"brave": "sqlite wal", "serper": "sqlite wal after:2026-11-09"},
		Providers: []string{"brave", "serper", "searxng_local"}, Counts: map[string]int{"brave": 1},
		Unique: len(found), Config: wstk.SearchConfig{Rewrite: wstk.Rewriting{Engine: "rules"}},
		Outcomes: []wstk.ProviderOutcome{{Provider: "brave", Status: wstk.ProviderOK, Results: 2,
			DurationMS: 312, Notes: []string{"after 2026-11-09"}},
			{Provider: "serper", Status: wstk.ProviderOK, Results: 3, DurationMS: 1204, Tries: 2},
			{Provider: "searxng_local", Status: wstk.ProviderOK, Results: 1, DurationMS: 80},
			{Provider: "tavily", Status: wstk.ProviderFailed, Code: wstk.Timeout,
				Message: "it took longer than 4 s", DurationMS: 4000}},
		Warnings: []wstk.Warning{{Code: "query_unsupported", Message: "No provider can express: <i>that</i>."}}}
	if err := h.app.SearchRows.PutRows(h.Context(), id, raw, found); err != nil {
		h.Fatal(err)
	}
	if err := h.app.Runs.Create(h.Context(),
		wstk.Run{ID: id, Kind: wstk.RunSearch, State: wstk.RunComplete, Query: query, Search: s,
			StartedAt: at, UpdatedAt: at, EndedAt: at}); err != nil {
		h.Fatal(err)
	}
	return id
}

func TestSearchRun(t *testing.T) {
	h := newHome(t).login()
	id := h.putRun("sqlite <wal>", time.Now())
	page := h.page(200, "/web/runs/"+string(id))
	wantWords(t, page, "sqlite <wal>", "3 of 4 providers answered", "Write-Ahead Logging", "brave, serper, searxng_local", "3 of 3", "1 more spelling",
		"after:{LAST_WEEK_START}", "sqlite wal after:2026-11-09", "could not express: after 2026-11-09", "timeout it took longer than 4 s", "asked 2 times", "1.2 s", "312 ms", "<i>that</i>")
	if strings.Contains(page, "<script") || strings.Contains(page, `href="javascript`) || strings.Contains(page, "<i>that") {
		t.Errorf("markup of strangers: %s", page)
	}
	// Three rows of four dots, three of them off in the second; the bars are as wide as the
	// confidence.
	if on, off := strings.Count(page, `<circle class="p`), strings.Count(page, `<circle class="off"`); on != 4+4+6 || off != 6 {
		t.Errorf("%d dots are on and %d off", on, off)
	}
	for _, width := range []string{`width="1000.0"`, `width="333.3"`, `width="666.7"`} {
		if !strings.Contains(page, `class="fill" `+width) {
			t.Errorf("no bar has %s", width)
		}
	}
	wantWords(t, h.page(200, "/web/runs/"+string(id)+"/rows"), "The <b>default</b> method")
	wantWords(t, h.page(200, "/"), "sqlite <wal>")
	h.page(404, "/web/runs/run_00000000000000000000000000")
	h.page(404, "/web/runs/x")
	h.page(404, "/web/extractions/"+string(id))
}

func TestSearchIsBegunByItsForm(t *testing.T) {
	h := newHome(t).login()
	h.ingest(pages(small))
	w := h.call("/web/runs", url.Values{"query": {"working pressure pump"}})
	if w.Code != 303 {
		t.Fatalf("%d %s\n%s; want w.Code == 303", w.Code, w.Body, h.log)
	}
	page := h.page(200, w.Header().Get("Location"))
	wantWords(t, page, "working pressure pump", "index", "Mark 3")
}

func TestListsArePaged(t *testing.T) {
	h := newHome(t).login()
	at := time.Now().Add(-time.Hour)
	for i := range perPage + 3 {
		h.putRun(fmt.Sprintf("query number %d.", i), at.Add(time.Duration(i)*time.Second))
	}
	page := h.page(200, "/web/runs")
	wantWords(t, page, fmt.Sprintf("number %d.", perPage+2), "Further ones")
	next := html.UnescapeString(regexp.MustCompile(`href="(/web/runs\?[^"]+)"`).FindStringSubmatch(page)[1])
	page = h.page(200, next)
	wantWords(t, page, "number 0.", "number 2.")
	if strings.Contains(page, "number 3.") || strings.Contains(page, "Further") {
		t.Error("the second page has more than is left")
	}
	h.page(400, "/web/runs?after=nonsense")
	h.page(400, "/web/sites?after=nonsense")
}

func TestWhatIsNotThere(t *testing.T) {
	h := newHome(t).login()
	for target, status := range map[string]int{"/web": 404, "/web/nothing": 404, "/web/evidence/ev_000000000000000000000000": 404, "/web/evidence/x": 404,
		"/web/pages?url=https://example.org/": 404, "/web/pages/" + strings.Repeat("0", 64): 404, "/web/pages/zz": 404, "/web/pages": 200,
		"/web/pages?url=http://[": 400} {
		h.page(status, target)
	}
	if w := h.call("/web/sites", url.Values{}); w.Code != 405 {
		t.Errorf("POST where nothing is taken: %d", w.Code)
	}
	if w := h.call("/static/", nil); w.Code != 404 {
		t.Errorf("the files are listed: %d", w.Code)
	}
	for target, want := range map[string]string{"/static/style.css": "text/css; charset=utf-8", "/static/icon.svg": "image/svg+xml"} {
		if w := h.call(target, nil); w.Code != 200 || w.Header().Get("Content-Type") != want {
			t.Errorf("%s: %d %s; want w.Code == 200 && w.Header().Get(\"Content-Type\") == want", target, w.Code, w.Header())
		}
	}
}

// What broke inside is told to the log alone.
func TestInnerErrorsStayInside(t *testing.T) {
	h := newHome(t).login()
	apptest.Change(h.app, func(h *app.Home) { h.Runs = brokenRuns{h.Runs} })
	w := h.call("/", nil)
	checkPage(t, "/", w)
	if w.Code != 500 || strings.Contains(w.Body.String(), "disk") || !strings.Contains(h.log.String(), "the disk is gone") {
		t.Errorf("%d %s\n%s", w.Code, w.Body, h.log)
	}
}

type brokenRuns struct{ wstk.RunStore }

func (brokenRuns) List(context.Context, wstk.RunFilter, string, int) ([]wstk.Run, string, error) {
	return nil, "", wstk.Errorf(wstk.Internal, "listing", "the disk is gone")
}

func TestNum(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1\u202f000", 1234567: "1\u202f234\u202f567", -1000: "-1\u202f000", -100: "-100"} {
		if got := num(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
