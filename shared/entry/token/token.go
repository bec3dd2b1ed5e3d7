// Package token checks the tokens that open the doors: their owner and scope, the sessions of
// people who logged in with one, and the limit on wrong ones. It stores hashes, never tokens.
package token

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"time"

	"wstk/shared/config"
	"wstk/shared/wstk"
)

// Set is the tokens of a system. It is safe for concurrent use.
type Set struct {
	fixed []config.Token
	more  func(context.Context) ([]string, error)
}

type hash = [sha256.Size]byte

// SessionAge is how long a session is good.
const SessionAge = 12 * time.Hour

// nothing is the hash of no letters, which opens nothing.
var nothing = sha256.Sum256(nil)

// New makes a Set of entries as config.ParseToken reads them. more returns further entries,
// asked for with each call: those that change while the process lives; nil has none. An
// entry that is none opens nothing.
func New(tokens []string, more func(context.Context) ([]string, error)) *Set {
	return &Set{fixed: parsed(tokens), more: more}
}

func parsed(entries []string) []config.Token {
	var out []config.Token
	for _, e := range entries {
		if t, err := config.ParseToken(e); err == nil {
			out = append(out, t)
		}
	}
	return out
}

// all are the tokens that count now.
func (s *Set) all(ctx context.Context) ([]config.Token, error) {
	if s.more == nil {
		return s.fixed, nil
	}
	more, err := s.more(ctx)
	if err != nil {
		return nil, err
	}
	return append(s.fixed[:len(s.fixed):len(s.fixed)], parsed(more)...), nil
}

// Check returns whose token a client presents, and reports whether it is among the set's;
// an empty one never is. Hashes are compared, all of them and in constant time, so that the
// time shows neither a token's length nor its beginning. Of a token that stands in the set
// twice the first entry counts. An error is that of more.
func (s *Set) Check(ctx context.Context, presented string) (wstk.Caller, bool, error) {
	wanted, err := s.all(ctx)
	if err != nil {
		return wstk.Caller{}, false, err
	}
	who, ok := among(wanted, sha256.Sum256([]byte(presented)))
	return who, ok && presented != "", nil
}

func among(wanted []config.Token, got hash) (wstk.Caller, bool) {
	at := -1
	for i := len(wanted) - 1; i >= 0; i-- {
		at = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(got[:], wanted[i].SHA256[:]),
			i, at)
	}
	if at < 0 || got == nothing {
		return wstk.Caller{}, false
	}
	return wanted[at].Caller, true
}

// A session is its end and the token itself, sealed with a key made of the token's hash:
// every process that knows the hash can open it, and no one can make one from the hash
// alone. A signature keyed with the hash would not do: anyone who reads the
// hash where it is kept could sign.

// Session begins a session of SessionAge for a client that presents a token; not ok when it is
// no token of the set. The value fits a cookie. It is good in every process that knows
// the token, and void when the token is withdrawn.
func (s *Set) Session(
	ctx context.Context, token string, now time.Time,
) (value string, ok bool, err error) {
	if _, ok, err = s.Check(ctx, token); !ok || err != nil {
		return "", false, err
	}
	seal := sealer(sha256.Sum256([]byte(token)))
	end := binary.BigEndian.AppendUint64(nil, uint64(now.Add(SessionAge).Unix()))
	nonce := make([]byte, seal.NonceSize())
	rand.Read(nonce) // never fails
	return base64.RawURLEncoding.EncodeToString(
		seal.Seal(append(end[:len(end):len(end)], nonce...), nonce, []byte(token), end)), true, nil
}

// CheckSession returns the owner of a session, and reports whether its token is in the set
// that has not ended by its time. Whether it was ended before, the store knows under
// SessionID.
func (s *Set) CheckSession(
	ctx context.Context, value string, now time.Time,
) (wstk.Caller, bool, error) {
	wanted, err := s.all(ctx)
	if err != nil {
		return wstk.Caller{}, false, err
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(value)
	if err != nil || len(data) < 8 {
		return wstk.Caller{}, false, nil
	}
	end, sealed := data[:8], data[8:]
	if now.Unix() >= int64(binary.BigEndian.Uint64(end)) {
		return wstk.Caller{}, false, nil
	}
	for _, want := range wanted {
		seal := sealer(want.SHA256)
		if len(sealed) < seal.NonceSize() {
			return wstk.Caller{}, false, nil
		}
		token, err := seal.Open(nil, sealed[:seal.NonceSize()], sealed[seal.NonceSize():], end)
		if err != nil {
			continue
		}
		if who, ok := among([]config.Token{want}, sha256.Sum256(token)); ok {
			return who, true, nil
		}
	}
	return wstk.Caller{}, false, nil
}

// SessionID is the id of the run of kind session that says that a session was ended, and
// when the session began. It is made of the value, which it does not tell. The value is one
// that CheckSession takes.
func SessionID(value string) (id wstk.RunID, began time.Time) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(value)
	if err != nil || len(data) < 8 {
		return "", time.Time{}
	}
	began = time.Unix(int64(binary.BigEndian.Uint64(data[:8])), 0).Add(-SessionAge).UTC()
	sum := sha256.Sum256(append([]byte("wstk session ended 1\n"), data...))
	return wstk.NewRunID(began, bytes.NewReader(sum[:])), began
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
