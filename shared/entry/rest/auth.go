package rest

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"

	"wstk/shared/wstk"
)

func digest(token string) [32]byte { return sha256.Sum256([]byte(token)) }

// authorized checks the token of a request. Hashes are compared, all of them and in
// constant time, so that the time tells neither a token's length nor its beginning.
func (h *handler) authorized(r *http.Request) error {
	if h.opts.Open {
		return nil
	}
	scheme, token, _ := strings.Cut(strings.TrimSpace(r.Header.Get("Authorization")), " ")
	got := digest(strings.TrimSpace(token))
	wanted := h.tokens
	if h.opts.Tokens != nil {
		more, err := h.opts.Tokens(r.Context())
		if err != nil {
			return err
		}
		wanted = slices.Clone(wanted)
		for _, t := range more {
			if t != "" {
				wanted = append(wanted, digest(t))
			}
		}
	}
	match := 0
	for _, want := range wanted {
		match |= subtle.ConstantTimeCompare(got[:], want[:])
	}
	if match == 1 && strings.EqualFold(scheme, "Bearer") {
		return nil
	}
	return wstk.Errorf(wstk.Unauthorized, "", "a valid token is missing").WithNext("send the header Authorization: Bearer TOKEN")
}
