package rest

import (
	"net/http"
	"strings"

	"wstk/shared/wstk"
)

// authorized checks the token of a request.
func (h *handler) authorized(r *http.Request) error {
	if h.opts.Open {
		return nil
	}
	scheme, presented, _ := strings.Cut(strings.TrimSpace(r.Header.Get("Authorization")), " ")
	ok, err := h.tokens.Check(r.Context(), strings.TrimSpace(presented))
	if err != nil {
		return err
	}
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return wstk.Errorf(wstk.Unauthorized, "", "a valid token is missing").WithNext("send the header Authorization: Bearer TOKEN")
	}
	return nil
}
