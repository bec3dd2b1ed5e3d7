package stages

import (
	"strings"
	"testing"
	"time"

	"wstk/shared/app"
	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/stage/crawl"
	"wstk/shared/stage/fetch"
	"wstk/shared/wstk"
)

func withProviders(t *testing.T, env map[string]string) *app.App {
	t.Helper()
	c, err := Settings().Load(func(name string) string { return env[name] }, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := app.New(app.Home{Base: reading.Base{Config: c, Now: time.Now},
		Stages: app.Stages{Crawl: &crawl.Stage{}, Fetch: &fetch.Stage{}}})
	if err := Search(a, nil, Passages(a)); err != nil {
		t.Fatal(err)
	}
	a.Compose()
	return a
}

// Each variable that a provider says it needs is one that the settings read, under every
// name that it has.
func TestVariablesEnableProviders(t *testing.T) {
	info := func(a *app.App, id string) (found wstk.ProviderInfo) {
		for _, p := range a.WebSearch.Providers {
			if p.Info().ID == id {
				found = p.Info()
			}
		}
		return found
	}
	plain := withProviders(t, nil)
	checked := 0
	for _, p := range plain.WebSearch.Providers {
		id, needs := p.Info().ID, p.Info().EnvVars
		if p.Info().Enabled != (len(needs) == 0) {
			t.Errorf("%s: enabled without %v", id, needs)
		}
		for i := range needs {
			for _, name := range strings.Split(needs[i], "|") {
				env := map[string]string{name: "https://vendor.example"}
				for j, other := range needs {
					if first, _, _ := strings.Cut(other, "|"); j != i {
						env[first] = "https://vendor.example"
					}
				}
				if checked++; !info(withProviders(t, env), id).Enabled {
					t.Errorf("%s is not enabled by %v", id, env)
				}
				delete(env, name)
				if info(withProviders(t, env), id).Enabled {
					t.Errorf("%s is enabled without %s", id, name)
				}
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d variables were checked", checked)
	}
}

func TestEndpointsAreExact(t *testing.T) {
	for base, want := range map[string]string{"http://127.0.0.1:8080": "127.0.0.1:8080", "http://search": "search:80", "https://search.example/x": "search.example:443",
		"http://[::1]:8080": "[::1]:8080", "": ""} {
		if got := endpoint(base); got != want {
			t.Errorf("%q is %q, want %q", base, got, want)
		}
	}
}

// What is kept of a provider belongs to its address and key, and shows neither.
func TestScope(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range []config.ProviderOptions{{}, {BaseURL: "https://a.example"}, {Key: "secret"}, {Engine: "e"}} {
		s := scope(o)
		if seen[s] || strings.Contains(s, "secret") || len(s) != 16 {
			t.Errorf("%v has the scope %s", o, s)
		}
		seen[s] = true
	}
}
