package content

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// TestDropSurplus: what reads like main content and is not is dropped, on pages of articles
// alone but for copies.
func TestDropSurplus(t *testing.T) {
	prose := "<div><p>" + articleText + "</p><p>And more. " + articleText + "</p></div>"
	more := prose + "<p>Yet more. " + articleText + "</p>"
	const pulled = "The pump moves water from the well to the house"
	const remark = "I have the same pump and it is not quiet at all"
	for _, c := range []struct {
		name, body, kind string
		odds             float64 // of short blocks
		dropped          []string
	}{
		{"a sentence in two shapes", "<p>" + pulled + "</p><li>" + pulled + "</li>", "WebPage", 2,
			[]string{"li"}},
		{"verses", "<p>" + pulled + "</p><p>" + pulled + "</p>", "WebPage", 2, nil},
		{"short words in two shapes", "<p>The pump</p><li>The pump</li>", "WebPage", 2, nil},
		{"a tail", prose + "<section><div><p>A note</p></div></section>", "Article", 0.5,
			[]string{"p"}},
		{"a tail that is surely content", prose + "<section><div><p>A note</p></div></section>",
			"Article", 2, nil},
		{"a tail beside the text", prose[:len(prose)-len("</div>")] + "<p>A note</p></div>",
			"Article", 0.5, nil},
		{"a tail on another kind of page", prose + "<section><div><p>A note</p></div></section>",
			"WebPage", 0.5, nil},
		{"comments", prose + `<li class="comment">` + remark, "Article", 2, []string{"li"}},
		{"comments of an article on a product", prose + `<li class="comment">` + remark,
			"Article Product", 2, nil},
		{"comments of what reads as an article", more + `<li class="comment">` + remark,
			"WebPage", 2, []string{"li"}},
		{"comments of a list of articles", more + `<li class="comment">` + remark,
			"Article CollectionPage", 2, nil},
		{"the tail of what reads as an article", more + "<section><div><p>A note</p></div></section>",
			"WebPage", 0.5, nil},
		{"comments of a forum", prose + `<li class="comment">` + remark,
			"DiscussionForumPosting", 2, nil},
		{"a page of comments", `<li class="comment">` + articleText, "Article", 2, nil},
		{"the author", prose + `<li class="author-bio">` + remark, "Article", 2, []string{"li"}},
		{"a call to subscribe", prose + `<li class="newsletter-signup">` + remark, "Article", 2,
			[]string{"li"}},
		{"a note beside the text", prose + "<aside><li>" + remark + "</li></aside>", "Article", 2,
			[]string{"li"}},
		{"a long text in a box for subscribers", `<li class="subscribe">I wrote: ` + articleText +
			"</li>" + prose, "Article", 2, nil},
		{"a heading named after its words", prose + `<h2 id="archives">Archives</h2><p>` + remark +
			"</p>", "Article", 2, nil},
		{"the author in what reads as an article", more + `<li class="author">` + remark, "WebPage",
			2, nil},
		{"a long text by its author", `<li class="author">I wrote: ` + articleText + "</li>" + prose,
			"Article", 2, nil},
		{"a caption", prose + "<figure><figcaption>" + pulled + "</figcaption></figure>",
			"Article", 2, []string{"figcaption"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pageOf("<main><h1>The well</h1>" + c.body + "</main>")
			p.Says.Types = strings.Fields(c.kind)
			main, odds := make([]bool, len(p.Blocks)), make([]float64, len(p.Blocks))
			for i := range main {
				main[i], odds[i] = true, c.odds
				if p.Blocks[i].prose() {
					odds[i] = 2
				}
			}
			p.sight().dropSurplus(main, odds)
			var dropped []string
			for i := range main {
				if !main[i] {
					dropped = append(dropped, p.Els[p.Blocks[i].Owner].Node.Data)
				}
			}
			if !slices.Equal(dropped, c.dropped) {
				t.Errorf("dropped %q, want %q", dropped, c.dropped)
			}
		})
	}
}

// TestPlacedBlocksAreNoCopies: code, a row or a heading that stands on the page twice is
// kept twice.
func TestPlacedBlocksAreNoCopies(t *testing.T) {
	line := strings.Repeat("make install ", 3)
	p := pageOf("<p>" + line + "</p><li>" + line + "</li>")
	for _, kind := range append([]wstk.BlockKind{wstk.BlockListItem}, placed...) {
		p.Blocks[1].Kind = kind
		main := []bool{true, true}
		p.sight().dropCopies(main)
		if want := kind != wstk.BlockListItem; main[1] != want {
			t.Errorf("a second %s is kept: %v, want %v", kind, main[1], want)
		}
	}
}

// TestManualsKeepWhatTheyRepeat: nothing is dropped from a page of a manual.
func TestManualsKeepWhatTheyRepeat(t *testing.T) {
	line := strings.Repeat("make install ", 3)
	for _, generator := range []string{"Sphinx 7", "WordPress 6"} {
		p := pageOf("<p>" + line + "</p><li>" + line + "</li>")
		p.Says.Generators = []string{generator}
		main := []bool{true, true}
		p.sight().dropSurplus(main, []float64{2, 2})
		if want := generator == "Sphinx 7"; main[1] != want {
			t.Errorf("%s: the copy is kept: %v, want %v", generator, main[1], want)
		}
	}
}

// TestDropUnsaid: where the structured data of an article has its text, what stands around
// that text is dropped, and calls to read on within it. A summary there drops nothing.
func TestDropUnsaid(t *testing.T) {
	const teaser = "A pump for every well, and what it costs to run one for a year"
	src := "<main><h1>The well</h1><li>" + teaser + "</li><p>" + articleText + "</p><li><a>" +
		"Read also: which pumps are quiet, and which of them last the longest</a></li><p>" +
		"It is made of iron, and it weighs as much as a goat does in spring.</p><p>And more. " +
		articleText + articleText + "</p><li>" + teaser + "</li></main>"
	for _, c := range []struct {
		name, body string
		want       []bool
	}{
		{"the text", articleText + "<b>And more.</b> " + articleText,
			[]bool{true, false, true, false, true, true, false}},
		{"a summary", articleText[:300], []bool{true, true, true, true, true, true, true}},
		{"another text", strings.Repeat("Something else is written in this place. ", 30),
			[]bool{true, true, true, true, true, true, true}},
		{"nothing", "", []bool{true, true, true, true, true, true, true}},
	} {
		p := pageOf(src)
		p.Says.Body = c.body
		main := slices.Repeat([]bool{true}, len(p.Blocks))
		p.sight().dropUnsaid(main)
		if !slices.Equal(main, c.want) {
			t.Errorf("%s: %v, want %v", c.name, main, c.want)
		}
	}
}

// TestPhrasesOfManyLanguages: lines that lead elsewhere, dates and names of authors are
// known in other languages, and prose is none of them.
func TestPhrasesOfManyLanguages(t *testing.T) {
	for _, line := range []string{"Lesen Sie auch", "À lire aussi", "Te puede interesar",
		"Leia também", "Leggi anche", "Lees ook", "Czytaj też", "Читайте также", "関連記事",
		"相关阅读", "İlginizi çekebilir", "Διαβάστε επίσης", "Bài viết liên quan"} {
		if !leadsElsewhere(line) {
			t.Errorf("%s: leads nowhere", line)
		}
	}
	for _, line := range []string{"3. März 2024", "12 août 2023", "5 de maio de 2022",
		"7 октября 2021", "2024年5月1日", "2023년 3월 2일"} {
		if !dateLike(line) {
			t.Errorf("%s: is no date", line)
		}
	}
	for _, line := range []string{"Die Pumpe im Brunnen", "La pompe du puits", "Насос в колодце"} {
		if leadsElsewhere(line) || dateLike(line) || beginsWith(strings.ToLower(line), bylines) {
			t.Errorf("%s: is taken for something else", line)
		}
	}
	if !endsSentence("井戸のポンプは静かです。") || !endsSentence("هل المضخة هادئة؟") ||
		endsSentence("The pump in the well") {
		t.Error("ends of sentences are not known")
	}
}
