package wstktest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// PageService is the service behind a Discoverer or a Scraper, as their suites play it.
type PageService struct {
	// Replies are the recorded replies by the end of a request's path: what stands before
	// ordinary, empty and hostile in the names of their files, folder included. hostile lists
	// a javascript: and a relative address, an address with a user name, one page twice, a
	// null, and at least one sound address.
	Replies map[string]string

	Key       string    // given by Open; it must never show. "" means that there is none
	Forbidden wstk.Code // what a status of 403 means; "" means Unauthorized

	// NeedsQuestion says that without a question the service cannot be asked.
	NeedsQuestion bool
}

// DiscovererOf is a PageService that names the pages of a site.
type DiscovererOf struct {
	PageService

	// Open returns the Discoverer, new for every sub-test. It reaches its service through
	// transport alone.
	Open func(t *testing.T, transport http.RoundTripper) wstk.Discoverer
}

// Discoverer checks what wstk.Discoverer promises.
func Discoverer(t *testing.T, v DiscovererOf) {
	v.Forbidden = or(v.Forbidden, wstk.Unauthorized)
	query := wstk.DiscoverQuery{Root: "https://tides.example/docs/", Question: "tide tables",
		Max: 100, Depth: 3}

	t.Run("InfoSendsNoRequest", func(t *testing.T) {
		service := &service{}
		info := v.Open(t, service).Info()
		if info.ID == "" || info.Type != "crawl" || !info.Enabled || info.EnvVars == nil {
			t.Errorf("info is %+v", info)
		}
		if n := len(service.asked()); n > 0 {
			t.Errorf("the service was asked %d times", n)
		}
	})

	t.Run("EveryChainOfBatchesEnds", func(t *testing.T) {
		d := v.Open(t, v.serve(t, "ordinary"))
		urls := v.all(t, d, query)
		if len(urls) < 2 {
			t.Fatalf("got %v", urls)
		}
		if again := v.all(t, d, query); !reflect.DeepEqual(again, urls) {
			t.Errorf("the second time it named %v, the first time %v", again, urls)
		}
	})

	t.Run("EachCallSendsOneRequest", func(t *testing.T) {
		service := v.serve(t, "ordinary")
		d := v.Open(t, service)
		for cursor, calls := "", 1; ; calls++ {
			got, err := d.Discover(t.Context(), query, cursor)
			must(t, err)
			if n := len(service.asked()); n != calls {
				t.Errorf("%d calls sent %d requests", calls, n)
			}
			if cursor = got.Next; cursor == "" {
				return
			}
		}
	})

	t.Run("NoMoreThanWanted", func(t *testing.T) {
		q := query
		q.Max = 1
		if urls := v.all(t, v.Open(t, v.serve(t, "ordinary")), q); len(urls) != 1 {
			t.Errorf("got %v", urls)
		}
	})

	t.Run("NoPagesAreASuccess", func(t *testing.T) {
		if urls := v.all(t, v.Open(t, v.serve(t, "empty")), query); len(urls) != 0 {
			t.Errorf("got %v", urls)
		}
	})

	t.Run("AnUnknownCursorIsInvalid", func(t *testing.T) {
		service := &service{}
		_, err := v.Open(t, service).Discover(t.Context(), query, "no such batch")
		v.codeIs(t, err, wstk.Invalid)
		if n := len(service.asked()); n > 0 {
			t.Errorf("the service was asked %d times", n)
		}
	})

	t.Run("WithoutAQuestion", func(t *testing.T) {
		q := query
		q.Question = ""
		d := v.Open(t, v.serve(t, "ordinary"))
		if !v.NeedsQuestion {
			v.all(t, d, q)
			return
		}
		_, err := d.Discover(t.Context(), q, "")
		v.codeIs(t, err, wstk.Invalid)
	})

	t.Run("HostileAddressesAreTamed", func(t *testing.T) {
		if urls := v.all(t, v.Open(t, v.serve(t, "hostile")), query); len(urls) == 0 {
			t.Error("the sound addresses are lost with the others")
		}
	})

	t.Run("ManyAtOnce", func(t *testing.T) {
		d := v.Open(t, v.serve(t, "ordinary"))
		want, err := d.Discover(t.Context(), query, "")
		must(t, err)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				got, err := d.Discover(t.Context(), query, "")
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("got %v, %v", got, err)
				}
			})
		}
		wg.Wait()
	})

	v.failures(t, func(ctx context.Context, t *testing.T, s *service) error {
		_, err := v.Open(t, s).Discover(ctx, query, "")
		return err
	})
}

// all returns what a chain of batches names, each address checked.
func (v DiscovererOf) all(t *testing.T, d wstk.Discoverer, q wstk.DiscoverQuery) []string {
	t.Helper()
	urls, seen := []string{}, map[string]bool{}
	for cursor := ""; !seen[cursor]; {
		seen[cursor] = true
		got, err := d.Discover(t.Context(), q, cursor)
		must(t, err)
		once := map[string]bool{}
		for _, u := range got.URLs {
			canonical, err := text.Canonical(u)
			if err != nil || canonical != u || text.WithoutUser(u) != u || once[u] {
				t.Errorf("%q is no canonical address of a page, or was there before: %v", u, err)
			}
			once[u] = true
		}
		urls = append(urls, got.URLs...)
		if cursor = got.Next; cursor == "" {
			if len(urls) > q.Max {
				t.Errorf("%d addresses, at most %d were wanted", len(urls), q.Max)
			}
			return urls
		}
	}
	t.Fatal("the batches go in a circle")
	return nil
}

// ScraperOf is a PageService that hands over single pages. Its ordinary reply is a page in
// HTML, hostile one without a body, and empty one that the site does not have (404).
type ScraperOf struct {
	PageService

	// Open returns the Scraper, new for every sub-test. It reaches its service through
	// transport alone.
	Open func(t *testing.T, transport http.RoundTripper) wstk.Scraper
}

// Scraper checks what wstk.Scraper promises.
func Scraper(t *testing.T, v ScraperOf) {
	v.Forbidden = or(v.Forbidden, wstk.Unauthorized)
	const page = "https://tides.example/app"
	scrape := func(ctx context.Context, t *testing.T, s *service) (wstk.Scraped, error) {
		return v.Open(t, s).Scrape(ctx, page)
	}

	t.Run("InfoSendsNoRequest", func(t *testing.T) {
		service := &service{}
		if info := v.Open(t, service).Info(); info.ID == "" || !info.Enabled {
			t.Errorf("info is %+v", info)
		}
		if n := len(service.asked()); n > 0 {
			t.Errorf("the service was asked %d times", n)
		}
	})

	t.Run("ThePageIsHandedOver", func(t *testing.T) {
		service := v.serve(t, "ordinary")
		got, err := scrape(t.Context(), t, service)
		must(t, err)
		if u, err := text.Canonical(got.URL); err != nil || u != got.URL ||
			len(got.Body) == 0 || got.ContentType != "text/html" || got.Status != 200 ||
			got.Host == "" {
			t.Errorf("got %q, %q, %d, %d bytes of %q", got.URL, got.ContentType, got.Status,
				len(got.Body), got.Host)
		}
		if asked := service.asked(); len(asked) != 1 || !strings.Contains(asked[0].body, page) {
			t.Errorf("asked %v", asked)
		}
	})

	t.Run("WhatTheSiteAnsweredIsNoError", func(t *testing.T) {
		got, err := scrape(t.Context(), t, v.serve(t, "empty"))
		if err != nil || got.Status != 404 || got.URL != page {
			t.Errorf("got %+v, %v", got, err)
		}
	})

	t.Run("AReplyWithoutABodyIsHTTPError", func(t *testing.T) {
		_, err := scrape(t.Context(), t, v.serve(t, "hostile"))
		v.codeIs(t, err, wstk.HTTPError)
	})

	v.failures(t, func(ctx context.Context, t *testing.T, s *service) error {
		_, err := scrape(ctx, t, s)
		return err
	})
}

// failures are the promises about a service that fails.
func (v PageService) failures(
	t *testing.T, ask func(ctx context.Context, t *testing.T, s *service) error,
) {
	fails := func(t *testing.T, s *service, code wstk.Code) error {
		t.Helper()
		err := ask(t.Context(), t, s)
		v.codeIs(t, err, code)
		return err
	}

	t.Run("CancelledIsCancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		v.codeIs(t, ask(ctx, t, &service{}), wstk.Cancelled)
	})

	t.Run("TimeoutIsTimeout", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		v.codeIs(t, ask(ctx, t, &service{stalls: true}), wstk.Timeout)
	})

	t.Run("StatusesHaveCodes", func(t *testing.T) {
		for status, code := range map[int]wstk.Code{401: wstk.Unauthorized, 403: v.Forbidden,
			402: wstk.RateLimited, 429: wstk.RateLimited, 400: wstk.Invalid, 500: wstk.Unavailable,
			503: wstk.Unavailable, 302: wstk.HTTPError} {
			fails(t, &service{status: status,
				body: []byte(`{"message":"the key is ` + v.Key + `"}`)}, code)
		}
	})

	t.Run("RetryAfterIsPassedOn", func(t *testing.T) {
		err := fails(t, &service{status: 429, header: http.Header{"Retry-After": {"7"}}},
			wstk.RateLimited)
		if got := wstk.RetryAfterOf(err); got != 7*time.Second {
			t.Errorf("got %s", got)
		}
	})

	t.Run("GarbageIsNoPage", func(t *testing.T) {
		for _, body := range []string{"", "garbage", `{"results":`, `"a string"`, "[1,2]", "null",
			"{}", "<html><body><a href='/x'>x</a></body></html>"} {
			fails(t, &service{body: []byte(body)}, wstk.HTTPError)
		}
	})

	t.Run("HugeReplyIsTooLarge", func(t *testing.T) {
		s := &service{endless: 50 << 20}
		fails(t, s, wstk.TooLarge)
		if n := s.read(); n > 20<<20 {
			t.Errorf("%d bytes of it were read", n)
		}
	})

	t.Run("BrokenConnectionIsNetwork", func(t *testing.T) {
		fails(t, &service{err: io.ErrUnexpectedEOF}, wstk.Network)
		fails(t, &service{body: []byte("{"), cut: true}, wstk.Network)
	})

	t.Run("KeyStandsInAHeader", func(t *testing.T) {
		service := v.serve(t, "ordinary")
		must(t, ask(t.Context(), t, service))
		for _, r := range service.asked() {
			if v.Key != "" && strings.Contains(r.url+r.body, v.Key) {
				t.Error("the key stands in the address or in the body")
			}
		}
	})
}

func (v PageService) codeIs(t *testing.T, err error, code wstk.Code) {
	t.Helper()
	if wstk.CodeOf(err) != code {
		t.Errorf("got the code %q, want %q: %v", wstk.CodeOf(err), code, err)
	}
	if v.Key != "" && strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), v.Key) {
		t.Error("the error shows the key")
	}
}

// serve answers each request with the recording of this name for its path.
func (v PageService) serve(t *testing.T, name string) *service {
	t.Helper()
	s := &service{bodies: map[string][]byte{}}
	for end, prefix := range v.Replies {
		files, err := filepath.Glob(prefix + name + ".*")
		if err != nil || len(files) != 1 {
			t.Fatalf("there are %d recordings like %s%s", len(files), prefix, name)
		}
		if s.bodies[end], err = os.ReadFile(files[0]); err != nil {
			t.Fatal(err)
		}
	}
	return s
}
