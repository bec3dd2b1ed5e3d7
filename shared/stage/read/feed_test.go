package read

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
)

func readFeed(t *testing.T, kind, src string) *wstk.Document {
	t.Helper()
	d := readBody(t, "https://news.example/blog/feed.xml", kind, []byte(src))
	checkDocument(t, d)
	return d
}

const rss = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel><title>Pump &amp; Valve News</title><link>https://news.example/</link><description>All about pumps</description><language>en-GB</language>
<atom:link href="https://news.example/blog/feed.xml" rel="self"/><lastBuildDate>Tue, 03 Feb 2026 10:00:00 GMT</lastBuildDate>
<item><title>First &lt;b&gt;pump&lt;/b&gt;</title><link>/posts/1</link><pubDate>Mon, 02 Feb 2026 09:00:00 +0100</pubDate><dc:creator><![CDATA[Ada Example]]></dc:creator>
<description>Short words.</description><content:encoded><![CDATA[<p>The first pump weighs <b>7 kg</b>.</p><h2>Use</h2><pre><code class="language-sh">pump --fast</code></pre><p style="display:none">ignore all</p><p>See <a href="details.html">details</a>.</p>]]></content:encoded>
<media:title>Another title</media:title></item>
<item><description>A note without a title, of which the beginning is its name.</description><guid>https://news.example/notes/2</guid></item>
</channel></rss>`

func TestRSS(t *testing.T) {
	d := readFeed(t, "application/rss+xml", rss)
	if d.Reader != "feed/3" || d.Meta.Type != "feed" || d.Meta.Title != "Pump & Valve News" ||
		d.Meta.Language != "en-gb" && d.Meta.Language != "en-GB" || d.Meta.ModifiedAt == nil {
		t.Errorf("%s %+v", d.Reader, d.Meta)
	}
	want := "Pump & Valve News\nAll about pumps\nFirst pump\nMon, 02 Feb 2026 09:00:00 +0100\nAda Example\nThe first pump weighs 7 kg.\nUse\npump --fast\nSee details.\n" +
		"A note without a title, of which the beginning is its name.\nA note without a title, of which the beginning is its name."
	if d.Text != want {
		t.Errorf("text %q", d.Text)
	}
	if len(d.Sections) != 4 || strings.Join(d.SectionPath(2), "/") != "Pump & Valve News/First pump/Use" {
		t.Errorf("sections %+v", d.Sections)
	}
	var urls []string
	for _, l := range d.Links {
		urls = append(urls, l.URL)
	}
	if got := strings.Join(urls, " "); got != "https://news.example/ https://news.example/posts/1 https://news.example/blog/details.html https://news.example/notes/2" {
		t.Errorf("links %s", got)
	}
	if !strings.Contains(d.Markdown, "- [First pump](https://news.example/posts/1), Mon, 02 Feb 2026 09:00:00 +0100, Ada Example\n\n  The first pump weighs **7 kg**.") || !strings.Contains(d.Markdown, "\n  ```sh\n  pump --fast\n  ```") {
		t.Errorf("Markdown %s", d.Markdown)
	}
	if len(d.Hidden) != 1 {
		t.Errorf("hidden %+v", d.Hidden)
	}
}

func TestAtom(t *testing.T) {
	d := readFeed(t, "application/atom+xml",
		`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de" xml:base="https://cdn.example/a/"><title type="text">A &lt; B</title><updated>2026-02-03T10:00:00Z</updated>
<author><name>Ada Example</name><uri>https://ada.example/</uri></author>
<entry xml:base="b/"><title type="html">Tom &amp;amp; Ann</title><link rel="alternate" href="one.html"/><id>tag:x,2026:1</id><updated>2026-02-02T10:00:00Z</updated><author><email>x@example.org</email><name>Bo</name></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Ein <em>Satz</em> &amp; mehr. <a href="two.html">zwei</a></p></div></content></entry></feed>`)
	if d.Meta.Title != "A < B" || d.Meta.Author != "Ada Example" || d.Meta.Language != "de" {
		t.Errorf("%+v", d.Meta)
	}
	if d.Text != "A < B\nTom & Ann\n2026-02-02T10:00:00Z\nBo\nEin Satz & mehr. zwei" {
		t.Errorf("%q", d.Text)
	}
	if len(d.Links) != 2 || d.Links[0].URL != "https://cdn.example/a/b/one.html" || d.Links[1].URL != "https://cdn.example/a/b/two.html" {
		t.Errorf("%+v", d.Links)
	}
}

func TestOtherFeeds(t *testing.T) {
	for name, src := range map[string]string{
		"RDF":  `<?xml version="1.0" encoding="iso-8859-1"?><rdf:RDF xmlns:rdf="x" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="x"><title>Caf` + "\xe9" + `</title></channel><item><title>One</title><link>https://a.example/1</link><description>Text</description></item></rdf:RDF>`,
		"JSON": `{"version": "https://jsonfeed.org/version/1.1", "title": "Café", "items": [{"id": 7, "title": "One", "url": "https://a.example/1", "content_html": "<p>Text</p>"}]}`,
	} {
		kind := "text/xml"
		if name == "JSON" {
			kind = "application/feed+json"
		}
		d := readFeed(t, kind, src)
		if d.Text != "Café\nOne\nText" || d.Meta.Type != "feed" || len(d.Links) != 1 || d.Links[0].URL != "https://a.example/1" {
			t.Errorf("%s: %q %+v", name, d.Text, d.Links)
		}
	}
	for name, src := range map[string]string{
		"sitemap": `<?xml version="1.0"?><urlset><url><loc>https://a.example/</loc></url></urlset>`,
		"no feed": `<?xml version="1.0"?><rss><p>words</p></rss>`,
	} {
		if d := readFeed(t, "text/xml", src); d.Reader != "xml/2" {
			t.Errorf("%s is read as %s", name, d.Reader)
		}
	}
}

func TestHostileFeeds(t *testing.T) {
	laughs := `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><rss><channel><title>T</title><item><title>x &b; &c; y</title></item></channel></rss>`
	d := readFeed(t, "text/xml", laughs)
	if strings.Contains(d.Text, "haha") || strings.Contains(d.Text, "root:") || !strings.Contains(d.Text, "x ") {
		t.Errorf("%q", d.Text)
	}
	d = readFeed(t, "text/xml", "<rss><channel><title>T</title>"+strings.Repeat("<item><title>x</title><description>&lt;p&gt;y", 200_000))
	if len(d.Warnings) != 1 || d.Warnings[0].Code != "xml_broken" {
		t.Errorf("items in items: %+v", d.Warnings)
	}
	d = readFeed(t, "text/xml", "<rss><channel><title>T</title>"+strings.Repeat("<item><title>x</title><description>&lt;p&gt;y</description></item>", 50_000)+"</channel></rss>")
	if len(d.Warnings) != 1 || d.Warnings[0].Code != "feed_cut" || len(d.Blocks) != 2*maxEntries+1 {
		t.Errorf("%d blocks, %+v", len(d.Blocks), d.Warnings)
	}
	readFeed(t, "text/xml", "<rss><channel><title>T</title><item><title>x</title><description>"+strings.Repeat("<b>", 200_000))
	d = readFeed(t, "text/xml", "<rss><channel><title>T</title><item><title>cut off in the mid")
	if !strings.Contains(d.Text, "T") {
		t.Errorf("%q", d.Text)
	}
}
