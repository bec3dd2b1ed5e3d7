package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// What an operation does not set is that of all operations, and a key goes only to the
// address it was set for.
func TestModelFor(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, ".config", "wstk", "config.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOME": home, "OPENAI_API_KEY": "key-" + "o",
		"ANTHROPIC_API_KEY": "key-" + "a", "OTHER_KEY": "key-" + "x"}
	op := wstk.OpSummarize
	for _, c := range []struct {
		name, text string
		env, flag  string
		want       string // provider, model, address, key
	}{
		{"nothing", ``, "", "", "openai   key-o"},
		{"of all", "[model]\nmodel = 'm'", "", "", "openai m  key-o"},
		{"own name", "[model]\nmodel = 'm'\n[model.summarize]\nmodel = 's'", "", "", "openai s  key-o"},
		{"own vendor", "[model]\nmodel = 'm'\nbase_url = 'http://a.example'\n[model.summarize]\nmodel = 'anthropic:s'",
			"", "", "anthropic s  key-a"},
		{"another's operation", "[model]\nmodel = 'm'\n[model.rewrite]\nmodel = 'anthropic:r'", "", "",
			"openai m  key-o"},
		{"address of all", "[model]\nmodel = 'm'\nbase_url = 'http://a.example/v1'", "", "",
			"openai m http://a.example/v1 key-o"},
		{"own address gets no key", "[model]\nmodel = 'm'\nkey_env = 'OTHER_KEY'\n[model.summarize]\nbase_url = 'http://b.example/v1'",
			"", "", "openai m http://b.example/v1 "},
		{"own address, own key", "[model]\nmodel = 'm'\n[model.summarize]\nbase_url = 'http://b.example/v1'\nkey_env = 'OTHER_KEY'",
			"", "", "openai m http://b.example/v1 key-x"},
		{"another key", "[model]\nmodel = 'm'\nkey_env = 'OTHER_KEY'", "", "", "openai m  key-x"},
		{"variable of the vendor", "[model]\nmodel = 'm'\nbase_url = 'http://a.example'",
			"OPENAI_BASE_URL=http://e.example", "", "openai m http://e.example key-o"},
		{"variable of all", "[model]\nmodel = 'm'\n[model.openai]\nbase_url = 'http://a.example'",
			"WSTK_MODEL_BASE_URL=http://e.example", "", "openai m http://e.example key-o"},
		{"variable of the operation", "[model]\nmodel = 'm'", "WSTK_MODEL_SUMMARIZE=anthropic:s", "",
			"anthropic s  key-a"},
		{"a name with a colon", "[model]\nmodel = 'openai:llama3.2:3b'", "", "", "openai llama3.2:3b  key-o"},
		{"vendor and name apart", "[model]\nprovider = 'anthropic'", "WSTK_MODEL=llama3.2:3b", "",
			"anthropic llama3.2:3b  key-a"},
		{"vendor of all, name of one", "[model]\nprovider = 'openai'\n[model.summarize]\nmodel = 'llama3.2:3b'",
			"", "", "openai llama3.2:3b  key-o"},
		{"vendor and name of one", "[model.summarize]\nprovider = 'anthropic'\nmodel = 'a:b'",
			"", "", "anthropic a:b  key-a"},
		{"a flag is for all", "[model.summarize]\nmodel = 's'\nbase_url = 'http://b.example'", "",
			"anthropic:f", "anthropic f  key-a"},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		name, value, _ := strings.Cut(c.env, "=")
		var flags []Flag
		if c.flag != "" {
			flags = []Flag{{"model", "model.model", c.flag}}
		}
		got, err := known.Load(func(v string) string {
			if v == name {
				return value
			}
			return env[v]
		}, t.TempDir(), flags...)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		o := got.ModelFor(op)
		if s := fmt.Sprintf("%s %s %s %s", o.Provider, o.Model, o.BaseURL, o.Key.Reveal()); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
		if s := fmt.Sprintf("%v %+v %#v", got, got, got); strings.Contains(s, "key-") {
			t.Errorf("%s: a key is printed", c.name)
		}
	}
	for text, tells := range map[string]string{
		"model.model = 'openai:'":              `"openai:" names no model`,
		"model.model = ' '":                    `" " names no model`,
		"model.extract.model = ''":             `"" names no model`,
		"model.model = 'mistral:x'":            `"mistral" is no vendor of models; there are openai, a`,
		"model.model = ':x'":                   `"" is no vendor`,
		"model.extract.model = 'OpenAI:x'":     "model.extract.model",
		"model.summarize.provider = 'acme'":    "openai, anthropic",
		"model.summarize.key_env = 'sk-x'":     "name of an environment variable",
		"model.summarize.key = 'x'":            "unknown key",
		"model.anthropic.key = 'x'":            "environment",
		"model.extract.base_url = 'localhost'": "must be a URL",
		"model.base_url = 'ftp://a.example'":   "must be a URL",
		"model.base_url = 'http://'":           "must be a URL",
		"model.base_url = 'http://a b/'":       "must be a URL",
		"model.base_url = 'http://a:99999/v1'": "ports are 1 to 65535",
		"model.invent.model = 'x'":             "unknown key",
		"crawl.include = ['/docs/{a,b}/**']":   `holds "{", which is no wildcard here`,
		"crawl.exclude = ['/docs/[ab]/**']":    `holds "[", which is no wildcard here`,
		"crawl.exclude = ['http://a.b/c/**']":  "is a whole address, and patterns are about paths",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := known.Load(func(v string) string { return env[v] }, t.TempDir())
		if err == nil || !strings.Contains(err.Error(), tells) || strings.Contains(err.Error(), "sk-x") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
