package model

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// Each failure says what happened and why, names what can be done as data, and hides the key.
// What an operator has to mend fails for all, and is not tried again.
func TestFailuresAreExplained(t *testing.T) {
	named := Named{Vendor: "openai", Model: "m1", Address: "http://models.example/v1",
		Key: Setting{Variable: "OPENAI_API_KEY"}, Name: Setting{Key: "model.model"},
		At: Setting{Variable: "OPENAI_BASE_URL"}}
	for _, c := range []struct {
		name, body string
		status     int
		code       wstk.Code
		unusable   bool
		says, step string
	}{
		{"a refused key", `{"error":{"message":"Incorrect API key provided: %s"}}`, 401,
			wstk.ModelFailed, true, "openai refused the key: it answered 401: Incorrect API key " +
				"provided: ***", "configure OPENAI_API_KEY"},
		{"a key without rights", `{"error":"%s may not"}`, 403, wstk.ModelFailed, true,
			`does not let this key use the model "m1": it answered 403: *** may not`,
			"configure OPENAI_API_KEY"},
		{"an unknown model", `{"error":{"message":"no such model"}}`, 404, wstk.ModelFailed, true,
			`openai at http://models.example/v1 has no model "m1"`, "configure model.model"},
		{"an unknown model, as a bad request",
			`{"error":{"code":"model_not_found","message":"m1"}}`, 400, wstk.ModelFailed, true,
			`has no model "m1"`, "configure model.model"},
		{"no credit", `{"error":{"message":"pay"}}`, 402, wstk.ModelFailed, true,
			"no credit or quota left: it answered 402: pay", "add credit"},
		{"no quota", `{"error":{"code":"insufficient_quota","message":"exceeded"}}`, 429,
			wstk.ModelFailed, true, "no credit or quota left", "add credit"},
		{"busy", `{"error":{"message":"slow down"}}`, 429, wstk.RateLimited, false,
			"takes no more requests just now: it answered 429: slow down", "retry later"},
		{"too long", `{"error":{"message":"maximum context length is 4096 tokens"}}`, 400,
			wstk.ModelFailed, false, `longer than the model "m1" of openai takes`, "fewer pages"},
		{"too large", `{}`, 413, wstk.ModelFailed, false, "longer than the model", "fewer pages"},
		{"a bad request", `{}`, 400, wstk.Invalid, false, "refused the request",
			"configure model.model"},
		{"broken", `{"error":{"message":"oops %s"}}`, 503, wstk.Unavailable, false,
			"does not work just now: it answered 503: oops ***", "retry later"},
		{"no JSON", `<html>hello</html>`, 200, wstk.ModelFailed, true,
			"gave no reply that can be used", "check the address"},
		{"another shape", `{"answer":1}`, 200, wstk.ModelFailed, true,
			"gave no reply that can be used", "check the address"},
	} {
		asked := 0
		m := Explained{OpenAI(options(transport(func(*http.Request) *http.Response {
			asked++
			body := strings.ReplaceAll(c.body, "%s", madeUpKey)
			return &http.Response{StatusCode: c.status, Body: io.NopCloser(strings.NewReader(body))}
		}), "http://models.example/v1")), named}
		_, err := m.Complete(t.Context(), wstk.ModelRequest{User: "x", MaxTokens: 1})
		said := fmt.Sprint(err, wstk.StepsOf(err))
		if wstk.CodeOf(err) != c.code || errors.Is(err, wstk.ErrUnusable) != c.unusable ||
			!strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %s, unusable %t: %v; want %s, %t: %s", c.name, wstk.CodeOf(err),
				errors.Is(err, wstk.ErrUnusable), err, c.code, c.unusable, c.says)
		}
		if !strings.Contains(fmt.Sprint(wstk.StepsOf(err)), c.step) {
			t.Errorf("%s: the steps are %v, want one with %q", c.name, wstk.StepsOf(err), c.step)
		}
		if strings.Contains(said, madeUpKey) || asked != 1 {
			t.Errorf("%s: asked %d times; %s", c.name, asked, said)
		}
	}
}

// Where nothing listens, waiting does not help: no retry is made, and the step says so.
func TestNothingListens(t *testing.T) {
	const address = "http://127.0.0.1:1"
	m := Explained{OpenAI(Options{Model: "m1", Client: webapi.Client{BaseURL: address,
		Transport: notListening{}}}), Named{Vendor: "openai", Address: address}}
	_, err := m.Complete(t.Context(), wstk.ModelRequest{User: "x", MaxTokens: 1})
	if wstk.CodeOf(err) != wstk.ModelFailed || !errors.Is(err, wstk.ErrUnusable) ||
		!strings.Contains(err.Error(), "nothing listens where openai at "+address) {
		t.Errorf("%v", err)
	}
}

// notListening fails as the guarded client does.
type notListening struct{}

func (notListening) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, wstk.Errorf(wstk.Network, "asking it", "%w", wstk.ErrNotListening)
}
