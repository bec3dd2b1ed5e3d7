package local_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// D: a refresh reads again by ETag, by Last-Modified, and, for pages that have neither, by the date
// of the sitemap, as long as that is to be believed.
func TestARefreshAsksAsTheSiteSays(t *testing.T) {
	var mu sync.Mutex
	asked, text, lastmod := map[string]int{}, "first", "2024-03-05"
	var since []string // what /m was asked with
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.URL.Path]++
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/sitemap.xml":
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprint(w, `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
			for _, p := range []string{"dated", "tagged", "modified"} {
				fmt.Fprintf(w, "<url><loc>http://%s/%s</loc><lastmod>%s</lastmod></url>", r.Host, p, lastmod)
			}
			fmt.Fprintf(w, "<url><loc>http://%s/plain</loc></url></urlset>", r.Host)
			return
		case "/robots.txt":
			http.NotFound(w, r)
			return
		case "/tagged":
			w.Header().Set("ETag", `"1"`)
			if r.Header.Get("If-None-Match") == `"1"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		case "/modified":
			w.Header().Set("Last-Modified", "Tue, 05 Mar 2024 10:00:00 GMT")
			since = append(since, r.Header.Get("If-Modified-Since"))
			if since[len(since)-1] != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		fmt.Fprintf(w, "<title>%[1]s</title><h1>Page %[1]s</h1><p>The %[2]s words of page %[1]s are about pumps.</p>",
			r.URL.Path[1:], text)
	}))
	t.Cleanup(web.Close)
	a := open(t, testConfig(t))
	crawl := func(refresh, fresh bool) (crawling.IngestResult, map[string]int) {
		t.Helper()
		mu.Lock()
		clear(asked)
		mu.Unlock()
		c := a.Config
		c.Cache.Fresh = fresh
		res, err := a.Crawling.Ingest(t.Context(),
			crawling.IngestRequest{URL: web.URL + "/", Refresh: refresh, Config: &c})
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		out := map[string]int{}
		for k, n := range asked {
			out[k] = n
		}
		return res, out
	}
	crawl(false, false)
	res, n := crawl(true, false)
	if n["/dated"] != 0 || n["/tagged"] != 1 || n["/modified"] != 1 || n["/plain"] != 1 ||
		since[len(since)-1] != "Tue, 05 Mar 2024 10:00:00 GMT" ||
		res.Accounting.Of(wstk.OutcomeNotModified) != 3 {
		t.Errorf("asked %v, %v, %v", n, since, res.Accounting)
	}
	u, err := a.Frontier.Get(t.Context(), res.Run.ID, web.URL+"/dated")
	if err != nil || u.Outcome != wstk.OutcomeNotModified || !strings.Contains(u.Reason, "2024-03-05") ||
		!strings.Contains(u.Reason, "not asked for") {
		t.Errorf("%+v, %v; want the outcome to say that it was not asked for", u, err)
	}
	if _, n := crawl(true, true); n["/dated"] != 1 {
		t.Errorf("fresh, and asked %v", n)
	}
	mu.Lock()
	text, lastmod = "other", time.Now().UTC().Format(time.DateOnly)
	mu.Unlock()
	if _, n := crawl(true, false); n["/dated"] != 1 {
		t.Errorf("a new date, and asked %v", n)
	}
	// its text changed after the date that the sitemap names again: it is not believed
	mu.Lock()
	lastmod = "2024-03-05"
	mu.Unlock()
	if _, n := crawl(true, false); n["/dated"] != 1 {
		t.Errorf("a date that was wrong, and asked %v", n)
	}
}
