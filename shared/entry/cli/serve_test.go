package cli

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"wstk/shared/config"
	"wstk/shared/entry/rest"
)

// Short tokens are warned of where other machines can try them, without being shown.
func TestWeakTokensAreWarnedOf(t *testing.T) {
	here, everywhere := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80},
		&net.TCPAddr{IP: net.IPv4zero, Port: 80}
	long := "long-enough-for-" + "everybody"
	for _, c := range []struct {
		at     net.Addr
		tokens config.Tokens
		warned bool
	}{
		{everywhere, config.Tokens{long, "brief"}, true},
		{everywhere, config.Tokens{long}, false},
		{here, config.Tokens{"brief"}, false},
	} {
		if w := weak(c.at, c.tokens); (w != "") != c.warned || strings.Contains(w, "brief") {
			t.Errorf("%v with %d tokens: %q", c.at, len(c.tokens), w)
		}
	}
}

// TestClientsHaveLimits: a client that sends its header or its body too slowly, too long a
// header, or nothing more is cut off, and never waited for.
func TestClientsHaveLimits(t *testing.T) {
	const soon, never = 100 * time.Millisecond, time.Hour
	limits := func(change func(*httpLimits)) httpLimits {
		l := httpLimits{header: never, body: never, reply: never, idle: never, headerBytes: 1 << 10}
		change(&l)
		return l
	}
	const whole = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
	for name, c := range map[string]struct {
		limits httpLimits
		sent   string
		want   string // of what comes back before the connection ends
	}{
		"a slow header":        {limits(func(l *httpLimits) { l.header = soon }), "GET / HTTP/1.1\r\nHost: a.exam", ""},
		"a slow header, whole": {limits(func(l *httpLimits) { l.header, l.body = 0, soon }), "GET / HTTP/1.1\r\nHost: a.exam", ""},
		"a slow body":          {limits(func(l *httpLimits) { l.body = soon }), "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 9\r\n\r\nslow", "cut off"},
		"a long header":        {limits(func(*httpLimits) {}), "GET / HTTP/1.1\r\nHost: a.example\r\nA: " + strings.Repeat("a", 8<<10) + "\r\n\r\n", "431"},
		"nothing more":         {limits(func(l *httpLimits) { l.idle = soon }), whole, "read"},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			server := c.limits.server(
				http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if _, err := io.ReadAll(r.Body); err != nil {
						io.WriteString(w, "cut off")
						return
					}
					io.WriteString(w, "read")
				}))
			go server.Serve(l)
			defer server.Close()
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(time.Minute)) // else a server that waits hangs the test
			if _, err := io.WriteString(conn, c.sent); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(bufio.NewReader(conn))
			if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
				t.Fatal("the server waits")
			}
			if !strings.Contains(string(got), c.want) ||
				c.want == "" && strings.Contains(string(got), "read") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestRequestsThatRunTooLongAreCutOff: who stops the server hears of them.
func TestRequestsThatRunTooLongAreCutOff(t *testing.T) {
	for name, runs := range map[string]bool{"a request that runs": true, "none": false} {
		began := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(began)
			<-r.Context().Done()
		}))
		ended := make(chan error, 1)
		if runs {
			go func() {
				reply, err := http.Get(server.URL)
				if err == nil {
					reply.Body.Close()
				}
				ended <- err
			}()
			<-began
		}
		warned := drain(t.Context(), server.Config, 10*time.Millisecond)
		if cut := len(warned) == 1 && warned[0].Code == "requests_cut_off"; cut != runs || !runs && len(warned) > 0 {
			t.Errorf("%s: %+v", name, warned)
		}
		if runs && <-ended == nil {
			t.Errorf("%s was answered", name)
		}
		server.Close()
	}
}

// TestLimitsOfClientsAreAsWritten holds the limits against the page for operators.
func TestLimitsOfClientsAreAsWritten(t *testing.T) {
	page, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	l := clientLimits
	for _, row := range []string{
		fmt.Sprintf("| the header of a request to `serve` | %.0f s, %d KiB |", l.header.Seconds(), l.headerBytes>>10),
		fmt.Sprintf("| the body of a request | %.0f s with the header, %d KiB |", l.body.Seconds(), rest.MaxRequest>>10),
		fmt.Sprintf("| receiving a reply of `serve`, and idling between two requests | %.0f min, %.0f min |", l.reply.Minutes(), l.idle.Minutes()),
		fmt.Sprintf("| stopping `serve` | %.0f s for requests that run |", drainTime.Seconds()),
	} {
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/operations.md does not say: %s", row)
		}
	}
}
