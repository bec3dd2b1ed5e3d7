package safehttp

import (
	"bufio"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// loopProxy is a proxy that leads every tunnel to one server, and notes what it
// was asked.
type loopProxy struct {
	server string
	answer string // instead of a tunnel
	mu     sync.Mutex
	asked  []string
	auth   []string
}

func (p *loopProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked = append(p.asked, r.Method+" "+r.RequestURI)
	p.auth = append(p.auth, r.Header.Get("Proxy-Authorization"))
	p.mu.Unlock()
	conn, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	if p.answer != "" {
		io.WriteString(conn, p.answer)
		return
	}
	to, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer to.Close()
	io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
	go io.Copy(to, buffered)
	io.Copy(conn, to)
}

func TestProxy(t *testing.T) {
	site := httptest.NewUnstartedServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Proxy-Authorization") != "" {
				t.Error("the site saw the proxy's credentials")
			}
			fmt.Fprintf(w, "secure page of %s over %s", r.Host, r.Proto)
		}))
	site.EnableHTTP2 = true
	site.Config.ErrorLog = quiet
	site.StartTLS()
	t.Cleanup(site.Close)
	plain := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "page of %s%s", r.Host, r.RequestURI)
	})
	roots := x509.NewCertPool()
	roots.AddCert(site.Certificate())
	p := &loopProxy{}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	at, _ := url.Parse(server.URL)
	at.User = url.UserPassword("agent", "hunter2")

	client := open(t, Config{Proxy: at, RootCAs: roots,
		Resolver: names(func(host string) []netip.Addr {
			if strings.HasPrefix(host, "inner.") {
				return addrs("127.0.0.1", "10.0.0.1")
			}
			return addrs("10.0.0.1", "93.184.216.34")
		})})

	// net/http reads the environment through it, once per process
	if client.transport.Proxy != nil {
		t.Error("the environment's proxy may play a part")
	}
	for u, want := range map[string]string{
		"http://site.example/a//b?c=%zz": "page of site.example/a//b?c=%zz",
		"http://site.example:8080/":      "page of site.example:8080/",
		"https://example.com/x":          "secure page of example.com over HTTP/2.0",
		"https://example.com:8443/x":     "secure page of example.com:8443 over HTTP/2.0",
	} {
		p.server = site.Listener.Addr().String()
		if strings.HasPrefix(u, "http:") {
			p.server = plain.Listener.Addr().String()
		}
		resp, err := client.Do(t.Context(), wstk.Request{URL: u})
		if err != nil || string(resp.Body) != want {
			t.Errorf("%s: got %q, %v", u, resp.Body, err)
		}
	}
	slices.Sort(p.asked)
	if want := []string{"CONNECT 93.184.216.34:443", "CONNECT 93.184.216.34:80", "CONNECT 93.184.216.34:8080", "CONNECT 93.184.216.34:8443"}; !slices.Equal(p.asked, want) {
		t.Errorf("the proxy was asked %q", p.asked)
	}
	for _, a := range p.auth {
		if a != "Basic YWdlbnQ6aHVudGVyMg==" {
			t.Errorf("credentials sent: %q", a)
		}
	}

	p.asked = nil
	for _, u := range []string{"http://inner.example/", "https://inner.example/", "http://127.0.0.1/", "https://[::1]/", "http://169.254.169.254/"} {
		if _, err := client.Do(t.Context(),
			wstk.Request{URL: u}); wstk.CodeOf(err) != wstk.RefusedAddress {
			t.Errorf("%s: got %v", u, err)
		}
	}
	if p.asked != nil {
		t.Errorf("the proxy was asked for closed addresses: %q", p.asked)
	}
	p.server = site.Listener.Addr().String()
	if _, err := client.Do(t.Context(), wstk.Request{URL: "https://other.example/"}); wstk.CodeOf(
		err) != wstk.Network || !strings.Contains(err.Error(), "certificate is for another name") {
		t.Errorf("a certificate for another name through the tunnel: %v", err)
	}
}

func TestProxyThatFails(t *testing.T) {
	resolver := names(func(string) []netip.Addr { return addrs("93.184.216.34", "93.184.216.35") })
	for name, c := range map[string]struct{ answer, want string }{
		"credentials": {"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n", "did not accept the credentials"},
		"refusal":     {"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", "refused the connection with status 403"},
		"no HTTP":     {"SSH-2.0-x\r\n", "sent no valid HTTP reply"},
		"nothing":     {"\r\n", "sent no valid HTTP reply"},
		"talks first": {"HTTP/1.1 200 OK\r\n\r\nhello", "sent bytes after its reply"},
		"headers":     {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 2*maxConnectReply) + "\r\n\r\n", "sent no valid HTTP reply"},
	} {
		p := &loopProxy{answer: c.answer}
		server := httptest.NewServer(p)
		at, _ := url.Parse(server.URL)
		at.User = url.UserPassword("agent", "hunter2")
		_, err := open(t, Config{Proxy: at, Resolver: resolver}).Do(t.Context(), wstk.Request{URL: "https://example.com/"})
		if wstk.CodeOf(err) != wstk.Network || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: got %v", name, err)
		}
		server.Close()
	}

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := &url.URL{Scheme: "http", Host: l.Addr().String(), User: url.UserPassword("agent", "hunter2")}
	l.Close()
	for _, scheme := range []string{"http", "https"} {
		_, err := open(t, Config{Proxy: gone, Resolver: resolver}).
			Do(t.Context(), wstk.Request{URL: scheme + "://example.com/"})
		if wstk.CodeOf(err) != wstk.Network || !strings.Contains(err.Error(), "does not answer") ||
			strings.Contains(err.Error(), "hunter2") {
			t.Errorf("no proxy there, %s: got %v", scheme, err)
		}
	}

	// A proxy that takes the connection and says nothing.
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	held := make(chan struct{})
	go func() {
		defer close(held)
		for {
			conn, err := silent.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			go http.ReadRequest(bufio.NewReader(conn))
		}
	}()
	c := open(t, Config{Proxy: &url.URL{Scheme: "http", Host: silent.Addr().String()},
		Resolver: resolver, DialTimeout: 100 * time.Millisecond})
	if _, err := c.Do(t.Context(), wstk.Request{URL: "https://example.com/"}); wstk.CodeOf(err) != wstk.Timeout {
		t.Errorf("a silent proxy: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := c.Do(ctx, wstk.Request{URL: "https://example.com/"}); wstk.CodeOf(err) != wstk.Timeout {
		t.Errorf("a silent proxy and a caller in a hurry: %v", err)
	}
	silent.Close()
	<-held
}

func TestProxyOverTLS(t *testing.T) {
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "page of %s%s", r.Host, r.RequestURI)
	})
	p := &loopProxy{server: site.Listener.Addr().String()}
	server := httptest.NewTLSServer(p)
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	at, _ := url.Parse(server.URL)
	c := open(t, Config{Proxy: at, RootCAs: roots, Resolver: names(func(string) []netip.Addr {
		return addrs("93.184.216.34")
	})})
	resp, err := c.Do(t.Context(), wstk.Request{URL: "http://site.example/x"})
	if err != nil || string(resp.Body) != "page of site.example/x" {
		t.Errorf("got %q, %v", resp.Body, err)
	}
}

func TestConfigIsChecked(t *testing.T) {
	for name, cfg := range map[string]Config{
		"proxy scheme": {Proxy: &url.URL{Scheme: "socks5", Host: "127.0.0.1:1080"}},
		"proxy host":   {Proxy: &url.URL{Scheme: "http"}},
		"user agent":   {UserAgent: "a\r\nb: c"},
		"timeout":      {Timeout: -1},
		"size":         {MaxBytes: -1},
	} {
		if _, err := New(cfg); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.Invalid", name, err)
		}
	}
	if got := UserAgent("1.2", "https://example.com/bot"); got != "wstk/1.2 (+https://example.com/bot)" {
		t.Errorf("got %s", got)
	}
}

// A credential over plain http, which is for loopback, goes through no proxy: it would read it.
func TestNoProxyReadsACredential(t *testing.T) {
	site := serve(t, func(http.ResponseWriter, *http.Request) {})
	p := &loopProxy{server: site.Listener.Addr().String()}
	at, err := url.Parse(serve(t, p.ServeHTTP).URL)
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, Config{AllowPrivate: true, Proxy: at})
	cred, err := wstk.NewCredential(site.URL+"/", http.Header{"Cookie": {"made-up"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Do(t.Context(), wstk.Request{URL: site.URL + "/", Credential: cred})
	if wstk.CodeOf(err) != wstk.RefusedPolicy || len(p.asked) > 0 {
		t.Errorf("%v after %v", err, p.asked)
	}
}
