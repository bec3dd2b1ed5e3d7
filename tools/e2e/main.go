// Command e2e deploys the unchanged template to an endpoint that stands in for AWS and
// goes through what a user does there: crawl a site through the API, with a function
// killed in between; ask its questions; upload a page with a question beside it; wait
// for the schedule to refresh the site. Then it compares with what the program for one
// machine makes of the same site. It runs beside tools/emulator (make e2e).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

func main() {
	wstk := flag.String("wstk", "bin/wstk", "the program for one machine")
	sam := flag.String("sam", ".cache/sam/bin/sam", "AWS SAM CLI")
	site := flag.String("site", "testdata/sites/sqlite", "folder to serve and crawl")
	questions := flag.String("questions", "testdata/eval/sqlite.jsonl", "what to ask")
	limit := flag.Duration("timeout", 25*time.Minute, "for everything")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeoutCause(ctx, *limit,
		fmt.Errorf("it took longer than %s", *limit))
	defer cancel()
	e := &e2e{wstk: absolute(*wstk), sam: absolute(*sam), endpoint: os.Getenv("WSTK_AWS_ENDPOINT"),
		search: os.Getenv("WSTK_OPENSEARCH"), started: time.Now()}
	err := e.run(ctx, *site, *questions)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = errors.Join(cause, err)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
	fmt.Printf("\nThe same system in both homes. %s\n", time.Since(e.started).Round(time.Second))
}

func absolute(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return abs
}

// e2e is one run of the scenario.
type e2e struct {
	wstk, sam        string
	endpoint, search string
	started          time.Time
	dir              string // for everything that is written
	api              api
	bucket           string
	queues           map[string]string
	providers        map[string]string // variables that lead to them
	small            small             // the site that is removed
}

// step prints what is done now.
func (e *e2e) step(format string, args ...any) {
	fmt.Printf("[%4.0fs] %s\n", time.Since(e.started).Seconds(), fmt.Sprintf(format, args...))
}

func (e *e2e) run(ctx context.Context, folder, questionsPath string) error {
	if e.endpoint == "" || e.search == "" {
		return errors.New("WSTK_AWS_ENDPOINT and WSTK_OPENSEARCH name no endpoints; run it with " +
			"make e2e")
	}
	questions, err := readQuestions(questionsPath)
	if err != nil {
		return err
	}
	if e.dir, err = os.MkdirTemp("", "wstk-e2e-"); err != nil {
		return err
	}
	defer os.RemoveAll(e.dir)

	vendors := vendors()
	defer vendors.Close()
	e.providers = vendors.Settings(true)
	model, err := playModels()
	if err != nil {
		return err
	}
	if model != nil {
		defer model.close()
	}
	if err := e.deploy(ctx); err != nil {
		return fmt.Errorf("deploying: %w", err)
	}
	site := serve(folder)
	defer site.close()
	home := &home{wstk: e.wstk, dir: filepath.Join(e.dir, "home"), env: e.providers}

	for _, part := range []struct {
		name string
		do   func() error
	}{
		{"every route wants a token", func() error { return e.tokens(ctx) }},
		{"an invalid message", func() error { return e.poison(ctx) }},
		{"crawling " + site.url + " on one machine", func() error {
			return home.ingest(ctx, site.url)
		}},
		{"crawling it through the API, with a fetch function killed in between", func() error {
			return e.crawl(ctx, site, home)
		}},
		{"asking in both homes", func() error { return e.ask(ctx, home, questions) }},
		{"the same pages give the same bytes", func() error {
			return e.samePages(ctx, home, site, questions)
		}},
		{"an answer that is told as it comes", func() error { return e.events(ctx, questions[0]) }},
		{"an answer about a page that neither home has read", func() error {
			return e.answers(ctx, home)
		}},
		{"an agent asks over MCP", func() error { return e.agents(ctx, questions[0]) }},
		{"searching with every provider at once", func() error {
			return e.runs(ctx, home, vendors)
		}},
		{"uploading a page with a question", func() error { return e.upload(ctx) }},
		{"a slow crawl keeps its distance", func() error { return e.polite(ctx, folder) }},
		{"a site that an answer cites is to be removed", func() error { return e.remove(ctx) }},
		{"the schedule refreshes the site", func() error { return e.refreshed(ctx, site) }},
		{"of the removed site only what the answer cites is left",
			func() error { return e.removed(ctx) }},
		{"what failed for good is in the dead-letter queue", func() error { return e.dead(ctx) }},
		{"a model proposes the answers of both homes", func() error {
			return e.models(ctx, home, model, folder, questions)
		}},
	} {
		e.step("%s", part.name)
		if err := part.do(); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

// architecture is this machine's, in the template's words.
func architecture() string {
	if runtime.GOARCH == "arm64" {
		return "arm64"
	}
	return "x86_64"
}
