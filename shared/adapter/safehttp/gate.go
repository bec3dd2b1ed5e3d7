package safehttp

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"wstk/shared/wstk"
)

// GateOptions bound what one Gate lets through. Zero fields mean the stated defaults.
type GateOptions struct {
	// Admit refuses URLs by the caller's lists; nil admits all. Of what travels in a
	// tunnel only scheme, host and port are known: it is asked about https://host:port/.
	Admit func(url string) error

	MaxBytes int64         // in both directions together, headers and TLS included; default 64 MiB
	Idle     time.Duration // a connection without a byte for as long is closed; default 60 s
	Time     time.Duration // after which the Gate closes by itself; default 10 min
}

// Gate is an HTTP proxy on 127.0.0.1 through which another program of this machine, a
// browser, reaches the network as the Client would: names are resolved here, each
// target's scheme, port and address are checked when connecting, and a proxy that the
// Client has is chained. It serves CONNECT (https and web sockets) and plain http.
//
// Other users of the machine can connect to the port too, so each connection must
// show a password that only this process knows. A Gate is safe for concurrent use, and
// is made for one page: what it counts and refuses is that page's.
type Gate struct {
	client   *Client
	admit    func(string) error
	maxBytes int64
	idle     time.Duration
	listener net.Listener
	password string
	auth     []byte // value of Proxy-Authorization
	ctx      context.Context
	cancel   context.CancelFunc
	wg       sync.WaitGroup
	bytes    atomic.Int64

	mu      sync.Mutex
	closed  bool
	conns   map[net.Conn]bool
	failed  map[string]error // by host:port: why it was not reached last
	refused []string         // hosts, in the order of their first refusal
}

// gateUser is the name that goes with a Gate's password.
const gateUser = Product

// maxGateConns bounds the connections open at once; browsers keep to 32 or so.
const maxGateConns = 256

// OpenGate opens a Gate. It must be closed.
func (c *Client) OpenGate(o GateOptions) (*Gate, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, wstk.Errorf(wstk.Unavailable, "opening a gate for the browser",
			"no port could be opened")
	}
	g := &Gate{client: c, admit: o.Admit, maxBytes: or(o.MaxBytes, 64<<20),
		idle: or(o.Idle, time.Minute), listener: l,
		password: rand.Text(), conns: map[net.Conn]bool{}, failed: map[string]error{}}
	g.auth = []byte("Basic " + base64.StdEncoding.EncodeToString([]byte(gateUser+":"+g.password)))
	g.ctx, g.cancel = context.WithTimeout(context.Background(), or(o.Time, 10*time.Minute))
	context.AfterFunc(g.ctx, g.shut)
	g.wg.Go(g.accept)
	return g, nil
}

// Addr is the host:port to be used as an HTTP proxy.
func (g *Gate) Addr() string { return g.listener.Addr().String() }

// Credentials are what the Gate asks for with 407, by the scheme Basic.
func (g *Gate) Credentials() (user, password string) { return gateUser, g.password }

// Refused lists the hosts that were refused by a rule or for their address, each once,
// in the order of their first refusal.
func (g *Gate) Refused() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.refused)
}

// Failure returns why the last connection for this http or https URL failed,
// with a code of wstk.Client; nil when it did, or none was asked for.
func (g *Gate) Failure(url string) error {
	t, err := parseTarget(url)
	if err != nil {
		return wstk.Errorf(wstk.RefusedPolicy, "fetching", "%w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.failed[t.hostPort()]
}

// Full reports whether MaxBytes was reached: every connection was closed then, and no
// other is let through.
func (g *Gate) Full() bool { return g.bytes.Load() > g.maxBytes }

// Close ends every connection and waits until nothing of the Gate runs any more.
func (g *Gate) Close() error {
	g.shut()
	g.wg.Wait()
	return nil
}

func (g *Gate) shut() {
	g.cancel()
	g.listener.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for c := range g.conns {
		c.Close()
	}
}

// hold notes a connection, so that it is closed with the Gate; it returns false when
// that has happened already.
func (g *Gate) hold(c net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		c.Close()
		return false
	}
	g.conns[c] = true
	return true
}

func (g *Gate) drop(c net.Conn) {
	c.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
}

func (g *Gate) accept() {
	room := make(chan struct{}, maxGateConns)
	for {
		conn, err := g.listener.Accept()
		if err != nil {
			if g.ctx.Err() != nil {
				return
			}
			time.Sleep(10 * time.Millisecond) // no file descriptor is free
			continue
		}
		select {
		case room <- struct{}{}:
		case <-g.ctx.Done():
			conn.Close()
			return
		}
		g.wg.Go(func() {
			defer func() { <-room }()
			if g.hold(conn) {
				defer g.drop(conn)
				g.serve(conn)
			}
		})
	}
}

// ask is the head of a request to the Gate.
type ask struct {
	method, target string
	auth           string
	length         int64    // of the body
	lines          []string // headers to pass on, each with its line end
}

// serve answers one request and closes the connection: what follows on it could be
// for another host.
func (g *Gate) serve(conn net.Conn) {
	conn.SetDeadline(time.Now().Add(g.idle))
	in := bufio.NewReader(conn)
	a, err := readAsk(in, g.client.maxHeaderBytes)
	if err != nil {
		return
	}
	if subtle.ConstantTimeCompare([]byte(a.auth), g.auth) != 1 {
		io.WriteString(conn, "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: "+
			"Basic realm=\""+Product+
			"\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		return
	}
	url := a.target
	if a.method == "CONNECT" {
		url = "https://" + a.target + "/"
	}
	to, err := g.open(url)
	if err != nil {
		// No page of ours in the place of the site's: a plain request gets no reply.
		if a.method == "CONNECT" {
			io.WriteString(conn, "HTTP/1.1 502 Not Let Through\r\nContent-Length: 0\r\nConnection: "+
				"close\r\n\r\n")
		}
		return
	}
	if !g.hold(to) {
		return
	}
	defer g.drop(to)
	if a.method == "CONNECT" {
		if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
			return
		}
		g.join(conn, to, in, -1)
		return
	}
	t, _ := parseTarget(url) // open has read it already
	head := a.method + " " + t.path + " HTTP/1.1\r\nHost: " + t.hostHeader() + "\r\n" +
		strings.Join(a.lines, "") + "Connection: close\r\n\r\n"
	to.SetWriteDeadline(time.Now().Add(g.idle))
	if _, err := io.WriteString(to, head); err == nil {
		g.join(conn, to, in, a.length)
	}
}

// readAsk reads a request's head.
func readAsk(in *bufio.Reader, most int64) (ask, error) {
	var a ask
	malformed := errors.New("the request is malformed")
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		if err != nil { // also a line longer than the reader's buffer allows below
			var long []byte
			for errors.Is(err, bufio.ErrBufferFull) && int64(len(long)) < most {
				long = append(long, line...)
				line, err = in.ReadSlice('\n')
			}
			if err != nil {
				return a, err
			}
			line = append(long, line...)
		}
		if most -= int64(len(line)); most < 0 {
			return a, malformed
		}
		text := strings.TrimRight(string(line), "\r\n")
		if first {
			parts := strings.Split(text, " ")
			if len(parts) != 3 || parts[2] != "HTTP/1.1" {
				return a, malformed
			}
			a.method, a.target = parts[0], parts[1]
			continue
		}
		if text == "" {
			return a, nil
		}
		name, value, ok := strings.Cut(text, ":")
		if value = strings.TrimSpace(value); !ok {
			return a, malformed
		}
		switch name = strings.ToLower(name); name {
		case "proxy-authorization":
			a.auth = value
			continue
		case "content-length":
			if a.length, err = strconv.ParseInt(value, 10, 64); err != nil || a.length < 0 {
				return a, malformed
			}
		case "transfer-encoding", "upgrade": // browsers send neither through a proxy
			return a, malformed
		case "host", "connection", "keep-alive", "proxy-connection":
			continue
		}
		a.lines = append(a.lines, text+"\r\n")
	}
}

// open checks a URL and connects to its host. What goes wrong is noted.
func (g *Gate) open(url string) (net.Conn, error) {
	t, err := parseTarget(url)
	if err != nil {
		return nil, err
	}
	conn, err := g.dial(t, url)
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil {
		delete(g.failed, t.hostPort())
		return conn, nil
	}
	if len(g.failed) < maxNoted {
		g.failed[t.hostPort()] = err
	}
	if c := wstk.CodeOf(err); c == wstk.RefusedPolicy || c == wstk.RefusedAddress {
		if len(g.refused) < maxNoted && !slices.Contains(g.refused, t.host) {
			g.refused = append(g.refused, t.host)
		}
	}
	return nil, err
}

// maxNoted bounds the hosts a Gate keeps in mind: a page can ask for any number.
const maxNoted = 1000

func (g *Gate) dial(t target, url string) (net.Conn, error) {
	op := "fetching " + t.origin()
	if err := g.client.checkPort(t); err != nil {
		return nil, wstk.Errorf(wstk.RefusedPolicy, op, "%w", err)
	}
	if g.admit != nil {
		if err := g.admit(url); err != nil {
			return nil, err
		}
	}
	if g.Full() {
		return nil, wstk.Errorf(wstk.TooLarge, op,
			"the page asked for more than %d bytes", g.maxBytes)
	}
	conn, err := g.client.dialHost(g.ctx, "tcp", t.hostPort())
	if err != nil {
		return nil, g.client.failure(g.ctx, g.ctx, op, g.maxBytes, err)
	}
	return conn, nil
}

// join carries bytes between the browser (its buffered side is in) and a site until one
// of them is done. Of the browser's bytes only the first length are carried on; -1
// means all.
func (g *Gate) join(browser, site net.Conn, in *bufio.Reader, length int64) {
	var active atomic.Int64 // time of the last byte in either direction, Unix ns
	active.Store(time.Now().UnixNano())
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer site.Close()
		if length < 0 {
			g.carry(site, browser, in, &active)
		} else if g.carry(site, browser, io.LimitReader(in, length), &active) == nil {
			browser.SetReadDeadline(time.Time{})
			in.ReadByte() // the browser's end, or a second request, which has no place here
		}
	}()
	g.carry(browser, site, site, &active)
	site.Close()
	// Closing at once could lose what the browser has not read yet.
	if half, ok := browser.(*net.TCPConn); ok {
		half.CloseWrite()
	}
	select {
	case <-done:
	case <-time.After(time.Second):
		browser.Close()
		<-done
	}
}

// carry copies from src, which reads from the connection side, to dst, until the end
// of src (nil), an error, idleness, or the cap.
func (g *Gate) carry(dst, side net.Conn, src io.Reader, active *atomic.Int64) error {
	buf := make([]byte, 32<<10)
	for {
		side.SetReadDeadline(time.Now().Add(g.idle))
		n, err := src.Read(buf)
		if n > 0 {
			active.Store(time.Now().UnixNano())
			if g.bytes.Add(int64(n)) > g.maxBytes {
				g.closeAll()
				return errTooMuch
			}
			dst.SetWriteDeadline(time.Now().Add(g.idle))
			if _, err := dst.Write(buf[:n]); err != nil {
				return err
			}
		}
		var timeout net.Error
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &timeout) && timeout.Timeout() &&
			time.Since(time.Unix(0, active.Load())) < g.idle:
			// The other direction is busy.
		case err != nil:
			return err
		}
	}
}

// closeAll ends the connections but not the Gate.
func (g *Gate) closeAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for c := range g.conns {
		c.Close()
	}
}
