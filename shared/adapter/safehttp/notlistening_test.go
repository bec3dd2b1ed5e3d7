package safehttp

import (
	"errors"
	"net"
	"testing"

	"wstk/shared/wstk"
)

// An address that takes no connections is told from one whose connection broke: to wait for it
// does not help.
func TestNothingListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + l.Addr().String() + "/"
	l.Close()
	_, err = open(t, Config{AllowPrivate: true}).Do(t.Context(), wstk.Request{URL: address})
	if wstk.CodeOf(err) != wstk.Network || !errors.Is(err, wstk.ErrNotListening) {
		t.Errorf("%v", err)
	}
}
