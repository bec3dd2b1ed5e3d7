package wstk_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// Law 9: a credential is hidden however it is printed.
func TestCredentialsAreNeverPrinted(t *testing.T) {
	const secret = "made-up" + "-token-" + "0001"
	c, err := wstk.NewCredential("https://a.example/x",
		http.Header{"authorization": {"Bearer " + secret}})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Reveal().Get("Authorization"); got != "Bearer "+secret {
		t.Fatalf("the credential reveals %q", got)
	}
	task := wstk.FetchTask{URL: "https://a.example/x",
		Way: &wstk.Way{Kind: wstk.AccessHeaders, Credential: c}}
	req := wstk.Request{Credential: c}
	var out strings.Builder
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("a", "credential", c, "way", *task.Way, "task", task, "request", req)
	}
	for _, v := range []any{c, *c, task, *task.Way, req} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(&out, "%v %+v %#v %s %s", v, v, v, v, data)
	}
	if strings.Contains(out.String(), secret) {
		t.Errorf("the secret is shown: %s", out.String())
	}
}

// A credential is for one place: scheme, host, port and path.
func TestUnder(t *testing.T) {
	for _, c := range []struct {
		url, place string
		want       bool
	}{
		{"https://a.example/x", "https://a.example/x", true},
		{"https://a.example/x/y?z", "https://a.example/x", true},
		{"https://a.example/x?z", "https://a.example/x", true},
		{"https://a.example/xy", "https://a.example/x", false},
		{"https://a.example/", "https://a.example/x", false},
		{"https://a.example/xy", "https://a.example/", true},
		{"https://a.example.evil.example/", "https://a.example", false},
		{"https://a.example:8443/", "https://a.example", false},
		{"https://a.example@evil.example/", "https://a.example", false},
		{"http://a.example/x", "https://a.example/x", false},
	} {
		if got := wstk.Under(c.url, c.place); got != c.want {
			t.Errorf("Under(%q, %q) is %v", c.url, c.place, got)
		}
	}
	var none *wstk.Credential
	if none.Covers("") || none.In("") {
		t.Error("no credential covers something")
	}
}

// A reply that repeats a secret is found.
func TestRepeatedCredentials(t *testing.T) {
	const secret = "made-up" + "-token-" + "0001"
	for _, h := range []http.Header{{"Authorization": {"Bearer " + secret}},
		{"Cookie": {`a=1; sid="` + secret + `"; b=2`}}, {"X-Api-Key": {secret}}} {
		c, err := wstk.NewCredential("http://127.0.0.1:80/", h)
		if err != nil {
			t.Fatal(err)
		}
		if !c.In("you sent "+secret+".") || c.In("you sent a=1 and Bearer") {
			t.Errorf("%v is not found, or too much is", h)
		}
	}
}
