package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// inProject loads the configuration with a user's file, a project's file and an
// environment.
func inProject(
	t *testing.T, user, project string, env map[string]string, flags ...Flag,
) (Config, error) {
	t.Helper()
	home, dir := t.TempDir(), t.TempDir()
	write(t, filepath.Join(home, ".config", "wstk", "config.toml"), user)
	write(t, filepath.Join(dir, ".wstk.toml"), project)
	return known.Load(func(name string) string {
		if name == "HOME" {
			return home
		}
		return env[name]
	}, dir, flags...)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Every setting is either one that a project may make, in which case the table says with
// which value it may and with which it may not, or refused by its name. A new one is
// refused until it is decided.
func TestAProjectSetsWhatIsAllowedAndNothingElse(t *testing.T) {
	const user = `
timeout = "30s"
redact = true
api.scrub_queries = true
policy = "standard"
[search]
order = ["ddgs", "index"]
safe_search = "moderate"
[pipeline]
order = ["index"]
[fetch]
robots = "warn"
usage = "warn"
need_allow_domain = true
max_bytes = 1000
tries = 2
allow_domains = ["example.org"]
block_domains = ["bad.example.org"]
[crawl]
max_pages = 100
max_depth = 5
rate_limit_ms = 700
include = ["/docs/*", "/blog/*"]
`
	allowed := map[string]struct {
		may []string
		not []string
	}{
		"search.max_results":      {[]string{"1", "100"}, nil},
		"log_level":               {[]string{`"error"`, `"info"`}, nil},
		"timeout":                 {[]string{`"30s"`, "5"}, []string{`"31s"`, "0"}},
		"search.order":            {[]string{`["index"]`, `["duckduckgo"]`}, []string{`["brave_api"]`, `["index", "searxng_local"]`}},
		"pipeline.order":          {[]string{`["index"]`}, []string{`["ddgs"]`}},
		"eval.order":              {[]string{`["ddgs"]`}, []string{`["tavily"]`}},
		"policy":                  {[]string{`"standard"`, `"strict"`}, []string{`"permissive"`}},
		"redact":                  {[]string{"true"}, []string{"false"}},
		"api.scrub_queries":       {[]string{"true"}, []string{"false"}},
		"search.safe_search":      {[]string{`"on"`, `"moderate"`}, []string{`"off"`}},
		"fetch.robots":            {[]string{`"respect"`, `"warn"`}, []string{`"ignore"`}},
		"fetch.usage":             {[]string{`"respect"`, `"warn"`}, []string{`"ignore"`}},
		"fetch.need_allow_domain": {[]string{"true"}, []string{"false"}},
		"fetch.max_bytes":         {[]string{"10", "1000"}, []string{"1001"}},
		"fetch.tries":             {[]string{"1"}, []string{"3"}},
		"fetch.allow_domains":     {[]string{`["example.org"]`, `["a.example.org"]`}, []string{`["example.com"]`, `["notexample.org"]`, "[]"}},
		"fetch.block_domains":     {[]string{`["x.example"]`, "[]"}, nil},
		"fetch.sensitive_domains": {[]string{`["x.example"]`}, nil},
		"crawl.max_pages":         {[]string{"100"}, []string{"101"}},
		"crawl.max_depth":         {[]string{"0"}, []string{"6"}},
		"crawl.rate_limit_ms":     {[]string{"900"}, []string{"699"}},
		"crawl.include":           {[]string{`["/docs/*"]`}, []string{`["/*"]`}},
		"crawl.exclude":           {[]string{`["/old/*"]`}, nil},
	}
	for _, s := range known.list {
		want, ok := allowed[s.key]
		if ok != (projectKeys[s.key] != nil) {
			t.Errorf("%s is decided in one place and not in the other", s.key)
		}
		if !ok {
			want.not = []string{`"standard"`, "1", "true"}
		}
		for _, v := range want.may {
			c, err := inProject(t, user, s.key+" = "+v, nil)
			if err != nil || c.Origin[s.key] != c.Project.Path ||
				!slices.Equal(c.Project.Set, []string{s.key}) {
				t.Errorf("%s = %s: from %q, %v", s.key, v, c.Origin[s.key], err)
			}
		}
		for _, v := range want.not {
			_, err := inProject(t, user, s.key+" = "+v, nil)
			if wstk.CodeOf(err) != wstk.Invalid || !strings.Contains(err.Error(), s.key) ||
				!strings.Contains(err.Error(), ".wstk.toml") || !s.envOnly && len(wstk.StepsOf(err)) == 0 {
				t.Errorf("%s = %s: %v, next %v", s.key, v, err, wstk.StepsOf(err))
			}
		}
	}
	for key := range projectKeys {
		if known.byKey[key] == nil {
			t.Errorf("%s is no setting", key)
		}
	}
	for other, key := range otherKeys { // another name is no way around
		if projectKeys[key] == nil {
			if _, err := inProject(t, "", other+` = "x"`, nil); wstk.CodeOf(err) != wstk.Invalid ||
				!strings.Contains(err.Error(), other) {
				t.Errorf("%s: %v", other, err)
			}
		}
	}
}

// Where the operator has set nothing, the defaults are what a project may not go beyond.
func TestAProjectStaysBelowTheDefaults(t *testing.T) {
	for text, want := range map[string]string{
		`timeout = "60s"`:                              "",
		`timeout = "61s"`:                              "timeout",
		`fetch.robots = "respect"`:                     "",
		`fetch.robots = "warn"`:                        "fetch.robots", // crawls respect it
		`fetch.allow_domains = ["x.example"]`:          "",
		`crawl.include = ["/docs/*"]`:                  "",
		`search.order = ["index", "ddgs"]`:             "",
		`search.order = ["brave_api"]`:                 "",
		`search.order = ["serper"]`:                    "search.order", // no key
		`search.order = ["searxng_local"]`:             "search.order", // no address
		`search.order = ["google_cse"]`:                "search.order", // a key and no engine
		`search.order = ["firecrawl_endpoint"]`:        "search.order", // another network's
		`crawl.max_pages = 501`:                        "crawl.max_pages",
		`fetch.max_bytes = 5242881`:                    "fetch.max_bytes",
		`redact = false`:                               "",
		`policy = "permissive"`:                        "policy",
		`cache.max_mb = 1`:                             "cache.max_mb",
		`cache_dir = "cache"`:                          "cache_dir",
		`evidence_dir = "evidence"`:                    "evidence_dir",
		`data_dir = "data"`:                            "data_dir",
		`fetch.proxy = "http://127.0.0.1:1"`:           "fetch.proxy",
		`render.browser = "./chrome"`:                  "render.browser",
		`providers.ddgs.base_url = "http://x.example"`: "providers.ddgs.base_url",
		`model.base_url = "http://x.example"`:          "model.base_url",
		`rewrite.prompt_file = "prompt.txt"`:           "rewrite.prompt_file",
		`cache.ttl = "9000d"`:                          "cache.ttl",
		`fetch.user_agent = "x"`:                       "fetch.user_agent",
	} {
		env := map[string]string{"BRAVE_API_KEY": "made" + "-up", "GOOGLE_KEY": "made" + "-up", "FIRECRAWL_BASE_URL": "https://fire.example"}
		_, err := inProject(t, "", text, env)
		if got := err == nil; got != (want == "") ||
			err != nil && !strings.Contains(err.Error(), `"`+want+`"`) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := inProject(t, "", `redact = false`, map[string]string{"WSTK_POLICY": "strict"}); err == nil {
		t.Error("what the operator's policy brings is undone by a project")
	}
}

// A flag and a variable win over a project, and lists that may grow hold the operator's entries.
func TestAProjectAmongOthers(t *testing.T) {
	c, err := inProject(t, `fetch.block_domains = ["a.example"]`, "timeout = 20\nsearch.max_results = 7\n[fetch]\nblock_domains = [\"b.example\"]\n", map[string]string{"WSTK_TIMEOUT": "10"},
		Flag{Name: "max-results", Key: "search.max_results", Value: "3"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Timeout != 10*time.Second || c.Search.MaxResults != 3 ||
		!slices.Equal(c.BlockDomains, []string{"a.example", "b.example"}) {
		t.Errorf("got %v, %d, %v", c.Timeout, c.Search.MaxResults, c.BlockDomains)
	}
	if !slices.Equal(c.Project.Set, []string{"fetch.block_domains"}) || !slices.Equal(c.Project.Lost, []string{"search.max_results", "timeout"}) {
		t.Errorf("set %v, lost %v", c.Project.Set, c.Project.Lost)
	}
	if d := c.Project.Detail(); !strings.Contains(d, c.Project.Path+" sets fetch.block_domains") || !strings.Contains(d, "search.max_results, timeout") {
		t.Errorf("doctor says %q", d)
	}
}

// The file is looked for up to the root of the repository, and outside of one in the
// working folder alone.
func TestWhereAProjectsFileIs(t *testing.T) {
	root := t.TempDir()
	inner := filepath.Join(root, "repo", "a", "b")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	is := func(want string) {
		t.Helper()
		got, err := findProject(inner)
		if want != "" {
			want = filepath.Join(root, want)
		}
		if err != nil || got != want {
			t.Errorf("found %q, want %q: %v", got, want, err)
		}
	}
	write(t, filepath.Join(root, ".wstk.toml"), "")
	write(t, filepath.Join(root, "repo", ".wstk.toml"), "")
	is("") // no repository
	write(t, filepath.Join(root, "repo", ".git"), "gitdir: elsewhere")
	is("repo/.wstk.toml")
	write(t, filepath.Join(root, "repo", "a", ".wstk.toml"), "")
	is("repo/a/.wstk.toml")
	write(t, filepath.Join(inner, ".wstk.toml"), "")
	is("repo/a/b/.wstk.toml")
	for _, name := range []string{"repo/.wstk.toml", "repo/a/.wstk.toml", "repo/a/b/.wstk.toml"} {
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	is("") // what lies above the repository is not the project's
}

// Only a regular file of at most 64 KiB is read; nothing else makes a command hang.
func TestKindsOfProjectFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".wstk.toml")
	elsewhere := filepath.Join(dir, "elsewhere")
	write(t, elsewhere, "")
	for want, make := range map[string]func() error{
		"symbolic link": func() error { return os.Symlink(elsewhere, path) },
		"folder":        func() error { return os.Mkdir(path, 0o700) },
		"pipe":          func() error { return syscall.Mkfifo(path, 0o600) },
		"device":        func() error { return os.Symlink("/dev/zero", path) },
		"65536 bytes":   func() error { return os.WriteFile(path, []byte(strings.Repeat("#", 64<<10+1)), 0o600) },
	} {
		if err := make(); err != nil {
			t.Fatal(err)
		}
		_, err := known.Load(func(string) string { return "" }, dir)
		if want == "device" {
			want = "symbolic link"
		}
		if wstk.CodeOf(err) != wstk.Invalid || !strings.Contains(err.Error(), want) ||
			len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%s: %v", want, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	write(t, path, strings.Repeat("#", 64<<10))
	if c, err := known.Load(func(string) string { return "" }, dir); err != nil ||
		c.Project.Path != path {
		t.Errorf("the largest: %q, %v", c.Project.Path, err)
	}
}

// Relative paths of the operator's file begin at that file, not at the working folder,
// which may be a repository with a cache in it.
func TestPathsOfTheOperatorsFile(t *testing.T) {
	home := t.TempDir()
	folder := filepath.Join(home, ".config", "wstk")
	write(t, filepath.Join(folder, "config.toml"), "cache_dir = \"cache\"\n[rewrite]\nprompt_file = \"prompts/rewrite.txt\"\n[render]\nbrowser = \"bin/chrome\"\n")
	c, err := known.Load(func(name string) string {
		return map[string]string{"HOME": home}[name]
	}, t.TempDir())
	if err != nil || c.CacheDir != filepath.Join(folder, "cache") ||
		c.Rewrite.PromptFile != filepath.Join(folder, "prompts", "rewrite.txt") ||
		c.Browser != filepath.Join(folder, "bin", "chrome") {
		t.Errorf("%q, %q, %q: %v", c.CacheDir, c.Rewrite.PromptFile, c.Browser, err)
	}
}
