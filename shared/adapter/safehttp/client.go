// Package safehttp is the one door out: every byte sent to a place that a page, a
// user or a provider named goes through its Client. It asks for one URL at a time,
// checks the address that is really dialled, bounds size, time and rate, decodes,
// and hands out a reply only when all of it arrived. It never follows redirects:
// a caller that follows one sends a new request, which passes the same gate.
//
// The table in address.go says which addresses are closed, and to whom.
package safehttp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"wstk/shared/wstk"
)

// Product is the token that names this client in User-Agent and robots.txt.
const Product = "wstk"

// UserAgent returns the product's User-Agent: "wstk/VERSION (+CONTACT)", where
// contact is a URL or a mail address at which a site's owner reaches the person who runs
// this; "" leaves it out.
func UserAgent(version, contact string) string {
	ua := Product + "/" + version
	if contact != "" {
		ua += " (+" + contact + ")"
	}
	return ua
}

// Config says what a Client may reach and for how long. Zero fields mean the
// stated defaults.
type Config struct {
	// AllowPrivate opens loopback (127.0.0.0/8, ::1), private (10.0.0.0/8,
	// 172.16.0.0/12, 192.168.0.0/16, fc00::/7) and shared (100.64.0.0/10)
	// addresses. Closed even then: cloud metadata (169.254.169.254 and all of
	// link-local, 168.63.129.16, 100.100.100.200, 192.0.0.192, fd00:ec2::/32,
	// fd20:ce::/32, fd00:42::42, fd00:c1::a9fe:a9fe), 0.0.0.0/8, multicast,
	// reserved, documentation and benchmarking ranges, 6to4 and Teredo.
	AllowPrivate bool

	// Function says that this process runs in a Lambda function: port 9001 of loopback, where
	// its runtime listens, stays closed whatever else is open.
	Function bool

	// Runtime are endpoints of the runtime that this process lives in, as "address:port":
	// they hand out events or credentials, and stay closed whatever else is open.
	Runtime []netip.AddrPort

	// Exceptions are endpoints an operator configured, as exact "host:port": for
	// them what AllowPrivate opens is open, and any port is.
	Exceptions []string

	// Resolver answers for names; default: the pure Go resolver.
	Resolver Resolver

	// Proxy is an http or https proxy; nil means none. Proxy variables of the
	// environment are ignored. Names are resolved and checked here, and the proxy
	// is asked for the address, with CONNECT for http and https alike.
	Proxy *url.URL

	UserAgent      string        // default UserAgent("0", "")
	MaxBytes       int64         // cap on the decoded body; default 5 MiB
	MaxReply       int64         // the same for replies through Transport; default 8 MiB
	MaxHeaderBytes int64         // cap on the response headers; default 64 KiB
	Timeout        time.Duration // whole request, from name to last byte; default 30 s
	DialTimeout    time.Duration // name and connection; default 10 s
	// bytes/s a body must come in at, undecoded; default 100, negative means none
	MinRate     int64
	RateWindow  time.Duration // time over which MinRate is measured; default 10 s
	RootCAs     *x509.CertPool
	IdlePerHost int // connections kept open per host; default 2
	IdleTotal   int // in all; default 100
}

// Client is the guarded wstk.Client. It is safe for concurrent use.
type Client struct {
	allowPrivate   bool
	exceptions     map[string]bool
	function       bool
	runtime        map[netip.AddrPort]bool
	resolver       Resolver
	proxy          *proxy
	userAgent      string
	maxBytes       int64
	maxReply       int64
	maxHeaderBytes int64
	timeout        time.Duration
	dialTimeout    time.Duration
	minRate        int64
	rateWindow     time.Duration
	tlsConfig      *tls.Config
	transport      *http.Transport
	connect        func(ctx context.Context, d *net.Dialer, address string) (net.Conn, error)
}

var _ wstk.Client = (*Client)(nil)

// New returns a Client. An inconsistent Config is Invalid.
func New(cfg Config) (*Client, error) {
	const op = "setting up the HTTP client"
	if cfg.MaxBytes < 0 || cfg.MaxReply < 0 || cfg.MaxHeaderBytes < 0 || cfg.Timeout < 0 ||
		cfg.DialTimeout < 0 || cfg.RateWindow < 0 ||
		cfg.IdlePerHost < 0 || cfg.IdleTotal < 0 {
		return nil, wstk.Errorf(wstk.Invalid, op, "a limit is negative")
	}
	c := &Client{
		allowPrivate:   cfg.AllowPrivate,
		exceptions:     map[string]bool{},
		function:       cfg.Function,
		runtime:        map[netip.AddrPort]bool{},
		resolver:       cfg.Resolver,
		userAgent:      or(cfg.UserAgent, UserAgent("0", "")),
		maxBytes:       or(cfg.MaxBytes, 5<<20),
		maxReply:       or(cfg.MaxReply, 8<<20),
		maxHeaderBytes: or(cfg.MaxHeaderBytes, 64<<10),
		timeout:        or(cfg.Timeout, 30*time.Second),
		dialTimeout:    or(cfg.DialTimeout, 10*time.Second),
		minRate:        or(cfg.MinRate, 100),
		rateWindow:     or(cfg.RateWindow, 10*time.Second),
		tlsConfig:      &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: cfg.RootCAs},
		connect:        connect,
	}
	if err := wstk.CheckHeaderForm("User-Agent", c.userAgent); err != nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "%w", err)
	}
	for _, a := range cfg.Runtime {
		c.runtime[netip.AddrPortFrom(a.Addr().Unmap(), a.Port())] = true
	}
	for _, e := range cfg.Exceptions {
		t, err := parseTarget("http://" + e)
		if _, port, split := net.SplitHostPort(e); err != nil || split != nil ||
			port == "" || t.path != "/" {
			return nil, wstk.Errorf(wstk.Invalid, op, "the address exception %q is not HOST:PORT", e)
		}
		c.exceptions[t.hostPort()] = true
	}
	if c.resolver == nil {
		// The C resolver would read 0x7f.1 and 2130706433 as loopback.
		c.resolver = &net.Resolver{PreferGo: true}
	}
	c.transport = &http.Transport{
		Proxy:                  nil,
		DialContext:            c.dialHost,
		TLSClientConfig:        c.tlsConfig.Clone(),
		TLSHandshakeTimeout:    c.dialTimeout,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // decoded here, under the cap
		MaxResponseHeaderBytes: c.maxHeaderBytes,
		MaxIdleConns:           or(cfg.IdleTotal, 100),
		MaxIdleConnsPerHost:    or(cfg.IdlePerHost, 2),
		IdleConnTimeout:        90 * time.Second,
	}
	if cfg.Proxy != nil {
		p, err := newProxy(cfg.Proxy)
		if err != nil {
			return nil, wstk.Errorf(wstk.Invalid, op, "%w", err)
		}
		c.proxy = p
	}
	return c, nil
}

func or[T comparable](v, standard T) T {
	var zero T
	if v == zero {
		return standard
	}
	return v
}

// Close ends idle connections. The Client may still be used.
func (c *Client) Close() error {
	c.transport.CloseIdleConnections()
	return nil
}

// Do asks for one URL with GET; see wstk.Client for the codes of its errors. A
// connection that does not come about in time is Timeout, and so is one that is
// slow to agree on TLS. Remote is the proxy's address where there is one.
func (c *Client) Do(parent context.Context, r wstk.Request) (wstk.Response, error) {
	started := time.Now()
	if err := parent.Err(); err != nil {
		return wstk.Response{}, wstk.Wrap(wstk.Cancelled, "fetching", err)
	}
	t, err := parseTarget(r.URL)
	if errors.Is(err, errOddAddress) {
		return wstk.Response{}, wstk.Errorf(wstk.RefusedAddress, "fetching", "%w", err)
	}
	if err != nil {
		return wstk.Response{}, wstk.Errorf(wstk.RefusedPolicy, "fetching", "%w", err)
	}
	op := "fetching " + t.origin()
	req, err := c.request(t, r)
	if err != nil {
		return wstk.Response{}, wstk.Errorf(wstk.RefusedPolicy, op, "%w", err)
	}
	size := min(or(r.MaxBytes, c.maxBytes), 1<<40)

	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	ctx, stop := context.WithTimeoutCause(ctx, c.timeout, errTotalTime)
	defer stop()
	var remote atomic.Value
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) { remote.Store(i.Conn.RemoteAddr().String()) },
	})
	resp, err := c.transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return wstk.Response{}, c.failure(parent, ctx, op, size, err)
	}
	defer resp.Body.Close()
	in := &wire{r: resp.Body}
	defer c.watch(in, cancel)()
	body, cut, err := readBody(resp, in, size, r.Cut)
	if err != nil {
		return wstk.Response{}, c.failure(parent, ctx, op, size, err)
	}
	dropSecrets(resp.Header)
	resp.Header.Del("Content-Encoding")
	resp.Header.Del("Content-Length")
	address, _ := remote.Load().(string)
	return wstk.Response{Status: resp.StatusCode, Header: resp.Header, Body: body, Cut: cut,
		Remote: address, Duration: time.Since(started)}, nil
}

// request makes the HTTP request, or says which policy it breaks.
func (c *Client) request(t target, r wstk.Request) (*http.Request, error) {
	if err := c.checkPort(t); err != nil {
		return nil, err
	}
	if r.MaxBytes < 0 {
		return nil, errors.New("the limit of the body is negative")
	}
	if err := checkHeaders(r.Header); err != nil {
		return nil, err
	}
	if err := c.checkCredential(t, r); err != nil {
		return nil, err
	}
	h := http.Header{"Accept": {"text/html,*/*;q=0.8"}}
	for name, values := range r.Header {
		h[http.CanonicalHeaderKey(name)] = values
	}
	h.Set("Accept-Encoding", acceptEncoding)
	for name, value := range map[string]string{"User-Agent": or(r.UserAgent, c.userAgent),
		"If-None-Match": r.ETag, "If-Modified-Since": r.Modified} {
		if value == "" {
			continue
		}
		if err := wstk.CheckHeaderForm(name, value); err != nil {
			return nil, err
		}
		h.Set(name, value)
	}
	if r.Credential != nil {
		maps.Copy(h, r.Credential.Reveal())
	}
	return &http.Request{Method: http.MethodGet, URL: t.url(), Host: t.hostHeader(), Header: h,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}, nil
}

// checkCredential refuses to send a credential to where it does not belong. Over plain http a
// proxy would read it.
func (c *Client) checkCredential(t target, r wstk.Request) error {
	switch {
	case r.Credential == nil:
		return nil
	case !r.Credential.Covers(r.URL):
		return errors.New("the credential is for another address")
	case t.scheme != "https" && c.proxy != nil:
		return errors.New("the proxy would read the credential, since the address is not https")
	}
	return nil
}

// checkPort refuses the ports of other protocols.
func (c *Client) checkPort(t target) error {
	if badPort(t.port) && !c.exceptions[t.hostPort()] {
		return errors.New("port " + strconv.Itoa(int(t.port)) + " belongs to another protocol")
	}
	return nil
}

// watch cancels the request when its body comes in at less than the minimum rate
// during a whole window. The returned function ends the watch.
func (c *Client) watch(in *wire, cancel context.CancelCauseFunc) func() {
	if c.minRate < 0 {
		return func() {}
	}
	least := int64(float64(c.minRate) * c.rateWindow.Seconds())
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(c.rateWindow)
		defer tick.Stop()
		var before int64
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			n := in.n.Load()
			if n-before < least {
				cancel(errSlow)
				return
			}
			before = n
		}
	}()
	return func() { close(done) }
}
