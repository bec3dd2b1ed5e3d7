package web

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"wstk/shared/stage/read"
	"wstk/shared/wstk"
)

// Each quote of the answers to the questions of testdata/eval is marked on its page, and
// the marked words are the quote.
func TestQuotesAreMarkedOnTheirPages(t *testing.T) {
	h := newHome(t).login()
	h.ingest(http.FileServer(http.Dir("../../../testdata/sites/sqlite")))
	f, err := os.Open("../../../testdata/eval/sqlite.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	quotes := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q struct{ Query string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		result, err := h.app.Answering.Ask(t.Context(), wstk.AskQuery{Query: q.Query, Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range result.Extractions {
			for _, e := range x.Evidence {
				quotes++
				w := h.call("/web/pages/"+string(e.SnapshotSHA256)+"?evidence="+e.ID, nil)
				page := w.Body.Bytes()
				if w.Code != 200 || marked(page) != bare(e.Quote) {
					t.Errorf("%s: status %d, marked is %q, the quote is %q", e.URL, w.Code, marked(page), e.Quote)
				}
				if bytes.HasPrefix(page, []byte(inertHead+"<pre>\n")) {
					t.Errorf("%s: %q is marked in the text and not on the page", e.URL, e.Quote)
				}
				if got, want := spaced(page), strings.Join(strings.Fields(e.Quote), " "); got != want {
					t.Errorf("%s: with its white space marked is %q, the quote is %q", e.URL, got, want)
				}
				checkInert(t, e.URL, page)
			}
		}
	}
	if quotes < 200 {
		t.Errorf("only %d quotes", quotes)
	}
}

// spaced is the text of the mark elements of a page, white space collapsed; between two of
// them stands a space where one stands on the page, or where a cell or a block ends.
func spaced(page []byte) string {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	between := ""
	for n := range root.Descendants() {
		switch {
		case n.Type == html.TextNode && n.Parent.Data == "mark":
			if b.Len() > 0 {
				b.WriteString(between)
			}
			b.WriteString(n.Data)
			between = ""
		case n.Type == html.TextNode:
			if strings.TrimSpace(n.Data) == "" || strings.ContainsAny(n.Data, " \n\t") {
				between = " "
			}
		case n.Type == html.ElementNode && slices.Contains([]string{"td", "th", "br", "p", "div", "li", "tr"}, n.Data):
			between = " "
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// checkInert wants that nothing on an inert page does or loads anything: elements and
// attributes are those of the lists.
func checkInert(t testing.TB, name string, page []byte) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"html", "head", "body", "meta", "title", "style", "mark", "pre", "tbody", "colgroup"}
	for _, tag := range plain {
		known = append(known, tag)
	}
	count := map[string]int{}
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			t.Errorf("%s: a comment is left", name)
		}
		if n.Type != html.ElementNode {
			continue
		}
		if count[n.Data]++; !slices.Contains(known, n.Data) || n.Namespace != "" {
			t.Errorf("%s: <%s> is left", name, n.Data)
		}
		for _, a := range n.Attr {
			switch {
			case n.Data == "meta" && (a.Key == "charset" || a.Key == "name" || a.Key == "content" && a.Val == "width=device-width"):
			case n.Data == "mark" && a.Key == "id" && a.Val == "quote", n.Data == "i" && a.Key == "class" && a.Val == "at":
			case a.Key == "style" && a.Val == harmlessStyle(a.Val):
			case slices.Contains([]string{"colspan", "rowspan", "start", "dir", "lang"}, a.Key):
			default:
				t.Errorf("%s: <%s %s=%q> is left", name, n.Data, a.Key, a.Val)
			}
		}
	}
	if count["style"] != 1 || count["meta"] != 2 || count["title"] != 1 {
		t.Errorf("%s: %d styles, %d metas, %d titles", name, count["style"], count["meta"], count["title"])
	}
	if !bytes.HasPrefix(page, []byte(inertHead)) || !bytes.HasSuffix(page, []byte(inertTail)) {
		t.Errorf("%s: our own head or tail is not where it should be", name)
	}
}

// inertOf marks quote on a page; "" marks nothing.
func inertOf(t testing.TB, src, quote string) []byte {
	t.Helper()
	s, err := (&read.Stage{}).Show(t.Context(), read.Input{URL: "https://example.org/", Body: []byte(src), ContentType: "text/html"})
	if err != nil {
		t.Fatal(err)
	}
	if quote == "" {
		return inertPage(s, nil)
	}
	at := strings.Index(s.Text, quote)
	pieces, ok := s.Find(wstk.Span{ByteStart: at, ByteEnd: at + len(quote)})
	if at < 0 || !ok {
		t.Fatalf("%q is not found in %q", quote, s.Text)
	}
	return inertPage(s, pieces)
}

// hostile are pages that try to do something, or to break out of their mark. Each holds
// the words "the pump weighs 14 kg".
func hostile(trap string) map[string]string {
	const words = "<p>Here the pump weighs <b>14 kg</b>.</p>"
	return map[string]string{
		"script":   `<script>fetch("` + trap + `/script")</script><script src="` + trap + `/src"></script>` + words,
		"handlers": `<p onclick="x()" onmouseover=x() onanimationstart=x()>Here the pump weighs <b onfocus=x() tabindex=0 autofocus>14 kg</b></p><img src="` + trap + `/x" onerror="fetch('` + trap + `/onerror')"><body onload="fetch('` + trap + `/onload')">`,
		"pictures": `<img src="` + trap + `/img" srcset="` + trap +
			`/srcset 2x"><picture><source srcset="` + trap + `/source"><img></picture><input type=image src="` + trap + `/input"><video poster="` + trap + `/poster" src="` + trap + `/video" autoplay></video><audio src="` + trap + `/audio" autoplay></audio><body background="` + trap + `/background">` + words,
		"svg": `<svg onload="fetch('` + trap + `/svg')"><script>fetch("` + trap +
			`/svgscript")</script><image href="` + trap + `/image" xlink:href="` + trap + `/xlink"/><use href="` + trap + `/use#a"/><a xlink:href="javascript:x()"><text>click</text></a><foreignObject><iframe src="` + trap + `/foreign"></iframe>` + words + `</foreignObject><style>@import "` + trap + `/svgstyle"</style><animate onbegin="x()" attributeName=x dur=1s></svg>`,
		"mathml": `<math><mtext><mglyph><style><img src="` + trap + `/mglyph" onerror=x()></style></mglyph></mtext><annotation-xml encoding="text/html"><script>fetch("` + trap + `/math")</script></annotation-xml><maction actiontype="statusline#x" xlink:href="javascript:x()">y</maction></math>` + words,
		"styles": `<style>@import "` + trap + `/import"; p{background:url(` + trap +
			`/rule)} @font-face{font-family:x;src:url(` + trap + `/font)} mark{display:none}</style><link rel=stylesheet href="` + trap + `/link"><link rel="prefetch" href="` + trap + `/prefetch"><link rel="dns-prefetch preconnect" href="` + trap + `"><link rel=icon href="` + trap + `/icon"><p style="background:url(` + trap + `/inline);position:fixed;font-family:x;text-align:center;font-weight:expression(x());--a:url(` + trap + `/var)">Here the pump weighs 14 kg.</p>`,
		"base and refresh":  `<base href="` + trap + `/" target=_top><meta http-equiv=refresh content="0;url=` + trap + `/refresh"><meta http-equiv="Set-Cookie" content="a=b"><meta http-equiv="Content-Security-Policy" content="default-src *">` + words + `<a href="/base">x</a>`,
		"frames":            `<iframe src="` + trap + `/iframe"></iframe><iframe srcdoc="<script>fetch('` + trap + `/srcdoc')</script>"></iframe><object data="` + trap + `/object"><embed src="` + trap + `/embed"></object><frameset><frame src="` + trap + `/frame"></frameset><applet code=x></applet><portal src="` + trap + `/portal"></portal>` + words,
		"links":             `<a href="javascript:fetch('` + trap + `/javascript')">one</a> <a href="data:text/html,x">two</a> <a href="` + trap + `/ping" ping="` + trap + `/ping" download>three</a> <area href="` + trap + `/area">` + words,
		"forms":             `<form action="` + trap + `/form" method=post><input name=a value=b autofocus onfocus="this.form.submit()"><button formaction="` + trap + `/formaction">Send</button><textarea>Here the pump weighs 14 kg</textarea><select><option>x</select></form>`,
		"mark games":        `<p>Here</mark></p><mark id=quote>Not the quote</mark><p id=quote>the pump weighs <mark>14 kg</mark></mark></p></p><mark>`,
		"markup as text":    `<p>&lt;/mark&gt;&lt;script&gt;fetch("` + trap + `/text")&lt;/script&gt; the pump weighs 14 kg &lt;mark id="quote"&gt;</p>`,
		"attributes":        `<p lang='"><script>x()</script>' dir="ltr&quot; onclick=x()" style='text-align:center" onclick="x()' title="x">the pump weighs 14 kg</p><ol start='1"><script>'><li>x</ol><td colspan='2"onclick=x()'>`,
		"comments":          `<!-- --!><script>x()</script> --><!--[if IE]><script>x()</script><![endif]--><p>the pump weighs <!-- <b> -->14 kg</p>`,
		"templates":         `<template><script>x()</script><img src="` + trap + `/template"></template><div><template shadowrootmode=open><style>:host{display:none}</style><slot></slot></template><p>the pump weighs 14 kg</p></div><noscript><img src="` + trap + `/noscript"></noscript>`,
		"raw text":          `<p>the pump weighs 14 kg</p><noembed><img src=x onerror=x()></noembed><xmp><script>x()</script></xmp><textarea></textarea><script>x()</script><title></title><img src="` + trap + `/title">`,
		"custom elements":   `<x-pump is=y onclick=x() style="background:url(` + trap + `/custom)">the pump weighs 14 kg</x-pump><slot name=x></slot>`,
		"turned":            "<p>\u202ethe pump weighs 14 kg</p><p>\u2066x",
		"nested":            strings.Repeat("<div><b>", 3000) + "the pump weighs 14 kg" + strings.Repeat("</b></div>", 3000),
		"nested tables":     strings.Repeat("<table><tr><td>", 300) + "the pump weighs 14 kg",
		"formatting":        strings.Repeat("<b><i><u>", 100) + "<p>the pump" + strings.Repeat("</i></b>", 50) + " weighs <p>14 kg</p>the pump weighs 14 kg",
		"anchors in a cell": `<table><a href=x>stray<tr><td>the pump weighs<td>14 kg</table>`,
		"fragment of quote": `<p>the pump weighs 14 kg</p><a name=quote id=quote href="#quote">x</a>`,
	}
}

func TestHostilePagesAreInert(t *testing.T) {
	for name, src := range hostile("https://trap.example") {
		quote := "the pump weighs 14 kg"
		switch name {
		case "formatting":
			quote = "weighs\n14 kg"
		case "anchors in a cell":
			quote = "the pump weighs\t14 kg"
		}
		page := inertOf(t, src, quote)
		checkInert(t, name, page)
		if got := marked(page); got != bare(quote) {
			t.Errorf("%s: marked is %q: %s", name, got, page[len(inertHead):])
		}
		if n := bytes.Count(page, []byte(`id="quote"`)); n != 1 {
			t.Errorf("%s: %d quotes: %s", name, n, page[len(inertHead):])
		}
		if bytes.Contains(page, []byte("\u202e")) {
			t.Errorf("%s: text is turned around", name)
		}
		checkInert(t, name, inertOf(t, src, ""))
	}
}

// An inert page shows the text that a visitor sees, and no other.
func TestInertPageHoldsTheText(t *testing.T) {
	src := `<h1>One</h1><p>two <span hidden>secret</span><a href=/x>three</a></p><ul><li>four</ul><table><tr><th>five<th><tr><td colspan=2>six</table><pre>seven
  eight</pre><p style="display:none">secret</p><noscript>secret</noscript><svg>secret<text>nine</text></svg>`
	page := string(inertOf(t, src, "three"))
	if strings.Contains(page, "secret") {
		t.Errorf("hidden text is shown: %s", page)
	}
	want := `<h1>One</h1><p>two <a><i class="at"></i><mark id="quote">three</mark></a></p><ul><li>four</li></ul><table><tbody><tr><th>five</th><th></th></tr><tr><td colspan="2">six</td></tr></tbody></table><pre>seven
  eight</pre><div>nine</div>`
	if got := strings.TrimSuffix(strings.TrimPrefix(page, inertHead), inertTail); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Words that are not the quote are not marked as it.
func TestOtherWordsAreNoPlace(t *testing.T) {
	s, err := (&read.Stage{}).Show(t.Context(), read.Input{URL: "https://example.org/", Body: []byte("<p>one two three</p>"), ContentType: "text/html"})
	if err != nil {
		t.Fatal(err)
	}
	start, end := 4, 7
	e := wstk.Evidence{Kind: wstk.EvidenceText, Quote: "two", CharStart: &start, CharEnd: &end,
		ByteStart: &start, ByteEnd: &end}
	if _, where, ok := onItsPage(s, e); !ok || where != onPage {
		t.Errorf("the quote: %s %v", where, ok)
	}
	e.Quote = "six"
	if _, _, ok := onItsPage(s, e); ok {
		t.Error("other words are marked")
	}
}

func TestHarmlessStyle(t *testing.T) {
	for style, want := range map[string]string{
		"text-align:center":                          "text-align: center",
		"TEXT-ALIGN : Center ; font-weight:700":      "text-align: center; font-weight: 700",
		"text-align:center;display:none;color:white": "text-align: center",
		"text-align:url(x)":                          "",
		"text-align:cen\\74 er":                      "",
		"text-align:c/**/enter":                      "",
		"text-align":                                 "",
		`text-align:"x"`:                             "",
	} {
		if got := harmlessStyle(style); got != want {
			t.Errorf("%q became %q, want %q", style, got, want)
		}
	}
}

// What has no elements is shown as the text that was read of it, with the quote marked.
func TestQuoteInText(t *testing.T) {
	h := newHome(t).login()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Write([]byte("Pumps & more\n\nThe Mark 3 pump reaches a working pressure of 9 bar <b>always</b>.\n"))
	}))
	t.Cleanup(site.Close)
	result, err := h.app.Answering.Ask(t.Context(),
		wstk.AskQuery{Query: "What working pressure does the Mark 3 pump reach?", From: []string{site.URL + "/mk3.txt"}, Strict: true})
	if err != nil || len(result.Extractions) == 0 {
		t.Fatalf("%v %v; want err == nil && len(result.Extractions) != 0", result, err)
	}
	e := result.Extractions[0].Evidence[0]
	wantWords(t, h.page(200, "/web/evidence/"+e.ID), "could not be found")
	w := h.call("/web/pages/"+string(e.SnapshotSHA256)+"?evidence="+e.ID, nil)
	if got := marked(w.Body.Bytes()); got != bare(e.Quote) || w.Header().Get("Content-Security-Policy") != inertPolicy {
		t.Errorf("marked is %q, the quote is %q", got, e.Quote)
	}
	checkInert(t, "text", w.Body.Bytes())
	w = h.call("/web/pages/"+string(e.SnapshotSHA256), nil)
	if w.Code != 200 || marked(w.Body.Bytes()) != "" || !strings.Contains(w.Body.String(), "Pumps &amp; more") {
		t.Errorf("without a quote: %d %s", w.Code, w.Body)
	}
	h.page(404, "/web/pages/"+string(wstk.HashOf([]byte("another")))+"?evidence="+e.ID)
}

// A text that another version of the reader made is shown by itself: its offsets mean
// nothing on the page as it is read now.
func TestQuoteOfAnotherReading(t *testing.T) {
	h := newHome(t).login()
	root := h.ingest(pages(small))
	p, err := h.app.Pages.Get(t.Context(), root+"/mk3.html")
	if err != nil {
		t.Fatal(err)
	}
	old := "An older text. The Mark 3 pump is heavy."
	hash, err := h.app.Blobs.Put(t.Context(), []byte(old))
	if err != nil {
		t.Fatal(err)
	}
	at, end := strings.Index(old, "The"), len(old)
	e := wstk.Evidence{ID: "ev_" + strings.Repeat("1", 24), Kind: wstk.EvidenceText,
		Quote: old[at:], CharStart: &at, CharEnd: &end, ByteStart: &at, ByteEnd: &end,
		TextSHA256: hash, SnapshotSHA256: p.SnapshotSHA256, URL: p.URL, Status: wstk.StatusDirect}
	if err := h.app.Verify.Evidence.Put(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	wantWords(t, h.page(200, "/web/evidence/"+e.ID), "could not be found")
	w := h.call("/web/pages/"+string(e.SnapshotSHA256)+"?evidence="+e.ID, nil)
	if marked(w.Body.Bytes()) != bare(e.Quote) {
		t.Errorf("%s; want marked(w.Body.Bytes()) == bare(e.Quote)", w.Body)
	}
}

// A value of structured data has no place that a visitor sees: the page says so.
func TestValueOfStructuredData(t *testing.T) {
	h := newHome(t).login()
	h.ingest(pages(map[string]string{"/": `<title>Price</title><script type="application/ld+json">{"@type":"Product","name":"Mark 4","offers":{"price":"499.00","priceCurrency":"EUR"}}</script><p>The Mark 4 pump has a price on request only.</p>`}))
	result, err := h.app.Answering.Ask(t.Context(),
		wstk.AskQuery{Query: "What is the price of the Mark 4?", Hints: []string{"price"}, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range result.Extractions {
		for _, e := range x.Evidence {
			if e.Kind != wstk.EvidenceData {
				continue
			}
			wantWords(t, h.page(200, "/web/evidence/"+e.ID), "structured data, which a visitor does not see", e.Pointer)
			w := h.call("/web/pages/"+string(e.SnapshotSHA256)+"?evidence="+e.ID, nil)
			if w.Code != 200 || marked(w.Body.Bytes()) != "" || !strings.Contains(w.Body.String(), "on request only") {
				t.Errorf("%d %s; want w.Code == 200 && marked(w.Body.Bytes()) == \"\" && strings.Contains(w.Body.String(), \"on request only\")", w.Code, w.Body)
			}
			return
		}
	}
	t.Fatalf("no value of structured data among %v", result.Extractions)
}

func FuzzInertPage(f *testing.F) {
	for _, src := range hostile("https://trap.example") {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		s, err := (&read.Stage{}).Show(t.Context(),
			read.Input{URL: "https://example.org/", Body: []byte(src), ContentType: "text/html"})
		if err != nil {
			return
		}
		pieces, _ := s.Find(wstk.Span{ByteEnd: len(s.Text)})
		checkInert(t, "fuzzed", inertPage(s, pieces))
	})
}
