package fetch_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/stage/fetch"
	"wstk/shared/wstk"
)

// service hands over what it is told to, and notes that it was asked.
type service struct {
	w    *world
	info wstk.ProviderInfo
	page wstk.Scraped
	err  error
}

func (s *service) Info() wstk.ProviderInfo { return s.info }

func (s *service) Scrape(ctx context.Context, url string) (wstk.Scraped, error) {
	s.w.note("scrape " + url)
	if s.page.URL == "" {
		s.page.URL = url
	}
	return s.page, errors.Join(s.err, ctx.Err())
}

const app = "https://tides.example/app"

func newService(t *testing.T) (*world, *service) {
	t.Helper()
	w := newWorld(t)
	s := &service{w: w, info: wstk.ProviderInfo{ID: "firecrawl_endpoint", Enabled: true, Remote: true},
		page: wstk.Scraped{Body: []byte("<p>High water at 4:12, caf\u00e9 open"), ContentType: "text/html",
			Host: "fire.example"}}
	w.Scraper = s
	w.MayReach = func(_ context.Context, url string, outside bool) error {
		if !outside {
			t.Error("a service elsewhere counts as one of this network")
		}
		w.note("reach " + url)
		return nil
	}
	return w, s
}

var remotely = wstk.FetchTask{URL: app, Method: wstk.MethodRemote, Follow: 10}

// A page that a service fetched passes the gates first, is stored as one of Do, and says who
// fetched it.
func TestRemote(t *testing.T) {
	w, s := newService(t)
	s.page.Status = 200
	r := w.do(t, remotely)
	got := r.Snapshot
	if got.Verdict != wstk.VerdictOK || got.Method != wstk.MethodRemote || got.Status != 200 ||
		got.FetchedBy != "firecrawl_endpoint" || got.FetchedVia != "fire.example" ||
		got.URL != app || got.FinalURL != app || got.ContentType != "text/html" || got.Charset != "utf-8" {
		t.Errorf("got %+v", got)
	}
	want := []string{"admit " + app, "robots " + app, "reach " + app, "scrape " + app}
	if !slices.Equal(w.gated, want) {
		t.Errorf("asked %q, want %q", w.gated, want)
	}
	w.do(t, remotely)
	if len(w.slept) > 0 {
		t.Errorf("the host was not released: the next request waited %v", w.slept)
	}
}

// What the site answered the service is its verdict; null where the service does not say.
func TestRemoteStatusesAreTheSites(t *testing.T) {
	for status, want := range map[int]wstk.Verdict{0: wstk.VerdictOK, 200: wstk.VerdictOK,
		403: wstk.VerdictBlocked, 404: wstk.VerdictNotFound, 410: wstk.VerdictGone,
		429: wstk.VerdictBlocked, 500: wstk.VerdictHTTPError} {
		w, s := newService(t)
		if s.page.Status = status; status >= 400 {
			s.page.Body = nil
		}
		r, err := w.Do(t.Context(), remotely)
		if err != nil || r.Snapshot.Verdict != want || r.Snapshot.Status != status {
			t.Errorf("%d: got %s (%d), %v", status, r.Snapshot.Verdict, r.Snapshot.Status, err)
		}
	}
}

// Nothing that is refused to us is asked of a service.
func TestRemoteRefusals(t *testing.T) {
	refuse := func(code wstk.Code) error { return wstk.Errorf(code, "x", "not this one") }
	for name, c := range map[string]struct {
		change func(w *world)
		want   wstk.Verdict
	}{
		"a closed address": {func(w *world) {
			w.MayReach = func(context.Context, string, bool) error { return refuse(wstk.RefusedAddress) }
		}, wstk.VerdictRefusedAddress},
		"no such host": {func(w *world) {
			w.MayReach = func(context.Context, string, bool) error { return refuse(wstk.Network) }
		}, wstk.VerdictNetwork},
		"a blocked domain": {func(w *world) {
			w.Admit = func(string) error { return refuse(wstk.RefusedPolicy) }
		}, wstk.VerdictRefusedPolicy},
		"robots.txt": {func(w *world) {
			w.Robots = func(context.Context, string, string, wstk.RobotsPolicy) (fetch.RobotsDecision, error) {
				return fetch.RobotsDecision{}, nil
			}
		}, wstk.VerdictRefusedRobots},
	} {
		t.Run(name, func(t *testing.T) {
			w, _ := newService(t)
			c.change(w)
			r := w.do(t, remotely)
			if r.Snapshot.Verdict != c.want || r.Snapshot.FetchedBy != "" || r.Body != nil {
				t.Errorf("got %+v", r.Snapshot)
			}
			if slices.ContainsFunc(w.gated, func(s string) bool { return strings.HasPrefix(s, "scrape") }) {
				t.Error("the service was asked")
			}
		})
	}
}

// A service follows redirects, and no gate is passed over by that.
func TestRemoteRedirects(t *testing.T) {
	for name, c := range map[string]struct {
		led   string
		admit func(string) error
		want  wstk.Verdict
		final string
	}{
		"on the host": {led: "https://tides.example/app/", want: wstk.VerdictOK,
			final: "https://tides.example/app/"},
		"on the host, to a page on a list": {led: "https://tides.example/hidden",
			want: wstk.VerdictRefusedPolicy, final: "https://tides.example/hidden"},
		"to another host": {led: "https://other.example/app", want: wstk.VerdictRefusedPolicy,
			final: app},
	} {
		t.Run(name, func(t *testing.T) {
			w, s := newService(t)
			w.Admit = func(url string) error {
				if strings.HasSuffix(url, "/hidden") {
					return wstk.Errorf(wstk.RefusedPolicy, "x", "on a list")
				}
				return nil
			}
			s.page.URL = c.led
			r := w.do(t, remotely)
			if r.Snapshot.Verdict != c.want || r.Snapshot.FinalURL != c.final ||
				(r.Body != nil) != (c.want == wstk.VerdictOK) {
				t.Errorf("got %+v", r.Snapshot)
			}
			if c.final == app && (len(r.Steps) == 0 || r.Steps[0].URL != c.led) {
				t.Errorf("the reader is not told how to go on: %+v", r.Steps)
			}
		})
	}
}

func TestRemoteBodiesAreBounded(t *testing.T) {
	w, s := newService(t)
	task := remotely
	task.MaxBytes = int64(len(s.page.Body))
	if v := w.do(t, task).Snapshot.Verdict; v != wstk.VerdictOK {
		t.Errorf("a body of exactly the bound is %s", v)
	}
	w, _ = newService(t)
	task.MaxBytes--
	if r := w.do(t, task); r.Snapshot.Verdict != wstk.VerdictTooLarge || r.Body != nil {
		t.Errorf("got %+v", r.Snapshot)
	}
	w, s = newService(t)
	s.page.Body = make([]byte, 5<<20+1)
	if r := w.do(t, remotely); r.Snapshot.Verdict != wstk.VerdictTooLarge {
		t.Errorf("without a bound: got %+v", r.Snapshot)
	}
}

// What the service fails with is an error with its code, and the page is not said to be bad.
func TestRemoteServiceThatFails(t *testing.T) {
	for _, code := range []wstk.Code{wstk.RateLimited, wstk.Unauthorized, wstk.Unavailable,
		wstk.HTTPError, wstk.Timeout, wstk.Network, wstk.TooLarge} {
		w, s := newService(t)
		failed := wstk.Errorf(code, "asking firecrawl_endpoint", "it answered badly")
		failed.RetryAfter = 7 * time.Second
		s.err = failed
		_, err := w.Do(t.Context(), remotely)
		if wstk.CodeOf(err) != code || wstk.RetryAfterOf(err) != 7*time.Second ||
			len(wstk.StepsOf(err)) == 0 || strings.Count(err.Error(), "asking") != 1 {
			t.Errorf("%s: %v, next %v", code, err, wstk.StepsOf(err))
		}
		if list, err := w.mem.Snapshots.List(t.Context(), app, 9); err != nil || len(list) > 0 {
			t.Errorf("%s: stored %v, %v", code, list, err)
		}
	}
	w, s := newService(t)
	s.info = wstk.ProviderInfo{ID: "firecrawl_endpoint", Reason: "no address is set"}
	_, err := w.Do(t.Context(), remotely)
	if wstk.CodeOf(err) != wstk.Unprocessable || len(w.gated) > 0 {
		t.Errorf("not set up: %v after %q", err, w.gated)
	}
	w.Scraper = nil
	if _, err := w.Do(t.Context(), remotely); wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("none: %v", err)
	}
	w, _ = newService(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.MayReach = func(context.Context, string, bool) error { cancel(); return nil }
	if _, err := w.Do(ctx, remotely); wstk.CodeOf(err) != wstk.Cancelled {
		t.Errorf("cancelled: %v", err)
	}
}

// A page of a crawl that a service handed over is another snapshot than the fetch before it,
// and keeps what the site said of its use.
func TestHandedOver(t *testing.T) {
	w, s := newService(t)
	rights := wstk.Rights{Signals: []wstk.UsageSignal{{Text: "ai-train=no"}}}
	before := wstk.Snapshot{FetchedAt: w.now(), Rights: &rights}
	s.page.URL = "https://tides.example/app/"
	task := wstk.FetchTask{URL: app, Run: "run"}
	got, err := w.HandedOver(t.Context(), task, before)
	if err != nil {
		t.Fatal(err)
	}
	w.check(t, got)
	r := got.Snapshot
	if r.FetchedBy != "firecrawl_endpoint" || r.Method != wstk.MethodRemote || r.Rights == nil ||
		len(r.Rights.Signals) != 1 || !r.FetchedAt.After(before.FetchedAt) || r.FinalURL != app ||
		r.Verdict != wstk.VerdictOK {
		t.Errorf("got %+v", r)
	}
	if want := []string{"reach " + app, "scrape " + app}; !slices.Equal(w.gated, want) {
		t.Errorf("asked %q, want %q", w.gated, want)
	}
	for status, code := range map[int]wstk.Code{404: wstk.NotFound, 403: wstk.Blocked, 500: wstk.HTTPError} {
		w, s := newService(t)
		s.page.Status = status
		if _, err := w.HandedOver(t.Context(), task, before); wstk.CodeOf(err) != code {
			t.Errorf("%d: %v", status, err)
		}
		if list, err := w.mem.Snapshots.List(t.Context(), app, 9); err != nil || len(list) > 0 {
			t.Errorf("%d: stored %v, %v", status, list, err)
		}
	}
}
