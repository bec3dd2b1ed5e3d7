package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"", 1, ""}, {"pump", 4, "pump"}, {"pumps", 4, "pum…"}, {"pump", 1, "…"},
		{"größe", 5, "größe"}, {"größer", 5, "größ…"}, {"水泵和阀门", 5, "水泵和阀门"}, {"水泵和阀门", 4, "水泵和…"},
	} {
		if got := Shorten(c.s, c.n); got != c.want {
			t.Errorf("%q to %d is %q, want %q", c.s, c.n, got, c.want)
		}
	}
}

func TestPrefix(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"pump", 0, ""}, {"pump", 4, "pump"}, {"pumps", 4, "pump"}, {"größe", 3, "gr"}, {"größe", 4, "grö"}, {"水泵", 2, ""}, {"水泵", 5, "水"},
	} {
		if got := Prefix(c.s, c.n); got != c.want {
			t.Errorf("%q to %d bytes is %q, want %q", c.s, c.n, got, c.want)
		}
	}
}

func FuzzShorten(f *testing.F) {
	f.Add("größe", 3)
	f.Add("\xff\xfe水", 2)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n < 1 || n > 1000 {
			return
		}
		short, front := Shorten(s, n), Prefix(s, n)
		if utf8.RuneCountInString(short) > n ||
			short != s && !strings.HasPrefix(s, strings.TrimSuffix(short, "…")) {
			t.Errorf("%q to %d is %q", s, n, short)
		}
		if len(front) > n || !strings.HasPrefix(s, front) ||
			utf8.ValidString(s) && (!utf8.ValidString(front) || len(s) > n && len(front) < n-3) {
			t.Errorf("%q to %d bytes is %q", s, n, front)
		}
	})
}
