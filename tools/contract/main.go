// Command contract holds a running wstk serve against its own description: Schemathesis
// makes requests out of /openapi.json, sane ones and broken ones, and looks at each reply.
// The server has the bundled site in its store, and stand-ins in place of the search
// providers; what is asked of it leads no further than this machine. Before that a Python
// and a Go client are generated from the description, and a program works with each.
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
	tools := flag.String("tools", ".cache/contract/bin",
		"folder of Schemathesis and the generators of clients")
	programs := flag.String("programs", "tools/contract/testdata",
		"folder of the programs that work with the clients")
	config := flag.String("config", "tools/contract/schemathesis.toml", "its settings")
	site := flag.String("site", "testdata/sites/sqlite", "folder to serve and crawl")
	examples := flag.Int("examples", 200, "requests for each operation")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *wstk, *tools, *programs, *config, *site, *examples,
		flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "contract:", err)
		stop()
		os.Exit(1)
	}
}

const token = "token-of-the-contract"

// run sets everything up and has it tested; more are further arguments for Schemathesis.
func run(
	ctx context.Context, wstk, tools, programs, config, site string, examples int, more []string,
) error {
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
	vendors := (&wstktest.Vendors{Brave: wstktest.VendorAnswer{
		URLs: []string{pages.address + "/wal.html", pages.address + "/pgszchng2016.html"}},
		SearXNG: wstktest.VendorAnswer{URLs: []string{pages.address + "/wal.html#top"}}}).Start()
	defer vendors.Close()

	env := append(os.Environ(), "HOME="+dir, "WSTK_DATA_DIR="+filepath.Join(dir, "data"),
		"WSTK_CACHE_DIR="+filepath.Join(dir, "cache"),
		"WSTK_API_TOKEN="+token, "WSTK_API_TOKENS=", "WSTK_ALLOW_PRIVATE=1",
		"WSTK_ALLOW_DOMAINS=127.0.0.1",
		"BRAVE_API_KEY=a-key", "BRAVE_BASE_URL="+vendors.URL()+"/brave",
		"SEARXNG_BASE_URL="+vendors.URL()+"/searxng",
		"WSTK_SEARCH_CASCADE_ORDER=brave_api,searxng_local,index")
	ingest := exec.CommandContext(ctx, wstk, "site", "ingest", pages.address+"/", "--plain")
	ingest.Env, ingest.Stderr = env, os.Stderr
	if err := ingest.Run(); err != nil {
		return fmt.Errorf("ingesting %s: %w", site, err)
	}
	// it runs elsewhere, since it leaves things behind
	for _, path := range []*string{&tools, &programs, &config} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	server, err := start(wstk, env)
	if err != nil {
		return err
	}
	document := filepath.Join(dir, "openapi.json")
	described, err := download(ctx, server.address, document)
	if err == nil {
		err = clients(ctx, server.address, document, pages.address, dir, tools, programs)
	}
	if err == nil {
		described, err = forEvents(described)
	}
	if err == nil {
		err = os.WriteFile(document, described, 0o644)
	}
	if err != nil {
		return errors.Join(err, server.stop())
	}
	check := exec.CommandContext(ctx, filepath.Join(tools, "schemathesis"),
		append([]string{"--config-file", config, "run", document, "--url", server.address,
			"--header", "Authorization: Bearer " + token, "--max-examples", strconv.Itoa(examples)},
			more...)...)
	check.Dir = dir
	check.Stdout, check.Stderr = os.Stdout, os.Stderr
	failed := check.Run()
	if err := server.stop(); err != nil {
		failed = errors.Join(failed, err)
	}
	return failed
}
