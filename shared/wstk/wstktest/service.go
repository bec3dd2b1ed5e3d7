package wstktest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// Service is the vendor behind an Embedder or a Reranker, as the suites play it.
type Service[Port any] struct {
	// Open returns the port, new for every sub-test. It reaches its vendor through transport
	// alone. An embedder makes vectors of 4 numbers.
	Open func(t *testing.T, transport http.RoundTripper) Port

	// Replies is the folder of recorded replies to two texts, each .json. All have ordinary (of
	// an embedder: 3 0 4 0 and 0 1 0 0, in any order that the vendor may use), count (a text has no
	// vector or score) and null (a number is none). Those of embedders have dimension (too few
	// numbers) and zero (no direction), those of rerankers order (the second text first), range (a
	// text that was not given) and twice.
	Replies string

	Key    string // given by Open; it must never show
	Tokens int    // of ordinary; 0 if the vendor does not say
}

// EmbedderService checks what wstk.Embedder promises of a service.
func EmbedderService(t *testing.T, s Service[wstk.Embedder]) {
	ask := func(ctx context.Context, e wstk.Embedder) (wstk.Usage, error) {
		r, err := e.Embed(ctx, wstk.EmbedPassage, "a boat", "a cake")
		if err == nil && len(r.Embeddings) != 2 {
			t.Errorf("%d vectors of 2 texts", len(r.Embeddings))
		}
		return r.Usage, err
	}
	t.Run("RepliesAreChecked", func(t *testing.T) {
		for name, code := range map[string]wstk.Code{"ordinary": "", "count": wstk.ModelFailed,
			"dimension": wstk.ModelFailed, "zero": wstk.ModelFailed, "null": wstk.HTTPError} {
			_, err := ask(bg, s.Open(t, s.recorded(t, name)))
			wantCode(t, name, err, code)
		}
		e := s.Open(t, s.recorded(t, "ordinary"))
		got := embed(t, e, "a boat", "a cake")
		for i, want := range [][]float32{{.6, 0, .8, 0}, {0, 1, 0, 0}} {
			if wstk.Cosine(got[i], want) < .99999 {
				t.Errorf("vector %d is %v, want %v", i, got[i], want)
			}
		}
	})
	askService(t, s, ask)
}

// RerankerService checks what wstk.Reranker promises of a service.
func RerankerService(t *testing.T, s Service[wstk.Reranker]) {
	ask := func(ctx context.Context, r wstk.Reranker) (wstk.Usage, error) {
		reply, err := r.Rerank(ctx, "ship", "a boat", "a cake")
		return reply.Usage, err
	}
	t.Run("RepliesAreChecked", func(t *testing.T) {
		for name, code := range map[string]wstk.Code{"count": wstk.ModelFailed,
			"range": wstk.ModelFailed, "twice": wstk.ModelFailed, "null": wstk.HTTPError} {
			_, err := ask(bg, s.Open(t, s.recorded(t, name)))
			wantCode(t, name, err, code)
		}
		for _, name := range []string{"ordinary", "order"} {
			scores := rerank(t, s.Open(t, s.recorded(t, name)), "ship", "a boat", "a cake")
			if scores[0] <= scores[1] {
				t.Errorf("%s: the scores are %v, want more for the first text", name, scores)
			}
		}
	})
	askService(t, s, ask)
}

// recorded answers each request with a recorded reply.
func (s Service[Port]) recorded(t *testing.T, name string) http.RoundTripper {
	data, err := os.ReadFile(filepath.Join(s.Replies, name+".json"))
	must(t, err)
	return replying(200, nil, data)
}

// replying answers each request alike.
func replying(status int, header http.Header, body []byte) modelService {
	return func(*http.Request) (*http.Response, error) {
		h := header.Clone()
		if h == nil {
			h = http.Header{}
		}
		return &http.Response{StatusCode: status, Header: h,
			Body: io.NopCloser(bytes.NewReader(body))}, nil
	}
}

// askService checks what holds for both ports.
func askService[Port any](
	t *testing.T, s Service[Port], ask func(context.Context, Port) (wstk.Usage, error),
) {
	t.Run("UsageCounts", func(t *testing.T) {
		asked := 0
		u, err := ask(bg, s.Open(t, modelService(func(r *http.Request) (*http.Response, error) {
			asked++
			body, err := io.ReadAll(r.Body)
			must(t, err)
			if strings.Contains(r.URL.String()+string(body), s.Key) {
				t.Error("the key stands outside a header")
			}
			return s.recorded(t, "ordinary").RoundTrip(r)
		})))
		must(t, err)
		if asked != 1 || u.Calls != 1 || u.InputTokens < 1 ||
			s.Tokens > 0 && u.InputTokens != s.Tokens {
			t.Errorf("asked %d times, usage is %+v", asked, u)
		}
	})
	t.Run("FailuresHaveCodes", func(t *testing.T) {
		for status, code := range map[int]wstk.Code{401: wstk.Unauthorized, 403: wstk.Unauthorized,
			400: wstk.Invalid, 429: wstk.RateLimited, 500: wstk.Unavailable, 302: wstk.HTTPError,
			404: wstk.HTTPError} {
			_, err := ask(bg, s.Open(t, replying(status, http.Header{"Retry-After": {"7"}},
				fmt.Appendf(nil, `{"error":{"message":"no, not with %s"}}`, s.Key))))
			wantCode(t, fmt.Sprint("status ", status), err, code)
			if strings.Contains(fmt.Sprint(err), s.Key) {
				t.Errorf("the error shows the key: %v", err)
			}
			if status == 429 && wstk.RetryAfterOf(err).Seconds() != 7 {
				t.Errorf("429 is to be tried again after %s", wstk.RetryAfterOf(err))
			}
		}
		for name, c := range map[string]struct {
			body []byte
			code wstk.Code
		}{
			"no JSON": {[]byte("<html>busy</html>"), wstk.HTTPError},
			"nothing": {[]byte("{}"), wstk.ModelFailed},
			"a bomb":  {bytes.Repeat([]byte("a"), 50<<20), wstk.TooLarge},
		} {
			_, err := ask(bg, s.Open(t, replying(200, nil, c.body)))
			wantCode(t, name, err, c.code)
		}
		_, err := ask(bg, s.Open(t, modelService(func(*http.Request) (*http.Response, error) {
			return nil, errors.New("reset by " + s.Key)
		})))
		wantCode(t, "no connection", err, wstk.Network)
		if strings.Contains(fmt.Sprint(err), s.Key) {
			t.Errorf("the error shows the key: %v", err)
		}
	})
	t.Run("ACallEndsWithItsContext", func(t *testing.T) {
		hanging := modelService(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		_, err := ask(cancelled(), s.Open(t, hanging))
		wantCode(t, "cancelled", err, wstk.Cancelled)
		ctx, cancel := context.WithTimeout(bg, 1)
		defer cancel()
		_, err = ask(ctx, s.Open(t, hanging))
		wantCode(t, "late", err, wstk.Timeout)
	})
}
