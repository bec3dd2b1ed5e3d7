package safehttp

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

func TestParseTarget(t *testing.T) {
	for _, c := range []struct{ url, origin, hostPort, path string }{
		{"http://example.com", "http://example.com", "example.com:80", "/"},
		{"http://example.com/", "http://example.com", "example.com:80", "/"},
		{"HTTP://EXAMPLE.com/A", "http://example.com", "example.com:80", "/A"},
		{"https://example.com/a?b#c", "https://example.com", "example.com:443", "/a?b"},
		{"https://example.com?b", "https://example.com", "example.com:443", "/?b"},
		{"https://example.com#c", "https://example.com", "example.com:443", "/"},
		{"https://example.com:443/", "https://example.com", "example.com:443", "/"},
		{"https://example.com:80/", "https://example.com:80", "example.com:80", "/"},
		{"http://example.com:08080/x", "http://example.com:8080", "example.com:8080", "/x"},
		{"http://example.com:/x", "http://example.com", "example.com:80", "/x"},
		{"http://[2001:DB8::1]:8080/x", "http://[2001:db8::1]:8080", "[2001:db8::1]:8080", "/x"},
		{"http://[::1]", "http://[::1]", "[::1]:80", "/"},
		{"http://10.0.0.1/x", "http://10.0.0.1", "10.0.0.1:80", "/x"},
		{"http://a_b.example-x.com/", "http://a_b.example-x.com", "a_b.example-x.com:80", "/"},
		{"http://localhost:1234//x//?//", "http://localhost:1234", "localhost:1234", "//x//?//"},
		{"http://example.com/100%/%zz", "http://example.com", "example.com:80", "/100%/%zz"},
		{"http://xn--bcher-kva.example/", "http://xn--bcher-kva.example", "xn--bcher-kva.example:80", "/"},
		{"http://1.example/", "http://1.example", "1.example:80", "/"},
		{"http://0x7f.example/", "http://0x7f.example", "0x7f.example:80", "/"},
		{"http://example.com/@/x@y", "http://example.com", "example.com:80", "/@/x@y"},
	} {
		got, err := parseTarget(c.url)
		if err != nil {
			t.Errorf("%s: %v; want err == nil", c.url, err)
			continue
		}
		if got.origin() != c.origin || got.hostPort() != c.hostPort || got.path != c.path {
			t.Errorf("%s: got %s, %s, %s", c.url, got.origin(), got.hostPort(), got.path)
		}
	}
	for _, bad := range []string{"", "example.com", "ftp://example.com/", "http:example.com", "http:/example.com", "http//example.com",
		"http://", "http:///x", "http://?x", "http://:80", "http://a..b/", "http://.a/", "http://a./", "http://a b/", "http://a\tb/",
		"http://ü.example/", "http://example.com/ü", "http://example.com/\x00", "http://a@b/", "http://a:b@c/", "http://@b/", "http://b@/",
		"http://a\\b/", "http://a%2eb/", "http://%31/", "http://a:b/", "http://a:99999/", "http://a:-1/", "http://a:1:2/",
		"http://[::1", "http://::1/", "http://[::1]x/", "http://[1.2.3.4]/", "http://[::1%25lo]/", "http://[v1.x]/", "http://a[b]/",
		"http://" + strings.Repeat("a", 300) + "/", "http://a/" + strings.Repeat("x", maxURL)} {
		if got, err := parseTarget(bad); err == nil {
			t.Errorf("%.60q is taken as %s %s", bad, got.origin(), got.path)
		}
	}
	for _, odd := range []string{"2130706433", "017700000001", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.1", "1.2.3.4.5",
		"256.1.1.1", "1.2.3", "0", "0x", "a.0x1", "a.1", "127.0.0.01", "00.0.0.0", "4294967295", "0xa9fea9fe", "2852039166"} {
		if got, err := parseTarget("http://" + odd + "/"); err != errOddAddress {
			t.Errorf("%s: got %s, %v", odd, got.origin(), err)
		}
	}
}

// The whole chain: whatever spelling a page chooses, loopback and metadata stay
// closed. Canonical either refuses it or turns it into an address.
func TestOddSpellingsAreRefused(t *testing.T) {
	// A resolver that would fall for every trick.
	c := open(t, Config{Resolver: names(func(string) []netip.Addr {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	})})
	for _, host := range []string{"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7F.1", "0x7f.0x0.0x0.0x1", "0177.0.0.1",
		"017700000001", "0177.1", "127.0.0.1.", "1\u3002.0.0.1", "127\u30020\u30020\u30021", "\uff11\uff12\uff17.0.0.1", "①②⑦.⓪.⓪.①",
		"127%2e0%2e0%2e1", "%31%32%37.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::7f00:1]",
		"169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "[::ffff:a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]",
		"0", "0.0.0.0", "0x0", "localhost", "LOCALHOST", "localhost.", "metadata.google.internal", "127.0.0.1.nip.io"} {
		canonical, err := text.Canonical("http://" + host + "/latest/meta-data/")
		if err != nil {
			continue // refused before anything is asked
		}
		_, err = c.Do(t.Context(), wstk.Request{URL: canonical})
		if code := wstk.CodeOf(err); code != wstk.RefusedAddress && code != wstk.RefusedPolicy {
			t.Errorf("%s (canonical %s): code %q: %v", host, canonical, code, err)
		}
	}
}

func TestBadPorts(t *testing.T) {
	if !slices.IsSorted(badPorts) {
		t.Fatal("the list is not sorted, so the search in it is wrong")
	}
	for _, p := range []uint16{0, 1, 21, 22, 25, 53, 110, 143, 465, 587, 993, 2049, 4190, 6000,
		6665, 6679, 6697, 10080} {
		if !badPort(p) {
			t.Errorf("%d is not bad", p)
		}
	}
	for _, p := range []uint16{80, 443, 3000, 4000, 5000, 8000, 8080, 8443, 9000, 65535} {
		if badPort(p) {
			t.Errorf("%d is bad", p)
		}
	}
}

// What is taken names one host, in ASCII, and sends what was asked.
func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{"http://a/", "https://u:p@h:1/x?y#z", "http://[::1]:80/", "http://0x7f.1/", "http://a\\@b/", "http://a:80:90/", "http:///", "http://%00/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := parseTarget(raw)
		if err != nil {
			return
		}
		if got.host == "" || strings.ContainsAny(got.host, "@/\\?#% []") || got.path == "" ||
			got.path[0] != '/' || strings.Contains(got.path, "#") {
			t.Fatalf("%q gives %+v", raw, got)
		}
		again, err := parseTarget(got.origin() + got.path)
		if err != nil || again != got {
			t.Fatalf("%q gives %+v, and that gives %+v, %v", raw, got, again, err)
		}
	})
}
