package read

import (
	"strings"
	"testing"
)

// Links of a page without a web address stay as they stand, and are relative to what the
// caller says where it says so, in Markdown and in the list.
func TestLinksOfFiles(t *testing.T) {
	const html = `<h1>Pumps</h1><p>The <a href="p9.html#flow">P-9 pump</a> and the <a href="../old/p8.html?x=1">P-8</a> are ours, <a href="/all">all of them</a> are old, <a href="//cdn.example/x">that</a> is not, <a href="mailto:a@b.example">nor that</a>, <a href="https://other.example/">others</a> are elsewhere.</p>`
	const md = "# Pumps\n\nThe [P-9 pump](p9.html#flow), the [P-8](../old/p8.html?x=1), [all](/all), [others](https://other.example/) and [mail](mailto:a@b.example).\n"
	for _, c := range []struct {
		kind, body, base string
		want             []string
	}{
		{"text/html", html, "", []string{"p9.html#flow", "../old/p8.html?x=1", "/all", "https://other.example/"}},
		{"text/html", html, "https://a.example/docs/index.html", []string{"https://a.example/docs/p9.html", "https://a.example/old/p8.html?x=1", "https://a.example/all", "https://cdn.example/x", "https://other.example/"}},
		{"text/markdown", md, "", []string{"p9.html#flow", "../old/p8.html?x=1", "/all", "https://other.example/"}},
		{"text/markdown", md, "https://a.example/docs/", []string{"https://a.example/docs/p9.html", "https://a.example/old/p8.html?x=1", "https://a.example/all", "https://other.example/"}},
	} {
		d, err := (&Stage{}).Do(t.Context(), Input{URL: "file:///pages/page", Base: c.base,
			ContentType: c.kind, Body: []byte(c.body)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range d.Links {
			got = append(got, l.URL)
			if c.kind == "text/html" && !strings.Contains(d.Markdown, "("+l.URL) {
				t.Errorf("base %q: the Markdown lacks %s:\n%s", c.base, l.URL, d.Markdown)
			}
		}
		if strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%s, base %q:\n%q, want\n%q", c.kind, c.base, got, c.want)
		}
		if d.URL != "file:///pages/page" {
			t.Errorf("URL %q", d.URL)
		}
	}
}
