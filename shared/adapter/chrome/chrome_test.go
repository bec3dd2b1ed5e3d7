//go:build unix

package chrome

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"wstk/shared/adapter/safehttp"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// needsBrowser skips where no browser is installed.
func needsBrowser(t *testing.T) {
	t.Helper()
	if _, err := Find(""); err != nil {
		wstktest.Skip(t, err)
	}
}

// open returns a renderer whose pages may reach loopback.
func open(t *testing.T, cfg Config) *Renderer {
	t.Helper()
	needsBrowser(t)
	client, err := safehttp.New(safehttp.Config{AllowPrivate: true})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Gate = func() (Gate, error) { return client.OpenGate(safehttp.GateOptions{}) }
	if cfg.Timeout == 0 {
		cfg.Timeout = time.Minute // the machine may be busy with other tests
	}
	r, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		client.Close()
	})
	return r
}

func TestRenderer(t *testing.T) {
	wstktest.Renderer(t, func(t *testing.T, o wstktest.RendererOptions) wstk.Renderer {
		return open(t, Config{Timeout: o.Timeout, Product: o.Product})
	})
}

// site serves one page for every path.
func site(t *testing.T, html string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<!doctype html>"+html)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL + "/"
}

// family lists the processes of this test's browsers: those whose command line names
// dir. Zombies, which have none, are not among them.
func family(t *testing.T, dir string) []int {
	t.Helper()
	all, err := os.ReadDir("/proc")
	if err != nil {
		wstktest.Skip(t, "there is no /proc to count processes in")
	}
	var pids []int
	for _, entry := range all {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		line, err := os.ReadFile("/proc/" + entry.Name() + "/cmdline")
		if err == nil && bytes.Contains(line, []byte(dir)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// temp makes folders of this test's own, with a name short enough for sockets.
func temp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "wstk-t-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir)
	return dir
}

// nothingLeft fails when a process or a folder is still there after a while.
func nothingLeft(t *testing.T, dir string) {
	t.Helper()
	var pids []int
	var files []os.DirEntry
	for range 50 {
		pids = family(t, dir)
		files, _ = os.ReadDir(dir)
		if len(pids) == 0 && len(files) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("left behind: processes %v, files %v", pids, files)
}

// inTheMiddle waits until a page is shown and not yet read, and returns it.
func inTheMiddle(t *testing.T, r *Renderer) *page {
	t.Helper()
	for range 600 {
		r.mu.Lock()
		var pages []*page
		for b := range r.running {
			b.mu.Lock()
			pages = slices.AppendSeq(pages, maps.Keys(b.pages))
			b.mu.Unlock()
		}
		r.mu.Unlock()
		for _, p := range pages {
			p.mu.Lock()
			loaded := p.loaded && p.committed
			p.mu.Unlock()
			if loaded {
				return p
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("no page is shown")
	return nil
}

func TestNothingIsLeftBehind(t *testing.T) {
	dir := temp(t)
	r := open(t, Config{})
	url := site(t, "<p>here")
	if _, err := r.Render(t.Context(), wstk.RenderRequest{URL: url}); err != nil {
		t.Fatal(err)
	}
	if n := len(family(t, dir)); n < 2 {
		t.Fatalf("only %d processes are seen", n)
	}
	before := len(family(t, dir))
	for _, path := range []string{url, "http://169.254.169.254/", url} {
		r.Render(t.Context(), wstk.RenderRequest{URL: path})
	}
	time.Sleep(500 * time.Millisecond)
	if now := len(family(t, dir)); now > before+1 {
		t.Errorf("%d processes after the first page, %d after the fourth", before, now)
	}
	r.Close()
	nothingLeft(t, dir)
}

// A browser that dies under a page fails that page; the next one gets a new browser.
func TestBrowserThatDies(t *testing.T) {
	dir := temp(t)
	r := open(t, Config{})
	url := site(t, "<p>here")
	for name, hit := range map[string]func(p *page){
		"killed":      func(p *page) { syscall.Kill(p.cmd.Process.Pid, syscall.SIGKILL) },
		"not talking": func(p *page) { p.conn.out.Close() },
		"tab crashed": func(p *page) { p.post(p.session, "Page.crash", nil) },
	} {
		done := make(chan error)
		go func() {
			_, err := r.Render(context.Background(),
				wstk.RenderRequest{URL: url, Wait: 10 * time.Second})
			done <- err
		}()
		hit(inTheMiddle(t, r))
		if err := <-done; wstk.CodeOf(err) != wstk.Unavailable {
			t.Errorf("%s: %v (%s)", name, err, wstk.CodeOf(err))
		}
		if out, err := r.Render(t.Context(), wstk.RenderRequest{URL: url}); err != nil ||
			!bytes.Contains(out.HTML, []byte("here")) {
			t.Errorf("%s, next page: %v", name, err)
		}
	}
	r.Close()
	nothingLeft(t, dir)
}

// A browser that stands still is replaced, whenever it does so.
func TestBrowserThatStandsStill(t *testing.T) {
	dir := temp(t)
	r := open(t, Config{})
	url := site(t, "<p>here")
	if _, err := r.Render(t.Context(), wstk.RenderRequest{URL: url}); err != nil {
		t.Fatal(err)
	}
	syscall.Kill(r.current.cmd.Process.Pid, syscall.SIGSTOP)
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	if _, err := r.Render(ctx, wstk.RenderRequest{URL: url}); wstk.CodeOf(err) != wstk.Timeout {
		t.Errorf("still: %v (%s)", err, wstk.CodeOf(err))
	}
	if _, err := r.Render(t.Context(), wstk.RenderRequest{URL: url}); err != nil {
		t.Errorf("next page: %v", err)
	}
	r.Close()
	nothingLeft(t, dir)
}

func TestBrowserIsReplaced(t *testing.T) {
	dir := temp(t)
	r := open(t, Config{Recycle: 2})
	url := site(t, "<p>here")
	pids := map[int]bool{}
	for range 5 {
		if _, err := r.Render(t.Context(), wstk.RenderRequest{URL: url}); err != nil {
			t.Fatal(err)
		}
		pids[r.current.cmd.Process.Pid] = true
	}
	if len(pids) != 3 {
		t.Errorf("%d browsers for 5 pages, 2 each", len(pids))
	}
	if folders, _ := os.ReadDir(dir); len(folders) != 1 {
		t.Errorf("folders: %v", folders)
	}
	r.Close()
	nothingLeft(t, dir)
}

func TestIdleBrowserIsEnded(t *testing.T) {
	dir := temp(t)
	r := open(t, Config{Idle: 200 * time.Millisecond})
	url := site(t, "<p>here")
	for range 2 {
		out, err := r.Render(t.Context(), wstk.RenderRequest{URL: url})
		if err != nil || !bytes.Contains(out.HTML, []byte("here")) {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
		nothingLeft(t, dir)
	}
}

// When this process dies by kill -9 its browser dies too; the folder goes with the next
// start.
func TestKillNine(t *testing.T) {
	if os.Getenv("WSTK_TEST_CHILD") != "" {
		r := open(t, Config{})
		if _, err := r.Render(t.Context(), wstk.RenderRequest{URL: os.Getenv("WSTK_TEST_CHILD")}); err != nil {
			t.Fatal(err)
		}
		fmt.Println("rendered")
		time.Sleep(time.Minute)
		return
	}
	needsBrowser(t)
	dir := temp(t)
	url := site(t, "<p>here")
	child := exec.Command(os.Args[0], "-test.run=^TestKillNine$", "-test.v")
	child.Env = append(os.Environ(), "WSTK_TEST_CHILD="+url, "TMPDIR="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "rendered"; {
	}
	if len(family(t, dir)) < 2 {
		t.Error("the child has no browser")
	}
	child.Process.Kill()
	child.Wait()
	for range 100 {
		if len(family(t, dir)) == 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if pids := family(t, dir); len(pids) > 0 {
		t.Errorf("processes %v outlived it", pids)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("it left %v, and its one folder was expected", left)
	}
	r := open(t, Config{})
	if _, err := r.Render(t.Context(), wstk.RenderRequest{URL: url}); err != nil {
		t.Error(err)
	}
	r.Close()
	nothingLeft(t, dir)
}

// Not a byte goes past the gate: no UDP of WebRTC or WebTransport, no name looked up.
func TestNothingGoesPastTheGate(t *testing.T) {
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	heard := make(chan string, 100)
	go func() {
		buf := make([]byte, 2000)
		for {
			n, _, err := udp.ReadFrom(buf)
			if err != nil {
				close(heard)
				return
			}
			heard <- fmt.Sprintf("%x", buf[:n])
		}
	}()
	at := udp.LocalAddr().String()
	r := open(t, Config{})
	out, err := r.Render(t.Context(), wstk.RenderRequest{WaitFor: "#done", URL: site(t, `<body><script>
const pc = new RTCPeerConnection({iceServers: [{urls: ["stun:`+at+`", "turn:`+at+`"], username: "u", credential: "c"}]});
const found = []; pc.onicecandidate = e => e.candidate && found.push(e.candidate.candidate);
pc.createDataChannel("x"); pc.createOffer().then(o => pc.setLocalDescription(o));
try { new WebTransport("https://`+at+`/").ready.catch(() => 0) } catch {}
setTimeout(() => document.body.innerHTML = "<p id=done>candidates " + JSON.stringify(found), 1500)</script>`)})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(out.HTML, []byte("candidates []")) {
		t.Errorf("WebRTC found ways out: %s", out.HTML)
	}
	udp.Close()
	for packet := range heard {
		t.Errorf("a packet came past the gate: %s", packet)
	}
}

// A window that a page manages to open is closed.
func TestPopups(t *testing.T) {
	r := open(t, Config{})
	url := site(t, "<p>here")
	done := make(chan wstk.Rendering)
	go func() {
		out, err := r.Render(context.Background(),
			wstk.RenderRequest{URL: url, Wait: 4 * time.Second})
		if err != nil {
			t.Error(err)
		}
		done <- out
	}()
	p := inTheMiddle(t, r)
	p.post(p.session, "Runtime.evaluate", map[string]any{"expression": "open('/other', '_blank', 'noopener')", "userGesture": true})
	out := <-done
	var codes []string
	for _, w := range out.Warnings {
		codes = append(codes, w.Code)
	}
	if !slices.Contains(codes, "popup_closed") || out.FinalURL != url {
		t.Errorf("%s, warned of %v", out.FinalURL, codes)
	}
}

func TestProfile(t *testing.T) {
	dir := temp(t)
	profile := filepath.Join(dir, "profile")
	r := open(t, Config{})
	url := site(t, `<p id=a></p><script>a.textContent = "seen " + (localStorage.seen || "never"); localStorage.seen = "before"</script>`)
	for _, want := range []string{"seen never", "seen before"} {
		out, err := r.Render(t.Context(), wstk.RenderRequest{URL: url, Profile: profile})
		if err != nil || !bytes.Contains(out.HTML, []byte(want)) {
			t.Fatalf("want %s: %s, %v", want, out.HTML, err)
		}
	}
	done := make(chan error)
	go func() {
		_, err := r.Render(context.Background(),
			wstk.RenderRequest{URL: url, Profile: profile, Wait: 3 * time.Second})
		done <- err
	}()
	inTheMiddle(t, r)
	if _, err := r.Render(t.Context(), wstk.RenderRequest{URL: url, Profile: profile}); wstk.CodeOf(
		err) != wstk.Conflict || len(wstk.StepsOf(err)) == 0 {
		t.Errorf("a profile in use: %v (%s)", err, wstk.CodeOf(err))
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if pids := family(t, dir); len(pids) > 0 {
		t.Errorf("processes %v are left", pids)
	}
}

func TestNoBrowser(t *testing.T) {
	client, err := safehttp.New(safehttp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "quits")
	if err := os.WriteFile(file, []byte("#!/bin/sh\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", file + "-that-is-not-there", file} {
		t.Setenv("PATH", t.TempDir())
		if _, err := Find(path); path == "" && err == nil {
			continue // one stands in a usual place
		}
		r, err := New(Config{Path: path, Gate: func() (Gate, error) {
			return client.OpenGate(safehttp.GateOptions{})
		}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Render(t.Context(), wstk.RenderRequest{URL: "http://example.com/"})
		if wstk.CodeOf(err) != wstk.Unavailable || len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%q: %v (%s), next %v", path, err, wstk.CodeOf(err), wstk.StepsOf(err))
		}
		r.Close()
	}
}

func TestSystemProfile(t *testing.T) {
	t.Setenv("HOME", "/users/me")
	t.Setenv("XDG_CONFIG_HOME", "/users/me/.config")
	for path, want := range map[string]string{"/usr/bin/chromium": "chromium", "/snap/bin/chromium": "chromium", "/opt/google/chrome/chrome": "google-chrome",
		"/usr/bin/microsoft-edge": "microsoft-edge"} {
		if runtime.GOOS != "linux" {
			break
		}
		if got, err := SystemProfile(path); err != nil || got != "/users/me/.config/"+want {
			t.Errorf("%s: %s, %v", path, got, err)
		}
	}
}

func TestEnvironmentHoldsNoSecrets(t *testing.T) {
	t.Setenv("BRAVE_API_KEY", "x")
	t.Setenv("WSTK_API_TOKEN", "x")
	t.Setenv("LC_ALL", "C")
	env := environment("/tmp/x")
	for _, entry := range env {
		if strings.Contains(entry, "KEY") || strings.HasPrefix(entry, "WSTK") {
			t.Errorf("the browser is told %s", entry)
		}
	}
	if !slices.Contains(env, "LC_ALL=C") || !slices.Contains(env, "TMPDIR=/tmp/x/tmp") {
		t.Errorf("got %v", env)
	}
}

// Loopback is no exception: a page there is refused like any other closed address.
func TestLoopbackIsBehindTheGateToo(t *testing.T) {
	needsBrowser(t)
	client, err := safehttp.New(safehttp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	r, err := New(Config{Timeout: time.Minute, Gate: func() (Gate, error) {
		return client.OpenGate(safehttp.GateOptions{})
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	asked := false
	s := httptest.NewServer(
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer s.Close()
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.URL, "http://"))
	for _, q := range []wstk.RenderRequest{{URL: s.URL}, {URL: "http://localhost:" + port},
		{URL: "http://[::1]:" + port}, {URL: s.URL, Profile: filepath.Join(t.TempDir(), "p")}} {
		if _, err := r.Render(t.Context(), q); wstk.CodeOf(err) != wstk.RefusedAddress || asked {
			t.Errorf("%s: %v (%s), asked: %v", q.URL, err, wstk.CodeOf(err), asked)
		}
	}
}
