package crawl

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

func TestDiscover(t *testing.T) {
	r := newRig(t, "http://h.test/docs/", func(o *wstk.CrawlOptions) { o.MaxDepth = 1; o.Exclude = []string{"*.txt"} })
	r.world.robots = "user-agent: *\ndisallow: /docs/private/\n"
	root := r.seeded()
	out := r.settle(root, func(in *Fetched) {
		in.Document = page(root.URL, prose(1, 20), "http://h.test/docs/home",
			"http://h.test/docs/a", "http://h.test/docs/a", "http://h.test/docs/a#part", "HTTP://H.test:80/docs/./a", "http://h.test/docs/",
			"http://user:pw@h.test/docs/secret", "mailto:x@h.test", "javascript:void(0)", "not a url",
			"http://h.test/other", "http://elsewhere.test/", "http://h.test/docs/private/x", "http://h.test/docs/x.txt", "http://h.test/docs/x.zip",
			"http://h.test/docs/q/q/q/q/q")
	})
	if out.Links.Links != 9 || out.Links.New != 9 || out.Links.NoFollow {
		t.Errorf("%+v; want out.Links.Links == 9 && out.Links.New == 9 && !out.Links.NoFollow", out.Links)
	}
	r.is("http://h.test/docs/home", wstk.OutcomeOpen, "")
	if u := r.is("http://h.test/docs/a", wstk.OutcomeOpen, ""); u.Depth != 1 ||
		u.Via != wstk.ViaLink || u.FoundOn != root.URL || u.Host != "http://h.test:80" {
		t.Errorf("%+v; want u.Depth == 1 && u.Via == wstk.ViaLink && u.FoundOn == root.URL && u.Host == \"http://h.test:80\"", u)
	}
	r.is("http://h.test/docs/secret", wstk.OutcomeOpen, "")
	r.is("http://h.test/other", wstk.OutcomeOutOfScope, "outside /docs/")
	r.is("http://elsewhere.test/", wstk.OutcomeOutOfScope, "other host elsewhere.test:80")
	r.is("http://h.test/docs/private/x", wstk.OutcomeRefusedRobots, "robots.txt line 2: Disallow: /docs/private/")
	r.is("http://h.test/docs/x.txt", wstk.OutcomeOutOfScope, "excluded by *.txt")
	r.is("http://h.test/docs/x.zip", wstk.OutcomeOutOfScope, "not a page (.zip)")
	r.is("http://h.test/docs/q/q/q/q/q", wstk.OutcomeTrap, "more than 3 times")
	for _, u := range r.urls() {
		if strings.Contains(u.URL, "pw@") {
			t.Errorf("credentials are stored: %s", u.URL)
		}
	}
	r.acknowledge(root.URL)
	task := r.releaseOnly("http://h.test/docs/a")
	r.settle(task, func(in *Fetched) { in.Document = page(task.URL, prose(2, 20), "", "http://h.test/docs/deep") })
	r.is("http://h.test/docs/deep", wstk.OutcomeOverDepth, "2 links from the root, the limit is 1")

	// Twice is once, and on a closed page nothing happens.
	again := must[Discovered](t)(r.stage.Discover(t.Context(), r.run, r.site,
		wstk.FrontierURL{URL: root.URL}, page(root.URL, "", "", "http://h.test/docs/late")))
	if again.New != 0 {
		t.Errorf("on a closed page: %+v", again)
	}
}

func TestNoFollow(t *testing.T) {
	for _, policy := range []wstk.RobotsPolicy{wstk.RobotsRespect, wstk.RobotsIgnore} {
		r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.Robots = policy })
		root := r.seeded()
		out := r.settle(root, func(in *Fetched) {
			in.Document = page(root.URL, prose(1, 20), "", a, b)
			in.Snapshot.Headers = map[string]string{"X-Robots-Tag": "nofollow"}
			in.Document.Links[0].NoFollow = true // of one link: no matter
		})
		warnings := r.stage.Warnings(t.Context(), r.run.ID)
		if policy == wstk.RobotsIgnore {
			if out.Links.NoFollow || out.Links.New != 2 || warnings != nil {
				t.Errorf("%+v %v; want !out.Links.NoFollow && out.Links.New == 2 && warnings == nil", out.Links, warnings)
			}
			continue
		}
		if !out.Links.NoFollow || out.Links.New != 0 || len(out.Index) != 1 {
			t.Errorf("%+v; want out.Links.NoFollow && out.Links.New == 0 && len(out.Index) == 1", out)
		}
		if len(warnings) != 1 || warnings[0].Code != "nofollow" || warnings[0].URL != root.URL ||
			!strings.Contains(warnings[0].Message, "2 links") {
			t.Errorf("the warnings are %+v, want one that 2 links were not followed", warnings)
		}
	}
}

func TestSeedReadsSitemaps(t *testing.T) {
	w, c := newWeb(), newClock()
	w.put("http://h.test/robots.txt", ok("sitemap: /index.xml\nsitemap: http://cdn.test/map.txt\nsitemap: http://h.test/broken.xml\nsitemap: http://h.test/missing.xml\nuser-agent: *\ndisallow: /private\n"))
	w.put("http://h.test/index.xml", ok("<sitemapindex><sitemap><loc>http://h.test/one.xml</loc></sitemap><sitemap><loc>http://other.test/two.xml</loc></sitemap><sitemap><loc>http://h.test/index.xml</loc></sitemap></sitemapindex>"))
	w.put("http://h.test/one.xml", reply{status: 302, location: "/one.xml.gz"})
	w.put("http://h.test/one.xml.gz", ok("%s", gzipped("<urlset><url><loc>http://h.test/a</loc><lastmod>2024-05-06</lastmod></url><url><loc>/b</loc></url><url><loc>http://h.test/private/x</loc></url><url><loc>http://h.test/</loc></url></urlset>")))
	w.put("http://cdn.test/map.txt", ok("http://h.test/c\nhttp://elsewhere.test/\nhttp://h.test/d.zip\n"))
	w.put("http://h.test/broken.xml", ok("<html>"))
	w.put("http://h.test/sitemap.xml", ok("<urlset><url><loc>http://h.test/e</loc></url>"))
	r := newRig(t, "http://h.test/", nil)
	r.clock, r.stage.Client, r.stage.Robots.Client = c, w, w

	out := must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site))
	if want := (Seeded{Sitemaps: 4, Listed: 8, New: 8}); out != want {
		t.Errorf("%+v, want %+v", out, want)
	}
	if u := r.is(a, wstk.OutcomeOpen, ""); u.Depth != 1 || u.Via != wstk.ViaSitemap ||
		u.FoundOn != "http://h.test/one.xml" || u.LastMod.Year() != 2024 {
		t.Errorf("%+v; want u.Depth == 1 && u.Via == wstk.ViaSitemap && u.FoundOn == \"http://h.test/one.xml\" && u.LastMod.Year() == 2024", u)
	}
	if u := r.is("http://h.test/", wstk.OutcomeOpen, ""); u.Depth != 0 || u.Via != wstk.ViaSeed {
		t.Errorf("%+v; want u.Depth == 0 && u.Via == wstk.ViaSeed", u)
	}
	var got []string
	for _, w := range r.stage.Warnings(t.Context(), r.run.ID) {
		got = append(got, w.Code+" "+w.URL+" "+w.Message)
	}
	want := []string{
		"sitemap http://h.test/broken.xml the sitemap was not read: reading sitemap: its root element is <html>, so it is not a sitemap.",
		"sitemap http://h.test/missing.xml the sitemap was not read: status 404.",
		"sitemap http://h.test/sitemap.xml the sitemap breaks off or is malformed; 1 addresses were read.",
		"sitemap http://other.test/two.xml the sitemap index names a file of another site, which was not read.",
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// Robots and scope apply once the root is known.
	if again := must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site)); again != (Seeded{}) {
		t.Errorf("again: %+v", again)
	}
	root := r.release(1)[0]
	r.settle(root, func(in *Fetched) { in.Document = page(root.URL, prose(1, 9), "") })
	r.acknowledge(root.URL)
	r.release(4)
	r.is("http://h.test/private/x", wstk.OutcomeRefusedRobots, "")
	r.is("http://elsewhere.test/", wstk.OutcomeOutOfScope, "")
	r.is("http://h.test/d.zip", wstk.OutcomeOutOfScope, "")
}

// A site with an index of 200 sitemaps is not asked for all of them for 60 pages.
func TestSitemapsAreBoundedByTheBudget(t *testing.T) {
	for _, c := range []struct{ pages, most int }{{7, 5}, {60, 6}, {500, 50}, {100_000, 200}} {
		w := newWeb()
		var index strings.Builder
		for i := range 300 {
			url := fmt.Sprintf("http://h.test/s%d.xml", i)
			w.put(url, ok("<urlset><url><loc>http://h.test/p%d</loc></url></urlset>", i))
			index.WriteString("<sitemap><loc>" + url + "</loc></sitemap>")
		}
		w.put("http://h.test/sitemap.xml", ok("<sitemapindex>%s</sitemapindex>", index.String()))
		r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.MaxPages = c.pages })
		r.stage.Client, r.stage.Robots.Client = w, w
		must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site))
		asked := 0
		for _, url := range w.asked {
			if strings.HasSuffix(url, ".xml") {
				asked++
			}
		}
		if asked != c.most {
			t.Errorf("%d pages: %d sitemaps were asked for, want %d", c.pages, asked, c.most)
		}
		warnings := r.stage.Warnings(t.Context(), r.run.ID)
		if len(warnings) != 1 || warnings[0].Code != "sitemap_truncated" {
			t.Errorf("%d pages: the warnings are %+v", c.pages, warnings)
		}
	}
}

// notes counts how often the run's notes are asked for or changed.
type notes struct {
	wstk.Frontier
	n int
}

func (f *notes) Note(ctx context.Context, run wstk.RunID, key string) (string, error) {
	f.n++
	return f.Frontier.Note(ctx, run, key)
}

// Large sitemap indexes cost few requests and few writes, whatever they name.
func TestHugeSitemapIndexes(t *testing.T) {
	for name, c := range map[string]struct {
		line            string // of the index
		asked, warnings int
	}{
		"files that are there not":      {"http://h.test/s%d.xml", 50, 50},
		"files of other sites":          {"http://other%d.test/s.xml", 1, 11},
		"files of one other site":       {"http://other.test/%d.xml", 1, 11},
		"itself":                        {"http://h.test/sitemap.xml", 1, 0},
		"itself, under odd names":       {"http://h.test/sitemap.xml#%d", 1, 0},
		"itself, as many other queries": {"http://h.test/sitemap.xml?%d", 50, 50},
	} {
		w := newWeb()
		var index strings.Builder
		for i := range 10_000 {
			line := c.line
			if strings.Contains(line, "%d") {
				line = fmt.Sprintf(line, i)
			}
			index.WriteString("<sitemap><loc>" + line + "</loc></sitemap>")
		}
		w.put("http://h.test/sitemap.xml", ok("<sitemapindex>%s</sitemapindex>", index.String()))
		r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.MaxPages = 500 })
		counted := &notes{Frontier: r.stage.Frontier}
		r.stage.Client, r.stage.Robots.Client, r.stage.Frontier = w, w, counted
		must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site))
		asked := 0
		for _, url := range w.asked {
			if strings.Contains(url, ".xml") {
				asked++
			}
		}
		if asked != c.asked {
			t.Errorf("%s: %d sitemaps were asked for", name, asked)
		}
		if counted.n > 200 {
			t.Errorf("%s: the run's notes were asked for %d times", name, counted.n)
		}
		if n := len(r.stage.Warnings(t.Context(), r.run.ID)); n != c.warnings {
			t.Errorf("%s: %d warnings", name, n)
		}
	}
}

func TestSeedBounds(t *testing.T) {
	w := newWeb()
	w.put("http://h.test/sitemap.xml", ok("<urlset>%s</urlset>", strings.ReplaceAll(manyURLs(1500), "//h/", "//h.test/")))
	r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.MaxPages = 7 })
	r.stage.Client, r.stage.Robots.Client = w, w
	out := must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site))
	if out.Listed != 1500 || out.New != 1001 {
		t.Errorf("%+v; want out.Listed == 1500 && out.New == 1001", out)
	}
	warnings := r.stage.Warnings(t.Context(), r.run.ID)
	if len(warnings) != 1 || warnings[0].Code != "sitemap_truncated" || !strings.Contains(warnings[0].Message, "500 addresses") {
		t.Errorf("the warnings are %+v, want one that 500 addresses were left out", warnings)
	}

	// Sitemaps that name sitemaps without end are given up, with a word.
	w = newWeb()
	for i := range 10 {
		w.put(fmt.Sprintf("http://h.test/s%d.xml", i), ok("<sitemapindex><sitemap><loc>http://h.test/s%d.xml</loc></sitemap></sitemapindex>", i+1))
	}
	w.put("http://h.test/sitemap.xml", ok("<sitemapindex><sitemap><loc>http://h.test/s0.xml</loc></sitemap></sitemapindex>"))
	r = newRig(t, "http://h.test/", nil)
	r.stage.Client, r.stage.Robots.Client = w, w
	must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site))
	if n := w.times("http://h.test/s3.xml"); n != 0 || w.times("http://h.test/s2.xml") != 1 {
		t.Errorf("%v; want n == 0 && w.times(\"http://h.test/s2.xml\") == 1", w.asked)
	}
	if warnings := r.stage.Warnings(t.Context(), r.run.ID); len(warnings) != 1 ||
		!strings.Contains(warnings[0].Message, "nested deeper than 3") {
		t.Errorf("%+v; want len(warnings) == 1 && strings.Contains(warnings[0].Message, \"nested deeper than 3\")", warnings)
	}
}

func TestSeedOfARefresh(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	r.run.Kind = wstk.RunRefresh
	r.hold("http://h.test/", prose(1, 9), nil)
	for i := range 700 {
		r.hold(fmt.Sprintf("http://h.test/%03d", i), prose(i, 9), nil)
	}
	r.hold("http://h.test/copy", prose(1, 9), func(p *wstk.Page) { p.DuplicateOf = "http://h.test/" })
	r.hold("http://h.test/gone", prose(1, 9), func(p *wstk.Page) { p.Verdict = wstk.VerdictGone })
	r.hold("http://h.test/empty", prose(1, 9), func(p *wstk.Page) { p.Document = "" })
	r.hold("http://h.test/othersite", prose(1, 9), func(p *wstk.Page) { p.Site = "site_other" })
	out := must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site))
	if out.Known != 700 || out.New != 701 {
		t.Errorf("%+v; want out.Known == 700 && out.New == 701", out)
	}
	if u := r.is("http://h.test/000", wstk.OutcomeOpen, ""); u.Via != wstk.ViaRefresh {
		t.Errorf("%+v; want u.Via == wstk.ViaRefresh", u)
	}
}

func TestReleasePoliteness(t *testing.T) {
	links := func(n int) (l []string) {
		for i := range n {
			l = append(l, fmt.Sprintf("http://h.test/%03d", i))
		}
		return l
	}
	for _, c := range []struct {
		name   string
		rate   time.Duration
		robots string
		gap    time.Duration
		tasks  int
		warned bool
	}{
		{"as fast as it goes", 0, "", time.Millisecond, 50, false},
		{"the rate limit", 500 * time.Millisecond, "", 500 * time.Millisecond, 50, false},
		{"a crawl delay", 500 * time.Millisecond, "crawl-delay: 5", 5 * time.Second, 50, false},
		{"a shorter one", 10 * time.Second, "crawl-delay: 5", 10 * time.Second, 50, false},
		{"a long one", 0, "crawl-delay: 25", 25 * time.Second, 35, false},
		{"one that is cut", 0, "crawl-delay: 600", 30 * time.Second, 29, true},
		{"a very slow rate", 7 * time.Minute, "", 7 * time.Minute, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.RateLimit = c.rate })
			r.world.robots = "user-agent: *\n" + c.robots + "\ndisallow:\n"
			root := r.seeded()
			r.settle(root, func(in *Fetched) {
				in.Document = page(root.URL, prose(1, 20), "", links(120)...)
			})
			r.acknowledge(root.URL)
			out := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site))
			if len(out.Tasks) != c.tasks {
				t.Fatalf("%d tasks, want %d; again at %v", len(out.Tasks), c.tasks, out.Again)
			}
			if c.tasks == 0 && out.Again.IsZero() {
				t.Error("no time to come again is given")
			}
			for i, task := range out.Tasks {
				if want := fmt.Sprintf("http://h.test/%03d", i); task.URL != want {
					t.Errorf("task %d is %s", i, task.URL)
				}
				if i > 0 && task.NotBefore.Sub(out.Tasks[i-1].NotBefore) != c.gap {
					t.Errorf("gap %v", task.NotBefore.Sub(out.Tasks[i-1].NotBefore))
				}
				if ahead := task.NotBefore.Sub(r.clock.now()); ahead > 900*time.Second {
					t.Errorf("%v ahead", ahead)
				}
			}
			if w := r.stage.Warnings(t.Context(),
				r.run.ID); (len(w) == 1 && w[0].Code == "crawl_delay_capped") != c.warned {
				t.Errorf("%+v, want %v", w, c.warned)
			}
			r.release(0)
		})
	}
}

// A rate slower than any queue can delay still comes round.
func TestReleaseSlowerThanTheQueue(t *testing.T) {
	r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.RateLimit = 40 * time.Minute })
	must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site)) // takes a slot for the sitemap
	start := r.clock.now()
	for {
		out := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site))
		if len(out.Tasks) == 1 {
			break
		}
		wait := out.Again.Sub(r.clock.now())
		if out.Open != 1 || wait <= 0 || r.clock.now().Sub(start) > 3*time.Hour {
			t.Fatalf("%+v at %v", out, r.clock.now())
		}
		r.clock.sleep(t.Context(), wait)
	}
}

// The gap doubles with each 429 or 503 and halves with each answer.
func TestAdaptiveGap(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	var gaps []time.Duration
	for _, a := range []answer{slowDown, slowDown, slowDown, slowDown, slowDown, slowDown, slowDown,
		noAnswer, answered, answered, answered, answered} {
		p := must[pace](t)(r.stage.notePace(t.Context(), r.run.ID, "http://h.test:80", a, time.Time{}))
		gaps = append(gaps, p.gap(time.Second)/time.Second)
	}
	if diff := cmp.Diff([]time.Duration{2, 4, 8, 16, 32, 60, 60, 60, 60, 32, 16, 8},
		gaps); diff != "" {
		t.Error(diff)
	}
	if g := (pace{Level: 3}).gap(5 * time.Minute); g != 5*time.Minute {
		t.Errorf("a long delay becomes %v", g)
	}
	if g := (pace{Level: 1}).gap(0); g != time.Second {
		t.Errorf("without a rate limit it becomes %v", g)
	}
}

func TestHostIsGivenUp(t *testing.T) {
	for _, c := range []struct {
		in     func(*Fetched)
		want   wstk.Outcome
		reason string
	}{
		{status(0, wstk.VerdictTimeout, "too slow"), wstk.OutcomeFailed, "requests in a row"},
		{status(429, wstk.VerdictBlocked, "status 429"), wstk.OutcomeBlocked, "20 requests in a row with 429 or 503"},
	} {
		r := newRig(t, "http://h.test/", nil)
		var links []string
		for i := range 60 {
			links = append(links, fmt.Sprintf("http://h.test/%02d", i))
		}
		root := r.seeded()
		r.settle(root, func(in *Fetched) { in.Document = page(root.URL, prose(1, 20), "", links...) })
		r.acknowledge(root.URL)
		asked := 0
		for {
			out := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site))
			if out.Open == 0 {
				break
			}
			if len(out.Tasks) > 0 {
				r.clock.sleep(t.Context(), out.Tasks[0].NotBefore.Sub(r.clock.now()))
			} else {
				r.clock.sleep(t.Context(), out.Again.Sub(r.clock.now()))
			}
			for _, task := range out.Tasks {
				if !task.NotBefore.After(r.clock.now()) || c.want == wstk.OutcomeFailed {
					r.settle(task, c.in)
					asked++
				}
			}
		}
		if asked < 20 || asked > 50 {
			t.Errorf("asked %d times", asked)
		}
		r.is("http://h.test/59", c.want, c.reason)
		r.law()
	}
}

// A pause that an earlier run met is not waited for either.
func TestHostPausedBefore(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site))
	if err := r.m.Hosts.Defer(t.Context(), "http://h.test:80", r.clock.now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	r.release(0)
	if out := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site)); out.Open != 0 {
		t.Errorf("%+v; want out.Open == 0", out)
	}
	r.is("http://h.test/", wstk.OutcomeBlocked, "no requests until")
	if ended := must[bool](t)(r.stage.Finish(t.Context(), r.run, r.site)); !ended {
		t.Error("the run does not end")
	}
	run := must[wstk.Run](t)(r.m.Runs.Get(t.Context(), r.run.ID))
	if run.State != wstk.RunFailed || !strings.Contains(run.Reasons[0], "blocked") {
		t.Errorf("%+v; want run.State == wstk.RunFailed && strings.Contains(run.Reasons[0], \"blocked\")", run)
	}
}

func TestRootRedirects(t *testing.T) {
	to := func(target string) func(*Fetched) {
		return func(in *Fetched) {
			in.Snapshot.Status, in.Snapshot.Verdict, in.Snapshot.FinalURL = 301,
				wstk.VerdictHTTPError, target
			in.Snapshot.Redirects = []wstk.Redirect{{URL: in.Task.URL, Status: 301}}
		}
	}
	// What a sitemap lists of the other host waits until the root has shown the way.
	r := newRig(t, "http://h.test/", nil)
	r.world.listed = []string{"https://www.h.test/listed", "https://api.h.test/x", "http://elsewhere.test/"}
	root := r.seeded()
	r.is("https://www.h.test/listed", wstk.OutcomeOpen, "")
	r.is("http://elsewhere.test/", wstk.OutcomeOutOfScope, "")
	r.release(0)
	r.settle(root, to("https://www.h.test/"))
	second := r.release(1)[0]
	if second.URL != "https://www.h.test/" {
		t.Fatalf("%+v; want second.URL == \"https://www.h.test/\"", second)
	}
	r.settle(second, text30)
	r.acknowledge(second.URL)
	if task := r.release(1)[0]; task.URL != "https://www.h.test/listed" {
		t.Errorf("%+v; want task.URL == \"https://www.h.test/listed\"", task)
	}
	r.is("https://api.h.test/x", wstk.OutcomeOutOfScope, "other host")
	if len(r.world.asked["https://api.h.test"]) != 0 || len(r.world.asked["https://www.h.test"]) == 0 {
		t.Errorf("asked %v", r.world.asked)
	}

	// Another domain is another site.
	r = newRig(t, "http://h.test/", nil)
	r.settle(r.seeded(), to("https://elsewhere.test/"))
	r.release(0)
	if ended := must[bool](t)(r.stage.Finish(t.Context(), r.run, r.site)); !ended {
		t.Error("the run does not end")
	}
	run := must[wstk.Run](t)(r.m.Runs.Get(t.Context(), r.run.ID))
	const reason = "nothing was stored: https://elsewhere.test/ is out_of_scope " +
		"(other host elsewhere.test:443)"
	if run.State != wstk.RunFailed || run.Reasons[0] != reason {
		t.Errorf("the run is %+v, want it failed because %s", run, reason)
	}
}

func TestTraps(t *testing.T) {
	// Query variants of one path.
	r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.RateLimit = 0 })
	var links []string
	for i := range 110 {
		links = append(links, fmt.Sprintf("http://h.test/cal?month=%03d", i))
	}
	root := r.seeded()
	r.settle(root, func(in *Fetched) {
		in.Document = page(root.URL, prose(1000, 20), "", append(links, "http://h.test/cal", "http://h.test/other?x")...)
	})
	r.acknowledge(root.URL)
	fetched := 0
	for {
		out := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site))
		if len(out.Tasks) == 0 {
			break
		}
		for _, task := range out.Tasks {
			fetched++
			r.settle(task, func(in *Fetched) { in.Document = page(task.URL, prose(fetched, 20), "") })
			r.acknowledge(task.URL)
		}
	}
	if fetched != 102 {
		t.Errorf("%d fetched", fetched)
	}
	r.is("http://h.test/cal?month=099", wstk.OutcomeFetched, "")
	r.is("http://h.test/cal?month=100", wstk.OutcomeTrap, "over 100 query variants of /cal")

	// Variants that give a text already stored.
	r = newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.RateLimit = 0 })
	root = r.seeded()
	r.settle(root, func(in *Fetched) {
		in.Document = page(root.URL, prose(1000, 20), "", links[:20]...)
	})
	r.acknowledge(root.URL)
	fetched = 0
	for tasks := r.release(5); len(tasks) > 0; tasks = tasks[1:] {
		r.settle(tasks[0], text30)
		r.acknowledge(tasks[0].URL)
		fetched++
		tasks = append(tasks, must[Released](t)(r.stage.Release(t.Context(), r.run, r.site)).
			Tasks...)
	}
	// The first has the text, five are copies, and four were under way by then.
	if acc := r.accounting(); fetched != 10 || acc.Of(wstk.OutcomeDuplicateOf) != 9 ||
		acc.Of(wstk.OutcomeTrap) != 10 {
		t.Errorf("%d fetched: %s", fetched, r.picture())
	}
	r.is(links[19], wstk.OutcomeTrap, "5 query variants of /cal gave a text already stored")

	// A folder whose pages all say the same.
	r = newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.RateLimit = 0 })
	links = nil
	for i := range 60 {
		links = append(links, fmt.Sprintf("http://h.test/x/%02d", i))
	}
	root = r.seeded()
	r.settle(root, func(in *Fetched) {
		in.Document = page(root.URL, prose(1000, 20), "", append(links, "http://h.test/y/1")...)
	})
	r.acknowledge(root.URL)
	tasks := r.release(50)
	for i, task := range tasks {
		switch {
		case i == 10: // a page of its own begins the count again
			r.settle(task, func(in *Fetched) { in.Document = page(task.URL, prose(7, 20), "") })
		case i < 35:
			r.settle(task, text30)
		}
	}
	note := must[string](t)(r.m.Frontier.Note(t.Context(), r.run.ID,
		streakKey(folderOf("http://h.test:80", address{path: "/x/"}))))
	if st := readStreak(note); st.Count != 25 {
		t.Errorf("streak %+v", st)
	}
	for _, task := range tasks[35:] {
		r.settle(task, status(404, wstk.VerdictNotFound, ""))
	}
	if task := r.release(1)[0]; task.URL != "http://h.test/y/1" {
		t.Errorf("%+v; want task.URL == \"http://h.test/y/1\"", task)
	}
	r.is("http://h.test/x/59", wstk.OutcomeTrap, "25 pages in a row under /x/ gave the same text")
}

func TestBudget(t *testing.T) {
	r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.MaxPages, o.RateLimit = 10, 0 })
	var links []string
	for i := range 3000 {
		links = append(links, fmt.Sprintf("http://h.test/%04d", i))
	}
	root := r.seeded()
	r.settle(root, func(in *Fetched) { in.Document = page(root.URL, prose(5000, 20), "", links...) })
	r.acknowledge(root.URL)
	tasks := r.release(9)
	r.settle(tasks[0], status(404, wstk.VerdictNotFound, ""))
	for i, task := range tasks[1:] {
		r.settle(task, func(in *Fetched) { in.Document = page(task.URL, prose(i, 20), "") })
		r.acknowledge(task.URL)
	}
	last := r.release(1)[0]
	r.settle(last, func(in *Fetched) { in.Document = page(last.URL, prose(4000, 20), "") })
	r.acknowledge(last.URL)
	calls := 0
	for ; calls < 10; calls++ {
		out := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site))
		if len(out.Tasks) != 0 {
			t.Fatal("over the budget")
		}
		if out.Open == 0 {
			break
		}
		if out.Again.IsZero() {
			t.Fatal("the reply does not say that there is more to do")
		}
	}
	if ended := must[bool](t)(r.stage.Finish(t.Context(), r.run, r.site)); !ended || calls == 0 {
		t.Errorf("ended %v after %d calls", ended, calls)
	}
	run := must[wstk.Run](t)(r.m.Runs.Get(t.Context(), r.run.ID))
	const reason = "2990 pages still waiting: the crawl stopped at its budget of 10 (max_pages)"
	if run.State != wstk.RunPartial || run.Reasons[0] != reason || run.SearchableAt.IsZero() {
		t.Errorf("the run is %+v, want it partial and searchable because %s", run, reason)
	}
	r.law()
}

// Resume puts what a worker had begun behind all else, and keeps slots that lie ahead.
func TestResumeIsFair(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	tasks := r.open(a, b, "http://h.test/c", "http://h.test/d")
	r.clock.sleep(t.Context(), 3500*time.Millisecond) // a and b are due
	r.start(tasks[0])
	if out := must[Swept](t)(r.stage.Resume(t.Context(), r.run, r.site)); out.Waiting != 4 {
		t.Errorf("%+v; want out.Waiting == 4", out)
	}
	// The slots of c and d were not used, so that no URL waits behind
	// unused slots; and a, which may have killed its worker, comes last.
	for i, task := range r.release(4) {
		if want := tasks[0].NotBefore.Add(time.Duration(i+2) * time.Second); !task.NotBefore.Equal(
			want) || task.URL != tasks[(i+1)%4].URL {
			t.Errorf("%s at %v, want %v", task.URL, task.NotBefore, want)
		}
	}
	for url, want := range map[string]int{a: 1, b: 0, "http://h.test/c": 0} {
		if u := r.is(url, wstk.OutcomeOpen, ""); u.Attempts != want {
			t.Errorf("%s has %d attempts, want %d", url, u.Attempts, want)
		}
	}
	// The same page kills its worker every time: the others are done before, then it is
	// given up.
	for range 10 {
		r.clock.sleep(t.Context(), time.Hour)
		must[Swept](t)(r.stage.Resume(t.Context(), r.run, r.site))
		queue := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site)).Tasks
		slices.SortStableFunc(queue, func(x, y wstk.FetchTask) int {
			return x.NotBefore.Compare(y.NotBefore)
		})
		for _, task := range queue {
			if task.URL == a {
				r.start(task)
				break // dead
			}
			r.settle(task, status(404, wstk.VerdictNotFound, "status 404"))
		}
	}
	r.is(a, wstk.OutcomeFailed, "no worker finished it in 3 attempts")
	for _, url := range []string{b, "http://h.test/c", "http://h.test/d"} {
		if u := must[wstk.FrontierURL](t)(r.m.Frontier.Get(t.Context(), r.run.ID,
			url)); u.Attempts > 1 || u.Outcome != wstk.OutcomeNotFound {
			t.Errorf("%+v; want u.Attempts <= 1 && u.Outcome == wstk.OutcomeNotFound", u)
		}
	}
}

func TestSweep(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	tasks := r.open(a, b, "http://h.test/c")
	r.settle(tasks[0], text30)
	before := r.clock.now()
	sweep := func(before time.Time) Swept {
		t.Helper()
		return must[Swept](t)(r.stage.Sweep(t.Context(), r.run, r.site, before))
	}
	if out := sweep(before); out.Waiting+out.Failed+len(out.Index) != 0 {
		t.Errorf("a sweep took what is fresh: %+v", out)
	}
	// b's slot began, c's did not when the line was drawn.
	r.start(tasks[1])
	r.clock.sleep(t.Context(), time.Hour)
	if out := sweep(before.Add(3500 * time.Millisecond)); out.Waiting != 1 || len(out.Index) != 1 ||
		out.Index[0].URL != a {
		t.Errorf("%+v; want out.Waiting == 1 && len(out.Index) == 1 && out.Index[0].URL == a", out)
	}
	if u := r.is(b, wstk.OutcomeOpen, ""); u.State != wstk.URLWaiting || u.Attempts != 1 {
		t.Errorf("%+v; want u.State == wstk.URLWaiting && u.Attempts == 1", u)
	}
	// A page that cannot be indexed is given up as well.
	for i := range 20 {
		r.clock.sleep(t.Context(), time.Hour)
		sweep(r.clock.now())
		if u := must[wstk.FrontierURL](t)(r.m.Frontier.Get(t.Context(), r.run.ID,
			a)); u.Outcome == wstk.OutcomeFailed {
			if i != 9 || u.Reason != "read, but not indexed in 11 attempts" {
				t.Errorf("given up after %d: %+v", i, u)
			}
			return
		}
	}
	t.Error("it is given out for ever")
}

// What waits in a queue, however long and however often it is swept, is not a failure:
// only attempts that a worker began count.
func TestABacklogIsNoFailure(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	tasks := r.open(a, b)
	for range 10 { // more than any limit
		r.clock.sleep(t.Context(), time.Hour)
		if out := must[Swept](t)(r.stage.Sweep(t.Context(), r.run, r.site,
			r.clock.now())); out.Failed > 0 {
			t.Fatalf("%+v; want out.Failed <= 0", out)
		}
		tasks = r.release(2)
	}
	for _, url := range []string{a, b} {
		if u := r.is(url, wstk.OutcomeOpen, ""); u.Attempts != 0 {
			t.Errorf("%s has %d attempts that were not made", url, u.Attempts)
		}
	}
	// The worker of one dies of it, three times.
	for range 3 {
		for _, task := range tasks {
			if task.URL == a {
				r.start(task)
			}
		}
		r.clock.sleep(t.Context(), time.Hour)
		must[Swept](t)(r.stage.Sweep(t.Context(), r.run, r.site, r.clock.now()))
		tasks = must[Released](t)(r.stage.Release(t.Context(), r.run, r.site)).Tasks
	}
	r.is(a, wstk.OutcomeFailed, "no worker finished it in 3 attempts")
	if u := r.is(b, wstk.OutcomeOpen, ""); u.Attempts != 0 {
		t.Errorf("%+v; want u.Attempts == 0", u)
	}
}

// A sweep may leave alone what waits to be fetched, or what waits to be indexed.
func TestSweepAges(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	tasks := r.open(a, b)
	r.settle(tasks[0], text30)
	r.clock.sleep(t.Context(), time.Hour)
	now, old := r.clock.now(), r.clock.now().Add(-2*time.Hour)
	if out := must[Swept](t)(r.stage.SweepAges(t.Context(), r.run, r.site, old, old)); out.Waiting+
		len(out.Index) != 0 {
		t.Errorf("neither: %+v", out)
	}
	if out := must[Swept](t)(r.stage.SweepAges(t.Context(), r.run, r.site, old,
		now)); out.Waiting != 0 || len(out.Index) != 1 {
		t.Errorf("stored pages alone: %+v", out)
	}
	if out := must[Swept](t)(r.stage.SweepAges(t.Context(), r.run, r.site, now,
		old)); out.Waiting != 1 || len(out.Index) != 0 {
		t.Errorf("queued URLs alone: %+v", out)
	}
}

func TestRequeue(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	task := r.open(a)[0]
	until := r.clock.now().Add(10 * time.Second)
	next, did, err := r.stage.Requeue(t.Context(), task, until)
	if err != nil || !did || next.Slot == task.Slot || next.NotBefore.Before(until) {
		t.Errorf("%+v, %v, %v; want err == nil && did && next.Slot != task.Slot && !next.NotBefore.Before(until)", next, did, err)
	}
	if u := r.is(a, wstk.OutcomeOpen, ""); u.Attempts != 0 || u.Slot != next.Slot {
		t.Errorf("%+v; want u.Attempts == 0 && u.Slot == next.Slot", u)
	}
	if _, did, err := r.stage.Requeue(t.Context(), task, until); err != nil || did {
		t.Errorf("a late task got a slot: %v, %v", did, err)
	}
	if out := r.settle(task, text30); !out.Outdated {
		t.Error("the old slot still counts")
	}
	if out := r.settle(next, text30); out.Outdated {
		t.Error("the new slot does not count")
	}
}

// A URL whose turn would come after a long pause of its host waits for nothing: it ends as
// the others of the host do, and the run with it.
func TestALongPauseLeavesNothingQueued(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	tasks := r.open(a, b)
	r.clock.sleep(t.Context(), 10*time.Second) // the turn of both has come
	r.settle(tasks[0], limited(7200))
	if host, until, err := r.stage.Paused(t.Context(), r.run.ID, r.site.Root); err != nil ||
		host != "h.test" || until.Sub(r.clock.now()) != 2*time.Hour {
		t.Errorf("the pause of %q until %v, %v", host, until, err)
	}
	if _, did, err := r.stage.Requeue(t.Context(), tasks[1],
		r.clock.now().Add(2*time.Hour)); err != nil || did {
		t.Errorf("it waits in a queue: %v, %v", did, err)
	}
	if out := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site)); out.Open != 0 {
		t.Errorf("%+v; want out.Open == 0", out)
	}
	r.is(b, wstk.OutcomeBlocked, "no requests until")
	r.clock.sleep(t.Context(), 3*time.Hour)
	if host, _, err := r.stage.Paused(t.Context(), r.run.ID, r.site.Root); err != nil || host != "" {
		t.Errorf("the pause has passed, and %q is named, %v", host, err)
	}
}

func TestFinish(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	finish := func(want bool) {
		t.Helper()
		if got := must[bool](t)(r.stage.Finish(t.Context(), r.run, r.site)); got != want {
			t.Fatalf("ended is %v", got)
		}
	}
	finish(false) // nothing is seeded
	task := r.open(a)[0]
	finish(false)
	r.settle(task, status(404, wstk.VerdictNotFound, ""))
	finish(true)
	finish(true)
	run := must[wstk.Run](t)(r.m.Runs.Get(t.Context(), r.run.ID))
	if run.State != wstk.RunComplete || run.Reasons != nil || run.EndedAt.IsZero() {
		t.Errorf("%+v; want run.State == wstk.RunComplete && run.Reasons == nil && !run.EndedAt.IsZero()", run)
	}
	if out := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site)); !out.Finished {
		t.Errorf("%+v; want out.Finished", out)
	}
	if out := must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site)); out != (Seeded{}) {
		t.Errorf("%+v; want out == (Seeded{})", out)
	}
}

func TestFinishOfAFailedRun(t *testing.T) {
	for _, c := range []struct {
		web    func(*world)
		in     func(*Fetched)
		reason string
	}{
		{nil, status(404, wstk.VerdictNotFound, "status 404"), "nothing was stored: http://h.test/ is not_found (status 404)"},
		{func(w *world) { w.robots = "user-agent: *\ndisallow: /" }, nil, "nothing was stored: http://h.test/ is refused_robots (robots.txt line 2: Disallow: /)"},
		{func(w *world) { w.down = true }, nil, "nothing was stored: http://h.test/ is refused_robots (robots.txt is unreachable, so nothing may be fetched (status 500))"},
	} {
		r := newRig(t, "http://h.test/", nil)
		if c.web != nil {
			c.web(r.world)
			must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site))
			r.release(0)
		} else {
			r.settle(r.seeded(), c.in)
		}
		must[bool](t)(r.stage.Finish(t.Context(), r.run, r.site))
		run := must[wstk.Run](t)(r.m.Runs.Get(t.Context(), r.run.ID))
		if run.State != wstk.RunFailed || len(run.Reasons) == 0 || run.Reasons[0] != c.reason ||
			!run.SearchableAt.IsZero() {
			t.Errorf("the run is %s because %q, want it failed because %q", run.State,
				run.Reasons, c.reason)
		}
	}
}

func TestAbort(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	tasks := r.open(a, b, "http://h.test/c")
	r.settle(tasks[0], text30)
	r.settle(tasks[1], status(500, wstk.VerdictHTTPError, ""))
	if err := r.stage.Abort(t.Context(), r.run.ID, wstk.RunComplete,
		"x"); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("aborted as complete: %v", err)
	}
	if err := r.stage.Abort(t.Context(), r.run.ID, wstk.RunPartial, "the time limit of 5s passed"); err != nil {
		t.Fatal(err)
	}
	r.is(a, wstk.OutcomeFailed, "read, but not indexed: the run was stopped: the time limit")
	r.is(b, wstk.OutcomeOverBudget, "the run was stopped: the time limit of 5s passed")
	r.is("http://h.test/c", wstk.OutcomeOverBudget, "the run was stopped")
	run := must[wstk.Run](t)(r.m.Runs.Get(t.Context(), r.run.ID))
	if run.State != wstk.RunPartial || !slices.Equal(run.Reasons, []string{"the time limit of 5s passed"}) {
		t.Errorf("%+v; want run.State == wstk.RunPartial && slices.Equal(run.Reasons, []string{\"the time limit of 5s passed\"})", run)
	}
	// A worker that did not notice adds nothing that stays open.
	if out := r.settle(tasks[2], text30); !out.Outdated {
		t.Errorf("%+v; want out.Outdated", out)
	}
	if _, err := r.stage.add(t.Context(), r.run.ID,
		[]wstk.FrontierURL{{Run: r.run.ID, URL: "http://h.test/late", Host: "http://h.test:80", Outcome: wstk.OutcomeOpen}}); err != nil {
		t.Fatal(err)
	}
	r.is("http://h.test/late", wstk.OutcomeOverBudget, "the run had ended: partial")
	if err := r.stage.Abort(t.Context(), r.run.ID, wstk.RunCancelled, "again"); err != nil {
		t.Fatal(err)
	}
	r.done()
}

func TestCancelStopsRelease(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site))
	if err := r.m.Runs.RequestCancel(t.Context(), r.run.ID); err != nil {
		t.Fatal(err)
	}
	if out := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site)); !out.Cancel ||
		len(out.Tasks) != 0 || out.Open != 1 {
		t.Errorf("%+v; want out.Cancel && len(out.Tasks) == 0 && out.Open == 1", out)
	}
}

func TestReleaseByOneAtATime(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site))
	token, _, err := r.stage.takeRelease(t.Context(), r.run.ID)
	if err != nil || token == "" {
		t.Fatal(err)
	}
	out := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site))
	if len(out.Tasks) != 0 || !out.Again.Equal(r.clock.now().Add(releaseLease)) {
		t.Errorf("%+v; want len(out.Tasks) == 0 && out.Again.Equal(r.clock.now().Add(releaseLease))", out)
	}
	// Who holds it learns that there is more to do.
	if again := must[bool](t)(r.stage.leaveRelease(t.Context(), r.run.ID, token)); !again {
		t.Error("the work of the one that was turned away is lost")
	}
	// One that died keeps others out only so long.
	if _, _, err := r.stage.takeRelease(t.Context(), r.run.ID); err != nil {
		t.Fatal(err)
	}
	r.clock.sleep(t.Context(), releaseLease)
	r.release(1)
}

func TestWhy(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	r.world.listed = []string{"http://h.test/listed"}
	tasks := func() []wstk.FetchTask {
		root := r.seeded()
		r.settle(root, func(in *Fetched) { in.Document = page(root.URL, prose(9, 9), "", a, b, "http://elsewhere.test/") })
		r.acknowledge(root.URL)
		return r.release(3)
	}()
	why := func(url, want string) {
		t.Helper()
		u, got, err := r.stage.Why(t.Context(), r.run.ID, url, true)
		if err != nil || got != want || u.URL != url {
			t.Errorf("%q, %v\nwant %q", got, err, want)
		}
	}
	r.settle(tasks[1], text30)
	why("http://h.test/", "http://h.test/ is the root of the site; it ended as fetched: read and indexed.")
	why("http://h.test/listed", "http://h.test/listed is listed in the sitemap http://h.test/sitemap.xml and is being fetched (slot at 12:00:02 UTC).")
	why(a, "http://h.test/a was linked from http://h.test/ (1 link from the root) and was read; it is being indexed.")
	why("http://elsewhere.test/", "http://elsewhere.test/ was linked from http://h.test/ (1 link from the root); it ended as out_of_scope: other host elsewhere.test:80.")
	r.settle(tasks[2], status(500, wstk.VerdictHTTPError, "status 500"))
	why(b, "http://h.test/b was linked from http://h.test/ (1 link from the root) and waits for its turn, not before 12:00:01 UTC, after 1 failed attempt.")
	if _, got, _ := r.stage.Why(t.Context(), r.run.ID, "http://h.test/listed", false); !strings.Contains(got, "the process that worked on its run stopped") {
		t.Errorf("no worker works on the run: %q", got)
	}
	if _, _, err := r.stage.Why(t.Context(), r.run.ID, "http://h.test/never", true); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("never met: %v", err)
	}
}

// slotClient checks that a request is made while its host is taken.
type slotClient struct {
	*web
	hosts wstk.HostStore
	t     *testing.T
}

func (c slotClient) Do(ctx context.Context, r wstk.Request) (wstk.Response, error) {
	if !strings.HasSuffix(r.URL, "/robots.txt") {
		if err := c.hosts.Begin(ctx, "http://h.test:80", "other", 0, time.Minute, 0); wstk.CodeOf(err) != wstk.Conflict {
			c.t.Errorf("%s is asked for while the host is free: %v", r.URL, err)
		}
		if r.UserAgent != "tester" {
			c.t.Errorf("%s is asked for as %q", r.URL, r.UserAgent)
		}
	}
	resp, err := c.web.Do(ctx, r)
	resp.Header = http.Header{}
	return resp, err
}

func TestSitemapsTakeTheirTurn(t *testing.T) {
	r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.UserAgent = "tester" })
	w := newWeb()
	w.put("http://h.test/robots.txt", ok("sitemap: http://h.test/1.txt\nsitemap: http://h.test/2.txt\n"))
	w.put("http://h.test/1.txt", ok("http://h.test/a"))
	w.put("http://h.test/2.txt", ok("http://h.test/b"))
	r.stage.Client, r.stage.Robots.Client = slotClient{w, r.m.Hosts, t}, w
	start := r.clock.now()
	if out := must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site)); out.Sitemaps != 2 {
		t.Errorf("%+v; want out.Sitemaps == 2", out)
	}
	if took := r.clock.now().Sub(start); took != 2*time.Second { // three requests, one second apart
		t.Errorf("it took %v", took)
	}
}

// A host that another run was asked to leave alone for hours ends the run at once: it does
// not wait for a sweep to find that out.
func TestALongPauseOfAnotherRunEndsThisOne(t *testing.T) {
	// asks for no sitemap
	r := newRig(t, "http://h.test/", func(o *wstk.CrawlOptions) { o.MaxDepth = 0 })
	if err := r.m.Hosts.Defer(t.Context(), text.HostKey(r.site.Root), r.clock.now().
		Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	must[Seeded](t)(r.stage.Seed(t.Context(), r.run, r.site))
	if out := must[Released](t)(r.stage.Release(t.Context(), r.run, r.site)); out.Open != 0 ||
		len(out.Tasks) != 0 {
		t.Errorf("%+v; want out.Open == 0 && len(out.Tasks) == 0", out)
	}
	r.is(r.site.Root, wstk.OutcomeBlocked, "no requests until")
}

// A run that waits for its host before it has asked for anything says which and until when.
func TestAWaitForTheFirstTurnIsNamed(t *testing.T) {
	r := newRig(t, "http://h.test/", nil)
	until := r.clock.now().Add(time.Minute)
	if err := r.m.Hosts.Defer(t.Context(), text.HostKey(r.site.Root), until); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	r.stage.Sleep = func(context.Context, time.Duration) error { stop(); return context.Canceled }
	if _, err := r.stage.Seed(ctx, r.run, r.site); err == nil {
		t.Fatal("it did not wait")
	}
	host, at, err := r.stage.Paused(t.Context(), r.run.ID, r.site.Root)
	if err != nil || host != "h.test" || !at.Equal(until) {
		t.Errorf("it waits for %q until %v, %v", host, at, err)
	}
}
