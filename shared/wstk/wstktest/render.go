package wstktest

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"wstk/shared/wstk"
)

// RendererOptions are what the suite asks of a wstk.Renderer for one test.
type RendererOptions struct {
	Timeout time.Duration // for one page
	Product string        // joined to the browser's own User-Agent
}

// What a page may take on a machine that is busy with other tests, and what a page gets
// that would take for ever.
const (
	renderTime     = time.Minute
	renderPatience = 6 * time.Second
)

// Renderer checks what wstk.Renderer promises, against a site on loopback that the suite
// starts. What open returns reaches loopback, and no other closed address.
func Renderer(t *testing.T, open func(t *testing.T, o RendererOptions) wstk.Renderer) {
	s := rendererSuite{newRenderSite(t),
		open(t, RendererOptions{Timeout: renderTime, Product: "suite/1"}), open}
	t.Run("ScriptsHaveRun", s.scriptsHaveRun)
	t.Run("StatusIsARendering", s.statusIsARendering)
	t.Run("HeadersAreToldWithoutCookies", s.headersAreToldWithoutCookies)
	t.Run("NothingStaysForTheNextPage", s.nothingStaysForTheNextPage)
	t.Run("RedirectsAreTold", s.redirectsAreTold)
	t.Run("AdmitIsAskedForEachDocument", s.admitIsAskedForEachDocument)
	t.Run("WaitsForASelector", s.waitsForASelector)
	t.Run("SelectorThatNeverComesIsAWarning", s.selectorThatNeverComesIsAWarning)
	t.Run("SelectorThatIsNoneIsInvalid", s.selectorThatIsNoneIsInvalid)
	t.Run("WaitsForTheNetwork", s.waitsForTheNetwork)
	t.Run("WaitsAsLongAsAsked", s.waitsAsLongAsAsked)
	t.Run("PageThatIsNeverDoneIsShown", s.pageThatIsNeverDoneIsShown)
	t.Run("NoAnswerIsTimeout", s.noAnswerIsTimeout)
	t.Run("CancelIsCancelled", s.cancelIsCancelled)
	t.Run("LoopsEndAndTheNextPageWorks", s.loopsEndAndTheNextPageWorks)
	t.Run("DialogsAreClosed", s.dialogsAreClosed)
	t.Run("OtherWindowsAreNotOpened", s.otherWindowsAreNotOpened)
	t.Run("DOMBeyondTheCapIsTooLarge", s.domBeyondTheCapIsTooLarge)
	t.Run("ShadowRootsStandWhereTheyAreShown", s.shadowRootsStandWhereTheyAreShown)
	t.Run("DOMIsUTF8WhateverThePageSays", s.domIsUTF8WhateverThePageSays)
	t.Run("FramesAndWorkersAreHarmless", s.framesAndWorkersAreHarmless)
	t.Run("WebSocketsGoThrough", s.webSocketsGoThrough)
	t.Run("ClosedAddressesAreRefusedAndTold", s.closedAddressesAreRefusedAndTold)
	t.Run("OtherSchemesAreRefused", s.otherSchemesAreRefused)
	t.Run("DownloadsAreUnsupported", s.downloadsAreUnsupported)
	t.Run("PlainTextIsShown", s.plainTextIsShown)
	t.Run("NoConnectionIsNetwork", s.noConnectionIsNetwork)
	t.Run("ScreenshotShowsTheWholePage", s.screenshotShowsTheWholePage)
	t.Run("NamesItselfAsAsked", s.namesItselfAsAsked)
	t.Run("ManyAtOnce", s.manyAtOnce)
	t.Run("ClosedIsUnavailable", s.closedIsUnavailable)
}

type rendererSuite struct {
	site *renderSite
	r    wstk.Renderer // one for all sub-tests that open none of their own
	open func(t *testing.T, o RendererOptions) wstk.Renderer
}

func (s rendererSuite) render(t *testing.T, q wstk.RenderRequest) wstk.Rendering {
	t.Helper()
	q.URL = s.site.url + q.URL
	out, err := s.r.Render(t.Context(), q)
	if err != nil {
		t.Fatalf("%s: %v (%s); want err == nil", q.URL, err, wstk.CodeOf(err))
	}
	if !utf8.Valid(out.HTML) {
		t.Errorf("%s: the DOM is not UTF-8", q.URL)
	}
	return out
}

func (s rendererSuite) within(
	t *testing.T, d time.Duration, q wstk.RenderRequest,
) (wstk.Rendering, error) {
	t.Helper()
	q.URL = s.site.url + q.URL
	ctx, stop := context.WithTimeout(t.Context(), d)
	defer stop()
	began := time.Now()
	out, err := s.r.Render(ctx, q)
	if took := time.Since(began); took > d+15*time.Second {
		t.Errorf("%s took %s, and had %s", q.URL, took, d)
	}
	return out, err
}

func (s rendererSuite) scriptsHaveRun(t *testing.T) {
	out := s.render(t, wstk.RenderRequest{URL: "/script"})
	renderHas(t, out, "made by a script", "and by its request: from the site")
	renderHasNot(t, out, "needs scripts")
	if out.Status != 200 || out.FinalURL != s.site.url+"/script" || len(out.Redirects) != 0 ||
		out.Duration <= 0 {
		t.Errorf("got %d %s %v in %s", out.Status, out.FinalURL, out.Redirects, out.Duration)
	}
	if !bytes.HasPrefix(bytes.ToLower(out.HTML), []byte("<!doctype html><html")) {
		t.Errorf("the DOM begins with %.40q", out.HTML)
	}
}

func (s rendererSuite) statusIsARendering(t *testing.T) {
	for _, status := range []int{401, 403, 404, 410, 429, 500, 503} {
		out := s.render(t, wstk.RenderRequest{URL: fmt.Sprintf("/status/%d", status)})
		if out.Status != status {
			t.Errorf("got status %d, want %d", out.Status, status)
		}
		renderHas(t, out, fmt.Sprintf("this is %d", status))
	}
	for _, status := range []int{204, 404, 500} {
		out := s.render(t, wstk.RenderRequest{URL: fmt.Sprintf("/status/%d?empty", status)})
		if out.Status != status || len(out.HTML) != 0 {
			t.Errorf("got status %d with %q, want %d without a body", out.Status, out.HTML, status)
		}
	}
}

func (s rendererSuite) headersAreToldWithoutCookies(t *testing.T) {
	out := s.render(t, wstk.RenderRequest{URL: "/cookie"})
	if out.Headers["x-page"] != "yes" ||
		!strings.HasPrefix(out.Headers["content-type"], "text/html") {
		t.Errorf("headers are %v", out.Headers)
	}
	for name, value := range out.Headers {
		if strings.Contains(value, "crumb") {
			t.Errorf("the header %s holds a cookie", name)
		}
	}
}

func (s rendererSuite) nothingStaysForTheNextPage(t *testing.T) {
	s.render(t, wstk.RenderRequest{URL: "/cookie"})
	renderHas(t, s.render(t, wstk.RenderRequest{URL: "/cookie"}), "cookies: none; storage: none")
}

func (s rendererSuite) redirectsAreTold(t *testing.T) {
	for path, status := range map[string]int{"/redirect": 302, "/moved-by-script": 200,
		"/moved-by-meta": 200} {
		out := s.render(t, wstk.RenderRequest{URL: path})
		renderHas(t, out, "made by a script")
		want := []wstk.Redirect{{URL: s.site.url + path, Status: status}}
		if out.FinalURL != s.site.url+"/script" || out.Status != 200 ||
			!slices.Equal(out.Redirects, want) {
			t.Errorf("%s: ended at %s with %d over %v, want %v", path, out.FinalURL, out.Status,
				out.Redirects, want)
		}
	}
	for _, path := range []string{"/circle", "/endless-scripts/0"} {
		if _, err := s.r.Render(t.Context(),
			wstk.RenderRequest{URL: s.site.url + path}); wstk.CodeOf(err) != wstk.Network {
			t.Errorf("%s: %v (%s), want network", path, err, wstk.CodeOf(err))
		}
	}
}

func (s rendererSuite) admitIsAskedForEachDocument(t *testing.T) {
	for _, path := range []string{"/redirect", "/moved-by-script"} {
		var asked []string
		no := wstk.Errorf(wstk.RefusedRobots, "checking", "not there")
		q := wstk.RenderRequest{URL: s.site.url + path,
			Admit: func(_ context.Context, url string) error {
				asked = append(asked, url)
				if strings.HasSuffix(url, "/script") {
					return no
				}
				return nil
			}}
		before := s.site.count("/script")
		out, err := s.r.Render(t.Context(), q)
		if wstk.CodeOf(err) != wstk.RefusedRobots ||
			!slices.Equal(asked, []string{s.site.url + path, s.site.url + "/script"}) {
			t.Errorf("%s: asked for %v, got %v", path, asked, err)
		}
		if out.FinalURL != s.site.url+"/script" || len(out.Redirects) != 1 ||
			out.Redirects[0].URL != s.site.url+path || s.site.count("/script") != before {
			t.Errorf("%s: the window went to %s over %v, and the site saw %d requests", path,
				out.FinalURL, out.Redirects, s.site.count("/script")-before)
		}
	}
}

func (s rendererSuite) waitsForASelector(t *testing.T) {
	out := s.render(t, wstk.RenderRequest{URL: "/late", WaitFor: "p.late > b"})
	renderHas(t, out, "late at last")
	renderWarned(t, out)
}

func (s rendererSuite) selectorThatNeverComesIsAWarning(t *testing.T) {
	out, err := s.within(t, renderPatience, wstk.RenderRequest{URL: "/script", WaitFor: "#never"})
	if err != nil {
		t.Fatal(err)
	}
	renderHas(t, out, "made by a script")
	renderWarned(t, out, "selector_missing")
}

func (s rendererSuite) selectorThatIsNoneIsInvalid(t *testing.T) {
	if _, err := s.within(t, renderPatience,
		wstk.RenderRequest{URL: "/script", WaitFor: "p:::("}); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("got %v (%s)", err, wstk.CodeOf(err))
	}
}

func (s rendererSuite) waitsForTheNetwork(t *testing.T) {
	renderHas(t, s.render(t, wstk.RenderRequest{URL: "/chain", WaitFor: wstk.NetworkIdle}),
		"chain of 3 ended")
}

func (s rendererSuite) waitsAsLongAsAsked(t *testing.T) {
	renderHas(t, s.render(t, wstk.RenderRequest{URL: "/late", Wait: 1500 * time.Millisecond}),
		"late at last")
}

func (s rendererSuite) pageThatIsNeverDoneIsShown(t *testing.T) {
	atOnce([]string{"/stuck-image", "/stuck-body"}, func(path string) {
		out, err := s.within(t, renderPatience, wstk.RenderRequest{URL: path})
		if err != nil {
			t.Errorf("%s: %v; want err == nil", path, err)
			return
		}
		renderHas(t, out, "text before what is stuck")
		renderWarned(t, out, "not_settled")
	})
}

func (s rendererSuite) noAnswerIsTimeout(t *testing.T) {
	if _, err := s.within(t, time.Second,
		wstk.RenderRequest{URL: "/silent"}); wstk.CodeOf(err) != wstk.Timeout {
		t.Errorf("got %v (%s)", err, wstk.CodeOf(err))
	}
}

func (s rendererSuite) cancelIsCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(500*time.Millisecond, stop)
	began := time.Now()
	_, err := s.r.Render(ctx, wstk.RenderRequest{URL: s.site.url + "/silent"})
	if wstk.CodeOf(err) != wstk.Cancelled || time.Since(began) > 15*time.Second {
		t.Errorf("got %v (%s) after %s", err, wstk.CodeOf(err), time.Since(began))
	}
}

func (s rendererSuite) loopsEndAndTheNextPageWorks(t *testing.T) {
	atOnce([]string{"/loop", "/loop-again", "/alerts"}, func(path string) {
		out, err := s.within(t, renderPatience, wstk.RenderRequest{URL: path})
		if err == nil {
			var codes []string
			for _, w := range out.Warnings {
				codes = append(codes, w.Code)
			}
			if !slices.Contains(codes, "not_settled") {
				t.Errorf("%s: warned of %v", path, codes)
			}
		} else if wstk.CodeOf(err) != wstk.Timeout {
			t.Errorf("%s: %v (%s); want wstk.CodeOf(err) == wstk.Timeout", path,
				err, wstk.CodeOf(err))
		}
	})
	renderHas(t, s.render(t, wstk.RenderRequest{URL: "/script"}), "made by a script")
}

func (s rendererSuite) dialogsAreClosed(t *testing.T) {
	out := s.render(t, wstk.RenderRequest{URL: "/dialogs"})
	renderHas(t, out, "alert undefined, confirm false, prompt null")
	renderWarned(t, out, "dialog_closed")
}

func (s rendererSuite) otherWindowsAreNotOpened(t *testing.T) {
	out := s.render(t, wstk.RenderRequest{URL: "/popup", Wait: 500 * time.Millisecond})
	renderHas(t, out, "the opener stays")
}

func (s rendererSuite) domBeyondTheCapIsTooLarge(t *testing.T) {
	for _, q := range []wstk.RenderRequest{{URL: "/huge"}, {URL: "/script", MaxBytes: 100}} {
		q.URL = s.site.url + q.URL
		if _, err := s.r.Render(t.Context(), q); wstk.CodeOf(err) != wstk.TooLarge {
			t.Errorf("%s: %v (%s); want wstk.CodeOf(err) == wstk.TooLarge", q.URL,
				err, wstk.CodeOf(err))
		}
	}
	renderHas(t, s.render(t, wstk.RenderRequest{URL: "/huge", MaxBytes: 30 << 20}), "row 2999")
}

func (s rendererSuite) shadowRootsStandWhereTheyAreShown(t *testing.T) {
	out := s.render(t, wstk.RenderRequest{URL: "/shadow"})
	text := string(out.HTML)
	var last int
	for _, want := range []string{"before", "shadow head", "slotted text", "shadow foot",
		"deep shadow", "after"} {
		at := strings.Index(text, want)
		if at < last {
			t.Errorf("%q stands at %d, after what stands at %d: %s", want, at, last, text)
		}
		last = at
	}
	renderHasNot(t, out, "not-for-the-page")
}

func (s rendererSuite) domIsUTF8WhateverThePageSays(t *testing.T) {
	renderHas(t, s.render(t, wstk.RenderRequest{URL: "/cyrillic"}), "привет, мир")
}

func (s rendererSuite) framesAndWorkersAreHarmless(t *testing.T) {
	renderHas(t, s.render(t, wstk.RenderRequest{URL: "/frame"}), "beside the frame")
	if s.site.count("/framed") != 1 {
		t.Errorf("the frame was asked for %d times", s.site.count("/framed"))
	}
	renderHas(t, s.render(t, wstk.RenderRequest{URL: "/worker", WaitFor: "#done"}), "worker: ready")
}

func (s rendererSuite) webSocketsGoThrough(t *testing.T) {
	renderHas(t, s.render(t, wstk.RenderRequest{URL: "/socket", WaitFor: "#done"}), "socket: hello")
}

func (s rendererSuite) closedAddressesAreRefusedAndTold(t *testing.T) {
	out := s.render(t, wstk.RenderRequest{URL: "/nosy", WaitFor: "#done"})
	renderHas(t, out, "reached 0 of 4")
	if !slices.Equal(out.Refused, []string{"169.254.169.254"}) {
		t.Errorf("refused are %v", out.Refused)
	}
	for _, url := range []string{"http://169.254.169.254/latest/meta-data/", "http://192.0.2.1/", "https://[fe80::1]/"} {
		if _, err := s.r.Render(t.Context(),
			wstk.RenderRequest{URL: url}); wstk.CodeOf(err) != wstk.RefusedAddress {
			t.Errorf("%s: %v (%s); want wstk.CodeOf(err) == wstk.RefusedAddress", url,
				err, wstk.CodeOf(err))
		}
	}
	if _, err := s.r.Render(t.Context(), wstk.RenderRequest{URL: s.site.url +
		"/to-metadata"}); wstk.CodeOf(err) != wstk.RefusedAddress {
		t.Errorf("a redirect there: %v (%s)", err, wstk.CodeOf(err))
	}
}

func (s rendererSuite) otherSchemesAreRefused(t *testing.T) {
	for _, url := range []string{"file:///etc/passwd", "data:text/html,x", "chrome://version",
		"view-source:" + s.site.url + "/script", "javascript:1", "about:blank", "ftp://127.0.0.1/", ""} {
		if _, err := s.r.Render(t.Context(),
			wstk.RenderRequest{URL: url}); wstk.CodeOf(err) != wstk.RefusedPolicy {
			t.Errorf("%q: %v (%s); want wstk.CodeOf(err) == wstk.RefusedPolicy", url,
				err, wstk.CodeOf(err))
		}
	}
	for _, scheme := range []string{"file", "chrome", "data"} {
		out, err := s.r.Render(t.Context(),
			wstk.RenderRequest{URL: s.site.url + "/redirect-to/" + scheme})
		if c := wstk.CodeOf(err); c != wstk.RefusedPolicy && c != wstk.Network {
			t.Errorf("a redirect to %s: %v (%s), %s", scheme, err, c, out.HTML)
		}
	}
	out := s.render(t, wstk.RenderRequest{URL: "/leaves", Wait: 500 * time.Millisecond})
	renderHas(t, out, "still here")
	renderHasNot(t, out, "root:x:0")
}

func (s rendererSuite) downloadsAreUnsupported(t *testing.T) {
	for _, path := range []string{"/attachment", "/octets", "/pdf", "/picture"} {
		_, err := s.r.Render(t.Context(), wstk.RenderRequest{URL: s.site.url + path})
		if wstk.CodeOf(err) != wstk.UnsupportedMediaType || len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%s: %v (%s); want wstk.CodeOf(err) == wstk.UnsupportedMediaType && "+
				"len(wstk.StepsOf(err)) != 0", path, err, wstk.CodeOf(err))
		}
	}
	out := s.render(t, wstk.RenderRequest{URL: "/downloads", Wait: 500 * time.Millisecond})
	renderHas(t, out, "still here")
	renderWarned(t, out, "download_refused")
}

func (s rendererSuite) plainTextIsShown(t *testing.T) {
	renderHas(t, s.render(t, wstk.RenderRequest{URL: "/plain"}), "plain &lt;text&gt;")
}

func (s rendererSuite) noConnectionIsNetwork(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	for _, url := range []string{"http://" + l.Addr().String() + "/", s.site.url + "/hangs-up"} {
		if _, err := s.r.Render(t.Context(),
			wstk.RenderRequest{URL: url}); wstk.CodeOf(err) != wstk.Network {
			t.Errorf("%s: %v (%s); want wstk.CodeOf(err) == wstk.Network", url,
				err, wstk.CodeOf(err))
		}
	}
}

func (s rendererSuite) screenshotShowsTheWholePage(t *testing.T) {
	if out := s.render(t, wstk.RenderRequest{URL: "/tall?3000"}); out.Screenshot != nil {
		t.Error("a picture that was not asked for")
	}
	for height, cut := range map[int]bool{3000: false, 50_000: true} {
		out := s.render(t, wstk.RenderRequest{URL: fmt.Sprintf("/tall?%d", height),
			Screenshot: true})
		pic, err := png.DecodeConfig(bytes.NewReader(out.Screenshot))
		if err != nil {
			t.Fatal(err)
		}
		if pic.Width < 600 || pic.Width > 4096 || pic.Height < 3000 || pic.Height > 17_000 {
			t.Errorf("%d high: the picture is %d × %d", height, pic.Width, pic.Height)
		}
		if cut {
			renderWarned(t, out, "screenshot_cut")
		}
	}
}

func (s rendererSuite) namesItselfAsAsked(t *testing.T) {
	out := s.render(t, wstk.RenderRequest{URL: "/who"})
	renderHas(t, out, " suite/1;", "webdriver true")
	out = s.render(t, wstk.RenderRequest{URL: "/who", UserAgent: "Other/2",
		AcceptLanguage: "de-CH,de"})
	renderHas(t, out, "agent Other/2;", "language de-CH,de")
}

func (s rendererSuite) manyAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			out, err := s.r.Render(t.Context(),
				wstk.RenderRequest{URL: fmt.Sprintf("%s/number?%d", s.site.url, i)})
			if want := fmt.Sprintf("number %d.", i); err != nil ||
				!bytes.Contains(out.HTML, []byte(want)) {
				t.Errorf("%d: %v, %s; want err == nil && bytes.Contains(out.HTML, []byte(want))",
					i, err, out.HTML)
			}
		})
	}
	wg.Wait()
}

func (s rendererSuite) closedIsUnavailable(t *testing.T) {
	r := s.open(t, RendererOptions{Timeout: renderTime})
	done := make(chan error)
	go func() {
		_, err := r.Render(context.Background(), wstk.RenderRequest{URL: s.site.url + "/silent"})
		done <- err
	}()
	time.Sleep(time.Second)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("a page in the middle: %v (%s)", err, wstk.CodeOf(err))
	}
	if _, err := r.Render(t.Context(),
		wstk.RenderRequest{URL: s.site.url + "/script"}); wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("a page after: %v (%s)", err, wstk.CodeOf(err))
	}
	if err := r.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

// atOnce does something for each path, all at the same time.
func atOnce(paths []string, do func(path string)) {
	var wg sync.WaitGroup
	for _, path := range paths {
		wg.Go(func() { do(path) })
	}
	wg.Wait()
}

func renderHas(t *testing.T, out wstk.Rendering, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !bytes.Contains(out.HTML, []byte(want)) {
			t.Errorf("the DOM lacks %q: %.2000s", want, out.HTML)
		}
	}
}

func renderHasNot(t *testing.T, out wstk.Rendering, word string) {
	t.Helper()
	if bytes.Contains(out.HTML, []byte(word)) {
		t.Errorf("the DOM has %q: %.2000s", word, out.HTML)
	}
}

// renderWarned checks the warnings about the page: those named, and none beside them
// but of a browser that has no sandbox.
func renderWarned(t *testing.T, out wstk.Rendering, codes ...string) {
	t.Helper()
	var got []string
	for _, w := range out.Warnings {
		if w.Message == "" {
			t.Errorf("the warning %s says nothing", w.Code)
		}
		if w.Code != "no_sandbox" {
			got = append(got, w.Code)
		}
	}
	if !slices.Equal(got, codes) {
		t.Errorf("warned of %v, want %v", got, codes)
	}
}

// renderSite counts what it is asked for.
type renderSite struct {
	url  string
	mu   sync.Mutex
	seen map[string]int
}

func (s *renderSite) count(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[path]
}

// renderPages are the pages that are the same for all renderers.
var renderPages = map[string]string{
	"/script": `<p id=a></p><p id=b></p><noscript>needs scripts</noscript>
<script>a.textContent = "made by " + "a script"; fetch("/words").then(r => r.text()).then(t => b.textContent = "and by its request: " + t)</script>`,
	"/moved-by-script": `<script>location.replace("/script")</script>on the way`,
	"/moved-by-meta":   `<meta http-equiv=refresh content="0; url=/script">on the way`,
	"/late":            `<script>setTimeout(() => document.body.innerHTML = "<p class=late><b>late" + " at last</b>", 1000)</script>`,
	"/chain": `<p id=a></p><script>let n = 0; const next = () => fetch("/slow").then(() => ++n < 3 ? setTimeout(next, 300) :
a.textContent = "chain of " + n + " ended"); next()</script>`,
	"/stuck-image": `<p>text before what is stuck</p><img src=/silent>`,
	"/loop":        `<p>text before the loop</p><script>while (true) {}</script>`,
	"/loop-again":  `<p>text</p><script>setInterval(() => { while (true) {} }, 1); Promise.resolve().then(function f() { return Promise.resolve().then(f) })</script>`,
	"/alerts":      `<p>text</p><script>while (true) alert("again")</script>`,
	"/dialogs": `<p id=a></p><script>onbeforeunload = () => "stay";
a.textContent = "alert " + alert("x") + ", confirm " + confirm("x") + ", prompt " + prompt("x")</script>`,
	"/popup": `<p>the opener stays</p><script>open("/script"); open("/script", "_blank", "noopener"); document.write("<a href=/script target=_blank id=l>l</a>"); l.click()</script>`,
	"/huge":  `<p id=a></p><script>let s = ""; for (let i = 0; i < 3000; i++) s += "<p hidden>row " + i + " and more words".repeat(150); a.innerHTML = s</script>`,
	"/shadow": `<p>before</p><x-host><b>slotted text</b></x-host><p>after</p><script>
customElements.define("x-host", class extends HTMLElement { constructor() { super();
this.attachShadow({mode: "open"}).innerHTML = "<style>.not-for-" + "the-page {}</style><i>shadow head</i><slot></slot><i>shadow foot</i><div id=d></div>";
this.shadowRoot.getElementById("d").attachShadow({mode: "open"}).innerHTML = "deep shadow" } })</script>`,
	"/frame":  `<p>beside the frame</p><iframe src=/framed></iframe><iframe src="data:text/html,x"></iframe><iframe src="about:blank"></iframe>`,
	"/framed": `<p>in the frame</p>`,
	"/worker": `<script>navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then(() => document.body.innerHTML =
"<p id=done>worker: ready", e => document.body.innerHTML = "<p id=done>worker: " + e)</script><body>`,
	"/socket": `<body><script>const s = new WebSocket("ws://" + location.host + "/socket.ws"); s.onmessage = e => document.body.innerHTML = "<p id=done>socket: " + e.data;
s.onerror = () => document.body.innerHTML = "<p id=done>socket: broken"</script>`,
	"/nosy": `<body><script>const at = "169.254.169.254", tries = [fetch("http://" + at + "/a", {mode: "no-cors"}), fetch("https://" + at + "/b", {mode: "no-cors"}),
new Promise((yes, no) => { const s = new WebSocket("ws://" + at + "/c"); s.onopen = yes; s.onerror = no }),
new Promise((yes, no) => { const i = new Image; i.onload = yes; i.onerror = no; i.src = "http://" + at + "/d.png" })];
Promise.allSettled(tries).then(all => document.body.innerHTML = "<p id=done>reached " + all.filter(x => x.status == "fulfilled").length + " of " + all.length)</script>`,
	"/leaves": `<p>still here</p><a href="file:///etc/passwd" id=f>f</a><iframe src="file:///etc/passwd"></iframe><script>
for (const u of ["file:///etc/passwd", "chrome://version", "data:text/html,gone", "view-source:" + location]) { try { location.href = u } catch {} }
f.click(); try { open("file:///etc/passwd", "_self") } catch {}</script>`,
	"/downloads": `<p>still here</p><a href=/attachment download id=d>d</a><script>onload = () => d.click()</script>`,
}

func newRenderSite(t *testing.T) *renderSite {
	s := &renderSite{seen: map[string]int{}}
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.seen[r.URL.Path]++
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if page, ok := renderPages[r.URL.Path]; ok {
			io.WriteString(w, "<!doctype html>"+page)
			return
		}
		s.answer(w, r, over)
	}))
	t.Cleanup(func() {
		close(over)
		server.CloseClientConnections()
		server.Close()
	})
	s.url = server.URL
	return s
}

// answer serves what is not just a page. It lets no request live after over.
func (s *renderSite) answer(w http.ResponseWriter, r *http.Request, over <-chan struct{}) {
	if reply := renderReplies[r.URL.Path]; reply != nil {
		reply(w, r)
		return
	}
	var n int
	switch path := r.URL.Path; {
	case path == "/stuck-body":
		fmt.Fprint(w, "<p>text before what is stuck</p>"+strings.Repeat(" ", 4096))
		w.(http.Flusher).Flush()
		fallthrough
	case path == "/silent":
		select {
		case <-over:
		case <-r.Context().Done():
		}
	case numbered(path, "/endless-scripts/%d", &n):
		fmt.Fprintf(w, `<script>location.href = "/endless-scripts/%d"</script>`, n+1)
	case numbered(path, "/status/%d", &n):
		w.WriteHeader(n)
		if r.URL.RawQuery != "empty" {
			fmt.Fprintf(w, "<p>this is %d</p>", n)
		}
	default:
		http.NotFound(w, r)
	}
}

// numbered reads the number of a path such as /status/404.
func numbered(path, format string, n *int) bool {
	_, err := fmt.Sscanf(path, format, n)
	return err == nil
}

// renderReplies are the replies of the site that need more than markup, by path.
var renderReplies = map[string]http.HandlerFunc{
	"/words": func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "from the site")
	},
	"/slow": func(http.ResponseWriter, *http.Request) {
		time.Sleep(300 * time.Millisecond)
	},
	"/redirect":           redirectTo("/script"),
	"/circle":             redirectTo("/circle"),
	"/to-metadata":        redirectTo("http://169.254.169.254/"),
	"/redirect-to/file":   redirectTo("file:///etc/passwd"),
	"/redirect-to/chrome": redirectTo("chrome://version"),
	"/redirect-to/data":   redirectTo("data:text/html,gone"),
	"/cookie":             renderCookie,
	"/socket.ws":          renderSocket,
	"/cyrillic": typed("text/html",
		"<meta charset=windows-1251><p>\xef\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0</p>"),
	"/worker.js": typed("text/javascript",
		`onfetch = e => e.respondWith(new Response("from the worker"))`),
	"/octets":  typed("application/octet-stream", "\x00\x01\x02"),
	"/pdf":     typed("application/pdf", "%PDF-1.4\n%%EOF"),
	"/picture": typed("image/gif", "GIF89a"),
	"/plain":   typed("text/plain", "plain <text>"),
	"/attachment": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=x.html")
		fmt.Fprint(w, "saved")
	},
	"/hangs-up": func(w http.ResponseWriter, _ *http.Request) {
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			conn.Close()
		}
	},
	"/tall": func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<body style="margin:0"><div style="height:%spx;`+
			`background:linear-gradient(red,blue)">tall</div>`, r.URL.RawQuery)
	},
	"/number": func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<p id=a></p><script>`+
			`a.textContent = "number " + location.search.slice(1) + "."</script>`)
	},
	"/who": func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<p id=a></p><script>a.textContent = %q + navigator.webdriver</script>`,
			"agent "+r.UserAgent()+"; language "+r.Header.Get("Accept-Language")+"; webdriver ")
	},
}

// redirectTo answers with a redirect, without a body.
func redirectTo(location string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", location)
		w.WriteHeader(http.StatusFound)
	}
}

// typed answers with a body of this media type.
func typed(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, body)
	}
}

// renderCookie shows whether the page came with cookies and finds something stored.
func renderCookie(w http.ResponseWriter, r *http.Request) {
	cookie := "none"
	if len(r.Cookies()) > 0 {
		cookie = "some"
	}
	w.Header().Set("X-Page", "yes")
	http.SetCookie(w, &http.Cookie{Name: "c", Value: "crumb"})
	fmt.Fprintf(w, `<p id=a></p><script>a.textContent = "cookies: %s; storage: " + `+
		`(localStorage.x || "none"); localStorage.x = "some"</script>`, cookie)
}

// renderSocket opens a web socket, says hello, and closes it.
func renderSocket(w http.ResponseWriter, r *http.Request) {
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") +
		"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "+
		"Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n\x81\x05hello",
		base64.StdEncoding.EncodeToString(sum[:]))
	conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	io.Copy(io.Discard, conn)
}
