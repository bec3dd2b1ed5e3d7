package main

import (
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"wstk/shared/wstk/wstktest/modelserver"
)

// modelServers holds the server of each script that serves one.
var modelServers sync.Map

// serveModels serves language models that answer as a script says: models FILE. FILE holds
// the rules of modelserver.Rules, in which $SITE is the address of the site served before.
// The variables of OpenAI, Anthropic and Gemini lead to it.
func serveModels(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: models FILE")
	}
	script := strings.ReplaceAll(ts.ReadFile(args[0]), "$SITE", ts.Getenv("SITE"))
	answer, err := modelserver.Rules([]byte(script))
	ts.Check(err)
	server := modelserver.Start(answer)
	ts.Defer(server.Close)
	modelServers.Store(ts, server)
	for variable, api := range map[string]modelserver.API{"OPENAI": modelserver.OpenAI,
		"ANTHROPIC": modelserver.Anthropic, "GEMINI": modelserver.Gemini} {
		ts.Setenv(variable+"_BASE_URL", server.BaseURL(api))
		ts.Setenv(variable+"_API_KEY", "made-up"+"-key-"+strings.ToLower(variable))
	}
}

// prompted compares how often the models of this script were asked with these words so far:
// prompted COUNT WORDS.
func prompted(ts *testscript.TestScript, neg bool, args []string) {
	server, ok := modelServers.Load(ts)
	if neg || len(args) != 2 || !ok {
		ts.Fatalf("usage: models FILE, and then prompted COUNT WORDS")
	}
	n := 0
	for _, r := range server.(*modelserver.Server).Requests() {
		if strings.Contains(r.System+"\n"+r.User, args[1]) {
			n++
		}
	}
	if strconv.Itoa(n) != args[0] {
		ts.Fatalf("models were asked %d times with %q, want %s", n, args[1], args[0])
	}
}
