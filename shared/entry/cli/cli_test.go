package cli

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"wstk/shared/app/apptest"
	"wstk/shared/app/reading"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/pflag"

	"wstk/shared/adapter/memory"
	"wstk/shared/app"
	"wstk/shared/config"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/read"
	"wstk/shared/stage/screen"
	"wstk/shared/stage/search"
	"wstk/shared/wstk"
)

// answers is a client that gives every address the same page.
type answers string

func (a answers) Do(context.Context, wstk.Request) (wstk.Response, error) {
	return wstk.Response{Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte(a)}, nil
}

// canned is a provider that returns the results it was given.
type canned []wstk.SearchResult

func (canned) Info() wstk.ProviderInfo {
	return wstk.ProviderInfo{ID: "stand-in", Type: "search", Enabled: true, Auto: true}
}
func (canned) Compile(q wstk.SearchQuery) wstk.Compiled { return wstk.Compiled{Query: q.Words} }
func (n canned) Search(context.Context, wstk.SearchQuery) (wstk.SearchReply, error) {
	return wstk.SearchReply{Results: n}, nil
}

const page = `<!doctype html><title>A [2J page</title><h1>The pump</h1><p>It moves forty litres a minute, and it does so for years without rest &#27;[31mor care.`

// terminal runs a command before a person's eyes.
func terminal(
	t *testing.T, env map[string]string, args ...string,
) (stdout, stderr string, code int) {
	t.Helper()
	var out, diag bytes.Buffer
	open := func(_ context.Context, c config.Config, log *slog.Logger) (*app.App, error) {
		stores := memory.New()
		a := app.New(app.Home{Base: reading.Base{Config: c, Log: log, Now: time.Now},
			Stores: app.Stores{Blobs: stores.Blobs, Snapshots: stores.Snapshots,
				Pages: stores.Pages}})
		apptest.Change(a, func(h *app.Home) {
			h.Fetch = &fetch.Stage{Client: answers(page), Blobs: h.Blobs, Snapshots: h.Snapshots,
				Hosts: stores.Hosts,
				Robots: func(
					context.Context, string, string, wstk.RobotsPolicy,
				) (fetch.RobotsDecision, error) {
					return fetch.RobotsDecision{Allowed: true}, nil
				}}
			h.Read, h.Screen = &read.Stage{}, &screen.Stage{}
			h.WebSearch = &search.Stage{Providers: []wstk.SearchProvider{
				canned{{Title: "\x1b]0;mine\x07The pump", URL: "https://a.example/", Snippet: "forty", Rank: 1}}}}
		})
		return a, nil
	}
	code = Run(t.Context(), Env{Settings: config.New(nil), Args: args, Stdin: strings.NewReader(""),
		Stdout: &out, Stderr: &diag, Dir: t.TempDir(), Version: "1",
		Getenv:   func(k string) string { return env[k] },
		Terminal: func(io.Writer) bool { return true }, Width: func() int { return 60 },
		Open: open, OpenTransient: open})
	return out.String(), diag.String(), code
}

// Colour is for terminals, and there only where it is wanted; a page's own control
// characters never get to one.
func TestColour(t *testing.T) {
	const escape = "\x1b"
	order := []string{"search", "pump", "--provider", "stand-in"}
	if out, _, code := terminal(t, nil, order...); code != 0 || !strings.Contains(out, escape+"[1m") {
		t.Errorf("exit %d, no colour on a terminal: %q", code, out)
	}
	for name, c := range map[string]struct {
		env  map[string]string
		args []string
	}{
		"NO_COLOR":   {map[string]string{"NO_COLOR": "1"}, order},
		"TERM=dumb":  {map[string]string{"TERM": "dumb"}, order},
		"--no-color": {nil, append([]string{"--no-color"}, order...)},
		"--json":     {nil, append([]string{"--json"}, order...)},
		"--plain":    {nil, append([]string{"--plain"}, order...)},
	} {
		out, diag, _ := terminal(t, c.env, c.args...)
		if strings.Contains(out, escape) || out == "" {
			t.Errorf("%s: %q", name, out)
		}
		if c.env != nil && strings.Contains(diag, escape+"[3") {
			t.Errorf("%s: colour on standard error: %q", name, diag)
		}
	}
	for _, args := range [][]string{order, {"extract", "https://a.example/"}, {"fetch", "https://a.example/"}} {
		out, diag, _ := terminal(t, nil, args...)
		if all := out + diag; strings.Contains(all, escape+"]0") || strings.Contains(all, "\x07") ||
			strings.Contains(all, escape+"[31mor") {
			t.Errorf("%v: a page steers the terminal: %q", args, all)
		}
	}
}

// Progress is shown to people at a terminal, and in no other place.
func TestProgress(t *testing.T) {
	order := []string{"pipeline", "pump", "--provider", "stand-in"}
	const clear = "\r\x1b[K"
	_, diag, code := terminal(t, nil, order...)
	if code != 0 || !strings.Contains(diag, clear+"searching") || !strings.Contains(diag, "reading 1/1 a.example") {
		t.Errorf("exit %d, no progress: %q", code, diag)
	}
	if i := strings.LastIndex(diag, clear); i < 0 || strings.Contains(diag[i:], "reading") {
		t.Errorf("the line of progress stays: %q", diag)
	}
	for _, flag := range []string{"--quiet", "--json", "--plain"} {
		if _, diag, _ := terminal(t, nil,
			append([]string{flag}, order...)...); strings.Contains(diag, clear) {
			t.Errorf("%s: %q", flag, diag)
		}
	}
}

// Both spellings of a flag that has two do what they say, and the last one wins.
func TestNegatable(t *testing.T) {
	for _, c := range []struct {
		args string
		want bool
	}{{"", true}, {"--x", true}, {"--no-x", false}, {"--x=false", false}, {"--no-x=false", true}, {"--no-x --x", true}, {"--x --no-x", false}} {
		v := true
		f := pflag.NewFlagSet("test", pflag.ContinueOnError)
		negatable(f, &v, "x", "")
		if err := f.Parse(strings.Fields(c.args)); err != nil || v != c.want {
			t.Errorf("%q gives %v, %v", c.args, v, err)
		}
	}
	for _, c := range []struct{ args, want string }{{"--redact", "true"}, {"--no-redact", "false"}, {"--redact=false", "false"}, {"--no-redact=false", "true"}, {"--no-cache", "true"}, {"--cache", "false"}} {
		f := pflag.NewFlagSet("test", pflag.ContinueOnError)
		(&command{}).globalFlags(f)
		if err := f.Parse(strings.Fields(c.args)); err != nil {
			t.Fatal(err)
		}
		if got := given(f); len(got) != 1 || got[0].Value != c.want {
			t.Errorf("%q gives %v", c.args, got)
		}
	}
}

// Law 10: the reply of a command says whether its data may hold words of the web.
func TestWordsOfTheWebAreMarked(t *testing.T) {
	theirs := []string{"title", "snippet", "quote", "words", "text", "markdown", "content", "statement"}
	var holds func(s *jsonschema.Schema) string
	holds = func(s *jsonschema.Schema) string {
		if s == nil {
			return ""
		}
		for name, p := range s.Properties {
			if slices.Contains(theirs, name) && (p.Type == "string" || slices.Contains(p.Types, "string")) {
				return name
			}
			if in := holds(p); in != "" {
				return in
			}
		}
		return holds(s.Items)
	}
	marked := 0
	for name, shape := range shapes {
		s, err := schemaOf(shape)
		if err != nil {
			t.Fatal(err)
		}
		word, _, _ := strings.Cut(name, " ")
		if in := holds(s); in != "" && !quoting[word] {
			t.Errorf("the data of %s has a %s, and is not marked as words of the web", name, in)
		} else if in != "" {
			marked++
		}
	}
	if marked < 10 {
		t.Errorf("only %d commands were found to have words of the web", marked)
	}
	for _, args := range [][]string{{"runs", "show", "x"}, {"verify", "x"}, {"version"}} {
		out, _, _ := terminal(t, nil, append(args, "--json")...)
		if want := args[0] != "version"; strings.Contains(out, `"untrusted":true`) != want {
			t.Errorf("%v: %s, want %v", args, out, want)
		}
	}
}

// A page that the site says is as it was is not called read.
func TestPagesRead(t *testing.T) {
	for want, by := range map[string]map[wstk.Outcome]int{
		"0 pages read":                  {wstk.OutcomeFailed: 1},
		"1 page read":                   {wstk.OutcomeFetched: 1},
		"2 pages read, 15 not modified": {wstk.OutcomeFetched: 2, wstk.OutcomeNotModified: 15},
	} {
		if got := pagesRead(wstk.Accounting{By: by}); got != want {
			t.Errorf("%v is %q, want %q", by, got, want)
		}
	}
}
