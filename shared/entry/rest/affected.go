package rest

import (
	"net/http"

	"wstk/shared/app/answering"
	"wstk/shared/entry/check"
)

// Answers that one request looks at.
const (
	mostAffected    = 100
	defaultAffected = 20
)

// affected lists answers whose pages say something else now.
func (h *handler) affected(r *http.Request) (reply, error) {
	q, err := parameters(r, "site", "all", "cursor", "limit")
	if err != nil {
		return reply{}, err
	}
	if q.Has("site") {
		if err := check.Words("site", q.Get("site"), check.MaxURL); err != nil {
			return reply{}, err
		}
	}
	if q.Has("all") && q.Get("all") != "true" && q.Get("all") != "false" {
		return reply{}, invalid("all must be true or false")
	}
	if err := check.NotLonger("cursor", q.Get("cursor"), maxCursor); err != nil {
		return reply{}, err
	}
	limit, err := within(q, "limit", 1, mostAffected, defaultAffected)
	if err != nil {
		return reply{}, err
	}
	found, err := h.app.Answering.Affected(r.Context(), answering.AffectedQuery{Of: q.Get("site"),
		All: q.Get("all") == "true", Cursor: q.Get("cursor"), Limit: limit})
	return reply{body: found}, err
}
