package provider

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestInformed(t *testing.T) {
	wstktest.Discoverer(t, wstktest.DiscovererOf{
		PageService: wstktest.PageService{Key: key, NeedsQuestion: true,
			Replies: map[string]string{"/search": replies(braveID) + "/"}},
		Open: func(_ *testing.T, transport http.RoundTripper) wstk.Discoverer {
			return Informed{Search: Brave{options(transport)}.Search}
		}})
}

func TestTavilyMap(t *testing.T) {
	wstktest.Discoverer(t, wstktest.DiscovererOf{
		PageService: wstktest.PageService{Key: key, Replies: map[string]string{
			"/search": replies(tavilyID) + "/", "/map": replies(tavilyID) + "/map_"}},
		Open: func(_ *testing.T, transport http.RoundTripper) wstk.Discoverer {
			return TavilyMap{options(transport)}
		}})
}

// D9: Firecrawl finds the pages of a site.
func TestFirecrawlMap(t *testing.T) {
	v := wstktest.PageService{Key: key, Replies: map[string]string{
		"/map": replies(firecrawlID) + "/map_", "/scrape": replies(firecrawlID) + "/scrape_"}}
	t.Run("Discoverer", func(t *testing.T) {
		wstktest.Discoverer(t, wstktest.DiscovererOf{PageService: v,
			Open: func(_ *testing.T, transport http.RoundTripper) wstk.Discoverer {
				return FirecrawlMap{options(transport)}
			}})
	})
	t.Run("Scraper", func(t *testing.T) {
		wstktest.Scraper(t, wstktest.ScraperOf{PageService: v,
			Open: func(_ *testing.T, transport http.RoundTripper) wstk.Scraper {
				return FirecrawlMap{options(transport)}
			}})
	})
}

// The search asks for the site's host alone, and what was asked for is the question.
func TestInformedAsksForTheSite(t *testing.T) {
	var asked wstk.SearchQuery
	p := Informed{Search: func(_ context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
		asked = q
		return wstk.SearchReply{}, wstk.Errorf(wstk.Empty, "", "no results")
	}}
	got, err := p.Discover(t.Context(), wstk.DiscoverQuery{Root: "https://docs.tides.example/v2/",
		Question: "spring tides", Max: 500}, "")
	if err != nil || len(got.URLs) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
	want := wstk.SearchQuery{Words: "spring tides", Max: 20, Sites: []string{"docs.tides.example"}}
	if !reflect.DeepEqual(asked, want) {
		t.Errorf("asked %+v", asked)
	}
}

// What costs money has its bounds: the map is asked for no more than is wanted, and the
// question is not sent with it, which would cost twice as much.
func TestTavilyMapIsBounded(t *testing.T) {
	v := answers(t, answer{200, "tavily/map_ordinary.json", nil})
	p := TavilyMap{options(v)}
	_, err := p.Discover(t.Context(), wstk.DiscoverQuery{Root: "https://tides.example/",
		Question: "spring tides", Max: 60, Depth: 30}, tavilyMapCursor)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"url":"https://tides.example/","max_depth":5,"limit":40,"allow_external":false,"timeout":45}`
	if got := v.seen[0]; got.url.Path != "/map" || got.body != want ||
		got.header.Get("Authorization") != "Bearer "+key {
		t.Errorf("asked %s %s", got.url, got.body)
	}
}

func TestFirecrawlMapSpeaksBothVersions(t *testing.T) {
	q := wstk.DiscoverQuery{Root: "https://tides.example/", Question: "spring tides", Max: 7}
	for base, c := range map[string]struct{ path, file string }{
		"https://fire.example":    {"/v1/map", "map_ordinary.json"},
		"https://fire.example/v1": {"/v1/map", "map_ordinary.json"},
		"https://fire.example/v2": {"/v2/map", "map_v2.json"},
	} {
		v := answers(t, answer{200, "firecrawl_endpoint/" + c.file, nil})
		o := options(v)
		o.BaseURL = base
		got, err := (FirecrawlMap{o}).Discover(t.Context(), q, "")
		if err != nil || len(got.URLs) < 2 || got.URLs[0] != "https://tides.example/docs/tables/harbour" {
			t.Errorf("%s: %v, %v", base, got, err)
		}
		if s := v.seen[0]; s.url.Path != c.path || !strings.Contains(s.body, `"search":"spring tides","limit":7`) {
			t.Errorf("asked %s %s", s.url, s.body)
		}
	}
}

func TestFirecrawlGivesMarkdownWhereThereIsNoHTML(t *testing.T) {
	v := answers(t, answer{200, "firecrawl_endpoint/scrape_markdown.json", nil})
	got, err := (FirecrawlMap{options(v)}).Scrape(t.Context(), "https://tides.example/app")
	if err != nil || got.ContentType != "text/markdown" ||
		!strings.HasPrefix(string(got.Body), "# Tide tables") || got.URL != "https://tides.example/app" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// What an endpoint says beside the page is not believed further than it goes: an address that is
// none, a status that is none, and a user name in an address.
func TestFirecrawlOddReplies(t *testing.T) {
	const page = "https://tides.example/app"
	for body, want := range map[string]wstk.Scraped{
		`{"data":{"rawHtml":"<p>x","metadata":{"url":"javascript:alert(1)","statusCode":-7}}}`: {URL: page,
			Body: []byte("<p>x"), ContentType: "text/html"},
		`{"data":{"html":"<p>y","metadata":{"url":"https://u:p@tides.example/app/","statusCode":200}}}`: {
			URL: page + "/", Status: 200, Body: []byte("<p>y"), ContentType: "text/html"},
		`{"data":{"metadata":{"statusCode":503}}}`: {URL: page, Status: 503, Body: []byte{},
			ContentType: "text/html"},
	} {
		got, err := (FirecrawlMap{options(says(body))}).Scrape(t.Context(), page)
		want.Host = "vendor.example"
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", body, got, err)
		}
	}
}

// says answers every request with these words.
type says string

func (s says) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Request: r, Header: http.Header{},
		Body: io.NopCloser(strings.NewReader(string(s)))}, nil
}
