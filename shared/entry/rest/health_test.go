package rest

import (
	"context"
	"sync/atomic"
	"testing"

	"wstk/shared/app"
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
	h.phase.Preparing()
	is("at the beginning", 200, 503, 503)
	if w := h.call("GET", "/sites", nil, "Authorization", ""); w.Code != 401 {
		t.Errorf("without a token: %d", w.Code)
	}
	h.phase.Started()
	is("when it has begun", 200, 200, 200)
	h.phase.Drain()
	is("about to stop", 200, 503, 200)
	wantProblem(t, h.call("GET", "/readyz", nil), 503, wstk.Unavailable)
}

// Where nothing new can be stored, as on a full disk, the process is not ready, but alive:
// what is stored can be read. Strangers who ask often cost nothing.
func TestReadinessAsksWhetherAnythingCanBeStored(t *testing.T) {
	h := open(t, Options{})
	var asked atomic.Int32
	h.app.Upkeep = fullDisk{asked: &asked}
	for range 5 {
		wantProblem(t, h.call("GET", "/readyz", nil), 503, wstk.Unavailable)
	}
	if w := h.call("GET", "/healthz", nil); w.Code != 200 {
		t.Errorf("health: %d %s", w.Code, w.Body)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the disk was asked %d times", n)
	}
}

// fullDisk is the upkeep of a home whose disk is full.
type fullDisk struct {
	app.NoUpkeep
	asked *atomic.Int32 // how often
}

func (d fullDisk) CanWrite(context.Context) error {
	d.asked.Add(1)
	return wstk.Errorf(wstk.Unavailable, "trying to write", "the disk is full")
}

// Health shows strangers of search providers whether they are set up and reached, and
// nothing more; it waits for none of them.
func TestHealthTellsOfProviders(t *testing.T) {
	h := open(t, Options{})
	v := h.json(200, "GET", "/healthz", nil, "Authorization", "")
	providers, _ := v["providers"].([]any)
	if v["status"] != "ok" || len(providers) < 5 || get(v, "providers.0.provider") != "brave_api" || get(v, "providers.0.reachable") != nil {
		t.Errorf("%v", v)
	}
}
