package rest

import (
	"context"
	_ "embed"
	"net/http"
	"time"

	"wstk/shared/wstk"
)

// healthFor is how long one look at the stores counts: strangers may ask as often as
// they like.
const healthFor = 2 * time.Second

// health tells whether the process and its stores work, and nothing else.
func (h *handler) health(r *http.Request) (reply, error) {
	h.healthMu.Lock()
	defer h.healthMu.Unlock()
	if h.healthAt.IsZero() || time.Since(h.healthAt) > healthFor {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), healthFor)
		defer cancel()
		h.healthy, h.healthAt = h.look(ctx), time.Now()
	}
	if h.healthy != nil {
		return reply{}, wstk.Errorf(wstk.Unavailable, "looking at the stores", "%s", h.healthy.Error())
	}
	return reply{body: map[string]string{"status": "ok"}}, nil
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
	return reply{serve: func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, openapi) }}, noQuery(r)
}
