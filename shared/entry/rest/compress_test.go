package rest

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"wstk/shared/wstk"
)

func unzip(t *testing.T, data []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWhoTakesGzip(t *testing.T) {
	for header, want := range map[string]bool{
		"gzip": true, "GZIP": true, "x-gzip": true, "deflate, gzip;q=0.5, *;q=0": true, "*": true, "br, *;q=0.1": true, "gzip ; q=1.0": true,
		"": false, "identity": false, "deflate": false, "gzip;q=0": false, "gzip; Q=0.000": false, "*;q=0": false, "*, gzip;q=0": false,
		"gzip;q=0.5, identity": false, "gzip;q=x": false, "gzip;q=2": false, "gzip;q=NaN": false, "notgzip": false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", header)
		if takesGzip(r) != want {
			t.Errorf("%q: %v, want %v", header, !want, want)
		}
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header["Accept-Encoding"] = []string{"br", "gzip"}
	if !takesGzip(r) {
		t.Error("two headers")
	}
}

func TestCompression(t *testing.T) {
	h := open(t, Options{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, `<title>Mark 3</title><p>The Mark 3 pump reaches a working pressure of 9 bar.</p>`+strings.Repeat("<p>It is a pump.</p>", 200))
	}))
	defer web.Close()
	h.site = web.URL
	h.ingest()
	plain := h.call("GET", "/openapi.json", nil)
	if plain.Header().Get("Content-Encoding") != "" || plain.Header().Get("Vary") != "Accept-Encoding" || plain.Body.Len() < worthIt {
		t.Errorf("for who takes none: %v", plain.Header())
	}
	zipped := h.call("GET", "/openapi.json", nil, "Accept-Encoding", "gzip")
	if zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Header().Get("Content-Length") != "" || zipped.Header().Get("Vary") != "Accept-Encoding" ||
		zipped.Body.Len() > plain.Body.Len()/3 ||
		!bytes.Equal(unzip(t, zipped.Body.Bytes()), plain.Body.Bytes()) {
		t.Errorf("compressed: %v, %d bytes", zipped.Header(), zipped.Body.Len())
	}
	head := h.call("HEAD", "/openapi.json", nil, "Accept-Encoding", "gzip")
	for _, name := range []string{"Content-Encoding", "Content-Length", "Content-Type", "Vary"} {
		if head.Header().Get(name) != zipped.Header().Get(name) {
			t.Errorf("HEAD says %s: %q, GET %q", name, head.Header().Get(name), zipped.Header().Get(name))
		}
	}
	if head.Body.Len() != 0 {
		t.Errorf("HEAD has a body of %d bytes", head.Body.Len())
	}
	if w := h.call("GET", "/healthz", nil, "Accept-Encoding", "gzip"); w.Header().Get("Content-Encoding") != "" || w.Header().Get("Content-Length") == "" {
		t.Errorf("a small body: %v", w.Header())
	}
	if w := h.call("POST", "/gaps", `{"query": "`+strings.Repeat("ä", 3000)+`"}`, "Accept-Encoding", "gzip"); w.Code != 400 || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("a small error: %d %v", w.Code, w.Header())
	}

	hash := get(h.json(200, "GET", "/recall?q=working+pressure&limit=1", nil), "hits.0.snapshot_sha256").(string)
	page := h.call("GET", "/snapshots/"+hash, nil, "Accept-Encoding", "gzip")
	if page.Header().Get("Content-Encoding") != "gzip" || page.Header().
		Get("ETag") != `W/"`+hash+`"` || wstk.HashOf(unzip(t, page.Body.Bytes())) != wstk.Hash(hash) {
		t.Errorf("a page: %v", page.Header())
	}
	if w := h.call("GET", "/snapshots/"+hash, nil, "Accept-Encoding", "gzip", "If-None-Match", page.Header().Get("ETag")); w.Code != 304 ||
		w.Header().Get("ETag") != page.Header().Get("ETag") || w.Body.Len() != 0 || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("the page again: %d %v", w.Code, w.Header())
	}
	if w := h.call("GET", "/snapshots/"+hash, nil); w.Header().
		Get("ETag") != `"`+hash+`"` || w.Header().Get("Content-Length") == "" || wstk.HashOf(w.Body.Bytes()) != wstk.Hash(hash) {
		t.Errorf("the page as it is: %v", w.Header())
	}
	if w := h.call("GET", "/snapshots/"+hash, nil, "Accept-Encoding", "gzip", "Range",
		"bytes=0-1099"); w.Code != 206 || w.Header().Get("Content-Encoding") != "" || w.Body.Len() != 1100 {
		t.Errorf("a part of the page: %d %v", w.Code, w.Header())
	}
}

func TestWhatIsCompressed(t *testing.T) {
	for kind, want := range map[string]bool{"application/json": true, "application/json; charset=utf-8": true, "text/plain; version=0.0.4": true,
		"text/event-stream": false, "image/png": false, "application/pdf": false, "application/octet-stream": false, "": false} {
		w := httptest.NewRecorder()
		c := &compressor{ResponseWriter: w, accepted: true}
		c.Header().Set("Content-Type", kind)
		c.Header().Set("Content-Length", "5000")
		c.Write(bytes.Repeat([]byte("abcde"), 1000))
		c.close()
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("%q: %v, want %v", kind, got, want)
		}
	}
}

// A body that breaks off midway is cut, compressed or not: no client takes it for whole.
func TestBrokenBodiesAreCut(t *testing.T) {
	h := newHome(t, Options{})
	body := make([]byte, 100<<10)
	for i := range body {
		body[i] = byte('a' + i*i%23)
	}
	h.h.(*handler).mux.HandleFunc("GET /breaks", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", strconv.Itoa(2*len(body)))
		w.Write(body)
		if r.URL.Query().Has("aborts") {
			panic(http.ErrAbortHandler)
		}
		panic("midway")
	})
	server := httptest.NewServer(h.h)
	defer server.Close()
	for _, accepted := range []string{"gzip", "identity"} {
		for _, query := range []string{"", "?aborts"} {
			r, err := http.NewRequest("GET", server.URL+"/breaks"+query, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+firstToken)
			r.Header.Set("Accept-Encoding", accepted)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				continue // cut before anything was sent
			}
			got, err := io.ReadAll(res.Body)
			res.Body.Close()
			if err == nil {
				t.Errorf("%s%s: %d bytes look whole", accepted, query, len(got))
			}
		}
	}
	var b bytes.Buffer
	if err := h.app.Metrics.Prometheus(&b); err != nil || !strings.Contains(b.String(), `{method="GET",route="/breaks",status="200"} 4`) {
		t.Errorf("they are not counted: %v", err)
	}
}

// API Gateway hands bodies on as text: a compressed one is marked and encoded.
func TestCompressionBehindAPIGateway(t *testing.T) {
	h := newHome(t, Options{})
	e := events.APIGatewayV2HTTPRequest{Version: "2.0", RawPath: "/openapi.json",
		Headers: map[string]string{"authorization": "Bearer " + firstToken, "accept-encoding": "gzip, br", "host": "api.example"}}
	e.RequestContext.HTTP.Method, e.RequestContext.HTTP.Path = "GET", "/openapi.json"
	res, err := httpadapter.NewV2(h.h).ProxyWithContext(context.Background(), e)
	if err != nil || !res.IsBase64Encoded || res.Headers["Content-Encoding"] != "gzip" {
		t.Fatalf("%v, encoded: %v, %v", err, res.IsBase64Encoded, res.Headers)
	}
	data, err := base64.StdEncoding.DecodeString(res.Body)
	if err != nil || !bytes.Equal(unzip(t, data), openapi) {
		t.Errorf("another body: %v", err)
	}
}

// A body that comes slower than the server reads is cut, and costs no more than its time.
func TestSlowBodiesAreCut(t *testing.T) {
	h := newHome(t, Options{})
	server := httptest.NewUnstartedServer(h.h)
	server.Config.ReadTimeout = 200 * time.Millisecond
	server.Start()
	defer server.Close()
	slow, feed := io.Pipe()
	defer feed.Close()
	go feed.Write([]byte(`{"query":`))
	r, err := http.NewRequest("POST", server.URL+"/gaps", slow)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+firstToken)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return // cut off before it was answered
	}
	defer res.Body.Close()
	if res.StatusCode != 400 {
		t.Errorf("status %d", res.StatusCode)
	}
}
