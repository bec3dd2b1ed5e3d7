package read

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// article is around what the tables below put at its end.
const article = `<html><head><title>Kettles</title></head><body><header>Shop</header><main><h1>Kettles</h1>
<p>A kettle boils water. This page tells of kettles, how they are made and what they cost in the shops of the town.</p>
<p>Most kettles hold between one and two litres, and they switch themselves off when the water boils, which saves power.</p>
<p>Cheap kettles are made of plastic, dear ones of steel or glass, and all of them come with a plug and a short cord.</p>%%</main><footer>The end of the shop</footer></body></html>`

func flagsAt(t *testing.T, in Input, words string) ([]wstk.Flag, *wstk.Document) {
	t.Helper()
	d, err := (&Stage{}).Do(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	checkDocument(t, d)
	at := strings.Index(d.Text, words)
	if at < 0 {
		t.Fatalf("%q is not in the text:\n%s", words, d.Text)
	}
	return d.FlagsIn(at, at+len(words)), d
}

var flagCases = []struct {
	html, words string
	want        string
}{
	// crossed out
	{`<p>was <s>$100</s> $80</p>`, "$100", "struck"}, {`<p>was <s>$100</s> $80</p>`, "$80", ""}, {`<p>was <s>$100</s> $80</p>`, "was", ""}, {`<p>was <s>$100</s> $80</p>`, "was $100 $80", "struck"},
	{`<p>was <del>$100</del> <ins>$80</ins></p>`, "$100", "struck"}, {`<p>was <del>$100</del> <ins>$80</ins></p>`, "$80", ""}, {`<p><strike>It costs $100.</strike></p>`, "It costs", "struck"},
	{`<p>was <span style="text-decoration: line-through">$100</span> $80</p>`, "$100", "struck"}, {`<p>was <span style="text-decoration-line:underline line-through">$100</span></p>`, "$100", "struck"},
	{`<style>.old{text-decoration:line-through red}</style><p>was <b class="old">$100</b> $80</p>`, "$100", "struck"}, {`<style>.old{text-decoration:underline}</style><p>was <b class="old">$100</b></p>`, "$100", ""},
	{`<div style="text-decoration:line-through"><p>It costs $100.</p><p>It is sold.</p></div>`, "It is sold", "struck"}, {`<p>was <span role="deletion">$100</span> $80</p>`, "$100", "struck"}, {`<p>was <span class="line-through text-sm">$100</span></p>`, "$100", "struck"},
	{"<p>was 1\u03360\u03360\u0336 now 80</p>", "1\u0336", "struck"}, {"<p>was 1\u03360\u03360\u0336 now 80</p>", "now", ""}, {"<p>x \u2260 y, and \u0142 and =\u0338 too</p>", "too", ""},
	{`<table><tr><th>Kettle</th><th>Was</th><th>Now</th></tr><tr><td>Red</td><td><s>$100</s></td><td>$80</td></tr></table>`, "$100", "struck"},
	{`<table><tr><th>Kettle</th><th>Was</th><th>Now</th></tr><tr><td>Red</td><td><s>$100</s></td><td>$80</td></tr></table>`, "$80", ""},
	{`<ul><li><del>Blue kettle</del></li><li>Red kettle</li></ul>`, "Blue", "struck"}, {`<ul><li><del>Blue kettle</del></li><li>Red kettle</li></ul>`, "Red", ""}, {`<pre>a <s>b c</s> d</pre>`, "b c", "struck"}, {`<pre>a <s>b c</s> d</pre>`, "a", ""},
	// shown in another order
	{`<p>It holds <bdo dir="rtl">0001</bdo> ml.</p>`, "0001", "reordered"}, {`<p>It holds <bdo dir="rtl">0001</bdo> ml.</p>`, "holds", ""}, {`<p>It holds <bdo dir="ltr">1000</bdo> ml.</p>`, "1000", ""},
	{"<p>It holds \u202e0001\u202c ml.</p>", "0001", "reordered"}, {"<p>It holds &#x202e;0001&#x202c; ml.</p>", "0001", "reordered"}, {"<p>It holds \u202d1000\u202c ml.</p>", "1000", ""}, {"<p>It holds \u20661000\u2069 ml.</p>", "1000", ""},
	{`<p>It holds <span style="unicode-bidi:bidi-override;direction:rtl">0001</span> ml.</p>`, "0001", "reordered"}, {`<style>.x{direction:rtl;unicode-bidi:isolate-override}</style><p>It holds <i class="x">0001</i> ml.</p>`, "0001", "reordered"},
	{`<p>From <span dir="rtl">10-20</span> ml.</p>`, "10-20", "reordered"}, {`<p>From <span style="direction: rtl">10-20</span> ml.</p>`, "10-20", "reordered"}, {`<p>It is <span dir="rtl">שלום 10</span>.</p>`, "10", ""},
	{`<p style="display:flex;flex-direction:row-reverse"><span>ml</span> <span>1000</span></p>`, "ml", "reordered"}, {`<div style="display:flex;flex-direction:column-reverse"><span>ml</span> <span>1000</span></div>`, "1000", "reordered"},
	{`<style>.r{flex-flow:row-reverse wrap}</style><div class="r"><div>It holds 10 ml.</div><div>It is red.</div></div>`, "It is red", ""},
	{`<p style="display:flex"><span style="order:2">ml</span><span> 1000</span></p>`, "1000", "reordered"}, {`<p style="display:flex"><span style="order:0">1000</span><span> ml</span></p>`, "1000", ""}, {`<p><span style="order:2">1000</span> ml</p>`, "1000", ""},
	{`<p>It holds <span style="display:inline-block;transform:scaleX(-1)">0001</span> ml.</p>`, "0001", "reordered"}, {`<div style="transform:scaleX(-1)"><div style="transform:scaleX(-1)"><p>It holds 1000 ml.</p></div></div>`, "1000", ""}, {`<p style="transform: scale(1.1)">It holds 1000 ml.</p>`, "1000", ""},
	{`<p>It holds <span style="float:right">1</span><span style="float:right">2</span> ml.</p>`, "12", "reordered"}, {`<p>Coffee <span style="float:right">$5</span></p>`, "$5", ""},
	// readings
	{`<p>The word <ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby> is old.</p>`, "かんじ", "ruby"}, {`<p>The word <ruby>漢字<rt>かんじ</rt></ruby> is old.</p>`, "is old", ""},
	// by visitors
	{`<div id="comments"><ol class="comment-list"><li id="comment-7"><p>I like it.</p></li></ol></div>`, "I like it", "comment"}, {`<div id="disqus_thread"><p>I like it.</p></div>`, "I like it", "comment"}, {`<article class="comment"><p>I like it.</p></article>`, "I like it", "comment"},
	{`<div itemprop="comment" itemscope itemtype="https://schema.org/Comment"><p itemprop="text">I like it.</p></div>`, "I like it", "comment"}, {`<div itemscope itemtype="http://schema.org/Review" itemprop="review"><p itemprop="reviewBody">I like it.</p></div>`, "I like it", "comment"},
	{`<div itemscope itemtype="http://schema.org/UserComments"><p>I like it.</p></div>`, "I like it", "comment"}, {`<div role="comment"><p>I like it.</p></div>`, "I like it", "comment"}, {`<div class="customer-review"><p>I like it.</p></div>`, "I like it", "comment"}, {`<section class="reviews"><p>I like it.</p></section>`, "I like it", "comment"},
	{`<h2>3 Comments</h2><p>I like it.</p>`, "I like it", "comment"}, {`<h2>Customer reviews</h2><p>I like it.</p><h2>Delivery</h2><p>By post.</p>`, "I like it", "comment"}, {`<h2>Customer reviews</h2><p>I like it.</p><h2>Delivery</h2><p>By post.</p>`, "By post", ""}, {`<h2>Reviews (12)</h2><p>I like it.</p>`, "I like it", "comment"},
	{`<h2>Comments</h2><p>A comment in SQL begins with two hyphens.</p>`, "two hyphens", ""}, {`<p class="comment-count">It is red.</p>`, "It is red", ""}, {`<a class="comments" href="#c">Say something of it</a>`, "Say something", ""}, {`<pre><span class="comment"># a remark</span> x = 1</pre>`, "a remark", ""}, {`<h2>Review of the law</h2><p>It is old.</p>`, "It is old", ""},
	// paid for
	{`<p>Buy it at <a rel="sponsored nofollow" href="https://x.example/">Hill's shop</a> soon.</p>`, "Hill's", "sponsored"}, {`<p>Buy it at <a rel="sponsored nofollow" href="https://x.example/">Hill's shop</a> soon.</p>`, "soon", ""}, {`<div class="native-ad"><p>Our tea is best.</p></div>`, "best", "sponsored"},
	{`<aside><p>Advertisement</p><p>Our tea is best.</p></aside>`, "best", "sponsored"}, {`<div class="card"><span>Sponsored</span><p>Our tea is best.</p></div>`, "best", "sponsored"}, {`<div class="ad-box"><div>Anzeige</div><p>Our tea is best.</p></div>`, "best", "sponsored"}, {`<section><h3>Paid post</h3><p>Our tea is best.</p></section>`, "best", "sponsored"},
	{`<p>Sponsored: Our tea is best.</p>`, "best", "sponsored"}, {`<div class="x"><p>Publicidad</p></div><p>It is red.</p>`, "It is red", ""}, {`<div class="slot"><span>Advertisement</span></div><p>It is red.</p>`, "It is red", ""}, {`<p>The race is sponsored by the town.</p>`, "sponsored by", ""}, {`<div id="div-gpt-ad-1"><p>Our tea is best.</p></div>`, "best", "sponsored"},
	// by machines
	{`<div ai-disclosure="ai-generated"><p>It is red.</p></div>`, "It is red", "generated"}, {`<div data-ai-generated="true"><p>It is red.</p></div>`, "It is red", "generated"}, {`<div><p>It is red.</p><p>This summary was generated by AI.</p></div>`, "It is red", "generated"}, {`<section><h3>AI-generated summary</h3><p>It is red.</p></section>`, "It is red", "generated"},
	{`<p>The pictures were generated by AI, says the law of the land, and so on and on, in many more words than a label has, since it is a sentence of its own kind.</p>`, "law of the land", ""},
	{`<p>It costs $100.</p>`, "$100", ""},
}

func TestFlags(t *testing.T) {
	for _, c := range flagCases {
		got, d := flagsAt(t, Input{URL: "https://shop.example/kettles",
			Body:        []byte(strings.Replace(article, "%%", c.html, 1)),
			ContentType: "text/html; charset=utf-8"}, text.Strip(c.words))
		var want []wstk.Flag
		for w := range strings.FieldsSeq(c.want) {
			want = append(want, wstk.Flag(w))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s\n%q carries %v, want %v", c.html, c.words, got, want)
		}
		for _, own := range []string{"A kettle boils", "The end of the shop"} {
			at := strings.Index(d.Text, own)
			if f := d.FlagsIn(at, at+len(own)); len(f) > 0 {
				t.Errorf("%s\n%q carries %v", c.html, own, f)
			}
		}
	}
	t.Logf("%d cases", len(flagCases))
}

// A page that is itself a thread, a review or an advertisement is its content; a head
// that says so speaks of all of it.
func TestFlagsOfWholePages(t *testing.T) {
	posts := `<div class="comment"><p>%%</p></div><div class="comment"><p>It costs $80.</p></div>`
	for _, c := range []struct {
		what, url, html string
		want            string
	}{
		{"a thread", "https://forum.example.org/t/kettles", `<main><h1>Kettles</h1>` + posts + `</main>`, ""},
		{"a thread by its address", "https://www.example.org/viewtopic.php?t=7", `<main><h1>Kettles</h1>` + posts + `</main>`, ""},
		{"a thread by its maker", "https://www.example.org/k", `<head><meta name="generator" content="Discourse 3.1"></head><main><h1>Kettles</h1>` + posts + `</main>`, ""},
		{"a question with answers", "https://www.example.org/k", `<main itemscope itemtype="https://schema.org/QAPage"><h1>Kettles</h1>` + posts + `</main>`, ""},
		{"comments below an article", "https://www.example.org/k", `<main><h1>Kettles</h1><p>A kettle boils water, and this is an article about kettles of all kinds.</p>` + posts + `</main>`, "comment"},
		{"a review", "https://www.example.org/k", `<main><div class="review" itemscope itemtype="https://schema.org/Review"><h1>The Hill kettle</h1><p>%%</p></div></main>`, ""},
		{"an advertorial", "https://www.example.org/k", `<main><article><p>Paid post</p><h1>The Hill kettle</h1><p>%%</p></article></main>`, "sponsored"},
		{"an article below a banner", "https://www.example.org/k", `<main><div>Advertisement</div><h1>The Hill kettle</h1><p>%%</p></main>`, ""},
		{"a page by a machine", "https://www.example.org/k", `<head><meta name="ai-disclosure" content="ai-generated"></head><main><h1>The Hill kettle</h1><p>%%</p></main>`, "generated"},
		{"an article by a machine", "https://www.example.org/k", `<head><script type="application/ld+json">{"@type":"Article","digitalSourceType":"https://schema.org/TrainedAlgorithmicMediaDigitalSource"}</script></head><main><h1>The Hill kettle</h1><p>%%</p></main>`, "generated"},
		{"a page from right to left", "https://www.example.org/k", `<html dir="rtl" lang="he"><main><h1>קומקום</h1><p dir="rtl">03-555-1234</p><p>%%</p></main></html>`, ""},
	} {
		got, d := flagsAt(t, Input{URL: c.url,
			Body: []byte(strings.Replace(c.html, "%%", "It costs $100.", 1)), ContentType: "text/html"}, "It costs $100.")
		if len(got) != len(strings.Fields(c.want)) || len(got) == 1 && string(got[0]) != c.want {
			t.Errorf("%s: %v, want %q", c.what, got, c.want)
		}
		if f := d.FlagsIn(0, len(d.Text)); c.want == "" && len(f) > 0 {
			t.Errorf("%s: %v somewhere", c.what, f)
		}
	}
}

// What visitors write below a link or an article is theirs, as the pages of well-known
// sites hold it; what a forum is made of is its content, and so is a post of its own.
func TestFlagsOfSites(t *testing.T) {
	const comment, own = "I think it holds 40 litres.", "We built a tank for the garden and tell how it was done."
	for _, c := range []struct{ what, url, html, want string }{
		{"reddit, old", "https://old.reddit.com/r/tanks/comments/1abc/a_tank/", `<div id="siteTable" class="sitetable linklisting"><div class="thing link self"><p class="title"><a class="title" href="/r/x">A tank</a></p><div class="expando"><form class="usertext"><div class="usertext-body"><div class="md"><p>OWN</p></div></div></form></div></div></div><div class="commentarea"><div class="panestack-title"><span>all 2 comments</span></div><div class="sitetable nestedlisting"><div class="thing comment noncollapsed"><div class="entry"><form class="usertext"><div class="usertext-body"><div class="md"><p>COMMENT</p></div></div></form></div></div></div></div>`, "comment"},
		{"reddit, new", "https://www.reddit.com/r/tanks/comments/1abc/a_tank/", `<main><shreddit-post><h1 slot="title">A tank</h1><div slot="text-body"><p>OWN</p></div></shreddit-post><shreddit-comment-tree><shreddit-comment author="ada"><div slot="comment" id="t1_x-comment-rtjson-content"><p>COMMENT</p></div></shreddit-comment></shreddit-comment-tree></main>`, "comment"},
		{"lobste.rs", "https://lobste.rs/s/abc/a_tank", `<main id="inside"><ol class="stories list"><li class="story"><div class="story_liner"><span class="link"><a class="u-url" href="https://x.example">A tank</a></span></div></li></ol><div class="story_content"><div class="story_text"><p>OWN</p></div></div><ol class="comments comments1"><li class="comments_subtree"><div id="c_1" class="comment"><div class="comment_text"><p>COMMENT</p></div></div></li></ol></main>`, "comment"},
		{"lemmy", "https://lemmy.world/post/1", `<main><h1 class="post-title">A tank</h1><article class="card"><div class="md-div"><p>OWN</p></div></article><ul class="comments"><li class="comment"><article id="comment-12" class="details comment-node"><div class="md-div"><p>COMMENT</p></div></article></li></ul></main>`, "comment"},
		{"slashdot", "https://hardware.slashdot.org/story/26/1/2/a-tank", `<article><h2 class="story"><a href="/s">A tank</a></h2><div class="body"><div class="p"><i>OWN</i></div></div></article><ul id="commentlisting" class="d2"><li id="tree_1" class="comment"><div id="comment_1" class="cw"><div id="comment_body_1" class="commentBody"><div>COMMENT</div></div></div></li></ul>`, "comment"},
		{"hacker news", "https://news.ycombinator.com/item?id=1", `<table id="hnmain"><tr><td><table class="fatitem"><tr class="athing submission"><td class="title"><a href="https://x.example">A tank</a></td></tr><tr><td><div class="toptext">OWN</div></td></tr></table><table class="comment-tree"><tr class="athing comtr"><td class="default"><div class="comment"><div class="commtext c00">COMMENT</div></div></td></tr></table></td></tr></table>`, "comment"},
		{"tripadvisor", "https://www.tripadvisor.com/Hotel_Review-1", `<main><h1>Tank hotel</h1><p>OWN</p><div data-automation="reviewCard"><div data-test-target="review-body"><span>COMMENT</span></div></div></main>`, "comment"},
		{"tripadvisor, older", "https://www.tripadvisor.com/Hotel_Review-1", `<main><h1>Tank hotel</h1><p>OWN</p><div class="reviewSelector" data-reviewid="1"><div class="review-container"><p class="partial_entry">COMMENT</p></div></div></main>`, "comment"},
		{"trustpilot", "https://www.trustpilot.com/review/x.example", `<main><h1>Tank shop</h1><p>OWN</p><section class="styles_reviewsContainer__3_GQw"><article data-service-review-card-paper="true" class="paper_paper__1 styles_reviewCard__hcAvl"><p data-service-review-text-typography="true">COMMENT</p></article></section></main>`, "comment"},
		{"amazon", "https://www.amazon.com/dp/1", `<div id="dp"><h1>Tank</h1><p>OWN</p><div data-hook="review"><span data-hook="review-body">COMMENT</span></div></div>`, "comment"},
		{"discourse", "https://meta.tanks.example/t/a-tank/1", `<head><meta name="generator" content="Discourse 3.4"></head><div id="main-outlet"><h1>A tank</h1><div class="topic-body crawler-post"><div class="post"><p>OWN</p></div></div><div class="topic-body crawler-post" itemprop="comment"><div class="post"><p>COMMENT</p></div></div></div>`, ""},
		{"phpBB", "https://tanks.example/viewtopic.php?f=1&t=2", `<body id="phpbb"><h2 class="topic-title">A tank</h2><div class="post"><div class="content">OWN</div></div><div class="post"><div class="content">COMMENT</div></div></body>`, ""},
		{"a forum of another make", "https://forum.tanks.example/a", `<main><h1>A tank</h1><div class="comment" data-comment-id="1"><p>OWN</p></div><div class="comment" data-comment-id="2"><p>COMMENT</p></div></main>`, ""},
		{"a page of styles", "https://www.example.org/a", `<main><h1>A tank</h1><p>OWN</p><p class="styles_text__1x">COMMENT</p></main>`, ""},
	} {
		body := strings.NewReplacer("OWN", own, "COMMENT", comment).Replace(c.html)
		in := Input{URL: c.url, Body: []byte(body), ContentType: "text/html"}
		if got, _ := flagsAt(t, in, comment); strings.Trim(fmt.Sprint(got), "[]") != c.want {
			t.Errorf("%s: a comment carries %v, want %q", c.what, got, c.want)
		}
		if got, _ := flagsAt(t, in, own); len(got) > 0 {
			t.Errorf("%s: its own words carry %v", c.what, got)
		}
	}
}

// Text files and feeds say it in their own way.
func TestFlagsInOtherBodies(t *testing.T) {
	for _, c := range []struct{ kind, body, words, want string }{
		{"text/markdown", "# Kettles\n\nIt was ~~$100~~ and is $80.\n", "$100", "struck"}, {"text/markdown", "# Kettles\n\nIt was ~~$100~~ and is $80.\n", "$80", ""},
		{"text/markdown", "# Kettles\n\nIt was <del>$100</del> and is $80.\n", "$100", "struck"}, {"text/markdown", "- ~~Blue kettle~~\n- Red kettle\n", "Blue", "struck"}, {"text/markdown", "- ~~Blue kettle~~\n- Red kettle\n", "Red", ""},
		{"text/markdown", "It is [~~$100~~](https://x.example/) now.", "$100", "struck"}, {"text/markdown", "| Kettle | Price |\n|---|---|\n| Red | ~~$100~~ $80 |\n", "$100", "struck"}, {"text/markdown", "| Kettle | Price |\n|---|---|\n| Red | ~~$100~~ $80 |\n", "$80", ""},
		{"text/markdown", "About ~~ 5 of them\n", "5", ""}, {"text/markdown", "Use `~~x~~` to strike.\n", "x", ""}, {"text/markdown", "# K\n\nIt is red.\n\n## 3 comments\n\nI like it.\n", "I like it", "comment"}, {"text/markdown", "# K\n\nIt is red.\n\n## Sponsored\n\nOur tea.\n", "Our tea", "sponsored"},
		{"text/plain", "It holds \u202e0001\u202c ml.\n", "0001", "reordered"}, {"text/plain", "It was 1\u03360\u03360\u0336.\n", "1\u0336", "struck"},
	} {
		got, _ := flagsAt(t, Input{URL: "https://x.example/k", Body: []byte(c.body), ContentType: c.kind + "; charset=utf-8"}, c.words)
		if len(got) != len(strings.Fields(c.want)) || len(got) == 1 && string(got[0]) != c.want {
			t.Errorf("%q: %q carries %v, want %q", c.body, c.words, got, c.want)
		}
	}
}
