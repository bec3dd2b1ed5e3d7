package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk/wstktest"
)

// pumps serves a small site, and a page that never comes.
func pumps(t *testing.T) (site string, left chan bool) {
	t.Helper()
	left = make(chan bool, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, `<title>Pumps</title><p>The Mark 3 pump reaches a working pressure of 9 bar. It weighs 14 kg.</p><p>Its motor needs 230 volts.</p>`)
		case "/about/": // a site of its own, which no page above leads to
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, `<title>Clock</title><p>This is the manual of the tide clock, for its owners.</p><a href="/about/care.html">Battery of the tide clock</a>`)
		case "/about/care.html":
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, `<title>Care</title><h1>Care</h1><p>The battery of the tide clock lasts nineteen months.</p>`)
		case "/hang":
			select {
			case <-r.Context().Done():
				left <- true
			case <-time.After(30 * time.Second):
			}
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/", left
}

// The official Python client works with the built program, over both transports, in the newest
// version of the protocol and in one that begins with a handshake.
func TestMCPWithThePythonClient(t *testing.T) {
	python, err := filepath.Abs("../../.cache/mcpclient/bin/python")
	if err == nil {
		_, err = os.Stat(python)
	}
	if err != nil {
		wstktest.Skip(t, "the Python client is not installed: make mcpclient")
	}
	program, err := exec.LookPath("wstk")
	if err != nil {
		t.Fatal(err)
	}
	for mode, version := range map[string]string{"auto": "2026-07-28", "legacy": "2025-11-25"} {
		for _, how := range []string{"stdio", "http"} {
			t.Run(how+" "+mode, func(t *testing.T) {
				site, left := pumps(t)
				args := []string{"../../tools/mcpclient/client.py", mode, site, how, program, "mcp", "--allow-private"}
				env := mcpCommand(t).Env
				if how == "http" {
					s := startServer(t, t.TempDir(), nil)
					args = append(args[:4], s.url+"/mcp", s.token)
				}
				cmd := exec.Command(python, args...)
				cmd.Env = env
				var stderr strings.Builder
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%v\n%s", err, stderr.String())
				}
				var seen struct {
					Version, Instructions, Quote         string
					Tools                                []string
					Pages, Told, Failed, Unknown         int
					Twins, Stands, Stored, Prompt, After bool
					GaveUp                               bool `json:"gave_up"`
					Content, No                          string
					Turns, Cited, Whole                  bool
					Wrong                                []any
				}
				if err := json.Unmarshal(out, &seen); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				if seen.Version != version || seen.Instructions == "" || len(seen.Tools) < 7 ||
					!slices.Contains(seen.Tools, "ask") {
					t.Errorf("it sees %s", out)
				}
				if seen.Pages != 1 || seen.Told == 0 || !seen.Twins || seen.Failed != 0 ||
					!seen.Stands || !seen.Stored ||
					seen.Quote != "The Mark 3 pump reaches a working pressure of 9 bar." {
					t.Errorf("its research: %s", out)
				}
				if seen.Content != "The battery of the tide clock lasts nineteen months. [1]" || !seen.Turns ||
					!seen.Cited || !seen.Whole || seen.No != "" {
					t.Errorf("an answer about a page: %s", out)
				}
				if !slices.Equal(seen.Wrong, []any{true, "invalid"}) || seen.Unknown != -32602 || !seen.Prompt {
					t.Errorf("errors and prompts: %s", out)
				}
				if !seen.GaveUp || !seen.After {
					t.Errorf("after a call that was given up: %s", out)
				}
				select {
				case <-left:
				case <-time.After(20 * time.Second):
					t.Error("the page is still waited for, though the client gave up")
				}
			})
		}
	}
}
