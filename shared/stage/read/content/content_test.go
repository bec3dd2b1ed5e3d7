package content

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// pageOf makes a page of HTML whose blocks are its paragraphs, headings and list items,
// each with the element it stands in.
func pageOf(src string) *Page {
	p := &Page{Tree: dom.ParseAll(src, false), URL: "https://site.example/page"}
	for i := range p.Els {
		e := &p.Els[i]
		kind, ok := map[string]wstk.BlockKind{"h1": wstk.BlockHeading, "h2": wstk.BlockHeading,
			"p": wstk.BlockParagraph, "li": wstk.BlockListItem,
			"figcaption": wstk.BlockCaption}[e.Node.Data]
		if !ok {
			continue
		}
		b := Block{Kind: kind, Section: -1, Owner: int32(i), Start: len(p.Text)}
		if kind == wstk.BlockHeading {
			b.Level = int(e.Node.Data[1] - '0')
		}
		p.Text = append(p.Text, dom.TextContent(e.Node, 0)...)
		b.End = len(p.Text)
		for k := i + 1; k < int(e.End); k++ {
			if p.Els[k].Node.Data == "a" {
				b.LinkBytes += len(dom.TextContent(p.Els[k].Node, 0))
			}
		}
		p.Text = append(p.Text, '\n')
		p.Blocks = append(p.Blocks, b)
	}
	return p
}

var articleText = strings.Repeat("The pump moves water from the well to the house, and it does so quietly, which people like. ", 4)

var article = "<title>The pump</title><body>" +
	`<nav><ul><li><a href="/a">Home and garden</a><li><a href="/b">All about wells</a>` +
	`<li><a href="/c">Contact us</a></ul></nav>` +
	"\n<main><article><h1>The pump in the well</h1><p>" + articleText + `</p><p>` + articleText +
	`</p><h2>How loud it is</h2><p>` + articleText + `</p></article></main>
<footer><p>© 2026 The Pump Company. All rights reserved.</p></footer>`

// TestChooseKeepsTheArticle: of a plain page the text is chosen with its headings, and
// navigation and footer are not.
func TestChooseKeepsTheArticle(t *testing.T) {
	for _, strategy := range Strategies {
		p := pageOf(article)
		main, choice := Choose(p, strategy)
		for i := range p.Blocks {
			want := i >= 3 && i < len(p.Blocks)-1
			if main[i] != want {
				t.Errorf("%s: main of %q is %v, want %v", strategy, p.blockText(i)[:12], main[i],
					want)
			}
		}
		if choice.Name == "" || choice.Reason == "" || choice.Strategy == "" {
			t.Errorf("%s: the choice is not explained: %+v", strategy, choice)
		}
	}
}

// TestNothingToChoose: a page without text is no fault.
func TestNothingToChoose(t *testing.T) {
	for _, strategy := range Strategies {
		if main, choice := Choose(pageOf("<body>"), strategy); len(main) != 0 || choice.Name != "none" {
			t.Errorf("%s: %v, %+v", strategy, main, choice)
		}
	}
}

// TestWeightsFitTheFeatures: the embedded weights are of the features there are; weights
// of other features are refused.
func TestWeightsFitTheFeatures(t *testing.T) {
	if weights().Roles[RoleMain] == nil {
		t.Fatal("there are no weights of main content")
	}
	load := func(change func(*Model)) error {
		var w Weights
		if err := json.Unmarshal(weightsFile, &w); err != nil {
			t.Fatal(err)
		}
		m := w.Roles[RoleMain]
		change(m)
		return m.Bind()
	}
	for name, change := range map[string]func(*Model){
		"a feature without a weight":      func(m *Model) { delete(m.Linear, "length") },
		"a weight without a feature":      func(m *Model) { m.Linear["smell"] = 1 },
		"a tree that asks for no feature": func(m *Model) { m.Trees[0].Ask[0] = "smell" },
	} {
		if err := load(change); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestFeaturesHaveNames: each feature of a block has a name of its own.
func TestFeaturesHaveNames(t *testing.T) {
	names := FeatureNames()
	rows, kin := Features(pageOf(article))
	if len(rows) == 0 || len(rows) != len(kin) || len(rows[0]) != len(names) {
		t.Fatalf("%d rows of %d features, %d names", len(rows), len(rows[0]), len(names))
	}
	all := slices.Sorted(slices.Values(append(slices.Clone(names), AroundNames...)))
	if n := len(slices.Compact(slices.Clone(all))); n != len(all) {
		t.Errorf("%d names, %d different ones", len(all), n)
	}
}

// TestManyBlocks: a page with more blocks than rows are kept of has the same scores as if
// they were kept.
func TestManyBlocks(t *testing.T) {
	p := pageOf("<main>" + strings.Repeat("<p>Some words of a page, one of many.</p><li><a>a link</a></li>", maxKeptRows/2+100) + "</main>")
	m := weights().Roles[RoleMain]
	got := p.sight().score(m)
	s := p.sight()
	first := make([]float64, len(p.Blocks))
	s.each(func(i int, row []float64) { first[i] = m.first(row) })
	around := Around(p.lengths(), first, s.kin, p.Stop.Tick)
	s.each(func(i int, row []float64) {
		if want := m.second(append(slices.Clone(row), around[i]...)); got[i] != want {
			t.Fatalf("block %d has %v, not %v", i, got[i], want)
		}
	})
}

// TestSelect: the set with the largest expected F1 is chosen; in an article a block must
// be more likely main content than not.
func TestSelect(t *testing.T) {
	lengths, odds := []int{100, 100, 100}, []float64{3, -0.1, -5}
	if main, _ := Select(lengths, odds, false); !slices.Equal(main, []bool{true, true, false}) {
		t.Errorf("chosen: %v", main)
	}
	if main, _ := Select(lengths, odds, true); !slices.Equal(main, []bool{true, false, false}) {
		t.Errorf("chosen of an article: %v", main)
	}
	if _, expected := Select(lengths, []float64{20, 20, 20}, false); expected < 0.999 {
		t.Errorf("sure odds give an expected F1 of %v", expected)
	}
}

// TestFillHoles: one or two blocks left out between chosen ones are chosen, too, unless
// something speaks against it.
func TestFillHoles(t *testing.T) {
	const between = "<main><p>before</p>%s<p>after</p></main>"
	one := "<p>the synopsis between them</p>"
	for _, c := range []struct {
		name, hole string
		odds       float64 // of the blocks in the hole
		change     func(*Block)
		filled     bool
	}{
		{name: "one block", hole: one, odds: -1, filled: true},
		{name: "two blocks", hole: one + one, odds: -1, filled: true},
		{name: "three blocks", hole: one + one + one, odds: -1},
		{name: "a block that is surely no content", hole: one, odds: -4},
		{name: "a link", hole: "<p><a>the synopsis</a></p>", odds: -1},
		{name: "a form control", hole: one, odds: -1, change: func(b *Block) { b.Control = true }},
		{name: "a block that stands elsewhere", odds: -1,
			hole: "<div><div><div><div>" + one + "</div></div></div></div>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pageOf(fmt.Sprintf(between, c.hole))
			last := len(p.Blocks) - 1
			main, odds := make([]bool, last+1), make([]float64, last+1)
			main[0], main[last] = true, true
			for i := 1; i < last; i++ {
				odds[i] = c.odds
				if c.change != nil {
					c.change(&p.Blocks[i])
				}
			}
			p.fillHoles(main, odds)
			for i := 1; i < last; i++ {
				if main[i] != c.filled {
					t.Errorf("block %d of the hole is chosen: %v, want %v", i, main[i], c.filled)
				}
			}
		})
	}
	t.Run("at the ends of the page", func(t *testing.T) {
		p := pageOf("<main>" + one + "<p>the middle</p>" + one + "</main>")
		main := []bool{false, true, false}
		p.fillHoles(main, make([]float64, 3))
		if !slices.Equal(main, []bool{false, true, false}) {
			t.Errorf("chosen: %v; a hole has a chosen block on both sides", main)
		}
	})
}

// TestDropLinkLists: the page of an article loses lists of links to other pages, and no
// other links. A listing that calls itself an article loses none.
func TestDropLinkLists(t *testing.T) {
	const link = "<li><a>The title of some other story of the day</a></li>"
	read := "<h2>Read this next</h2>" + link + link + link + "<h2>The end</h2>"
	prose := "<p>" + articleText + "</p>"
	for _, c := range []struct {
		name, body, kind string
		dropped          []int // places of blocks
	}{
		{"a list between two parts", prose + read + prose, "Article", []int{2, 3, 4, 5}},
		{"two links", prose + link + link + prose, "Article", nil},
		{"a page that is no article", prose + read + prose, "WebPage", nil},
		{"a listing", "<p>Our stories</p>" + link + link + link, "Article", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pageOf("<main><h1>The pump</h1>" + c.body + "</main>")
			p.Says.Types = []string{c.kind}
			main := make([]bool, len(p.Blocks))
			for i := range main {
				main[i] = true
			}
			p.dropLinkLists(main)
			for i := range main {
				if want := !slices.Contains(c.dropped, i); main[i] != want {
					t.Errorf("block %d %.20q is chosen: %v, want %v", i, p.blockText(i), main[i], want)
				}
			}
		})
	}
}

// TestKindOf: types and addresses say what kind of page it is.
func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		url  string
		says Statements
		want Kind
	}{
		{"https://site.example/", Statements{}, Kind{}},
		{"https://site.example/", Statements{Types: []string{"https://schema.org/NewsArticle"}}, Kind{Article: true}},
		{"https://site.example/", Statements{OGTypes: []string{"product.item"}}, Kind{Product: true}},
		{"https://site.example/questions/7", Statements{}, Kind{Forum: true}},
		{"https://site.example/category/pumps", Statements{Types: []string{"Question"}}, Kind{List: true, Forum: true}},
	} {
		if got := KindOf(c.url, c.says); got != c.want {
			t.Errorf("%s %+v: %+v", c.url, c.says, got)
		}
	}
}

// TestWordFiles: no entry stands twice in a file, and each cue has words of its own.
func TestWordFiles(t *testing.T) {
	for _, name := range []string{"operating", "elsewhere", "containers", "furniture", "generators", "cues"} {
		seen := map[string]bool{}
		for _, l := range lines(name) {
			if seen[l] {
				t.Errorf("words/%s.txt has %q twice", name, l)
			}
			seen[l] = true
		}
	}
	words := map[string]string{}
	for _, l := range lines("cues") {
		cue, list, ok := strings.Cut(l, ": ")
		if !ok {
			t.Errorf("words/cues.txt: no words in %q", l)
		}
		for w := range strings.FieldsSeq(list) {
			if words[w] != "" {
				t.Errorf("words/cues.txt: %q is a word of %s and of %s", w, words[w], cue)
			}
			words[w] = cue
		}
	}
	if len(cueNames) > 64 {
		t.Errorf("%d cues do not fit in the bits of a place", len(cueNames))
	}
}
