package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Tokens are secrets that open the HTTP interface, as ParseToken reads them. However they
// are printed, what comes out is their number.
type Tokens []string

// add takes up the tokens of a list with commas.
func (t *Tokens) add(list string) error {
	for _, token := range splitList(list) {
		if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return errors.New("a token holds blanks or letters beyond ASCII, which no header " +
				"carries")
		}
		if err := CheckToken(token); err != nil {
			return err
		}
		*t = append(slices.Clip(*t), token) // copies of a Config share nothing they add
	}
	return nil
}

// CheckToken tells why an entry is none: Invalid. The error does not repeat the entry.
func CheckToken(entry string) error {
	_, err := ParseToken(entry)
	return err
}

// Token is who a token belongs to and what it may do, and its hash in place of itself.
type Token struct {
	wstk.Caller
	SHA256 [sha256.Size]byte
	length int // of the token itself; 0 where only its hash is known
}

var (
	// namedToken is an entry that begins as NAME:SCOPE: does.
	namedToken = text.Pattern(`^([a-z][a-z0-9_.-]{0,63}):([a-z]{1,16}):(.*)$`)

	// nothing is the hash of no letters. It is not a token's: a user who hashed a variable that
	// was not set meant another.
	nothing = sha256.Sum256(nil)
)

// ParseToken reads an entry: NAME:SCOPE:TOKEN, or TOKEN alone, which is that of the default
// owner and may do everything. In place of TOKEN there may be its hash: sha256:, in letters
// of any case, and 64 hex digits; that of no letters is the hash of none. What is none is
// Invalid, and the error does not repeat it.
func ParseToken(entry string) (Token, error) {
	t := Token{Caller: wstk.Caller{Name: wstk.DefaultOwner, Scope: wstk.ScopeAdmin}}
	if m := namedToken().FindStringSubmatch(entry); m != nil && m[1] != "sha256" {
		t.Name, t.Scope = m[1], wstk.Scope(m[2])
		if !t.Scope.Known() {
			return Token{}, wstk.Errorf(wstk.Invalid, "",
				"the scope in NAME:SCOPE:TOKEN must be read, write or admin").
				Try(wstk.Advices("write it as NAME:read:TOKEN, NAME:write:TOKEN or "+
					"NAME:admin:TOKEN", "or, if the token itself contains colons, give "+
					"its hash: printf %s TOKEN | sha256sum")...)
		}
		if entry = m[3]; entry == "" {
			return Token{}, wstk.Errorf(wstk.Invalid, "",
				"the token after NAME:SCOPE: is missing").
				Try(wstk.Advice("make one: head -c 24 /dev/urandom | base64"))
		}
	}
	digits, ok := hashDigits(entry)
	if !ok {
		t.SHA256, t.length = sha256.Sum256([]byte(entry)), len(entry)
		if entry == "" {
			return Token{}, wstk.Errorf(wstk.Invalid, "", "a token is empty")
		}
		return t, nil
	}
	b, err := hex.DecodeString(digits)
	switch {
	case err != nil || len(b) != sha256.Size:
		return Token{}, wstk.Errorf(wstk.Invalid, "",
			"after sha256: a token needs the 64 hex digits of its hash").
			Try(wstk.Advice("make the hash again: printf %s TOKEN | sha256sum"))
	case [sha256.Size]byte(b) == nothing:
		return Token{}, wstk.Errorf(wstk.Invalid, "",
			"a token is given as the hash of an empty text: "+
				"the variable that held the token was empty when the hash was made").
			Try(wstk.Advice("make the hash again, from a token that is not empty: printf %s " +
				"TOKEN | sha256sum"))
	}
	t.SHA256 = [sha256.Size]byte(b)
	return t, nil
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
// only the hash is known, that is unknown.
func (t Tokens) Short() (n int) {
	for _, entry := range t {
		if token, err := ParseToken(entry); err == nil && token.length > 0 &&
			token.length < longEnough {
			n++
		}
	}
	return n
}

func (t Tokens) String() string { return fmt.Sprintf("%d hidden", len(t)) }

// Format makes every verb of fmt print what String says.
func (t Tokens) Format(f fmt.State, _ rune) { io.WriteString(f, t.String()) }

func (t Tokens) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }
