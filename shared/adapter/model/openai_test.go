package model

import (
	"net/http"
	"path/filepath"
	"testing"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

var replies = filepath.Join("..", "..", "..", "testdata", "models")

func TestOpenAI(t *testing.T) {
	const key = "sk-made" + "-up-9f2c"
	wstktest.Model(t, wstktest.ModelVendor{
		Open: func(_ *testing.T, transport http.RoundTripper) wstk.Model {
			return OpenAI{webapi.Client{Transport: transport, BaseURL: "https://vendor.example/v1",
				Key: func() string { return key }}, "gpt-4.1-mini"}
		},
		Replies: filepath.Join(replies, "openai"), Key: key,
		Text: `{"keywords":["AI regulation","AI Act"],"boolean":"OR","filters":{"sites":[".eu"],"date_after":"{LAST_WEEK_START}","date_before":"{LAST_WEEK_END}"}}`,
	})
}

func TestOpenAIAddressAndKey(t *testing.T) {
	for _, c := range []struct{ base, key, url, header string }{
		{"", "k", "https://api.openai.com/v1/chat/completions", "Bearer k"},
		{"http://127.0.0.1:11434/v1", "", "http://127.0.0.1:11434/v1/chat/completions", ""},
	} {
		var url, header string
		m := OpenAI{webapi.Client{BaseURL: c.base, Key: func() string { return c.key },
			Transport: roundTrip(func(r *http.Request) {
				url, header = r.URL.String(), r.Header.Get("Authorization")
			})}, "m"}
		m.Complete(t.Context(), wstk.ModelRequest{MaxTokens: 1})
		if url != c.url || header != c.header {
			t.Errorf("asked %s with %q", url, header)
		}
	}
}

type roundTrip func(*http.Request)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	f(r)
	return nil, http.ErrServerClosed
}
