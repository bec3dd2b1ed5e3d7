package wstktest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Vendor is the service behind a SearchProvider, as the suite plays it.
type Vendor struct {
	// Open returns the provider, new for every sub-test. It reaches its vendor through
	// transport alone.
	Open func(t *testing.T, transport http.RoundTripper) wstk.SearchProvider

	// Replies is the folder of recorded replies: ordinary (two results and more), empty,
	// and hostile, with any extension. hostile holds markup and control characters in
	// texts, a javascript: and a relative address, one page twice, null fields, and at
	// least one sound result.
	Replies string

	Key       string    // given by Open; it must never show. "" means that there is none
	KeyInURL  bool      // the vendor takes it nowhere else
	Forbidden wstk.Code // what a status of 403 means; "" means Unauthorized
	Asks      int       // requests that one search makes at most; 0 means 1

	// Stored says that there is no vendor: the provider knows the stored pages, and
	// finds some by Words, and none by words that do not occur.
	Stored bool
	Words  string // "" means "tide tables"
}

// SearchProvider checks what wstk.SearchProvider promises.
func SearchProvider(t *testing.T, v Vendor) {
	if v.Words == "" {
		v.Words = "tide tables"
	}
	v.Asks, v.Forbidden = max(v.Asks, 1), or(v.Forbidden, wstk.Unauthorized)
	query := wstk.SearchQuery{Words: v.Words}

	t.Run("InfoAndCompileSendNoRequest", func(t *testing.T) {
		service := &service{}
		p := v.Open(t, service)
		info, c := p.Info(), p.Compile(
			wstk.SearchQuery{Words: v.Words, Sites: []string{"a.example"}})
		if info.ID == "" || info.Type != "search" || !info.Enabled || info.EnvVars == nil {
			t.Errorf("info is %+v", info)
		}
		if !strings.Contains(c.Query, v.Words) {
			t.Errorf("the query became %q", c.Query)
		}
		if n := len(service.asked()); n > 0 {
			t.Errorf("the vendor was asked %d times", n)
		}
	})

	t.Run("ResultsHaveOneForm", func(t *testing.T) {
		p := v.Open(t, v.serve(t, "ordinary"))
		reply := search(t, p, query)
		if len(reply.Results) < 2 {
			t.Fatalf("got %d results", len(reply.Results))
		}
		if reply.Query != p.Compile(query).Query {
			t.Errorf("sent %q, compiled %q", reply.Query, p.Compile(query).Query)
		}
		if reply.Tries < 1 || reply.Tries > v.Asks {
			t.Errorf("it was asked for %d times", reply.Tries)
		}
		for _, r := range reply.Results {
			if r.Raw != nil {
				t.Errorf("raw was not asked for: %s", r.Raw)
			}
			if r.Title == "" {
				t.Errorf("%s has no title", r.URL)
			}
		}
		wellFormed(t, p.Info().ID, reply.Results)
		again := search(t, v.Open(t, v.serve(t, "ordinary")), query)
		for i, r := range again.Results {
			if r.ResultID != reply.Results[i].ResultID {
				t.Errorf("%s was %s, and is %s now", r.URL, reply.Results[i].ResultID, r.ResultID)
			}
		}
	})

	t.Run("NoMoreResultsThanWanted", func(t *testing.T) {
		q := query
		q.Max = 1
		if reply := search(t, v.Open(t, v.serve(t, "ordinary")), q); len(reply.Results) != 1 {
			t.Errorf("got %d results", len(reply.Results))
		}
	})

	t.Run("RawIsJSONWhereAskedFor", func(t *testing.T) {
		q := query
		q.Raw = true
		for _, r := range search(t, v.Open(t, v.serve(t, "ordinary")), q).Results {
			if len(r.Raw) == 0 || !json.Valid(r.Raw) {
				t.Errorf("raw is %q", r.Raw)
			}
		}
	})

	t.Run("NoResultsAreASuccess", func(t *testing.T) {
		reply := search(t, v.Open(t, v.serve(t, "empty")), wstk.SearchQuery{Words: "zzyzxq"})
		if len(reply.Results) != 0 || reply.Results == nil {
			t.Errorf("got %v", reply.Results)
		}
	})

	t.Run("CancelledIsCancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := v.Open(t, &service{}).Search(ctx, query)
		if wstk.CodeOf(err) != wstk.Cancelled {
			t.Errorf("got %v", err)
		}
	})

	t.Run("ManyAtOnce", func(t *testing.T) {
		p := v.Open(t, v.serve(t, "ordinary"))
		want := search(t, p, query).Results
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if reply, err := p.Search(t.Context(), query); err != nil ||
					!reflect.DeepEqual(reply.Results, want) {
					t.Errorf("got %d results, %v", len(reply.Results), err)
				}
			})
		}
		wg.Wait()
	})

	if !v.Stored {
		v.overTheWire(t, query)
	}
}

// overTheWire are the promises that need a vendor.
func (v Vendor) overTheWire(t *testing.T, query wstk.SearchQuery) {
	t.Run("HostileTextsAndAddressesAreTamed", func(t *testing.T) {
		p := v.Open(t, v.serve(t, "hostile"))
		reply := search(t, p, query)
		if len(reply.Results) == 0 {
			t.Fatal("the sound results are lost with the others")
		}
		if !slices.ContainsFunc(reply.Warnings, func(w wstk.Warning) bool {
			return w.Code == "results_malformed"
		}) {
			t.Error("it is not reported that some are left out")
		}
		wellFormed(t, p.Info().ID, reply.Results)
	})

	t.Run("EveryWishIsSentOrUnsupported", func(t *testing.T) {
		unsafe := query
		unsafe.SafeSearch = wstk.SafeSearchOff
		plain, off := v.request(t, query), v.request(t, unsafe)
		for name, change := range map[string]func(q *wstk.SearchQuery){
			"sites": func(q *wstk.SearchQuery) {
				q.Sites = []string{"a.example", "b.example"}
			},
			"exclude": func(q *wstk.SearchQuery) { q.Exclude = []string{"a.example"} },
			"day":     func(q *wstk.SearchQuery) { q.TimeRange = wstk.LastDay },
			"week":    func(q *wstk.SearchQuery) { q.TimeRange = wstk.LastWeek },
			"month":   func(q *wstk.SearchQuery) { q.TimeRange = wstk.LastMonth },
			"year":    func(q *wstk.SearchQuery) { q.TimeRange = wstk.LastYear },
			"after": func(q *wstk.SearchQuery) {
				q.After = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
			},
			"before": func(q *wstk.SearchQuery) {
				q.Before = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
			},
			"region":      func(q *wstk.SearchQuery) { q.Region = "de-de" },
			"language":    func(q *wstk.SearchQuery) { q.Language = "fr" },
			"safe search": func(q *wstk.SearchQuery) { q.SafeSearch = wstk.SafeSearchOn },
		} {
			q := query
			change(&q)
			without := plain
			if q.SafeSearch != "" {
				without = off
			}
			if v.request(t, q) == without &&
				len(v.Open(t, &service{}).Compile(q).Unsupported) == 0 {
				t.Errorf("%s is neither sent nor said to be unsupported", name)
			}
		}
	})

	t.Run("KeyStandsInAHeader", func(t *testing.T) {
		if v.Key == "" {
			return
		}
		service := v.serve(t, "ordinary")
		search(t, v.Open(t, service), query)
		for _, r := range service.asked() {
			if strings.Contains(r.url, v.Key) != v.KeyInURL || strings.Contains(r.body, v.Key) {
				t.Error("the key stands in the address or in the body")
			}
		}
	})

	t.Run("StatusesHaveCodes", func(t *testing.T) {
		for _, c := range []struct {
			status int
			code   wstk.Code
		}{{401, wstk.Unauthorized}, {403, v.Forbidden}, {429, wstk.RateLimited},
			{400, wstk.Invalid}, {500, wstk.Unavailable},
			{503, wstk.Unavailable}, {302, wstk.HTTPError}, {404, wstk.HTTPError}} {
			s := &service{status: c.status, body: []byte(`{"message":"the key is ` + v.Key + `"}`)}
			v.fails(t, s, query, c.code)
			if n := len(s.asked()); n > v.Asks {
				t.Errorf("%d: asked %d times", c.status, n)
			}
		}
	})

	t.Run("RetryAfterIsPassedOn", func(t *testing.T) {
		for value, want := range map[string]time.Duration{"7": 7 * time.Second, "": 0, "soon": 0,
			"-3": 0, "99999999999": 24 * time.Hour} {
			err := v.fails(t, &service{status: 429, header: http.Header{"Retry-After": {value}}},
				query, wstk.RateLimited)
			if got := wstk.RetryAfterOf(err); got != want {
				t.Errorf("Retry-After %q became %s", value, got)
			}
		}
	})

	t.Run("GarbageIsNoEmptyList", func(t *testing.T) {
		for _, body := range []string{"", "garbage", `{"results":`, `"a string"`, "[1,2]", "null",
			"{}", `{"status":"ok","data":null}`,
			"<html><body><h1>Welcome</h1><a href='/x'>x</a></body></html>"} {
			v.fails(t, &service{body: []byte(body)}, query, wstk.HTTPError)
		}
	})

	t.Run("HugeReplyIsTooLarge", func(t *testing.T) {
		s := &service{endless: 50 << 20}
		v.fails(t, s, query, wstk.TooLarge)
		if n := s.read(); n > 20<<20 {
			t.Errorf("%d bytes of it were read", n)
		}
	})

	t.Run("TimeoutIsTimeout", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		_, err := v.Open(t, &service{stalls: true}).Search(ctx, query)
		v.codeIs(t, err, wstk.Timeout)
	})

	t.Run("BrokenConnectionIsNetwork", func(t *testing.T) {
		v.fails(t, &service{err: io.ErrUnexpectedEOF}, query, wstk.Network)
		v.fails(t, &service{body: []byte("{"), cut: true}, query, wstk.Network)
	})

	t.Run("RefusalsOfTheDoorKeepTheirCode", func(t *testing.T) {
		for _, code := range []wstk.Code{wstk.RefusedAddress, wstk.TooLarge, wstk.Timeout} {
			v.fails(t, &service{err: wstk.Errorf(code, "asking https://api.example:443", "it is so")}, query, code)
		}
	})
}

// fails searches with what the vendor answers and holds the error against code.
func (v Vendor) fails(t *testing.T, s *service, q wstk.SearchQuery, code wstk.Code) error {
	t.Helper()
	_, err := v.Open(t, s).Search(t.Context(), q)
	v.codeIs(t, err, code)
	return err
}

func (v Vendor) codeIs(t *testing.T, err error, code wstk.Code) {
	t.Helper()
	if wstk.CodeOf(err) != code {
		t.Errorf("got the code %q, want %q: %v", wstk.CodeOf(err), code, err)
	}
	if err == nil {
		return
	}
	shown := fmt.Sprintf("%v %+v %#v", err, err, err)
	if v.Key != "" && strings.Contains(shown, v.Key) {
		t.Error("the error shows the key")
	}
	if strings.Contains(shown, "q=") || strings.Contains(shown, "query=") {
		t.Errorf("the error shows the address: %v", err)
	}
}

// request is what the vendor is asked for q, as one string.
func (v Vendor) request(t *testing.T, q wstk.SearchQuery) string {
	t.Helper()
	s := v.serve(t, "ordinary")
	search(t, v.Open(t, s), q)
	var b strings.Builder
	for _, r := range s.asked() {
		fmt.Fprintln(&b, r.method, r.url, r.body)
	}
	return b.String()
}

func (v Vendor) serve(t *testing.T, name string) *service {
	t.Helper()
	if v.Stored {
		return &service{}
	}
	files, err := filepath.Glob(filepath.Join(v.Replies, name+".*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s holds %d recordings named %s", v.Replies, len(files), name)
	}
	body, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return &service{body: body}
}

func search(t *testing.T, p wstk.SearchProvider, q wstk.SearchQuery) wstk.SearchReply {
	t.Helper()
	reply, err := p.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

var (
	markup = regexp.MustCompile(
		`(?i)</?(b|strong|em|i|p|script|img|a)[ >/]|&(amp|lt|gt|quot|#x?[0-9a-f]+);`)
	resultID = regexp.MustCompile(`^[0-9a-f]{16}$`)
)

// wellFormed holds results against the form that all providers share.
func wellFormed(t *testing.T, provider string, results []wstk.SearchResult) {
	t.Helper()
	seen := map[string]bool{}
	for i, r := range results {
		canonical, err := text.Canonical(r.URL)
		if err != nil || !strings.HasPrefix(r.URL, "http") || seen[canonical] {
			t.Errorf("%q is no address of a page, or was there before: %v", r.URL, err)
		}
		seen[canonical] = true
		if strings.ContainsFunc(r.URL, func(c rune) bool {
			return c <= ' ' || unicode.IsControl(c)
		}) {
			t.Errorf("the address %q holds what no address does", r.URL)
		}
		for _, s := range []string{r.Title, r.Snippet} {
			if markup.MatchString(s) || strings.Contains(s, "alert(") {
				t.Errorf("%q holds markup", s)
			}
			if strings.ContainsFunc(s, func(c rune) bool {
				return unicode.IsControl(c) || c == 0x202E || c == 0x200B
			}) || strings.TrimSpace(s) != s {
				t.Errorf("%q holds what is not text", s)
			}
		}
		if r.Rank != i+1 {
			t.Errorf("rank %d stands at %d", r.Rank, i+1)
		}
		if r.SourceProvider != provider || r.MatchedRules == nil ||
			!resultID.MatchString(r.ResultID) {
			t.Errorf("got %+v", r)
		}
		if r.Score != nil && (*r.Score < 0 || *r.Score > 1) {
			t.Errorf("%s has the score %v", r.URL, *r.Score)
		}
		if r.PublishedAt != nil &&
			(r.PublishedAt.Location() != time.UTC || r.PublishedAt.Year() < 1970) {
			t.Errorf("%s was published at %v", r.URL, r.PublishedAt)
		}
	}
}

// service is a vendor as an http.RoundTripper.
type service struct {
	status  int // 0 means 200
	header  http.Header
	body    []byte
	endless int   // length of a body without meaning
	cut     bool  // the body ends in an error
	err     error // instead of a reply
	stalls  bool  // until the caller gives up

	// bodies are in place of body where the path of a request ends like a key.
	bodies map[string][]byte

	mu     sync.Mutex
	seen   []request
	served int
}

type request struct{ method, url, body string }

func (s *service) asked() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

func (s *service) read() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.served
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	if r.Body != nil {
		sent, _ = io.ReadAll(r.Body)
		r.Body.Close()
	}
	s.mu.Lock()
	s.seen = append(s.seen, request{r.Method, r.URL.String(), string(sent)})
	s.mu.Unlock()
	if s.stalls {
		<-r.Context().Done()
	}
	if err := r.Context().Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.URL, err)
	}
	if s.err != nil {
		var known *wstk.Error
		if errors.As(s.err, &known) {
			return nil, s.err
		}
		return nil, fmt.Errorf("%s: %w", r.URL, s.err)
	}
	var body io.Reader = bytes.NewReader(s.body)
	for end, data := range s.bodies {
		if strings.HasSuffix(r.URL.Path, end) {
			body = bytes.NewReader(data)
		}
	}
	switch {
	case s.endless > 0:
		body = &counted{s: s}
	case s.cut:
		body = io.MultiReader(body, broken{})
	}
	status := s.status
	if status == 0 {
		status = http.StatusOK
	}
	header := s.header.Clone()
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(body),
		ContentLength: -1, Request: r}, nil
}

// counted is an endless body that counts what is read of it.
type counted struct{ s *service }

func (c *counted) Read(p []byte) (int, error) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.s.served >= c.s.endless {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = ' '
	}
	c.s.served += len(p)
	return len(p), nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func or[T comparable](a, b T) T {
	var zero T
	if a == zero {
		return b
	}
	return a
}
