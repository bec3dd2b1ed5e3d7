// Command bombs feeds every kind of hostile body to a wstk program and tells what each
// cost: seconds, processor seconds and peak memory.
//
//	go run ./tools/bombs -bin bin/wstk -size 5000000 -timeout 10s
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"wstk/shared/wstk/wstktest/bomb"
)

func main() {
	bin := flag.String("bin", "bin/wstk", "the program to try")
	size := flag.Int("size", 5_000_000, "bytes of each body")
	limit := flag.Duration("timeout", 10*time.Second, "the program's own time limit")
	only := flag.String("run", "", "only kinds whose name holds this")
	memory := flag.Int64("memory", 400, "MB from which on a kind is marked")
	flag.Parse()
	dir, err := os.MkdirTemp("", "bombs-")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	bad, kinds := 0, 0
	for _, b := range bomb.All() {
		if !strings.Contains(b.Name, *only) {
			continue
		}
		kinds++
		file := filepath.Join(dir, "bomb."+b.Ext)
		if err := os.WriteFile(file, b.Make(*size), 0o600); err != nil {
			log.Fatal(err)
		}
		cmd := exec.Command(*bin, "extract", file, "--timeout", limit.String(), "--json")
		cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(dir, "cache"))
		var out bytes.Buffer
		cmd.Stdout = &out
		began := time.Now()
		if err := cmd.Start(); err != nil {
			log.Fatal(err)
		}
		kill := time.AfterFunc(*limit+8*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // the exit code is told below
		kill.Stop()
		took, state := time.Since(began), cmd.ProcessState
		peak := int64(0)
		if u, ok := state.SysUsage().(*syscall.Rusage); ok {
			peak = u.Maxrss >> 10
		}
		mark := ""
		if peak >= *memory || took > *limit+time.Second {
			mark, bad = "  BAD", bad+1
		} else if code := state.ExitCode(); code != 0 && took > *limit-time.Second/2 {
			mark = "  stopped"
		}
		fmt.Printf("%-36s %6.1f s  %6.1f s CPU  %5d MB  exit %2d  reply %8d%s\n", b.Name, took.Seconds(),
			(state.UserTime() + state.SystemTime()).Seconds(), peak, state.ExitCode(), out.Len(), mark)
		_ = os.RemoveAll(filepath.Join(dir, "data"))
		_ = os.RemoveAll(filepath.Join(dir, "cache"))
	}
	fmt.Printf("%d of %d kinds pass a limit\n", bad, kinds)
}
