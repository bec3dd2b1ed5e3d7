package crawl

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func gzipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

func half(s string) string { return s[:len(s)/2] }

func manyURLs(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<url><loc>http://h/%d</loc></url>", i)
	}
	return b.String()
}

func inUTF16(s string) string {
	b := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func readSitemap(body string) (locs []string, info SitemapInfo, err error) {
	info, err = ParseSitemap(context.Background(), []byte(body), func(e SitemapEntry) bool {
		locs = append(locs, strings.TrimSpace(e.Loc+" "+formatDay(e.LastMod)))
		return true
	}, func(e SitemapEntry) bool {
		locs = append(locs, "index "+e.Loc)
		return true
	})
	return locs, info, err
}

func formatDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func TestParseSitemap(t *testing.T) {
	const xmlHead = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	for _, c := range []struct {
		name, body string
		want       []string
		info       SitemapInfo // Entries is filled in
	}{
		{"plain", xmlHead + `<url><loc> http://h/a </loc><lastmod>2024-03-05</lastmod></url><url><loc>http://h/b?x=1&amp;y=2</loc></url></urlset>`,
			[]string{"http://h/a 2024-03-05T00:00:00Z", "http://h/b?x=1&y=2"}, SitemapInfo{}},
		{"an index", `<sitemapindex><sitemap><loc>http://h/1.xml</loc></sitemap><sitemap><loc>http://h/2.xml.gz</loc></sitemap></sitemapindex>`,
			[]string{"index http://h/1.xml", "index http://h/2.xml.gz"}, SitemapInfo{Index: true}},
		{"gzip", gzipped(xmlHead + `<url><loc>http://h/a</loc></url></urlset>`), []string{"http://h/a"}, SitemapInfo{}},
		{"text", "http://h/a\r\nhttps://h/b\n\n  http://h/c  \nrubbish\n", []string{"http://h/a", "https://h/b", "http://h/c"}, SitemapInfo{Text: true}},
		{"text with a byte order mark", "\xef\xbb\xbfhttp://h/a\n", []string{"http://h/a"}, SitemapInfo{Text: true}},
		{"gzipped text", gzipped("http://h/a"), []string{"http://h/a"}, SitemapInfo{Text: true}},
		{"prefixes", `<s:urlset xmlns:s="x" xmlns:image="i"><s:url><s:loc>http://h/a</s:loc><image:image><image:loc>http://h/a.png</image:loc></image:image></s:url></s:urlset>`,
			[]string{"http://h/a"}, SitemapInfo{}},
		{"an image's address does not replace the page's", xmlHead + `<url><image><loc>http://h/a.png</loc></image><loc>http://h/a</loc></url></urlset>`, []string{"http://h/a"}, SitemapInfo{}},
		{"CDATA", xmlHead + `<url><loc><![CDATA[http://h/a?b&c]]></loc></url></urlset>`, []string{"http://h/a?b&c"}, SitemapInfo{}},
		{"a bare ampersand", xmlHead + `<url><loc>http://h/a?b&c</loc></url></urlset>`, []string{"http://h/a?b&c"}, SitemapInfo{}},
		{"capitals", `<URLSET><URL><LOC>http://h/a</LOC></URL></URLSET>`, []string{"http://h/a"}, SitemapInfo{}},
		{"comments and leading space", "\n <!-- x --> " + `<urlset><!-- y --><url><loc>http://<!-- z -->h/a</loc></url></urlset>`, []string{"http://h/a"}, SitemapInfo{}},
		{"no loc", xmlHead + `<url><lastmod>2024</lastmod></url><url><loc></loc></url><url><loc>http://h/a</loc></url></urlset>`, []string{"http://h/a"}, SitemapInfo{}},
		{"breaks off", xmlHead + `<url><loc>http://h/a</loc></url><url><loc>http://h/b`, []string{"http://h/a"}, SitemapInfo{Broken: true}},
		{"gzip breaks off", half(gzipped(xmlHead + manyURLs(2000))), nil, SitemapInfo{Broken: true}},
		{"a stray end", xmlHead + `<url><loc>http://h/a</loc></b></url></urlset>`, []string{"http://h/a"}, SitemapInfo{Broken: true}},
		{"empty", xmlHead + `</urlset>`, nil, SitemapInfo{}},
		{"Latin-1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><urlset><url><loc>http://h/caf\xe9</loc></url></urlset>", []string{"http://h/café"}, SitemapInfo{}},
		{"UTF-16", inUTF16(`<?xml version="1.0" encoding="UTF-16"?><urlset><url><loc>http://h/ü</loc></url></urlset>`), []string{"http://h/ü"}, SitemapInfo{}},
		{"entities are not expanded", `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><urlset><url><loc>http://h/&b;</loc></url></urlset>`, []string{"http://h/&b;"}, SitemapInfo{}},
		{"deep nesting ends the reading", `<urlset><url><loc>http://h/a</loc></url><url>` + strings.Repeat("<x>", 100_000), []string{"http://h/a"}, SitemapInfo{Broken: true}},
		{"an address that is far too long", xmlHead + `<url><loc>http://h/` + strings.Repeat("a", 100_000) + `</loc></url><url><loc>http://h/b</loc></url></urlset>`, []string{"http://h/b"}, SitemapInfo{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			locs, info, err := readSitemap(c.body)
			if err != nil {
				t.Fatal(err)
			}
			c.info.Entries = len(c.want)
			// how much comes out before the break is not ours to say
			if c.name == "gzip breaks off" {
				if len(locs) < 100 || len(locs) > 1900 || locs[99] != "http://h/99" {
					t.Errorf("%d addresses", len(locs))
				}
				locs, c.info.Entries = nil, info.Entries
			}
			if diff := cmp.Diff(c.want, locs); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.info, info); diff != "" {
				t.Error(diff)
			}
		})
	}
	for name, body := range map[string]string{
		"nothing": "", "a web page": "<!doctype html><html><body>not found", "a feed": `<rss><channel/></rss>`, "prose": "not found, sorry",
		"an image": "\x89PNG\r\n\x1a\n\x00\x00", "broken gzip": "\x1f\x8b\x00", "white space": " \n ",
	} {
		if locs, _, err := readSitemap(body); wstk.CodeOf(err) != wstk.Unprocessable ||
			locs != nil {
			t.Errorf("%s: %v, %v; want wstk.CodeOf(err) == wstk.Unprocessable && locs == nil", name, locs, err)
		}
	}
}

func TestParseSitemapBounds(t *testing.T) {
	if locs, info, err := readSitemap("<urlset>" + manyURLs(maxSitemapURLs+10) +
		"</urlset>"); err != nil || len(locs) != maxSitemapURLs || !info.Truncated {
		t.Errorf("%d addresses, %+v, %v", len(locs), info, err)
	}
	if locs, info, err := readSitemap(strings.Repeat("http://h/\n",
		maxSitemapURLs+10)); err != nil || len(locs) != maxSitemapURLs || !info.Truncated {
		t.Errorf("%d addresses, %+v, %v", len(locs), info, err)
	}
	// 60 MiB in 60 KiB.
	bomb := gzipped("http://h/a\n" + strings.Repeat(strings.Repeat("x", 60<<10)+"\n", 1<<10))
	if locs, info, err := readSitemap(bomb); err != nil || len(locs) != 1 || !info.Truncated {
		t.Errorf("%v, %+v, %v; want err == nil && len(locs) == 1 && info.Truncated", locs, info, err)
	}
	stop := 0
	if info, err := ParseSitemap(context.Background(),
		[]byte("http://h/a\nhttp://h/b\nhttp://h/c\n"),
		func(SitemapEntry) bool { stop++; return stop < 2 }, nil); err != nil || stop != 2 ||
		info.Entries != 2 {
		t.Errorf("read %d after stopping, %+v", stop, info)
	}
}

// TestSitemapBombs: files made to cost the most take a bounded memory, in bytes that are
// counted, and end with their time.
func TestSitemapBombs(t *testing.T) {
	const size = 64 << 20 // beyond what is unpacked
	unpacked := func(head, line string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(head))
		chunk := []byte(strings.Repeat(line, 1<<20/len(line)))
		for range size / len(chunk) {
			z.Write(chunk)
		}
		z.Close()
		return b.Bytes()
	}
	const head = "<urlset><url><loc>http://h/a</loc></url>"
	for name, c := range map[string]struct {
		body   []byte
		memory uint64 // bytes allocated in all
	}{
		"addresses":             {unpacked("<urlset>", "<url><loc>http://h/a</loc></url>"), 128 << 20},
		"one long address":      {unpacked(head+"<url><loc>http://h/", "aaaaaaaa"), 512 << 20},
		"one long comment":      {unpacked(head+"<!--", "aaaaaaaa"), 512 << 20},
		"deep elements":         {unpacked(head, "<a>"), 1 << 20},
		"elements side by side": {unpacked(head, "<a/>"), 2 << 30},
		"text":                  {unpacked("http://h/a\n", "aaaaaaaa"), 1 << 20},
	} {
		entries := 0
		count := func(SitemapEntry) bool { entries++; return true }
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		whole := &wstktest.Countdown{Context: t.Context(), Left: 1 << 30}
		info, err := ParseSitemap(whole, c.body, count, nil)
		runtime.ReadMemStats(&after)
		if err != nil || entries == 0 || entries > maxSitemapURLs ||
			!info.Truncated && !info.Broken {
			t.Errorf("%s: %d entries, %+v, %v", name, entries, info, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > c.memory {
			t.Errorf("%s: %d MiB were allocated", name, got>>20)
		}
		looks := 1<<30 - whole.Left
		if _, err := ParseSitemap(&wstktest.Countdown{Context: t.Context(), Left: looks / 2},
			c.body, count, nil); wstk.CodeOf(err) != wstk.Cancelled {
			t.Errorf("%s: ended after %d looks of %d: %v", name, looks/2, looks, err)
		}
	}
}

func TestParseLastMod(t *testing.T) {
	for in, want := range map[string]string{
		"2024": "2024-01-01T00:00:00Z", "2024-03": "2024-03-01T00:00:00Z", "2024-03-05": "2024-03-05T00:00:00Z",
		"2024-03-05T10:20Z": "2024-03-05T10:20:00Z", "2024-03-05T10:20+02:00": "2024-03-05T08:20:00Z",
		"2024-03-05T10:20:30Z": "2024-03-05T10:20:30Z", "2024-03-05T10:20:30-05:00": "2024-03-05T15:20:30Z",
		"2024-03-05T10:20:30.45+01:00": "2024-03-05T09:20:30Z", "2024-03-05T10:20:30+0100": "2024-03-05T09:20:30Z",
		" 2024-03-05 10:20:30 ": "2024-03-05T10:20:30Z", "2024-03-05T10:20:30": "2024-03-05T10:20:30Z",
		"Tue, 05 Mar 2024 10:20:30 GMT": "2024-03-05T10:20:30Z",
		"":                              "", "yesterday": "", "0000-00-00": "", "0001-01-01": "", "2024-13-01": "",
	} {
		got, ok := parseLastMod(in)
		if formatDay(got) != want && !(want == "" && !ok) {
			t.Errorf("%q is %s (%v), want %s", in, formatDay(got), ok, want)
		}
	}
}

func FuzzParseSitemap(f *testing.F) {
	f.Add([]byte("<urlset><url><loc>http://h/a</loc><lastmod>2024</lastmod></url></urlset>"))
	f.Add([]byte("http://h/a\nhttp://h/b"))
	f.Add([]byte(gzipped("<sitemapindex><sitemap><loc>x://y</loc></sitemap>")))
	f.Add([]byte("<urlset></x><url></urlset><url>"))
	f.Add([]byte("\xff\xfe<\x00u\x00"))
	f.Fuzz(func(t *testing.T, body []byte) {
		n := 0
		count := func(e SitemapEntry) bool {
			n++
			if e.Loc == "" || len(e.Loc) > maxSitemapLoc {
				t.Errorf("entry %q", e.Loc)
			}
			return true
		}
		info, err := ParseSitemap(t.Context(), body, count, count)
		if info.Entries != n || err != nil && wstk.CodeOf(err) != wstk.Unprocessable {
			t.Errorf("%d entries, info says %d, %v", n, info.Entries, err)
		}
	})
}
