package rest

import (
	"testing"

	"wstk/shared/wstk"
)

// A server that begins tells so, and takes no work; one that is about to stop ends what
// it has.
func TestReadiness(t *testing.T) {
	h := open(t, Options{})
	ask := func(path string) int { return h.call("GET", path, nil, "Authorization", "Bearer "+firstToken).Code }
	is := func(when string, health, ready, sites int) {
		t.Helper()
		if a, b, c := ask("/healthz"), ask("/readyz"), ask("/sites"); a != health || b != ready || c != sites {
			t.Errorf("%s: health %d, ready %d, sites %d", when, a, b, c)
		}
	}
	is("as it is", 200, 200, 200)
	h.app.Preparing()
	is("at the beginning", 200, 503, 503)
	if w := h.call("GET", "/sites", nil, "Authorization", ""); w.Code != 401 {
		t.Errorf("without a token: %d", w.Code)
	}
	h.app.Started()
	is("when it has begun", 200, 200, 200)
	h.app.Drain()
	is("about to stop", 200, 503, 200)
	wantProblem(t, h.call("GET", "/readyz", nil), 503, wstk.Unavailable)
}

// Health tells strangers of search providers whether they are set up and reached, and
// nothing more; it waits for none of them.
func TestHealthTellsOfProviders(t *testing.T) {
	h := open(t, Options{})
	v := h.json(200, "GET", "/healthz", nil, "Authorization", "")
	providers, _ := v["providers"].([]any)
	if v["status"] != "ok" || len(providers) < 5 || get(v, "providers.0.provider") != "brave_api" || get(v, "providers.0.reachable") != nil {
		t.Errorf("%v", v)
	}
}
