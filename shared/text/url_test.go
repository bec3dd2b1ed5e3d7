package text

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// D9: addresses are canonical, without trackers; a trailing slash stays.
func TestCanonical(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		// the standard's own work
		{"HTTP://Example.COM:80/A/../b/./c", "http://example.com/b/c"},
		{"https://example.com:443", "https://example.com/"},
		{"https://example.com:8443/x", "https://example.com:8443/x"},
		{"http://example.com\\a\\b", "http://example.com/a/b"},
		{"  http://example.com/\ta\n ", "http://example.com/a"},
		{"http://b\u00fccher.example/stra\u00dfe", "http://xn--bcher-kva.example/stra%C3%9Fe"},
		{"http://例え.jp/頁", "http://xn--r8jz45g.jp/%E9%A0%81"},
		{"http://0x7f.1/", "http://127.0.0.1/"},
		{"http://2130706433/", "http://127.0.0.1/"},
		{"http://[::1]:80/", "http://[::1]/"},
		{"http://example.com/a b", "http://example.com/a%20b"},
		// escapes
		{"http://example.com/%7euser/%41%2d%5F", "http://example.com/~user/A-_"},
		{"http://example.com/a%2fb%3f%25", "http://example.com/a%2Fb%3F%25"},
		{"http://example.com/%c3%a9", "http://example.com/%C3%A9"},
		{"http://example.com/%2e%2E/x", "http://example.com/x"},
		{"http://example.com/a/%2e%2e%2fb", "http://example.com/a/..%2Fb"},
		{"http://example.com/%%34%31", "http://example.com/%%341"},
		{"http://example.com/%4%31", "http://example.com/%4%31"},
		{"http://example.com/%zz%", "http://example.com/%zz%"},
		{"http://example.com/%2541", "http://example.com/%2541"},
		{"http://example.com/?q=%7Ea%2bb+c", "http://example.com/?q=~a%2Bb+c"},
		// fragment, empty query, trailing dot
		{"http://example.com/a#b", "http://example.com/a"},
		{"http://example.com/a?", "http://example.com/a"},
		{"http://example.com/a?#x?y", "http://example.com/a"},
		{"http://example.com./a", "http://example.com/a"},
		{"http://example.com.:8080/a", "http://example.com:8080/a"},
		{"http://127.0.0.1./", "http://127.0.0.1/"},
		// trackers
		{"http://example.com/?utm_source=x&utm_medium=y", "http://example.com/"},
		{"http://example.com/?a=1&UTM_Campaign=x&b=2&fbclid=IwAR0", "http://example.com/?a=1&b=2"},
		{"http://example.com/?utm%5Fsource=x&a=1", "http://example.com/?a=1"},
		{"http://example.com/?gclid", "http://example.com/"},
		{"http://example.com/?mc_cid=1&ScCid=2&a", "http://example.com/?a"},
		{"http://example.com/?utm_a_very_long_name_indeed_it_is=1&z", "http://example.com/?z"},
		{"http://example.com/?ga_source=a&ga_campaign=b&gs_l=hp..1&q=x", "http://example.com/?q=x"},
		{"http://example.com/?hmb_medium=a&otm_source=b&wt_zmc=c&WT_mc_id=d&p=1", "http://example.com/?p=1"},
		{"http://example.com/?s_cid=a&spm=a2g0o.home&__s=b&cmpid=c&p=1", "http://example.com/?p=1"},
		{"http://example.com/story?Echobox=1699999999&itm_source=a&vn_medium=b", "http://example.com/story"},
		// content stays
		{"http://example.com/?ga=1&gs=2&wt=3&vn=4&ga_=5&itm=6&cmp=7&s=8", "http://example.com/?ga=1&gs=2&wt=3&vn=4&ga_=5&itm=6&cmp=7&s=8"},
		{"http://example.com/?game_id=1&vno_=2&items_a=3&weight_=4", "http://example.com/?game_id=1&vno_=2&items_a=3&weight_=4"},
		{"http://example.com/?ref=a&source=b&id=1&cid=2&page=3", "http://example.com/?ref=a&source=b&id=1&cid=2&page=3"},
		{"http://example.com/?q=utm_source", "http://example.com/?q=utm_source"},
		{"http://example.com/?b=2&a=1&b=1", "http://example.com/?b=2&a=1&b=1"},
		{"http://example.com/?a=&&b", "http://example.com/?a=&&b"},
		{"http://www.example.com//a//B/", "http://www.example.com//a//B/"},
		{"http://example.com/x/", "http://example.com/x/"},
		{"http://example.com/a;jsessionid=1", "http://example.com/a"},
		{"http://u:p@example.com/", "http://u:p@example.com/"},
		{"http://@example.com/", "http://example.com/"},
	} {
		got, err := Canonical(c.in)
		if err != nil || got != c.want {
			t.Errorf("Canonical(%q) = %q, %v, want %q", c.in, got, err, c.want)
		}
		if again, err := Canonical(got); err != nil || again != got {
			t.Errorf("Canonical(%q) again = %q, %v", got, again, err)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for _, in := range []string{
		"", "x", "/a", "//example.com/", "example.com", "http://", "http:///", "https://?q", "http://.", "http://a..",
		"ftp://example.com/", "javascript:alert(1)", "JavaScript:alert(1)", "java\nscript:alert(1)", "data:text/plain,x",
		"mailto:a@example.com", "file:///etc/passwd", "http://exa mple.com/", "http://example.com:99999/",
		"http://[::1/", "http://256.256.256.256/", "http://a%00b/", "http://" + strings.Repeat("a", maxURL),
	} {
		if got, err := Canonical(in); err == nil {
			t.Errorf("Canonical(%.60q) = %q, want an error", in, got)
		}
	}
}

func TestResolve(t *testing.T) {
	const base = "https://example.com/docs/a/b.html?x=1#top"
	for _, c := range []struct{ ref, want string }{
		{"c.html", "https://example.com/docs/a/c.html"},
		{"../c.html#sec", "https://example.com/docs/c.html"},
		{"/c", "https://example.com/c"},
		{"//other.example/c", "https://other.example/c"},
		{"?y=2", "https://example.com/docs/a/b.html?y=2"},
		{"#frag", "https://example.com/docs/a/b.html?x=1"},
		{"", "https://example.com/docs/a/b.html?x=1"},
		{"../../../../../c", "https://example.com/c"},
		{"c d?utm_source=1", "https://example.com/docs/a/c%20d"},
		{"http:c", "http://c/"},
		{"https:c", "https://example.com/docs/a/c"},
		{"a:b", ""},
		{"mailto:x@example.com", ""},
		{"tel:+1", ""},
	} {
		got, err := Resolve(base, c.ref)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("Resolve(%q) = %q, %v, want %q", c.ref, got, err, c.want)
		}
	}
}

func TestHostKey(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"http://example.com/", "http://example.com:80"},
		{"https://example.com/a?b", "https://example.com:443"},
		{"https://example.com:8443/a", "https://example.com:8443"},
		{"http://[::1]/", "http://[::1]:80"},
		{"http://[::1]:99/", "http://[::1]:99"},
		{"http://u:p@example.com:81/", "http://example.com:81"},
		{"HTTP://Example.com", "http://example.com:80"},
		{"http://example.com./", "http://example.com:80"},
		{"ftp://example.com/", ""},
		{"nonsense", ""},
		{"", ""},
	} {
		if got := HostKey(c.in); got != c.want {
			t.Errorf("HostKey(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestFragmentLink(t *testing.T) {
	const u = "https://example.com/a"
	long := "The quick brown fox jumps over the lazy dog while seven wizards brew a potion that nobody in the village wants to taste."
	for _, c := range []struct{ url, quote, want string }{
		{u, "plain words", u + "#:~:text=plain%20words"},
		{u, "a-b, c & d", u + "#:~:text=a%2Db%2C%20c%20%26%20d"},
		{u, " white \u00a0 space ", u + "#:~:text=white%20space"},
		{u + "#sec", "x", u + "#sec:~:text=x"},
		{u + "#sec:~:text=old", "x", u + "#sec:~:text=x"},
		{u, "", u},
		{u, long, u + "#:~:text=The%20quick%20brown%20fox%20jumps%20over%20the%20lazy,nobody%20in%20the%20village%20wants%20to%20taste."},
		{u, "Name\tYear\t2004", u + "#:~:text=Name,2004"},
		{u, "first line\nsecond line", u + "#:~:text=first%20line,second%20line"},
		{u, "東京は日本の首都です。", u + "#:~:text=" + url.PathEscape("東京は日本の首都です。")},
	} {
		if got := FragmentLink(c.url, c.quote); got != c.want {
			t.Errorf("FragmentLink(%q) =\n%s, want\n%s", c.quote, got, c.want)
		}
	}
	// A long Chinese quote is cut at punctuation only.
	zh := strings.Repeat("我们在这里讨论一个很长的句子，", 10) + "完。"
	got := FragmentLink(u, zh)
	dec, err := url.PathUnescape(got[strings.Index(got, "text=")+5:])
	if err != nil {
		t.Fatal(err)
	}
	start, end, ok := strings.Cut(dec, ",")
	if !ok || !strings.HasPrefix(zh, start) || !strings.HasSuffix(zh, end) ||
		utf8.RuneCountInString(start) > 60 {
		t.Errorf("Chinese quote gives start %q end %q", start, end)
	}
	// Without any place to cut, the quote is whole.
	solid := strings.Repeat("字", 150)
	if got := FragmentLink(u, solid); strings.Contains(got, ",") ||
		!strings.Contains(got, url.PathEscape(solid)) {
		t.Errorf("uncuttable quote gives %s", got)
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{"http://example.com/%%34%31", "http://a../", "https://u:p@h:1/?utm_x=&a=%c3#f", "http://ex%41mple.com/;a?b;c",
		"http://xn--a/", "http://a/?&&", "http://a/\\..\\%2e", "http://[1::]/?'", "http://1.2.3.4.", "http:\\\\x\\y", "http://a/\xff%ff", "http:0?%?"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Canonical(s)
		if err != nil {
			return
		}
		again, err := Canonical(c)
		if err != nil || again != c {
			t.Fatalf("Canonical(%q) = %q, then %q, %v", s, c, again, err)
		}
		if !strings.HasPrefix(c, "http://") && !strings.HasPrefix(c, "https://") ||
			strings.Contains(c, "#") || strings.HasSuffix(c, "?") && strings.Count(c, "?") == 1 {
			t.Fatalf("Canonical(%q) = %q", s, c)
		}
		if k := HostKey(c); k == "" || HostKey(k) != k {
			t.Fatalf("HostKey(%q) = %q", c, k)
		}
		if r, err := Resolve(c, ""); err != nil || r != c {
			t.Fatalf("Resolve(%q, \"\") = %q, %v", c, r, err)
		}
	})
}

func FuzzFragmentLink(f *testing.F) {
	f.Add("a-b,c&d", 3)
	f.Add("x\ty\xff", 40)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n > 0 && n < 50 && len(s) < 100 {
			s = strings.Repeat(s, n)
		}
		link := FragmentLink("https://example.com/", s)
		for i := 0; i < len(link); i++ {
			if link[i] <= ' ' || link[i] >= 0x7f {
				t.Fatalf("FragmentLink(%q) = %q", s, link)
			}
		}
		if i := strings.Index(link, "text="); i >= 0 && strings.ContainsAny(link[i+5:], "-&#") {
			t.Fatalf("FragmentLink(%q) = %q", s, link)
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	for b.Loop() {
		if _, err := Resolve("https://example.com/docs/current/index.html", "../lang/select.html?utm_source=x#y"); err != nil {
			b.Fatal(err)
		}
	}
}
