package limit_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"wstk/shared/adapter/limit"
	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/provider"
	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

const paceKey = "made" + "-up-" + "key-" + "77d1"

func paced() limit.Pace {
	return limit.Pace{Hosts: memory.New().Hosts, Name: "crawler://x", Gap: time.Millisecond}
}

func overWire(transport http.RoundTripper) provider.Options {
	return provider.Options{Client: webapi.Client{Transport: transport,
		BaseURL: "https://vendor.example", Key: func() string { return paceKey }}}
}

// Around each of them the wrapper keeps what the port promises.
func TestDiscover(t *testing.T) {
	const at = "../../../testdata/providers/"
	for name, v := range map[string]wstktest.DiscovererOf{
		"informed": {PageService: wstktest.PageService{NeedsQuestion: true,
			Replies: map[string]string{"/search": at + "brave_api/"}},
			Open: func(_ *testing.T, transport http.RoundTripper) wstk.Discoverer {
				return provider.Informed{Search: provider.Brave{Options: overWire(transport)}.Search}
			}},
		"tavily": {PageService: wstktest.PageService{Replies: map[string]string{
			"/search": at + "tavily/", "/map": at + "tavily/map_"}},
			Open: func(_ *testing.T, transport http.RoundTripper) wstk.Discoverer {
				return provider.TavilyMap{Options: overWire(transport)}
			}},
		"firecrawl": {PageService: wstktest.PageService{Replies: map[string]string{
			"/map": at + "firecrawl_endpoint/map_"}},
			Open: func(_ *testing.T, transport http.RoundTripper) wstk.Discoverer {
				return provider.FirecrawlMap{Options: overWire(transport)}
			}},
	} {
		open := v.Open
		v.Key = paceKey
		v.Open = func(t *testing.T, transport http.RoundTripper) wstk.Discoverer {
			return limit.Discover{Discoverer: open(t, transport), Pace: paced()}
		}
		t.Run(name, func(t *testing.T) { wstktest.Discoverer(t, v) })
	}
}

func TestScrape(t *testing.T) {
	wstktest.Scraper(t, wstktest.ScraperOf{
		PageService: wstktest.PageService{Key: paceKey, Replies: map[string]string{
			"/scrape": "../../../testdata/providers/firecrawl_endpoint/scrape_"}},
		Open: func(_ *testing.T, transport http.RoundTripper) wstk.Scraper {
			return limit.Scrape{Pace: paced(),
				Scraper: provider.FirecrawlMap{Options: overWire(transport)}}
		}})
}

// asking notes when it was asked, and fails as it is told.
type asking struct {
	wstk.Discoverer
	clock *time.Time
	at    []time.Duration
	err   error
}

var start = time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)

func (a *asking) Discover(context.Context, wstk.DiscoverQuery, string) (wstk.Discovery, error) {
	a.at = append(a.at, a.clock.Sub(start))
	return wstk.Discovery{}, a.err
}

// Two that share a store keep one pace, and both leave the service alone for as long as it
// asked one of them to.
func TestPaceIsSharedByProcesses(t *testing.T) {
	clock := start
	p := limit.Pace{Hosts: memory.New().Hosts, Name: "crawler://x", Gap: 3 * time.Second,
		Now:   func() time.Time { return clock },
		Sleep: func(_ context.Context, d time.Duration) error { clock = clock.Add(d); return nil }}
	service := &asking{clock: &clock}
	one, other := limit.Discover{Discoverer: service, Pace: p}, limit.Discover{Discoverer: service, Pace: p}
	ask := func(d limit.Discover) error {
		_, err := d.Discover(t.Context(), wstk.DiscoverQuery{}, "")
		return err
	}
	for _, d := range []limit.Discover{one, other, one} {
		if err := ask(d); err != nil {
			t.Fatal(err)
		}
	}
	if want := []time.Duration{0, 3 * time.Second, 6 * time.Second}; !slices.Equal(service.at, want) {
		t.Errorf("asked at %v, want %v", service.at, want)
	}

	limited := wstk.Errorf(wstk.RateLimited, "", "too many")
	limited.RetryAfter = 10 * time.Minute
	service.err = limited
	if err := ask(one); wstk.CodeOf(err) != wstk.RateLimited {
		t.Fatal(err)
	}
	service.err = nil
	asked := len(service.at)
	err := ask(other)
	if wstk.CodeOf(err) != wstk.RateLimited || wstk.RetryAfterOf(err) != 10*time.Minute ||
		len(service.at) != asked {
		t.Errorf("asked %d times more: %v", len(service.at)-asked, err)
	}
}
