package config

import (
	"fmt"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

func TestWithSecret(t *testing.T) {
	env := map[string]string{"SERPER_KEY": "from-env", "TAVILY_BASE_URL": "http://env.example", "WSTK_REDACT": "true"}
	getenv, err := known.WithSecret(func(name string) string { return env[name] }, `{"BRAVE_KEY": "one", "SERPER_API_KEY": "two",
		"SERPER_BASE_URL": "http://serper.example/", "TAVILY_BASE_URL": "http://secret.example", "GOOGLE_CX": "engine", "FIRECRAWL_ALLOW_AUTO": "true",
		"OPENAI_API_KEY": "three", "OPENAI_BASE_URL": "http://model.example/v1", "WSTK_MODEL": "openai:m", "DDGS_BASE_URL": ""}`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := known.Load(getenv, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := c.Providers
	for what, got := range map[string][2]string{
		"a key":                          {p["brave_api"].Key.Reveal(), "one"},
		"a key that has another name":    {p["serper"].Key.Reveal(), "from-env"},
		"an address":                     {p["serper"].BaseURL, "http://serper.example"},
		"an address of the environment":  {p["tavily"].BaseURL, "http://env.example"},
		"an engine":                      {p["google_cse"].Engine, "engine"},
		"the model's key":                {c.ModelFor(wstk.OpRewrite).Key.Reveal(), "three"},
		"the model's address":            {c.ModelFor(wstk.OpRewrite).BaseURL, "http://model.example/v1"},
		"the model":                      {c.ModelFor(wstk.OpRewrite).Model, "m"},
		"what only the environment says": {getenv("WSTK_REDACT"), "true"},
	} {
		if got[0] != got[1] {
			t.Errorf("%s is %q, want %q", what, got[0], got[1])
		}
	}
	if !p["firecrawl_endpoint"].AllowAuto {
		t.Error("allow_auto was not read")
	}
}

// An error names the variable and shows no value.
func TestASecretThatDoesNotFitIsNotShown(t *testing.T) {
	hidden := "hidden" + "-value"
	for secret, named := range map[string]string{
		`{"WSTK_API_TOKENS": "` + hidden + `"}`:                    "WSTK_API_TOKENS",
		`{"WSTK_BUCKET": "` + hidden + `"}`:                        "WSTK_BUCKET",
		`{"HOME": "` + hidden + `"}`:                               "HOME",
		`{"BRAVE_API_KEY": "x", "BRAVE_APIKEY": "` + hidden + `"}`: "BRAVE_APIKEY",
		`{"BRAVE_API_KEY": "` + hidden + ` with a blank"}`:         "BRAVE_API_KEY",
		`{"SERPER_BASE_URL": "` + hidden + `"}`:                    "SERPER_BASE_URL",
		`{"FIRECRAWL_ALLOW_AUTO": "` + hidden + `"}`:               "FIRECRAWL_ALLOW_AUTO",
		`{"BRAVE_API_KEY": ["` + hidden + `"]}`:                    "BRAVE_API_KEY",
		`{"BRAVE_API_KEY": {"` + hidden + `": 1}}`:                 "BRAVE_API_KEY",
		`["` + hidden + `"]`:                                       "JSON object",
		`{"BRAVE_API_KEY": "` + hidden + `"`:                       "JSON object",
		`BRAVE_API_KEY=` + hidden:                                  "JSON object",
		`null`:                                                     "JSON object",
		``:                                                         "JSON object",
	} {
		_, err := known.WithSecret(func(string) string { return "" }, secret)
		if wstk.CodeOf(err) != wstk.Invalid || !strings.Contains(err.Error(), named) ||
			strings.Contains(err.Error(), hidden) ||
			strings.Contains(fmt.Sprint(wstk.StepsOf(err)), hidden) {
			t.Errorf("%s: %v", secret, err)
		}
	}
}
