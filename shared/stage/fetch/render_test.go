package fetch_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/chrome"
	"wstk/shared/adapter/safehttp"
	"wstk/shared/stage/fetch"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// renderFunc is a scripted renderer.
type renderFunc func(ctx context.Context, q wstk.RenderRequest) (wstk.Rendering, error)

func (f renderFunc) Render(ctx context.Context, q wstk.RenderRequest) (wstk.Rendering, error) {
	return f(ctx, q)
}
func (renderFunc) Close() error { return nil }

// window goes from one document to the next, as a browser does: each is a URL, and its
// status unless that is 200.
func window(w *world, documents ...wstk.Redirect) renderFunc {
	return func(ctx context.Context, q wstk.RenderRequest) (wstk.Rendering, error) {
		w.note("render " + q.URL)
		var out wstk.Rendering
		for i, d := range documents {
			if i == 0 {
				d.URL = q.URL
			}
			out.FinalURL = d.URL
			if err := q.Admit(ctx, d.URL); err != nil {
				return out, err
			}
			w.note("shown " + d.URL)
			if i < len(documents)-1 {
				out.Redirects = append(out.Redirects, d)
				continue
			}
			out.Status, out.HTML = d.Status, []byte("<html><p>of "+d.URL)
			out.Headers = map[string]string{"content-type": "text/html; charset=koi8-r", "etag": `"x"`, "retry-after": "3"}
			if q.Screenshot {
				out.Screenshot = []byte("a picture of " + d.URL)
			}
		}
		return out, nil
	}
}

const page = "http://site.example/page"

func browserTask(url string) wstk.FetchTask {
	return wstk.FetchTask{URL: url, Follow: 3, Method: wstk.MethodBrowser}
}

func TestRenderedPageIsASnapshot(t *testing.T) {
	w := newWorld(t)
	w.Renderer = window(w, wstk.Redirect{Status: 200})
	task := browserTask(page + "#part")
	task.Render.Screenshot = true
	r := w.do(t, task)
	s := r.Snapshot
	if s.Method != wstk.MethodBrowser || s.Verdict != wstk.VerdictOK || s.Status != 200 ||
		s.FinalURL != page || string(r.Body) != "<html><p>of "+page {
		t.Errorf("got %+v with %q", s, r.Body)
	}
	if s.ContentType != "text/html" || s.Charset != "utf-8" || s.ETag != "" || s.Headers["content-type"] != "text/html; charset=koi8-r" {
		t.Errorf("the DOM is described as %s, %s, with ETag %q", s.ContentType, s.Charset, s.ETag)
	}
	if shot, err := w.mem.Blobs.Get(t.Context(), s.ScreenshotSHA256); err != nil ||
		string(shot) != "a picture of "+page {
		t.Errorf("the screenshot: %q, %v", shot, err)
	}
	if want := []string{"admit " + page, "robots " + page, "render " + page, "shown " + page}; !slices.Equal(w.gated, want) {
		t.Errorf("in order: %v, want %v", w.gated, want)
	}
}

// What the browser showed is stored beside the body, bound to it, and named by the snapshot.
func TestWhatTheBrowserShowedIsStored(t *testing.T) {
	w := newWorld(t)
	w.Renderer = renderFunc(
		func(ctx context.Context, q wstk.RenderRequest) (wstk.Rendering, error) {
			v := &wstk.Visibility{Engine: wstk.VisibilityEngine, Elements: 4,
				Unseen: []wstk.Unseen{{Element: 3, By: 2, Reason: "clip"}}}
			return wstk.Rendering{FinalURL: q.URL, Status: 200, HTML: []byte("<p>one<p>two"), Visibility: v}, nil
		})
	r := w.do(t, browserTask(page))
	stored, err := w.mem.Blobs.Get(t.Context(), r.Snapshot.VisibilitySHA256)
	if err != nil || string(stored) != string(r.Visibility) {
		t.Fatalf("stored %q, returned %q, %v", stored, r.Visibility, err)
	}
	v, err := wstk.DecodeVisibility(stored, r.Snapshot.BodySHA256)
	if err != nil || len(v.Unseen) != 1 || v.Unseen[0].Element != 3 {
		t.Errorf("got %+v, %v", v, err)
	}
	if _, err := wstk.DecodeVisibility(stored,
		wstk.HashOf([]byte("<p>another"))); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("a record of another body: %v", err)
	}
}

func TestRenderingTakesTheHostsTurn(t *testing.T) {
	w := newWorld(t)
	hosts := []string{"http://site.example", "http://other.example"}
	w.Renderer = renderFunc(
		func(ctx context.Context, q wstk.RenderRequest) (wstk.Rendering, error) {
			for i, url := range []string{q.URL, hosts[1] + "/"} {
				if err := q.Admit(ctx, url); err != nil {
					t.Error(err)
				}
				for j, host := range hosts {
					host = strings.TrimPrefix(host, "http://") + ":80"
					slot, err := w.mem.Hosts.Reserve(ctx, "http://"+host, w.now(), 0)
					if err != nil {
						t.Fatal(err)
					}
					err = w.mem.Hosts.Begin(ctx, "http://"+host, slot.Token, 0, time.Minute, 0)
					if busy := wstk.CodeOf(err) == wstk.Conflict; busy != (i == j) {
						t.Errorf("at %s, %s is busy: %v (%v)", url, host, busy, err)
					}
					if err == nil {
						w.mem.Hosts.End(ctx, "http://"+host, slot.Token)
					}
				}
			}
			return wstk.Rendering{FinalURL: hosts[1] + "/", Status: 200, HTML: []byte("x"),
				Redirects: []wstk.Redirect{{URL: q.URL, Status: 302}}}, nil
		})
	w.do(t, browserTask(page))
}

func TestRenderingFollowsThroughTheGates(t *testing.T) {
	const next = "https://other.example/next"
	for _, c := range []struct {
		name   string
		set    func(w *world, task *wstk.FetchTask)
		want   wstk.Verdict
		status int
		shown  bool
		to     string // Result.Redirect
	}{
		{"open", func(*world, *wstk.FetchTask) {}, wstk.VerdictOK, 200, true, ""},
		{"the caller's list", func(w *world, _ *wstk.FetchTask) {
			w.Admit = func(url string) error {
				if url == next {
					return wstk.Errorf(wstk.RefusedPolicy, "", "listed")
				}
				return nil
			}
		}, wstk.VerdictRefusedPolicy, 0, false, ""},
		{"robots.txt", func(w *world, _ *wstk.FetchTask) {
			w.Robots = func(
				_ context.Context, url, _ string, _ wstk.RobotsPolicy,
			) (fetch.RobotsDecision, error) {
				return fetch.RobotsDecision{Allowed: url != next}, nil
			}
		}, wstk.VerdictRefusedRobots, 0, false, ""},
		{"no redirects", func(_ *world, task *wstk.FetchTask) { task.Follow = 0 },
			wstk.VerdictHTTPError, 302, false, next},
	} {
		w := newWorld(t)
		w.Renderer = window(w, wstk.Redirect{Status: 302}, wstk.Redirect{URL: next, Status: 200})
		task := browserTask(page)
		c.set(w, &task)
		r := w.do(t, task)
		s := r.Snapshot
		if s.Verdict != c.want || s.Status != c.status || s.FinalURL != next ||
			r.Redirect != c.to || !slices.Equal(s.Redirects,
			[]wstk.Redirect{{URL: page, Status: 302}}) {
			t.Errorf("%s: got %+v, redirect to %q", c.name, s, r.Redirect)
		}
		if slices.Contains(w.gated, "shown "+next) != c.shown {
			t.Errorf("%s: %v, want %v", c.name, w.gated, c.shown)
		}
	}
}

func TestRenderedWalls(t *testing.T) {
	for status, want := range map[int]wstk.Verdict{403: wstk.VerdictBlocked,
		404: wstk.VerdictNotFound, 410: wstk.VerdictGone, 500: wstk.VerdictHTTPError} {
		w := newWorld(t)
		w.Renderer = window(w, wstk.Redirect{Status: status})
		if s := w.do(t, browserTask(page)).Snapshot; s.Verdict != want || s.BodySHA256 == "" {
			t.Errorf("status %d is %s, stored as %q", status, s.Verdict, s.BodySHA256)
		}
	}
}

func TestRenderingWaitsOutRetryAfter(t *testing.T) {
	w := newWorld(t)
	first := true
	w.Renderer = renderFunc(
		func(ctx context.Context, q wstk.RenderRequest) (wstk.Rendering, error) {
			if first {
				first = false
				return window(w, wstk.Redirect{Status: 302},
					wstk.Redirect{URL: "http://site.example/wait", Status: 429})(ctx, q)
			}
			return window(w, wstk.Redirect{Status: 200})(ctx, q)
		})
	s := w.do(t, browserTask(page)).Snapshot
	if s.Verdict != wstk.VerdictOK || s.FinalURL != page || len(s.Redirects) != 0 ||
		!slices.Contains(w.slept, 3*time.Second) {
		t.Errorf("got %+v after %v", s, w.slept)
	}
}

func TestRenderingThatFails(t *testing.T) {
	for _, code := range []wstk.Code{wstk.RefusedPolicy, wstk.RefusedAddress, wstk.TooLarge,
		wstk.Timeout, wstk.Network} {
		w := newWorld(t)
		w.Renderer = renderFunc(func(context.Context, wstk.RenderRequest) (wstk.Rendering, error) {
			return wstk.Rendering{FinalURL: "http://else.example/", Status: 200}, wstk.Errorf(code, "rendering", "why").Try(wstk.Advice("what"))
		})
		r := w.do(t, browserTask(page))
		if s := r.Snapshot; string(s.Verdict) != string(code) || s.Reason != "why" ||
			s.FinalURL != "http://else.example/" || s.Status != 0 || len(r.Steps) != 1 {
			t.Errorf("%s became %+v", code, s)
		}
	}
	for _, code := range []wstk.Code{wstk.Unavailable, wstk.Conflict, wstk.Invalid,
		wstk.UnsupportedMediaType} {
		w := newWorld(t)
		w.Renderer = renderFunc(func(context.Context, wstk.RenderRequest) (wstk.Rendering, error) {
			return wstk.Rendering{}, wstk.Errorf(code, "rendering", "why").Try(wstk.Advice("what"))
		})
		_, err := w.Do(t.Context(), browserTask(page))
		stored, _ := w.mem.Snapshots.List(t.Context(), page, 9)
		if wstk.CodeOf(err) != code || len(wstk.StepsOf(err)) != 1 || len(stored) != 0 {
			t.Errorf("%s became %v, with %d snapshots", code, err, len(stored))
		}
	}
	if _, err := newWorld(t).Do(t.Context(),
		browserTask(page)); wstk.CodeOf(err) != wstk.Unavailable || len(wstk.StepsOf(err)) == 0 {
		t.Errorf("without a browser: %v", err)
	}
	if _, err := newWorld(t).Do(t.Context(),
		wstk.FetchTask{URL: page, Method: wstk.MethodProvided}); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("another method: %v", err)
	}
}

func TestRenderingRespectsUsage(t *testing.T) {
	w := newWorld(t)
	w.Renderer = renderFunc(func(context.Context, wstk.RenderRequest) (wstk.Rendering, error) {
		return wstk.Rendering{FinalURL: page, Status: 200, HTML: []byte("x"),
			Screenshot: []byte("y"), Headers: map[string]string{"tdm-reservation": "1", "content-usage": "ai-input=n"}}, nil
	})
	task := browserTask(page)
	task.Usage = wstk.UsageRespect
	if s := w.do(t, task).Snapshot; s.Verdict != wstk.VerdictRefusedPolicy || s.BodySHA256 != "" ||
		s.ScreenshotSHA256 != "" {
		t.Errorf("got %+v", s)
	}
}

// TestRealBrowser joins the stage with a real browser behind a real gate.
func TestRealBrowser(t *testing.T) {
	if _, err := chrome.Find(""); err != nil {
		wstktest.Skip(t, err)
	}
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(rw, r, "/new", http.StatusMovedPermanently)
		case "/new":
			rw.Header().Set("Content-Type", "text/html")
			rw.Write([]byte(`<meta charset=iso-8859-1><p id=a></p><script>a.textContent = "h\u00e9llo " + "w\u00f6rld"; new Image().src = "http://169.254.169.254/x"</script>`))
		default:
			http.NotFound(rw, r)
		}
	}))
	t.Cleanup(site.Close)
	w := newWorld(t)
	client, err := safehttp.New(safehttp.Config{AllowPrivate: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	renderer, err := chrome.New(chrome.Config{Gate: func() (chrome.Gate, error) {
		return client.OpenGate(safehttp.GateOptions{})
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { renderer.Close() })
	w.Renderer = renderer
	task := browserTask(site.URL + "/old")
	task.Render.Screenshot = true
	r := w.do(t, task)
	s := r.Snapshot
	if s.Verdict != wstk.VerdictOK || s.FinalURL != site.URL+"/new" || len(s.Redirects) != 1 ||
		s.ScreenshotSHA256 == "" || !strings.Contains(string(r.Body), "<p id=\"a\">héllo wörld</p>") {
		t.Errorf("got %+v, %s", s, r.Body)
	}
	if want := []string{"admit " + task.URL, "robots " + task.URL, "admit " + s.FinalURL,
		"robots " + s.FinalURL}; !slices.Equal(w.gated, want) {
		t.Errorf("in order: %v", w.gated)
	}
	if !slices.ContainsFunc(s.Warnings, func(x wstk.Warning) bool {
		return x.Code == "hosts_refused" && strings.Contains(x.Message, "169.254.169.254")
	}) {
		t.Errorf("warned of %v", s.Warnings)
	}
}
