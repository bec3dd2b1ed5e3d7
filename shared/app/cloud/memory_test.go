package cloud

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

func TestAFunctionHasAMemoryLimit(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   map[string]string
		limit int64
		ok    bool
	}{
		{"four fifths of the function's memory", map[string]string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512"}, 429496728, true},
		{"the operator's own limit stands", map[string]string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512", "GOMEMLIMIT": "100MiB"}, 0, false},
		{"not a function", nil, 0, false},
		{"a size that is none", map[string]string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "-1"}, 0, false},
	} {
		limit, ok := memoryLimit(func(name string) string { return c.env[name] })
		if limit != c.limit || ok != c.ok {
			t.Errorf("%s: the limit is %d, %v, want %d, %v", c.name, limit, ok, c.limit, c.ok)
		}
	}
}

// What a function opens has that limit, hides messages that failed, and never asks the
// endpoints of its own runtime.
func TestAFunctionIsWired(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	runtime := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(runtime.Close)
	for name, value := range map[string]string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "4096", "GOMEMLIMIT": "", "AWS_REGION": "eu-central-1", "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_LAMBDA_RUNTIME_API": strings.TrimPrefix(runtime.URL, "http://"), "WSTK_ALLOW_PRIVATE": "true"} {
		t.Setenv(name, value)
	}
	s, err := Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if limit := debug.SetMemoryLimit(-1); limit != 3435973836 {
		t.Errorf("the limit is %d", limit)
	}
	if _, ok := s.Queue.(interface {
		Hide(context.Context, string, string, time.Duration) error
	}); !ok {
		t.Error("the queue cannot hide messages, so that those that failed come at once")
	}
	if _, err := s.Fetch.Client.Do(t.Context(),
		wstk.Request{URL: runtime.URL + "/2018-06-01/runtime/invocation/next"}); wstk.CodeOf(err) != wstk.RefusedAddress {
		t.Errorf("the runtime's endpoint is asked: %v", err)
	}
	if !s.Config.Function {
		t.Error("the settings do not say that this is a function: port 9001 of loopback is open")
	}
	if _, err := s.Fetch.Client.Do(t.Context(),
		wstk.Request{URL: "http://127.0.0.1:9001/"}); wstk.CodeOf(err) != wstk.RefusedAddress {
		t.Errorf("port 9001 of loopback, where the runtime listens, is asked: %v", err)
	}
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	if r, err := s.Fetch.Client.Do(t.Context(), wstk.Request{URL: other.URL}); err != nil ||
		r.Status != 404 {
		t.Errorf("the rest of loopback: %v", err)
	}
}
