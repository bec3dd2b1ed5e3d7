package token_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"wstk/shared/entry/token"
)

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func TestCheck(t *testing.T) {
	set := token.New([]string{"alpha", "", "sha256:" + hashOf("beta"), "sha256:" + strings.ToUpper(hashOf("gamma")), "sha256:1234", "sha256:",
		"SHA256:" + hashOf("epsilon"), "Sha256:12", "sha256:" + hashOf("")}, nil)
	for word, want := range map[string]bool{
		"alpha": true, "beta": true, "gamma": true, "epsilon": true,
		"": false, "Alpha": false, "alph": false, "alphaa": false, "delta": false,
		// who reads the setting has no token
		"sha256:" + hashOf("beta"): false, hashOf("beta"): false,
		"sha256:1234": false, "sha256:": false, "SHA256:" + hashOf("epsilon"): false, "Sha256:12": false,
	} {
		if _, got, err := set.Check(t.Context(), word); got != want || err != nil {
			t.Errorf("%q: %v, %v; want got == want && err == nil", word, got, err)
		}
	}
	if _, ok, err := set.Session(t.Context(), "", time.Now()); ok || err != nil {
		t.Errorf("a session for an empty form: %v, %v", ok, err)
	}
	if _, ok, _ := token.New(nil, nil).Check(t.Context(), ""); ok {
		t.Error("no token is a token where there is none")
	}
}

func TestTokensThatChange(t *testing.T) {
	var more []string
	var failure error
	set := token.New([]string{"fixed"}, func(context.Context) ([]string, error) { return more, failure })
	is := func(word string, want bool) {
		t.Helper()
		if _, got, err := set.Check(t.Context(), word); got != want || err != nil {
			t.Errorf("%q: %v, %v; want got == want && err == nil", word, got, err)
		}
	}
	is("first", false)
	more = []string{"first", "sha256:" + hashOf("second")}
	is("first", true)
	is("second", true)
	is("fixed", true)
	more = nil
	is("first", false)
	failure = errors.New("the store is away")
	if _, ok, err := set.Check(t.Context(), "fixed"); ok || !errors.Is(err, failure) {
		t.Errorf("%v, %v; want !ok && errors.Is(err, failure)", ok, err)
	}
	if _, ok, err := set.Session(t.Context(), "fixed", time.Now()); ok || !errors.Is(err, failure) {
		t.Errorf("%v, %v; want !ok && errors.Is(err, failure)", ok, err)
	}
	if _, ok, err := set.CheckSession(t.Context(), "x", time.Now()); ok || !errors.Is(err, failure) {
		t.Errorf("%v, %v; want !ok && errors.Is(err, failure)", ok, err)
	}
}

func TestSessions(t *testing.T) {
	ctx, now := t.Context(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	set := token.New([]string{"alpha", "beta"}, nil)
	if value, ok, err := set.Session(ctx, "delta", now); ok || value != "" || err != nil {
		t.Errorf("a wrong token: %q, %v, %v", value, ok, err)
	}
	value, ok, err := set.Session(ctx, "beta", now)
	if !ok || err != nil {
		t.Fatal(ok, err, "want ok && err == nil")
	}
	if raw, err := base64.RawURLEncoding.DecodeString(value); err != nil ||
		bytes.Contains(raw, []byte("beta")) {
		t.Errorf("it shows the token: %q, %v", raw, err)
	}
	is := func(what string, set *token.Set, value string, at time.Time, want bool) {
		t.Helper()
		if _, got, err := set.CheckSession(ctx, value, at); got != want || err != nil {
			t.Errorf("%s: %v, %v; want got == want && err == nil", what, got, err)
		}
	}
	is("at once", set, value, now, true)
	is("to its end", set, value, now.Add(token.SessionAge-time.Second), true)
	is("at its end", set, value, now.Add(token.SessionAge), false)
	is("in a process that knows the hash alone", token.New([]string{"sha256:" + hashOf("beta")}, nil), value, now, true)
	is("after the token was withdrawn", token.New([]string{"alpha"}, nil), value, now, false)
	is("where there is no token", token.New(nil, nil), value, now, false)
	is("nothing", set, "", now, false)
	is("no base64", set, "?", now, false)
	is("too short", set, value[:20], now, false)
	is("the token itself", set, base64.RawURLEncoding.EncodeToString([]byte("beta")), now, false)
	raw, _ := base64.RawURLEncoding.DecodeString(value)
	for i := range raw {
		forged := bytes.Clone(raw)
		forged[i] ^= 1
		is("one bit changed", set, base64.RawURLEncoding.EncodeToString(forged), now, false)
	}
}

// Who can read the hash where it is kept can open no door with it, also not with a
// session made by hand: the hash is presented as if it were a token.
func TestAHashMakesNoSession(t *testing.T) {
	set := token.New([]string{"sha256:" + hashOf("beta")}, nil)
	raw, _ := hex.DecodeString(hashOf("beta"))
	for _, word := range []string{"sha256:" + hashOf("beta"), hashOf("beta"), string(raw)} {
		if _, ok, err := set.Session(t.Context(), word, time.Now()); ok || err != nil {
			t.Errorf("%q: %v, %v; want !ok && err == nil", word, ok, err)
		}
	}
}
