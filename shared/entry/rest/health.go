package rest

import (
	"context"
	_ "embed"
	"net/http"
	"sync"
	"time"

	"wstk/shared/app/searching"
	"wstk/shared/wstk"
)

// The routes that ask for no token.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

func isOpen(path string) bool { return path == healthPath || path == readyPath }

// healthFor is how long one look at the stores counts: strangers may ask as often as
// they like.
const healthFor = 2 * time.Second

// healthy is what health has to say: the status is ok, or there is an error in its place.
// Search providers that cannot be reached make nothing ill.
type healthy struct {
	Status    string                    `json:"status"`
	Providers []searching.ProviderReach `json:"providers"`
}

// health reports whether the process and its stores work, and what was last seen of the
// search providers.
func (h *handler) health(r *http.Request) (reply, error) {
	if err := h.reads.ask(r.Context(), h.look); err != nil {
		return reply{}, err
	}
	return reply{body: healthy{Status: "ok", Providers: h.app.Searching.Reach()}}, nil
}

// ready reports whether the process takes work, for which its stores must take what is new.
func (h *handler) ready(r *http.Request) (reply, error) {
	if err := h.opts.Phase.Readiness(); err != nil {
		return reply{}, err
	}
	if err := h.reads.ask(r.Context(), h.look); err != nil {
		return reply{}, err
	}
	if err := h.writes.ask(r.Context(), h.app.CanWrite); err != nil {
		return reply{}, err
	}
	return reply{body: map[string]string{"status": "ready"}}, nil
}

// glance is what was last seen of the stores. The zero value has seen nothing.
type glance struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

// ask is what look says, or said within healthFor; its errors become Unavailable.
func (g *glance) ask(ctx context.Context, look func(context.Context) error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.at.IsZero() || time.Since(g.at) > healthFor {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), healthFor)
		defer cancel()
		g.err, g.at = look(ctx), time.Now()
	}
	if g.err != nil {
		return wstk.Errorf(wstk.Unavailable, "looking at the stores", "%s", g.err.Error())
	}
	return nil
}

func (h *handler) look(ctx context.Context) error {
	_, err := h.app.Runs.Get(ctx, wstk.NewRunID(time.UnixMilli(0), nil))
	if err != nil && wstk.CodeOf(err) != wstk.NotFound {
		return err
	}
	_, err = h.app.Blobs.Has(ctx, wstk.HashOf(nil))
	return err
}

//go:embed openapi.json
var openapi []byte

func (h *handler) openapi(r *http.Request) (reply, error) {
	return reply{serve: func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, openapi)
	}}, noQuery(r)
}
