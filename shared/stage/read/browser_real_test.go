package read

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"wstk/shared/adapter/chrome"
	"wstk/shared/adapter/safehttp"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// In a browser every way to hide is caught, those that need a layout among them, and what
// only looks hidden stays.
func TestWaysToHideInABrowser(t *testing.T) {
	if _, err := chrome.Find(""); err != nil {
		wstktest.Skip(t, err)
	}
	hidden, shown := some(ways(t, "hidden.txt")), some(ways(t, "shown.txt"))
	all := append(append([]way(nil), hidden...), shown...)
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || n >= len(all) {
			http.NotFound(rw, r)
			return
		}
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		rw.Write([]byte(all[n].html))
	}))
	t.Cleanup(site.Close)
	renderer := realBrowser(t)

	next := make(chan int)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for n := range next {
				inBrowser(t, renderer, all[n], site.URL+"/"+strconv.Itoa(n), n < len(hidden))
			}
		})
	}
	for n := range all {
		next <- n
	}
	close(next)
	wg.Wait()
}

// some are all ways that need a browser, and of the others each fourth: a page takes its
// time. All of them are tried where WSTK_WAYS is "all", or those whose name holds it.
func some(list []way) []way {
	var out []way
	only := os.Getenv("WSTK_WAYS")
	for i, w := range list {
		switch {
		case w.markup:
		case only == "all", only != "" && strings.Contains(w.name, only),
			only == "" && (w.browser || i%4 == 0):
			out = append(out, w)
		}
	}
	return out
}

func inBrowser(t *testing.T, renderer wstk.Renderer, w way, url string, hidden bool) {
	out, err := renderer.Render(t.Context(), wstk.RenderRequest{URL: url})
	if err != nil {
		t.Errorf("%s: %v", w.name, err)
		return
	}
	if out.Visibility == nil {
		t.Errorf("%s: the browser was not asked: %v", w.name, out.Warnings)
		return
	}
	if strings.Contains(string(out.HTML), "wstk-") {
		t.Errorf("%s: our mark is in the page: %s", w.name, out.HTML)
	}
	in := Input{URL: url, Body: out.HTML, ContentType: "text/html", Charset: "utf-8"}
	out.Visibility.BodySHA256 = wstk.HashOf(out.HTML)
	if in.Visibility, err = out.Visibility.Encode(); err != nil {
		t.Error(err)
	}
	d, err := (&Stage{}).Do(t.Context(), in)
	if err != nil {
		t.Errorf("%s: %v", w.name, err)
		return
	}
	switch has := strings.Contains(d.Text, sentence); {
	case d.VisibilitySHA256 == "":
		t.Errorf("%s: the record does not fit: %v", w.name, d.Warnings)
	case w.open && has:
	case w.open:
		t.Errorf("%s: is caught, and marked as open", w.name)
	case hidden && has:
		t.Errorf("%s: the hidden sentence is text", w.name)
	case !hidden && !has:
		t.Errorf("%s: the sentence is lost: %+v", w.name, d.Hidden)
	}
	if !strings.Contains(d.Text, control) {
		t.Errorf("%s: the control is gone: %+v", w.name, d.Hidden)
	}
}

// In a browser the same places count, and so do those that a linked sheet makes; what a
// linked sheet hides does not.
func TestWhatALineShowsInABrowser(t *testing.T) {
	if _, err := chrome.Find(""); err != nil {
		wstktest.Skip(t, err)
	}
	const picture = `data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7`
	cases := []struct{ html, words, want string }{
		{`<p>The pill is <img src="` + picture + `" alt="not"> safe.</p>`, "is safe", "incomplete"},
		{`<p>The pill is <input value="not"> safe.</p>`, "is safe", "incomplete"},
		{`<p>The pill is <svg width=9 height=9><path d="M0 0h9v9z"/></svg> safe.</p>`, "is safe", "incomplete"},
		{`<p>The pill is <img class=gone src="` + picture + `" alt="not"> safe.</p>`, "is safe", ""},
		{`<p>The pill is <span class=gone><img src="` + picture + `" alt="not"></span> safe.</p>`, "is safe", ""},
		{`<p>The pill is <svg class=gone width=9 height=9><path d="M0 0h9v9z"/></svg> safe.</p>`, "is safe", ""},
		{`<p>The pill is <i class=ground></i> safe.</p>`, "is safe", "incomplete"},
		{`<p>The pill is <b class=before>safe</b>.</p>`, "is safe", "incomplete"},
		{`<p>The pill is <b class=worded>safe</b>.</p>`, "is safe", "altered generated"},
		{`<ul><li class=mark>The pill is safe.</ul>`, "is safe", "altered generated"},
		{`<ul class=list><li>The pill is safe.</ul>`, "is safe", "altered generated"},
		{`<p>The pill is <q class=quote>safe</q>.</p>`, "is safe", "altered generated"},
		{`<p>The pill is <q>safe</q>.</p><ul><li>It is round.</ul>`, "is safe", ""},
	}
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/s.css" {
			rw.Header().Set("Content-Type", "text/css")
			rw.Write([]byte(`.gone{display:none}.ground{display:inline-block;width:9px;height:9px;` +
				`background:url(` + picture + `)}.before::before{content:url(` + picture + `)}` +
				`.worded::after{content:" (for mice)" / "for men"}.mark::marker{content:"Myth: "}.list{list-style:"Myth: "}.quote{quotes:"myth: " ""}`))
			return
		}
		n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || n >= len(cases) {
			http.NotFound(rw, r)
			return
		}
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		rw.Write([]byte("<!doctype html><title>A page</title><link rel=stylesheet href=/s.css><h1>The tank</h1>" + cases[n].html))
	}))
	t.Cleanup(site.Close)
	renderer := realBrowser(t)
	for n, c := range cases {
		out, err := renderer.Render(t.Context(),
			wstk.RenderRequest{URL: site.URL + "/" + strconv.Itoa(n)})
		if err != nil || out.Visibility == nil {
			t.Errorf("%s: %v", c.html, err)
			continue
		}
		in := Input{URL: site.URL, Body: out.HTML, ContentType: "text/html", Charset: "utf-8"}
		out.Visibility.BodySHA256 = wstk.HashOf(out.HTML)
		if in.Visibility, err = out.Visibility.Encode(); err != nil {
			t.Error(err)
		}
		got, d := flagsAt(t, in, c.words)
		if d.VisibilitySHA256 == "" {
			t.Errorf("%s: the record does not fit: %v", c.html, d.Warnings)
		}
		if strings.Trim(fmt.Sprint(got), "[]") != c.want {
			t.Errorf("%s: %v, want %q", c.html, got, c.want)
		}
	}
}

// realBrowser starts a browser that may open pages of this machine.
func realBrowser(t *testing.T) *chrome.Renderer {
	t.Helper()
	client, err := safehttp.New(safehttp.Config{AllowPrivate: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	renderer, err := chrome.New(chrome.Config{Timeout: time.Minute, Recycle: 1000,
		Gate: func() (chrome.Gate, error) { return client.OpenGate(safehttp.GateOptions{}) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { renderer.Close() })
	return renderer
}
