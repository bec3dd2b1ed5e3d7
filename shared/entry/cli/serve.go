package cli

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/app/looking"
	"wstk/shared/config"
	"wstk/shared/entry/serve"
	"wstk/shared/wstk"
)

const (
	defaultAddr = "127.0.0.1:8080"

	// drainTime is how long running requests may take after the server was told to
	// stop; none is given longer anyway.
	drainTime = 30 * time.Second
)

func (c *command) serve() *cobra.Command {
	var addr string
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the HTTP interface and the web page",
		Long: `Serves the HTTP interface (docs/http.md), and a web page at / (docs/web.md), until Ctrl-C
or SIGTERM stops it. It then takes no new requests and gives running ones up to 30 s to
end. Its crawls are continued by the next server.

Requests need a bearer token; the web page asks for it once. Tokens come from
WSTK_API_TOKENS (separated by commas) or WSTK_API_TOKEN. A token may have a name and a
scope: NAME:read:TOKEN, NAME:write:TOKEN or NAME:admin:TOKEN. A token without them belongs
to the owner, who may do everything. If no token is set, the server listens on loopback
only, makes a token and prints it.`,
		Example: "  wstk serve\n  WSTK_API_TOKEN=... wstk serve --addr 0.0.0.0:8080",
		Args:    cobra.NoArgs,
		RunE: c.with(c.env.Open, endless, func(ctx context.Context, a *app.App, _ []string) reply {
			if err := looking.NoAccess(a.Config); err != nil {
				return reply{err: err}
			}
			l, err := listen(ctx, addr)
			if err != nil {
				return reply{err: err}
			}
			defer l.Close()
			at := "http://" + l.Addr().String()
			tokens := []string(a.Config.APITokens)
			p := c.printer(c.stderr())
			if len(tokens) == 0 {
				if !loopback(l.Addr()) {
					return reply{err: wstk.Errorf(wstk.Invalid, "",
						"%s is open to other machines, and there is no token", addr).
						Try(wstk.Advices("set WSTK_API_TOKEN to a long random word",
							"or stay on this machine: wstk serve --addr "+defaultAddr)...)}
				}
				tokens = []string{newToken()}
				p.line("token, for this run only: " + tokens[0])
				p.line("the web page asks for it: " + at + "/")
				p.line("try: curl -H 'Authorization: Bearer " + tokens[0] + "' " + at + "/sites")
			}
			if w := weak(l.Addr(), a.Config.APITokens); w != "" {
				p.line(w)
			}
			var phase serve.Phase
			phase.Preparing()
			return c.answer(ctx, &phase, l, c.env.HTTP(a, tokens, &phase), func() error {
				if err := a.Recover(ctx); err != nil {
					return err
				}
				phase.Started()
				p.line("listening on " + at)
				return nil
			})
		}),
	}
	cmd.Flags().StringVar(&addr, "addr", defaultAddr,
		"host and port to listen on; port 0 takes a free one")
	return cmd
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, wstk.Errorf(wstk.Invalid, "", "--addr: %q is not HOST:PORT", addr).
			Try(wstk.Advice("wstk serve --addr " + defaultAddr))
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, wstk.Errorf(wstk.Conflict, "", "another program listens on %s", addr).
			Try(wstk.Advice("choose another port: wstk serve --addr 127.0.0.1:0"))
	case err != nil:
		return nil, wstk.Errorf(wstk.Unavailable, "listening on "+addr, "%w", errors.Unwrap(err)).
			Try(wstk.Advice("choose another address: wstk serve --addr " + defaultAddr))
	}
	return l, nil
}

// loopback reports whether only this machine reaches an address.
func loopback(a net.Addr) bool {
	t, ok := a.(*net.TCPAddr)
	return ok && t.IP.IsLoopback()
}

// weak warns of tokens that other machines could find by trying; "" where there are none.
func weak(at net.Addr, tokens config.Tokens) string {
	n := tokens.Short()
	if n == 0 || loopback(at) {
		return ""
	}
	return fmt.Sprintf("warning: %s is open to other machines, and %d of %d tokens have under 16 "+
		"letters; make them long and random: head -c 24 /dev/urandom | base64",
		at, n, len(tokens))
}

func newToken() string {
	var b [24]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// httpLimits is how long a client may take, and how much it may say before its body.
type httpLimits struct {
	header, body time.Duration // for sending them; body is from the first byte of the header on
	reply, idle  time.Duration // for taking the reply; between two requests
	headerBytes  int
}

var clientLimits = httpLimits{
	header: 10 * time.Second,
	body:   30 * time.Second,
	reply:  5 * time.Minute, // a large snapshot on a slow line
	idle:   2 * time.Minute,
	// the longest query string that is allowed, each letter written as twelve
	headerBytes: 512 << 10,
}

// server answers clients within limits. What they sent is in no log.
func (l httpLimits) server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: l.header,
		ReadTimeout:       l.body,
		WriteTimeout:      l.reply,
		IdleTimeout:       l.idle,
		MaxHeaderBytes:    l.headerBytes,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
}

// answer serves until ctx ends, and then ends the requests that run. What comes while
// begin prepares the work is answered, and told that it is too early.
func (c *command) answer(
	ctx context.Context, phase *serve.Phase, l net.Listener, h http.Handler, begin func() error,
) reply {
	server := clientLimits.server(h)
	server.BaseContext = func(net.Listener) context.Context { return context.WithoutCancel(ctx) }
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	data := served{l.Addr().String()}
	if err := begin(); err != nil {
		server.Close()
		return reply{data: data, err: err}
	}
	select {
	case err := <-failed:
		return reply{data: data, err: wstk.Wrap(wstk.Unavailable, "serving", err)}
	case <-ctx.Done():
	}
	phase.Drain()
	r := reply{data: data,
		plain: func(w io.Writer) { fmt.Fprintln(w, "stopped") },
		human: func(p *printer) { p.line("stopped") },
	}
	r.warnings = drain(context.WithoutCancel(ctx), server, drainTime)
	return r
}

// drain ends a server: what runs has some time to end, and is cut off then.
func drain(ctx context.Context, server *http.Server, most time.Duration) []wstk.Warning {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close()
		return []wstk.Warning{{Code: "requests_cut_off",
			Message: "Requests that still ran were cut off."}}
	}
	return nil
}
