package rest_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/reading"
	"wstk/shared/entry/rest"
	"wstk/shared/wstk"
)

// Tokens may change while the process lives; that they cannot be had is no 401.
func TestTokensThatChange(t *testing.T) {
	var tokens []string
	var failure error
	h := rest.New(app.New(app.Home{Base: reading.Base{Log: slog.New(slog.DiscardHandler)}}),
		[]string{"fixed"}, rest.Options{
			Tokens: func(context.Context) ([]string, error) { return tokens, failure }})
	status := func(token string) int {
		r := httptest.NewRequest(http.MethodGet, "/nothing-here", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	is := func(what, token string, want int) {
		t.Helper()
		if got := status(token); got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	is("not yet a token", "first", 401)
	tokens = []string{"first", ""}
	is("a token", "first", 404)
	is("no token", "", 401)
	is("the fixed one", "fixed", 404)
	tokens = []string{"second"}
	is("the one before", "first", 401)
	is("the new one", "second", 404)
	failure = wstk.Errorf(wstk.Unavailable, "reading tokens", "the store is away")
	is("no tokens to be had", "second", 503)
}
