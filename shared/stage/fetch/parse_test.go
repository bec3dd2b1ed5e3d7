package fetch

import (
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

func TestRefresh(t *testing.T) {
	for value, want := range map[string]string{
		"0;url=/next": "/next", "0; url=/next": "/next", "5;URL='/next'": "/next", `3 ; Url = "/next" `: "/next", "0,url=/next": "/next",
		"0 url=/next": "/next", "0;/next": "/next", "1.5;url=/next": "/next", ".5;url=/next": "/next", " 0;url=/next": "/next",
		`0;url="/a'b"more`: "/a'b", "0;url=https://x.example/?a=b;c": "https://x.example/?a=b;c",
		"6;url=/next": "", "99999999999999999999;url=/next": "", "5": "", "": "", "url=/next": "", "0;": "", "0;url=": "", "x;url=/n": "", "0x;url=/n": "",
	} {
		got, ok := refresh(value)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", value, got, ok, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"0": 0, "7": 7 * time.Second, " 120 ": 2 * time.Minute, "99999999999999999999999": maxAsked, "999999999": maxAsked,
		"Sun, 01 Mar 2026 12:00:30 GMT": 30 * time.Second, "Sunday, 01-Mar-26 12:01:00 GMT": time.Minute, "Sun Mar  1 12:00:05 2026": 5 * time.Second,
		"Sun, 01 Mar 2026 11:00:00 GMT": 0, "Sun, 01 Mar 2099 11:00:00 GMT": maxAsked,
	} {
		if got, ok := retryAfter(value, now); !ok || got != want {
			t.Errorf("%q: got %v, %v, want %v", value, got, ok, want)
		}
	}
	for _, bad := range []string{"", "soon", "-5", "1.5", "12s"} {
		if got, ok := retryAfter(bad, now); ok {
			t.Errorf("%q is read as %v", bad, got)
		}
	}
}

func TestPausesGrowAndEnd(t *testing.T) {
	var last time.Duration
	for n := 1; n < 100; n++ {
		got := growing(n)
		if got < last || got > lastPause || got < firstPause {
			t.Fatalf("pause %d is %v after %v", n, got, last)
		}
		last = got
	}
	if last != lastPause || growing(1) != firstPause || growing(2) != 2*firstPause {
		t.Errorf("pauses are %v, %v … %v", growing(1), growing(2), last)
	}
}

func TestVerdicts(t *testing.T) {
	page := []byte("page")
	for _, c := range []struct {
		status      int
		body        []byte
		conditional bool
		want        wstk.Verdict
	}{
		{200, page, false, wstk.VerdictOK}, {203, page, false, wstk.VerdictOK},
		{200, nil, false, wstk.VerdictThin}, {203, nil, false, wstk.VerdictThin},
		{200, page, true, wstk.VerdictOK},
		{204, nil, false, wstk.VerdictThin}, {205, nil, false, wstk.VerdictThin},
		{206, page, false, wstk.VerdictHTTPError},
		{201, page, false, wstk.VerdictHTTPError}, {202, page, false, wstk.VerdictHTTPError},
		{226, page, false, wstk.VerdictHTTPError},
		{300, page, false, wstk.VerdictHTTPError}, {304, nil, true, wstk.VerdictNotModified},
		{304, nil, false, wstk.VerdictHTTPError}, {305, nil, false, wstk.VerdictHTTPError},
		{400, page, false, wstk.VerdictHTTPError}, {401, page, false, wstk.VerdictBlocked},
		{402, page, false, wstk.VerdictBlocked}, {403, page, false, wstk.VerdictBlocked},
		{404, page, false, wstk.VerdictNotFound}, {404, nil, false, wstk.VerdictNotFound},
		{405, page, false, wstk.VerdictHTTPError}, {407, page, false, wstk.VerdictBlocked},
		{410, page, false, wstk.VerdictGone}, {418, page, false, wstk.VerdictHTTPError},
		{429, page, false, wstk.VerdictBlocked}, {451, page, false, wstk.VerdictBlocked},
		{500, page, false, wstk.VerdictHTTPError}, {502, page, false, wstk.VerdictHTTPError},
		{503, page, false, wstk.VerdictHTTPError}, {521, page, false, wstk.VerdictHTTPError},
		{999, page, false, wstk.VerdictHTTPError},
	} {
		got, reason := verdict(wstk.Response{Status: c.status, Body: c.body, Header: http.Header{}},
			c.conditional)
		if got != c.want {
			t.Errorf("%d with %d bytes, conditional %v: %s, want %s", c.status, len(c.body), c.conditional, got, c.want)
		}
		if (reason == "") != (got == wstk.VerdictOK) || strings.HasSuffix(reason, ".") {
			t.Errorf("%d: reason %q for %s", c.status, reason, got)
		}
	}
}

// Walls that give themselves away by a header are told whatever their status is.
func TestWallsByHeader(t *testing.T) {
	for _, c := range []struct {
		status      int
		name, value string
		maker       string // "" for no wall
	}{
		{503, "Cf-Mitigated", "challenge", "Cloudflare"}, {403, "Cf-Mitigated", "challenge", "Cloudflare"}, {200, "Cf-Mitigated", "Challenge", "Cloudflare"},
		{202, "X-Amzn-Waf-Action", "challenge", "AWS WAF"}, {405, "X-Amzn-Waf-Action", "captcha", "AWS WAF"},
		{429, "X-Vercel-Mitigated", "challenge", "Vercel"}, {403, "X-Sucuri-Block", "IP", "Sucuri"}, {503, "X-Dd-B", "1", "DataDome"}, {429, "X-Kpsdk-Ct", "0a1b", "Kasada"},
		{200, "X-Kpsdk-Ct", "0a1b", ""}, {200, "X-Dd-B", "1", ""}, {503, "Server", "cloudflare", ""}, {503, "Server", "AkamaiGHost", ""},
		{503, "Retry-After", "30", ""}, {200, "Cf-Cache-Status", "HIT", ""},
	} {
		got, reason := verdict(wstk.Response{Status: c.status,
			Header: http.Header{c.name: {c.value}}}, false)
		if named := strings.Contains(reason, "a wall of "+c.maker+" stands"); c.maker != "" &&
			(got != wstk.VerdictBlocked || !named) {
			t.Errorf("%d with %s: %s is %s (%s)", c.status, c.name, c.value, got, reason)
		}
		if c.maker == "" && got == wstk.VerdictBlocked {
			t.Errorf("%d with %s: %s is blocked (%s)", c.status, c.name, c.value, reason)
		}
	}
}

func TestMediaType(t *testing.T) {
	html := "<!doctype html><title>t</title>"
	xhtml := "<?xml version='1.0'?>\n<!-- a page -->\n<!DOCTYPE html><html/>"
	wide := func(s string) string { return "\xff\xfe" + strings.Join(strings.Split(s, ""), "\x00") + "\x00" }
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	for _, c := range []struct {
		declared, body, media, charset string
		differs                        bool
	}{
		{"text/html; charset=UTF-8", html, "text/html", "utf-8", false},
		{"Text/HTML;Charset=\"ISO-8859-1\"", html, "text/html", "iso-8859-1", false},
		{"text/html; charset=utf-8; =", html, "text/html", "utf-8", false},
		{"text/html; charset='utf-8'", html, "text/html", "'utf-8'", false},
		{"text/html;;charset=latin1", html, "text/html", "latin1", false},
		{"text/html", html, "text/html", "", false},
		{"", html, "text/html", "", false},
		{"text", html, "text/html", "", false},
		{"html; charset=utf-8", html, "text/html", "utf-8", false},
		{"*/*", html, "text/html", "", false},
		{"application/octet-stream", html, "text/html", "", false},
		{"", "<?xml version='1.0'?><rss/>", "text/xml", "", false},
		{"", xhtml, "application/xhtml+xml", "", false},
		{"application/octet-stream", xhtml, "application/xhtml+xml", "", false},
		{"text/xml; charset=utf-8", xhtml, "application/xhtml+xml", "utf-8", false},
		{"application/xml", "<html xmlns='http://www.w3.org/1999/xhtml'/>", "application/xhtml+xml", "", false},
		{"application/xml", "<rss><html/></rss>", "application/xml", "", false},
		{"text/xml", wide(xhtml), "application/xhtml+xml", "", false},
		{"", wide(xhtml), "application/xhtml+xml", "", false},
		{"", wide(html), "text/html", "", false},
		{"text/plain", xhtml, "text/plain", "", false},
		{"text/xml", png, "image/png", "", true},
		{"", "plain words", "text/plain", "", false},
		{"", "BMW 3 series\n", "text/plain", "", false},
		{"", "GIF89a is a format\n", "text/plain", "", false},
		{"", "%PDF-1.7\n", "application/pdf", "", false},
		{"", png, "image/png", "", false},
		{"", "PK\x03\x04\x14\x00", "application/zip", "", false},
		{"", "\x1f\x8b\x08\x00", "application/x-gzip", "", false},
		{"", "\x00\x01\x02", "application/octet-stream", "", false},
		{"", "caf\xe9 au lait", "text/plain", "", false},
		{"", strings.Repeat("日本語", 200), "text/plain", "", false},
		{"", "\xff\xfeh\x00i\x00", "text/plain", "", false},
		{"application/octet-stream", "", "application/octet-stream", "", false},
		{"text/html", "%PDF-1.4 …", "application/pdf", "", true},
		{"text/html; charset=utf-8", png, "image/png", "", true},
		{"application/json", png, "image/png", "", true},
		{"text/plain", "words \x00 more", "application/octet-stream", "", true},
		{"text/html", html + "\x00", "text/html", "", false},
		{"text/html; charset=utf-16le", "<\x00h\x00", "text/html", "utf-16le", false},
		{"text/html", "<\x00h\x00", "text/html", "", false},
		{"text/plain", "\xff\xfeh\x00i\x00", "text/plain", "", false},
		{"application/pdf", html, "application/pdf", "", false},
		{"application/rss+xml", "<rss/>", "application/rss+xml", "", false},
		{"text/<b>", html, "text/html", "", false},
		{"text/" + strings.Repeat("x", 200), html, "text/html", "", false},
	} {
		media, charset, differs := mediaType(c.declared, []byte(c.body))
		if media != c.media || charset != c.charset || differs != c.differs {
			t.Errorf("%.60q on %.20q: got %s, %q, %v; want %s, %q, %v", c.declared, c.body, media, charset, differs, c.media, c.charset, c.differs)
		}
	}
}

func TestHeadersKeepNoSecrets(t *testing.T) {
	h := http.Header{
		"Content-Type": {"text/html"},
		"Link":         {`<https://u:hunter2@x.example/a?b=c&access_token=hunter2&d=e>; rel="next"`, `<//u:hunter2@x.example/>; rel=canonical`},
		"Server":       {strings.Repeat("é", 2000)},
		"Set-Cookie":   {"a=hunter2"},
		"X-Own":        {"v"},
		"X-Robots-Tag": {"noindex", "bot: nofollow"},
		"Refresh":      {"9; url=/x?TOKEN=hunter2"},
		"Vary":         {"a\xffb"},
	}
	got := headers(h)
	for name, want := range map[string]string{
		"content-type": "text/html",
		"link":         `<https://x.example/a?b=c&access_token=[removed]&d=e>; rel="next", <//x.example/>; rel=canonical`,
		"x-robots-tag": "noindex, bot: nofollow",
		"refresh":      "9; url=/x?TOKEN=[removed]",
		"vary":         "a\uFFFDb",
	} {
		if got[name] != want {
			t.Errorf("%s: got %q, want %q", name, got[name], want)
		}
	}
	if len(got["server"]) > maxValue || !utf8.ValidString(got["server"]) || len(got) != 6 {
		t.Errorf("got %d headers, server has %d bytes", len(got), len(got["server"]))
	}
	if headers(http.Header{"X-Own": {"v"}}) != nil {
		t.Error("no header kept is not nil")
	}
}

func TestWithoutUser(t *testing.T) {
	for url, want := range map[string]string{
		"http://u:p@h/": "http://h/", "http://u@h": "http://h", "http://u@v@h/x@y": "http://h/x@y", "http://h/@": "http://h/@", "http://h?a=b@c": "http://h?a=b@c",
		"http://h": "http://h", "stdin:": "stdin:",
	} {
		if got := text.WithoutUser(url); got != want {
			t.Errorf("%s: got %s", url, got)
		}
	}
}

// Removing secrets twice is removing them once, and no password survives.
func FuzzScrub(f *testing.F) {
	for _, s := range []string{"", "https://u:p@h/?token=x&y", "<//a@b>;sig=1", "?token=?token=x", "//a//b@c", "http://h/?a=//u:p@h", "?sig=#token=x", "?key=[removed]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := scrub(s)
		if again := scrub(once); again != once {
			t.Errorf("%q becomes %q, then %q", s, once, again)
		}
		marked := scrub("https://u:hunter2@h.example/p?token=hunter2&a=" + strings.ReplaceAll(s, "hunter2", ""))
		if strings.Contains(marked, "hunter2") {
			t.Errorf("%q keeps a secret: %q", s, marked)
		}
	})
}

func FuzzParsers(f *testing.F) {
	for _, s := range []string{"0;url=/x", "12", "Sun, 01 Mar 2026 12:00:30 GMT", "text/html; charset=x", "<html>", "%PDF-"} {
		f.Add(s)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		if target, ok := refresh(s); ok != (target != "") {
			t.Errorf("refresh gives %q, %v", target, ok)
		}
		if d, _ := retryAfter(s, now); d < 0 || d > maxAsked {
			t.Errorf("Retry-After gives %v", d)
		}
		media, charset, _ := mediaType(s, []byte(s))
		if len(s) > 0 && !wellFormed(media) {
			t.Errorf("media type %q", media)
		}
		_ = charset
		otherScheme(s)
	})
}
