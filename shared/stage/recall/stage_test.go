package recall_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/stage/recall"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

var ctx = context.Background()

// page is a page of a small site. A paragraph that begins with "- " is not main content.
type page struct {
	url, title string
	paragraphs []string
	links      []wstk.Link
	lang       string
	fetched    time.Time
}

// build indexes pages.
func build(t testing.TB, pages ...page) *world {
	t.Helper()
	var docs []*wstk.Document
	for _, p := range pages {
		lang := p.lang
		if lang == "" {
			lang = "en"
		}
		d := &wstk.Document{URL: "https://a.example/" + p.url,
			Meta: wstk.Metadata{Title: p.title, Language: lang}, FetchedAt: p.fetched}
		for _, s := range p.paragraphs {
			s, aside := strings.CutPrefix(s, "- ")
			addParagraph(d, s)
			d.Blocks[len(d.Blocks)-1].Main = !aside
		}
		for _, l := range p.links {
			l.URL = "https://a.example/" + l.URL
			d.Links = append(d.Links, l)
		}
		docs = append(docs, d)
	}
	return newWorld(t, docs, nil)
}

// ask recalls and checks what holds for all results: hits are complete and scores fall.
func ask(t testing.TB, w *world, q recall.Query, change ...func(*recall.Stage)) recall.Result {
	t.Helper()
	s := recall.New(w.index, w.texts)
	for _, c := range change {
		c(s)
	}
	r, err := s.Do(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range r.Hits {
		if h.Rank != i+1 || h.Why == "" || h.Text == "" || len(h.Legs) == 0 || h.SectionPath == nil {
			t.Errorf("hit %d is incomplete: %+v", i, h)
		}
		if i > 0 && h.Score > r.Hits[i-1].Score {
			t.Errorf("hit %d has score %g, the one before it %g", i, h.Score, r.Hits[i-1].Score)
		}
	}
	return r
}

func urls(hits []wstk.Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, strings.TrimPrefix(h.URL, "https://a.example/"))
	}
	return strings.Join(out, " ")
}

// TestHitsLinkToTheirPlace: if words stand at several places of a page, a hit links to its
// own place.
func TestHitsLinkToTheirPlace(t *testing.T) {
	w := build(t, page{url: "p", title: "Locks", paragraphs: []string{"In short: a reserved lock is held by one process.", "Overview of it all.", "A reserved lock is held", "It ends here."}})
	for _, h := range ask(t, w, recall.Query{Text: "reserved lock"}).Hits {
		if h.Text == "A reserved lock is held" {
			if want := "https://a.example/p#:~:text=all.-,A%20reserved%20lock%20is%20held,-It"; h.Link != want {
				t.Errorf("link %s, want %s", h.Link, want)
			}
			return
		}
	}
	t.Error("the passage is not among the hits")
}

// TestHitShowsTheStoredText: a hit is a passage as it is stored, with its place on the
// page, a link to it, and the reason why it was found.
func TestHitShowsTheStoredText(t *testing.T) {
	w := build(t, page{url: "p", title: "Locks", paragraphs: []string{"Before – all.", "A reserved lock is held by one process.", "After."}},
		page{url: "q", title: "Other", paragraphs: []string{"Nothing of the kind."}}, page{url: "r", title: "Third", paragraphs: []string{"More words."}})
	r := ask(t, w, recall.Query{Text: "reserved lock"})
	h := r.Hits[0]
	if h.Text != "A reserved lock is held by one process." || h.Kind != wstk.KindChunk {
		t.Fatalf("the first hit is %+v, want the passage about the lock", h)
	}
	stored, err := w.texts.Get(ctx, h.TextSHA256)
	if err != nil {
		t.Fatal(err)
	}
	if string(stored[h.Span.ByteStart:h.Span.ByteEnd]) != h.Text ||
		string([]rune(string(stored))[h.Span.CharStart:h.Span.CharEnd]) != h.Text {
		t.Error("the stored text has other words at the hit's span")
	}
	if want := text.FragmentLink("https://a.example/p", h.Text); h.Link != want {
		t.Errorf("link %s, want %s", h.Link, want)
	}
	if want := "bm25 #1: matches 'reserved', 'lock'; summary of its page #1"; h.Why != want {
		t.Errorf("the reason is %q, want %q", h.Why, want)
	}
}

func TestEmptyAndSenselessQueries(t *testing.T) {
	w := build(t, page{url: "p", title: "Being", paragraphs: []string{"To be or not to be, that is the question.", "Unrelated paragraph."}},
		page{url: "q", title: "x", paragraphs: []string{"Unrelated."}}, page{url: "r", title: "y", paragraphs: []string{"Words."}})
	s := recall.New(w.index, w.texts)
	for _, q := range []string{"", "  ?!  "} {
		if _, err := s.Do(ctx, recall.Query{Text: q}); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("the query %q gives the error %v, want one with code Invalid", q, err)
		}
	}
	if r := ask(t, w, recall.Query{Text: "zyzzyva"}); len(r.Hits) != 0 || len(r.Terms) == 0 {
		t.Errorf("a word that no page has: %+v, want terms and no hits", r)
	}
	if r := ask(t, w, recall.Query{Text: "to be or not to be"}); urls(r.Hits[:1]) != "p" {
		t.Errorf("a query of stop words finds %q, want p first", urls(r.Hits))
	}
}

func TestStopWordsAreDroppedAndDuplicatesMerged(t *testing.T) {
	w := build(t, page{url: "p", title: "x", paragraphs: []string{"y"}})
	r := ask(t, w, recall.Query{Text: "What is the size of the size limit"}, func(s *recall.Stage) { s.Config.Expand = 0 })
	var tokens []string
	for _, term := range r.Terms {
		tokens = append(tokens, term.Token)
	}
	if got := strings.Join(tokens, " "); got != "size limit" {
		t.Errorf("terms are %q, want %q", got, "size limit")
	}
}

func TestSpellingsAndSynonymsAreFound(t *testing.T) {
	w := build(t,
		page{url: "cost", title: "Entry", paragraphs: []string{"The fee is ten euros."}},
		page{url: "file", title: "Spaces", paragraphs: []string{"A filename has no spaces."}},
		page{url: "colour", title: "Paint", paragraphs: []string{"Set the colour of the line."}},
		page{url: "four", title: "Seats", paragraphs: []string{"It seats 4 persons."}},
		page{url: "other", title: "Other", paragraphs: []string{"Nothing here."}},
		page{url: "more", title: "More", paragraphs: []string{"Nothing there either."}})
	for query, want := range map[string]string{"ticket price": "cost", "long file name": "file", "color": "colour", "four seaters": "four"} {
		r := ask(t, w, recall.Query{Text: query})
		if len(r.Hits) == 0 || urls(r.Hits[:1]) != want {
			t.Errorf("%q found %q, want %s", query, urls(r.Hits), want)
		}
		r = ask(t, w, recall.Query{Text: query}, func(s *recall.Stage) { s.Config.Expand = 0 })
		if len(r.Hits) > 0 && query != "four seaters" {
			t.Errorf("%q finds %q also without expansion: the test shows nothing", query, urls(r.Hits))
		}
	}
	own := build(t, page{url: "a", title: "a", paragraphs: []string{"The fee."}},
		page{url: "b", title: "b", paragraphs: []string{"The price."}},
		page{url: "c", title: "c", paragraphs: []string{"else"}},
		page{url: "d", title: "d", paragraphs: []string{"else"}}, page{url: "e", title: "e", paragraphs: []string{"other"}})
	if r := ask(t, own, recall.Query{Text: "price"}); urls(r.Hits) != "b a" {
		t.Errorf("the query's own word must come first: %s", urls(r.Hits))
	}
}

func TestLanguages(t *testing.T) {
	w := build(t,
		page{url: "zh", lang: "zh", title: "天气", paragraphs: []string{"北京的天气今天很好。"}},
		page{url: "zh2", lang: "zh", title: "数据库", paragraphs: []string{"数据库保存所有记录。"}},
		page{url: "de", lang: "de", title: "Preise", paragraphs: []string{"Die Häuser kosten viel Geld."}},
		page{url: "es", lang: "es", title: "Cursos", paragraphs: []string{"Los precios de los cursos están aquí."}},
		page{url: "ru", lang: "ru", title: "Цены", paragraphs: []string{"Цены указаны в рублях."}},
		page{url: "en", title: "House", paragraphs: []string{"The house is old."}})
	for query, want := range map[string]string{"数据库": "zh2", "北京天气": "zh", "Was kostet das Haus in der Stadt?": "de", "precio curso": "es", "цена": "ru", "old houses": "en"} {
		r := ask(t, w, recall.Query{Text: query})
		if len(r.Hits) == 0 || urls(r.Hits[:1]) != want {
			t.Errorf("%q found %q, want %s first", query, urls(r.Hits), want)
		}
	}
}

func TestHintsCountLess(t *testing.T) {
	w := build(t,
		page{url: "hint", title: "a", paragraphs: []string{"The telephone rings."}},
		page{url: "word", title: "b", paragraphs: []string{"The museum opens."}},
		page{url: "both", title: "c", paragraphs: []string{"The museum telephone."}},
		page{url: "x", title: "d", paragraphs: []string{"Nothing."}}, page{url: "y", title: "e", paragraphs: []string{"Else."}},
		page{url: "z", title: "f", paragraphs: []string{"Last."}}, page{url: "w", title: "g", paragraphs: []string{"Very last."}})
	r := ask(t, w, recall.Query{Text: "museum", Hints: []string{"telephone"}})
	if urls(r.Hits) != "both word hint" {
		t.Errorf("pages %q, want the one with both words, the query's, the hint's", urls(r.Hits))
	}
}

func TestMainContentComesFirst(t *testing.T) {
	w := build(t,
		page{url: "aside", title: "a", paragraphs: []string{"Welcome to all of you.", "- Opening hours daily"}},
		page{url: "main", title: "b", paragraphs: []string{"Our opening hours are long and listed here for every day."}},
		page{url: "x", title: "c", paragraphs: []string{"Nothing."}}, page{url: "y", title: "d", paragraphs: []string{"Else."}})
	change := func(s *recall.Stage) { s.Config.SummaryWeight = 0 }
	if r := ask(t, w, recall.Query{Text: "opening hours"}, change); urls(r.Hits) != "main aside" {
		t.Errorf("pages %q, want main content before the menu", urls(r.Hits))
	}
	if r := ask(t, w, recall.Query{Text: "opening hours"}, change,
		func(s *recall.Stage) { s.Config.Aside = 1 }); urls(r.Hits) != "aside main" {
		t.Errorf("pages %q without the factor, want the menu first: the test shows nothing", urls(r.Hits))
	}
}

func TestRepeatedBlocksAreCollapsedHoweverMany(t *testing.T) {
	var pages []page
	for i := range 300 {
		pages = append(pages, page{url: fmt.Sprintf("p%03d", i), title: "Page",
			paragraphs: []string{fmt.Sprintf("Text number %d.", i), "- Call our hotline today"}})
	}
	pages = append(pages, page{url: "q", title: "Support", paragraphs: []string{"Before you phone the hotline, which is open on weekdays only, have your number at hand and read this long page."}})
	w := build(t, pages...)
	r := ask(t, w, recall.Query{Text: "hotline", Limit: 10})
	if len(r.Hits) != 2 {
		t.Fatalf("%d hits (%s), want one footer and one page", len(r.Hits), urls(r.Hits))
	}
	for _, h := range r.Hits {
		if h.Text == "Call our hotline today" && len(h.AlsoOn) == 0 {
			t.Error("the footer does not say where else it stands")
		}
	}
	if !strings.Contains(urls(r.Hits), "q") {
		t.Error("the page behind 300 footers was not reached")
	}
}

func TestOnePageDoesNotFillTheTop(t *testing.T) {
	var many []string
	for i := range 12 {
		many = append(many, fmt.Sprintf("Vacuum, vacuum: vacuum number%d.", i))
	}
	w := build(t, page{url: "many", title: "Vacuum", paragraphs: many},
		page{url: "one", title: "One", paragraphs: []string{"A vacuum is mentioned here among other things that fill the page."}},
		page{url: "x", title: "c", paragraphs: []string{"Nothing."}, links: nil},
		page{url: "two", title: "Two", paragraphs: []string{"The word vacuum stands on this page, too, once."}})
	r := ask(t, w, recall.Query{Text: "vacuum number"})
	top := strings.Fields(urls(r.Hits[:recall.TopHits]))
	if !slices.Contains(top, "one") || !slices.Contains(top, "two") {
		t.Errorf("the first hits are of %s, want pages one and two among them", top)
	}
	if len(r.Hits) != 14 {
		t.Errorf("%d hits, want 14: a passage that moves down stays a hit", len(r.Hits))
	}
}

// TestWhatIsLeftOpenMovesUp: of a question about two things the second is found although
// more passages are about the first, and words that most passages lack do not count alone.
func TestWhatIsLeftOpenMovesUp(t *testing.T) {
	pages := []page{{url: "tyres", title: "Wheels", paragraphs: []string{
		"The right pressure of a tyre depends on what the van carries, on the road and on the season." +
			strings.Repeat(" Wheels of all vans are bought in pairs and turn with them.", 6)}}}
	for i := range 6 {
		pages = append(pages, page{url: fmt.Sprintf("p%02d", i), title: fmt.Sprintf("Brake fluid %d", i),
			paragraphs: []string{fmt.Sprintf("Brake fluid of grade %d is changed when the brake is.", i)}})
	}
	for i := range 40 {
		pages = append(pages, page{url: fmt.Sprintf("x%02d", i), title: "Filler",
			paragraphs: []string{fmt.Sprintf("Filler text %d.", i)}})
	}
	w := build(t, pages...)
	q := recall.Query{Text: "Which brake fluid and which tyre pressure?"}
	on := func(s *recall.Stage) { s.Config.Cover.Weight = 5 }
	if r := ask(t, w, q, on); !strings.HasPrefix(urls(r.Hits[1:]), "tyres") {
		t.Errorf("hits %q, want tyres second", urls(r.Hits))
	}
	off := func(s *recall.Stage) { s.Config.Cover = recall.Cover{} }
	if r := ask(t, w, q, off); strings.Contains(urls(r.Hits[:3]), "tyres") {
		t.Error("tyres ranks high without the step: the test shows nothing")
	}
	q.Text = "When is the brake fluid changed on the road?"
	if r := ask(t, w, q, on); strings.Contains(urls(r.Hits[:3]), "tyres") {
		t.Errorf("hits %q: the one word road brought tyres up", urls(r.Hits))
	}
}

// linked is a world in which the page that a question names links to the page with the
// answer, which has no word of the question.
func linked(change func(*page)) []page {
	film := page{url: "film", title: "The Silent Corvus", paragraphs: []string{
		"The Silent Corvus is a film of 1954. Its director was Ida Marsh, whom few knew. It was shot in Bergen."},
		links: []wstk.Link{{URL: "ida", Text: "Ida Marsh", Main: true}, {URL: "x01", Text: "Bergen", Main: true}}}
	change(&film)
	pages := []page{film, {url: "ida", title: "Ida Marsh",
		paragraphs: []string{"Ida Marsh (born 1911 in Oslo) made nine pictures."}}}
	for i := range 12 {
		pages = append(pages, page{url: fmt.Sprintf("p%02d", i), title: fmt.Sprintf("Studio %d", i),
			paragraphs: []string{fmt.Sprintf("Studio %d had a director of another nationality for each film.", i)}})
	}
	for i := range 60 {
		pages = append(pages, page{url: fmt.Sprintf("x%02d", i), title: "Filler",
			paragraphs: []string{fmt.Sprintf("Filler text %d.", i)}})
	}
	return pages
}

// hop is a question about that world.
var hop = recall.Query{Text: "What nationality is the director of the film The Silent Corvus?"}

func TestLinkedPageIsBroughtUp(t *testing.T) {
	w := build(t, linked(func(*page) {})...)
	keep := recall.DefaultLinks().Keep
	r := ask(t, w, hop)
	h := r.Hits[keep]
	if h.URL != "https://a.example/ida" || strings.Contains(urls(r.Hits), "x01") {
		t.Fatalf("hits %q, want ida behind the first %d, and not x01", urls(r.Hits), keep)
	}
	leg := h.Legs[len(h.Legs)-1]
	if leg.Name != "link" || leg.From != "https://a.example/film" || !strings.HasSuffix(h.Why, "linked from https://a.example/film") {
		t.Errorf("legs %+v, reason %q: want the link and the page it stands on", h.Legs, h.Why)
	}
	if r := ask(t, w, hop, func(s *recall.Stage) {
		s.Config.Links = recall.Links{}
	}); strings.Contains(urls(r.Hits), "ida") {
		t.Error("ida is found without the link: the test shows nothing")
	}
	r = ask(t, w, recall.Query{Text: hop.Text, Filter: wstk.Filter{ExcludeSites: []string{"https://a.example/ida"}}})
	if strings.Contains(urls(r.Hits), "ida") {
		t.Errorf("hits %q: ida is excluded", urls(r.Hits))
	}
}

func TestLinksThatDoNotCount(t *testing.T) {
	followed := func(q string, pages []page) bool {
		r := ask(t, build(t, pages...), recall.Query{Text: q})
		return slices.ContainsFunc(r.Hits, func(h wstk.Hit) bool {
			return h.Legs[len(h.Legs)-1].Name == "link"
		})
	}
	changed := func(change func(*page)) bool { return followed(hop.Text, linked(change)) }
	if changed(func(p *page) { p.links[0].Main = false }) {
		t.Error("a link beside the main content was followed")
	}
	pages := linked(func(p *page) {
		p.paragraphs[0] = "The Silent Corvus is a film of 1954. Its director was a friend. Ida Marsh paid for it."
	})
	pages[1].paragraphs[0] += " She had no nationality."
	if followed(hop.Text, pages) {
		t.Error("a link was followed that stands in a sentence without a word of the query")
	}
	if changed(func(p *page) {
		p.paragraphs[0] = strings.Replace(p.paragraphs[0], "Ida Marsh", "Ida Marshall", 1)
	}) {
		t.Error("the words of the link were found within a word")
	}
	if followed("Whom did few know, the director of a film of 1954 that was shot in Bergen?", linked(func(*page) {})) {
		t.Error("a link was followed on a page that the query does not name")
	}
	list := func(n int) func(*page) {
		return func(p *page) {
			for i := len(p.links); i < n; i++ {
				p.links = append(p.links, wstk.Link{URL: fmt.Sprintf("x%02d", i), Text: "filler", Main: true})
			}
		}
	}
	most := recall.DefaultLinks().MaxLinks
	if !changed(list(most)) || changed(list(most+1)) {
		t.Errorf("want links followed on a page with %d links and not on one with more", most)
	}
	pages = linked(func(*page) {})
	for i := range pages[20:40] {
		pages[20+i].links = []wstk.Link{{URL: "ida", Text: "ida", Main: true}}
	}
	if followed(hop.Text, pages) {
		t.Error("a link was followed to a page with links from many others")
	}
	pages = linked(func(*page) {})[:14]
	pages[3].links = []wstk.Link{{URL: "ida", Text: "ida", Main: true}}
	if !followed(hop.Text, pages) {
		t.Error("a link was not followed: two links are few, even on a small site")
	}
}

func TestFiltersAndPages(t *testing.T) {
	old, new := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := build(t, page{url: "docs/a", title: "a", paragraphs: []string{"Zebra one."}, fetched: old},
		page{url: "docs/b", title: "b", paragraphs: []string{"Zebra two."}, fetched: new},
		page{url: "blog/c", title: "c", paragraphs: []string{"Zebra three."}, fetched: new},
		page{url: "x", title: "x", paragraphs: []string{"None."}},
		page{url: "y", title: "y", paragraphs: []string{"None at all."}},
		page{url: "z", title: "z", paragraphs: []string{"Not here."}}, page{url: "v", title: "v", paragraphs: []string{"Never."}})
	for name, c := range map[string]struct {
		query recall.Query
		want  string
	}{
		"include": {recall.Query{Filter: wstk.Filter{IncludeSites: []string{"https://a.example/docs/"}}}, "docs/a docs/b"},
		"exclude": {recall.Query{Filter: wstk.Filter{ExcludeSites: []string{"https://a.example/docs/"}}}, "blog/c"},
		"date":    {recall.Query{Filter: wstk.Filter{MinDate: new}}, "blog/c docs/b"},
		"pages":   {recall.Query{Pages: []string{"https://a.example/docs/b"}}, "docs/b"},
		"limit":   {recall.Query{Limit: 1, Pages: []string{"https://a.example/docs/b", "https://a.example/docs/a"}}, "1"},
	} {
		c.query.Text = "zebra"
		r := ask(t, w, c.query)
		got := strings.Fields(urls(r.Hits))
		slices.Sort(got)
		if c.want == "1" {
			if len(got) != 1 {
				t.Errorf("%s: hits of %s, want one", name, got)
			}
		} else if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestSummariesAsHits(t *testing.T) {
	w := build(t, page{url: "p", title: "Gardens", paragraphs: []string{"We plant trees.", "And flowers."}},
		page{url: "q", title: "q", paragraphs: []string{"Else."}},
		page{url: "r", title: "r", paragraphs: []string{"Other."}}, page{url: "s", title: "s", paragraphs: []string{"Last."}})
	r := ask(t, w, recall.Query{Text: "trees", Kind: wstk.KindSummary})
	if len(r.Hits) != 1 || r.Hits[0].Kind != wstk.KindSummary || r.Hits[0].Span != nil ||
		!strings.Contains(r.Hits[0].Text, "Gardens") {
		t.Fatalf("hits %+v, want one, the summary of Gardens", r.Hits)
	}
	if r := ask(t, w, recall.Query{Text: "trees",
		Kind: wstk.KindChunk}); r.Hits[0].Kind != wstk.KindChunk {
		t.Error("passages are asked for and the first hit is a summary")
	}
	for _, h := range ask(t, w, recall.Query{Text: "trees"}).Hits {
		if h.Kind != wstk.KindChunk {
			t.Error("a summary is a hit although a passage of its page matches")
		}
	}
}

func TestMissingAndDamagedTexts(t *testing.T) {
	w := build(t, page{url: "gone", title: "a", paragraphs: []string{"Zebra one."}},
		page{url: "here", title: "b", paragraphs: []string{"Zebra two."}},
		page{url: "x", title: "x", paragraphs: []string{"None."}},
		page{url: "y", title: "y", paragraphs: []string{"None at all."}}, page{url: "z", title: "z", paragraphs: []string{"Nix."}})
	if err := w.texts.Delete(ctx, wstk.HashOf([]byte("Zebra one."))); err != nil {
		t.Fatal(err)
	}
	r := ask(t, w, recall.Query{Text: "zebra", Limit: 1})
	if urls(r.Hits) != "here" {
		t.Errorf("hits %q, want here: the next passage takes the place of the missing one", urls(r.Hits))
	}
	if r = ask(t, w, recall.Query{Text: "zebra"}); len(r.Warnings) != 1 ||
		r.Warnings[0].Code != "text_missing" || r.Warnings[0].URL != "https://a.example/gone" {
		t.Errorf("warnings %+v, want text_missing for gone", r.Warnings)
	}
	s := recall.New(w.index, broken{w.texts})
	if _, err := s.Do(ctx, recall.Query{Text: "zebra"}); wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("a store that does not answer gives the error %v, want code Unavailable", err)
	}
}

type broken struct{ wstk.BlobStore }

func (broken) Get(context.Context, wstk.Hash) ([]byte, error) {
	return nil, wstk.Errorf(wstk.Unavailable, "reading blob", "disk is away")
}

// fixed is a leg that returns fixed entries.
type fixed struct {
	ids []string
	err error
}

func (fixed) Name() string    { return "vector" }
func (fixed) Weight() float64 { return 0.5 }
func (f fixed) Search(
	context.Context, recall.Query, int,
) ([]recall.Scored, wstk.Usage, error) {
	var out []recall.Scored
	for i, id := range f.ids {
		out = append(out, recall.Scored{ID: id, Score: 1 - float64(i)/10})
	}
	return out, wstk.Usage{Calls: 1}, f.err
}

func TestAnotherLeg(t *testing.T) {
	w := build(t, page{url: "word", title: "a", paragraphs: []string{"The car is red."}},
		page{url: "sense", title: "b", paragraphs: []string{"Ein Wagen."}},
		page{url: "x", title: "x", paragraphs: []string{"None."}}, page{url: "y", title: "y", paragraphs: []string{"Nix."}})
	id := ask(t, w, recall.Query{Text: "Wagen", Kind: wstk.KindChunk}).Hits[0].ID
	use := func(f fixed) func(*recall.Stage) {
		return func(s *recall.Stage) { s.Legs = []recall.Leg{f} }
	}
	r := ask(t, w, recall.Query{Text: "car"}, use(fixed{ids: []string{id, "ch_unknown"}}))
	if urls(r.Hits) != "word sense" {
		t.Fatalf("hits %q, want what BM25 found and then what the leg found", urls(r.Hits))
	}
	if h := r.Hits[1]; len(h.Legs) != 1 || h.Legs[0].Name != "vector" || h.Legs[0].Weight != 0.5 ||
		h.Why != "vector #1" {
		t.Errorf("the second hit is %+v, want vector as its only leg and reason", h)
	}
	s := recall.New(w.index, w.texts)
	s.Legs = []recall.Leg{fixed{err: wstk.Errorf(wstk.Unavailable, "embedding", "no answer")}}
	if _, err := s.Do(ctx, recall.Query{Text: "car"}); wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("a leg that fails gives the error %v, want its own, Unavailable", err)
	}
	r = ask(t, w, recall.Query{Text: "car",
		Filter: wstk.Filter{IncludeSites: []string{"https://a.example/word"}}}, use(fixed{ids: []string{id}}))
	if urls(r.Hits) != "word" {
		t.Errorf("hits %q, want word: the filter holds for the leg, too", urls(r.Hits))
	}
}

func TestSameQuerySameAnswer(t *testing.T) {
	var pages []page
	for i := range 40 {
		pages = append(pages, page{url: fmt.Sprint("p", i), title: "Same",
			paragraphs: []string{fmt.Sprintf("The same words about trains, %d.", i)},
			links:      []wstk.Link{{URL: fmt.Sprint("p", (i*7)%40), Text: "trains", Main: true}}})
	}
	w := build(t, pages...)
	first := ask(t, w, recall.Query{Text: "same trains"})
	for range 5 {
		again := ask(t, w, recall.Query{Text: "same trains"})
		if fmt.Sprint(urls(again.Hits)) != urls(first.Hits) {
			t.Fatalf("the same query found\n%s\nthen\n%s", urls(first.Hits), urls(again.Hits))
		}
	}
}

// A query that names no limit has fifty hits at most; another limit is obeyed.
func TestAtMostFiftyHits(t *testing.T) {
	var pages []page
	for i := range 60 {
		pages = append(pages, page{url: fmt.Sprintf("p%02d", i), title: fmt.Sprintf("Zebra %d", i),
			paragraphs: []string{fmt.Sprintf("The zebra number %d eats grass in paddock %d.", i, i)}})
	}
	w := build(t, pages...)
	for limit, want := range map[int]int{0: 50, 7: 7, 60: 60} {
		if r := ask(t, w, recall.Query{Text: "zebra", Limit: limit}); len(r.Hits) != want {
			t.Errorf("limit %d: %d hits, want %d", limit, len(r.Hits), want)
		}
	}
}

func TestGap(t *testing.T) {
	var pages []page
	for i := range 14 {
		pages = append(pages, page{url: fmt.Sprintf("p%02d", i), title: "Contact",
			paragraphs: []string{fmt.Sprintf("Contact somebody in office %d.", i)}})
	}
	pages = append(pages, page{url: "anna", title: "People", paragraphs: []string{"Anna Kowalski answers the phone in the mornings and after lunch, but not on Fridays or when it rains."}})
	for i := range 20 {
		pages = append(pages, page{url: fmt.Sprint("x", i), title: "x",
			paragraphs: []string{fmt.Sprint("Filler ", i)}})
	}
	w := build(t, pages...)
	s := recall.New(w.index, w.texts)
	r, err := s.Gap(ctx, "the contact email of Kowalski", wstk.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hits) != recall.GapLimit || urls(r.Hits[:1]) != "anna" {
		t.Errorf("hits %q, want %d with anna first", urls(r.Hits), recall.GapLimit)
	}
	for _, h := range r.Hits {
		for _, l := range h.Legs {
			if l.Name == "summary" || l.Name == "link" {
				t.Errorf("a gap search used the leg %s, want BM25 over passages alone", l.Name)
			}
		}
	}
	for _, term := range r.Terms {
		if term.Origin == recall.FromSynonym {
			t.Errorf("a gap search used the synonym %s, want words of the query alone", term.Word)
		}
		if (term.Word == "Kowalski") != (term.Weight > 1) {
			t.Errorf("%s weighs %g, want more than 1 for the name alone", term.Word, term.Weight)
		}
	}
}

func TestCancelled(t *testing.T) {
	w := build(t, page{url: "p", title: "a", paragraphs: []string{"Words."}})
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := recall.New(w.index, w.texts).
		Do(done, recall.Query{Text: "words"}); wstk.CodeOf(err) != wstk.Cancelled ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled recall gives the error %v, want code Cancelled", err)
	}
}

func TestConcurrent(t *testing.T) {
	w := build(t, page{url: "p", title: "a", paragraphs: []string{"Words of one."}},
		page{url: "q", title: "b", paragraphs: []string{"Words of two."}},
		page{url: "r", title: "c", paragraphs: []string{"Else."}},
		page{url: "s", title: "d", paragraphs: []string{"Other."}}, page{url: "t", title: "e", paragraphs: []string{"More."}})
	s := recall.New(w.index, w.texts)
	s.Config.TextCache = 40 // a text or two: entries come and go
	errs := make(chan error)
	for range 8 {
		go func() {
			var err error
			for range 50 {
				var r recall.Result
				if r, err = s.Do(ctx, recall.Query{Text: "words"}); err == nil && len(r.Hits) != 2 {
					err = fmt.Errorf("%d hits, want 2", len(r.Hits))
				}
				if err != nil {
					break
				}
			}
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// Words that are said for one another find each other, and phrases what they are said for.
func TestRelatedWordsAreSearchedFor(t *testing.T) {
	for query, want := range map[string]string{
		"mute the alarm": "silence", "getting rid of logs": "delete", "pictures": "photo"} {
		r, err := recall.New(memory.NewIndex(), memory.NewBlobs()).Do(context.Background(),
			recall.Query{Text: query, Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(r.Terms, func(x recall.Term) bool {
			return x.Word == want && x.Origin == recall.FromSynonym &&
				x.Weight > 0 && x.Weight <= .2
		}) {
			t.Errorf("%q searches for %v, want %s among them", query, r.Terms, want)
		}
	}
}
