package read

import (
	"fmt"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// Words that a style sheet puts beside a text are not quoted, and the text says so; where
// they make another statement of it, it is no direct answer. Signs, labels and words that
// are not shown change nothing.
func TestAddedWords(t *testing.T) {
	const words = "It holds 40 litres."
	for _, c := range []struct{ css, html, want string }{
		{`.m::before{content:"Myth: "}`, `<p class=m>%%</p>`, "altered generated"},
		{`.m:before{content:'NOT '}`, `<p>So it is. <span class=m>%%</span></p>`, "altered generated"},
		{`.m::after{content:" (this is wrong)"}`, `<p class=m>%%</p>`, "altered generated"},
		{`.m::before{content:"\4d yth: "}`, `<p class=m>%%</p>`, "altered generated"},
		{`:root{--w:"Myth: "}.m::before{content:var(--w)}`, `<p class=m>%%</p>`, "altered generated"},
		{`.m::before{content:attr(data-w) ": "}`, `<p class=m data-w="False claim">%%</p>`, "altered generated"},
		{`.m::before{content:"Mythe"}`, `<div class=m><p>%%</p></div>`, "altered generated"},
		{`li::before{content:"Falsch: "}`, `<ul><li>%%</li></ul>`, "altered generated"},
		{`@media screen{.m::before{content:"Myth: "}}`, `<p class=m>%%</p>`, "altered generated"},
		{`.m::before{content:"Note"}`, `<p class=m>%%</p>`, "generated"},
		{`.m::before{content:"Step " counter(s) ". "}`, `<p class=m>%%</p>`, "generated"},
		{`ol{counter-reset:r 1}li{list-style:none;counter-increment:r}li::before{content:"Rule " counter(r) ": "}`, `<ol><li>%%</ol>`, "generated"},
		{`li::before{content:"Regel " counter(r) ": "}`, `<ol><li>%%</ol>`, "generated"},
		{`li::before{content:"Myth " counter(r) ": "}`, `<ol><li>%%</ol>`, "altered generated"},
		{`.m::after{content:" (opens in a new tab)"}`, `<p><a class=m href="/x">%%</a></p>`, "generated"},
		{`.m::before{content:"•"}`, `<p class=m>%%</p>`, ""},
		{`.m::before{content:"\f101"}`, `<p class=m>%%</p>`, ""},
		{`q::before{content:open-quote}`, `<p><q>%%</q></p>`, ""},
		{`.m::before{content:counter(item) ". "}`, `<p class=m>%%</p>`, ""},
		{`.m::before{content:"home";font-family:"Material Icons"}`, `<p class=m>%%</p>`, ""},
		{`.m::before{content:""}`, `<p class=m>%%</p>`, ""},
		{`.m::before{content:"Myth: "}.m::before{content:none}`, `<p class=m>%%</p>`, ""},
		{`.m::before{content:"Myth: ";display:none}`, `<p class=m>%%</p>`, ""},
		{`.m::after{content:attr(data-tip);opacity:0}.m:hover::after{opacity:1}`, `<p class=m data-tip="Wrong words">%%</p>`, ""},
		{`@media print{.m::after{content:" (wrong)"}}`, `<p class=m>%%</p>`, ""},
		{`.other::before{content:"Myth: "}`, `<p class=m>%%</p>`, ""},
		{`.m::before{content:"»" / "quoted wrongly"}`, `<p class=m>%%</p>`, ""},
		{`.m::marker{content:"Myth: "}`, `<p class=m>%%</p>`, ""},
		{`.m::marker{content:"Myth: "}`, `<ul><li class=m>%%</ul>`, "altered generated"},
		{`.m::marker{content:"Myth: "}.m{display:list-item}`, `<div class=m>%%</div>`, "altered generated"},
		{`.m::marker{content:"Step " counter(list-item)}`, `<ul><li class=m>%%</ul>`, "generated"},
		{`.m::marker{content:"– "}`, `<ul><li class=m>%%</ul>`, ""},
		{`li{list-style-type:"Myth: "}`, `<ul><li>%%</ul>`, "altered generated"},
		{`ul{list-style:inside "Myth: "}`, `<ul><li>%%</ul>`, "altered generated"},
		{`ol{list-style-type:myths}@counter-style myths{system:cyclic;symbols:"Myth:";suffix:" "}`, `<ol><li>%%</ol>`, "altered generated"},
		{`@counter-style myths{system:extends decimal;prefix:"Myth "}.m{display:list-item;list-style:myths}`, `<p class=m>%%</p>`, "altered generated"},
		{`@counter-style myths{system:cyclic;symbols:"Myth:"}.m::before{content:counter(x,myths)}`, `<p class=m>%%</p>`, "altered generated"},
		{`@counter-style dots{system:cyclic;symbols:"•"}ol{list-style:dots}`, `<ol><li>%%</ol>`, ""},
		{`ul{list-style:square inside}`, `<ul><li>%%</ul>`, ""},
		{`ul{list-style-type:"Myth: "}`, `<ul></ul><p class=m>%%</p>`, ""},
		{`q{quotes:"myth: " ""}`, `<p><q>%%</q></p>`, "altered generated"},
		{`p{quotes:"myth: " ""}.m::before{content:open-quote}`, `<p><b class=m>%%</b></p>`, "altered generated"},
		{`.m::before{content:open-quote;quotes:"myth: " ""}`, `<p><b class=m>%%</b></p>`, "altered generated"},
		{`q{quotes:"„" "“"}`, `<p><q>%%</q></p>`, ""},
	} {
		d := readString(t, "<style>"+c.css+"</style><h1>The tank</h1>"+strings.Replace(c.html, "%%", words, 1)+"<p>Another paragraph.</p>")
		checkDocument(t, d)
		at := strings.Index(d.Text, words)
		if at < 0 {
			t.Fatalf("%s: the words are lost: %q", c.css, d.Text)
		}
		if got := strings.Trim(fmt.Sprint(d.FlagsIn(at, at+len(words))), "[]"); got != c.want {
			t.Errorf("%s: %q, want %q", c.css, got, c.want)
		}
		if at := strings.Index(d.Text, "Another"); len(d.FlagsIn(at, at+5)) > 0 {
			t.Errorf("%s: the next paragraph is flagged", c.css)
		}
		if strings.Contains(strings.ToLower(d.Text), "myth") {
			t.Errorf("%s: generated words are text: %q", c.css, d.Text)
		}
	}
}

// What a browser saw beside a text is said with it, whatever the page's own sheets say.
func TestAddedWordsInABrowser(t *testing.T) {
	const page = "<html><head></head><body><p>It holds 40 litres.</p><p>It is red.</p></body></html>"
	v := wstk.Visibility{Engine: wstk.VisibilityEngine, BodySHA256: wstk.HashOf([]byte(page)),
		Elements: 5, Generated: []wstk.GeneratedText{{Element: 3, Before: "Myth: "}}}
	record, err := v.Encode()
	if err != nil {
		t.Fatal(err)
	}
	d, err := (&Stage{}).Do(t.Context(), Input{URL: "https://x.example/", Body: []byte(page),
		ContentType: "text/html", Visibility: record})
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{"It holds": "[altered generated]", "It is red": "[]"} {
		at := strings.Index(d.Text, words)
		if got := fmt.Sprint(d.FlagsIn(at, at+len(words))); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}
