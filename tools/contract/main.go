// Command contract holds a running wstk serve against its own description: Schemathesis
// makes requests out of /openapi.json, sane ones and broken ones, and looks at each reply.
// The server has the bundled site in its store, and stand-ins in place of the search
// providers; what is asked of it leads no further than this machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"wstk/shared/wstk/wstktest"
)

func main() {
	wstk := flag.String("wstk", "bin/wstk", "the program")
	tester := flag.String("schemathesis", ".cache/contract/bin/schemathesis", "Schemathesis")
	config := flag.String("config", "tools/contract/schemathesis.toml", "its settings")
	site := flag.String("site", "testdata/sites/sqlite", "folder to serve and crawl")
	examples := flag.Int("examples", 200, "requests for each operation")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *wstk, *tester, *config, *site, *examples, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "contract:", err)
		stop()
		os.Exit(1)
	}
}

const token = "token-of-the-contract"

// run sets everything up and has it tested; more are further arguments for Schemathesis.
func run(ctx context.Context, wstk, tester, config, site string, examples int, more []string) error {
	dir, err := os.MkdirTemp("", "wstk-contract-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	pages, err := onLoopback(http.FileServer(http.Dir(site)))
	if err != nil {
		return err
	}
	defer pages.Close()
	vendors := (&wstktest.Vendors{Brave: wstktest.VendorAnswer{URLs: []string{pages.address + "/wal.html", pages.address + "/pgszchng2016.html"}},
		SearXNG: wstktest.VendorAnswer{URLs: []string{pages.address + "/wal.html#top"}}}).Start()
	defer vendors.Close()

	env := append(os.Environ(), "HOME="+dir, "WSTK_DATA_DIR="+filepath.Join(dir, "data"), "WSTK_CACHE_DIR="+filepath.Join(dir, "cache"),
		"WSTK_API_TOKEN="+token, "WSTK_API_TOKENS=", "WSTK_ALLOW_PRIVATE=1", "WSTK_ALLOW_DOMAINS=127.0.0.1",
		"BRAVE_API_KEY=a-key", "BRAVE_BASE_URL="+vendors.URL()+"/brave", "SEARXNG_BASE_URL="+vendors.URL()+"/searxng",
		"WSTK_SEARCH_CASCADE_ORDER=brave_api,searxng_local,index")
	ingest := exec.CommandContext(ctx, wstk, "site", "ingest", pages.address+"/", "--plain")
	ingest.Env, ingest.Stderr = env, os.Stderr
	if err := ingest.Run(); err != nil {
		return fmt.Errorf("ingesting %s: %w", site, err)
	}
	for _, path := range []*string{&tester, &config} { // it runs elsewhere, since it leaves things behind
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	server, err := start(wstk, env)
	if err != nil {
		return err
	}
	check := exec.CommandContext(ctx, tester, append([]string{"--config-file", config, "run", server.address + "/openapi.json",
		"--header", "Authorization: Bearer " + token, "--max-examples", strconv.Itoa(examples)}, more...)...)
	check.Dir = dir
	check.Stdout, check.Stderr = os.Stdout, os.Stderr
	failed := check.Run()
	if err := server.stop(); err != nil {
		failed = errors.Join(failed, err)
	}
	return failed
}
