package web

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"wstk/shared/adapter/chrome"
	"wstk/shared/adapter/safehttp"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// browse returns what shows a page in a real browser: once, or, since a busy machine paints
// a frame long after it is loaded, again with more time until seen is content. The tests
// skip where there is no browser.
func browse(t *testing.T) func(address string, seen func(wstk.Rendering) bool) wstk.Rendering {
	t.Helper()
	if _, err := chrome.Find(""); err != nil {
		wstktest.Skip(t, err)
	}
	client, err := safehttp.New(safehttp.Config{AllowPrivate: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := chrome.New(chrome.Config{Timeout: time.Minute, Gate: func() (chrome.Gate, error) {
		return client.OpenGate(safehttp.GateOptions{})
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		client.Close()
	})
	return func(address string, seen func(wstk.Rendering) bool) wstk.Rendering {
		t.Helper()
		for wait := time.Second; ; wait *= 2 {
			out, err := r.Render(t.Context(),
				wstk.RenderRequest{URL: address, Wait: wait, Screenshot: true})
			if err != nil {
				t.Fatal(err)
			}
			if seen == nil || seen(out) || wait > 10*time.Second {
				return out
			}
		}
	}
}

// serve puts the pages on an address of this machine. /enter?to= logs in and leads on; asked
// are the paths that came with a session.
func (h *home) serve(more map[string]http.HandlerFunc) (address string, asked func() []string) {
	h.Helper()
	var mu sync.Mutex
	var paths []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie(cookie); err == nil && c.Value == h.cookie {
			mu.Lock()
			paths = append(paths, r.URL.Path)
			mu.Unlock()
		}
		if do := more[r.URL.Path]; do != nil {
			do(w, r)
			return
		}
		if r.URL.Path == "/enter" {
			v := withCookie(r.URL.Query().Get("to"), h.cookie, 60)
			http.SetCookie(w, v.cookie)
			http.Redirect(w, r, v.to, http.StatusSeeOther)
			return
		}
		h.h.ServeHTTP(w, r)
	}))
	h.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(paths)
	}
}

// pixels counts those of one colour in a picture.
func pixels(t *testing.T, data []byte, want color.NRGBA) (n int) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if got := color.NRGBAModel.Convert(
				img.At(img.Bounds().Min.X+x, img.Bounds().Min.Y+y)); got == want {
				n++
			}
		}
	}
	return n
}

// quoteOf is the address of the first quote that the page of an answer leads to.
func quoteOf(t *testing.T, answer string) string {
	t.Helper()
	at := strings.Index(answer, "/web/evidence/")
	if at < 0 {
		t.Fatal("no quote")
	}
	quote, _, _ := strings.Cut(answer[at:], `"`)
	return quote
}

// manual is a site of one long page, with the pressure of a pump in its middle.
func manual(paragraphs int) http.Handler {
	long := strings.Repeat("<p>"+strings.Repeat("Many words stand before it. ", 30)+"</p>", paragraphs)
	return pages(map[string]string{"/": "<title>Pumps</title><h1>Pumps</h1>" + long + "<p>The Mark 3 pump reaches a <b>working pressure</b> of 9 bar.</p>" + long})
}

// A browser shows the first page, a run and a quote on its page: the frame is loaded with
// the session, and goes to the mark.
func TestInABrowser(t *testing.T) {
	show := browse(t)
	h := newHome(t).login()
	h.ingest(manual(40))
	run := h.putRun("sqlite wal", time.Now())
	_, answer := h.answered("What working pressure does the Mark 3 pump reach?")
	quote := quoteOf(t, answer)
	address, asked := h.serve(nil)
	enter := func(to string, c color.NRGBA, least int) wstk.Rendering {
		t.Helper()
		return show(address+"/enter?"+url.Values{"to": {to}}.Encode(), func(r wstk.Rendering) bool {
			return pixels(t, r.Screenshot, c) >= least
		})
	}

	stored := color.NRGBA{0x1f, 0x8a, 0x70, 0xff} // as style.css has them, too
	first := enter("/", stored, 3000)
	wantWords(t, string(first.HTML), "sqlite wal", "What working pressure", "Discovered", "Log out")
	if n := pixels(t, first.Screenshot, stored); n < 3000 { // the bar of the site
		t.Errorf("%d pixels have the colour of stored pages", n)
	}
	provider := color.NRGBA{0x2b, 0x7b, 0xba, 0xff}
	page := enter("/web/runs/"+string(run), provider, 3*40)
	wantWords(t, string(page.HTML), "Write-Ahead Logging", "3 of 3")
	if n := pixels(t, page.Screenshot, provider); n < 3*40 { // dots of the first provider
		t.Errorf("%d pixels have the colour of the first provider", n)
	}
	marked := color.NRGBA{0xff, 0xe0, 0x83, 0xff}
	proof := enter(quote, marked, 2000)
	wantWords(t, string(proof.HTML), "The Mark 3 pump reaches a working pressure of 9 bar.")
	if n := pixels(t, proof.Screenshot, marked); n < 2000 {
		t.Errorf("%d pixels are marked: the quote is not in sight", n)
	}
	if paths := asked(); !slices.Contains(paths, "/") ||
		!slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(p, "/web/pages/") }) {
		t.Errorf("with the session came %q", paths)
	}
	if r := show(address+"/web/sites", nil); r.FinalURL != address+"/login?next=%2Fweb%2Fsites" {
		t.Errorf("without a session: %s", r.FinalURL)
	}
}

// Where a quote is opened its frame shows the mark. A load is repeated only where the frame
// was not painted yet: one that shows other words is a miss.
func TestEachLoadShowsTheQuote(t *testing.T) {
	show := browse(t)
	h := newHome(t).login()
	h.ingest(manual(150))
	_, answer := h.answered("What working pressure does the Mark 3 pump reach?")
	quote := quoteOf(t, answer)
	address, _ := h.serve(nil)
	// without it up to four loads of ten begin at the top
	if page := h.page(200, quote); !strings.Contains(page, `loading="lazy"`) {
		t.Error("the frame is loaded before it has its place")
	}
	const loads = 4
	missed := 0
	for range loads {
		r := show(address+"/enter?"+url.Values{"to": {quote}}.Encode(),
			func(r wstk.Rendering) bool {
				return pixels(t, r.Screenshot, color.NRGBA{0x22, 0x20, 0x1c, 0xff}) > 0
			})
		if pixels(t, r.Screenshot, color.NRGBA{0xff, 0xe0, 0x83, 0xff}) < 2000 {
			missed++
		}
	}
	if missed > loads/2 { // one may be painted before it has scrolled, on a busy machine
		t.Errorf("%d of %d loads do not show the mark", missed, loads)
	}
}

// A word without end, in a question, a title, a heading or a snippet, makes no page wider
// than its window, be that a phone's; nor, on a large one, a table wider than its box.
func TestLongWordsInABrowser(t *testing.T) {
	show := browse(t)
	h := newHome(t).login()
	long := strings.Repeat("W", maxWords-100)
	root := h.ingest(pages(map[string]string{
		"/":         "<title>" + long + "</title><h1>" + long + "</h1><p>" + long + "</p><a href=/mk3.html>" + long + "</a>",
		"/mk3.html": "<title>" + long + "</title><h1>" + long + "</h1><h2>" + long + "</h2><p>The Mark 3 pump reaches a working pressure of 9 bar.</p>",
	}))
	run := h.putRun(long, time.Now())
	row := wstk.SearchRow{Provider: "brave", URL: "https://example.org/" + long, Rank: 1, Title: &long, Snippet: &long}
	if err := h.app.SearchRows.PutRows(t.Context(), run, []wstk.SearchRow{row},
		[]wstk.FoundURL{{URL: row.URL, Aliases: []string{row.URL + "/"},
			Providers: []string{"brave"}, Confidence: 1, Title: &long, BestRank: 1}}); err != nil {
		t.Fatal(err)
	}
	known, answer := h.answered("What working pressure does the Mark 3 pump reach?")
	unknown, _ := h.answered("Who painted " + long)
	quote := quoteOf(t, answer)
	site := "/web/sites/" + string(wstk.SiteIDOf(root+"/"))
	targets := []string{"/", "/web/runs", "/web/runs/" + string(run), "/web/runs/" + string(run) + "/rows", "/web/sites", site, site + "?why=" + long,
		"/web/extractions", known, unknown, quote, "/web/pages?q=working+pressure+" + long, "/web/pages?url=" + url.QueryEscape(root+"/mk3.html"), "/web/pages?url=" + long}

	// Each page is put, without the headers that forbid it, into frames that are as wide as
	// windows, and a script of the test measures them there.
	var frames strings.Builder
	more := map[string]http.HandlerFunc{}
	for i, target := range targets {
		path := fmt.Sprintf("/framed/%d", i)
		body := h.call(target, nil).Body.Bytes()
		more[path] = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write(body)
		}
		for _, width := range []int{390, 1280} {
			fmt.Fprintf(&frames, `<iframe src="%s" style="width:%dpx;border:0" width="%d" name="%d"></iframe>`, path, width, width, i)
		}
	}
	more["/widths"] = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Frames</title><pre id=out></pre>", frames.String(), `<script>
onload = () => { for (const f of document.querySelectorAll("iframe")) {
	const d = f.contentDocument, boxes = [...d.querySelectorAll(".scroll")].map(b => b.scrollWidth - b.clientWidth)
	out.append([f.name, f.width, d.styleSheets.length, d.documentElement.scrollWidth, Math.max(0, ...boxes)].join(" ") + "\n")
} }</script>`)
	}
	address, _ := h.serve(more)
	r := show(address+"/enter?to=/widths", nil)
	_, out, _ := strings.Cut(string(r.HTML), "<pre id=\"out\">")
	out, _, _ = strings.Cut(out, "</pre>")
	lines := strings.Fields(out)
	if len(lines) != 2*5*len(targets) {
		t.Fatalf("measured was %q", out)
	}
	for l := range slices.Chunk(lines, 5) {
		n := make([]int, len(l))
		for i := range l {
			n[i], _ = strconv.Atoi(l[i])
		}
		if i, window, sheets, width, over := n[0], n[1], n[2], n[3],
			n[4]; sheets != 1 || width > window || window == 1280 && over > 0 {
			t.Errorf("%.60s: with %d style sheets in a window of %d it is %d wide, a box of it lacks %d", targets[i], sheets, window, width, over)
		}
	}
}

// Hostile pages do nothing in a browser, neither as they are served nor, for what the
// lists of inert.go are worth by themselves, without the header and the sandbox. The trap
// works: the pages as they came fall into it.
func TestHostilePagesInABrowser(t *testing.T) {
	show := browse(t)
	h := newHome(t).login()
	var mu sync.Mutex
	var caught []string
	trap := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		caught = append(caught, r.URL.Path)
	}))
	defer trap.Close()
	fallen := func() []string {
		mu.Lock()
		defer mu.Unlock()
		out := caught
		caught = nil
		return out
	}

	var served, bare, raw strings.Builder
	more := map[string]http.HandlerFunc{}
	for name, src := range hostile(trap.URL) {
		hash, err := h.app.Blobs.Put(t.Context(), []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		address := "https://example.org/" + url.PathEscape(name)
		if err := h.app.Snapshots.Put(t.Context(),
			wstk.Snapshot{URL: address, FinalURL: address, Status: 200,
				ContentType: "text/html", BodySHA256: hash,
				BodyBytes: int64(len(src)), Method: wstk.MethodHTTP, FetchedAt: time.Now(),
				Verdict: wstk.VerdictOK}); err != nil {
			t.Fatal(err)
		}
		path := "/" + string(hash)
		fmt.Fprintf(&served, `<iframe sandbox src="/web/pages/%s"></iframe>`, hash)
		fmt.Fprintf(&bare, `<iframe src="/bare%s"></iframe>`, path)
		fmt.Fprintf(&raw, `<iframe src="/raw%s"></iframe>`, path)
		more["/bare"+path] = func(w http.ResponseWriter, r *http.Request) {
			page := h.call("/web/pages/"+string(hash), nil)
			if page.Code != 200 {
				t.Errorf("%s: %d %s; want page.Code == 200", name, page.Code, page.Body)
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write(page.Body.Bytes())
		}
		more["/raw"+path] = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, src)
		}
	}
	for path, body := range map[string]string{"/served": served.String(), "/bare": bare.String(), "/raw": raw.String()} {
		more[path] = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>Frames</title>", body)
		}
	}
	address, _ := h.serve(more)
	for _, path := range []string{"/served", "/bare"} {
		r := show(address+"/enter?to="+path, nil)
		if got := fallen(); len(got) > 0 {
			t.Errorf("%s: the trap caught %q", path, got)
		}
		if r.FinalURL != address+path {
			t.Errorf("%s: the window went to %s", path, r.FinalURL)
		}
		if root, err := html.Parse(bytes.NewReader(r.HTML)); err != nil ||
			!strings.Contains(render(root), "iframe") {
			t.Errorf("%s: no frames in %s", path, r.HTML)
		}
	}
	var got []string
	show(address+"/raw", func(wstk.Rendering) bool {
		got = append(got, fallen()...)
		return len(got) >= 10
	})
	if len(got) < 10 {
		t.Errorf("as they came, the pages asked only for %q: the trap does not work", got)
	}
}
