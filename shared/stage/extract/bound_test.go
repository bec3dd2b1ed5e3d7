package extract

import (
	"strings"
	"testing"
)

// However many questions a query holds, a few of them are worked on.
func TestPartsAreFew(t *testing.T) {
	for _, q := range []string{strings.Repeat("what? ", 330), strings.Repeat("how long is it and how wide is it? ", 60), strings.Repeat("who and what; ", 140)} {
		if n := len(Parts(q)); n < 1 || n > maxParts {
			t.Errorf("%d parts of %.40q…", n, q)
		}
	}
}
