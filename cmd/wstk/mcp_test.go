package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/wstk"
)

// mcpCommand is wstk mcp over a folder of the test.
func mcpCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("wstk", append([]string{"mcp", "--allow-private"}, args...)...)
	cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(dir, "cache"), "HOME="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// connect connects a client that offers one version of the protocol; "" is the newest.
func connect(t *testing.T, transport sdk.Transport, version string) *sdk.ClientSession {
	t.Helper()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// callTool calls a tool and returns its structured reply.
func callTool(t *testing.T, client *sdk.ClientSession, name string, arguments map[string]any) map[string]any {
	t.Helper()
	res, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if res.IsError {
		t.Fatalf("%s: %s", name, res.Content[0].(*sdk.TextContent).Text)
	}
	out, _ := res.StructuredContent.(map[string]any)
	return out
}

// manual serves the bundled site.
func manual(t *testing.T) string {
	t.Helper()
	site := httptest.NewServer(http.FileServer(http.Dir("../../testdata/sites/sqlite")))
	t.Cleanup(site.Close)
	return site.URL + "/"
}

// askAbout asks about a site that was never seen, and follows each reference to its sentence.
func askAbout(t *testing.T, client *sdk.ClientSession, site string) {
	t.Helper()
	arguments := map[string]any{"url": site, "query": "Does WAL mode work over a network filesystem?"}
	x := callTool(t, client, "answer", arguments)
	for x["next_cursor"] != nil { // each call waits
		arguments["cursor"] = x["next_cursor"]
		x = callTool(t, client, "answer", arguments)
	}
	if content, _ := x["content"].(string); x["answered"] != true ||
		!strings.Contains(content, "WAL does not work over a network filesystem. [1]") {
		t.Fatalf("the answer: %v", x)
	}
	resource := func(kind, id string) string {
		res, err := client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "wstk://" + kind + "/" + id})
		if err != nil {
			t.Fatal(err)
		}
		return res.Contents[0].Text
	}
	followed := 0
	for _, ref := range x["references"].([]any) {
		for _, id := range ref.(map[string]any)["evidence_ids"].([]any) {
			var e wstk.Evidence
			if err := json.Unmarshal([]byte(resource("evidence", id.(string))), &e); err != nil {
				t.Fatal(err)
			}
			if page := resource("pages", string(e.TextSHA256)); page[*e.ByteStart:*e.ByteEnd] != e.Quote ||
				e.URL != ref.(map[string]any)["url"] || !strings.Contains(e.Link, "#:~:text=") {
				t.Errorf("the evidence %+v does not stand where it says", e)
			}
			followed++
		}
	}
	v := callTool(t, client, "verify", map[string]any{"id": x["run"].(map[string]any)["id"]})
	if followed == 0 || v["failed"] != 0.0 || len(v["problems"].([]any)) != 0 {
		t.Errorf("%d quotes were followed; it verifies: %v", followed, v)
	}
	arguments = map[string]any{"url": site, "query": "Who won the chess tournament in Reykjavik?"}
	if no := callTool(t, client, "answer", arguments); no["answered"] != false || no["content"] != "" {
		t.Errorf("a question without an answer: %v", no)
	}
}

// research is what an agent does: crawl, ask, verify, and read where the answer stands.
func research(t *testing.T, client *sdk.ClientSession, site string) {
	t.Helper()
	for st := callTool(t, client, "ingest", map[string]any{"url": site, "max_pages": 30}); ; {
		run := st["run"].(map[string]any)
		if run["state"] != "running" {
			break
		}
		st = callTool(t, client, "ingest", map[string]any{"url": site, "status": true})
	}
	x := callTool(t, client, "ask", map[string]any{"query": "How many tables can be joined?"})
	if x["answered"] != true {
		t.Fatalf("it is not answered: %v", x)
	}
	if !strings.Contains(fmt.Sprint(x["extractions"]), "64-way joins") {
		t.Errorf("the answer: %v", x["extractions"])
	}
	v := callTool(t, client, "verify", map[string]any{"id": x["run"].(map[string]any)["id"]})
	if v["failed"] != 0.0 {
		t.Errorf("it does not verify: %v", v)
	}
}

// The built program serves a client of the official library, in the newest version of the protocol
// and in the two before. When its input ends, it ends well.
func TestMCPOnStandardInput(t *testing.T) {
	site := manual(t)
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18"} {
		t.Run(version, func(t *testing.T) {
			cmd := mcpCommand(t)
			client := connect(t, &sdk.CommandTransport{Command: cmd}, version)
			if got := client.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("it speaks %s", got)
			}
			if version == "2026-07-28" {
				askAbout(t, client, site)
				research(t, client, site)
			} else if list, err := client.ListTools(t.Context(), nil); err != nil || len(list.Tools) < 7 {
				t.Errorf("its tools: %v, %v", list, err)
			}
			client.Close()
			if state := cmd.ProcessState; state == nil || !state.Success() {
				t.Errorf("it ended with %v", state)
			}
		})
	}
}

// Nothing but messages of the protocol stands on standard output, whatever went wrong.
func TestMCPOutputIsProtocol(t *testing.T) {
	cmd := mcpCommand(t, "--verbose")
	cmd.Stderr = nil
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"no/such"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read","arguments":{"url":7}}}
`)
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("it ended with %v", err)
	}
	seen := map[float64]bool{}
	for line := range strings.Lines(string(out)) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil || m["jsonrpc"] != "2.0" {
			t.Errorf("no message: %q", line)
			continue
		}
		id, _ := m["id"].(float64)
		seen[id] = true
	}
	if !seen[1] || !seen[2] || !seen[3] {
		t.Errorf("a request has no reply, though the input ended after it: %s", out)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wrong := exec.CommandContext(ctx, "wstk", "mcp", "--json")
	wrong.Env = mcpCommand(t).Env
	if out, err := wrong.Output(); err == nil || !strings.Contains(string(out), "has an output of its own") {
		t.Errorf("with --json: %v, %s", err, out)
	}
}

// bearer sends a token with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// The server answers agents at /mcp with the same tokens as its other routes.
func TestMCPOverHTTP(t *testing.T) {
	s := startServer(t, t.TempDir(), nil)
	transport := func(token string) sdk.Transport {
		return &sdk.StreamableClientTransport{Endpoint: s.url + "/mcp", MaxRetries: -1,
			HTTPClient: &http.Client{Transport: bearer(token)}}
	}
	site := manual(t)
	askAbout(t, connect(t, transport(s.token), ""), site)
	research(t, connect(t, transport(s.token), ""), site)
	_, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), transport("wrong"), nil)
	if err == nil {
		t.Error("a wrong token opens it")
	}
}
