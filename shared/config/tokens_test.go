package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

func TestTokensAreNeverPrinted(t *testing.T) {
	env := map[string]string{"WSTK_API_TOKENS": "alpha-secret, beta-secret,", "WSTK_API_TOKEN": "gamma-secret", "HOME": t.TempDir()}
	c, err := known.Load(func(k string) string { return env[k] }, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(c.APITokens) != 3 || c.APITokens[1] != "beta-secret" {
		t.Fatalf("%d tokens", len(c.APITokens))
	}
	var log bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&log, nil),
		slog.NewJSONHandler(&log, nil)} {
		slog.New(h).Info("x", "config", c, "tokens", c.APITokens, "pointer", &c)
	}
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	shown := log.String() + string(data)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		shown += fmt.Sprintf(verb, c) + fmt.Sprintf(verb, c.APITokens) + fmt.Sprintf(verb, &c)
	}
	for _, secret := range []string{"secret", fmt.Sprintf("%x", "secret")} {
		if strings.Contains(shown, secret) {
			t.Errorf("a token was printed: %s", shown)
		}
	}

	env["WSTK_API_TOKEN"] = "secret with blanks"
	if _, err = known.Load(func(k string) string { return env[k] },
		t.TempDir()); wstk.CodeOf(err) != wstk.Invalid || strings.Contains(err.Error(), "secret") {
		t.Errorf("a malformed token: %v", err)
	}
	for entry, ok := range map[string]bool{strings.Repeat("0a", 32): true,
		strings.Repeat("0A", 32): true, strings.Repeat("0a", 31): false,
		strings.Repeat("0g", 32): false, strings.Repeat("0a", 33): false, "": false,
		fmt.Sprintf("%x", sha256.Sum256(nil)): false, fmt.Sprintf("%X", sha256.Sum256(nil)): false} {
		for _, prefix := range []string{"sha256:", "SHA256:", "Sha256:"} {
			env["WSTK_API_TOKEN"] = prefix + entry
			_, err = known.Load(func(k string) string { return env[k] }, t.TempDir())
			if (err == nil) != ok || err != nil && (wstk.CodeOf(err) != wstk.Invalid ||
				len(wstk.StepsOf(err)) == 0 || entry != "" && strings.Contains(err.Error(), entry)) {
				t.Errorf("%s%s: %v", prefix, entry, err)
			}
		}
	}
}

func TestShortTokens(t *testing.T) {
	tokens := Tokens{"fifteen-letters", "sixteen-letters!", "sha256:" + strings.Repeat("0a", 32), "SHA256:x", "x"}
	if n := tokens.Short(); n != 2 {
		t.Errorf("%d are short", n)
	}
}

func TestConfigWith(t *testing.T) {
	c := Config{Crawl: wstk.DefaultCrawlOptions(), Origin: map[string]string{"log_level": "flag"}}
	d, err := c.With(map[string]string{"crawl.max_pages": "7", "crawl.include": "/a/**,/b"}, "request")
	if err != nil || d.Crawl.MaxPages != 7 || len(d.Crawl.Include) != 2 || d.Origin["crawl.max_pages"] != "request" {
		t.Errorf("%+v, %v", d, err)
	}
	if c.Crawl.MaxPages != 500 || len(c.Origin) != 1 {
		t.Errorf("the original changed: %+v", c)
	}
	if _, err := c.With(map[string]string{"crawl.max_pages": "0"}, "request"); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("no pages: %v", err)
	}
	if _, err := (Config{}).With(map[string]string{"nosuch": "1"}, "request"); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("an unknown key: %v", err)
	}
}

// Names and scopes stand before the token; an entry without them is the operator's.
func TestTokensHaveNamesAndScopes(t *testing.T) {
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte("word")))
	all := wstk.Caller{Name: "owner", Scope: wstk.ScopeAdmin}
	for entry, want := range map[string]wstk.Caller{
		"word": all, "sha256:" + hash: all, "a:b": all, "with:UPPER:x": all, "Ci:read:word": all,
		"ci:read:word":            {Name: "ci", Scope: wstk.ScopeRead},
		"ci:write:sha256:" + hash: {Name: "ci", Scope: wstk.ScopeWrite}, "build-1.x_y:admin:SHA256:" + hash: {Name: "build-1.x_y", Scope: wstk.ScopeAdmin},
		"owner:read:word": {Name: "owner", Scope: wstk.ScopeRead}, "ci:read:with:colons": {Name: "ci", Scope: wstk.ScopeRead},
	} {
		got, err := ParseToken(entry)
		if err != nil || got.Caller != want {
			t.Errorf("%s: %+v, %v", entry, got.Caller, err)
		}
		if strings.Contains(entry, "word") || strings.Contains(entry, hash) {
			if strings.HasPrefix(entry, "Ci") {
				continue // is a token as a whole
			}
			if fmt.Sprintf("%x", got.SHA256) != hash {
				t.Errorf("%s has the hash %x", entry, got.SHA256)
			}
		}
	}
	for _, entry := range []string{"ci:reed:secret", "ci:read:", "ci:read:sha256:12", "", "ci:root:secret"} {
		if _, err := ParseToken(entry); wstk.CodeOf(err) != wstk.Invalid ||
			strings.Contains(err.Error(), "secret") || entry != "" && len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%q: %v", entry, err)
		}
	}
	if n := (Tokens{"ci:read:brief", "ci:read:a-long-random-word-indeed"}).Short(); n != 1 {
		t.Errorf("%d are short", n)
	}
}
