// Command demo shows the main use from end to end on a site that is served on loopback: ingest,
// ask, verify. It runs the program as a user would, and prints each command before it runs.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// questions are asked in the demo. The last one has no answer on the site, and
// saying so is the right answer.
var questions = []struct {
	query  string
	answer bool
}{
	{"What is the maximum size of a database file?", true},
	{"Can WAL mode be used over a network filesystem?", true},
	{"What is the default page size?", true},
	{"Who won the football world cup in 1998?", false},
}

func main() {
	wstk := flag.String("wstk", "bin/wstk", "the program")
	site := flag.String("site", "testdata/sites/sqlite", "folder to serve")
	flag.Parse()
	if err := run(*wstk, *site); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(wstk, site string) error {
	dir, err := os.MkdirTemp("", "wstk-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.FileServer(http.Dir(site)),
		ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	defer server.Close()
	url := "http://" + listener.Addr().String() + "/"
	fmt.Printf("Serving %s at %s\n", site, url)

	d := demo{wstk: wstk, dir: dir}
	if err := d.run(0, "site", "ingest", url, "--allow-private"); err != nil {
		return err
	}
	for i, q := range questions {
		want := 0
		if !q.answer {
			want = 3
		}
		bundle := filepath.Join(dir, fmt.Sprintf("proof-%d.zip", i+1))
		if err := d.run(want, "ask", q.query, "--bundle", bundle); err != nil {
			return err
		}
		if q.answer {
			// Another data directory: the proof stands without the store.
			if err := d.run(0, "verify", bundle, "--data-dir",
				filepath.Join(dir, "elsewhere")); err != nil {
				return err
			}
		}
	}
	fmt.Println("\nEvery quote was found again in stored bytes. Demo done.")
	return nil
}

type demo struct{ wstk, dir string }

// run runs the program and checks its exit code.
func (d demo) run(want int, args ...string) error {
	shown := make([]string, len(args))
	for i, a := range args {
		if strings.ContainsAny(a, " ?") {
			a = "'" + a + "'"
		}
		shown[i] = a
	}
	fmt.Printf("\n$ wstk %s\n", strings.Join(shown, " "))
	cmd := exec.Command(d.wstk, args...)
	cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(d.dir, "data"),
		"WSTK_CACHE_DIR="+filepath.Join(d.dir, "cache"),
		"XDG_CONFIG_HOME="+filepath.Join(d.dir, "config"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err := cmd.Run()
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		return err
	}
	if code != want {
		return fmt.Errorf("wstk %s exited with %d, want %d", strings.Join(args, " "), code, want)
	}
	return nil
}
