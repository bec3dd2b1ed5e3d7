package token

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"testing"
	"time"

	"wstk/shared/config"
)

// An empty word is no token, whatever hashes the set has.
func TestNothingIsNoToken(t *testing.T) {
	set := &Set{fixed: []config.Token{{SHA256: sha256.Sum256(nil)}}}
	if _, ok, err := set.Check(t.Context(), ""); ok || err != nil {
		t.Errorf("it is one: %v, %v", ok, err)
	}
	if _, ok, err := set.Session(t.Context(), "", time.Now()); ok || err != nil {
		t.Errorf("it makes a session: %v, %v", ok, err)
	}
}

// A client that knows the hash can seal what it likes, and opens nothing with it: what is sealed
// must be the token.
func TestASealedForgery(t *testing.T) {
	now := time.Now()
	h := sha256.Sum256([]byte("the token"))
	set := &Set{fixed: []config.Token{{SHA256: h}}}
	forge := func(word string) string {
		seal := sealer(h)
		end := binary.BigEndian.AppendUint64(nil, uint64(now.Add(time.Hour).Unix()))
		nonce := make([]byte, seal.NonceSize())
		return base64.RawURLEncoding.EncodeToString(
			seal.Seal(append(end[:len(end):len(end)], nonce...), nonce, []byte(word), end))
	}
	for word, want := range map[string]bool{"the token": true, "a guess": false, "": false, string(h[:]): false} {
		if _, got, err := set.CheckSession(t.Context(), forge(word), now); got != want ||
			err != nil {
			t.Errorf("%q: %v, %v; want got == want && err == nil", word, got, err)
		}
	}
}
