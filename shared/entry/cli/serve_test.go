package cli

import (
	"net"
	"strings"
	"testing"

	"wstk/shared/app"
)

// Short tokens are warned of where other machines can try them, without being shown.
func TestWeakTokensAreWarnedOf(t *testing.T) {
	here, everywhere := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}, &net.TCPAddr{IP: net.IPv4zero, Port: 80}
	long := "long-enough-for-" + "everybody"
	for _, c := range []struct {
		at     net.Addr
		tokens app.Tokens
		warned bool
	}{
		{everywhere, app.Tokens{long, "brief"}, true},
		{everywhere, app.Tokens{long}, false},
		{here, app.Tokens{"brief"}, false},
	} {
		if w := weak(c.at, c.tokens); (w != "") != c.warned || strings.Contains(w, "brief") {
			t.Errorf("%v with %d tokens: %q", c.at, len(c.tokens), w)
		}
	}
}
