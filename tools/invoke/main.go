// Command invoke feeds one event to one function: it builds functions/WORD, starts the
// bootstrap as Lambda would, serves the Runtime API to it on loopback for one invocation,
// prints what it logged and replied, and ends the process.
//
//	go run ./tools/invoke [-event FILE] [-stack NAME] [-timeout 2m] WORD
//
// The function works on a deployed stack at the endpoint AWS_ENDPOINT_URL, LocalStack or
// the like, and gets the environment it has there. WSTK_ variables that are set win over
// the stack's; with WSTK_RECORDS_TABLE and the rest of them set no stack is asked.
//
// The exit code is 0 for a reply, 1 for a function that failed and 2 for invalid
// arguments.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

const needed = `no AWS_ENDPOINT_URL: a function needs the tables, queues and bucket of a stack.
Start what stands in for AWS, deploy the stack there, and say where it is:

    export AWS_ENDPOINT_URL=http://localhost:4566 AWS_REGION=us-east-1
    sam build && sam deploy        # once
    make invoke-sweep

The stack is called wstk; another: WSTK_STACK=name. Another event: EVENT=file`

func main() {
	event := flag.String("event", "", "file with the event; events/WORD.json when empty")
	stack := flag.String("stack", or(os.Getenv("WSTK_STACK"), "wstk"), "name of the stack")
	limit := flag.Duration("timeout", 2*time.Minute, "for the invocation")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(start(ctx, flag.Args(), *event, *stack, *limit))
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func start(ctx context.Context, args []string, event, stack string, limit time.Duration) int {
	say := func(code int, err error) int {
		fmt.Fprintln(os.Stderr, "invoke:", err)
		return code
	}
	if len(args) != 1 || !regexp.MustCompile(`^[a-z]+$`).MatchString(args[0]) {
		return say(2, errors.New("name one function, such as crawl"))
	}
	word := args[0]
	if _, err := os.Stat(filepath.Join("functions", word, "main.go")); err != nil {
		return say(2, fmt.Errorf("there is no function %s", word))
	}
	payload, err := os.ReadFile(or(event, filepath.Join("events", word+".json")))
	if err == nil && !json.Valid(payload) {
		err = errors.New("the event is not JSON")
	}
	if err != nil {
		return say(2, err)
	}
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		return say(2, errors.New(needed))
	}
	env, err := environment(ctx, stack, word)
	if err != nil {
		return say(2, err)
	}
	dir, err := os.MkdirTemp("", "wstk-invoke-")
	if err != nil {
		return say(2, err)
	}
	defer os.RemoveAll(dir)
	bootstrap := filepath.Join(dir, "bootstrap")
	build := exec.CommandContext(ctx, "go", "build", "-tags", "lambda.norpc", "-o", bootstrap,
		"./functions/"+word)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return say(2, fmt.Errorf("building functions/%s: %w", word, err))
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no reply in %s", limit))
	defer cancel()
	cmd := exec.Command(bootstrap)
	cmd.Env = append(append(os.Environ(), env...), "AWS_LAMBDA_FUNCTION_NAME="+word,
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=512")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	began := time.Now()
	r, err := invoke(ctx, cmd, payload)
	if err != nil {
		return say(1, fmt.Errorf("%s: %w", word, err))
	}
	fmt.Fprintf(os.Stderr, "invoke: %s replied after %d ms, its start included\n", word,
		time.Since(began).Milliseconds())
	var shown bytes.Buffer
	if json.Indent(&shown, r.body, "", "  ") != nil {
		shown.Write(r.body)
	}
	fmt.Println(shown.String())
	if r.failed {
		return 1
	}
	return 0
}
