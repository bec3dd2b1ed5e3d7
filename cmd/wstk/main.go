// Command wstk is the program for one machine: command line, HTTP and its web page, and MCP,
// over SQLite and plain files.
package main

import (
	"context"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"

	"wstk/shared/app"
	"wstk/shared/app/local"
	"wstk/shared/entry/cli"
	"wstk/shared/entry/mcp"
	"wstk/shared/entry/rest"
	"wstk/shared/entry/serve"
	"wstk/shared/entry/token"
	"wstk/shared/entry/web"
	"wstk/shared/wstk"
)

// version may be set when a release is built.
var version = wstk.Version

func main() {
	os.Exit(run())
}

// memoryLimit is the memory from which on the collector works harder, in bytes, unless
// GOMEMLIMIT says otherwise: garbage must not make a page of 5 MB take what its tree does
// not.
const memoryLimit = 256 << 20

// sameSignal is for how long a signal is the one before it: timeout(1) and others signal
// the program, and at once its whole group.
const sameSignal = 300 * time.Millisecond

func run() int {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	log.SetOutput(io.Discard) // net/http puts bytes that a site sent into it
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel(cli.Interrupt())
		for first := time.Now(); time.Since(first) < sameSignal; {
			<-signals
		}
		os.Exit(130) // a second Ctrl-C does not wait; everything stored is safe
	}()
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return cli.Run(ctx, cli.Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Dir: dir, Version: version,
		Terminal: func(w io.Writer) bool {
			f, ok := w.(*os.File)
			return ok && term.IsTerminal(int(f.Fd()))
		},
		Width: func() int {
			n, _, _ := term.GetSize(int(os.Stdout.Fd()))
			return n
		},
		Settings: local.Settings(), Open: local.Open, OpenTransient: local.OpenTransient,
		OpenBundle: local.OpenBundle, Reader: local.Reader,
		HTTP: func(a *app.App, tokens []string, phase *serve.Phase) http.Handler {
			return web.New(a, token.New(tokens, nil),
				rest.New(a, tokens, rest.Options{Phase: phase, MCP: mcp.Handler(a, false)}), phase)
		},
		MCP: mcp.Serve,
	})
}
