package answer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

var today = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func linkOf(t *testing.T, links []wstk.ScoredLink, url string) wstk.ScoredLink {
	t.Helper()
	i := slices.IndexFunc(links, func(l wstk.ScoredLink) bool { return l.URL == url })
	if i < 0 {
		t.Fatalf("%s is not weighed: %+v", url, links)
	}
	return links[i]
}

// D5: each signal counts for itself, and the score is their weighted sum.
func TestFiveSignals(t *testing.T) {
	if sum := weightPath + weightText + weightTitle + weightRecent + weightNear; sum < 0.999999 || sum > 1.000001 {
		t.Errorf("the weights add up to %v", sum)
	}
	year := today.Add(-halfRecent)
	future := today.Add(time.Hour)
	links := Score([]Candidate{
		{URL: "https://a.example/plain"},
		{URL: "https://a.example/ticket-prices.html"},
		{URL: "https://a.example/1", Anchor: "Ticket prices"},
		{URL: "https://a.example/2", Title: "Ticket prices"},
		{URL: "https://a.example/3", Modified: &year},
		{URL: "https://a.example/4", Around: "The prices of each ticket are said here."},
		{URL: "https://a.example/5", Modified: &future},
		{URL: "https://a.example/docs/x"},
		{URL: "https://a.example/login?next=ticket-prices"},
		{URL: "https://a.example/6", Anchor: "ticket"},
		{URL: "https://a.example/7", Anchor: "prices " + strings.Repeat("and many more words ", 20)},
		{URL: "https://a.example/8"},
	}, Weighing{Question: "ticket prices", Now: today, Preferred: func(u string) bool {
		return u == "https://a.example/8"
	}})
	for _, c := range []struct {
		url  string
		want [5]float64
	}{
		{"plain", [5]float64{}},
		{"ticket-prices.html", [5]float64{1, 0, 0, 0, 0}},
		{"1", [5]float64{0, 1, 0, 0, 0}},
		{"2", [5]float64{0, 0, 1, 0, 0}},
		{"3", [5]float64{0, 0, 0, 0.5, 0}},
		{"4", [5]float64{0, 0, 0, 0, 0.5}},
		{"5", [5]float64{}},
		{"docs/x", [5]float64{hubPath, 0, 0, 0, 0}},
		{"login?next=ticket-prices", [5]float64{}},
		{"6", [5]float64{0, 0.5, 0, 0, 0}},
		{"7", [5]float64{0, 0.5 * 12 / 81, 0, 0, 0}},
		{"8", [5]float64{0, 0, 0, 0, 0.5}},
	} {
		l := linkOf(t, links, "https://a.example/"+c.url)
		for i, got := range []float64{l.Path, l.Text, l.Title, l.Recent, l.Near} {
			near(t, fmt.Sprintf("%s, signal %d", c.url, i), got, c.want[i])
		}
		near(t, c.url, l.Score, 0.2*l.Path+0.35*l.Text+0.2*l.Title+0.05*l.Recent+0.2*l.Near)
	}
}

func TestPagesComeOnceAndUnread(t *testing.T) {
	links := Score([]Candidate{
		{URL: "https://a.example/x?utm_source=y", Anchor: "Menu", From: "one"},
		{URL: "HTTPS://A.example:443/x#top", Anchor: "Ticket prices", From: "two"},
		{URL: "https://a.example/x", Anchor: "Home", From: "three"},
		{URL: "https://a.example/read", Anchor: "Ticket prices"},
		{URL: "https://b.example/x", Anchor: "Ticket prices"},
		{URL: "mailto:a@a.example"}, {URL: "::"},
	}, Weighing{Question: "ticket prices",
		Read:     func(u string) bool { return u == "https://a.example/read" },
		Excluded: func(u string) bool { return strings.HasPrefix(u, "https://b.example/") }})
	if len(links) != 1 || links[0].URL != "https://a.example/x" || links[0].From != "two" || !links[0].Chosen {
		t.Errorf("%+v; want the one page that may be read, as its best link says", links)
	}
}

// What is open decides, not what was found.
func TestOpenPartsDecide(t *testing.T) {
	cs := []Candidate{{URL: "https://a.example/1", Anchor: "Opening hours"}, {URL: "https://a.example/2", Anchor: "Parking"}}
	w := Weighing{Question: "opening hours and parking", Open: []string{"parking"}, Top: 1}
	if links := Score(cs, w); links[0].URL != "https://a.example/2" || !links[0].Chosen || links[1].Chosen {
		t.Errorf("%+v; want the page on parking", links)
	}
}

// A link that speaks to a model gains nothing by its words.
func TestWordsForModelsGainNothing(t *testing.T) {
	links := Score([]Candidate{{URL: "https://a.example/1", Anchor: "AI: ticket prices are here",
		Title: "AI: ticket prices", Around: "AI: ticket prices"}},
		Weighing{Question: "ticket prices",
			Addresses: func(s string) bool { return strings.HasPrefix(s, "AI:") }})
	if links[0].Score != 0 {
		t.Errorf("%+v; want no score", links[0])
	}
}

// D5: a flood of links is bounded, and does not fill the turn.
func TestAFloodOfLinks(t *testing.T) {
	var cs []Candidate
	for i := range maxCandidates + 100 {
		cs = append(cs, Candidate{URL: fmt.Sprintf("https://a.example/flood/%d", i), Anchor: "Ticket prices " + strings.Repeat("x", i%7)})
	}
	honest := Candidate{URL: "https://a.example/visit/fees", Anchor: "ticket"}
	links := Score(slices.Concat([]Candidate{honest}, cs), Weighing{Question: "ticket prices"})
	chosen := 0
	for _, l := range links {
		if l.Chosen {
			chosen++
		}
	}
	if len(links) != maxLinks || chosen != DefaultPagesPerTurn {
		t.Errorf("%d links with %d chosen, want %d and %d", len(links), chosen, maxLinks, DefaultPagesPerTurn)
	}
	if l := linkOf(t, links, honest.URL); !l.Chosen {
		t.Errorf("the flood keeps out %+v", l)
	}
	same := Score([]Candidate{
		{URL: "https://a.example/1/a", Anchor: "Ticket prices"}, {URL: "https://a.example/2/a", Anchor: "ticket prices 2"},
		{URL: "https://a.example/3/a", Anchor: "ticket"}}, Weighing{Question: "ticket prices", Top: 2})
	if !same[0].Chosen || same[1].Chosen || !same[2].Chosen {
		t.Errorf("%+v; want two links with words of their own", same)
	}
	// What promises nothing is read only where nothing promises anything; a login never is, unless
	// it is what was asked for.
	none := []Candidate{{URL: "https://a.example/1"}, {URL: "https://a.example/login", Anchor: "Log in"}}
	if l := Score(none, Weighing{Question: "ticket prices"}); len(l) != 1 || !l[0].Chosen {
		t.Errorf("%+v; want the page of unknown worth", l)
	}
	if l := Score(none, Weighing{Question: "How do I log in?"}); len(l) != 2 || !l[0].Chosen || l[1].Chosen {
		t.Errorf("%+v; want the login alone", l)
	}
	// Where nothing else is left, they are read.
	if only := Score(cs[:10], Weighing{Question: "ticket prices", Top: 10}); !only[9].Chosen {
		t.Errorf("%+v is not chosen though there is room", only[9])
	}
}

func TestTheOrderOfCandidatesIsNothing(t *testing.T) {
	var cs []Candidate
	for i := range 40 {
		cs = append(cs, Candidate{URL: fmt.Sprintf("https://a.example/%d", i), Anchor: []string{"ticket", "prices", "other"}[i%3]})
	}
	w := Weighing{Question: "ticket prices"}
	want := Score(cs, w)
	slices.Reverse(cs)
	if got := Score(cs, w); !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

func TestLinksOfADocument(t *testing.T) {
	const body = "Visit\nRead the fees before you come.  \nMenu"
	d := &wstk.Document{URL: "https://a.example/", Text: body,
		Sections: []wstk.Section{{Title: "Visit", Parent: -1}},
		Blocks: []wstk.Block{
			{Kind: wstk.BlockHeading, Element: 3, Span: wstk.Span{ByteEnd: 5}},
			{Kind: wstk.BlockParagraph, Element: 5, Span: wstk.Span{ByteStart: 6, ByteEnd: 38}},
			{Kind: wstk.BlockOther, Element: 9, Section: -1, Span: wstk.Span{ByteStart: 39, ByteEnd: 43}},
		},
		Links: []wstk.Link{
			{URL: "https://a.example/top", Text: "Top", Element: 1},
			{URL: "https://a.example/fees", Text: "the fees", Element: 6},
			{URL: "https://a.example/map", Text: "Map", Element: 7}, // the words of a picture
			{URL: "https://a.example/menu", Text: "Menu", Element: 10},
			{URL: "https://a.example/ad", Text: "Menu", Element: 11, NoFollow: true},
		}}
	got := LinksOf(d)
	want := []Candidate{
		{URL: "https://a.example/top", Anchor: "Top", From: d.URL},
		{URL: "https://a.example/fees", Anchor: "the fees", From: d.URL, Around: body[6:38] + "\nVisit"},
		{URL: "https://a.example/map", Anchor: "Map", From: d.URL},
		{URL: "https://a.example/menu", Anchor: "Menu", From: d.URL, Around: "Menu\n"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	d.Meta.NoFollow = true
	if got := LinksOf(d); got != nil {
		t.Errorf("%+v, though the page asks not to follow", got)
	}
}

func TestLLMsText(t *testing.T) {
	const file = `# Castle

> A castle. [Not listed](/no)

## Visit

- [Fees](/fees): what a ticket costs
* [Hours](https://a.example/hours)
- no link
- [Mail](mailto:x@a.example): no page

## Optional
- [Map]( <map.html> )
`
	got := LLMsText("https://a.example/llms.txt", file)
	want := []Candidate{
		{URL: "https://a.example/fees", Anchor: "Fees", From: "https://a.example/llms.txt",
			Around: "what a ticket costs\nVisit"},
		{URL: "https://a.example/hours", Anchor: "Hours", From: "https://a.example/llms.txt", Around: "Visit"},
		{URL: "https://a.example/map.html", Anchor: "Map", From: "https://a.example/llms.txt", Around: "Optional"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if n := len(LLMsText("https://a.example/", strings.Repeat("- [a](b)\n", 2*maxListed))); n != maxListed {
		t.Errorf("%d lines were read, want %d", n, maxListed)
	}
}
