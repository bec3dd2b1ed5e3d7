package safehttp

import (
	"context"
	"net"
	"net/netip"
	"testing"

	"go.uber.org/goleak"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// names answers for names from a function; a name with no answer does not exist.
type names func(host string) []netip.Addr

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if n != nil {
		if addrs := n(host); addrs != nil {
			return addrs, nil
		}
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

func open(t *testing.T, cfg Config) *Client {
	t.Helper()
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestClient(t *testing.T) {
	wstktest.Client(t, func(t *testing.T, o wstktest.ClientOptions) wstk.Client {
		return open(t, Config{AllowPrivate: o.AllowPrivate, MaxBytes: o.MaxBytes,
			MaxHeaderBytes: o.MaxHeaderBytes,
			Timeout:        o.Timeout, MinRate: o.MinRate, RateWindow: o.RateWindow,
			UserAgent: o.UserAgent, Resolver: names(o.Lookup)})
	})
}
