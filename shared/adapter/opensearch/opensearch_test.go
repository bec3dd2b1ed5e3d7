package opensearch

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// server is the URL of a real OpenSearch.
func server(t testing.TB) string {
	t.Helper()
	url := os.Getenv("WSTK_OPENSEARCH")
	if url == "" {
		wstktest.Skip(t, "WSTK_OPENSEARCH names no server; make test starts one")
	}
	return url
}

// open gives a test an index of its own.
func open(t testing.TB, change ...func(*Index)) *Index {
	t.Helper()
	x := &Index{Endpoint: server(t), Name: "test-" + strings.ToLower(rand.Text())}
	for _, c := range change {
		c(x)
	}
	t.Cleanup(func() {
		req, err := http.NewRequest(http.MethodDelete, x.Endpoint+"/"+x.Name+"*", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		res.Body.Close()
	})
	return x
}

func TestIndex(t *testing.T) {
	wstktest.Index(t, func(t *testing.T) wstk.Index { return open(t) }, features)
}

// On Serverless nothing is refreshed but by the service itself.
func TestIndexServerless(t *testing.T) {
	wstktest.Index(t, func(t *testing.T) wstk.Index {
		return open(t, func(x *Index) { serverless(t, x) })
	}, features)
}

var features = wstktest.Features[wstk.Index]{
	TornReplace: true,
	Second: func(t *testing.T, first wstk.Index) wstk.Index {
		x := *first.(*Index)
		return &x
	},
}

// serverless makes of a domain what a vector collection is to its clients: it
// refuses what a collection refuses, and shows writes at a time of its own, which
// here is at once.
func serverless(t testing.TB, x *Index) {
	x.Serverless, x.Region = true, "us-east-1"
	x.Credentials = credentials.NewStaticCredentialsProvider("made-up-id", "made-up-secret", "")
	x.Client = doer(func(req *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		for _, header := range []string{"Authorization", "X-Amz-Content-Sha256", "X-Amz-Date"} {
			if req.Header.Get(header) == "" {
				t.Errorf("%s %s has no %s", req.Method, req.URL.Path, header)
			}
		}
		if !strings.Contains(req.Header.Get("Authorization"), "/us-east-1/aoss/aws4_request") {
			t.Errorf("signed for another service: %s", req.Header.Get("Authorization"))
		}
		if strings.Contains(req.URL.String(), "refresh") || strings.Contains(req.URL.Path, "_doc/") {
			t.Errorf("a collection refuses %s %s", req.Method, req.URL)
		}
		bulk := strings.HasSuffix(req.URL.Path, "/_bulk")
		for line := range bytes.Lines(body) {
			if bulk && (bytes.HasPrefix(line, []byte(`{"index":`)) ||
				bytes.HasPrefix(line, []byte(`{"create":`))) && bytes.Contains(line, []byte(`_id`)) {
				t.Errorf("a collection refuses ids: %s", line)
			}
		}
		for _, header := range []string{"Authorization", "X-Amz-Content-Sha256", "X-Amz-Date"} {
			req.Header.Del(header)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil || !bulk {
			return res, err
		}
		again, err := http.Post(x.Endpoint+"/"+x.Name+"*/_refresh", "application/json", nil)
		if err != nil {
			return nil, err
		}
		again.Body.Close()
		return res, nil
	})
}

type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(req *http.Request) (*http.Response, error) { return d(req) }

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var bg = context.Background()
