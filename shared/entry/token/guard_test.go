package token_test

import (
	"fmt"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"wstk/shared/entry/token"
)

func from(s string, trusted ...netip.Prefix) netip.Prefix {
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = s
	return token.Client(r, trusted)
}

// The owner of one IPv6 address has its whole network, and all together are bounded too.
func TestWrongTokensAreCountedByNetwork(t *testing.T) {
	g := token.Guard{Each: 3, All: 40}
	now := time.Now()
	guess := 0
	wrong := func(remote string, now time.Time) time.Duration {
		guess++
		return g.Wrong(from(remote), fmt.Sprint("guess ", guess), now)
	}
	for range 30 { // one and the same is no guessing
		if wait := g.Wrong(from("[2001:db8::1]:1"), "withdrawn", now); wait != 0 {
			t.Fatalf("the same token again waits %v", wait)
		}
	}
	for i := range 2 {
		if wait := wrong("[2001:db8::1]:1", now); wait != 0 {
			t.Fatalf("wrong token %d waits %v", i, wait)
		}
	}
	for remote, limited := range map[string]bool{"[2001:db8::2%eth0]:9": true, "2001:db8::3": true,
		"[2001:db8:0:1::1]:1": false, "192.0.2.1:1": false, "192.0.2.2": false, "nonsense": false} {
		if wait := wrong(remote, now); (wait > 0) != limited {
			t.Errorf("%s waits %v", remote, wait)
		}
	}
	for i := range 50 {
		wrong(fmt.Sprintf("198.51.%d.%d:1", i, i), now)
	}
	if wrong("203.0.113.1:1", now) == 0 {
		t.Error("all together are not bounded")
	}
	if wait := wrong("203.0.113.1:1", now.Add(time.Minute)); wait != 0 {
		t.Errorf("a minute later they wait %v", wait)
	}
}

// Each time the limit is passed the wait doubles, up to an hour, and an hour of quiet ends
// it. A right token from there ends it at once.
func TestWaitsGrow(t *testing.T) {
	g := token.Guard{Each: 1}
	now, here := time.Now(), from("192.0.2.1:1")
	guess := 0
	wrong := func(now time.Time) time.Duration {
		guess++
		return g.Wrong(here, fmt.Sprint("guess ", guess), now)
	}
	for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		wrong(now)
		if wait := wrong(now); wait != want*time.Minute {
			t.Errorf("waits %v, want %d minutes", wait, want)
		}
		if wait := wrong(now.Add(time.Second)); wait != want*time.Minute-time.Second {
			t.Errorf("a second later it waits %v", wait)
		}
		now = now.Add(want * time.Minute)
	}
	now = now.Add(time.Hour + time.Second)
	wrong(now)
	if wait := wrong(now); wait != time.Minute {
		t.Errorf("after an hour of quiet it waits %v", wait)
	}
	g.Right(here)
	if wait := wrong(now); wait != 0 {
		t.Errorf("after a right one it waits %v", wait)
	}
}

// What a request says of where it came from counts where a proxy that is trusted says so.
func TestClientBehindProxies(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	for _, c := range []struct{ remote, said, want string }{
		{"192.0.2.1:1", "203.0.113.9", "192.0.2.1/32"},
		{"10.0.0.1:1", "", "10.0.0.1/32"},
		{"10.0.0.1:1", "203.0.113.9", "203.0.113.9/32"},
		{"10.0.0.1:1", "198.51.100.1, 203.0.113.9", "203.0.113.9/32"},
		{"10.0.0.1:1", "198.51.100.1, 203.0.113.9, 10.2.2.2", "203.0.113.9/32"},
		{"10.0.0.1:1", "203.0.113.9, nonsense", "10.0.0.1/32"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		if c.said != "" {
			r.Header.Set("X-Forwarded-For", c.said)
		}
		if got := token.Client(r, trusted).String(); got != c.want {
			t.Errorf("%s saying %q is %s, want %s", c.remote, c.said, got, c.want)
		}
	}
}
