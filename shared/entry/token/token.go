// Package token knows the tokens that open the doors: whether a word is one of them, and
// the sessions of people who showed one. It keeps hashes, never tokens.
package token

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"
)

// Set is the tokens of a system. It may be used concurrently.
type Set struct {
	fixed []hash
	more  func(context.Context) ([]string, error)
}

type hash = [sha256.Size]byte

// SessionAge is how long a session is good.
const SessionAge = 12 * time.Hour

// hashed is how an entry begins, in letters of any case, that is the hash of a token: 64
// hex digits follow.
const hashed = "sha256:"

// New makes a Set of entries: each is a token, or "sha256:" and the SHA-256 of one in 64
// hex digits. more returns further entries, asked for with each call: those that change
// while the process lives; nil has none. An empty entry, the hash of one, and an entry
// that begins as a hash and is none open nothing.
func New(tokens []string, more func(context.Context) ([]string, error)) *Set {
	return &Set{fixed: hashes(tokens), more: more}
}

// nothing is the hash of no letters. It is not a token's: whoever hashed a variable that
// was not set meant another.
var nothing = sha256.Sum256(nil)

func hashes(entries []string) []hash {
	var out []hash
	for _, e := range entries {
		switch {
		case len(e) >= len(hashed) && strings.EqualFold(e[:len(hashed)], hashed):
			if b, err := hex.DecodeString(e[len(hashed):]); err == nil && len(b) == sha256.Size && hash(b) != nothing {
				out = append(out, hash(b))
			}
		case e != "":
			out = append(out, sha256.Sum256([]byte(e)))
		}
	}
	return out
}

// all are the hashes that count now.
func (s *Set) all(ctx context.Context) ([]hash, error) {
	if s.more == nil {
		return s.fixed, nil
	}
	more, err := s.more(ctx)
	if err != nil {
		return nil, err
	}
	return append(s.fixed[:len(s.fixed):len(s.fixed)], hashes(more)...), nil
}

// Check tells whether a token that somebody presents is among the set's; an empty one
// never is. Hashes are compared, all of them and in constant time, so that the time tells
// neither a token's length nor its beginning. An error is that of more.
func (s *Set) Check(ctx context.Context, presented string) (bool, error) {
	wanted, err := s.all(ctx)
	if err != nil {
		return false, err
	}
	return presented != "" && among(wanted, sha256.Sum256([]byte(presented))), nil
}

func among(wanted []hash, got hash) bool {
	match := 0
	for _, want := range wanted {
		match |= subtle.ConstantTimeCompare(got[:], want[:])
	}
	return match == 1
}

// A session is its end and the token itself, sealed with a key made of the token's hash:
// every process that knows the hash can open it, and nobody can make one who knows no
// more than the hash. A signature keyed with the hash would not do: whoever reads the
// hash where it is kept could sign.

// Session begins a session of SessionAge for whoever presents a token; not ok when it is
// no token of the set. The value fits a cookie. It is good in every process that knows
// the token, and void when the token is withdrawn.
func (s *Set) Session(ctx context.Context, token string, now time.Time) (value string, ok bool, err error) {
	if ok, err = s.Check(ctx, token); !ok || err != nil {
		return "", false, err
	}
	seal := sealer(sha256.Sum256([]byte(token)))
	end := binary.BigEndian.AppendUint64(nil, uint64(now.Add(SessionAge).Unix()))
	nonce := make([]byte, seal.NonceSize())
	rand.Read(nonce) // never fails
	return base64.RawURLEncoding.EncodeToString(seal.Seal(append(end[:len(end):len(end)], nonce...), nonce, []byte(token), end)), true, nil
}

// CheckSession tells whether value is a session of a token of the set that has not ended.
func (s *Set) CheckSession(ctx context.Context, value string, now time.Time) (bool, error) {
	wanted, err := s.all(ctx)
	if err != nil {
		return false, err
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(value)
	if err != nil || len(data) < 8 {
		return false, nil
	}
	end, sealed := data[:8], data[8:]
	if now.Unix() >= int64(binary.BigEndian.Uint64(end)) {
		return false, nil
	}
	for _, want := range wanted {
		seal := sealer(want)
		if len(sealed) < seal.NonceSize() {
			return false, nil
		}
		token, err := seal.Open(nil, sealed[:seal.NonceSize()], sealed[seal.NonceSize():], end)
		if err == nil && among([]hash{want}, sha256.Sum256(token)) {
			return true, nil
		}
	}
	return false, nil
}

// sealer seals with a key made of a token's hash.
func sealer(h hash) cipher.AEAD {
	key := hmac.New(sha256.New, h[:])
	key.Write([]byte("wstk session 1"))
	block, err := aes.NewCipher(key.Sum(nil))
	if err != nil { // the key has 32 bytes
		panic(err)
	}
	seal, err := cipher.NewGCM(block)
	if err != nil { // AES has blocks of 16 bytes
		panic(err)
	}
	return seal
}
