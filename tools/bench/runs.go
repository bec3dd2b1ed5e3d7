package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"wstk/shared/wstk/wstktest"
)

// searchRuns measures search runs through the HTTP interface, with providers and a model
// that take a fixed time.
func searchRuns(wstk string) error {
	dir, err := os.MkdirTemp("", "wstk-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var urls [3][]string
	for i := range 10 {
		for p := range urls {
			// about half is found twice
			urls[p] = append(urls[p], fmt.Sprintf("https://site%d.example/page/%d", (i+p)%12, i))
		}
	}
	v := (&wstktest.Vendors{Serper: wstktest.VendorAnswer{URLs: urls[0]},
		Google: wstktest.VendorAnswer{URLs: urls[1]}, Brave: wstktest.VendorAnswer{URLs: urls[2]},
		Model: wstktest.VendorAnswer{
			Text: `{"keywords": ["tide tables"], "filters": {"date_after": "{LAST_WEEK_START}"}}`}}).Start()
	defer v.Close()
	delay := func(providers, model time.Duration) {
		for i, name := range []string{"serper", "google", "brave"} {
			v.Set(name, wstktest.VendorAnswer{URLs: urls[i], Delay: providers})
		}
		v.Set("model", wstktest.VendorAnswer{
			Text:  `{"keywords": ["tide tables"], "filters": {"date_after": "{LAST_WEEK_START}"}}`,
			Delay: model})
	}
	s, err := startServer(wstk, filepath.Join(dir, "data"), v.Settings(true))
	if err != nil {
		return err
	}
	defer s.stop()

	fmt.Printf("\n## Search runs\n\nThree providers with ten results each, and a model, on " +
		"loopback, with fixed delays; through `wstk serve`.\n\n| what | figure |\n|---|---|\n")
	const slow = 100 * time.Millisecond
	delay(slow, 0)
	var over []float64
	for i := range 201 {
		took, err := s.create("tide tables of last week")
		if err != nil {
			return err
		}
		if i > 0 { // the first is rewritten
			over = append(over, ms(took-slow))
		}
	}
	fmt.Printf("| beyond the slowest provider (100 ms), template known, of %d | median %.1f ms, "+
		"p95 %.1f ms |\n", len(over), percentile(over, 50), percentile(over, 95))

	delay(time.Second, time.Second)
	var cold, warm []float64
	for i := range 20 {
		first, err := s.create(fmt.Sprint("tide tables, question ", i))
		if err != nil {
			return err
		}
		again, err := s.create(fmt.Sprint("tide tables, question ", i))
		if err != nil {
			return err
		}
		cold, warm = append(cold, ms(first)), append(warm, ms(again))
	}
	fmt.Printf("| providers and model of 1 s, of %d: cold (rewritten first) | p95 %.2f s |\n",
		len(cold), percentile(cold, 95)/1000)
	fmt.Printf("| the same, warm (template known) | p95 %.2f s |\n", percentile(warm, 95)/1000)

	delay(slow, 0)
	all, failed := s.together(200, 200, func(i int) string { return "two hundred at once" })
	fmt.Printf("| 200 at once, providers of 100 ms | %d errors, median %.2f s, slowest %.2f s |\n",
		failed, percentile(all, 50)/1000, percentile(all, 100)/1000)

	delay(0, 0)
	var memory []float64
	started := time.Now()
	const steps, each = 4, 500
	for range steps {
		_, n := s.together(each, 8, func(i int) string { return fmt.Sprint("tide tables ", i) })
		failed += n
		time.Sleep(time.Second) // what is garbage may go
		memory = append(memory, s.memory())
	}
	fmt.Printf("| %d runs, 8 at a time: resident memory after each %d | %.0f MB |\n",
		steps*each, each, memory)
	fmt.Printf("| runs a second then | %.0f |\n",
		steps*each/(time.Since(started)-steps*time.Second).Seconds())
	if failed > 0 {
		return fmt.Errorf("%d runs failed", failed)
	}
	return nil
}

// server is a running wstk serve.
type server struct {
	cmd *exec.Cmd
	url string
}

const benchToken = "made-up-" + "token-of-bench"

func startServer(wstk, dir string, env map[string]string) (*server, error) {
	cmd := exec.Command(wstk, "serve", "--addr", "127.0.0.1:0", "--data-dir", dir,
		"--cache-dir", dir+"-cache")
	cmd.Env = append(os.Environ(), "WSTK_API_TOKEN="+benchToken)
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "listening on "); ok {
			go io.Copy(io.Discard, out)
			return &server{cmd, strings.TrimSpace(address)}, nil
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	return nil, errors.New("the server does not listen")
}

func (s *server) stop() {
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.cmd.Wait()
}

var benchClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}

// create makes one run and tells how long that took.
func (s *server) create(query string) (time.Duration, error) {
	body, err := json.Marshal(map[string]any{"query": query})
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequest(http.MethodPost, s.url+"/search-runs", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+benchToken)
	req.Header.Set("Content-Type", "application/json")
	started := time.Now()
	resp, err := benchClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusCreated {
		err = fmt.Errorf("%s: %s", resp.Status, reply)
	}
	return time.Since(started), err
}

// together makes n runs, so many at a time, and counts those that fail.
func (s *server) together(n, atOnce int, query func(i int) string) (took []float64, failed int) {
	var mu sync.Mutex
	var group sync.WaitGroup
	next := make(chan int)
	for range atOnce {
		group.Go(func() {
			for i := range next {
				d, err := s.create(query(i))
				mu.Lock()
				took = append(took, ms(d))
				if err != nil {
					failed++
					fmt.Fprintln(os.Stderr, "bench:", err)
				}
				mu.Unlock()
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
	return took, failed
}

// memory is the resident memory of the server in MB; 0 where there is no /proc.
func (s *server) memory() float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(data), "\n") {
		if kb, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.ParseFloat(
				strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kb), "kB")), 64)
			if err != nil {
				return 0
			}
			return n * 1024 / 1e6
		}
	}
	return 0
}
