package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// functions measures each function's bootstrap: its size, and the time from the start of
// the process to the first poll for work, beside a bare one. They take turns, so that the
// machine's mood meets all of them.
func functions() error {
	dir, err := os.MkdirTemp("", "wstk-bench-functions-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	words, err := filepath.Glob("functions/*")
	if err != nil {
		return err
	}
	packages := map[string]string{"bare": "./tools/bench/bare"}
	names := []string{"bare"}
	for _, w := range words {
		packages[filepath.Base(w)] = "./" + w
		names = append(names, filepath.Base(w))
	}
	for _, name := range names {
		build := exec.Command("go", "build", "-tags=lambda.norpc", "-trimpath", "-ldflags=-s -w",
			"-o", filepath.Join(dir, name), packages[name])
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", name, err, out)
		}
	}
	const rounds = 15
	times, memory := map[string][]float64{}, map[string][]float64{}
	for range rounds {
		for _, name := range names {
			took, peak, err := firstPoll(filepath.Join(dir, name))
			if err != nil {
				return fmt.Errorf("starting %s: %w", name, err)
			}
			times[name] = append(times[name], ms(took))
			memory[name] = append(memory[name], peak)
		}
	}
	fmt.Printf("\n## The functions\n\nFrom the start of the process to its first poll for work, "+
		"median of %d, taking turns.\n\n", rounds)
	fmt.Println("| function | MB | ms to the first poll | more than bare | peak MB until then |")
	fmt.Println("|---|---|---|---|---|")
	bare := percentile(slices.Clone(times["bare"]), 50)
	for _, name := range names {
		st, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		at := percentile(times[name], 50)
		fmt.Printf("| %s | %.1f | %.1f | %.1f | %.0f |\n", name, float64(st.Size())/1e6, at,
			at-bare, percentile(memory[name], 50))
	}
	return nil
}

// firstPoll starts a bootstrap against a Runtime API that only listens, and ends it when
// it has asked for work. peak is its largest resident memory, in MB.
func firstPoll(bootstrap string) (took time.Duration, peak float64, err error) {
	polled := make(chan time.Time, 1)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, 0, err
	}
	server := &http.Server{ReadHeaderTimeout: 5 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/invocation/next") {
				select {
				case polled <- time.Now():
				default:
				}
				<-r.Context().Done()
			}
			if strings.Contains(r.URL.Path, "secretsmanager") ||
				r.Header.Get("X-Amz-Target") == "secretsmanager.GetSecretValue" {
				fmt.Fprint(w, `{"SecretString":"made-up"}`)
			}
		})}
	go server.Serve(listener)
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, bootstrap)
	address := listener.Addr().String()
	cmd.Env = []string{"AWS_LAMBDA_RUNTIME_API=" + address, "AWS_ENDPOINT_URL=http://" + address,
		"AWS_REGION=us-east-1",
		"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "WSTK_TOKEN_SECRET=made-up",
		"WSTK_BUCKET=b", "HOME=/tmp"}
	cmd.Stderr = os.Stderr
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	select {
	case at := <-polled:
		took = at.Sub(started)
	case <-ctx.Done():
		err = ctx.Err()
	}
	cmd.Process.Kill()
	cmd.Wait()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = float64(usage.Maxrss) * 1024 / 1e6
	}
	return took, peak, err
}
