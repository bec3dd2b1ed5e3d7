package app

import (
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
		*t = append(slices.Clip(*t), token) // copies of a Config share nothing they add
	}
	return nil
}

func (t Tokens) String() string { return fmt.Sprintf("%d hidden", len(t)) }

// Format makes every verb of fmt print what String says.
func (t Tokens) Format(f fmt.State, _ rune) { io.WriteString(f, t.String()) }

func (t Tokens) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }
