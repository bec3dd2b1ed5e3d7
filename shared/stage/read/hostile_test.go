package read

import (
	"fmt"
	"strings"
	"testing"
)

// hostilePages are built to make a reader slow, large or crash. Each takes
// quadratic time or more in a reader that is careless about one thing.
func hostilePages() map[string]string {
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	pages := map[string]string{
		"deep divisions":       strings.Repeat("<div>", 100_000) + "the bottom" + strings.Repeat("</div>", 100_000),
		"deep lists":           strings.Repeat("<ul><li>", 50_000) + "the bottom",
		"deep spans and text":  strings.Repeat("<span>x", 100_000) + "the bottom",
		"deep tables":          strings.Repeat("<table><tr><td>", 30_000) + "the bottom",
		"deep text after":      strings.Repeat("<div>a<b>", 20_000) + "the bottom" + strings.Repeat("</b>z</div>", 20_000),
		"one long line":        "<p>" + strings.Repeat("word ", 1_000_000) + "the bottom",
		"one long word":        "<p>" + strings.Repeat("x", 3_000_000) + " the bottom",
		"flat paragraphs":      strings.Repeat("<p>word</p>", 200_000) + "the bottom",
		"flat links":           numbered(60_000, "<a href=/%d>word</a> ") + "the bottom",
		"flat rows":            "<table>" + strings.Repeat("<tr><td>a<td>b", 50_000) + "</table>the bottom",
		"spanning rows":        "<table>" + strings.Repeat("<tr><td rowspan=65534 colspan=1000>a", 5_000) + "</table>the bottom",
		"left open formatting": "<div>" + numbered(250, "<font size=%d>") + "</div>" + strings.Repeat("<div>x</div>", 300_000) + "the bottom",
		"roots":                numbered(100_000, "<html a%d=1>") + "the bottom",
		"attributes":           "<p " + numbered(100_000, "a%d=1 ") + ">the bottom",
		"classes":              "<p class='" + numbered(200_000, "c%d ") + "'>the bottom",
		"style rules": "<style>" + strings.Repeat(".x .x .x .x .x{display:none}", 20_000) +
			"</style>" + strings.Repeat("<div class=x>", 300) + strings.Repeat("<p class=y>a</p>", 50_000) + strings.Repeat("</div>", 300) + "the bottom",
		"rules and elements": "<style>" + strings.Repeat(".x{color:red}", 20_000) + "</style>" + strings.Repeat("<p class=x>a</p>", 50_000) + "the bottom",
		"nested style":       "<style>" + strings.Repeat("@media screen{", 50_000) + "</style>the bottom",
		"styles":             strings.Repeat("<p style='display:block;color:red;background:blue'>a</p>", 50_000) + "the bottom",
		"broken JSON":        strings.Repeat(`<script type="application/ld+json">{"a":[`+strings.Repeat("[", 200)+`</script>`, 2_000) + "the bottom",
		"large JSON":         `<script type="application/ld+json">{` + strings.TrimSuffix(numbered(100_000, `"k%d":1,`), ",") + `}</script>the bottom`,
		"items in items":     strings.Repeat("<div itemscope itemprop=a>", 5_000) + "the bottom",
		"items that refer":   numbered(300, "<div itemscope itemref='"+numbered(50, "i%d ")+"' id=i%[1]d><b itemprop=x>1</b></div>") + "the bottom",
		"anchors in anchors": strings.Repeat("<a href=x>", 100_000) + "the bottom",
		"same blocks":        strings.Repeat("<p>the very same words again</p>", 60_000) + "the bottom",
		"noscripts":          strings.Repeat("<noscript><p>x</noscript>", 20_000),
		"options":            "<select>" + strings.Repeat("<option>x", 100_000) + "</select>the bottom",
		"breaks":             strings.Repeat("a<br>", 200_000) + "the bottom",
		"headings":           strings.Repeat("<h1>a</h1><h2>b</h2><h3>c</h3>", 20_000) + "the bottom",
		"code":               "<pre>" + strings.Repeat("<span class=k>x</span>\n", 100_000) + "the bottom</pre>",
		"backticks":          "<pre>" + strings.Repeat("```\n", 100_000) + "the bottom</pre>",
		"comments":           strings.Repeat("<!-- x -->", 200_000) + "the bottom",
		"entities":           strings.Repeat("&amp;", 500_000) + " the bottom",
		"open brackets":      strings.Repeat("<", 1_000_000) + " the bottom",
		"drawings":           strings.Repeat("<svg><text>x</text></svg>", 50_000) + "the bottom",
		"lists in cells":     "<table>" + strings.Repeat("<tr><td>a<td><ul><li>b<li>c</ul>", 20_000) + "</table>the bottom",
		"bold in bold":       strings.Repeat("<b>", 400) + strings.Repeat("<p>x</p>", 30_000) + "the bottom",
	}
	return pages
}

// TestHostilePages reads pages that are built to overload it: each is read
// whole, within the time that a test has.
func TestHostilePages(t *testing.T) {
	for name, src := range hostilePages() {
		t.Run(name, func(t *testing.T) {
			d := readString(t, src)
			checkDocument(t, d)
			if name != "noscripts" && !strings.Contains(d.Text, "the bottom") {
				t.Errorf("the last words are lost: %d bytes of text, %d blocks", len(d.Text), len(d.Blocks))
			}
		})
	}
}

// TestDeepPageKeepsOrder: what the standard parser refuses still gives its
// blocks and links, in the order of the source.
func TestDeepPageKeepsOrder(t *testing.T) {
	src := "<title>Deep</title><h1>Top</h1>" + strings.Repeat("<div>", 2000) +
		`<p>First <a href="/one">link <b>one</b></a>.</p><ul><li>item one<li>item two</ul>` + strings.Repeat("<section>", 500) +
		"<p>inner</p>" + strings.Repeat("</section>", 500) + "after the sections" + strings.Repeat("</div>", 2000) + "<p>Last.</p>"
	d := readString(t, src)
	var got []string
	for i := range d.Blocks {
		got = append(got, d.BlockText(i))
	}
	want := "Top|First link one.|item one|item two|inner|after the sections|Last."
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("blocks are %q, want %q", s, want)
	}
	if len(d.Links) != 1 || d.Links[0].URL != "https://site.example/one" || d.Links[0].Text != "link one" {
		t.Errorf("links are %+v", d.Links)
	}
	if d.Meta.Title != "Deep" {
		t.Errorf("title is %q", d.Meta.Title)
	}
	if len(d.Warnings) != 1 || d.Warnings[0].Code != "lenient_parse" {
		t.Errorf("warnings are %+v", d.Warnings)
	}
}

// TestXHTMLIsReadAsAPage: a page written as XML hides what it hides whatever type
// it came with, and whatever stands before its root.
func TestXHTMLIsReadAsAPage(t *testing.T) {
	page := `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title><style>p { color: red }</style><script>var script = 1;</script></head>` +
		`<body><p>To be seen.</p><div style="display:none">unseen</div><script type="text/javascript" src="x.js"/><p>The end.</p></body></html>`
	starts := map[string]string{
		"declaration":  `<?xml version="1.0" encoding="UTF-8"?>` + "\n",
		"doctype":      `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x">`,
		"long comment": `<?xml version="1.0"?><!--` + strings.Repeat(" <rss> ", 1000) + `-->`,
	}
	for name, start := range starts {
		for _, kind := range []string{"", "text/xml", "application/xml", "application/octet-stream", "application/xhtml+xml", "application/x+xml"} {
			for _, wide := range []bool{false, true} {
				body := start + page
				if wide {
					body = "\xff\xfe" + strings.Join(strings.Split(strings.Replace(body, "UTF-8", "UTF-16", 1), ""), "\x00") + "\x00"
				}
				d := readBody(t, "https://site.example/page", kind, []byte(body))
				checkDocument(t, d)
				if d.Text != "To be seen.\nThe end." || d.Meta.Title != "T" {
					t.Errorf("%s as %q, UTF-16 %v: %q, title %q", name, kind, wide, d.Text, d.Meta.Title)
				}
			}
		}
	}
	if d := readBody(t, "https://site.example/feed", "text/xml", []byte(`<?xml version="1.0"?><rss><title>News</title><p>of html</p></rss>`)); d.Text != "News\nof html" {
		t.Errorf("a feed reads %q", d.Text)
	}
}
