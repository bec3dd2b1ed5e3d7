//go:build unix

package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// stuck is a place where nothing ever comes to an end: a site that does not answer, a
// disk that does not, and a pipe that stays empty.
type stuck struct {
	t       *testing.T
	dir     string
	site    string       // its /hang/ never answers, / does
	asked   atomic.Int64 // requests that hang
	frozen  []string     // stored files that block their reader
	answer  string       // an answer, saved
	pipe    string       // a file that blocks
	waiting time.Duration
}

func (s *stuck) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.URL.Path, "hang") {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>Pump</title><h1>Pump</h1><p>The pump moves forty litres of water a minute, and it stands beside the well.</p>")
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
	s.asked.Add(1)
	<-r.Context().Done()
}

func (s *stuck) command(args ...string) *exec.Cmd {
	cmd := exec.Command("wstk", append(args, "--json")...)
	cmd.Env = append(os.Environ(), "WSTK_DATA_DIR="+filepath.Join(s.dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(s.dir, "cache"), "HOME="+s.dir,
		"WSTK_ALLOW_PRIVATE=1", "BRAVE_API_KEY=made-up-key-0001", "BRAVE_BASE_URL="+s.site+"hang/brave")
	return cmd
}

// run runs a command that must succeed.
func (s *stuck) run(args ...string) []byte {
	s.t.Helper()
	out, err := s.command(args...).Output()
	if err != nil {
		s.t.Fatalf("%v: %v: %s", args, err, out)
	}
	return out
}

// freeze puts pipes into the place of all stored blobs, until thaw.
func (s *stuck) freeze() {
	err := filepath.WalkDir(filepath.Join(s.dir, "data", "blobs"),
		func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				s.frozen = append(s.frozen, path)
			}
			return err
		})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, path := range s.frozen {
		if err := errors.Join(os.Rename(path, path+".kept"), syscall.Mkfifo(path, 0o600)); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *stuck) thaw() {
	for _, path := range s.frozen {
		if err := errors.Join(os.Remove(path), os.Rename(path+".kept", path)); err != nil {
			s.t.Fatal(err)
		}
	}
	s.frozen = nil
}

// locked calls f while another process, as it were, holds the database for itself.
func (s *stuck) locked(f func()) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.dir, "data", "wstk.db")+"?_pragma=locking_mode(EXCLUSIVE)")
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN EXCLUSIVE"); err != nil {
		s.t.Fatal(err)
	}
	f()
}

// blocked waits until a command waits for the site, for more than it was fed, or for one of
// the pipes, and holds that one open. It gives up when the command has ended.
func (s *stuck) blocked(before int64, fed, ended <-chan struct{}) (release func()) {
	for s.asked.Load() == before {
		for _, path := range append([]string{s.pipe}, s.frozen...) {
			// else there is no reader
			if f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
				return func() { _ = f.Close() }
			}
		}
		select {
		case <-fed:
			return func() {}
		case <-ended:
			return func() {}
		case <-time.After(5 * time.Millisecond):
		}
	}
	return func() {}
}

// stop runs a command that would never end, sends it a signal once it waits (or, without
// one, gives it a time limit) and returns its exit code and what it said.
func (s *stuck) stop(signal os.Signal, args []string) (int, string) {
	s.t.Helper()
	if signal == nil {
		args = append(slices.Clone(args), "--timeout", "300ms")
	}
	cmd := s.command(args...)
	var out strings.Builder
	cmd.Stdout = &out
	in, err := cmd.StdinPipe() // stays open and empty
	if err != nil {
		s.t.Fatal(err)
	}
	defer in.Close()
	before := s.asked.Load()
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended, fed := make(chan struct{}), make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	go func() { // more than a pipe holds, so a reader has read
		if _, err := in.Write(make([]byte, 1<<17)); err == nil {
			close(fed)
		}
	}()
	release := s.blocked(before, fed, ended)
	defer release()
	if signal != nil {
		_ = cmd.Process.Signal(signal)
	}
	select {
	case <-ended:
	case <-time.After(s.waiting): // generous: what it waits for never comes
		_ = cmd.Process.Kill()
		<-ended
		s.t.Errorf("%v went on for %s after it should have ended", args, s.waiting)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// TestEveryCommandEndsInTime holds each command against a time limit, Ctrl-C and SIGTERM
// where what it needs never comes. What is stored stays whole.
func TestEveryCommandEndsInTime(t *testing.T) {
	s := &stuck{t: t, dir: t.TempDir(), waiting: 20 * time.Second}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	s.site = server.URL + "/"
	s.pipe = filepath.Join(s.dir, "pipe.zip")
	suite := filepath.Join(s.dir, "suite.jsonl")
	if err := errors.Join(syscall.Mkfifo(s.pipe, 0o600),
		os.WriteFile(suite, []byte(`{"query":"pump"}`), 0o600)); err != nil {
		t.Fatal(err)
	}
	s.run("site", "ingest", s.site)
	s.answer = filepath.Join(s.dir, "answer.json")
	if err := os.WriteFile(s.answer, s.run("ask", "How much water does the pump move?"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.freeze()
	hang := s.site + "hang/"
	commands := map[string][]string{
		"fetch": {"fetch", hang}, "extract": {"extract", hang}, "extract of a file": {"extract", s.pipe}, "extract of standard input": {"extract", "-"},
		"search": {"search", "pump", "--provider", "brave_api"}, "runs create": {"runs", "create", "pump", "--provider", "brave_api"},
		"pipeline": {"pipeline", "pump", "--provider", "brave_api"}, "eval": {"eval", "--suite", suite, "--provider", "brave_api"},
		"site ingest": {"site", "ingest", hang}, "ask": {"ask", "How much water does the pump move?"}, "ask from": {"ask", "pump", "--from", hang},
		"recall": {"recall", "pump"}, "gap": {"gap", "pump"}, "read": {"read", s.site},
		"verify": {"verify", s.answer}, "verify a bundle": {"verify", s.pipe}, "verify of standard input": {"verify", "-"},
	}
	if _, err := exec.LookPath("chromium"); err == nil {
		commands["render"] = []string{"render", hang}
	}
	for name, args := range commands {
		for _, signal := range []os.Signal{nil, os.Interrupt, syscall.SIGTERM} {
			if signal == syscall.SIGTERM && name != "fetch" && name != "recall" {
				continue // as Ctrl-C
			}
			code, out := s.stop(signal, args)
			want, codes := 130, []string{"cancelled"}
			if signal == nil {
				want, codes = 1, []string{"timeout", "providers_failed", "empty"}
			}
			var r struct {
				OK    bool
				Error struct{ Code, Message string }
			}
			switch err := json.Unmarshal([]byte(out), &r); {
			case err != nil:
				t.Errorf("%s, %v: %v: %q", name, signal, err, out)
			case code != want || r.OK || !slices.Contains(codes, r.Error.Code):
				t.Errorf("%s, %v: exit code %d, want %d: %+v", name, signal, code, want, r)
			case signal != nil && !strings.Contains(r.Error.Message, "kept"):
				t.Errorf("%s, %v does not say what was kept: %s", name, signal, r.Error.Message)
			}
		}
	}
	s.thaw()
	s.locked(func() {
		for _, args := range [][]string{{"site", "list"}, {"site", "status", s.site}, {"runs", "list"}, {"recall", "pump"}} {
			if code, out := s.stop(nil, args); code != 1 || !strings.Contains(out, `"timeout"`) {
				t.Errorf("%v while the database is locked: exit code %d: %s", args, code, out)
			}
		}
	})
	s.run("doctor")
	s.run("verify", s.answer)
}
