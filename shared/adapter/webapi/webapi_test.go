package webapi

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	for s, want := range map[string]string{
		"a &amp; b":                        "a & b",
		"&amp;lt;b&amp;gt;":                "&lt;b&gt;", // once
		"List<String> and a < b":           "List<String> and a < b",
		"<p>one</p><p>two</p>":             "one two",
		"un<b>believ</b>able":              "unbelievable",
		"<script>alert(1)</script>x":       "x",
		"<textarea><b>x</b></textarea>":    "x",
		"x<!-- hidden -->y":                "xy",
		"\x1b[31mred\x07 \u202egnp.exe":    "[31mred gnp.exe",
		"\xff\xfe broken":                  "broken",
		" Überfall\u00a0\u200bder  Wörter": "Überfall der Wörter",
	} {
		if got := Plain(s); got != want {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	}
}

// The key is hidden in whatever way a vendor repeats it, and what is no secret is left.
func TestTheKeyIsHidden(t *testing.T) {
	key := "ab+c" + "/d ef" + "=="
	c := Client{Key: func() string { return key }}
	for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key),
		strings.ReplaceAll(key, "/", `\/`)} {
		if got := string(c.WithoutKeyJSON(json.RawMessage(`{"url": "https://a.example/?k=` + form + `"}`))); got != `{"url": "https://a.example/?k=***"}` {
			t.Errorf("%s is left in %s", form, got)
		}
	}
	short := Client{Key: func() string { return "none" }}
	if got := string(short.WithoutKeyJSON(json.RawMessage(`"none of them"`))); got != `"none of them"` {
		t.Errorf("got %s", got)
	}
}
