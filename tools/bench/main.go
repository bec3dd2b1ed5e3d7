// Command bench measures the program as a whole process on real pages: ingest of a
// folder served on loopback (pages per second, time per stage, peak memory), recall and
// ask over what was ingested, and the time version takes. It prints Markdown for
// docs/benchmarks.
//
//	go run ./tools/bench -wstk bin/wstk -site DIR [-copies N] [-queries FILE]
//
// With -copies the folder is served under that many hosts of the loopback range, to
// see how memory grows with the number of pages.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	wstk := flag.String("wstk", "bin/wstk", "the program")
	site := flag.String("site", "", "folder to serve")
	start := flag.String("start", "index.html", "page to begin with")
	copies := flag.Int("copies", 1, "serve the folder under this many hosts")
	pages := flag.Int("max-pages", 20000, "page budget of each ingest")
	queries := flag.String("queries", "", "file with one query a line")
	flag.Parse()
	if *site == "" {
		fmt.Fprintln(os.Stderr, "bench: -site is missing")
		os.Exit(2)
	}
	if err := run(*wstk, *site, *start, *copies, *pages, *queries); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(wstk, site, start string, copies, pages int, queries string) error {
	dir, err := os.MkdirTemp("", "wstk-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := bench{wstk: wstk, dir: dir}
	fmt.Printf("%s, %d cores, %s\n\n", runtime.GOARCH, runtime.NumCPU(), commit())
	if st, err := os.Stat(wstk); err == nil {
		fmt.Printf("binary: %.1f MB\n", float64(st.Size())/1e6)
	}
	var times []float64
	for range 11 {
		_, took, _, err := b.command("version")
		if err != nil {
			return err
		}
		times = append(times, took.Seconds()*1000)
	}
	fmt.Printf("wstk version: median %.0f ms\n\n", median(times))

	fmt.Println("| hosts | pages | seconds | pages/s | peak MB |")
	fmt.Println("|---|---|---|---|---|")
	var stages map[string]stat
	for i := range copies {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.%d:0", i+1))
		if err != nil {
			return err
		}
		server := &http.Server{Handler: http.FileServer(http.Dir(site)), ReadHeaderTimeout: 5 * time.Second}
		go server.Serve(listener)
		out, took, peak, err := b.command("site", "ingest", "http://"+listener.Addr().String()+"/"+start,
			"--allow-private", "--max-pages", fmt.Sprint(pages), "--max-depth", "50", "--json")
		server.Close()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		var res struct {
			Data struct {
				Accounting map[string]int
				Stages     map[string]stat
			}
		}
		if err := json.Unmarshal(out, &res); err != nil {
			return err
		}
		n := res.Data.Accounting["fetched"] + res.Data.Accounting["duplicate_of"]
		fmt.Printf("| %d | %d | %.1f | %.0f | %.0f |\n", i+1, n, took.Seconds(), float64(n)/took.Seconds(), peak)
		stages = res.Data.Stages
	}
	fmt.Println("\n| stage | calls | ms a call | seconds in all |")
	fmt.Println("|---|---|---|---|")
	names := make([]string, 0, len(stages))
	for k := range stages {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, k := range names {
		s := stages[k]
		fmt.Printf("| %s | %d | %.2f | %.1f |\n", k, s.Calls, 1000*s.Seconds/float64(max(1, s.Calls)), s.Seconds)
	}
	if queries == "" {
		return nil
	}
	f, err := os.Open(queries)
	if err != nil {
		return err
	}
	defer f.Close()
	took := map[string][]float64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		q := strings.TrimSpace(lines.Text())
		if q == "" {
			continue
		}
		for _, c := range []string{"recall", "ask"} {
			_, t, _, _ := b.command(c, q, "--json") // no answer exits 3 and counts too
			took[c] = append(took[c], t.Seconds()*1000)
		}
	}
	fmt.Println("\n| whole process | n | p50 ms | p95 ms |")
	fmt.Println("|---|---|---|---|")
	for _, c := range []string{"recall", "ask"} {
		slices.Sort(took[c])
		fmt.Printf("| wstk %s | %d | %.0f | %.0f |\n", c, len(took[c]), median(took[c]), took[c][len(took[c])*95/100])
	}
	return nil
}

type stat struct {
	Calls   int
	Seconds float64
}

type bench struct{ wstk, dir string }

// command runs the program and returns its output, its time and its peak memory in MB.
func (b bench) command(args ...string) ([]byte, time.Duration, float64, error) {
	cmd := exec.Command(b.wstk, args...)
	cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(b.dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(b.dir, "cache"), "XDG_CONFIG_HOME="+b.dir)
	started := time.Now()
	out, err := cmd.Output()
	took := time.Since(started)
	peak := 0.0
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = float64(u.Maxrss) / 1024
	}
	return out, took, peak, err
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

func commit() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return "no commit"
	}
	return "commit " + strings.TrimSpace(string(out))
}
