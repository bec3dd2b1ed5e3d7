package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// chain is a site of n pages, each linking to the next three and one that is not
// there. It counts how often each path was asked for.
type chain struct {
	n  int
	mu sync.Mutex
	at map[string]int
}

func (c *chain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.at[r.URL.Path]++
	c.mu.Unlock()
	time.Sleep(4 * time.Millisecond)
	i, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/page/"))
	if r.URL.Path == "/" {
		i, err = 0, nil
	}
	if err != nil || i >= c.n {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<html lang=en><title>Page %d</title><main><h1>Page %d</h1><p>This is the page with the number %d, and the word of the day on it is pump%d.</p><p>", i, i, i, i)
	for k := 1; k <= 3; k++ {
		fmt.Fprintf(w, `<a href="/page/%d">page %d</a> `, i+k, i+k)
	}
	fmt.Fprint(w, `<a href="/missing">missing</a></p></main></html>`)
}

// TestKillAnywhere kills the program without warning while it crawls, again and again,
// and lets it go on: nothing stored is lost, no run is left over, and the accounting
// is that of a crawl in peace.
func TestKillAnywhere(t *testing.T) {
	const pages = 120
	site := &chain{n: pages, at: map[string]int{}}
	server := httptest.NewServer(site)
	defer server.Close()
	dir := t.TempDir()
	wstk := func(args ...string) *exec.Cmd {
		cmd := exec.Command("wstk", append(args, "--allow-private", "--json")...)
		cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(dir, "cache"), "HOME="+dir)
		return cmd
	}
	kills := 0
	for range 12 {
		cmd := wstk("site", "ingest", server.URL+"/", "--max-depth", "100")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case <-done:
		case <-time.After(time.Duration(120+rand.Intn(250)) * time.Millisecond):
			cmd.Process.Kill()
			<-done
			kills++
			continue
		}
		break
	}
	if kills < 2 {
		t.Fatalf("the crawl ended before it could be killed twice (%d)", kills)
	}
	cmd := wstk("site", "ingest", server.URL+"/", "--max-depth", "100")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var res struct {
		Data struct {
			Run        struct{ State string }
			Accounting map[string]int
			Pages      int
		}
	}
	if err := json.Unmarshal(out, &res); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for k, n := range res.Data.Accounting {
		if k != "discovered" {
			sum += n
		}
	}
	a := res.Data.Accounting
	if sum != a["discovered"] || a["open"] != 0 {
		t.Errorf("after %d kills the outcomes make %d: %v", kills, sum, a)
	}
	// The pages, three links past the end, and the one that is missing.
	if got := a["fetched"] + a["not_modified"]; got != pages {
		t.Errorf("%d pages of %d: %v", got, pages, a)
	}
	if a["not_found"] != 4 {
		t.Errorf("%d not found, want 4: %v", a["not_found"], a)
	}
	if res.Data.Pages != pages {
		t.Errorf("%d pages held, want %d", res.Data.Pages, pages)
	}
	for _, i := range []int{0, 1, pages / 2, pages - 1} {
		out, err := wstk("recall", fmt.Sprintf("pump%d", i)).Output()
		if err != nil || !strings.Contains(string(out), fmt.Sprintf("pump%d", i)) {
			t.Errorf("page %d cannot be recalled: %v", i, err)
		}
	}
	again := 0
	for path, n := range site.at {
		if path != "/robots.txt" && n > 1 {
			again += n - 1
		}
	}
	// The last ingest may ask once more for each, when the one before it had ended; and so
	// may another, when a kill fell between the end of a run and that of its process.
	if again > kills*16+2*a["discovered"] {
		t.Errorf("%d requests were made again after %d kills", again, kills)
	}
}

// TestInterrupt stops a crawl as Ctrl-C does: it ends at once with 130, says how to go
// on, and the same command does.
func TestInterrupt(t *testing.T) {
	const pages = 150
	site := &chain{n: pages, at: map[string]int{}}
	server := httptest.NewServer(site)
	defer server.Close()
	dir := t.TempDir()
	wstk := func() *exec.Cmd {
		cmd := exec.Command("wstk", "site", "ingest", server.URL+"/", "--max-depth", "100", "--allow-private", "--json")
		cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(dir, "cache"), "HOME="+dir)
		return cmd
	}
	type reply struct {
		OK   bool
		Data struct {
			Resumed    bool
			Run        struct{ ID, State string }
			Accounting map[string]int
			Pages      int
		}
		Error struct {
			Code    string
			Details map[string][]string
		}
	}
	first := wstk()
	var out strings.Builder
	first.Stdout = &out
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	for site.asked() < 20 {
		time.Sleep(5 * time.Millisecond)
	}
	first.Process.Signal(os.Interrupt)
	first.Wait()
	if code := first.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	var stopped reply
	if err := json.Unmarshal([]byte(out.String()), &stopped); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if stopped.OK || stopped.Error.Code != "cancelled" ||
		len(stopped.Error.Details["next_steps"]) == 0 || stopped.Data.Run.State != "running" {
		t.Errorf("%+v", stopped)
	}
	data, err := wstk().Output()
	if err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	var done reply
	if err := json.Unmarshal(data, &done); err != nil {
		t.Fatal(err)
	}
	if !done.Data.Resumed || done.Data.Run.ID != stopped.Data.Run.ID || done.Data.Pages != pages ||
		done.Data.Accounting["open"] != 0 {
		t.Errorf("%+v", done.Data)
	}
}

func (c *chain) asked() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.at)
}
