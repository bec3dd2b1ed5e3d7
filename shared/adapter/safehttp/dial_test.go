package safehttp

import (
	"context"
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
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// wireTap stands in for the network: it lets the dialer check the address, notes
// it, and connects to a server on loopback instead.
type wireTap struct {
	server string
	dead   map[string]bool // addresses that do not answer
	mu     sync.Mutex
	dialed []string
}

func (w *wireTap) connect(ctx context.Context, d *net.Dialer, address string) (net.Conn, error) {
	network := "tcp4"
	if strings.HasPrefix(address, "[") {
		network = "tcp6"
	}
	if d.Control != nil {
		if err := d.Control(network, address, nil); err != nil {
			return nil, &net.OpError{Op: "dial", Net: network, Err: err}
		}
	}
	w.mu.Lock()
	w.dialed = append(w.dialed, address)
	w.mu.Unlock()
	if w.dead[address] {
		return nil, &net.OpError{Op: "dial", Net: network, Err: errors.New("connection refused")}
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", w.server)
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func addrs(list ...string) []netip.Addr {
	var out []netip.Addr
	for _, s := range list {
		out = append(out, netip.MustParseAddr(s))
	}
	return out
}

func TestOnlyOpenAddressesAreDialled(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) })
	for _, c := range []struct {
		name   string
		answer []netip.Addr
		dead   string
		want   []string // dialled
		code   wstk.Code
	}{
		{"public", addrs("93.184.216.34"), "", []string{"93.184.216.34:80"}, ""},
		{"private", addrs("10.0.0.1"), "", nil, wstk.RefusedAddress},
		{"all private", addrs("10.0.0.1", "::1", "169.254.169.254", "fd00::1"), "", nil, wstk.RefusedAddress},
		{"mixed, private first", addrs("127.0.0.1", "93.184.216.34", "::1"), "", []string{"93.184.216.34:80"}, ""},
		{"mixed, the public one is dead", addrs("93.184.216.34", "127.0.0.1"), "93.184.216.34:80", []string{"93.184.216.34:80"}, wstk.Network},
		{"second answers", addrs("2606:2800:220:1::1", "93.184.216.34"), "[2606:2800:220:1::1]:80",
			[]string{"[2606:2800:220:1::1]:80", "93.184.216.34:80"}, ""},
		{"v4-mapped", addrs("::ffff:93.184.216.34"), "", []string{"93.184.216.34:80"}, ""},
		{"v4-mapped private", addrs("::ffff:10.0.0.1"), "", nil, wstk.RefusedAddress},
		{"no answer", []netip.Addr{}, "", nil, wstk.Network},
		{"more than are tried", slices.Repeat(addrs("93.184.216.34"), 50), "93.184.216.34:80", slices.Repeat([]string{"93.184.216.34:80"}, maxAddresses), wstk.Network},
	} {
		t.Run(c.name, func(t *testing.T) {
			tap := &wireTap{server: server.Listener.Addr().String(),
				dead: map[string]bool{c.dead: true}}
			client := open(t, Config{
				Resolver: names(func(string) []netip.Addr { return c.answer })})
			client.connect = tap.connect
			resp, err := client.Do(t.Context(), wstk.Request{URL: "http://site.example/"})
			if wstk.CodeOf(err) != c.code {
				t.Errorf("code %q, want %q: %v", wstk.CodeOf(err), c.code, err)
			}
			if err == nil && string(resp.Body) != "site.example" {
				t.Errorf("got %q", resp.Body)
			}
			if !slices.Equal(tap.dialed, c.want) {
				t.Errorf("dialled %v, want %v", tap.dialed, c.want)
			}
		})
	}
}

// A name that is public when asked first and private when asked again gains
// nothing: every new connection is checked, and one kept open stays where it is.
func TestRebinding(t *testing.T) {
	for _, keep := range []bool{false, true} {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if !keep {
				w.Header().Set("Connection", "close")
			}
			io.WriteString(w, "page")
		})
		tap := &wireTap{server: server.Listener.Addr().String()}
		var lookups atomic.Int32
		client := open(t, Config{Resolver: names(func(string) []netip.Addr {
			if lookups.Add(1) == 1 {
				return addrs("93.184.216.34")
			}
			return addrs("127.0.0.1")
		})})
		client.connect = tap.connect
		if _, err := client.Do(t.Context(), wstk.Request{URL: "http://rebind.example/"}); err != nil {
			t.Fatal(err)
		}
		_, err := client.Do(t.Context(), wstk.Request{URL: "http://rebind.example/"})
		if want := map[bool]wstk.Code{false: wstk.RefusedAddress,
			true: ""}[keep]; wstk.CodeOf(err) != want {
			t.Errorf("connection kept is %v: code %q, want %q: %v", keep, wstk.CodeOf(err), want, err)
		}
		if !slices.Equal(tap.dialed, []string{"93.184.216.34:80"}) {
			t.Errorf("dialled %v", tap.dialed)
		}
	}
}

// The check at connect time stands by itself: a dialer that is handed a closed
// address, even if a check let it through, does not connect.
func TestDialerRefusesByItself(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := open(t, Config{})
	var refused *closedAddress
	if conn, err := connect(t.Context(), c.dialer(false), l.Addr().
		String()); !errors.As(err, &refused) {
		if err == nil {
			conn.Close()
		}
		t.Errorf("dialling %s: %v", l.Addr(), err)
	}
	conn, err := connect(t.Context(), c.dialer(true), l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	control := c.dialer(true).Control
	for _, bad := range [][2]string{{"tcp4", "169.254.169.254:80"}, {"tcp6", "[fe80::1%eth0]:80"}, {"udp4", "93.184.216.34:80"}, {"unix", "/run/x"}, {"tcp4", "example.com:80"}} {
		if control(bad[0], bad[1], nil) == nil {
			t.Errorf("%s %s may be dialled", bad[0], bad[1])
		}
	}
}

func TestExceptionsAreExact(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "here") })
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		t.Error("an endpoint that is not configured was reached")
	})
	port := func(s *httptest.Server) string {
		_, p, _ := net.SplitHostPort(s.Listener.Addr().String())
		return p
	}
	client := open(t, Config{Exceptions: []string{"search.example:" + port(server), "127.0.0.1:22", "metadata.example:80"},
		Resolver: names(func(host string) []netip.Addr {
			if host == "metadata.example" {
				return addrs("169.254.169.254")
			}
			return addrs("127.0.0.1")
		})})
	if _, err := client.Do(t.Context(), wstk.Request{URL: "http://search.example:" + port(server) + "/"}); err != nil {
		t.Error(err)
	}
	for _, url := range []string{"http://search.example:" + port(other), "http://sub.search.example:" + port(server), "http://127.0.0.1:" + port(server), "http://metadata.example"} {
		_, err := client.Do(t.Context(), wstk.Request{URL: url + "/"})
		if wstk.CodeOf(err) != wstk.RefusedAddress {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.RefusedAddress", url, err)
		}
	}
	if _, err := client.Do(t.Context(), wstk.Request{URL: "http://127.0.0.1:22/"}); wstk.CodeOf(err) == wstk.RefusedPolicy {
		t.Errorf("a configured port is refused as bad: %v", err)
	}
	for _, bad := range []string{"", "example.com", ":80", "[::1]", "a@b:80", "example.com:80/x", "http://example.com:80", "example.com:"} {
		if _, err := New(Config{Exceptions: []string{bad}}); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("exception %q: %v", bad, err)
		}
	}
}

func TestRefusalsTellWhatToDo(t *testing.T) {
	c := open(t, Config{Resolver: names(func(string) []netip.Addr { return addrs("10.1.2.3") })})
	_, err := c.Do(t.Context(), wstk.Request{URL: "https://intranet.example/secret?token=x"})
	if err == nil || err.Error() != "fetching https://intranet.example: 10.1.2.3 is a private address" {
		t.Errorf("got %v", err)
	}
	if next := wstk.StepsOf(err); len(next) != 1 || next[0].Do != wstk.DoAllowPrivate {
		t.Errorf("next steps %v", next)
	}
	_, err = c.Do(t.Context(), wstk.Request{URL: "http://169.254.169.254/"})
	if err == nil || err.Error() != "fetching http://169.254.169.254: 169.254.169.254 is a cloud metadata address" || wstk.StepsOf(err) != nil {
		t.Errorf("got %v, next %v", err, wstk.StepsOf(err))
	}
}

func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) }))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	old := httptest.NewUnstartedServer(http.NotFoundHandler())
	old.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	old.Config.ErrorLog = quiet
	server.Config.ErrorLog = quiet
	old.StartTLS()
	defer old.Close()
	plain := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	plain.Config.ErrorLog = quiet
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	port := func(s *httptest.Server) string {
		_, p, _ := net.SplitHostPort(s.Listener.Addr().String())
		return p
	}
	trusting := Config{AllowPrivate: true, RootCAs: roots,
		Resolver: names(func(string) []netip.Addr { return addrs("127.0.0.1") })}
	distrusting := trusting
	distrusting.RootCAs = x509.NewCertPool()
	for _, c := range []struct {
		name string
		cfg  Config
		url  string
		want string // body, or the end of the error
	}{
		{"HTTP/2", trusting, "https://example.com:" + port(server), "HTTP/2.0"},
		{"address in the certificate", trusting, "https://127.0.0.1:" + port(server), "HTTP/2.0"},
		{"other name", trusting, "https://other.test:" + port(server), "the site's certificate is for another name"},
		{"unknown authority", distrusting, "https://example.com:" + port(server), "the site's certificate is signed by an unknown authority"},
		{"old version", trusting, "https://example.com:" + port(old), "no secure connection could be agreed on"},
		{"no TLS", trusting, "https://example.com:" + port(plain), "the site does not speak TLS on this port"},
	} {
		resp, err := open(t, c.cfg).Do(t.Context(), wstk.Request{URL: c.url + "/"})
		if err == nil && string(resp.Body) != c.want {
			t.Errorf("%s: got %q, want %q", c.name, resp.Body, c.want)
		}
		if err != nil && (wstk.CodeOf(err) != wstk.Network ||
			!strings.HasSuffix(err.Error(), ": "+c.want)) {
			t.Errorf("%s: got %s %v, want %q", c.name, wstk.CodeOf(err), err, c.want)
		}
	}
	// Both spellings of "/x" that need care survive HTTP/2 too.
	echo := httptest.NewUnstartedServer(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.RequestURI) }))
	echo.EnableHTTP2 = true
	echo.StartTLS()
	defer echo.Close()
	for _, path := range []string{"//double", "/a|b"} {
		resp, err := open(t, trusting).Do(t.Context(), wstk.Request{URL: "https://example.com:" + port(echo) + path})
		if err != nil || string(resp.Body) != path {
			t.Errorf("%s: got %q, %v", path, resp.Body, err)
		}
	}
}

// Over HTTP/2 the transport tells headers over the cap from a broken connection
// only while they come in one frame. Either way there is no reply.
func TestHTTP2Headers(t *testing.T) {
	server := httptest.NewUnstartedServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for i := range 3000 {
				if r.URL.Path == "/alike" {
					w.Header().Add("X", "y")
				} else {
					w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 100))
				}
			}
		}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = quiet
	server.StartTLS()
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	for path, want := range map[string]wstk.Code{"/alike": wstk.TooLarge, "/large": wstk.Network} {
		_, err := open(t, Config{AllowPrivate: true, RootCAs: roots}).
			Do(t.Context(), wstk.Request{URL: server.URL + path})
		if wstk.CodeOf(err) != want {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

func TestConnectionsAreReused(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gzip" {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(packed(t, "gzip", []byte("page")))
		}
	})
	tap := &wireTap{server: server.Listener.Addr().String()}
	client := open(t, Config{})
	client.connect = tap.connect
	for range 5 {
		for _, path := range []string{"/", "/gzip"} {
			if _, err := client.Do(t.Context(), wstk.Request{URL: "http://93.184.216.34" + path}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(tap.dialed) != 1 {
		t.Errorf("dialled %v", tap.dialed)
	}
}

// A name server or an address that never answers takes the time to connect, and
// not all of it when there is another address.
func TestTimeToConnect(t *testing.T) {
	stuck := func(ctx context.Context, d *net.Dialer, address string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	c := open(t, Config{DialTimeout: 50 * time.Millisecond})
	c.connect = stuck
	_, err := c.Do(t.Context(), wstk.Request{URL: "http://93.184.216.34/"})
	if wstk.CodeOf(err) != wstk.Timeout || !strings.Contains(err.Error(), "no connection within 50ms") {
		t.Errorf("got %v", err)
	}
	c = open(t, Config{DialTimeout: 50 * time.Millisecond, Resolver: stuckResolver{}})
	if _, err = c.Do(t.Context(), wstk.Request{URL: "http://site.example/"}); wstk.CodeOf(err) != wstk.Timeout {
		t.Errorf("got %v", err)
	}
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	c = open(t, Config{DialTimeout: 4100 * time.Millisecond,
		Resolver: names(func(string) []netip.Addr { return addrs("1.1.1.1", "8.8.8.8") })})
	tap := &wireTap{server: server.Listener.Addr().String()}
	c.connect = func(ctx context.Context, d *net.Dialer, address string) (net.Conn, error) {
		if address == "1.1.1.1:80" {
			return stuck(ctx, d, address)
		}
		return tap.connect(ctx, d, address)
	}
	if _, err := c.Do(t.Context(), wstk.Request{URL: "http://site.example/"}); err != nil {
		t.Errorf("the second address was not tried in time: %v", err)
	}
}

type stuckResolver struct{}

func (stuckResolver) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// The endpoints of the function's own runtime give events and credentials to any client:
// they stay closed when private addresses are open, for an endpoint of the operator's, and
// through a proxy. The rest of loopback opens with AllowPrivate.
func TestTheRuntimeOfAFunctionStaysClosed(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) })
	named := netip.MustParseAddrPort("127.0.0.1:43210") // as AWS_LAMBDA_RUNTIME_API may say
	closedAlways := []string{"127.0.0.1:9001", "127.7.7.7:9001", "[::1]:9001", "[::ffff:127.0.0.1]:9001", "localhost:9001", "127.0.0.1:43210",
		"169.254.169.254:80", "169.254.170.2:80", "169.254.170.23:80", "169.254.100.1:9001", "169.254.100.1:2000", "169.254.79.129:2000", "[fd00:ec2::23]:80"}
	for _, proxy := range []*url.URL{nil, {Scheme: "http", Host: "127.0.0.1:1"}} {
		w := &wireTap{server: server.Listener.Addr().String()}
		c, err := New(Config{AllowPrivate: true, Function: true, Runtime: []netip.AddrPort{named},
			Exceptions: closedAlways, Proxy: proxy,
			Resolver: names(func(string) []netip.Addr { return addrs("127.0.0.1") })})
		if err != nil {
			t.Fatal(err)
		}
		c.connect = w.connect
		for _, host := range closedAlways {
			_, err := c.Do(t.Context(), wstk.Request{URL: "http://" + host + "/2018-06-01/runtime/invocation/next"})
			if wstk.CodeOf(err) != wstk.RefusedAddress {
				t.Errorf("%s, proxy %v: %v", host, proxy, err)
			}
			if len(wstk.StepsOf(err)) > 0 {
				t.Errorf("%s: %v would not open it", host, wstk.StepsOf(err))
			}
		}
		if len(w.dialed) > 0 && proxy == nil {
			t.Errorf("dialled %v", w.dialed)
		}
		if proxy != nil {
			continue
		}
		for _, host := range []string{"127.0.0.1:9002", "127.0.0.1:8080", "10.0.0.1:9001", "127.0.0.1:4321"} {
			if _, err := c.Do(t.Context(), wstk.Request{URL: "http://" + host + "/"}); err != nil {
				t.Errorf("%s: %v; want err == nil", host, err)
			}
		}
	}
}

// On one machine port 9001 of loopback is a port like others, which AllowPrivate opens. Only
// in a function does the runtime listen there.
func TestPort9001OpensOnOneMachine(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) })
	for _, host := range []string{"127.0.0.1:9001", "[::1]:9001"} {
		for _, c := range []struct {
			cfg  Config
			open bool
		}{
			{Config{AllowPrivate: true}, true},
			{Config{}, false},
			{Config{AllowPrivate: true, Function: true}, false},
		} {
			client, err := New(c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			client.connect = (&wireTap{server: server.Listener.Addr().String()}).connect
			_, err = client.Do(t.Context(), wstk.Request{URL: "http://" + host + "/"})
			if c.open && err != nil || !c.open && wstk.CodeOf(err) != wstk.RefusedAddress {
				t.Errorf("%s, private %v, function %v: %v; want open: %v", host,
					c.cfg.AllowPrivate, c.cfg.Function, err, c.open)
			}
		}
	}
}

// A page that another fetches for us must not lie behind an address that is closed to us: the
// other may ask any of the addresses that the name has.
func TestMayReach(t *testing.T) {
	answer := map[string][]netip.Addr{
		"public.example": addrs("93.184.216.34"), "private.example": addrs("10.1.2.3"),
		"mixed.example":    addrs("93.184.216.34", "10.1.2.3"),
		"metadata.example": addrs("169.254.169.254"), "none.example": {},
	}
	resolver := names(func(host string) []netip.Addr { return answer[host] })
	for _, c := range []struct {
		url                   string
		outside, allowPrivate bool
		want                  wstk.Code
	}{
		{"https://public.example/", true, false, ""},
		{"https://private.example/", false, false, wstk.RefusedAddress},
		{"https://mixed.example/", false, false, wstk.RefusedAddress},
		{"http://127.0.0.1/", false, false, wstk.RefusedAddress},
		{"http://127.0.0.1/", false, true, ""},
		{"https://mixed.example/", false, true, ""},
		{"https://mixed.example/", true, true, wstk.RefusedAddress},
		{"https://metadata.example/", false, true, wstk.RefusedAddress},
		{"https://public.example:25/", true, false, wstk.RefusedPolicy},
		{"http://0x7f.1/", true, true, wstk.RefusedAddress},
		{"https://none.example/", true, false, wstk.Network},
	} {
		client := open(t, Config{Resolver: resolver, AllowPrivate: c.allowPrivate})
		err := client.MayReach(t.Context(), c.url, c.outside)
		if wstk.CodeOf(err) != c.want {
			t.Errorf("%s, outside %v, private %v: %v", c.url, c.outside, c.allowPrivate, err)
		}
		if steps := wstk.StepsOf(err); c.outside && c.allowPrivate && len(steps) > 0 {
			t.Errorf("%s: %v would not help", c.url, steps)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := open(t, Config{Resolver: stuckResolver{}}).
		MayReach(ctx, "https://public.example/", true); wstk.CodeOf(err) != wstk.Cancelled {
		t.Errorf("cancelled: %v", err)
	}
	err := open(t, Config{DialTimeout: time.Millisecond, Resolver: stuckResolver{}}).
		MayReach(t.Context(), "https://public.example/", true)
	if wstk.CodeOf(err) != wstk.Timeout {
		t.Errorf("a resolver that does not answer: %v", err)
	}
}
