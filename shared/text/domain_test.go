package text

import "testing"

func TestDomain(t *testing.T) {
	for in, want := range map[string]string{"Example.COM": "example.com", ".eu": ".eu", "*.example.com": ".example.com", "https://docs.example.com:8080/x?y": "docs.example.com",
		"münchen.example": "xn--mnchen-3ya.example", " example.com. ": "example.com", "127.0.0.1": "127.0.0.1", "[2001:db8::1]": "[2001:db8::1]"} {
		if got, err := Domain(in); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"", ".", "*", "a b.example", "user@example.com", "a.example,b.example", "http://", "ex*mple.com"} {
		if got, err := Domain(in); err == nil {
			t.Errorf("%q is taken for %q", in, got)
		}
	}
	list := []string{"example.com", ".eu", "xn--mnchen-3ya.example"}
	for host, want := range map[string]string{"example.com": "example.com", "docs.example.com": "example.com", "notexample.com": "", "ec.europa.eu": ".eu", "eu": ".eu",
		"www.xn--mnchen-3ya.example": "xn--mnchen-3ya.example", "": ""} {
		if got := Under(host, list); got != want {
			t.Errorf("%q is under %q, want %q", host, got, want)
		}
	}
}
