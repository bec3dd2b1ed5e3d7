package local_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/apptest"
	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// browserOf renders what render says, and counts how often it is asked.
type browserOf struct {
	render func(wstk.RenderRequest) (wstk.Rendering, error)
	asked  atomic.Int32
}

func (b *browserOf) Render(
	ctx context.Context, r wstk.RenderRequest,
) (wstk.Rendering, error) {
	b.asked.Add(1)
	if err := r.Admit(ctx, r.URL); err != nil {
		return wstk.Rendering{}, err
	}
	return b.render(r)
}

func (b *browserOf) Close() error { return nil }

func (b *browserOf) Find() (string, error) { return "made up", nil }

func (b *browserOf) SystemProfile() (string, error) { return "", nil }

// pump is a page after its scripts ran.
func pump(r wstk.RenderRequest) (wstk.Rendering, error) {
	return wstk.Rendering{FinalURL: r.URL, Status: 200, HTML: []byte(page("P-9",
		"<p>The P-9 pump moves forty litres a minute, and it does so for years.</p>"))}, nil
}

const emptyShell = `<!doctype html><html><head><title>App</title></head><body><div id="root"></div>` +
	`<noscript>You need to enable JavaScript to run this app.</noscript><script src="/main.js"></script></body></html>`

// shells serves a front page, a page that needs a browser, and one like it that says noindex.
func shells(t *testing.T) string {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			w.Write([]byte(page("Pumps", `<p>Pumps for wells and for cellars, made in the valley since 1921.</p>`+
				`<a href="/app">app</a> <a href="/kept">kept</a>`)))
		case "/app":
			w.Write([]byte(emptyShell))
		case "/kept":
			w.Header().Set("X-Robots-Tag", "noindex")
			w.Write([]byte(emptyShell))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// crawledShells crawls the shells with a browser, if it is asked to.
func crawledShells(t *testing.T, b *browserOf, renders bool) (crawling.IngestResult, *app.App) {
	t.Helper()
	c := testConfig(t)
	c.Crawl.Render = renders
	c.Origin = map[string]string{"crawl.render": "flag"}
	a := open(t, c)
	apptest.Change(a, func(h *app.Home) { h.Fetch.Renderer, h.Browser = b, b })
	res, err := a.Crawling.Ingest(t.Context(), crawling.IngestRequest{URL: shells(t) + "/"})
	if err != nil {
		t.Fatal(err)
	}
	return res, a
}

// A page that needs a browser is rendered once, if the crawl renders pages, and read as others
// are. What the site keeps out is not rendered.
func TestACrawlRendersWhatNeedsIt(t *testing.T) {
	b := &browserOf{render: pump}
	res, a := crawledShells(t, b, true)
	acc := res.Accounting
	if acc.Of(wstk.OutcomeFetched) != 2 || acc.Of(wstk.OutcomeNeedsRender) != 0 || b.asked.Load() != 1 {
		t.Errorf("got %+v after %d renderings", acc, b.asked.Load())
	}
	u := res.Site.Root + "app"
	d, _, err := a.Looking.ReadPage(t.Context(), u)
	if err != nil || !strings.Contains(d.Text, "forty litres") {
		t.Errorf("read %+v, %v", d, err)
	}
	list, err := a.Snapshots.List(t.Context(), u, 9)
	if err != nil || len(list) != 2 || list[0].Method != wstk.MethodBrowser ||
		list[1].Method != wstk.MethodHTTP {
		t.Errorf("snapshots %+v, %v", list, err)
	}

	res, _ = crawledShells(t, b, false)
	if n := res.Accounting.Of(wstk.OutcomeNeedsRender); n != 1 || b.asked.Load() != 1 {
		t.Errorf("without being asked: %d left, %d renderings", n, b.asked.Load())
	}
	if len(res.Steps) != 1 || res.Steps[0].Do != wstk.DoIngest ||
		res.Steps[0].Options[len(res.Steps[0].Options)-1].Name != wstk.OptRender {
		t.Errorf("next is %+v", res.Steps)
	}
}

// A browser that fails leaves the page at needs_render with the reason, and the crawl goes on.
func TestABrowserThatFailsStopsNoCrawl(t *testing.T) {
	for _, code := range []wstk.Code{wstk.Unavailable, wstk.UnsupportedMediaType, wstk.Conflict} {
		b := &browserOf{render: func(wstk.RenderRequest) (wstk.Rendering, error) {
			return wstk.Rendering{}, wstk.Errorf(code, "rendering", "it broke")
		}}
		res, a := crawledShells(t, b, true)
		if res.Run.State != wstk.RunPartial || res.Accounting.Of(wstk.OutcomeNeedsRender) != 1 ||
			res.Accounting.Of(wstk.OutcomeFetched) != 1 || b.asked.Load() != 1 || len(res.Steps) > 0 {
			t.Errorf("%s: %s with %+v after %d renderings; next %v", code, res.Run.State,
				res.Accounting, b.asked.Load(), res.Steps)
		}
		u, err := a.Frontier.Get(t.Context(), res.Run.ID, res.Site.Root+"app")
		if err != nil || !strings.Contains(u.Reason, "it needs a browser, and that failed") ||
			!strings.Contains(u.Reason, "it broke") {
			t.Errorf("%s: the reason is %q, %v", code, u.Reason, err)
		}
	}
}

// A message that comes twice renders nothing twice: its slot is another one by then.
func TestARenderedPageIsRenderedOnce(t *testing.T) {
	b := &browserOf{render: pump}
	res, a := crawledShells(t, b, true)
	u, err := a.Frontier.Get(t.Context(), res.Run.ID, res.Site.Root+"app")
	if err != nil {
		t.Fatal(err)
	}
	m, err := wstk.NewMessage("fetch", wstk.FetchTask{Run: res.Run.ID, Site: res.Site.ID, URL: u.URL,
		Slot: u.Slot, Method: wstk.MethodBrowser}, a.Now())
	if err != nil {
		t.Fatal(err)
	}
	next, err := a.Crawling.Route("fetch")(t.Context(), m.Body)
	if err != nil || len(next) > 0 || b.asked.Load() != 1 {
		t.Errorf("again: %v, %v, %d renderings", next, err, b.asked.Load())
	}
}
