package crawl

import (
	"strings"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

func TestScope(t *testing.T) {
	for _, c := range []struct {
		name, root       string
		redirects        string // of the root, separated by spaces
		include, exclude []string
		in, out          []string
		reason           string // part of the reason of the first of out
	}{
		{name: "a host", root: "http://h.test/",
			in:     []string{"http://h.test/", "http://h.test/a", "http://h.test/a/b.html?c=d", "https://h.test/a", "http://h.test/?q", "http://h.test//x"},
			out:    []string{"http://other.test/", "http://www.h.test/", "http://h.test:8080/", "https://h.test:8443/", "http://sub.h.test/a", "http://h.test.evil/", "ftp://h.test/"},
			reason: "other host other.test:80"},
		{name: "a folder", root: "http://h.test/docs/index.html",
			in:     []string{"http://h.test/docs/", "http://h.test/docs/a/b", "http://h.test/docs/index.html", "https://h.test/docs/x"},
			out:    []string{"http://h.test/", "http://h.test/docs", "http://h.test/docs2/", "http://h.test/Docs/x", "http://h.test/blog/docs/"},
			reason: "outside /docs/"},
		{name: "a port", root: "http://127.0.0.1:8000/",
			in:  []string{"http://127.0.0.1:8000/a"},
			out: []string{"http://127.0.0.1:8001/a", "http://127.0.0.1/a", "https://127.0.0.1:8000/a", "http://localhost:8000/a"}},
		{name: "an IPv6 address", root: "http://[2001:db8::1]:81/",
			in: []string{"http://[2001:db8::1]:81/a"}, out: []string{"http://[2001:db8::1]/a", "http://[2001:db8::2]:81/a"}},
		{name: "root without a slash", root: "http://h.test/docs",
			in: []string{"http://h.test/docs", "http://h.test/docs/a", "http://h.test/other"}},
		{name: "root that gets its slash", root: "http://h.test/docs", redirects: "http://h.test/docs/",
			in: []string{"http://h.test/docs", "http://h.test/docs/", "http://h.test/docs/a"}, out: []string{"http://h.test/other", "http://h.test/"}, reason: "outside /docs/"},
		{name: "and https on the way", root: "http://h.test/docs", redirects: "https://h.test/docs https://www.h.test/docs https://www.h.test/docs/",
			in: []string{"http://h.test/docs", "https://www.h.test/docs/a"}, out: []string{"https://h.test/other", "https://www.h.test/"}},
		{name: "www", root: "http://h.test/", redirects: "https://www.h.test/",
			in: []string{"http://h.test/a", "https://www.h.test/a", "http://www.h.test/a"}, out: []string{"https://api.h.test/"}},
		{name: "without www", root: "https://www.h.test/x/", redirects: "https://h.test/x/",
			in: []string{"https://h.test/x/a"}, out: []string{"https://h.test/y"}},
		{name: "a page of the same host", root: "http://h.test/docs/", redirects: "http://h.test/docs/v2/intro",
			in: []string{"http://h.test/docs/v1/a", "http://h.test/docs/v2/a"}, out: []string{"http://h.test/"}},
		{name: "another folder of the host", root: "http://h.test/latest/", redirects: "http://h.test/v9/",
			in: []string{"http://h.test/latest/a", "http://h.test/v9/a"}, out: []string{"http://h.test/v8/a"}},
		{name: "a sister host", root: "http://docs.example.co.uk/", redirects: "https://example.co.uk/docs/",
			in: []string{"https://example.co.uk/docs/a", "http://docs.example.co.uk/a"}, out: []string{"https://example.co.uk/", "https://www.example.co.uk/docs/a"}},
		{name: "another domain", root: "http://example.com/", redirects: "https://example.org/",
			out: []string{"https://example.org/", "https://example.org/a"}, in: []string{"http://example.com/a"}},
		{name: "two customers of one public suffix", root: "http://a.github.io/", redirects: "https://b.github.io/",
			out: []string{"https://b.github.io/"}},
		{name: "another port is another site", root: "http://127.0.0.1:8000/", redirects: "http://127.0.0.1:8001/",
			out: []string{"http://127.0.0.1:8001/", "http://127.0.0.1:8001/a"}},
		{name: "another address", root: "http://127.0.0.1/", redirects: "http://126.0.0.1/", out: []string{"http://126.0.0.1/"}},

		{name: "include", root: "http://h.test/", include: []string{"/docs/**"},
			in: []string{"http://h.test/", "http://h.test/docs/", "http://h.test/docs/a/b"}, out: []string{"http://h.test/docs", "http://h.test/blog/a"}, reason: "includes"},
		{name: "include with one star", root: "http://h.test/", include: []string{"/docs/*"},
			in: []string{"http://h.test/docs/a", "http://h.test/docs/"}, out: []string{"http://h.test/docs/a/b"}},
		{name: "include an ending", root: "http://h.test/d/", include: []string{"*.html"},
			in: []string{"http://h.test/d/a.html", "http://h.test/d/e/a.html"}, out: []string{"http://h.test/a.html", "http://h.test/d/a.htm", "http://h.test/d/a.html/b"}},
		{name: "include outside the folder", root: "http://h.test/docs/", include: []string{"/docs/", "/api/**"},
			in: []string{"http://h.test/docs/x/y", "http://h.test/api/z"}, out: []string{"http://h.test/apiary", "http://h.test/", "http://other.test/api/z"}},
		{name: "exclude", root: "http://h.test/", exclude: []string{"/private", "**/draft/**", "*.txt", "/a?b=*"},
			in:     []string{"http://h.test/privateer", "http://h.test/draft", "http://h.test/x.txt/y", "http://h.test/a?c=1", "http://h.test/a"},
			out:    []string{"http://h.test/private", "http://h.test/private/x/y", "http://h.test/x/draft/y", "http://h.test/draft/z", "http://h.test/x/y.txt", "http://h.test/a?b=1"},
			reason: "excluded by /private"},
		{name: "exclude wins", root: "http://h.test/", include: []string{"/docs/**"}, exclude: []string{"/docs/old/**"},
			in: []string{"http://h.test/docs/new"}, out: []string{"http://h.test/docs/old/x"}},
		{name: "the root stays", root: "http://h.test/", exclude: []string{"/**"}, in: []string{"http://h.test/"}, out: []string{"http://h.test/a"}},
		{name: "stars within a name", root: "http://h.test/", include: []string{"/v*/api-**-ref/*"},
			in: []string{"http://h.test/v2/api-x/y-ref/z"}, out: []string{"http://h.test/v2/a/api-x-ref/z", "http://h.test/v/x"}},

		{name: "what is no page", root: "http://h.test/",
			in:     []string{"http://h.test/a.pdf", "http://h.test/a.json", "http://h.test/a.txt", "http://h.test/wiki/File:Tree.jpg", "http://h.test/v1.2", "http://h.test/.png", "http://h.test/download?f=a.zip", "http://h.test/a.zip/", "http://h.test/node.js/"},
			out:    []string{"http://h.test/a.zip", "http://h.test/a.tar.gz", "http://h.test/A.PNG", "http://h.test/s.css?v=3", "http://h.test/x/y.mp4"},
			reason: "not a page (.zip)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := NewScope(c.root, wstk.CrawlOptions{Include: c.include, Exclude: c.exclude})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range strings.Fields(c.redirects) {
				s = s.withRedirect(r)
			}
			for _, u := range append(c.in, c.root) {
				if in, reason := s.Decide(u); !in || reason != "" {
					t.Errorf("%s is out: %s", u, reason)
				}
			}
			for i, u := range c.out {
				in, reason := s.Decide(u)
				if in || reason == "" || i == 0 && !strings.Contains(reason, c.reason) {
					t.Errorf("%s is in: %v, %q", u, in, reason)
				}
			}
		})
	}
	if _, err := NewScope("mailto:x", wstk.CrawlOptions{}); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("mailto: %v", err)
	}
}

func TestScopeIsNotChanged(t *testing.T) {
	s, _ := NewScope("http://h.test/docs", wstk.CrawlOptions{})
	s.withRedirect("http://h.test/docs/")
	s.withRedirect("https://www.h.test/")
	if in, _ := s.Decide("https://www.h.test/"); in {
		t.Error("a derived scope changed the first")
	}
}

func TestTrapShapes(t *testing.T) {
	l := DefaultLimits()
	for url, want := range map[string]string{
		"http://h.test/a/b/c":                         "",
		"http://h.test/" + strings.Repeat("a", 1023):  "",
		"http://h.test/" + strings.Repeat("a", 1024):  "path of 1025 bytes",
		"http://h.test/?" + strings.Repeat("a", 2047): "",
		"http://h.test/?" + strings.Repeat("a", 2048): "path and query of 2049 bytes",
		"http://h.test/a/a/a":                         "",
		"http://h.test/a/b/a/b/a/b":                   "",
		"http://h.test/a/b/a/b/a/b/a":                 `"a" occurs more than 3 times`,
		"http://h.test/a/a/a/a":                       `"a" occurs more than 3 times`,
		"http://h.test////////a":                      "",
		"http://h.test/a/A/a/A/a/A":                   "",
	} {
		a, ok := splitURL(url)
		if got := l.shape(a); !ok || !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", text.Shorten(url, 60), got, want)
		}
	}
}

// slowGlob is the definition of a glob by recursion.
func slowGlob(p, s string, start bool) bool {
	switch {
	case p == "":
		return s == ""
	case strings.HasPrefix(p, "**/") && start:
		if slowGlob(p[3:], s, true) {
			return true
		}
		for i := range s {
			if s[i] == '/' && slowGlob(p[3:], s[i+1:], true) {
				return true
			}
		}
		return false
	case strings.HasPrefix(p, "**"):
		for i := 0; i <= len(s); i++ {
			if slowGlob(p[2:], s[i:], false) {
				return true
			}
		}
		return false
	case p[0] == '*':
		for i := 0; i <= len(s); i++ {
			if slowGlob(p[1:], s[i:], false) {
				return true
			}
			if i < len(s) && s[i] == '/' {
				break
			}
		}
		return false
	}
	return s != "" && s[0] == p[0] && slowGlob(p[1:], s[1:], p[0] == '/')
}

func FuzzGlob(f *testing.F) {
	for _, s := range [][2]string{{"/a/**/b", "/a/x/y/b"}, {"**/a", "/a"}, {"/*/*", "/a/b/"}, {"/**", "/"}, {"a**/b", "a/b"}, {"/a/**/", "/a/b/"}, {"***/x", "/x"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, p, s string) {
		if strings.Count(p, "*") > 6 || len(p) > 40 || len(s) > 40 {
			return
		}
		if got, want := globMatch(globSteps(p), s, false), slowGlob(p, s, true); got != want {
			t.Errorf("%q on %q: %v", p, s, got)
		}
	})
}

func FuzzScope(f *testing.F) {
	f.Add("http://h.test/a/b", "http://h.test/a/c?d", "https://www.h.test/", "/a/*")
	f.Add("http://h.test", "http://h.test/?", "http://h.test/x", "?")
	f.Fuzz(func(t *testing.T, root, url, target, pattern string) {
		root, err := text.Canonical(root)
		if err != nil {
			return
		}
		s, err := NewScope(root,
			wstk.CrawlOptions{Include: []string{pattern}, Exclude: []string{pattern}})
		if err != nil {
			t.Fatalf("%q: %v; want err == nil", root, err)
		}
		if c, err := text.Canonical(target); err == nil {
			s = s.withRedirect(c)
		}
		if in, _ := s.Decide(root); !in {
			t.Errorf("the root %q is out", root)
		}
		if c, err := text.Canonical(url); err == nil {
			if in, reason := s.Decide(c); in != (reason == "") {
				t.Errorf("%q: %v with reason %q", c, in, reason)
			}
		}
	})
}
