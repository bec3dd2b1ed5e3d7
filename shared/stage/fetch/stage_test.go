package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/safehttp"
	"wstk/shared/stage/fetch"
	"wstk/shared/wstk"
)

// world is a stage over memory stores, with a clock that only sleeping moves.
type world struct {
	*fetch.Stage
	mem *memory.Memory

	mu    sync.Mutex
	clock time.Time
	slept []time.Duration
	gated []string // "robots URL", "ask URL" and so on, in order
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{mem: memory.New(), clock: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w.mem.Hosts = memory.NewHosts(w.now)
	client, err := safehttp.New(safehttp.Config{AllowPrivate: true, Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	w.Stage = &fetch.Stage{
		Client: clientFunc(func(ctx context.Context, r wstk.Request) (wstk.Response, error) {
			w.note("ask " + r.URL)
			return client.Do(ctx, r)
		}),
		Blobs: w.mem.Blobs, Snapshots: w.mem.Snapshots, Hosts: w.mem.Hosts,
		Robots: func(
			_ context.Context, url, _ string, _ wstk.RobotsPolicy,
		) (fetch.RobotsDecision, error) {
			w.note("robots " + url)
			return fetch.RobotsDecision{Allowed: true}, nil
		},
		Known: w.mem.Pages.Get,
		Admit: func(url string) error { w.note("admit " + url); return nil },
		Now:   w.now,
		Sleep: func(ctx context.Context, d time.Duration) error {
			w.mu.Lock()
			w.clock, w.slept = w.clock.Add(d), append(w.slept, d)
			w.mu.Unlock()
			return ctx.Err()
		},
	}
	return w
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clock
}

func (w *world) note(s string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gated = append(w.gated, s)
}

// do fetches, and checks what holds of every result: it is stored as returned, body
// first, and a readable page has its body.
func (w *world) do(t *testing.T, task wstk.FetchTask) fetch.Result {
	t.Helper()
	r, err := w.Do(t.Context(), task)
	if err != nil {
		t.Fatalf("%s: %v; want err == nil", task.URL, err)
	}
	w.check(t, r)
	return r
}

func (w *world) check(t *testing.T, r fetch.Result) {
	t.Helper()
	s := r.Snapshot
	stored, err := w.mem.Snapshots.List(t.Context(), s.URL, 1)
	if err != nil || len(stored) != 1 {
		t.Fatalf("%s: %d snapshots stored, %v", s.URL, len(stored), err)
	}
	if diff := cmp.Diff(s, stored[0]); diff != "" {
		t.Errorf("returned and stored differ:\n%s", diff)
	}
	if (s.BodySHA256 != "") != (r.Body != nil) || s.BodyBytes != int64(len(r.Body)) {
		t.Errorf("hash %q, %d bytes, body of %d", s.BodySHA256, s.BodyBytes, len(r.Body))
	}
	if s.BodySHA256 != "" {
		if body, err := w.mem.Blobs.Get(t.Context(), s.BodySHA256); err != nil ||
			string(body) != string(r.Body) {
			t.Errorf("the body is not stored: %v", err)
		}
	}
	if s.Verdict.Readable() && s.BodySHA256 == "" {
		t.Errorf("a readable page (%s) without a body", s.Verdict)
	}
	if !slices.Contains(wstk.Verdicts(), s.Verdict) ||
		(s.Reason == "") != (s.Verdict == wstk.VerdictOK) {
		t.Errorf("verdict %q with the reason %q", s.Verdict, s.Reason)
	}
	if r.Redirect != s.RedirectsTo() ||
		r.Redirect != "" && (s.Verdict != wstk.VerdictHTTPError || r.Body != nil) {
		t.Errorf("redirect %q, snapshot says %q, verdict %s", r.Redirect, s.RedirectsTo(), s.Verdict)
	}
	if s.FinalURL == "" || s.Method == "" || s.FetchedAt.IsZero() ||
		s.FetchedAt.Location() != time.UTC {
		t.Errorf("incomplete: %+v", s)
	}
}

// free reports whether no request to the host of url is in flight.
func (w *world) free(t *testing.T, host string) bool {
	t.Helper()
	if err := w.mem.Hosts.Begin(t.Context(), host, "probe", 0, time.Minute, 0); err != nil {
		return false
	}
	return w.mem.Hosts.End(t.Context(), host, "probe") == nil
}

type clientFunc func(context.Context, wstk.Request) (wstk.Response, error)

func (f clientFunc) Do(ctx context.Context, r wstk.Request) (wstk.Response, error) {
	return f(ctx, r)
}

func site(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func TestPageIsStored(t *testing.T) {
	w := newWorld(t)
	base := site(t, func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Language") != "de" || r.Header.Get("User-Agent") != "x/1" {
			t.Errorf("the site saw %v", r.Header)
		}
		rw.Header().Set("Content-Type", "Text/HTML; charset=ISO-8859-1")
		rw.Header().Set("ETag", `"v1"`)
		rw.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
		rw.Header().Set("X-Robots-Tag", "noarchive")
		rw.Header().Set("Set-Cookie", "a=b")
		rw.Header().Set("Date", "Sun, 01 Mar 2026 12:00:00 GMT")
		rw.Write([]byte("<p>caf\xe9"))
	})
	task := wstk.FetchTask{URL: base + "/a/../page?utm_source=x#top", Header: http.Header{"Accept-Language": {"de"}}, UserAgent: "x/1"}
	r := w.do(t, task)
	want := wstk.Snapshot{URL: base + "/page", FinalURL: base + "/page", Status: 200, ContentType: "text/html", Charset: "iso-8859-1",
		Headers: map[string]string{"content-type": "Text/HTML; charset=ISO-8859-1", "etag": `"v1"`, "last-modified": "Mon, 02 Jan 2006 15:04:05 GMT",
			"x-robots-tag": "noarchive", "date": "Sun, 01 Mar 2026 12:00:00 GMT"},
		BodySHA256: wstk.HashOf([]byte("<p>caf\xe9")), BodyBytes: 7, Method: wstk.MethodHTTP,
		FetchedAt: w.clock, ETag: `"v1"`,
		LastModified: "Mon, 02 Jan 2006 15:04:05 GMT", Verdict: wstk.VerdictOK}
	if diff := cmp.Diff(want, r.Snapshot); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"admit " + base + "/page", "robots " + base + "/page", "ask " + base + "/page"}, w.gated); diff != "" {
		t.Errorf("order of the gates:\n%s", diff)
	}
	if !w.free(t, base) {
		t.Error("the host is still taken")
	}

	// The same message again, at the same time, leaves the stores as they are.
	again := w.do(t, task)
	if diff := cmp.Diff(r.Snapshot, again.Snapshot); diff != "" {
		t.Error(diff)
	}
	if all, err := w.mem.Snapshots.List(t.Context(), base+"/page", 10); err != nil || len(all) != 1 {
		t.Errorf("%d snapshots, %v", len(all), err)
	}
}

func TestStatuses(t *testing.T) {
	w := newWorld(t)
	base := site(t, func(rw http.ResponseWriter, r *http.Request) {
		var status int
		fmt.Sscanf(r.URL.Path, "/%d", &status)
		rw.WriteHeader(status)
		if status != 204 && status != 304 && !strings.HasSuffix(r.URL.Path, "/empty") {
			io.WriteString(rw, "words of the site")
		}
	})
	for path, want := range map[string]wstk.Verdict{
		"/200": wstk.VerdictOK, "/200/empty": wstk.VerdictThin, "/203": wstk.VerdictOK,
		"/204": wstk.VerdictThin, "/206": wstk.VerdictHTTPError,
		"/304": wstk.VerdictHTTPError, "/401": wstk.VerdictBlocked, "/403": wstk.VerdictBlocked,
		"/404": wstk.VerdictNotFound, "/404/empty": wstk.VerdictNotFound,
		"/410": wstk.VerdictGone, "/451": wstk.VerdictBlocked, "/500": wstk.VerdictHTTPError, "/301": wstk.VerdictHTTPError,
	} {
		r := w.do(t, wstk.FetchTask{URL: base + path})
		if r.Snapshot.Verdict != want {
			t.Errorf("%s: %s (%s), want %s", path, r.Snapshot.Verdict, r.Snapshot.Reason, want)
		}
		if r.Body == nil {
			t.Errorf("%s: the body of the reply is not stored", path)
		}
		if r.Redirect != "" {
			t.Errorf("%s: redirects to %s", path, r.Redirect)
		}
	}
}

// redirects are the pages of a site: what each answers, with BASE for the site's own URL.
var redirects = map[string]struct {
	status                  int
	location, refresh, body string
}{
	"/end":      {status: 200, body: "the end"},
	"/one":      {status: 301, location: "end#fragment"},
	"/two":      {status: 302, location: "/one"},
	"/303":      {status: 303, location: "BASE/end?utm_medium=x"},
	"/307":      {status: 307, location: "BASE/end?utm_medium=x"},
	"/308":      {status: 308, location: "BASE/end?utm_medium=x"},
	"/self":     {status: 302, location: "/self#again"},
	"/a":        {status: 302, location: "/b"},
	"/b":        {status: 302, location: "/a"},
	"/deep":     {status: 302, location: "/deep?x"}, // and one x more each time
	"/none":     {status: 302},
	"/blank":    {status: 302, location: " "},
	"/odd":      {status: 302, location: "http://[bad"},
	"/ftp":      {status: 302, location: "ftp://example.com/"},
	"/js":       {status: 302, location: "javascript:alert(1)"},
	"/user":     {status: 302, location: "USERBASE/end"},
	"/300":      {status: 300, location: "/end"},
	"/refresh":  {status: 200, refresh: "0; url=/end", body: "wait"},
	"/slow":     {status: 200, refresh: "30; url=/end", body: "read me first"},
	"/reload":   {status: 200, refresh: "3; url=/reload", body: "scores"},
	"/missing":  {status: 301, location: "/404"},
	"/closed":   {status: 302, location: "http://169.254.169.254/latest/"},
	"/bad-port": {status: 302, location: "http://127.0.0.1:25/"},
	"/404":      {status: 404},
}

// redirectSite serves the table above.
func redirectSite(t *testing.T) (base string) {
	base = site(t, func(rw http.ResponseWriter, r *http.Request) {
		page := redirects[r.URL.Path]
		page.location = strings.NewReplacer("USERBASE",
			strings.Replace(base, "http://", "http://u:hunter2@", 1), "BASE", base).
			Replace(page.location)
		if r.URL.Path == "/deep" {
			page.location += r.URL.RawQuery
		}
		if page.location != "" {
			rw.Header().Set("Location", page.location)
			page.body = "moved"
		}
		if page.refresh != "" {
			rw.Header().Set("Refresh", page.refresh)
		}
		rw.WriteHeader(page.status)
		io.WriteString(rw, page.body)
	})
	return base
}

func TestRedirects(t *testing.T) {
	base := redirectSite(t)
	type hop struct {
		path   string
		status int
	}
	for _, c := range []struct {
		path     string
		follow   int
		verdict  wstk.Verdict
		final    string
		status   int
		hops     []hop
		redirect string
	}{
		{"/one", 10, wstk.VerdictOK, "/end", 200, []hop{{"/one", 301}}, ""},
		{"/two", 10, wstk.VerdictOK, "/end", 200, []hop{{"/two", 302}, {"/one", 301}}, ""},
		{"/303", 1, wstk.VerdictOK, "/end", 200, []hop{{"/303", 303}}, ""},
		{"/307", 1, wstk.VerdictOK, "/end", 200, []hop{{"/307", 307}}, ""},
		{"/308", 1, wstk.VerdictOK, "/end", 200, []hop{{"/308", 308}}, ""},
		{"/refresh", 1, wstk.VerdictOK, "/end", 200, []hop{{"/refresh", 200}}, ""},
		{"/missing", 5, wstk.VerdictNotFound, "/404", 404, []hop{{"/missing", 301}}, ""},
		{"/slow", 5, wstk.VerdictOK, "/slow", 200, nil, ""},
		{"/reload", 5, wstk.VerdictOK, "/reload", 200, nil, ""},

		{"/one", 0, wstk.VerdictHTTPError, "/end", 301, []hop{{"/one", 301}}, "/end"},
		{"/308", 0, wstk.VerdictHTTPError, "/end", 308, []hop{{"/308", 308}}, "/end"},
		{"/refresh", 0, wstk.VerdictHTTPError, "/end", 200, []hop{{"/refresh", 200}}, "/end"},
		{"/slow", 0, wstk.VerdictOK, "/slow", 200, nil, ""},
		{"/two", 1, wstk.VerdictHTTPError, "/end", 301, []hop{{"/two", 302}, {"/one", 301}}, "/end"},
		{"/closed", 0, wstk.VerdictHTTPError, "http://169.254.169.254/latest/", 302, []hop{{"/closed", 302}}, "http://169.254.169.254/latest/"},

		{"/self", 0, wstk.VerdictHTTPError, "/self", 302, nil, ""},
		{"/self", 5, wstk.VerdictHTTPError, "/self", 302, nil, ""},
		{"/a", 5, wstk.VerdictHTTPError, "/b", 302, []hop{{"/a", 302}}, ""},
		{"/none", 5, wstk.VerdictHTTPError, "/none", 302, nil, ""},
		{"/blank", 0, wstk.VerdictHTTPError, "/blank", 302, nil, ""},
		{"/odd", 5, wstk.VerdictHTTPError, "/odd", 302, nil, ""},
		{"/300", 5, wstk.VerdictHTTPError, "/300", 300, nil, ""},
		{"/ftp", 5, wstk.VerdictRefusedPolicy, "/ftp", 302, nil, ""},
		{"/js", 0, wstk.VerdictRefusedPolicy, "/js", 302, nil, ""},
		{"/user", 5, wstk.VerdictRefusedPolicy, "/user", 302, nil, ""},
		{"/closed", 5, wstk.VerdictRefusedAddress, "http://169.254.169.254/latest/", 0, []hop{{"/closed", 302}}, ""},
		{"/bad-port", 5, wstk.VerdictRefusedPolicy, "http://127.0.0.1:25/", 0, []hop{{"/bad-port", 302}}, ""},
	} {
		t.Run(fmt.Sprintf("%s follow %d", strings.Trim(c.path, "/"), c.follow), func(t *testing.T) {
			whole := func(path string) string {
				if strings.HasPrefix(path, "/") {
					return base + path
				}
				return path
			}
			w := newWorld(t)
			r := w.do(t, wstk.FetchTask{URL: base + c.path, Follow: c.follow})
			s := r.Snapshot
			if s.Verdict != c.verdict || s.FinalURL != whole(c.final) || s.Status != c.status ||
				r.Redirect != whole(c.redirect) && c.redirect != "" ||
				(r.Redirect == "") != (c.redirect == "") {
				t.Errorf("got %s (%s), final %s, status %d, redirect %q", s.Verdict, s.Reason, s.FinalURL, s.Status, r.Redirect)
			}
			var hops []hop
			for _, h := range s.Redirects {
				hops = append(hops, hop{strings.TrimPrefix(h.URL, base), h.Status})
			}
			if !slices.Equal(hops, c.hops) {
				t.Errorf("hops %v, want %v", hops, c.hops)
			}
			if s.URL != base+c.path {
				t.Errorf("stored under %s", s.URL)
			}
			if strings.Contains(fmt.Sprintf("%+v", s), "hunter2") {
				t.Errorf("a password is stored: %+v", s)
			}
			// Every URL that was asked had passed the gates, right before.
			for i, g := range w.gated {
				if url, ok := strings.CutPrefix(g, "ask "); ok &&
					(i < 2 || w.gated[i-1] != "robots "+url || w.gated[i-2] != "admit "+url) {
					t.Errorf("%s was asked without its gates: %v", url, w.gated)
				}
			}
		})
	}
}

func TestRedirectsWithoutEnd(t *testing.T) {
	w := newWorld(t)
	r := w.do(t, wstk.FetchTask{URL: redirectSite(t) + "/deep", Follow: 10})
	if r.Snapshot.Verdict != wstk.VerdictHTTPError || len(r.Snapshot.Redirects) != 11 ||
		r.Snapshot.Reason != "redirects more than 10 times" {
		t.Errorf("got %s (%s) after %d hops", r.Snapshot.Verdict, r.Snapshot.Reason, len(r.Snapshot.Redirects))
	}
}

func TestRedirectToPlainHTTPIsTold(t *testing.T) {
	w := newWorld(t)
	w.Client = clientFunc(func(_ context.Context, r wstk.Request) (wstk.Response, error) {
		if strings.HasPrefix(r.URL, "https:") {
			return wstk.Response{Status: 301, Header: http.Header{"Location": {"http://example.com/"}}}, nil
		}
		return wstk.Response{Status: 200, Body: []byte("page")}, nil
	})
	r := w.do(t, wstk.FetchTask{URL: "https://example.com/", Follow: 3})
	if r.Snapshot.Verdict != wstk.VerdictOK || len(r.Snapshot.Warnings) != 1 ||
		r.Snapshot.Warnings[0].Code != "insecure_redirect" {
		t.Errorf("got %+v", r.Snapshot)
	}
}

func TestHeadersStayWithTheirHost(t *testing.T) {
	w := newWorld(t)
	var seen []http.Header
	w.Client = clientFunc(func(_ context.Context, r wstk.Request) (wstk.Response, error) {
		seen = append(seen, r.Header)
		switch r.URL {
		case "https://a.example/":
			return wstk.Response{Status: 302, Header: http.Header{"Location": {"/2"}}}, nil
		case "https://a.example/2":
			return wstk.Response{Status: 302, Header: http.Header{"Location": {"https://b.example/"}}}, nil
		}
		return wstk.Response{Status: 200, Body: []byte("page")}, nil
	})
	own := http.Header{"X-Account": {"7"}, "Accept": {"text/html"}, "accept-language": {"de"}}
	w.do(t, wstk.FetchTask{URL: "https://a.example/", Follow: 5, Header: own})
	if diff := cmp.Diff([]http.Header{own, own, {"Accept": {"text/html"}, "Accept-Language": {"de"}}}, seen); diff != "" {
		t.Error(diff)
	}
}

func TestRefusals(t *testing.T) {
	w := newWorld(t)
	asked := 0
	w.Client = clientFunc(func(context.Context, wstk.Request) (wstk.Response, error) {
		asked++
		return wstk.Response{Status: 200, Body: []byte("page")}, nil
	})
	w.Admit = func(url string) error {
		switch {
		case strings.Contains(url, "blocked"):
			return wstk.Errorf(wstk.RefusedPolicy, "checking lists", "the domain is on the block list").Try(wstk.Advice("ask another domain"))
		case strings.Contains(url, "broken"):
			return errors.New("list unreadable")
		}
		return nil
	}
	w.Robots = func(
		_ context.Context, url, ua string, p wstk.RobotsPolicy,
	) (fetch.RobotsDecision, error) {
		switch {
		case ua != "wstk/1":
			t.Errorf("robots is asked for %q", ua)
		case strings.Contains(url, "private"):
			return fetch.RobotsDecision{Reason: "robots.txt line 3: Disallow: /private"}, nil
		case strings.Contains(url, "silent"):
			return fetch.RobotsDecision{Verdict: wstk.VerdictTimeout, Reason: "robots.txt could not be reached"}, nil
		case strings.Contains(url, "failing"):
			return fetch.RobotsDecision{}, wstk.Errorf(wstk.Unavailable, "reading", "store is locked")
		case strings.Contains(url, "told"):
			return fetch.RobotsDecision{Allowed: true,
				Warnings: []wstk.Warning{{Code: "robots", Message: "Told."}}}, nil
		}
		return fetch.RobotsDecision{Allowed: true}, nil
	}
	w.UserAgent = "wstk/1"
	for _, c := range []struct {
		url     string
		policy  wstk.RobotsPolicy
		verdict wstk.Verdict
		reason  string
		asked   int
		warned  int
	}{
		{"http://blocked.example/", "", wstk.VerdictRefusedPolicy, "the domain is on the block list", 0, 0},
		{"http://a.example/private", "", wstk.VerdictRefusedRobots, "robots.txt line 3: Disallow: /private", 0, 0},
		{"http://a.example/private", wstk.RobotsRespect, wstk.VerdictRefusedRobots, "robots.txt line 3: Disallow: /private", 0, 0},
		{"http://a.example/private", wstk.RobotsWarn, wstk.VerdictOK, "", 1, 1},
		{"http://a.example/private", wstk.RobotsIgnore, wstk.VerdictOK, "", 1, 0},
		{"http://a.example/silent", "", wstk.VerdictTimeout, "robots.txt could not be reached", 0, 0},
		{"http://a.example/told", wstk.RobotsWarn, wstk.VerdictOK, "", 1, 1},
		{"http://u:hunter2@a.example/", "", wstk.VerdictRefusedPolicy, "the URL carries a user name or password", 0, 0},
	} {
		asked = 0
		w.clock = w.clock.Add(time.Second) // another fetch, another Snapshot
		r := w.do(t, wstk.FetchTask{URL: c.url, Robots: c.policy})
		s := r.Snapshot
		if s.Verdict != c.verdict || s.Reason != c.reason || asked != c.asked ||
			len(s.Warnings) != c.warned {
			t.Errorf("%s under %q: %s (%s), asked %d times, warnings %v", c.url, c.policy, s.Verdict, s.Reason, asked, s.Warnings)
		}
		if strings.Contains(fmt.Sprintf("%+v", s), "hunter2") {
			t.Errorf("a password is stored: %+v", s)
		}
		if c.url == "http://blocked.example/" && fmt.Sprint(r.Steps) != "[ask another domain]" {
			t.Errorf("next steps %v", r.Steps)
		}
	}
	for url, want := range map[string]wstk.Code{"http://a.example/failing": wstk.Unavailable, "http://broken.example/": wstk.Internal,
		"not a url": wstk.Invalid, "": wstk.Invalid, "http://": wstk.Invalid, "/page": wstk.Invalid,
		"ftp://a.example/": wstk.Invalid, "file:///etc/passwd": wstk.Invalid, "mailto:a@b.example": wstk.Invalid} {
		if _, err := w.Do(t.Context(), wstk.FetchTask{URL: url}); wstk.CodeOf(err) != want {
			t.Errorf("%q: %v, want %s", url, err, want)
		}
	}
}

func TestFailuresOfTheSiteAreVerdicts(t *testing.T) {
	for code, want := range map[wstk.Code]wstk.Verdict{
		wstk.RefusedAddress: wstk.VerdictRefusedAddress,
		wstk.RefusedPolicy:  wstk.VerdictRefusedPolicy,
		wstk.TooLarge:       wstk.VerdictTooLarge, wstk.Timeout: wstk.VerdictTimeout,
		wstk.Network: wstk.VerdictNetwork} {
		w := newWorld(t)
		w.Client = clientFunc(func(context.Context, wstk.Request) (wstk.Response, error) {
			return wstk.Response{}, wstk.Errorf(code, "fetching", "why").Try(wstk.Advice("do this"))
		})
		w.Robots = func(
			context.Context, string, string, wstk.RobotsPolicy,
		) (fetch.RobotsDecision, error) {
			return fetch.RobotsDecision{Allowed: true,
				Warnings: []wstk.Warning{{Code: "robots", Message: "fetched although refused: it says so."}}}, nil
		}
		r := w.do(t, wstk.FetchTask{URL: "http://a.example/", Slot: "s1"})
		if len(r.Snapshot.Warnings) > 0 {
			t.Errorf("%s: nothing was fetched, and yet %v", code, r.Snapshot.Warnings)
		}
		if r.Snapshot.Verdict != want || r.Snapshot.Reason != "why" || r.Body != nil ||
			r.Snapshot.Status != 0 || fmt.Sprint(r.Steps) != "[do this]" {
			t.Errorf("%s: got %+v", code, r)
		}
		if !w.free(t, "http://a.example:80") {
			t.Errorf("%s: the host is still taken", code)
		}
	}
	w := newWorld(t)
	w.Client = clientFunc(func(context.Context, wstk.Request) (wstk.Response, error) {
		return wstk.Response{}, errors.New("a bug")
	})
	if _, err := w.Do(t.Context(), wstk.FetchTask{URL: "http://a.example/"}); wstk.CodeOf(err) != wstk.Internal {
		t.Errorf("got %v", err)
	}
}

// The real client on hostile replies: each is a stored verdict.
func TestBadReplies(t *testing.T) {
	raw := func(reply string) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				go func() { c.Read(make([]byte, 4096)); io.WriteString(c, reply); c.Close() }()
			}
		}()
		return "http://" + l.Addr().String() + "/"
	}
	for reply, want := range map[string]wstk.Verdict{
		"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort":                         wstk.VerdictNetwork,
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain": wstk.VerdictNetwork,
		"HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n":                     wstk.VerdictTooLarge,
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 100_000) + "\r\n\r\n":          wstk.VerdictTooLarge,
		"": wstk.VerdictNetwork,
	} {
		w := newWorld(t)
		if r := w.do(t, wstk.FetchTask{URL: raw(reply)}); r.Snapshot.Verdict != want ||
			r.Body != nil {
			t.Errorf("%.60q: %s (%s); want r.Snapshot.Verdict == want && r.Body == nil", reply, r.Snapshot.Verdict, r.Snapshot.Reason)
		}
	}
	w := newWorld(t)
	if r := w.do(t, wstk.FetchTask{URL: "http://127.0.0.1:1/",
		MaxBytes: 5}); r.Snapshot.Verdict != wstk.VerdictRefusedPolicy {
		t.Errorf("got %s", r.Snapshot.Verdict)
	}
	base := site(t, func(rw http.ResponseWriter, r *http.Request) { io.WriteString(rw, "longer than five") })
	if r := w.do(t, wstk.FetchTask{URL: base,
		MaxBytes: 5}); r.Snapshot.Verdict != wstk.VerdictTooLarge {
		t.Errorf("the task's cap: %s", r.Snapshot.Verdict)
	}
}

func TestConditional(t *testing.T) {
	var conditional bool
	base := site(t, func(rw http.ResponseWriter, r *http.Request) {
		conditional = r.Header.Get("If-None-Match") == `"v1"` && r.Header.Get("If-Modified-Since") == "Mon, 02 Jan 2006 15:04:05 GMT"
		if conditional || r.URL.Path == "/always" {
			rw.WriteHeader(304)
			return
		}
		if r.URL.Path == "/moved" {
			http.Redirect(rw, r, "/page", http.StatusFound)
			return
		}
		rw.Header().Set("ETag", `"v2"`)
		io.WriteString(rw, "new")
	})
	for _, c := range []struct {
		name   string
		path   string
		change func(w *world, p *wstk.Page, task *wstk.FetchTask)
		want   wstk.Verdict
	}{
		{"held", "/page", func(*world, *wstk.Page, *wstk.FetchTask) {}, wstk.VerdictNotModified},
		{"held before, checked since", "/page", func(_ *world, p *wstk.Page, _ *wstk.FetchTask) {
			p.Verdict = wstk.VerdictNotModified
		}, wstk.VerdictNotModified},
		{"behind a redirect", "/moved", func(*world, *wstk.Page, *wstk.FetchTask) {}, wstk.VerdictNotModified},
		{"fresh", "/page", func(_ *world, _ *wstk.Page, task *wstk.FetchTask) { task.Fresh = true },
			wstk.VerdictOK},
		{"no text", "/page", func(_ *world, p *wstk.Page, _ *wstk.FetchTask) { p.TextSHA256 = "" }, wstk.VerdictOK},
		{"text deleted", "/page", func(w *world, p *wstk.Page, _ *wstk.FetchTask) {
			w.mem.Blobs.Delete(context.Background(), p.TextSHA256)
		}, wstk.VerdictOK},
		{"document deleted", "/page", func(w *world, p *wstk.Page, _ *wstk.FetchTask) {
			w.mem.Blobs.Delete(context.Background(), p.Document)
		}, wstk.VerdictOK},
		{"body deleted", "/page", func(w *world, p *wstk.Page, _ *wstk.FetchTask) {
			w.mem.Blobs.Delete(context.Background(), p.SnapshotSHA256)
		}, wstk.VerdictOK},
		{"a wall since", "/page", func(_ *world, p *wstk.Page, _ *wstk.FetchTask) {
			p.Verdict = wstk.VerdictBlocked
		}, wstk.VerdictOK},
		{"no validators", "/page", func(_ *world, p *wstk.Page, _ *wstk.FetchTask) {
			p.ETag, p.LastModified = "", ""
		}, wstk.VerdictOK},
		{"another page", "/page", func(_ *world, p *wstk.Page, _ *wstk.FetchTask) { p.URL = base + "/other" }, wstk.VerdictOK},
		{"304 without being asked", "/always", func(*world, *wstk.Page, *wstk.FetchTask) {}, wstk.VerdictHTTPError},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			put := func(s string) wstk.Hash {
				h, err := w.mem.Blobs.Put(t.Context(), []byte(s))
				if err != nil {
					t.Fatal(err)
				}
				return h
			}
			page := wstk.Page{URL: base + "/page", ETag: `"v1"`, LastModified: "Mon, 02 Jan 2006 15:04:05 GMT", Verdict: wstk.VerdictOK,
				SnapshotSHA256: put("<p>old"), TextSHA256: put("old"), Document: put("{}"),
				FetchedAt: w.clock.Add(-time.Hour), CheckedAt: w.clock.Add(-time.Hour)}
			task := wstk.FetchTask{URL: base + c.path, Follow: 3}
			c.change(w, &page, &task)
			if err := w.mem.Pages.Put(t.Context(), page); err != nil {
				t.Fatal(err)
			}
			r := w.do(t, task)
			if r.Snapshot.Verdict != c.want ||
				r.NotModified() != (c.want == wstk.VerdictNotModified) {
				t.Fatalf("got %s (%s)", r.Snapshot.Verdict, r.Snapshot.Reason)
			}
			if r.NotModified() {
				if r.Held.URL != base+"/page" || r.Snapshot.ETag != `"v1"` ||
					r.Snapshot.LastModified != page.LastModified || r.Body != nil ||
					r.Snapshot.Status != 304 {
					t.Errorf("got %+v of %+v", r.Snapshot, r.Held)
				}
			} else if conditional {
				t.Error("the request was conditional")
			}
		})
	}
	w := newWorld(t)
	w.Known = func(context.Context, string) (wstk.Page, error) {
		return wstk.Page{}, wstk.Errorf(wstk.Unavailable, "reading page", "locked")
	}
	if _, err := w.Do(t.Context(),
		wstk.FetchTask{URL: base}); wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("got %v", err)
	}
}

func TestHostsTurn(t *testing.T) {
	const host = "http://a.example:80"
	w := newWorld(t)
	var inFlight int
	w.Client = clientFunc(func(_ context.Context, r wstk.Request) (wstk.Response, error) {
		if w.free(t, host) {
			t.Error("the host is not marked as taken during the request")
		}
		inFlight++
		if strings.HasSuffix(r.URL, "/1") {
			return wstk.Response{Status: 302, Header: http.Header{"Location": {"/2"}}}, nil
		}
		return wstk.Response{Status: 200, Body: []byte("page")}, nil
	})
	start := w.clock

	// A slot of the task, one second ahead: waited out, and not used for the second hop.
	slot, err := w.mem.Hosts.Reserve(t.Context(), host, start.Add(time.Second), 0)
	if err != nil {
		t.Fatal(err)
	}
	w.do(t, wstk.FetchTask{URL: "http://a.example/1", Run: "run_1", Slot: slot.Token,
		NotBefore: slot.At, Follow: 1, Gap: 700 * time.Millisecond})
	if diff := cmp.Diff([]time.Duration{time.Second, 700 * time.Millisecond},
		w.slept); diff != "" || inFlight != 2 {
		t.Errorf("%d requests, slept:\n%s", inFlight, diff)
	}

	// The delay robots.txt asks for, when it is longer.
	w.slept = nil
	w.Robots = func(
		context.Context, string, string, wstk.RobotsPolicy,
	) (fetch.RobotsDecision, error) {
		return fetch.RobotsDecision{Allowed: true, Delay: 1500 * time.Millisecond}, nil
	}
	w.do(t, wstk.FetchTask{URL: "http://a.example/1", Run: "run_1", Follow: 1, Gap: time.Second})
	if diff := cmp.Diff([]time.Duration{1500 * time.Millisecond, 1500 * time.Millisecond},
		w.slept); diff != "" {
		t.Errorf("slept:\n%s", diff)
	}

	// Without a slot and far ahead: a crawl's task gives up at once, a one-page task waits.
	isBusy := func(err error, until time.Time) {
		t.Helper()
		var b *fetch.Busy
		if wstk.CodeOf(err) != wstk.Conflict || !errors.As(err, &b) {
			t.Fatalf("got %v", err)
		}
		if b.Host != host || !b.Until.Equal(until) {
			t.Errorf("got %+v, want %v", b, until)
		}
	}
	inFlight, w.slept = 0, nil
	_, err = w.Do(t.Context(), wstk.FetchTask{URL: "http://a.example/", Run: "run_1", Slot: "s",
		NotBefore: w.clock.Add(time.Minute)})
	isBusy(err, w.clock.Add(time.Minute))
	if inFlight != 0 || w.slept != nil {
		t.Errorf("asked %d times, slept %v", inFlight, w.slept)
	}
	if err := w.mem.Hosts.Defer(t.Context(), host, w.clock.Add(20*time.Second)); err != nil {
		t.Fatal(err)
	}
	w.do(t, wstk.FetchTask{URL: "http://a.example/"})
	if inFlight != 1 || len(w.slept) != 1 || w.slept[0] != 20*time.Second {
		t.Errorf("asked %d times, slept %v", inFlight, w.slept)
	}
	if err := w.mem.Hosts.Defer(t.Context(), host, w.clock.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	_, err = w.Do(t.Context(), wstk.FetchTask{URL: "http://a.example/"})
	isBusy(err, w.clock.Add(time.Hour))

	// Another request in flight.
	w = newWorld(t)
	w.Wait = time.Millisecond
	if err := w.mem.Hosts.Begin(t.Context(), host, "other", 0, time.Hour, 0); err != nil {
		t.Fatal(err)
	}
	_, err = w.Do(t.Context(), wstk.FetchTask{URL: "http://a.example/", Run: "run_1", Slot: "mine"})
	isBusy(err, w.clock)

	// The host was paused since the slot was given: it says itself when to come back.
	if err := w.mem.Hosts.Defer(t.Context(), host, w.clock.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	_, err = w.Do(t.Context(), wstk.FetchTask{URL: "http://a.example/", Run: "run_1", Slot: "mine"})
	isBusy(err, w.clock.Add(time.Hour))
	if list, _ := w.mem.Snapshots.List(t.Context(), "http://a.example/", 1); len(list) != 0 {
		t.Error("something was stored")
	}
}

func TestRetryAfter(t *testing.T) {
	type reply struct {
		status int
		after  string
	}
	for _, c := range []struct {
		name    string
		replies []reply
		run     wstk.RunID
		retries int
		limit   time.Duration // of the context; 0 means none
		verdict wstk.Verdict
		slept   []time.Duration
		asked   int
		asks    int           // RetryAfterSec of the snapshot
		paused  time.Duration // of the host, at the end
	}{
		{"waited out", []reply{{429, "7"}, {200, ""}}, "", 0, 0, wstk.VerdictOK,
			[]time.Duration{7 * time.Second}, 2, 0, 0},
		{"503 too", []reply{{503, "7"}, {200, ""}}, "", 0, 0, wstk.VerdictOK,
			[]time.Duration{7 * time.Second}, 2, 0, 0},
		{"a date", []reply{{429, "Sun, 01 Mar 2026 12:00:09 GMT"}, {200, ""}}, "", 0, 0,
			wstk.VerdictOK, []time.Duration{9 * time.Second}, 2, 0, 0},
		{"at once", []reply{{429, "0"}, {200, ""}}, "", 0, 0, wstk.VerdictOK, nil, 2, 0, 0},
		{"twice", []reply{{429, "3"}, {503, "4"}, {200, ""}}, "", 0, 0, wstk.VerdictOK,
			[]time.Duration{3 * time.Second, 4 * time.Second}, 3, 0, 0},
		{"not for ever", []reply{{429, "3"}, {429, "3"}, {429, "3"}}, "", 0, 0, wstk.VerdictBlocked,
			[]time.Duration{3 * time.Second, 3 * time.Second}, 3, 3, 3 * time.Second},
		{"never", []reply{{429, "3"}}, "", -1, 0, wstk.VerdictBlocked, nil, 1, 3, 3 * time.Second},
		{"too long", []reply{{429, "31"}}, "", 0, 0, wstk.VerdictBlocked, nil, 1, 31, 31 * time.Second},
		{"too long for the deadline", []reply{{503, "300"}}, "", 0, 4 * time.Minute,
			wstk.VerdictHTTPError, nil, 1, 300, 300 * time.Second},
		{"fits the deadline", []reply{{503, "100"}, {200, ""}}, "", 0, 4 * time.Minute,
			wstk.VerdictOK, []time.Duration{100 * time.Second}, 2, 0, 0},
		{"in a crawl", []reply{{429, "1"}}, "run_1", 0, 0, wstk.VerdictBlocked, nil, 1, 1, time.Second},
		{"a week", []reply{{503, "99999999"}}, "run_1", 0, 0, wstk.VerdictHTTPError, nil, 1, 604800, time.Hour},
		{"nothing said", []reply{{429, ""}}, "", 0, 0, wstk.VerdictBlocked, nil, 1, 0, 5 * time.Second},
		{"nothing sensible said", []reply{{503, "soon"}}, "", 0, 0, wstk.VerdictHTTPError, nil, 1, 0, 5 * time.Second},
		{"other statuses", []reply{{500, "3"}}, "", 0, 0, wstk.VerdictHTTPError, nil, 1, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.Retries = c.retries
			n := 0
			w.Client = clientFunc(func(context.Context, wstk.Request) (wstk.Response, error) {
				r := c.replies[min(n, len(c.replies)-1)]
				n++
				resp := wstk.Response{Status: r.status, Header: http.Header{}, Body: []byte("words")}
				if r.after != "" {
					resp.Header.Set("Retry-After", r.after)
				}
				return resp, nil
			})
			ctx := t.Context()
			if c.limit > 0 { // the deadline is real time, so the clock must be
				w.clock = time.Now()
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, c.limit)
				defer cancel()
			}
			r, err := w.Do(ctx, wstk.FetchTask{URL: "http://a.example/", Run: c.run, Robots: wstk.RobotsWarn})
			if err != nil {
				t.Fatal(err)
			}
			w.check(t, r)
			if r.Snapshot.Verdict != c.verdict || n != c.asked || !slices.Equal(w.slept, c.slept) ||
				r.Snapshot.RetryAfterSec != c.asks {
				t.Errorf("%s (%s), asked %d times, slept %v, Retry-After %d", r.Snapshot.Verdict,
					r.Snapshot.Reason, n, w.slept, r.Snapshot.RetryAfterSec)
			}
			if waits := c.asked - 1; len(r.Snapshot.Warnings) != waits {
				t.Errorf("warnings %v", r.Snapshot.Warnings)
			}
			slot, err := w.mem.Hosts.Reserve(t.Context(), "http://a.example:80", w.clock, 0)
			if err != nil {
				t.Fatal(err)
			}
			if paused := slot.At.Sub(w.clock); paused != c.paused {
				t.Errorf("the host is paused for %v, want %v", paused, c.paused)
			}
		})
	}
}

// Refusals without a time pause the host for longer and longer, until it answers.
func TestPausesGrowPerHost(t *testing.T) {
	w := newWorld(t)
	status := 429
	w.Client = clientFunc(func(context.Context, wstk.Request) (wstk.Response, error) {
		return wstk.Response{Status: status, Body: []byte("words")}, nil
	})
	paused := func() time.Duration {
		w.clock = w.clock.Add(time.Second)
		w.do(t, wstk.FetchTask{URL: "http://a.example/"})
		slot, err := w.mem.Hosts.Reserve(t.Context(), "http://a.example:80", w.clock, 0)
		if err != nil {
			t.Fatal(err)
		}
		d := slot.At.Sub(w.clock)
		w.clock = slot.At
		return d
	}
	for i, want := range []time.Duration{5, 10, 20, 40, 60, 60} {
		if got := paused(); got != want*time.Second {
			t.Errorf("pause %d is %v, want %d s", i, got, want)
		}
	}
	status = 200
	if got := paused(); got != 0 {
		t.Errorf("paused for %v after an answer", got)
	}
	status = 503
	if got := paused(); got != 5*time.Second {
		t.Errorf("the first pause after an answer is %v", got)
	}
}

func TestCancelled(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	base := site(t, func(rw http.ResponseWriter, r *http.Request) {
		io.WriteString(rw, "half")
		rw.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	})
	for range 2 { // during the request, and before it
		_, err := w.Do(ctx, wstk.FetchTask{URL: base + "/"})
		if wstk.CodeOf(err) != wstk.Cancelled || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	if list, _ := w.mem.Snapshots.List(t.Context(), base+"/", 1); len(list) != 0 {
		t.Errorf("stored %+v", list)
	}
	if !w.free(t, base) {
		t.Error("the host is still taken")
	}
	if n := strings.Count(strings.Join(w.gated, " "), "ask"); n != 1 {
		t.Errorf("asked %d times", n)
	}
	// While waiting for the host.
	w = newWorld(t)
	w.Stage.Sleep = nil
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := w.Do(ctx, wstk.FetchTask{URL: base + "/", Run: "run_1", Slot: "s",
		NotBefore: w.clock.Add(time.Second)})
	if wstk.CodeOf(err) != wstk.Timeout {
		t.Errorf("got %v", err)
	}
}

// failing stores.
type noBlobs struct{ wstk.BlobStore }

func (noBlobs) Put(context.Context, []byte) (wstk.Hash, error) {
	return "", wstk.Errorf(wstk.Unavailable, "storing blob", "the disk is full")
}

type noSnapshots struct{ wstk.SnapshotStore }

func (noSnapshots) Put(context.Context, wstk.Snapshot) error {
	return wstk.Errorf(wstk.Unavailable, "storing snapshot", "the database is locked")
}

type noHosts struct{ wstk.HostStore }

func (noHosts) Begin(
	context.Context, string, string, time.Duration, time.Duration, time.Duration,
) error {
	return wstk.Errorf(wstk.Unavailable, "beginning", "the database is locked")
}

func TestOurFailuresAreErrors(t *testing.T) {
	base := site(t, func(rw http.ResponseWriter, r *http.Request) { io.WriteString(rw, "page") })
	for name, breakIt := range map[string]func(w *world){
		"blobs":     func(w *world) { w.Blobs = noBlobs{w.Blobs} },
		"snapshots": func(w *world) { w.Snapshots = noSnapshots{w.Snapshots} },
		"hosts":     func(w *world) { w.Hosts = noHosts{w.Hosts} },
	} {
		w := newWorld(t)
		breakIt(w)
		if _, err := w.Do(t.Context(),
			wstk.FetchTask{URL: base + "/"}); wstk.CodeOf(err) != wstk.Unavailable {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.Unavailable", name, err)
		}
		// A row never names a body that is not there.
		if list, _ := w.mem.Snapshots.List(t.Context(), base+"/", 1); len(list) != 0 {
			t.Errorf("%s: a snapshot is stored", name)
		}
		if !w.free(t, base) {
			t.Errorf("%s: the host is still taken", name)
		}
	}
	if _, err := (&fetch.Stage{}).
		Do(t.Context(), wstk.FetchTask{URL: base}); wstk.CodeOf(err) != wstk.Internal {
		t.Errorf("an empty stage: %v", err)
	}
}

func TestProvided(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		url, contentType, body string
		want                   wstk.Snapshot
	}{
		{"HTTP://Example.com/a/../b#c", "text/html; charset=utf-8", "<p>x", wstk.Snapshot{URL: "http://example.com/b", ContentType: "text/html", Charset: "utf-8", Verdict: wstk.VerdictOK}},
		{"file:///tmp/a%20b.html", "", "<html>", wstk.Snapshot{URL: "file:///tmp/a%20b.html", ContentType: "text/html", Verdict: wstk.VerdictOK}},
		{"stdin:", "", "", wstk.Snapshot{URL: "stdin:", Verdict: wstk.VerdictThin, Reason: "the body is empty"}},
		{"s3://bucket/inbox/x.pdf", "", "%PDF-1.7", wstk.Snapshot{URL: "s3://bucket/inbox/x.pdf", ContentType: "application/pdf", Verdict: wstk.VerdictOK}},
	} {
		for range 2 {
			r, err := w.Provided(t.Context(), c.url, []byte(c.body), c.contentType)
			if err != nil {
				t.Fatal(err)
			}
			w.check(t, r)
			c.want.FinalURL, c.want.Method, c.want.FetchedAt = c.want.URL,
				wstk.MethodProvided, w.clock
			c.want.BodySHA256, c.want.BodyBytes = wstk.HashOf([]byte(c.body)), int64(len(c.body))
			if diff := cmp.Diff(c.want, r.Snapshot); diff != "" {
				t.Errorf("%s:\n%s; want diff == \"\"", c.url, diff)
			}
		}
		if list, _ := w.mem.Snapshots.List(t.Context(), c.want.URL, 10); len(list) != 1 {
			t.Errorf("%s: %d snapshots", c.url, len(list))
		}
	}
	for _, bad := range []string{"", "page.html", "file:///a b", "http://", "x:\n", "http://u:p@a.example/", "ftp://u:p@a.example/"} {
		if _, err := w.Provided(t.Context(), bad, []byte("x"), ""); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%q: %v; want wstk.CodeOf(err) == wstk.Invalid", bad, err)
		}
	}
}

// Many tasks for one host: one request at a time.
func TestOneRequestPerHost(t *testing.T) {
	w := newWorld(t)
	var mu sync.Mutex
	now, most := 0, 0
	base := site(t, func(rw http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		time.Sleep(time.Millisecond)
		mu.Lock()
		now--
		mu.Unlock()
		io.WriteString(rw, "page")
	})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := w.Do(t.Context(),
				wstk.FetchTask{URL: fmt.Sprintf("%s/%d", base, i)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("%d requests at once", most)
	}
}
