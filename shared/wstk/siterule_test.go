package wstk

import (
	"testing"
	"time"
)

func TestSiteRule(t *testing.T) {
	const id = SiteID("site_0123456789abcdef")
	for _, c := range []struct {
		rule, url string
		want      bool
	}{
		{string(id), "https://a.example/", true},
		{"site_ffff", "https://a.example/", false},
		{"example.com", "https://example.com/x", true},
		{"Example.COM", "http://example.com:8080/x", true},
		{"example.com", "https://www.example.com/x", true},
		{"example.com", "https://badexample.com/x", false},
		{"example.com", "https://example.com.evil.org/", false},
		{"example.com:8080", "http://example.com:8080/x", true},
		{"example.com:8080", "http://example.com/x", false},
		{"example.com:443", "https://example.com/x", true},
		{"example.com/docs", "https://example.com/docs/a", true},
		{"example.com/docs", "https://example.com/docs2", false},
		{"127.0.0.1:9000", "http://127.0.0.1:9000/a", true},
		{"0.0.1", "http://127.0.0.1:9000/a", false},
		{"[::1]:80", "http://[::1]/a", true},
		{"https://example.com", "https://example.com/", true},
		{"https://example.com/", "https://example.com/a", true},
		{"https://example.com:443/", "https://example.com/a", true},
		{"https://example.com/", "http://example.com/a", false},
		{"https://example.com/", "https://www.example.com/a", false},
		{"https://example.com/docs/", "https://example.com/docs/a?b=c", true},
		{"https://example.com/docs/", "https://example.com/docs", false},
		{"https://example.com/docs", "https://example.com/docs", true},
		{"https://example.com/docs", "https://example.com/docs?x=1", true},
		{"https://example.com/docs?x=1", "https://example.com/docs?x=1", true},
		{"https://example.com/docs?x=1", "https://example.com/docs?x=12", false},
		{"", "https://example.com/", false},
		{"://", "https://example.com/", false},
		{"https://exa mple.com/", "https://example.com/", false},
	} {
		if got := ParseSiteRule(c.rule).Match(id, c.url); got != c.want {
			t.Errorf("%q on %s: %v, want %v", c.rule, c.url, got, c.want)
		}
	}
}

func TestFilterMatch(t *testing.T) {
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		f    Filter
		want bool
	}{
		{Filter{}, true},
		{Filter{MinDate: at}, true},
		{Filter{MinDate: at.Add(1)}, false},
		{Filter{IncludeSites: []string{"b.org", "a.org"}}, true},
		{Filter{IncludeSites: []string{"b.org"}}, false},
		{Filter{IncludeSites: []string{"a.org"}, ExcludeSites: []string{"https://a.org/x"}}, false},
		{Filter{ExcludeSites: []string{"https://a.org/xy"}}, true},
	} {
		if got := c.f.Match("site_1", "https://a.org/x", at); got != c.want {
			t.Errorf("%+v: %v, want %v", c.f, got, c.want)
		}
	}
}
