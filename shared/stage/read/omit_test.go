package read

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// A sentence that the page shows with more than its text is flagged, and so is one that such
// a place touches; the sentences beside it are not.
func TestWhatALineShowsBesideItsText(t *testing.T) {
	const whole, beside = "incomplete", ""
	for _, c := range []struct{ html, words, want string }{
		{`<p>The pill is <img src=n.png alt="not"> safe.</p>`, "safe", whole},
		{`<p>The pill is <img src=n.png alt=""> safe.</p>`, "safe", whole},
		{`<p>The pill is <img src=n.png alt="🙂"> safe.</p>`, "safe", whole},
		{`<p>The pill is <img src=n.png alt="Note"> safe.</p>`, "safe", whole},
		{`<p>The pill is <img src=n.png role=presentation> safe.</p>`, "safe", whole},
		{`<p>The pill is <img src=n.png width=1 height=1> safe.</p>`, "safe", whole},
		{`<p>The pill is <picture><source srcset=n.webp><img src=n.png></picture> safe.</p>`, "safe", whole},
		{`<p>The pill is <b><i><img src=n.png alt="not"></i></b> safe.</p>`, "safe", whole},
		{`<p>The pill is <a href=/x><img src=n.png alt="not"></a> safe.</p>`, "safe", whole},
		{`<p>The <a href=/x>pill is <img src=n.png alt="not"> safe</a>.</p>`, "safe", whole},
		{`<p>The pill is<br><img src=n.png alt="not"> safe.</p>`, "safe", whole},
		{`<p>The pill is <img src=n.png alt="not" style="display:block"> safe.</p>`, "safe", whole},
		{`<p>The pill is <img src=n.png alt="not" height=200> safe.</p>`, "safe", whole},
		{`<p><img src=n.png alt="Myth:"> The pill is safe.</p>`, "pill", beside},
		{`<p><img src=n.png alt="Myth:"> The pill is safe.</p>`, "The pill is safe", whole},
		{`<p>The pill is safe <img src=n.png alt="for mice"></p>`, "pill is safe", whole},
		{`<p>It is red. The pill is <img src=n.png alt="not"> safe. It is round.</p>`, "is safe", whole},
		{`<p>It is red. The pill is <img src=n.png alt="not"> safe. It is round.</p>`, "It is red.", beside},
		{`<p>It is red. The pill is <img src=n.png alt="not"> safe. It is round.</p>`, "It is round.", beside},
		{`<p>The pill is safe. <img src=n.png alt="Not"> It is round.</p>`, "pill is safe.", whole},
		{`<p>The pill is safe. <img src=n.png alt="Not"> It is round.</p>`, "It is round.", whole},
		{`<h2>The pill is <img src=n.png alt="not"> safe</h2>`, "is safe", whole},
		{`<ul><li>The pill is <img src=n.png alt="not"> safe</ul>`, "is safe", whole},
		{`<ul><li><img src=n.png alt="Never:"> Take the pill.</ul>`, "Take", whole},
		{`<blockquote>The pill is <img src=n.png alt="not"> safe</blockquote>`, "is safe", whole},
		{"<pre>The pill is <img src=n.png alt=not> safe.\nIt is round.</pre>", "safe", whole},
		{"<pre>It is round.\n<img src=n.png alt=not> Take it.</pre>", "round", beside},
		{`<p>The pill is <input value="not"> safe.</p>`, "is safe", whole},
		{`<p>The pill is <input type=button value="not"> safe.</p>`, "is safe", whole},
		{`<p>The pill is <input type=submit> safe.</p>`, "is safe", whole},
		{`<p>The pill is <input placeholder="not"> safe.</p>`, "is safe", whole},
		{`<p>The pill is <input type=image src=n.png alt="not"> safe.</p>`, "is safe", whole},
		{`<p>The pill is <input type=checkbox checked> safe <input type=checkbox> harmful.</p>`, "safe harmful", whole},
		{`<p>The pill is safe <input value="for mice"></p>`, "is safe", whole},
		{`<p>The pill is <select><option>not</select> safe.</p>`, "The pill is", whole},
		{`<p>The pill is <select><option>not</select> safe.</p>`, "safe.", whole},
		{`<p>The pill is safe <select><option>for mice</select></p>`, "pill is safe", whole},
		{`<p>The pill is <textarea placeholder="not"></textarea> safe.</p>`, "is safe", whole},
		{`<p>The pill is <object data=n.svg>not</object> safe.</p>`, "is safe", whole},
		{`<p>The pill is <canvas>not</canvas> safe.</p>`, "is safe", whole},
		{`<p>The pill is <video poster=n.png></video> safe.</p>`, "is safe", whole},
		{`<p>The pill is <iframe srcdoc="not"></iframe> safe.</p>`, "is safe", whole},
		{`<p>The pill is safe <iframe srcdoc="for mice" height=20></iframe></p>`, "is safe", whole},
		{`<p>The pill is <embed src=n.svg> safe.</p>`, "is safe", whole},
		{`<p>The pill is <progress value=0>not</progress> safe.</p>`, "is safe", whole},
		{`<p>The pill is <svg><title>not</title><path d="M0 0h9v9z"/></svg> safe.</p>`, "is safe", whole},
		{`<p>The pill is <svg aria-hidden=true><path d="M0 0h9v9z"/></svg> safe.</p>`, "is safe", whole},
		{`<p>The pill is safe <svg><text y=10>for mice</text></svg></p>`, "is safe", whole},
		{`<p><svg><text y=10>Myth:</text></svg> The pill is safe.</p>`, "The pill", whole},
		{`<p>The pill is <span role=img aria-label="not"></span> safe.</p>`, "is safe", whole},
		{`<p>The pill is <not-word></not-word> safe.</p>`, "is safe", whole},
		{`<p>The pill is <math><mi><mglyph src=n.png alt="not"/></mi></math> safe.</p>`, "is safe", whole},
		{`<p>The pill is <i style="display:inline-block;background:url(n.png)"></i> safe.</p>`, "is safe", whole},
		{`<style>.n{background-image:url(n.png);padding:9px}</style><p>The pill is <i class=n></i> safe.</p>`, "is safe", whole},
		{`<p>The pill is <span style="background:url(n.png) no-repeat;padding-left:40px">safe</span>.</p>`, "is safe", whole},
		{`<style>.n::before{content:url(n.png)}</style><p>The pill is <i class=n>safe</i>.</p>`, "is safe", whole},
		{`<style>.n::after{content:"";background:url(n.png);padding:9px}</style><p>The <i class=n>pill is</i> safe.</p>`, "is safe", whole},
		{`<p>The pill is <span style="content:url(n.png)">very</span> safe.</p>`, "is safe", whole},
		{`<table><tr><th>A<th>B<th>C<tr><td>Pill<td><img src=n.png alt=not><td>safe</table>`, "Pill\t\tsafe", whole},
		{`<table><tr><th>A<th>B<th>C<tr><td>Pill<td><img src=n.png alt=not><td>safe</table>`, "safe", beside},
		{`<table><tr><th>A<th>B<th>C<tr><td>Pill<td>is <img src=n.png> safe<td>now</table>`, "is safe", whole},
		{`<table><tr><th>A<th>B<th>C<tr><td>Pill<td>is <img src=n.png> safe<td>now</table>`, "now", beside},
		{`<table><tr><th>A<th>B<th>C<tr><td>Pill<td><img src=n.png alt=not> safe<td>now</table>`, "safe", whole},
		{`<table><tr><th>A<th>B<th>C<tr><td>Pill<td><img src=n.png alt=not> safe<td>now</table>`, "Pill", beside},

		// icons, illustrations and what is not shown
		{`<p><img src=i.png alt=""> The pill is safe.</p>`, "The pill is safe.", beside},
		{`<p><img src=i.png> The pill is safe. <img src=i.png></p>`, "The pill is safe.", beside},
		{`<p><img src=i.png alt="Note"> The pill is safe.</p>`, "The pill is safe.", beside},
		{`<p><img src=i.png alt="🙂"> The pill is safe.</p>`, "The pill is safe.", beside},
		{`<p><img src=p.jpg alt="A pill" height=300> The pill is safe.</p>`, "The pill is safe.", beside},
		{`<p><img src=p.jpg alt="A pill" style="float:left"> The pill is safe.</p>`, "The pill is safe.", beside},
		{`<p><img src=p.jpg alt="A pill"><br>The pill is safe.</p>`, "The pill is safe.", beside},
		{`<p>The pill is safe.<br><img src=p.jpg alt="A pill"></p>`, "The pill is safe.", beside},
		{`<p>The pill is safe.<br><br><img src=p.jpg alt="A pill"><br><br>It is round.</p>`, "It is round.", beside},
		{`<p>The pill is safe.<br><br><img src=p.jpg alt="Never:"> Take it.</p>`, "The pill is safe.", beside},
		{`<p>The pill is safe.<br><br><img src=p.jpg alt="Never:"> Take it.</p>`, "Take it.", whole},
		{`<p>The pill is safe.</p><p><img src=p.jpg alt="A pill"></p>`, "The pill is safe.", beside},
		{`<figure><img src=p.jpg alt="A pill"></figure><p>The pill is safe.</p>`, "The pill is safe.", beside},
		{`<p>The pill is <img src=n.png alt="not" hidden> safe.</p>`, "is safe", beside},
		{`<p>The pill is <span style="display:none"><img src=n.png alt="not"></span> safe.</p>`, "is safe", beside},
		{`<p>The pill is <img src=n.png style="visibility:hidden"> safe.</p>`, "is safe", beside},
		{`<p>The pill is <input type=hidden value=not> safe.</p>`, "is safe", beside},
		{`<p>The pill is <textarea>very</textarea> safe.</p>`, "is very safe", beside},
		{`<p>The pill is <svg style="display:none"><path d="M0 0h9v9z"/></svg> safe.</p>`, "is safe", beside},
		{`<p>The pill is <audio src=a.mp3></audio> safe.</p>`, "is safe", beside},
		{`<style>a{background:url(i.png) right no-repeat;padding-right:13px}</style><p>The <a href=/x>pill is</a> safe.</p>`, "is safe", beside},
		{`<style>.i::before{content:"\f101"}</style><p>The <a class=i href=/x>pill is</a> safe.</p>`, "is safe", beside},
	} {
		d := readString(t, "<h1>The tank</h1>"+c.html+"<p>Another paragraph.</p>")
		checkDocument(t, d)
		at := strings.Index(d.Text, c.words)
		if at < 0 {
			t.Errorf("%s: the words are lost: %q", c.html, d.Text)
			continue
		}
		got := slices.Contains(d.FlagsIn(at, at+len(c.words)), wstk.FlagIncomplete)
		if got != (c.want == whole) {
			t.Errorf("%s: %q of %q is incomplete: %v", c.html, c.words, d.Text, got)
		}
		for _, own := range []string{"The tank", "Another paragraph."} {
			if at := strings.Index(d.Text, own); len(d.FlagsIn(at, at+len(own))) > 0 {
				t.Errorf("%s: %q is flagged", c.html, own)
			}
		}
	}
}

// Markdown, entries of feeds and the text of noscript say it, too; and entries keep what is
// crossed out.
func TestWhatOtherReadersShowBesideTheText(t *testing.T) {
	entry := func(html string) string {
		html = strings.NewReplacer("<", "&lt;", `"`, "&quot;").Replace(html)
		return `<rss version="2.0"><channel><title>News</title><item><title>One</title>` +
			`<link>https://x.example/1</link><description>` + html + `</description></item></channel></rss>`
	}
	for _, c := range []struct{ kind, body, words, want string }{
		{"text/markdown", "# K\n\nThe pill is ![not](n.png) safe.\n", "safe", "incomplete"},
		{"text/markdown", "# K\n\nThe pill is [![not](n.png)](/x) safe.\n", "safe", "incomplete"},
		{"text/markdown", "# K\n\nThe pill is <img alt=\"not\"> safe.\n", "safe", "incomplete"},
		{"text/markdown", "# K\n\nIt is red. The pill is <svg></svg> safe.\n", "It is red.", ""},
		{"text/markdown", "# K\n\n![Never:](n.png) Take the pill.\n", "Take", "incomplete"},
		{"text/markdown", "# K\n\n![](n.png) Take the pill.\n", "Take", ""},
		{"text/markdown", "# K\n\n![A pill](n.png)\n\nTake the pill.\n", "Take", ""},
		{"text/markdown", "| A | B | C |\n|---|---|---|\n| Pill | ![not](n.png) | safe |\n", "Pill\t\tsafe", "incomplete"},
		{"text/markdown", "| A | B | C |\n|---|---|---|\n| Pill | ![not](n.png) | safe |\n", "safe", ""},
		{"application/rss+xml", entry(`<p>The pill is <img alt="not"> safe.</p>`), "safe", "incomplete"},
		{"application/rss+xml", entry(`<p>It was <s>$100</s> and is $80.</p>`), "$100", "struck"},
		{"application/rss+xml", entry(`<p>It was <s>$100</s> and is $80.</p>`), "$80", ""},
		{"text/html", `<body><noscript><p>It was <s>$100</s>. The pill is <img src=n.png alt="not"> safe.</p></noscript>`, "is safe", "incomplete"},
		{"text/html", `<body><noscript><p>It was <s>$100</s>. The pill is <img src=n.png alt="not"> safe.</p></noscript>`, "$100", "struck"},
		{"text/html", `<body><noscript><p>It was <s>$100</s>. The pill is <img src=n.png alt="not"> safe.</p></noscript>`, "It was", ""},
	} {
		d, err := (&Stage{}).Do(t.Context(), Input{URL: "https://x.example/k", Body: []byte(c.body),
			ContentType: c.kind + "; charset=utf-8"})
		if err != nil {
			t.Fatal(err)
		}
		checkDocument(t, d)
		at := strings.Index(d.Text, c.words)
		if at < 0 {
			t.Errorf("%s: the words are lost: %q", c.body, d.Text)
			continue
		}
		var got []string
		for _, f := range d.FlagsIn(at, at+len(c.words)) {
			got = append(got, string(f))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q carries %v, want %q", c.body, c.words, got, c.want)
		}
	}
}
