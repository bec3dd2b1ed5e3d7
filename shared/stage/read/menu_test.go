package read

import (
	"fmt"
	"strings"
	"testing"
)

// The menu and the table of contents before the text of a manual's page are no main content;
// lists of links that are the content, and those that come after the text, are.
func TestMenusBeforeTheText(t *testing.T) {
	list := func(n int, href string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<li><a href=\""+href+"\">Kettle part %d</a></li>", i, i)
		}
		return "<ul>" + b.String() + "</ul>"
	}
	lines := strings.NewReplacer("<ul>", "", "</ul>", "", "<li>", "<div>", "</li>", "</div>")
	const here = `<ul><li><a href="kettles.html">Kettle part 0</a></li></ul>`
	prose := strings.Repeat("<p>A kettle boils water and switches itself off when the water boils, which saves power and time.</p>"+
		"<pre>boil --water 1l --until 100</pre><h2>More</h2>", 12)
	for _, c := range []struct {
		name, html string
		want       bool // the items are main content
	}{
		{"a menu", "<h1>Kettles</h1>" + list(20, "part%d.html") + prose, false},
		{"a table of contents", "<h1>Kettles</h1><details open><summary>Contents</summary>" + list(20, "#part%d") + "</details>" + prose, false},
		{"of absolute links", "<h1>Kettles</h1>" + list(20, "https://docs.example/api/part%d") + prose, false},
		{"both", "<h1>Kettles</h1>" + list(15, "part%d.html") + list(15, "#part%d") + prose, false},
		{"longer than the text, with the page itself", "<div>" + here + list(60, "part%d.html") +
			"</div><div><h1>Kettles</h1><p>A kettle boils water and switches itself off when the " +
			"water boils, which saves power and time.</p></div>", false},
		{"lines longer than the text, with the page itself", "<div>" +
			lines.Replace(here+list(60, "part%d.html")) + "</div><div><h1>Kettles</h1><p>A kettle " +
			"boils water and switches itself off when the water boils, which saves power and " +
			"time.</p></div>", false},
		{"a list that is the content, with the page itself", "<h1>Kettles</h1>" + here +
			list(40, "part%d.html"), true},
		{"a short list", "<h1>Kettles</h1>" + list(5, "part%d.html") + prose, true},
		{"a list that is the content", "<h1>Kettles</h1>" + list(40, "part%d.html") + "<p>All parts of kettles that the shop has had since it was opened in the spring.</p>", true},
		{"questions", "<h1>Kettles</h1>" + strings.ReplaceAll(list(20, "#part%d"), "</a>", " is sold by whom?</a>") + prose, true},
		{"other sites", "<h1>Kettles</h1>" + list(20, "https://kettle%d.example/") + prose, true},
		{"after the text", "<h1>Kettles</h1>" + prose + list(20, "part%d.html"), true},
	} {
		d, err := (&Stage{}).Do(t.Context(), Input{URL: "https://docs.example/api/kettles.html", ContentType: "text/html",
			Body: []byte("<title>Kettles</title><body><div>" + c.html + "</div>")})
		if err != nil {
			t.Fatal(err)
		}
		items := 0
		for i, b := range d.Blocks {
			if strings.HasPrefix(d.BlockText(i), "Kettle part") && b.Main {
				items++
			}
		}
		if got := items > 0; got != c.want {
			t.Errorf("%s: %d items are main content, want them in: %v", c.name, items, c.want)
		}
		if !strings.Contains(d.MainText(), "A kettle boils") && strings.Contains(c.html, "A kettle boils") {
			t.Errorf("%s: the text is no main content", c.name)
		}
	}
}
