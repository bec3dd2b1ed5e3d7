package text

import "testing"

// TestSessionsOfOnePageAreOneAddress: what only names a visit is no part of an address,
// and what may choose a page stays.
func TestSessionsOfOnePageAreOneAddress(t *testing.T) {
	const a, b = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	for _, c := range []struct{ one, two, want string }{
		{"http://h/p;jsessionid=" + a, "http://h/p;JSESSIONID=" + b + ".node1", "http://h/p"},
		{"http://h/p;jsessionid=" + a + "?x=1", "http://h/p;jsessionid=" + b + "?x=1", "http://h/p?x=1"},
		{"http://h/(S(" + a + "))/p.aspx", "http://h/(S(" + b + "))/p.aspx", "http://h/p.aspx"},
		{"http://h/(A(" + a + ")S(" + a + "))/", "http://h/(A(" + b + ")S(" + b + "))/", "http://h/"},
		{"http://h/?PHPSESSID=" + a + "&q=1", "http://h/?q=1&phpsessid=" + b, "http://h/?q=1"},
		{"http://h/?CFID=1&CFTOKEN=2", "http://h/?CFID=3&CFTOKEN=4", "http://h/"},
		{"http://h/?ASPSESSIONIDQQ=" + a, "http://h/?ASPSESSIONIDAB=" + b, "http://h/"},
		{"http://h/?sid=" + a, "http://h/?sid=" + b, "http://h/"},
		{"http://h/?sessionid=" + a, "http://h/?sessionid=" + b, "http://h/"},
	} {
		for _, u := range []string{c.one, c.two, c.want} {
			if got, err := Canonical(u); err != nil || got != c.want {
				t.Errorf("%s is %s (%v), want %s", u, got, err, c.want)
			}
		}
	}
	for _, u := range []string{"http://h/story?sid=123", "http://h/story?sid=berlin-2024", "http://h/p;v=1", "http://h/f(x)/p", "http://h/S(x)/p", "http://h/S(x))/p", "http://h/talks?sessionid=42", "http://h/p;jsessionid", "http://h/(all)/p"} {
		if got, err := Canonical(u); err != nil || got != u {
			t.Errorf("%s is %s (%v)", u, got, err)
		}
	}
}
