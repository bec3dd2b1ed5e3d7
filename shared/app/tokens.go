package app

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"wstk/shared/wstk"
)

// Tokens are secrets that open the HTTP interface. However they are printed, what
// comes out is their number.
type Tokens []string

// add takes up the tokens of a list with commas.
func (t *Tokens) add(list string) error {
	for _, token := range splitList(list) {
		if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return errors.New("a token holds blanks or letters beyond ASCII, which no header carries")
		}
		if err := CheckToken(token); err != nil {
			return err
		}
		*t = append(slices.Clip(*t), token) // copies of a Config share nothing they add
	}
	return nil
}

// CheckToken tells why an entry is none: Invalid. One that begins with sha256:, in letters
// of any case, is the hash of a token, in 64 hex digits, and that of no letters is the hash
// of none. The error does not repeat the entry.
func CheckToken(entry string) error {
	digits, ok := hashDigits(entry)
	if !ok {
		return nil
	}
	b, err := hex.DecodeString(digits)
	switch {
	case err != nil || len(b) != sha256.Size:
		return wstk.Errorf(wstk.Invalid, "", "a token begins with sha256: and does not go on with the 64 hex digits of its hash").
			WithNext("make the hash anew: printf %s TOKEN | sha256sum")
	case [sha256.Size]byte(b) == sha256.Sum256(nil):
		return wstk.Errorf(wstk.Invalid, "", "a token is given by the hash of nothing: its variable was empty when the hash was made").
			WithNext("make the hash anew, and see that the token is not empty: printf %s TOKEN | sha256sum")
	}
	return nil
}

// hashDigits is what an entry has behind sha256:, or not ok for a plain token.
func hashDigits(entry string) (digits string, ok bool) {
	const prefix = "sha256:"
	if len(entry) < len(prefix) || !strings.EqualFold(entry[:len(prefix)], prefix) {
		return "", false
	}
	return entry[len(prefix):], true
}

// longEnough is the number of letters from which a token is not found by trying, if they
// are random.
const longEnough = 16

// Short is how many of the tokens have under 16 letters. How long a token is of which
// only the hash is known, nobody can tell.
func (t Tokens) Short() (n int) {
	for _, entry := range t {
		if _, hash := hashDigits(entry); !hash && len(entry) < longEnough {
			n++
		}
	}
	return n
}

func (t Tokens) String() string { return fmt.Sprintf("%d hidden", len(t)) }

// Format makes every verb of fmt print what String says.
func (t Tokens) Format(f fmt.State, _ rune) { io.WriteString(f, t.String()) }

func (t Tokens) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }
