package rest

import (
	"net/http"
	"strings"
	"time"

	"wstk/shared/entry/token"
	"wstk/shared/wstk"
)

// maxWrong is how many different wrong tokens of one network are answered as such in a
// minute.
const maxWrong = 20

// authorized checks the token of a request and returns its owner. wait is how long a client
// that sends wrong tokens has to wait. A right token always gets in, however many wrong ones
// came from the same address.
func (h *handler) authorized(r *http.Request) (who wstk.Caller, wait time.Duration, err error) {
	if h.opts.Open {
		return wstk.CallerOf(r.Context()), 0, nil
	}
	header := r.Header.Get("Authorization")
	scheme, presented, _ := strings.Cut(strings.TrimSpace(header), " ")
	who, ok, err := h.tokens.Check(r.Context(), strings.TrimSpace(presented))
	if err != nil {
		return who, 0, err
	}
	from := token.Client(r, h.app.Config.TrustedProxies)
	if ok && strings.EqualFold(scheme, "Bearer") {
		h.guard.Right(from)
		return who, 0, nil
	}
	if header != "" { // who sends none does not guess
		wait = h.guard.Wrong(from, presented, time.Now())
	}
	if wait > 0 {
		return wstk.Caller{}, wait, wstk.Errorf(wstk.RateLimited, "",
			"the token is not valid, and too many wrong tokens were sent").
			Try(wstk.Advice("wait as many seconds as Retry-After says; " +
				"a valid token is accepted at once"))
	}
	return wstk.Caller{}, 0, wstk.Errorf(wstk.Unauthorized, "", "the request has no valid token").
		Try(wstk.Advice("send the header Authorization: Bearer TOKEN"))
}
