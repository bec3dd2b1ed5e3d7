package app

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
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

// CheckToken tells why an entry is none: one that begins with sha256: is the hash of a
// token, in 64 hex digits. The error does not repeat the entry.
func CheckToken(entry string) error {
	if digits, ok := strings.CutPrefix(entry, "sha256:"); ok {
		if b, err := hex.DecodeString(digits); err != nil || len(b) != 32 {
			return errors.New("a token begins with sha256: and does not go on with the 64 hex digits of its hash")
		}
	}
	return nil
}

func (t Tokens) String() string { return fmt.Sprintf("%d hidden", len(t)) }

// Format makes every verb of fmt print what String says.
func (t Tokens) Format(f fmt.State, _ rune) { io.WriteString(f, t.String()) }

func (t Tokens) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }
