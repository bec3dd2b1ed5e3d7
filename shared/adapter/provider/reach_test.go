package provider

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// lastAsked answers every request with 403 and keeps it.
type lastAsked struct{ *http.Request }

func (s *lastAsked) RoundTrip(r *http.Request) (*http.Response, error) {
	s.Request = r
	return &http.Response{StatusCode: 403, Body: http.NoBody, Header: http.Header{}}, nil
}

type reachable interface{ Reachable(context.Context) error }

// A sign of life costs nothing: no key goes out and nothing is searched; a refusal is an
// answer, and silence is not.
func TestReachable(t *testing.T) {
	for _, row := range Table {
		id := row.ID
		provider := func(tr http.RoundTripper) reachable { return row.New(options(tr)).(reachable) }
		var s lastAsked
		if err := provider(&s).Reachable(t.Context()); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		text := s.URL.String()
		for name, values := range s.Header {
			text += " " + name + strings.Join(values, " ")
		}
		if strings.Contains(text, key) || s.URL.RawQuery != "" ||
			s.Method != http.MethodHead && id != searxngID || s.ContentLength > 0 {
			t.Errorf("%s was asked %s %s", id, s.Method, text)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := provider(silent{}).Reachable(ctx); wstk.CodeOf(err) != wstk.Cancelled {
			t.Errorf("%s says nothing: %v", id, err)
		}
	}
}
