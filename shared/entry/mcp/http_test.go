package mcp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/app"
	"wstk/shared/entry/rest"
	"wstk/shared/wstk"
)

const (
	ownerToken  = "owner-token-of-the-tests"
	readerToken = "reader-token-of-the-tests"
)

// bearer sends a token with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// overHTTP connects a client to the door over HTTP.
func overHTTP(t *testing.T, a *app.App, buffered bool, token, version string) *host {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(servePages))
	t.Cleanup(site.Close)
	door := httptest.NewServer(rest.New(a, []string{ownerToken, "ci:read:" + readerToken},
		rest.Options{MCP: Handler(a, buffered), Buffered: buffered}))
	t.Cleanup(door.Close)
	h := &host{TB: t, app: a, site: site.URL, told: make(chan *sdk.ProgressNotificationParams, 1000)}
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			h.told <- r.Params
		}}).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: door.URL + "/mcp", MaxRetries: -1,
		HTTPClient: &http.Client{Transport: bearer(token)}}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	h.client = client
	return h
}

// versions are the current version of the protocol and the two before.
var versions = []string{"2026-07-28", "2025-11-25", "2025-06-18"}

// The whole way over HTTP, in each version, with replies as streams and as one object.
func TestOverHTTP(t *testing.T) {
	for _, version := range versions {
		for _, buffered := range []bool{false, true} {
			t.Run(version, func(t *testing.T) {
				h := overHTTP(t, newApp(t), buffered, ownerToken, version)
				if got := h.client.InitializeResult().ProtocolVersion; got != version {
					t.Errorf("it speaks %s", got)
				}
				h.ingest()
				x := h.ok("ask", `{"query": "What working pressure does the Mark 3 pump reach?"}`)
				if got := at(x, "extractions.0.evidence.0.quote"); got != "The Mark 3 pump reaches a working pressure of 9 bar." {
					t.Errorf("it quotes %v", got)
				}
				x = h.ok("answer", `{"url": "$SITE/deep/care.html", "query": "How long does the battery of the tide clock last?"}`)
				if got := x["content"]; got != "The battery of the tide clock lasts nineteen months. [1]" {
					t.Errorf("it answers %v", got)
				}
				h.fails(wstk.Invalid, "read", `{}`)
			})
		}
	}
}

// A token that may read calls what reads. A wrong one gets nothing, as everywhere over HTTP.
func TestTokensOverHTTP(t *testing.T) {
	a := newApp(t)
	h := overHTTP(t, a, false, readerToken, "")
	h.fails(wstk.NotFound, "read", `{"url": "https://example.org/"}`)
	p := h.fails(wstk.RefusedPolicy, "ingest", `{"url": "$SITE/"}`)
	if !strings.Contains(p.Error, "the token of ci has the scope read, and the tool ingest needs write") {
		t.Errorf("it says %q", p.Error)
	}
	door := rest.New(a, []string{ownerToken}, rest.Options{MCP: Handler(a, false)})
	for _, c := range []struct {
		name, method string
		status       int
		code         string
		body         string
		headers      map[string]string
	}{
		{"no token", "POST", 401, "unauthorized", "{}", map[string]string{"Authorization": ""}},
		{"a wrong token", "POST", 401, "unauthorized", "{}", map[string]string{"Authorization": "Bearer wrong"}},
		{"another method", "GET", 405, "method_not_allowed", "", nil},
		{"the end of a session", "DELETE", 405, "method_not_allowed", "", nil},
		{"a page of another site", "POST", 403, "refused_policy", "{}", map[string]string{"Origin": "https://evil.example"}},
		{"no JSON", "POST", 415, "unsupported_media_type", "{}", map[string]string{"Content-Type": "text/plain"}},
		{"too large", "POST", 413, "too_large", strings.Repeat(" ", wstk.MaxPayload+1), nil},
	} {
		r := httptest.NewRequest(c.method, "/mcp", strings.NewReader(c.body))
		r.Header.Set("Authorization", "Bearer "+ownerToken)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		for name, value := range c.headers {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		door.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), `"code":"`+c.code+`"`) {
			t.Errorf("%s: %d %s, want %d and the code %s", c.name, w.Code, w.Body, c.status, c.code)
		}
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/mcp", strings.NewReader("{}"))
	r.Header.Set("Authorization", "Bearer "+ownerToken)
	rest.New(a, []string{ownerToken}, rest.Options{}).ServeHTTP(w, r)
	if w.Code != 404 {
		t.Errorf("a door without it: %d", w.Code)
	}
}

// Progress comes while the work goes on, and a client that leaves stops the work, in each version.
func TestProgressAndCancelOverHTTP(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			site := newSlowSite(t)
			h := overHTTP(t, newApp(t), false, ownerToken, version)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := h.progressCall(ctx, "ask", `{"query": "What does it weigh?", "urls": ["`+site.URL+`/wait.html"]}`)
				ended <- err
			}()
			soon(t, "the page was asked for", site.asked)
			if p := soon(t, "progress", h.told); p.ProgressToken != "of-ask" {
				t.Errorf("it tells %+v", p)
			}
			cancel()
			if err := soon(t, "the call ends", ended); err == nil {
				t.Error("the call returned a reply")
			}
			if version == "2026-07-28" {
				soon(t, "the site is left", site.left)
			} else {
				h.client.Close()
			}
		})
	}
}

// A client of any version that closes its connection stops the work on its request.
func TestAClosedConnectionStopsTheWork(t *testing.T) {
	for _, version := range versions[1:] {
		site := newSlowSite(t)
		a := newApp(t)
		door := httptest.NewServer(rest.New(a, []string{ownerToken}, rest.Options{MCP: Handler(a, false)}))
		t.Cleanup(door.Close)
		ctx, leave := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, "POST", door.URL+"/mcp", strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch","arguments":{"id":"`+site.URL+`/wait.html"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Mcp-Protocol-Version", version)
		ended := make(chan error, 1)
		go func() {
			res, err := (&http.Client{Transport: bearer(ownerToken)}).Do(r)
			if err == nil {
				_, err = io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
			ended <- err
		}()
		soon(t, "the page was asked for", site.asked)
		leave()
		soon(t, "the request ends", ended)
		soon(t, "the site is left", site.left)
	}
}

// A call that takes longer than a request may is told so.
func TestARequestHasItsTime(t *testing.T) {
	site := newSlowSite(t)
	a := newApp(t)
	door := rest.New(a, []string{ownerToken}, rest.Options{MCP: Handler(a, true), Timeout: 200 * time.Millisecond})
	r := httptest.NewRequest("POST", "/mcp", strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch","arguments":{"id":"`+site.URL+`/wait.html"}}}`))
	r.Header.Set("Authorization", "Bearer "+ownerToken)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2025-06-18")
	w := httptest.NewRecorder()
	door.ServeHTTP(w, r)
	if !strings.Contains(w.Body.String(), `\"code\":\"timeout\"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Behind API Gateway each request stands alone, and its reply is one object.
func TestBehindAPIGateway(t *testing.T) {
	a := newApp(t)
	gateway := httpadapter.NewV2(rest.New(a, []string{ownerToken}, rest.Options{MCP: Handler(a, true), Buffered: true}))
	for _, body := range []string{`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":{"url":"https://example.org/"},"_meta":{"progressToken":1}}}`} {
		e := events.APIGatewayV2HTTPRequest{Version: "2.0", RawPath: "/mcp",
			Body: base64.StdEncoding.EncodeToString([]byte(body)), IsBase64Encoded: true,
			Headers: map[string]string{"authorization": "Bearer " + ownerToken, "content-type": "application/json",
				"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25", "host": "api.example"}}
		e.RequestContext.HTTP.Method, e.RequestContext.HTTP.Path = "POST", "/mcp"
		res, err := gateway.ProxyWithContext(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		var v struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
		}
		err = json.NewDecoder(bytes.NewReader([]byte(res.Body))).Decode(&v)
		if err != nil || res.StatusCode != 200 || v.ID != 7 || len(v.Result) < 50 {
			t.Errorf("%d %s: %v", res.StatusCode, res.Body, err)
		}
	}
}
