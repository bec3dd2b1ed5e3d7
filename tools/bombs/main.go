// Command bombs feeds every kind of hostile body to a wstk program and prints what each
// cost: seconds, processor seconds and peak memory. Every kind is read; those with a
// question are asked it, too, and the answer is verified.
//
//	go run ./tools/bombs -bin bin/wstk -size 5000000 -timeout 10s
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"wstk/shared/wstk/wstktest/bomb"
)

// trial runs a program under limits.
type trial struct {
	bin    string
	dir    string
	limit  time.Duration
	memory int64 // MB
	bad    int
}

func main() {
	t := &trial{}
	flag.StringVar(&t.bin, "bin", "bin/wstk", "the program to try")
	size := flag.Int("size", 5_000_000, "bytes of each body")
	flag.DurationVar(&t.limit, "timeout", 10*time.Second, "the program's own time limit")
	only := flag.String("run", "", "only kinds whose name holds this")
	flag.Int64Var(&t.memory, "memory", 400, "MB from which on a kind is marked")
	flag.Parse()
	var err error
	if t.dir, err = os.MkdirTemp("", "bombs-"); err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(t.dir) }()
	kinds := 0
	for _, b := range bomb.All() {
		if !strings.Contains(b.Name, *only) {
			continue
		}
		kinds++
		t.kind(b, b.Make(*size))
	}
	fmt.Printf("%d runs of %d kinds pass a limit\n", t.bad, kinds)
}

// kind reads a body of one kind, and asks it what the kind is about.
func (t *trial) kind(b bomb.Bomb, body []byte) {
	defer func() {
		_ = os.RemoveAll(filepath.Join(t.dir, "data"))
		_ = os.RemoveAll(filepath.Join(t.dir, "cache"))
	}()
	file := filepath.Join(t.dir, "bomb."+b.Ext)
	if err := os.WriteFile(file, body, 0o600); err != nil {
		log.Fatal(err)
	}
	t.run(b.Name, "extract", file)
	if b.Query == "" {
		return
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", b.Type)
		_, _ = w.Write(body)
	}))
	defer server.Close()
	reply := t.run(b.Name, "ask", b.Query, "--from", server.URL+"/page", "--allow-private")
	answer := filepath.Join(t.dir, "answer.json")
	if err := os.WriteFile(answer, reply, 0o600); err != nil {
		log.Fatal(err)
	}
	if bytes.Contains(reply, []byte(`"statements":[{`)) {
		t.run(b.Name, "verify", answer)
	}
}

// run runs one command, tells what it cost, and returns what it printed.
func (t *trial) run(name string, args ...string) []byte {
	cmd := exec.Command(t.bin, append(args, "--timeout", t.limit.String(), "--json")...)
	cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(t.dir, "data"),
		"WSTK_CACHE_DIR="+filepath.Join(t.dir, "cache"))
	var out bytes.Buffer
	cmd.Stdout = &out
	began := time.Now()
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	kill := time.AfterFunc(t.limit+8*time.Second, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // the exit code is told below
	kill.Stop()
	took, state := time.Since(began), cmd.ProcessState
	peak := int64(0)
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		peak = u.Maxrss >> 10
	}
	mark := ""
	if peak >= t.memory || took > t.limit+time.Second {
		mark = "  BAD"
		t.bad++
	} else if code := state.ExitCode(); code != 0 && took > t.limit-time.Second/2 {
		mark = "  stopped"
	}
	fmt.Printf("%-30s %-8s %6.1f s  %6.1f s CPU  %5d MB  exit %2d  reply %8d%s\n", name,
		args[0], took.Seconds(),
		(state.UserTime() + state.SystemTime()).Seconds(), peak, state.ExitCode(), out.Len(), mark)
	return out.Bytes()
}
