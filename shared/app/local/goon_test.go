package local_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"wstk/shared/app/apptest"

	"wstk/shared/app"
	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// manual serves a root and so many pages, each with links to all; asked counts requests of pages.
func manual(t *testing.T, pages int) (root string, asked func() map[string]int) {
	var mu sync.Mutex
	counts := map[string]int{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" && !strings.HasPrefix(r.URL.Path, "/page") {
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		counts[r.URL.Path]++
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Manual %[1]s</title><h1>Manual %[1]s</h1><p>The valve of %[1]s opens at %[2]d bar, and closes again when the pump %[1]s rests.</p>",
			r.URL.Path, len(r.URL.Path))
		for i := range pages {
			fmt.Fprintf(w, "<a href=/page%d>page %d</a> ", i, i)
		}
		fmt.Fprint(w, "<a href=https://elsewhere.example/>elsewhere</a>")
	}))
	t.Cleanup(site.Close)
	return site.URL + "/", func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		return counts
	}
}

// bounded is the request of a crawl with these bounds of its own.
func bounded(
	t *testing.T, a *app.App, root string, refresh bool, bounds map[string]string,
) crawling.IngestRequest {
	t.Helper()
	c, err := a.Config.With(bounds, "request")
	if err != nil {
		t.Fatal(err)
	}
	return crawling.IngestRequest{URL: root, Refresh: refresh, Config: &c}
}

// homes are the two ways a crawl is driven: by this process, and by messages.
var homes = map[string]func(*testing.T, *app.App, crawling.IngestRequest) crawling.SiteStatus{
	"process": func(t *testing.T, a *app.App, req crawling.IngestRequest) crawling.SiteStatus {
		t.Helper()
		res, err := a.Crawling.Ingest(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return status(t, a, res.Site.ID)
	},
	"messages": func(t *testing.T, a *app.App, req crawling.IngestRequest) crawling.SiteStatus {
		t.Helper()
		apptest.Change(a, func(h *app.Home) { h.Dispatch = crawling.ByMessages{} })
		run, site, err := a.Crawling.Begin(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		next := []string{"crawl"}
		for len(next) > 0 {
			m, done, err := inbox(a).Receive(t.Context(), next[0])
			if err != nil {
				t.Fatal(err)
			}
			out, err := a.Crawling.Route(next[0])(t.Context(), m.Body)
			if done(err); err != nil {
				t.Fatal(err)
			}
			if err := a.Queue.Send(t.Context(), out...); err != nil {
				t.Fatal(err)
			}
			next = next[1:]
			for _, m := range out {
				next = append(next, m.Queue)
			}
			if r, err := a.Runs.Get(t.Context(), run.ID); err != nil || r.State.Terminal() {
				break
			}
		}
		return status(t, a, site.ID)
	},
}

func status(t *testing.T, a *app.App, site wstk.SiteID) crawling.SiteStatus {
	t.Helper()
	st, err := a.Crawling.Status(t.Context(), string(site))
	if err != nil {
		t.Fatal(err)
	}
	if !st.Run.State.Terminal() || !st.Accounting.Balanced() || st.Run.Usage.DurationMS < 1 {
		t.Fatalf("%+v %v", st.Run, st.Accounting)
	}
	return st
}

// The same ingest once more reads the pages that its budget left, and so on to the end.
// Each run has its own budget and its own accounts, and over all of them a page counts
// once. A higher budget reads more; other bounds begin at the root.
func TestTheSameIngestGoesOn(t *testing.T) {
	for home, crawl := range homes {
		t.Run(home, func(t *testing.T) {
			root, asked := manual(t, 9)
			a := open(t, testConfig(t))
			three := bounded(t, a, root, false, map[string]string{"crawl.max_pages": "3"})
			st := crawl(t, a, three)
			first := st.Run.ID
			step := fmt.Sprintf("to read the 7 that are left: ingest %s max_pages=3 allow_private higher max_pages", root)
			if st.Accounting.Of(wstk.OutcomeOverBudget) != 7 || st.Pages != 3 ||
				len(st.Steps) != 1 || st.Steps[0].String() != step ||
				st.Run.Reasons[0] != "7 pages still waiting: the crawl stopped at its budget of 3 (max_pages)" {
				t.Errorf("first: %v, %q, %v", st.Accounting.By, st.Run.Reasons, st.Steps)
			}
			st = crawl(t, a, three)
			if a := st.Accounting; st.Run.Continues != first || st.Pages != 6 ||
				a.Discovered != 7 || a.Of(wstk.OutcomeFetched) != 3 ||
				a.Of(wstk.OutcomeOverBudget) != 4 {
				t.Errorf("second: %+v, %v", st.Run, a.By)
			}
			st = crawl(t, a, bounded(t, a, root, false, map[string]string{"crawl.max_pages": "100"}))
			if a := st.Accounting; st.Run.State != wstk.RunComplete || st.Pages != 10 ||
				a.Discovered != 4 || a.Of(wstk.OutcomeFetched) != 4 || len(st.Steps) != 0 {
				t.Errorf("third: %+v, %v, %v", st.Run, a.By, st.Steps)
			}
			for path, n := range asked() {
				if n != 1 {
					t.Errorf("%s was asked for %d times", path, n)
				}
			}
			// Nothing is left: the next one crawls anew.
			if st = crawl(t, a, three); st.Run.Continues != "" || st.Accounting.Discovered != 11 {
				t.Errorf("fourth: %+v, %v", st.Run, st.Accounting.By)
			}
			// What it does not ask for again is held, and does not wait.
			if want := "7 pages held as an earlier crawl read them, and not asked for again: the crawl stopped at its budget of 3 (max_pages)"; len(st.Run.Reasons) != 1 || st.Run.Reasons[0] != want {
				t.Errorf("fourth: %q, want %q", st.Run.Reasons, want)
			}
			if st = crawl(t, a, three); st.Run.Continues == "" || len(st.Run.Reasons) != 1 ||
				!strings.HasPrefix(st.Run.Reasons[0], "4 pages held as an earlier crawl read them") {
				t.Errorf("fifth: %+v", st.Run)
			}
			if st = crawl(t, a, bounded(t, a, root, false,
				map[string]string{"crawl.max_pages": "3", "crawl.exclude": "/page8"})); st.Run.Continues != "" {
				t.Errorf("with other bounds it goes on with %s", st.Run.Continues)
			}
		})
	}
}

// A crawl that was left open is continued by the same bounds. Other bounds begin at the
// root, so that a narrow crawl that ends is not taken for the whole site.
func TestOtherBoundsBeginAnewAfterAnInterruption(t *testing.T) {
	root, _ := manual(t, 9)
	a := open(t, testConfig(t))
	narrow := bounded(t, a, root, false, map[string]string{"crawl.include": "/page1*"})
	interrupt := func() wstk.RunID {
		t.Helper()
		ctx, stop := context.WithCancel(t.Context())
		req := narrow
		req.Started = func(wstk.Run, wstk.Site) { stop() }
		res, err := a.Crawling.Ingest(ctx, req)
		if err == nil || res.Run.State != wstk.RunRunning {
			t.Fatalf("not interrupted: %+v %v", res.Run, err)
		}
		return res.Run.ID
	}
	left := interrupt()
	res, err := a.Crawling.Ingest(t.Context(), narrow)
	if err != nil || !res.Resumed || res.Run.ID != left {
		t.Errorf("the same bounds do not go on: %+v %v", res.Run, err)
	}
	left = interrupt()
	res, err = a.Crawling.Ingest(t.Context(), crawling.IngestRequest{URL: root})
	if err != nil || res.Resumed || res.Run.ID == left || res.Run.State != wstk.RunComplete ||
		res.Pages != 10 || !coded(res.Warnings, "other_bounds", "") {
		t.Errorf("other bounds do not begin anew: %+v, %d pages, %v, %v", res.Run, res.Pages, res.Warnings, err)
	}
	run, err := a.Runs.Get(t.Context(), left)
	if err != nil || run.State != wstk.RunCancelled || len(run.Reasons) != 1 || run.Reasons[0] != "a crawl with other bounds took its place" {
		t.Errorf("the one that was left: %+v %v", run, err)
	}
}

// The command that goes on says what the crawl was given.
func TestToGoOnNamesWhatWasGiven(t *testing.T) {
	root, _ := manual(t, 9)
	a := open(t, testConfig(t))
	for key, c := range map[string]struct{ value, want string }{
		"crawl.rate_limit_ms": {"1000", " rate_limit_ms=1000 "},
		"fetch.robots":        {"ignore", " robots=ignore "},
		"fetch.user_agent":    {"Own/1 (me)", " user_agent=Own/1 (me) "},
	} {
		res, err := a.Crawling.Ingest(t.Context(),
			bounded(t, a, root, false, map[string]string{"crawl.max_pages": "1", key: c.value}))
		if err != nil || len(res.Steps) != 1 || !strings.Contains(res.Steps[0].String(), c.want) {
			t.Errorf("%s: %v %v", key, res.Steps, err)
		}
	}
}

// The bounds of a refresh are its own: the site keeps those of its newest ingest. Without
// a budget of its own a refresh looks at every page that is held.
func TestARefreshLeavesTheSitesBounds(t *testing.T) {
	for home, crawl := range homes {
		t.Run(home, func(t *testing.T) {
			root, _ := manual(t, 9)
			a := open(t, testConfig(t))
			five := bounded(t, a, root, false, map[string]string{"crawl.max_pages": "5", "crawl.max_depth": "4", "crawl.rate_limit_ms": "20"})
			crawl(t, a, five)
			st := crawl(t, a, five)
			if st.Pages != 10 {
				t.Fatalf("%d pages", st.Pages)
			}
			want := fmt.Sprintf("%+v", st.Site.Options)
			st = crawl(t, a, bounded(t, a, root, true, map[string]string{"crawl.max_pages": "2", "crawl.max_depth": "1", "crawl.exclude": "/page1"}))
			if got := fmt.Sprintf("%+v", st.Site.Options); got != want ||
				st.Run.Options.MaxPages != 2 || st.Accounting.Stored() != 2 ||
				st.Run.Options.RateLimit != 20*time.Millisecond {
				t.Errorf("the site's bounds are %s, were %s; the run's %+v", got, want, st.Run.Options)
			}
			if want := "to look at the 8 that are left: refresh " + root + " allow_private"; len(st.Steps) != 1 || st.Steps[0].String() != want {
				t.Errorf("%v, want %q", st.Steps, want)
			}
			st = crawl(t, a, crawling.IngestRequest{URL: root, Refresh: true})
			if st.Accounting.Stored() != 10 || st.Run.State != wstk.RunComplete ||
				fmt.Sprintf("%+v", st.Site.Options) != want {
				t.Errorf("%+v %v", st.Run, st.Accounting.By)
			}
		})
	}
}

// The command that goes on with a crawl allows private addresses where the door out wants it, as
// the door itself tells addresses apart.
func TestAStepOpensWhatTheDoorWouldOpen(t *testing.T) {
	c := testConfig(t)
	c.AllowPrivate = false
	a := open(t, c)
	for host, want := range map[string]bool{"127.0.0.1": true, "10.1.2.3": true, "100.64.0.1": true, "[fd12:3456:789a::1]": true, "localhost": true,
		"169.254.1.1": false, "example.org": false} {
		root := "http://" + host + "/"
		site := wstk.Site{ID: wstk.SiteIDOf(root), Root: root, Options: wstk.DefaultCrawlOptions(),
			CreatedAt: a.Now(), UpdatedAt: a.Now()}
		run := wstk.Run{ID: wstk.NewRunID(a.Now(), nil), Kind: wstk.RunIngest,
			State: wstk.RunRunning, Site: site.ID, StartedAt: a.Now(), UpdatedAt: a.Now()}
		if err := a.Runs.Create(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		site.LastRun = run.ID
		if err := a.SiteStore.Put(t.Context(), site); err != nil {
			t.Fatal(err)
		}
		st, err := a.Crawling.Status(t.Context(), string(site.ID))
		if err != nil || len(st.Steps) != 1 || strings.HasSuffix(st.Steps[0].String(), " allow_private") != want {
			t.Errorf("%s: %v %v", host, st.Steps, err)
		}
	}
}

// A dead link does not make a refresh partial that asked for every page that is held: what
// was not there the last time is no page that waits.
func TestADeadLinkDoesNotWait(t *testing.T) {
	for home, crawl := range homes {
		t.Run(home, func(t *testing.T) {
			site := httptest.NewServer(
				http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path != "/" && r.URL.Path != "/a" && r.URL.Path != "/b" {
						http.NotFound(w, r)
						return
					}
					w.Header().Set("Content-Type", "text/html")
					fmt.Fprintf(w, "<title>Manual %[1]s</title><h1>Manual %[1]s</h1><p>The valve of %[1]s opens at %[2]d bar.</p><a href=/dead>dead</a> <a href=/a>a</a> <a href=/b>b</a>",
						r.URL.Path, len(r.URL.Path)+int(r.URL.Path[len(r.URL.Path)-1]))
				}))
			defer site.Close()
			a := open(t, testConfig(t))
			if st := crawl(t, a, bounded(t, a, site.URL+"/", false,
				map[string]string{"crawl.max_pages": "3"})); st.Run.State != wstk.RunComplete ||
				st.Accounting.Of(wstk.OutcomeNotFound) != 1 {
				t.Fatalf("%+v %v", st.Run, st.Accounting.By)
			}
			st := crawl(t, a, crawling.IngestRequest{URL: site.URL + "/", Refresh: true})
			if st.Run.State != wstk.RunComplete || st.Accounting.Of(wstk.OutcomeNotFound) != 1 ||
				st.Accounting.Of(wstk.OutcomeOverBudget) != 0 {
				t.Errorf("%+v %v", st.Run, st.Accounting.By)
			}
		})
	}
}

// A refresh that could not ask leaves what the next one asks with.
func TestARefusedRefreshKeepsValidators(t *testing.T) {
	var full, same atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") == `"1"` {
			same.Add(1)
			w.WriteHeader(http.StatusNotModified)
			return
		}
		full.Add(1)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Valves</title><h1>Valves</h1><p>The valve opens at 5 bar, and closes again when the pump rests.</p>")
	}))
	defer site.Close()
	c := testConfig(t)
	a := open(t, c)
	if _, err := a.Crawling.Ingest(t.Context(),
		crawling.IngestRequest{URL: site.URL + "/"}); err != nil {
		t.Fatal(err)
	}
	c.AllowPrivate = false
	closed := open(t, c)
	if _, err := closed.Crawling.Ingest(t.Context(),
		crawling.IngestRequest{URL: site.URL + "/", Refresh: true}); wstk.CodeOf(err) !=
		wstk.RefusedAddress {
		t.Fatalf("the address was not refused: %v", err)
	}
	res, err := a.Crawling.Ingest(t.Context(),
		crawling.IngestRequest{URL: site.URL + "/", Refresh: true})
	if err != nil || full.Load() != 1 || same.Load() != 1 ||
		res.Accounting.Of(wstk.OutcomeNotModified) != 1 {
		t.Errorf("%d whole answers and %d of nothing new, %v %v", full.Load(), same.Load(), res.Accounting.By, err)
	}
	if p, err := a.Pages.Get(t.Context(), site.URL+"/"); err != nil ||
		p.Verdict != wstk.VerdictOK || p.Document == "" {
		t.Errorf("%+v %v", p, err)
	}
}

// A crawl that a pause of its host kept from asking at all ends at its time limit, and says
// what it waited for.
func TestATimeLimitNamesThePause(t *testing.T) {
	root, _ := manual(t, 1)
	c := testConfig(t)
	c.Timeout = 300 * time.Millisecond
	a := open(t, c)
	host := strings.TrimSuffix(root, "/")
	until := time.Now().Add(time.Minute)
	if err := a.Hosts.Defer(t.Context(), host, until); err != nil {
		t.Fatal(err)
	}
	res, err := a.Crawling.Ingest(t.Context(), crawling.IngestRequest{URL: root})
	if err == nil || wstk.CodeOf(err) != wstk.Timeout || res.Run.State != wstk.RunPartial ||
		!strings.Contains(err.Error(), "the time limit of 300ms passed; it waited for 127.0.0.1, which asks for no requests before "+until.UTC().Format("2006-01-02 15:04 MST")) {
		t.Errorf("%+v %v", res.Run, err)
	}
	if next := wstk.StepsOf(err); len(next) != 1 ||
		!strings.HasPrefix(next[0].For, "run it again after") || next[0].Do != wstk.DoIngest || next[0].URL != root {
		t.Errorf("%v", next)
	}
}

// A crawl that takes pages from another site says so: a page belongs to the one that was
// crawled last.
func TestSitesThatSharePagesAreNamed(t *testing.T) {
	root, _ := manual(t, 3)
	a := open(t, testConfig(t))
	first, err := a.Crawling.Ingest(t.Context(), crawling.IngestRequest{URL: root})
	if err != nil || len(first.Warnings) != 0 || first.Pages != 4 {
		t.Fatalf("%d pages, %v %v", first.Pages, first.Warnings, err)
	}
	second, err := a.Crawling.Ingest(t.Context(), crawling.IngestRequest{URL: root + "page1"})
	if err != nil || len(second.Warnings) != 1 || second.Warnings[0].Code != "shared_pages" ||
		second.Warnings[0].URL != root {
		t.Fatalf("%v %v", second.Warnings, err)
	}
	if p, err := a.Pages.Get(t.Context(), root+"page1"); err != nil || p.Site != second.Site.ID {
		t.Errorf("the page belongs to %s, and not to the site that was crawled last: %v", p.Site, err)
	}
	// A refresh says it no more, and another folder shares nothing.
	again, err := a.Crawling.Ingest(t.Context(), crawling.IngestRequest{URL: root, Refresh: true})
	if err != nil || len(again.Warnings) != 0 {
		t.Errorf("%v %v", again.Warnings, err)
	}
	apart, _ := manual(t, 1)
	if other, err := a.Crawling.Ingest(t.Context(),
		crawling.IngestRequest{URL: apart}); err != nil || len(other.Warnings) != 0 {
		t.Errorf("%v %v", other.Warnings, err)
	}
}

// An id that no site has, as after its removal, is unknown; it is not a bad address.
func TestAnIDThatNoSiteHasIsUnknown(t *testing.T) {
	a := open(t, testConfig(t))
	_, err := a.Reading.FindSite(t.Context(), "site_aada5a005b6cdfd6")
	if wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("FindSite of an unknown id: %v, want NotFound", err)
	}
}

// A site is found by its address without the scheme.
func TestASiteIsFoundWithoutItsScheme(t *testing.T) {
	root, _ := manual(t, 1)
	a := open(t, testConfig(t))
	site := ingest(t, a, root).Site
	for _, name := range []string{strings.TrimSuffix(strings.TrimPrefix(root, "http://"), "/"),
		strings.TrimPrefix(root, "http://"), strings.TrimPrefix(root, "http://") + "page0"} {
		if found, err := a.Reading.FindSite(t.Context(), name); err != nil || found.ID != site.ID {
			t.Errorf("%s: %v, %v", name, found.ID, err)
		}
	}
}
