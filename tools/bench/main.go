// Command bench measures the program and prints Markdown for docs/benchmarks: how long
// it takes to start, how fast it ingests a folder of pages served on loopback (in time
// and in processor time, by stage, with the peak of memory), whether that stays so when
// there are many times as many pages, how long questions take, and what the benchmarks
// of single packages say.
//
//	go run ./tools/bench -wstk bin/wstk -site DIR [-copies N] [-queries FILE] [-go]
//	go run ./tools/bench -wstk bin/wstk -runs
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
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
	copies := flag.Int("copies", 1,
		"also ingest that many copies of the folder as one site, no two of their pages equal")
	queries := flag.String("queries", "", "file with one query a line, plain or in JSON as in "+
		"testdata/eval, asked of the first ingest")
	packages := flag.Bool("go", false, "also run the benchmarks of the packages")
	runs := flag.Bool("runs", false, "measure search runs instead")
	lambdas := flag.Bool("functions", false, "measure the functions' bootstraps instead")
	flag.Parse()
	if *runs {
		fmt.Println(machine())
		if err := searchRuns(*wstk); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if *lambdas {
		fmt.Println(machine())
		if err := functions(); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if *site == "" {
		fmt.Fprintln(os.Stderr, "bench: -site is missing")
		os.Exit(2)
	}
	if err := run(*wstk, *site, *start, *copies, *queries, *packages); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// onePage measures extract of the file of the site whose size is closest to 100 KB, as a
// whole process.
func onePage(p program, site string) error {
	files, err := filepath.Glob(filepath.Join(site, "*.html"))
	if err != nil || len(files) == 0 {
		return err
	}
	distance := func(name string) int64 {
		st, err := os.Stat(name)
		if err != nil {
			return 1 << 40
		}
		return max(st.Size()-100_000, 100_000-st.Size())
	}
	page := slices.MinFunc(files, func(a, b string) int { return int(distance(a) - distance(b)) })
	st, err := os.Stat(page)
	if err != nil {
		return err
	}
	var took, cpu, peak []float64
	for range 21 {
		u, err := p.run("extract", page, "--json")
		if err != nil {
			return err
		}
		took, cpu, peak = append(took, ms(u.took)), append(cpu, ms(u.cpu)), append(peak, u.peak)
	}
	fmt.Printf("| `wstk extract FILE`, %s of %.0f KB, median of %d | %.0f ms, CPU %.0f ms, peak "+
		"%.0f MB |\n",
		filepath.Base(page), float64(st.Size())/1e3, len(took), percentile(took, 50),
		percentile(cpu, 50), percentile(peak, 50))
	return nil
}

func run(wstk, site, start string, copies int, queries string, packages bool) error {
	dir, err := os.MkdirTemp("", "wstk-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Println(machine())

	fmt.Printf("\n## The program\n\n| what | figure |\n|---|---|\n")
	st, err := os.Stat(wstk)
	if err != nil {
		return err
	}
	fmt.Printf("| binary | %.1f MB |\n", float64(st.Size())/1e6)
	first := program{wstk, filepath.Join(dir, "first")}
	var starts, work []float64
	for range 21 {
		u, err := first.run("version")
		if err != nil {
			return err
		}
		starts, work = append(starts, ms(u.took)), append(work, ms(u.cpu))
	}
	fmt.Printf("| `wstk version`, median of %d | %.0f ms, CPU %.0f ms |\n", len(starts),
		percentile(starts, 50), percentile(work, 50))

	if err := onePage(first, site); err != nil {
		return err
	}

	fmt.Printf("\n## Ingest of %s\n\n", filepath.Base(site))
	fmt.Println("| pages | seconds | pages/s | CPU ms/page | pages/s on 2 idle cores | peak MB | " +
		"data MB |")
	fmt.Println("|---|---|---|---|---|---|---|")
	stages, err := ingest(first, site, start, 1)
	if err != nil {
		return err
	}
	if copies > 1 {
		if _, err := ingest(program{wstk, filepath.Join(dir, "copies")}, site, start,
			copies); err != nil {
			return err
		}
	}
	fmt.Println("\nTime by stage in the first row, summed over workers (fetch: with the wait for " +
		"its turn):")
	fmt.Println("\n| stage | calls | ms a call | seconds |\n|---|---|---|---|")
	for _, s := range stages {
		fmt.Printf("| %s | %d | %.2f | %.1f |\n", s.name, s.Calls,
			1000*s.Seconds/float64(max(1, s.Calls)), s.Seconds)
	}
	if queries != "" {
		if err := ask(first, queries); err != nil {
			return err
		}
	}
	if packages {
		return benchmarks()
	}
	return nil
}

// machine says where and of what the figures are.
func machine() string {
	first := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).Output()
		if err != nil {
			return "unknown"
		}
		return strings.TrimSpace(string(out))
	}
	memory := 0.0
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) == nil {
		memory = float64(info.Totalram) * float64(info.Unit) / (1 << 30)
	}
	load, _ := os.ReadFile("/proc/loadavg")
	one, _, _ := strings.Cut(string(load), " ")
	return fmt.Sprintf("Machine: %d cores, %.0f GiB, %s/%s, load %s at the start; %s; commit %s; %s.",
		runtime.NumCPU(), memory, runtime.GOOS, runtime.GOARCH, one, runtime.Version(),
		first("git", "describe", "--always", "--dirty"), time.Now().UTC().Format("2 January 2006"))
}

// program is the program with a folder of its own for data, cache and settings.
type program struct{ path, dir string }

// usage is what one run of the program took.
type usage struct {
	out  []byte
	took time.Duration
	cpu  time.Duration
	peak float64 // MB of memory
}

func (p program) run(args ...string) (usage, error) {
	cmd := exec.Command(p.path, args...)
	cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(p.dir, "data"),
		"WSTK_CACHE_DIR="+filepath.Join(p.dir, "cache"), "XDG_CONFIG_HOME="+p.dir)
	started := time.Now()
	out, err := cmd.Output()
	u := usage{out: out, took: time.Since(started)}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.cpu = time.Duration(r.Utime.Nano() + r.Stime.Nano())
		u.peak = float64(r.Maxrss) / 1024
	}
	return u, err
}

// ask times whole processes that answer the queries of a file.
func ask(p program, queries string) error {
	f, err := os.Open(queries)
	if err != nil {
		return err
	}
	defer f.Close()
	took := map[string][]float64{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		q := strings.TrimSpace(lines.Text())
		if q == "" {
			continue
		}
		var line struct{ Query string }
		if json.Unmarshal([]byte(q), &line) == nil {
			q = line.Query
		}
		for _, c := range []string{"recall", "ask"} {
			u, _ := p.run(c, q, "--json") // no answer exits 3 and counts too
			took[c] = append(took[c], ms(u.took))
		}
	}
	fmt.Println("\n| whole process | n | p50 ms | p95 ms |\n|---|---|---|---|")
	for _, c := range []string{"recall", "ask"} {
		if len(took[c]) > 0 {
			fmt.Printf("| `wstk %s` | %d | %.0f | %.0f |\n", c, len(took[c]),
				percentile(took[c], 50), percentile(took[c], 95))
		}
	}
	return lines.Err()
}

// benchmarks runs those of the packages and makes a table of their figures; what else
// they print goes to standard error.
func benchmarks() error {
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", ".", "-timeout",
		"60m", "./shared/...")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	fmt.Println("\n## Packages\n\n| package | benchmark | figures |\n|---|---|---|")
	pkg := ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		f := strings.Fields(lines.Text())
		switch {
		case len(f) == 2 && f[0] == "pkg:":
			// without the path of the module
			pkg = f[1][max(0, strings.LastIndex(f[1], "shared/")):]
		case len(f) > 3 && strings.HasPrefix(f[0], "Benchmark"):
			var figures []string
			for i := 2; i+1 < len(f); i += 2 {
				figures = append(figures, f[i]+" "+f[i+1])
			}
			fmt.Printf("| %s | %s | %s |\n", pkg, strings.TrimPrefix(f[0], "Benchmark"),
				strings.Join(figures, ", "))
		default:
			fmt.Fprintln(os.Stderr, lines.Text())
		}
	}
	return cmd.Wait()
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

func percentile(v []float64, p int) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[min(len(s)-1, len(s)*p/100)]
}
