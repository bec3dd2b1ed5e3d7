package safehttp

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

func gate(t *testing.T, cfg Config, o GateOptions) *Gate {
	t.Helper()
	g, err := open(t, cfg).OpenGate(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// through is a browser behind the gate.
func through(t *testing.T, g *Gate, roots *x509.CertPool) *http.Client {
	user, password := g.Credentials()
	tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true,
		Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: g.Addr(),
			User: url.UserPassword(user, password)})}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: 10 * time.Second}
}

// read returns a reply's body, and closes it.
func read(resp *http.Response) (string, error) {
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	return string(got), err
}

func echo(t *testing.T) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "" || r.Header.Get("Proxy-Connection") != "" {
			t.Error("the site saw headers meant for the gate")
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %q", r.Method, r.Host, r.RequestURI, body)
	}
}

func TestGateLetsThrough(t *testing.T) {
	plain := serve(t, echo(t))
	secure := httptest.NewTLSServer(echo(t))
	t.Cleanup(secure.Close)
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	g := gate(t, Config{AllowPrivate: true}, GateOptions{})
	for _, site := range []string{plain.URL, secure.URL} {
		host := site[strings.LastIndex(site, "/")+1:]
		resp, err := through(t, g, roots).Post(site+"/a//b?c=d%2Fe", "text/plain", strings.NewReader("hello"))
		if err != nil {
			t.Fatalf("%s: %v; want err == nil", site, err)
		}
		got, _ := read(resp)
		if want := "POST " + host + ` /a//b?c=d%2Fe "hello"`; got != want {
			t.Errorf("%s: got %s, want %s", site, got, want)
		}
		if err := g.Failure(site + "/x"); err != nil {
			t.Errorf("%s: %v; want err == nil", site, err)
		}
	}
	if g.Refused() != nil || g.bytes.Load() == 0 {
		t.Errorf("refused %v, counted %d bytes", g.Refused(), g.bytes.Load())
	}
}

// talk writes raw bytes to the gate and returns all it answers.
func talk(t *testing.T, g *Gate, ask string) string {
	t.Helper()
	conn, err := net.Dial("tcp", g.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(5 * time.Second))
	io.WriteString(conn, ask)
	got, err := io.ReadAll(conn)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		t.Errorf("%q: the gate left the connection open", ask)
	}
	return string(got)
}

func TestGateChangesNoPathAndTakesOneRequest(t *testing.T) {
	asked := make(chan string, 9)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				head := ""
				for !strings.HasSuffix(head, "\r\n\r\n") {
					line, err := in.ReadString('\n')
					if head += line; err != nil {
						break
					}
				}
				asked <- head
				fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi") // and stays open
				io.Copy(io.Discard, in)
				asked <- "closed"
			}()
		}
	}()
	g := gate(t, Config{AllowPrivate: true}, GateOptions{})
	head := "Host: other.example\r\nConnection: keep-alive\r\nProxy-Connection: keep-alive\r\nX: y\r\nProxy-Authorization: " + string(g.auth) + "\r\n\r\n"
	first := "GET http://" + l.Addr().String() + "/100%?<x> HTTP/1.1\r\n" + head
	second := "GET http://10.0.0.1/ HTTP/1.1\r\n" + head
	if got := talk(t, g, first+second); got != "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi" && got != "" {
		t.Errorf("got %q", got)
	}
	if got, want := <-asked, "GET /100%?<x> HTTP/1.1\r\nHost: "+l.Addr().String()+"\r\nX: y\r\nConnection: close\r\n\r\n"; got != want {
		t.Errorf("the site saw %q, want %q", got, want)
	}
	if rest := <-asked; rest != "closed" {
		t.Errorf("the site saw more: %q", rest)
	}
}

func TestGateIsClosedToOthers(t *testing.T) {
	site := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request went through") })
	g := gate(t, Config{AllowPrivate: true}, GateOptions{})
	at := strings.TrimPrefix(site.URL, "http://")
	for _, auth := range []string{"", "Proxy-Authorization: Basic d3N0azp4\r\n", "Proxy-Authorization: " + string(g.auth[:len(g.auth)-1]) + "\r\n",
		"Authorization: " + string(g.auth) + "\r\n"} {
		for _, line := range []string{"GET " + site.URL + "/ HTTP/1.1", "CONNECT " + at + " HTTP/1.1"} {
			if got := talk(t, g, line+"\r\nHost: "+at+"\r\n"+auth+"\r\n"); !strings.HasPrefix(got, "HTTP/1.1 407 ") {
				t.Errorf("%s with %q: %q", line, auth, got)
			}
		}
	}
	for _, odd := range []string{"GET / HTTP/1.0\r\n\r\n", "nonsense\r\n\r\n", "GET /\r\n", "GET http://x/ HTTP/1.1\r\nno colon\r\n\r\n",
		"POST http://x/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "POST http://x/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
		"GET http://x/ HTTP/1.1\r\nX: " + strings.Repeat("x", 100<<10) + "\r\n\r\n"} {
		if odd == "GET /\r\n" {
			odd += strings.Repeat("a", 100<<10)
		}
		if got := talk(t, g, odd); got != "" {
			t.Errorf("%.60q: got %q", odd, got)
		}
	}
}

func TestGateRefuses(t *testing.T) {
	site := serve(t, echo(t))
	at := strings.TrimPrefix(site.URL, "http://")
	_, port, _ := net.SplitHostPort(at)
	g := gate(t, Config{Exceptions: []string{at}, Resolver: names(func(host string) []netip.Addr {
		switch host {
		case "inner.example":
			return addrs("10.0.0.1")
		case "meta.example":
			return addrs("169.254.169.254")
		}
		return nil
	})}, GateOptions{Admit: func(u string) error {
		if strings.Contains(u, "listed.example") {
			return wstk.Errorf(wstk.RefusedPolicy, "", "listed.example is on the block list")
		}
		return nil
	}})
	client := through(t, g, nil)
	if resp, err := client.Get(site.URL); err != nil {
		t.Errorf("the exception is closed: %v", err)
	} else {
		read(resp)
	}
	for _, c := range []struct {
		url  string
		want wstk.Code
		host string // refused
	}{
		{"http://inner.example/", wstk.RefusedAddress, "inner.example"},
		{"https://inner.example/", wstk.RefusedAddress, "inner.example"},
		{"https://meta.example/", wstk.RefusedAddress, "meta.example"},
		{"http://localhost:" + port + "/", wstk.Network, ""}, // no such name in this resolver
		{"http://127.0.0.2:" + port + "/", wstk.RefusedAddress, "127.0.0.2"},
		{"http://127.0.0.1:9999/", wstk.RefusedAddress, "127.0.0.1"},
		{"http://[::1]/", wstk.RefusedAddress, "::1"},
		{"https://listed.example/x", wstk.RefusedPolicy, "listed.example"},
		{"http://www.listed.example/x", wstk.RefusedPolicy, "www.listed.example"},
		{"https://nowhere.example/", wstk.Network, ""},
		{"http://mail.example:25/", wstk.RefusedPolicy, "mail.example"},
		{"https://mail.example:6667/", wstk.RefusedPolicy, "mail.example"},
	} {
		if resp, err := client.Get(c.url); err == nil {
			t.Errorf("%s: went through with status %d", c.url, resp.StatusCode)
		}
		if err := g.Failure(c.url); wstk.CodeOf(err) != c.want {
			t.Errorf("%s: %v (%s), want %s", c.url, err, wstk.CodeOf(err), c.want)
		}
		if c.host != "" && !slices.Contains(g.Refused(), c.host) {
			t.Errorf("%s: refused are %v", c.url, g.Refused())
		}
	}
	if len(g.Refused()) != 8 {
		t.Errorf("refused are %v, want each once", g.Refused())
	}
}

func TestGateChainsTheProxy(t *testing.T) {
	site := serve(t, echo(t))
	p := &loopProxy{server: strings.TrimPrefix(site.URL, "http://")}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	at, _ := url.Parse(server.URL)
	g := gate(t, Config{Proxy: at, Resolver: names(func(string) []netip.Addr {
		return addrs("93.184.216.34")
	})}, GateOptions{})
	resp, err := through(t, g, nil).Get("http://site.example/x")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := read(resp); got != `GET site.example /x ""` || !slices.Equal(p.asked, []string{"CONNECT 93.184.216.34:80"}) {
		t.Errorf("got %s, the proxy was asked %v", got, p.asked)
	}
}

func TestGateEndsWhatIsTooMuchOrIdle(t *testing.T) {
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/endless" {
			for {
				if _, err := w.Write(make([]byte, 10_000)); err != nil {
					return
				}
			}
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	small := gate(t, Config{AllowPrivate: true}, GateOptions{MaxBytes: 1 << 20})
	client := through(t, small, nil)
	resp, err := client.Get(site.URL + "/endless")
	if err != nil {
		t.Fatal(err)
	}
	got, _ := read(resp)
	if n := len(got); n < 1<<19 || n > 1<<20 || !small.Full() {
		t.Errorf("%d bytes came in, full is %v", len(got), small.Full())
	}
	if _, err := client.Get(site.URL); err == nil ||
		wstk.CodeOf(small.Failure(site.URL)) != wstk.TooLarge {
		t.Errorf("after the cap: %v, %v", err, small.Failure(site.URL))
	}
	for name, o := range map[string]GateOptions{"idle": {Idle: 100 * time.Millisecond},
		"time": {Time: 100 * time.Millisecond}} {
		g := gate(t, Config{AllowPrivate: true}, o)
		resp, err := through(t, g, nil).Get(site.URL + "/silent")
		if err != nil {
			t.Fatal(name, err, "want err == nil")
		}
		began := time.Now()
		read(resp)
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("%s: a silent connection lived for %s", name, took)
		}
	}
}

func TestGateClosesEverything(t *testing.T) {
	site := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	g := gate(t, Config{AllowPrivate: true}, GateOptions{})
	resp, err := through(t, g, nil).Get(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	g.Close()
	if _, err := read(resp); err == nil {
		t.Error("the connection outlived the gate")
	}
	if _, err := net.Dial("tcp", g.Addr()); err == nil {
		t.Error("the port is still open")
	}
}
