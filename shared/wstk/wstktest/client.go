package wstktest

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// ClientOptions are what the suite asks of a wstk.Client for one test. Zero means
// the client's own default.
type ClientOptions struct {
	AllowPrivate   bool // loopback may be reached
	MaxBytes       int64
	MaxHeaderBytes int64
	Timeout        time.Duration
	MinRate        int64         // bytes/s
	RateWindow     time.Duration // over which MinRate is measured
	UserAgent      string

	// Lookup answers for names; nil means that no name exists.
	Lookup func(host string) []netip.Addr
}

// Client checks what wstk.Client promises, against servers on loopback that the
// suite starts.
func Client(t *testing.T, open func(t *testing.T, o ClientOptions) wstk.Client) {
	s := clientSuite{open, ClientOptions{AllowPrivate: true}}
	t.Run("ReplyIsWholeAndTold", s.replyIsWholeAndTold)
	t.Run("TargetIsSentAsGiven", s.targetIsSentAsGiven)
	t.Run("RedirectsAreReturned", s.redirectsAreReturned)
	t.Run("EncodingsAreUndone", s.encodingsAreUndone)
	t.Run("BodyAtTheCapIsWhole", s.bodyAtTheCapIsWhole)
	t.Run("BodyOverTheCapIsTooLarge", s.bodyOverTheCapIsTooLarge)
	t.Run("BodyOverTheCapIsCutWhereAllowed", s.bodyOverTheCapIsCutWhereAllowed)
	t.Run("HeadersOverTheCapAreTooLarge", s.headersOverTheCapAreTooLarge)
	t.Run("TruncatedBodyIsNetwork", s.truncatedBodyIsNetwork)
	t.Run("SilenceIsTimeout", s.silenceIsTimeout)
	t.Run("BelowTheMinimumRateIsTimeout", s.belowTheMinimumRateIsTimeout)
	t.Run("CancelledIsCancelled", s.cancelledIsCancelled)
	t.Run("PolicyIsRefused", s.policyIsRefused)
	t.Run("ClosedAddressesAreRefused", s.closedAddressesAreRefused)
	t.Run("NamesAreLookedUp", s.namesAreLookedUp)
	t.Run("ClosedPortIsNetwork", s.closedPortIsNetwork)
	t.Run("ValidatorsAndHeadersAreSent", s.validatorsAndHeadersAreSent)
	t.Run("SecretsStayInside", s.secretsStayInside)
	t.Run("CredentialsGoWhereTheyCoverAndNowhereElse", s.credentialsGoWhereTheyCover)
	t.Run("ManyAtOnce", s.manyAtOnce)
}

type clientSuite struct {
	open     func(t *testing.T, o ClientOptions) wstk.Client
	loopback ClientOptions
}

func (s clientSuite) replyIsWholeAndTold(t *testing.T) {
	url := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Page", "yes")
		w.WriteHeader(404)
		fmt.Fprintf(w, "%s %s", r.Method, r.RequestURI)
	})
	resp, err := s.open(t, s.loopback).
		Do(t.Context(), wstk.Request{URL: url + "/a%20b?q=%zz&x=[1]"})
	clientOK(t, err)
	if resp.Status != 404 || resp.Header.Get("X-Page") != "yes" {
		t.Errorf("got status %d, headers %v", resp.Status, resp.Header)
	}
	if want := "GET /a%20b?q=%zz&x=[1]"; string(resp.Body) != want {
		t.Errorf("the server saw %q, want %q", resp.Body, want)
	}
	if resp.Remote != strings.TrimPrefix(url, "http://") {
		t.Errorf("remote is %q, want that of %s", resp.Remote, url)
	}
	if resp.Duration <= 0 {
		t.Errorf("duration is %v", resp.Duration)
	}
}

func (s clientSuite) targetIsSentAsGiven(t *testing.T) {
	// Not an http.Server: that one answers 400 to targets net/url does not like.
	url := clientConns(t, func(conn net.Conn) {
		line, _ := bufio.NewReader(conn).ReadString('\n')
		target := strings.TrimSuffix(strings.TrimPrefix(line, "GET "), " HTTP/1.1\r\n")
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
			len(target), target)
	})
	for _, path := range []string{"/", "/100%", "/a//b/", "//double", "/%7Euser/|x|", "/a;b=c",
		"/?", "/x?a=b&a=b", "/q?%", "/a'b\"c"} {
		resp, err := s.open(t, s.loopback).Do(t.Context(), wstk.Request{URL: url + path})
		clientOK(t, err)
		if got := strings.TrimPrefix(string(resp.Body), url); got != path {
			t.Errorf("asked for %q, the server saw %q", path, resp.Body)
		}
	}
}

func (s clientSuite) redirectsAreReturned(t *testing.T) {
	var asked sync.Map
	url := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.Path, true)
		http.Redirect(w, r, "/next", http.StatusFound)
	})
	resp, err := s.open(t, s.loopback).Do(t.Context(), wstk.Request{URL: url + "/first"})
	clientOK(t, err)
	if resp.Status != 302 || resp.Header.Get("Location") != "/next" {
		t.Errorf("got %d to %q", resp.Status, resp.Header.Get("Location"))
	}
	if _, followed := asked.Load("/next"); followed {
		t.Error("the redirect was followed")
	}
}

func (s clientSuite) encodingsAreUndone(t *testing.T) {
	for coding, body := range clientEncoded() {
		url := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
			name, _, _ := strings.Cut(coding, " ")
			if !strings.Contains(r.Header.Get("Accept-Encoding"), strings.TrimPrefix(name, "x-")) &&
				name != "identity" {
				t.Errorf("%s is not among the accepted %q", name, r.Header.Get("Accept-Encoding"))
			}
			w.Header().Set("Content-Encoding", name)
			w.Write(body)
		})
		resp, err := s.open(t, s.loopback).Do(t.Context(), wstk.Request{URL: url + "/"})
		if err != nil {
			t.Errorf("%s: %v; want err == nil", coding, err)
			continue
		}
		if string(resp.Body) != clientText {
			t.Errorf("%s: got %d bytes %.40q", coding, len(resp.Body), resp.Body)
		}
		if h := resp.Header.Get("Content-Encoding"); h != "" {
			t.Errorf("%s: a decoded reply still says Content-Encoding: %s", coding, h)
		}
	}
}

func (s clientSuite) bodyAtTheCapIsWhole(t *testing.T) {
	url := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write(make([]byte, 1000))
	})
	for _, o := range []struct{ own, asked int64 }{{1000, 0}, {10, 1000}} {
		opts := s.loopback
		opts.MaxBytes = o.own
		resp, err := s.open(t, opts).
			Do(t.Context(), wstk.Request{URL: url + "/", MaxBytes: o.asked})
		clientOK(t, err)
		if len(resp.Body) != 1000 {
			t.Errorf("got %d bytes", len(resp.Body))
		}
	}
}

func (s clientSuite) bodyOverTheCapIsTooLarge(t *testing.T) {
	bomb := clientGzip(bytes.Repeat([]byte{0}, 1<<20))
	handlers := map[string]http.HandlerFunc{
		"stated length": func(w http.ResponseWriter, r *http.Request) {
			w.Write(make([]byte, 1001))
		},
		"compressed": func(w http.ResponseWriter, r *http.Request) {
			clientWrite(w, "gzip", bomb)
		},
		"nothing in it": func(w http.ResponseWriter, r *http.Request) { clientEmptyMembers(w) },
		"twice": func(w http.ResponseWriter, r *http.Request) {
			clientWrite(w, "gzip, gzip", clientGzip(bomb))
		},
		"without an end": func(w http.ResponseWriter, r *http.Request) { clientEndless(w) },
	}
	for name, h := range handlers {
		opts := s.loopback
		opts.MaxBytes = 1000
		_, err := s.open(t, opts).Do(t.Context(), wstk.Request{URL: clientServe(t, h) + "/"})
		clientCode(t, name, err, wstk.TooLarge)
		opts.MaxBytes = 0
		_, err = s.open(t, opts).
			Do(t.Context(), wstk.Request{URL: clientServe(t, h) + "/", MaxBytes: 1000})
		clientCode(t, name+", cap of the request", err, wstk.TooLarge)
	}
}

func (s clientSuite) bodyOverTheCapIsCutWhereAllowed(t *testing.T) {
	long := strings.Repeat("0123456789", 1000)
	handlers := map[string]http.HandlerFunc{
		"stated length": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, long) },
		"compressed": func(w http.ResponseWriter, r *http.Request) {
			clientWrite(w, "gzip", clientGzip([]byte(long)))
		},
	}
	for name, h := range handlers {
		url := clientServe(t, h) + "/"
		resp, err := s.open(t, s.loopback).
			Do(t.Context(), wstk.Request{URL: url, MaxBytes: 1000, Cut: true})
		clientOK(t, err)
		if string(resp.Body) != long[:1000] || !resp.Cut {
			t.Errorf("%s: got %d bytes, cut %v; want the first 1000, cut", name,
				len(resp.Body), resp.Cut)
		}
		resp, err = s.open(t, s.loopback).
			Do(t.Context(), wstk.Request{URL: url, MaxBytes: 10_000, Cut: true})
		clientOK(t, err)
		if string(resp.Body) != long || resp.Cut {
			t.Errorf("%s: got %d bytes, cut %v; want all 10,000", name, len(resp.Body), resp.Cut)
		}
	}
}

func (s clientSuite) headersOverTheCapAreTooLarge(t *testing.T) {
	one := clientRaw(t, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 20_000)+"\r\n\r\n")
	many := clientRaw(t, "HTTP/1.1 200 OK\r\n"+strings.Repeat("X: y\r\n", 10_000)+"\r\n")
	opts := s.loopback
	opts.MaxHeaderBytes = 8 << 10
	for name, url := range map[string]string{"one": one, "many": many} {
		_, err := s.open(t, opts).Do(t.Context(), wstk.Request{URL: url + "/"})
		clientCode(t, name, err, wstk.TooLarge)
	}
}

func (s clientSuite) truncatedBodyIsNetwork(t *testing.T) {
	packed := clientGzip([]byte(clientText))
	framed := func(coding string, b []byte) string {
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: "+
			"%d\r\n\r\n%s", coding, len(b), b)
	}
	replies := map[string]string{
		"length":       "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
		"chunk":        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nshort",
		"last chunk":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
		"gzip trailer": framed("gzip", packed[:len(packed)-5]),
		"gzip body":    framed("gzip", packed[:len(packed)/2]),
		"gzip header":  framed("gzip", packed[:4]),
		"not gzip":     framed("gzip", []byte(clientText)),
		"checksum": framed("gzip",
			append(bytes.Clone(packed[:len(packed)-8]), make([]byte, 8)...)),
		"headers": "HTTP/1.1 200 OK\r\nContent-Le",
		"nothing": "",
		"no http": "SSH-2.0-OpenSSH_9.2\r\n",
	}
	for coding, b := range clientEncoded() {
		if name, _, _ := strings.Cut(coding, " "); name != "identity" {
			replies["cut "+coding] = framed(name, b[:len(b)-3])
		}
	}
	for name, reply := range replies {
		resp, err := s.open(t, s.loopback).
			Do(t.Context(), wstk.Request{URL: clientRaw(t, reply) + "/"})
		clientCode(t, name, err, wstk.Network)
		if len(resp.Body) > 0 || resp.Status != 0 {
			t.Errorf("%s: a reply came with the error: %+v", name, resp)
		}
	}
}

func (s clientSuite) silenceIsTimeout(t *testing.T) {
	url := clientServe(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	opts := s.loopback
	opts.Timeout = 100 * time.Millisecond
	_, err := s.open(t, opts).Do(t.Context(), wstk.Request{URL: url + "/"})
	clientCode(t, "no reply", err, wstk.Timeout)
}

func (s clientSuite) belowTheMinimumRateIsTimeout(t *testing.T) {
	url := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		for range 400 { // a client that does not mind gets it all
			io.WriteString(w, ".")
			w.(http.Flusher).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	})
	opts := s.loopback
	opts.Timeout, opts.MinRate, opts.RateWindow = time.Minute, 1_000_000, 100*time.Millisecond
	_, err := s.open(t, opts).Do(t.Context(), wstk.Request{URL: url + "/"})
	clientCode(t, "drip", err, wstk.Timeout)
}

func (s clientSuite) cancelledIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	url := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write(make([]byte, 100))
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	})
	_, err := s.open(t, s.loopback).Do(ctx, wstk.Request{URL: url + "/"})
	clientCode(t, "during the body", err, wstk.Cancelled)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v does not wrap context.Canceled", err)
	}
	_, err = s.open(t, s.loopback).Do(ctx, wstk.Request{URL: url + "/"})
	clientCode(t, "before", err, wstk.Cancelled)
}

func (s clientSuite) policyIsRefused(t *testing.T) {
	reached := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was asked", r.RequestURI)
	})
	host := strings.TrimPrefix(reached, "http://")
	for _, url := range []string{"", "x", "//" + host + "/", "ftp://" + host + "/",
		"file:///etc/passwd", "javascript:alert(1)",
		"http://", "http:///", "http://:80/", "http://user@" + host + "/", "http://user:hunter2@" + host + "/", "http://@" + host + "/",
		"http://127.0.0.1:22/", "http://127.0.0.1:25/", "http://127.0.0.1:6667/", "http://127.0.0.1:0/", "http://127.0.0.1:70000/",
		"http://" + host + "/a b", "http://" + host + "/\r\nX: y", "http://exa mple/", "http://[::1/", "http://[fe80::1%25eth0]/"} {
		_, err := s.open(t, s.loopback).Do(t.Context(), wstk.Request{URL: url})
		clientCode(t, url, err, wstk.RefusedPolicy)
	}
	for _, name := range []string{"Authorization", "authorization", "Proxy-Authorization", "Cookie",
		"Set-Cookie", "Host", "Connection",
		"Keep-Alive", "Transfer-Encoding", "Content-Length", "TE", "Trailer", "Upgrade",
		"Proxy-Connection", "X: y", "A\r\nB", ""} {
		_, err := s.open(t, s.loopback).
			Do(t.Context(), wstk.Request{URL: reached + "/", Header: http.Header{name: {"v"}}})
		clientCode(t, "header "+name, err, wstk.RefusedPolicy)
	}
	_, err := s.open(t, s.loopback).Do(t.Context(),
		wstk.Request{URL: reached + "/", Header: http.Header{"X-A": {"a\r\nX-B: b"}}})
	clientCode(t, "header value", err, wstk.RefusedPolicy)
}

func (s clientSuite) closedAddressesAreRefused(t *testing.T) {
	url := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		t.Error("a closed address was reached")
	})
	port := url[strings.LastIndex(url, ":"):]
	names := ClientOptions{Lookup: func(string) []netip.Addr {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1")}
	}}
	for _, host := range []string{"127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost",
		"public.example", "10.0.0.1", "169.254.169.254",
		"0.0.0.0", "[fd00:ec2::254]", "0x7f.1", "2130706433", "0177.0.0.1", "127.1"} {
		_, err := s.open(t, names).Do(t.Context(), wstk.Request{URL: "http://" + host + port + "/"})
		clientCode(t, host, err, wstk.RefusedAddress)
	}
	for _, host := range []string{"169.254.169.254", "100.100.100.200", "168.63.129.16",
		"[fd00:ec2::254]", "[fd20:ce::254]", "0.0.0.0"} {
		_, err := s.open(t, s.loopback).Do(t.Context(), wstk.Request{URL: "http://" + host + port + "/"})
		clientCode(t, host+" with private addresses open", err, wstk.RefusedAddress)
	}
}

func (s clientSuite) namesAreLookedUp(t *testing.T) {
	var host sync.Map
	url := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		host.Store("Host", r.Host)
	})
	port := url[strings.LastIndex(url, ":"):]
	opts := s.loopback
	opts.Lookup = func(name string) []netip.Addr {
		if name == "site.example" {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}
		}
		return nil
	}
	_, err := s.open(t, opts).Do(t.Context(), wstk.Request{URL: "http://site.example" + port + "/"})
	clientOK(t, err)
	if got, _ := host.Load("Host"); got != "site.example"+port {
		t.Errorf("the server was asked for host %v", got)
	}
	_, err = s.open(t, opts).Do(t.Context(), wstk.Request{URL: "http://other.example" + port + "/"})
	clientCode(t, "unknown name", err, wstk.Network)
}

func (s clientSuite) closedPortIsNetwork(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	clientOK(t, err)
	address := l.Addr().String()
	l.Close()
	_, err = s.open(t, s.loopback).Do(t.Context(), wstk.Request{URL: "http://" + address + "/"})
	clientCode(t, "no listener", err, wstk.Network)
}

func (s clientSuite) validatorsAndHeadersAreSent(t *testing.T) {
	url := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") != `"v1"` ||
			r.Header.Get("If-Modified-Since") != "Mon, 02 Jan 2006 15:04:05 GMT" ||
			r.Header.Get("Accept-Language") != "de" || r.Header.Get("User-Agent") != "other/1" {
			t.Errorf("the server saw %v", r.Header)
		}
		w.Header().Set("ETag", `"v1"`)
		w.WriteHeader(http.StatusNotModified)
	})
	opts := s.loopback
	opts.UserAgent = "own/1"
	resp, err := s.open(t, opts).Do(t.Context(),
		wstk.Request{URL: url + "/", ETag: `"v1"`, Modified: "Mon, 02 Jan 2006 15:04:05 GMT",
			Header: http.Header{"accept-language": {"de"}}, UserAgent: "other/1"})
	clientOK(t, err)
	if resp.Status != 304 || len(resp.Body) != 0 || resp.Header.Get("ETag") != `"v1"` {
		t.Errorf("got %d, %d bytes, %v", resp.Status, len(resp.Body), resp.Header)
	}
	url = clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Header.Get("User-Agent"))
	})
	resp, err = s.open(t, opts).Do(t.Context(), wstk.Request{URL: url + "/"})
	clientOK(t, err)
	if string(resp.Body) != "own/1" {
		t.Errorf("the client calls itself %q", resp.Body)
	}
}

func (s clientSuite) secretsStayInside(t *testing.T) {
	const secret = "hunter2"
	url := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Cookie") != "" {
			t.Error("a cookie came back")
		}
		w.Header().Set("Set-Cookie", "session="+secret)
		w.Header().Set("X-Auth-Token", secret)
		io.WriteString(w, "page")
	})
	client := s.open(t, s.loopback)
	for range 2 {
		resp, err := client.Do(t.Context(), wstk.Request{URL: url + "/"})
		clientOK(t, err)
		if got := fmt.Sprint(resp.Header); strings.Contains(got, secret) {
			t.Errorf("headers hold a secret: %s", got)
		}
	}
	broken := clientRaw(t, "HTTP/1.1 200 OK\r\nSet-Cookie "+secret+"\r\n\r\n")
	for _, r := range []wstk.Request{
		{URL: broken + "/?token=" + secret},
		{URL: "http://user:" + secret + "@127.0.0.1/"},
		{URL: url + "/", Header: http.Header{"Authorization": {secret}}},
		{URL: url + "/", Header: http.Header{"X-A": {secret + "\n"}}},
		{URL: "http://127.0.0.1:" + secret + "/"},
	} {
		_, err := client.Do(t.Context(), r)
		if err == nil {
			t.Errorf("no error for a request that must fail")
		} else if strings.Contains(fmt.Sprintf("%v %+v", err, err), secret) {
			t.Errorf("the error repeats a secret: %v", err)
		}
	}
}

func (s clientSuite) credentialsGoWhereTheyCover(t *testing.T) {
	const secret = "made-up-session-0001"
	var seen []string
	note := func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.Path+" "+r.Header.Get("Cookie"))
	}
	url, other := clientServe(t, note), clientServe(t, note)
	cred, err := wstk.NewCredential(url+"/mine", http.Header{"cookie": {"id=" + secret}})
	clientOK(t, err)
	client := s.open(t, s.loopback)
	_, err = client.Do(t.Context(), wstk.Request{URL: url + "/mine/a", Credential: cred})
	clientOK(t, err)
	for _, u := range []string{url + "/", url + "/mineral", other + "/mine/a",
		strings.Replace(url, "http:", "https:", 1) + "/mine/a",
		strings.Replace(url, "127.0.0.1", "127.0.0.2", 1) + "/mine/a"} {
		_, err := client.Do(t.Context(), wstk.Request{URL: u, Credential: cred})
		clientCode(t, u, err, wstk.RefusedPolicy)
		if strings.Contains(fmt.Sprint(err), secret) {
			t.Errorf("the error shows the secret: %v", err)
		}
	}
	_, err = client.Do(t.Context(), wstk.Request{URL: url + "/mine/b"})
	clientOK(t, err)
	if got := strings.Join(seen, ", "); got != "/mine/a id="+secret+", /mine/b " {
		t.Errorf("the servers saw %q", got)
	}
}

func (s clientSuite) manyAtOnce(t *testing.T) {
	url := clientServe(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.URL.Path)
	})
	client := s.open(t, s.loopback)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			path := fmt.Sprintf("/%d", i)
			resp, err := client.Do(t.Context(), wstk.Request{URL: url + path})
			if err != nil || string(resp.Body) != path {
				t.Errorf("%s: got %q, %v", path, resp.Body, err)
			}
		})
	}
	wg.Wait()
}

var clientText = strings.Repeat("Ein Haus, ein Baum, ein Kind: 一棵树 🌳.\n", 20)

// clientEncoded holds clientText in each coding; what follows a space in a key
// tells variants apart.
func clientEncoded() map[string][]byte {
	var zl, raw bytes.Buffer
	zw := zlib.NewWriter(&zl)
	io.WriteString(zw, clientText)
	zw.Close()
	fw, _ := flate.NewWriter(&raw, 9)
	io.WriteString(fw, clientText)
	fw.Close()
	half := len(clientText) / 2
	// The standard library has no encoder for these two; both hold clientText.
	br, _ := base64.StdEncoding.DecodeString(
		"G5cDABypUV/M7mx2ntDNAwqjtoTaCoKS3wPazx824EgDSmxAGj3HOGA9Xwb6GvgaNuA0CBgC1U3gDJRrrRcW9zAq1Mk9JFPwjroivnnpAA==")
	zstd, _ := base64.StdEncoding.DecodeString(
		"KLUv/UQAmAKdAQCEAkVpbiBIYXVzLCBlaW4gQmF1bUtpbmQ6IOS4gOajteagkSDwn4yzLgoCAM5GVZsOJQxQ/CMp")
	return map[string][]byte{
		"identity": []byte(clientText),
		"gzip":     clientGzip([]byte(clientText)),
		"x-gzip":   clientGzip([]byte(clientText)),
		"gzip two members": append(clientGzip([]byte(clientText[:half])),
			clientGzip([]byte(clientText[half:]))...),
		"deflate":     zl.Bytes(),
		"deflate raw": raw.Bytes(),
		"br":          br,
		"zstd":        zstd,
	}
}

func clientGzip(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func clientWrite(w http.ResponseWriter, coding string, b []byte) {
	w.Header().Set("Content-Encoding", coding)
	w.Write(b)
}

// clientEndless writes until the client hangs up.
func clientEndless(w http.ResponseWriter) {
	for block := make([]byte, 32<<10); ; {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

// clientEmptyMembers writes gzip members that decode to nothing, without end.
func clientEmptyMembers(w http.ResponseWriter) {
	w.Header().Set("Content-Encoding", "gzip")
	for block := bytes.Repeat(clientGzip(nil), 1000); ; {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

func clientServe(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// clientRaw serves the same bytes to every connection, after the request's head,
// and closes it.
func clientRaw(t *testing.T, reply string) string {
	return clientConns(t, func(conn net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			io.WriteString(conn, reply)
		}
	})
}

// clientConns gives every connection to serve, then closes it.
func clientConns(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	clientOK(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

func clientOK(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func clientCode(t *testing.T, what string, err error, want wstk.Code) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want %s", what, want)
	} else if got := wstk.CodeOf(err); got != want {
		t.Errorf("%s: code %s, want %s: %v", what, got, want, err)
	}
}
