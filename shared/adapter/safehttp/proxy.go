package safehttp

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// proxy is a configured HTTP proxy. Names are resolved and checked here and the
// proxy is asked for the address, so that it cannot be talked into reaching what
// is closed. The proxy's own address is the operator's choice and not checked.
//
// Plain http goes through a CONNECT tunnel as https does. In the absolute form
// (GET http://93.184.216.34/) a proxy must replace the Host header by the address
// (RFC 9112, 3.2.2), and the site would answer with another site's pages.
type proxy struct {
	hostPort string
	host     string // for TLS to the proxy
	tls      bool
	auth     string // value of Proxy-Authorization; a secret
}

func newProxy(u *url.URL) (*proxy, error) {
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("a proxy URL begins with http:// or https://")
	}
	if u.Hostname() == "" {
		return nil, errors.New("the proxy URL has no host")
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	p := &proxy{hostPort: net.JoinHostPort(u.Hostname(), port), host: u.Hostname(),
		tls: u.Scheme == "https"}
	if u.User != nil {
		password, _ := u.User.Password()
		p.auth = "Basic " + base64.StdEncoding.EncodeToString(
			[]byte(u.User.Username()+":"+password))
	}
	return p, nil
}

// dialThrough asks the proxy for a connection to address.
func (c *Client) dialThrough(ctx context.Context, address string) (net.Conn, error) {
	conn, err := c.dialProxy(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.proxy.tunnel(ctx, conn, address); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// dialProxy connects to the proxy itself.
func (c *Client) dialProxy(ctx context.Context) (net.Conn, error) {
	// A plain dialer: the operator named this endpoint, and its name may be in the
	// system's hosts file.
	conn, err := c.connect(ctx, &net.Dialer{KeepAlive: 30 * time.Second,
		Resolver: &net.Resolver{PreferGo: true}}, c.proxy.hostPort)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("%w: the proxy %s does not answer", errNetwork, c.proxy.hostPort)
	}
	if !c.proxy.tls {
		return conn, nil
	}
	cfg := c.tlsConfig.Clone()
	cfg.ServerName = c.proxy.host
	secured := tls.Client(conn, cfg)
	if err := secured.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, fmt.Errorf("%w: no secure connection to the proxy %s",
			errNetwork, c.proxy.hostPort)
	}
	return secured, nil
}

// maxConnectReply bounds the headers of a proxy's answer to CONNECT, in bytes.
const maxConnectReply = 16 << 10

// tunnel asks the proxy for a connection to address.
func (p *proxy) tunnel(ctx context.Context, conn net.Conn, address string) error {
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	var ask strings.Builder
	fmt.Fprintf(&ask, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n", address, address)
	if p.auth != "" {
		fmt.Fprintf(&ask, "Proxy-Authorization: %s\r\n", p.auth)
	}
	ask.WriteString("\r\n")
	_, err := io.WriteString(conn, ask.String())
	var reply *http.Response
	var in *bufio.Reader
	if err == nil {
		in = bufio.NewReader(io.LimitReader(conn, maxConnectReply))
		reply, err = http.ReadResponse(in, &http.Request{Method: http.MethodConnect})
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("%w: the proxy %s sent no valid HTTP reply", errNetwork, p.hostPort)
	case reply.StatusCode == http.StatusProxyAuthRequired:
		return fmt.Errorf("%w: the proxy %s did not accept the credentials", errNetwork, p.hostPort)
	case reply.StatusCode != http.StatusOK:
		return fmt.Errorf("%w: the proxy %s refused the connection with status %d", errNetwork,
			p.hostPort, reply.StatusCode)
	case in.Buffered() > 0: // TLS servers do not speak first
		return fmt.Errorf("%w: the proxy %s sent bytes after its reply", errNetwork, p.hostPort)
	}
	if !stop() { // the deadline is set or about to be
		return context.Cause(ctx)
	}
	return nil
}
