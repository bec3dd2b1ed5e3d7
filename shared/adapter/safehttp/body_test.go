package safehttp

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"wstk/shared/wstk"
)

var quiet = log.New(io.Discard, "", 0)

// packed encodes data in one coding after the other.
func packed(t testing.TB, codings string, data []byte) []byte {
	t.Helper()
	for _, coding := range strings.Split(codings, ", ") {
		var b bytes.Buffer
		var w io.WriteCloser
		switch coding {
		case "gzip":
			w = gzip.NewWriter(&b)
		case "deflate":
			w = zlib.NewWriter(&b)
		case "raw":
			w, _ = flate.NewWriter(&b, 5)
		case "br":
			w = brotli.NewWriterLevel(&b, 5)
		case "zstd":
			w, _ = zstd.NewWriter(&b)
		default:
			t.Fatalf("no coding %q", coding)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		w.Close()
		data = b.Bytes()
	}
	return data
}

func get(t *testing.T, c *Client, h http.HandlerFunc) (wstk.Response, error) {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	defer s.CloseClientConnections()
	return c.Do(t.Context(), wstk.Request{URL: s.URL + "/"})
}

func TestEncodings(t *testing.T) {
	page := bytes.Repeat([]byte("a page, neither short nor long. "), 3000)
	noise := make([]byte, 100_000)
	rand.Read(noise)
	client := open(t, Config{AllowPrivate: true})
	for _, c := range []struct {
		header []string
		body   []byte
		want   []byte // nil: Network
	}{
		{nil, page, page},
		{[]string{""}, page, page},
		{[]string{"identity"}, page, page},
		{[]string{"none"}, page, page},
		{[]string{"utf-8"}, page, page},
		{[]string{"gzip"}, packed(t, "gzip", page), page},
		{[]string{"GZIP "}, packed(t, "gzip", page), page},
		{[]string{"gzip"}, packed(t, "gzip", noise), noise},
		{[]string{"gzip, identity"}, packed(t, "gzip", page), page},
		{[]string{"deflate"}, packed(t, "deflate", page), page},
		{[]string{"deflate"}, packed(t, "raw", page), page},
		{[]string{"deflate"}, packed(t, "raw", noise), noise},
		{[]string{"br"}, packed(t, "br", page), page},
		{[]string{"br"}, packed(t, "br", noise), noise},
		{[]string{"zstd"}, packed(t, "zstd", page), page},
		{[]string{"zstd"}, append(packed(t, "zstd", page[:100]), packed(t, "zstd", page[100:])...), page},
		{[]string{"gzip, br"}, packed(t, "gzip, br", page), page},
		{[]string{"gzip", "zstd"}, packed(t, "gzip, zstd", page), page},
		{[]string{"deflate, gzip"}, packed(t, "raw, gzip", page), page},
		{[]string{"br, deflate"}, packed(t, "br, deflate", page), page},
		{[]string{"gzip"}, append(packed(t, "gzip", page), make([]byte, 512)...), page},
		{[]string{"gzip"}, append(packed(t, "gzip", page), "<!-- served by x -->"...), page},
		{[]string{"gzip"}, packed(t, "gzip", nil), []byte{}},
		{[]string{"gzip"}, nil, []byte{}},
		{[]string{"br"}, nil, []byte{}},
		{[]string{"zstd, gzip"}, nil, []byte{}},

		{[]string{"gzip, gzip, gzip"}, packed(t, "gzip, gzip, gzip", page), nil},
		{[]string{"compress"}, page, nil},
		{[]string{"dcb"}, page, nil},
		{[]string{"gzip"}, page, nil},
		{[]string{"deflate"}, page, nil},
		{[]string{"br"}, page, nil},
		{[]string{"zstd"}, page, nil},
		{[]string{"gzip"}, append(packed(t, "gzip", page), 0x1f, 0x8b, 8, 0), nil},
		{[]string{"br"}, append(packed(t, "br", page), "more"...), nil},
		{[]string{"gzip, br"}, packed(t, "br", packed(t, "gzip", page)[:200]), nil},
		{[]string{"gzip, br"}, packed(t, "br, gzip", page), nil},
		{[]string{"br, gzip"}, cutTrailer(packed(t, "br, gzip", page)), nil},
		{[]string{"br, deflate"}, cutTrailer(packed(t, "br, deflate", page)), nil},
	} {
		resp, err := get(t, client, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Encoding"] = c.header
			w.Write(c.body)
		})
		switch {
		case c.want == nil && wstk.CodeOf(err) != wstk.Network:
			t.Errorf("%q with %d bytes: got %d bytes, %v; want a network error", c.header, len(c.body), len(resp.Body), err)
		case c.want != nil && (err != nil || !bytes.Equal(resp.Body, c.want)):
			t.Errorf("%q with %d bytes: got %d bytes, %v; want %d", c.header, len(c.body), len(resp.Body), err, len(c.want))
		}
	}
}

func cutTrailer(b []byte) []byte { return b[:len(b)-2] }

// Cut anywhere, in any coding: an error, never a shorter page.
func TestEveryCutIsFound(t *testing.T) {
	page := bytes.Repeat([]byte("<p>a paragraph of the page</p>\n"), 20)
	client := open(t, Config{AllowPrivate: true})
	var body []byte
	var coding string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", coding)
		w.Write(body)
	}))
	defer s.Close()
	for _, coding = range []string{"gzip", "deflate", "br", "zstd", "gzip, br", "zstd, gzip"} {
		whole := packed(t, coding, page)
		for n := 1; n < len(whole); n++ {
			body = whole[:n]
			if resp, err := client.Do(t.Context(),
				wstk.Request{URL: s.URL + "/"}); wstk.CodeOf(err) != wstk.Network {
				t.Errorf("%s cut to %d of %d bytes: %d bytes, %v", coding, n, len(whole), len(resp.Body), err)
			}
		}
	}
}

// 261 KB of gzip that hold 256 MiB stop at the cap: neither time nor memory is
// spent on the rest.
func TestBomb(t *testing.T) {
	for _, coding := range []string{"gzip", "deflate", "br", "zstd"} {
		pr, pw := io.Pipe()
		go func() {
			var w io.WriteCloser
			switch coding {
			case "gzip":
				w, _ = gzip.NewWriterLevel(pw, gzip.BestSpeed)
			case "deflate":
				w, _ = zlib.NewWriterLevel(pw, zlib.BestSpeed)
			case "br":
				w = brotli.NewWriterLevel(pw, 1)
			case "zstd":
				w, _ = zstd.NewWriter(pw, zstd.WithEncoderConcurrency(1),
					zstd.WithEncoderLevel(zstd.SpeedFastest))
			}
			for block := make([]byte, 1<<20); ; { // as much as is taken
				if _, err := w.Write(block); err != nil {
					w.Close()
					return
				}
			}
		}()
		var sent atomic.Int64
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := get(t, open(t, Config{AllowPrivate: true}),
			func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Encoding", coding)
				n, _ := io.Copy(w, io.LimitReader(pr, 1<<20))
				sent.Store(n)
			})
		pr.Close()
		runtime.ReadMemStats(&after)
		if wstk.CodeOf(err) != wstk.TooLarge {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.TooLarge", coding, err)
		}
		if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 64<<20 {
			t.Errorf("%s: the heap grew by %d MiB", coding, grown>>20)
		}
	}
}

// Between two encodings there may be much that comes to nothing at the end: that is
// bounded too.
func TestNothingInsideMuch(t *testing.T) {
	inner := bytes.Repeat(packed(t, "gzip", nil), 300_000) // 7 MB that decode to nothing
	_, err := get(t, open(t, Config{AllowPrivate: true}),
		func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip, gzip")
			w.Write(packed(t, "gzip", inner))
		})
	if wstk.CodeOf(err) != wstk.TooLarge {
		t.Errorf("got %v", err)
	}
}

// A body of 5 GB: refused at once where its length is stated, and after the cap
// where it is not.
func TestFiveGigabytes(t *testing.T) {
	const size = 5 << 30
	for _, stated := range []bool{true, false} {
		var sent atomic.Int64
		done := make(chan struct{})
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer close(done)
			if stated {
				w.Header().Set("Content-Length", fmt.Sprint(int64(size)))
			}
			block := make([]byte, 256<<10)
			for range size / len(block) {
				n, err := w.Write(block)
				sent.Add(int64(n))
				if err != nil {
					return
				}
			}
		}))
		_, err := open(t, Config{AllowPrivate: true}).Do(t.Context(), wstk.Request{URL: s.URL + "/"})
		<-done
		s.Close()
		if wstk.CodeOf(err) != wstk.TooLarge {
			t.Errorf("length stated is %v: %v", stated, err)
		}
		if n := sent.Load(); n > 64<<20 {
			t.Errorf("length stated is %v: the server could send %d MiB", stated, n>>20)
		}
	}
}

// A caller that asks for the beginning of a body, as of robots.txt, gets it however much the
// server has or packs, and no more is taken.
func TestTheBeginningOfABomb(t *testing.T) {
	const want, size = 500<<10 + 1, 50 << 20
	bomb := packed(t, "gzip", make([]byte, size))
	for name, write := range map[string]func(w http.ResponseWriter) int{
		"a length that is stated": func(w http.ResponseWriter) int {
			w.Header().Set("Content-Length", fmt.Sprint(size))
			return 0
		},
		"no length": func(http.ResponseWriter) int { return 0 },
		"gzip": func(w http.ResponseWriter) int {
			w.Header().Set("Content-Encoding", "gzip")
			n, _ := w.Write(bomb)
			return n
		},
	} {
		var sent atomic.Int64
		done := make(chan struct{})
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer close(done)
			if write(w) > 0 {
				return
			}
			block := make([]byte, 64<<10)
			for range size / len(block) {
				n, err := w.Write(block)
				sent.Add(int64(n))
				if err != nil {
					return
				}
			}
		}))
		resp, err := open(t, Config{AllowPrivate: true}).
			Do(t.Context(), wstk.Request{URL: s.URL + "/robots.txt", MaxBytes: want, Cut: true})
		<-done
		s.Close()
		if err != nil || !resp.Cut || len(resp.Body) != want {
			t.Errorf("%s: %d bytes, cut %v, %v", name, len(resp.Body), resp.Cut, err)
		}
		if n := sent.Load(); n > 32<<20 {
			t.Errorf("%s: the server could send %d MiB", name, n>>20)
		}
	}
}

func TestEndlessAndMillionsOfHeaders(t *testing.T) {
	for name, count := range map[string]int{"a million": 1_000_000, "no end": 1 << 40} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		var sent atomic.Int64
		done := make(chan struct{})
		go func() {
			defer close(done)
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			http.ReadRequest(bufio.NewReader(conn))
			io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
			for i := range count {
				n, err := fmt.Fprintf(conn, "X-%d: y\r\n", i)
				sent.Add(int64(n))
				if err != nil {
					return
				}
			}
			io.WriteString(conn, "\r\n")
		}()
		_, err = open(t, Config{AllowPrivate: true}).
			Do(t.Context(), wstk.Request{URL: "http://" + l.Addr().String() + "/"})
		<-done
		l.Close()
		if wstk.CodeOf(err) != wstk.TooLarge {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.TooLarge", name, err)
		}
		if sent.Load() > 32<<20 {
			t.Errorf("%s: the server could send %d bytes of headers", name, sent.Load())
		}
	}
}

func TestHeadersBelowTheCapPass(t *testing.T) {
	resp, err := get(t, open(t, Config{AllowPrivate: true}),
		func(w http.ResponseWriter, r *http.Request) {
			for i := range 300 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 100))
			}
		})
	if err != nil || len(resp.Header) < 300 {
		t.Errorf("%d headers, %v", len(resp.Header), err)
	}
}

func TestSecretHeadersAreDropped(t *testing.T) {
	resp, err := get(t, open(t, Config{AllowPrivate: true}),
		func(w http.ResponseWriter, r *http.Request) {
			for _, name := range []string{"Set-Cookie", "Set-Cookie2", "X-Amz-Security-Token", "X-CSRF-Token", "X-Api-Key", "Apikey", "Authorization",
				"Authentication-Info", "X-Client-Secret", "X-Session-Id"} {
				w.Header().Add(name, "v")
			}
			for _, name := range []string{"Etag", "Link", "Location", "X-Robots-Tag", "Retry-After", "Content-Type", "Www-Authenticate", "Refresh"} {
				w.Header().Set(name, "v")
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	resp.Header.Del("Date")
	if len(resp.Header) != 8 {
		t.Errorf("kept %v", resp.Header)
	}
}

// Whatever bytes come, decoding ends, gives at most the cap, and never panics.
func FuzzBody(f *testing.F) {
	for _, c := range []string{"gzip", "deflate", "raw", "br", "zstd", "gzip, br"} {
		f.Add(strings.Replace(c, "raw", "deflate", 1), packed(f, c, []byte("a page, a page, a page")))
	}
	f.Fuzz(func(t *testing.T, coding string, data []byte) {
		const size = 10_000
		resp := &http.Response{Header: http.Header{"Content-Encoding": {coding}}, ContentLength: -1}
		body, _, err := readBody(resp, &wire{r: bytes.NewReader(data)}, size, false)
		if err == nil && len(body) > size {
			t.Errorf("%d bytes over a cap of %d", len(body), size)
		}
		if err != nil && body != nil {
			t.Errorf("%d bytes beside %v", len(body), err)
		}
	})
}
