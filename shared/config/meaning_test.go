package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

func TestSettingsOfEmbeddersAndRerankers(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "wstk", "config.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(path, s string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"XDG_CONFIG_HOME": home, "HOME": home}
	load := func(dir string) (Config, error) {
		return New(nil).Load(func(name string) string { return env[name] }, dir)
	}
	write(file, `reranker_provider = "jina"
[embedder]
provider = "cohere"
model = "embed-v4.0"
dimension = 512
weight = 0.5
base_url = "http://127.0.0.1:8080/v2/"
[reranker]
top = 20
[recall]
fusion = "rrf"
`)
	key := func(n int) string { return fmt.Sprint("made", "-up-", n) }
	env["COHERE_API_KEY"], env["JINA_API_KEY"] = key(1), key(2)
	c, err := load(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if e := c.Embedder; e.Provider != "cohere" || e.Model != "embed-v4.0" || e.Dimension != 512 ||
		e.Weight != .5 || e.BaseURL != "http://127.0.0.1:8080/v2" || e.Key().Reveal() != key(1) ||
		!e.Remote() || e.Keyless() {
		t.Errorf("the embedder is %+v", e)
	}
	if r := c.Reranker; r.Provider != "jina" || r.Top != 20 || r.Key().Reveal() != key(2) ||
		c.Fusion != "rrf" {
		t.Errorf("the reranker is %+v, the fusion %s", r, c.Fusion)
	}
	if s := fmt.Sprintf("%+v %v", c, c); strings.Contains(s, "made-up") {
		t.Error("a key is printed")
	}

	// the environment wins, and one variable may hold the key of any vendor
	env["RERANKER_PROVIDER"], env["WSTK_RERANKER_KEY_ENV"], env["MINE"] = "zeroentropy", "MINE", key(3)
	env["WSTK_EMBEDDER_KEY"] = key(4)
	if c, err = load(t.TempDir()); err != nil || c.Reranker.Provider != "zeroentropy" ||
		c.Reranker.Key().Reveal() != key(3) || c.Embedder.Key().Reveal() != key(4) {
		t.Errorf("%+v, %+v, %v", c.Reranker, c.Embedder, err)
	}
	env["MINE"], env["ZEROENTROPY_API_KEY"] = "", key(5)
	if c, err = load(t.TempDir()); err != nil || !c.Reranker.Keyless() {
		t.Errorf("without the variable: %+v, %v", c.Reranker, err)
	}

	// a project may name no service, and a file holds no key
	dir := t.TempDir()
	for _, s := range []string{"[embedder]\nprovider = 'openai'", "reranker_provider = 'cohere'",
		"[embedder]\nbase_url = 'http://evil.example'", "[recall]\nfusion = 'rrf'"} {
		write(filepath.Join(dir, projectFile), s)
		if _, err := load(dir); wstk.CodeOf(err) != wstk.Invalid &&
			wstk.CodeOf(err) != wstk.RefusedPolicy {
			t.Errorf("a project with %q: %v", s, err)
		}
	}
	for _, s := range []string{"[embedder]\nkey = 'x'", "[reranker.key]\njina = 'x'",
		"[embedder]\nprovider = 'other'", "[embedder]\ndimension = 5000", "[embedder]\nweight = 3",
		"[embedder]\nbase_url = 'x'", "[embedder]\nkey_env = 'sk-made-up'", "[reranker]\ntop = 1",
		"[recall]\nfusion = 'sum'"} {
		write(file, s)
		if _, err := load(t.TempDir()); wstk.CodeOf(err) != wstk.Invalid ||
			strings.Contains(fmt.Sprint(err), "sk-made-up") {
			t.Errorf("a file with %q: %v, want Invalid", s, err)
		}
	}
}

// A secret of the cloud may hold the keys of embedders and rerankers.
func TestASecretHoldsKeysOfServices(t *testing.T) {
	getenv, err := New(nil).WithSecret(func(string) string { return "" },
		`{"JINA_API_KEY": "made-up", "RERANKER_PROVIDER": "jina"}`)
	if err != nil || getenv("JINA_API_KEY") != "made-up" || getenv("RERANKER_PROVIDER") != "jina" {
		t.Errorf("%v", err)
	}
}
