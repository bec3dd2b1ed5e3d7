package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/provider"
	"wstk/shared/adapter/stored"
	"wstk/shared/wstk"
)

// known are the settings of the product, with its search providers.
var known = New(func() (list []wstk.ProviderSetup) {
	for _, row := range provider.Table {
		list = append(list, row.ProviderSetup)
	}
	return append(list, stored.Setup)
}(), wstk.ModelSetup{ID: "openai", Key: []string{"OPENAI_API_KEY", "OPENAI_KEY"},
	BaseURL: []string{"OPENAI_BASE_URL"}},
	wstk.ModelSetup{ID: "anthropic", Key: []string{"ANTHROPIC_API_KEY"},
		BaseURL: []string{"ANTHROPIC_BASE_URL"}})

// A setting that is not set has the default that docs/cli.md promises.
func TestDefaults(t *testing.T) {
	home := t.TempDir()
	c, err := known.Load(func(name string) string {
		return map[string]string{"HOME": home}[name]
	}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if c.Cache != (CacheOptions{TTL: 7 * 24 * time.Hour, MaxMB: 1024, Store: StoreFull}) ||
		c.CacheDir != filepath.Join(home, ".cache", "wstk") ||
		c.Evidence() != filepath.Join(home, ".cache", "wstk", "evidence") {
		t.Errorf("cache %+v in %s, evidence in %s", c.Cache, c.CacheDir, c.Evidence())
	}
	if c.Policy != PolicyStandard || c.Robots != "" || c.Usage != wstk.UsageWarn || c.Redact ||
		c.NeedAllow || c.AllowPrivate || c.Method != "http" || c.Tries != 1 || c.MaxBytes != 5<<20 {
		t.Errorf("got %+v", c)
	}
	if s := c.Search; s.Provider != "auto" || s.MaxResults != 10 ||
		s.SafeSearch != wstk.SafeSearchModerate || s.Order != nil {
		t.Errorf("search %+v", s)
	}
	if len(c.Origin) != 0 {
		t.Errorf("nothing was set, and %v was", c.Origin)
	}
}

// A policy fills in what nothing has set, and nothing else.
func TestPoliciesAreDefaults(t *testing.T) {
	for policy, values := range policies {
		for key := range values {
			value := "true"
			switch key {
			case "fetch.robots", "fetch.usage":
				value = "ignore"
			case "cache.store":
				value = StoreFull
			case "extract.method":
				value = "http"
			case "fetch.tries":
				value = "2"
			case "redact", "fetch.need_allow_domain", "extract.auto_remote",
				"providers.firecrawl_endpoint.allow_auto":
				value = "false"
			}
			for _, origin := range []string{"flag", "environment", "file"} {
				home, env, flags := t.TempDir(), map[string]string{"WSTK_POLICY": string(policy)}, []Flag(nil)
				env["HOME"] = home
				switch origin {
				case "flag":
					flags = []Flag{{Name: "x", Key: key, Value: value}}
				case "environment":
					env[known.of(key).env[0]] = value
				case "file":
					write(t, filepath.Join(home, ".config", "wstk", "config.toml"), key+" = \""+value+"\"\n")
				}
				c, err := known.Load(func(name string) string { return env[name] },
					t.TempDir(), flags...)
				if err != nil || c.Origin[key] == "policy" || c.Origin[key] == "" {
					t.Errorf("%s: %s from %s came from %q, %v", policy, key, origin, c.Origin[key], err)
				}
				if shown := map[string]string{"fetch.robots": string(c.Robots),
					"fetch.usage": string(c.Usage), "cache.store": c.Cache.Store, "extract.method": c.Method,
					"fetch.tries": fmt.Sprint(c.Tries), "redact": fmt.Sprint(c.Redact), "fetch.need_allow_domain": fmt.Sprint(c.NeedAllow),
					"extract.auto_remote":                     fmt.Sprint(c.AutoRemote),
					"providers.firecrawl_endpoint.allow_auto": fmt.Sprint(c.Providers["firecrawl_endpoint"].AllowAuto)}[key]; shown != value {
					t.Errorf("%s: %s from %s is %q, want %q", policy, key, origin, shown, value)
				}
			}
			c, err := known.Load(func(name string) string {
				return map[string]string{"WSTK_POLICY": string(policy)}[name]
			}, t.TempDir())
			if err != nil || c.Origin[key] != "policy" {
				t.Errorf("%s does not set %s: %v", policy, key, err)
			}
		}
	}
}

// The model and the rewriting of search runs, under every name there is for them.
func TestModelSettings(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, ".config", "wstk", "config.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	load := func(text string, env map[string]string) (Config, error) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return known.Load(func(name string) string {
			if name == "HOME" {
				return home
			}
			return env[name]
		}, t.TempDir())
	}
	c, err := load(`[llm]
provider = "openai"
model = "gpt-4.1-mini"
api_key_env = "MY_MODEL_KEY"
endpoint = "<http://127.0.0.1:11434/v1/chat/completions>"
temperature = 0.0
max_tokens = 300
prompt_file = "/etc/rewrite.txt"
[search.default_options]
maxResults = 5
lang = "en"
[search]
cascade_order = ["serper", "google", "brave"]`, map[string]string{"OPENAI_API_KEY": "an" + "other", "MY_MODEL_KEY": "made" + "-up"})
	want := ModelOptions{KeyEnv: "MY_MODEL_KEY", Provider: "openai", Model: "gpt-4.1-mini", BaseURL: "http://127.0.0.1:11434/v1", Key: "made" + "-up"}
	if err != nil || c.Model != want || c.Rewrite.PromptFile != "/etc/rewrite.txt" ||
		c.Rewrite.MaxTokens != 300 || c.Search.MaxResults != 5 || c.Search.Language != "en" ||
		len(c.Search.Cascade) != 3 {
		t.Errorf("got %+v, %+v, %+v: %v", c.Model, c.Rewrite, c.Search, err)
	}
	if s := fmt.Sprintf("%v %+v %#v", c, c, c); strings.Contains(s, "made"+"-up") {
		t.Error("the key of the model is printed")
	}
	c, err = load("", map[string]string{"WSTK_MODEL": "openai:llama3:8b"})
	if err != nil || c.Model.Provider != "openai" || c.Model.Model != "llama3:8b" {
		t.Errorf("got %+v, %v", c.Model, err)
	}
	if c, err = load("model.provider = 'openai'", map[string]string{"WSTK_MODEL": "llama3:8b"}); err != nil || c.Model.Model != "llama3:8b" {
		t.Errorf("got %+v, %v", c.Model, err)
	}
	for text, tells := range map[string]string{"llm.api_key = 'x'": "llm.api_key", "model.openai.key = 'x'": "environment", "rewrite.mode = 'both'": "rules, model", "model.provider = 'acme'": "openai",
		"search.language = 'english'": "two letters", "search.language = '12'": "two letters", "llm.temperature = 1.0": "must be 0", "llm.max_tokens = 513": "512", "llm.api_key_env = 'sk-made-up'": "name of an environment variable", "llm.colour = 1": "llm.colour"} {
		if _, err := load(text, nil); err == nil || !strings.Contains(err.Error(), tells) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A name that no run could ask is refused with its place when the settings are read, not
// by each run.
func TestUnknownProvidersAreRefused(t *testing.T) {
	for _, key := range []string{"search.provider", "search.order", "pipeline.order", "eval.order", "search.cascade_order"} {
		variable := known.of(key).env[0]
		load := func(value string) error {
			_, err := known.Load(func(name string) string {
				return map[string]string{variable: value}[name]
			}, t.TempDir())
			return err
		}
		for _, value := range append([]string{"brave", "google"}, known.ids()...) {
			if err := load(value); err != nil {
				t.Errorf("%s=%s: %v", variable, value, err)
			}
		}
		err := load("serpr")
		if wstk.CodeOf(err) != wstk.Invalid {
			t.Fatalf("%s=serpr: %v", variable, err)
		}
		for _, tells := range append([]string{variable, key, "serpr"}, known.ids()...) {
			if !strings.Contains(err.Error(), tells) {
				t.Errorf("%s: %v does not tell of %s", variable, err, tells)
			}
		}
		if key != "search.provider" {
			if err := load("index, serpr"); err == nil {
				t.Errorf("%s takes a list with a name there is not", variable)
			}
		}
	}
	if _, err := known.Load(func(name string) string {
		return map[string]string{"WSTK_SEARCH_PROVIDER": "auto"}[name]
	}, t.TempDir()); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".wstk.toml"), []byte("search.cascade_order = ['index', 'serpr']"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := known.Load(func(string) string { return "" }, dir); err == nil ||
		!strings.Contains(err.Error(), ".wstk.toml") {
		t.Errorf("got %v", err)
	}
}
