package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// server is a running wstk serve.
type server struct {
	*testing.T
	cmd    *exec.Cmd
	url    string
	token  string // that it printed
	stderr chan string
}

// startServer runs wstk serve and waits until it listens.
func startServer(t *testing.T, dir string, env []string, args ...string) *server {
	t.Helper()
	cmd := exec.Command("wstk", append([]string{"serve", "--addr", "127.0.0.1:0", "--allow-private"}, args...)...)
	cmd.Env = append(append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(dir, "data"),
		"WSTK_CACHE_DIR="+filepath.Join(dir, "cache"), "HOME="+dir, "WSTK_API_TOKEN=", "WSTK_API_TOKENS="), env...)
	pipe, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	s := &server{T: t, cmd: cmd, stderr: make(chan string, 1)}
	t.Cleanup(func() { cmd.Process.Kill() })
	lines := bufio.NewScanner(pipe)
	all := ""
	for lines.Scan() {
		all += lines.Text() + "\n"
		if m := regexp.MustCompile(`^token, for this run only: (\S{20,})$`).FindStringSubmatch(lines.Text()); m != nil {
			s.token = m[1]
		}
		if at, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			s.url = at
			go func() {
				for lines.Scan() {
					all += lines.Text() + "\n"
				}
				s.stderr <- all
			}()
			return s
		}
	}
	t.Fatalf("it never listened: %v\n%s", cmd.Wait(), all)
	return nil
}

// stop sends SIGTERM and returns how it ended and all of standard error.
func (s *server) stop() (string, error) {
	s.Helper()
	s.cmd.Process.Signal(syscall.SIGTERM)
	return s.ended()
}

func (s *server) ended() (string, error) {
	s.Helper()
	select {
	case all := <-s.stderr:
		return all, s.cmd.Wait()
	case <-time.After(20 * time.Second):
		s.Fatal("it does not stop")
		return "", nil
	}
}

func (s *server) call(method, path, token, body string) (int, map[string]any) {
	s.Helper()
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Body.Close()
	var v map[string]any
	if err := json.NewDecoder(res.Body).Decode(&v); err != nil {
		s.Fatal(err)
	}
	return res.StatusCode, v
}

// Without a token in the environment it makes one, prints it once, and wants it.
func TestServeMakesAToken(t *testing.T) {
	s := startServer(t, t.TempDir(), nil)
	if code, v := s.call("GET", "/sites", "", ""); code != 401 || v["code"] != "unauthorized" {
		t.Errorf("without a token: %d %v", code, v)
	}
	if code, v := s.call("GET", "/sites", s.token, ""); code != 200 {
		t.Errorf("with the token: %d %v", code, v)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if code, _ := s.call("GET", path, "", ""); code != 200 {
			t.Errorf("%s: %d", path, code)
		}
	}
	log, err := s.stop()
	if err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if !strings.Contains(log, "curl -H 'Authorization: Bearer "+s.token+"' "+s.url+"/sites") {
		t.Errorf("no example: %s", log)
	}
}

// With tokens in the environment any of them opens, and none is printed.
func TestServeWithTokens(t *testing.T) {
	s := startServer(t, t.TempDir(), []string{"WSTK_API_TOKENS=alpha-token, beta-token", "WSTK_API_TOKEN=gamma-token"}, "--verbose")
	for _, token := range []string{"alpha-token", "beta-token", "gamma-token"} {
		if code, v := s.call("GET", "/sites", token, ""); code != 200 {
			t.Errorf("%s: %d %v", token, code, v)
		}
	}
	if code, _ := s.call("GET", "/sites", "alpha-token, beta-token", ""); code != 401 {
		t.Errorf("all at once: %d", code)
	}
	if log, err := s.stop(); err != nil || strings.Contains(log, "-token") || !strings.Contains(log, "msg=request") {
		t.Errorf("%v, %s", err, log)
	}
}

func TestServeOnATakenPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dir := t.TempDir()
	cmd := exec.Command("wstk", "serve", "--addr", l.Addr().String())
	cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(dir, "cache"), "HOME="+dir, "WSTK_API_TOKEN=", "WSTK_API_TOKENS=")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "another program listens on "+l.Addr().String()) {
		t.Errorf("%v: %s", err, out)
	}
}

// Told to stop, it takes no new requests and ends those that run.
func TestServeEndsRunningRequests(t *testing.T) {
	s := startServer(t, t.TempDir(), nil)
	address := strings.TrimPrefix(s.url, "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := `{"query": "What is a pump?"}`
	fmt.Fprintf(conn, "POST /gaps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", s.token, len(body), body[:10])
	time.Sleep(200 * time.Millisecond) // until the handler waits for the rest
	s.cmd.Process.Signal(syscall.SIGTERM)
	for range 500 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			break
		}
		c.Close()
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := net.Dial("tcp", address); err == nil {
		t.Error("it still takes connections")
	}
	io.WriteString(conn, body[10:])
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(res.Body); res.StatusCode != 200 || !strings.Contains(string(got), `"hits"`) {
		t.Errorf("%d %s", res.StatusCode, got)
	}
	if _, err := s.ended(); err != nil {
		t.Error(err)
	}
}

// A crawl that runs when the server stops is continued by the next one.
func TestServeLeavesCrawlsToBeGoneOnWith(t *testing.T) {
	const pages = 150
	site := httptest.NewServer(&chain{n: pages, at: map[string]int{}})
	defer site.Close()
	dir := t.TempDir()
	env := []string{"WSTK_API_TOKEN=some-token"}
	begin := fmt.Sprintf(`{"url": %q, "max_depth": 100}`, site.URL)
	s := startServer(t, dir, env)
	code, v := s.call("POST", "/sites", "some-token", begin)
	if code != 202 {
		t.Fatalf("%d %v", code, v)
	}
	path, run := "/sites/"+v["site"].(map[string]any)["id"].(string), v["run"].(map[string]any)["id"]
	time.Sleep(300 * time.Millisecond)
	if log, err := s.stop(); err != nil {
		t.Fatalf("%v\n%s", err, log)
	}

	s = startServer(t, dir, env)
	if _, v := s.call("GET", path, "some-token", ""); v["run"].(map[string]any)["state"] == "interrupted" || v["run"].(map[string]any)["id"] != run {
		t.Errorf("the next server does not go on with it: %v", v)
	}
	for range 1000 {
		if _, v = s.call("GET", path, "some-token", ""); v["run"].(map[string]any)["state"] != "running" {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if v["run"].(map[string]any)["id"] != run || v["pages"] != float64(pages) || v["accounting"].(map[string]any)["open"] != 0.0 {
		t.Errorf("in the end: %v", v)
	}
	if log, err := s.stop(); err != nil {
		t.Errorf("%v\n%s", err, log)
	}
}
