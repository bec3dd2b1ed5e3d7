package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestSignalsAtOnceAreOne sends two signals one right after the other, as timeout(1) does to
// a program and its group: the command still says what became of it.
func TestSignalsAtOnceAreOne(t *testing.T) {
	asked := make(chan bool, 10)
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		asked <- true
		<-done
	}))
	defer server.Close()
	defer close(done)
	for range 3 {
		dir := t.TempDir()
		cmd := exec.Command("wstk", "site", "ingest", server.URL+"/", "--allow-private", "--json")
		cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(dir, "cache"), "HOME="+dir)
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-asked
		// two of a kind may reach it as one
		for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
			_ = cmd.Process.Signal(s)
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 130 || !json.Valid(out.Bytes()) {
			t.Fatalf("exit code %d, and standard output was %q", code, out.String())
		}
	}
}
