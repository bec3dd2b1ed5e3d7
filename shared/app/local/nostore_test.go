package local_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"wstk/shared/app"
	"wstk/shared/app/apptest"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// misbehaving serves a site without robots.txt, whose root is as root makes it.
func misbehaving(t *testing.T, root http.HandlerFunc) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/robots.txt", http.NotFound)
	mux.HandleFunc("/sitemap.xml", http.NotFound)
	mux.HandleFunc("/busy", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	mux.HandleFunc("/", root)
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site.URL
}

func TestACrawlThatStoresNothingSaysWhatStoppedIt(t *testing.T) {
	for name, c := range map[string]struct {
		root    http.HandlerFunc
		timeout time.Duration
		code    wstk.Code
		next    string
	}{
		"a silent site": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			time.Second, wstk.Timeout, "timeout=120s"},
		"a site that asks for rest": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
		}, 20 * time.Second, wstk.Unavailable, "run it again after 20"},
	} {
		t.Run(name, func(t *testing.T) {
			a := open(t, testConfig(t))
			apptest.Change(a, func(h *app.Home) { h.Config.Timeout = c.timeout })
			_, err := a.Crawling.Ingest(t.Context(),
				crawling.IngestRequest{URL: misbehaving(t, c.root) + "/"})
			if next := fmt.Sprint(wstk.StepsOf(err)); wstk.CodeOf(err) != c.code ||
				!strings.Contains(next, c.next) {
				t.Errorf("%s: %v; next: %s", wstk.CodeOf(err), err, next)
			}
		})
	}
}

// One page that asks for an hour's rest ends the crawl of its host; nothing waits in silence.
func TestALongPauseEndsTheCrawl(t *testing.T) {
	a := open(t, testConfig(t))
	apptest.Change(a, func(h *app.Home) { h.Config.Timeout = 60 * time.Second })
	site := misbehaving(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%[1]s</title><h1>%[1]s</h1><p>The valve of %[1]s opens at %[2]d bar, and closes again.</p><a href=/busy>busy</a>", r.URL.Path, len(r.URL.Path))
		for i := range 20 {
			fmt.Fprintf(w, "<a href=/page%d>page</a> ", i)
		}
	})
	res, err := a.Crawling.Ingest(t.Context(), crawling.IngestRequest{URL: site + "/"})
	if err != nil {
		t.Fatal(err)
	}
	if res.Run.State != wstk.RunPartial || res.Accounting.Of(wstk.OutcomeOverBudget) != 0 ||
		res.Accounting.Of(wstk.OutcomeBlocked) < 2 {
		t.Errorf("%s %v: %+v", res.Run.State, res.Run.Reasons, res.Accounting)
	}
}
