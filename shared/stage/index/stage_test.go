package index_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/stage/chunk"
	"wstk/shared/stage/index"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

var ctx = context.Background()

const url = "https://example.org/p"

// doc is a page with a heading, a table long enough to be cut, and a footer.
func doc() *wstk.Document {
	d := &wstk.Document{URL: url, CanonicalURL: url, SnapshotSHA256: wstk.HashOf([]byte("body")),
		Meta:      wstk.Metadata{Title: "Prices", Language: "en"},
		Sections:  []wstk.Section{{Title: "Rooms and rates", Level: 1, Parent: -1}},
		FetchedAt: time.Unix(1000, 0).UTC(),
		Links: []wstk.Link{
			{URL: url, Text: "top"},
			{URL: "https://example.org/a", Text: "", Main: false, NoFollow: true},
			{URL: "https://example.org/b", Text: "menu b", Main: false},
			{URL: "https://example.org/a", Text: "about rooms", Main: true},
			{URL: "https://example.org/b", Text: "", Main: true},
			{URL: "https://example.org/a", Text: "again", Main: true},
		}}
	add := func(b wstk.Block, s string) {
		if d.Text != "" {
			d.Text += "\n"
		}
		b.ByteStart, b.CharStart = len(d.Text), len(d.Text)
		d.Text += s
		b.ByteEnd, b.CharEnd = len(d.Text), len(d.Text)
		d.Blocks = append(d.Blocks, b)
	}
	add(wstk.Block{Kind: wstk.BlockHeading, Level: 1, Main: true}, "Rooms and rates")
	add(wstk.Block{Kind: wstk.BlockTableRow, Table: 1, IsHeader: true, Main: true}, "Chamber\tTariff")
	for range 60 {
		add(wstk.Block{Kind: wstk.BlockTableRow, Table: 1, Main: true}, "double with a view of the lake and of the mountains behind it, twin beds\t120 EUR")
	}
	add(wstk.Block{Kind: wstk.BlockParagraph, Main: false}, "Telephone 030 123456")
	d.TextSHA256 = wstk.HashOf([]byte(d.Text))
	return d
}

func input() index.Input {
	d := doc()
	return index.Input{Page: wstk.Page{URL: url, Site: "site_1"}, Document: d,
		Summary: &wstk.Summary{URL: url, TextSHA256: d.TextSHA256, Text: "A lodge.", Engine: "heuristic",
			Signals: wstk.Signals{Offers: []string{"breakfast"}, Entities: []string{"Lake Lodge"}}}}
}

func stage(x wstk.Index) index.Stage { return index.Stage{Index: x, Split: chunk.Split} }

func search(t *testing.T, x wstk.Index, word string, kind wstk.EntryKind) []wstk.IndexHit {
	t.Helper()
	q := wstk.IndexQuery{Kind: kind, Limit: 100}
	for _, tok := range text.Tokenize(word, "en") {
		q.Terms = append(q.Terms, wstk.QueryTerm{Token: tok.Text, Weight: 1})
	}
	hits, err := x.Search(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

func TestEveryChunkAndTheSummaryAreFound(t *testing.T) {
	x := memory.NewIndex()
	s := stage(x)
	p, err := s.Do(ctx, input())
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := chunk.Split(ctx, doc())
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Entries) != len(chunks)+1 || len(chunks) < 3 {
		t.Fatalf("%d entries for %d chunks", len(p.Entries), len(chunks))
	}
	if hits := search(t, x, "telephone", wstk.KindChunk); len(hits) != 1 || hits[0].Chunk.Main {
		t.Errorf("text beside the main content: %+v", hits)
	}
	for _, w := range []string{"lodge", "breakfast", "lake lodge"} {
		if hits := search(t, x, w, wstk.KindSummary); len(hits) != 1 {
			t.Errorf("summary by %q: %d hits", w, len(hits))
		}
	}
	// Title and section path are known to every chunk of the section.
	if hits := search(t, x, "price", wstk.KindChunk); len(hits) != len(chunks) {
		t.Errorf("by title: %d of %d", len(hits), len(chunks))
	}
	// So is what the columns are called, wherever the table was cut.
	if hits := search(t, x, "tariff", wstk.KindChunk); len(hits) != len(chunks)-1 {
		t.Errorf("by table header: %d of %d", len(hits), len(chunks)-1)
	}
	if p.Tokenizer != text.TokenizerVersion || p.Language != "en" || p.Site != "site_1" || p.Title != "Prices" {
		t.Errorf("the page is %+v, want its tokenizer, language, site and title", p)
	}
}

func TestLinksOncePerTarget(t *testing.T) {
	s := stage(memory.NewIndex())
	p, err := s.Do(ctx, input())
	if err != nil {
		t.Fatal(err)
	}
	want := []wstk.Link{{URL: "https://example.org/a", Text: "about rooms", Main: true}, {URL: "https://example.org/b", Text: "menu b", Main: true}}
	if !slices.Equal(p.Links, want) {
		t.Errorf("got %+v", p.Links)
	}
}

func TestTwiceIsOnceAndTheNewerStays(t *testing.T) {
	x := memory.NewIndex()
	s := stage(x)
	count := func() wstk.IndexStats {
		st, err := x.Stats(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	if _, err := s.Do(ctx, input()); err != nil {
		t.Fatal(err)
	}
	first := count()
	if _, err := s.Do(ctx, input()); err != nil {
		t.Fatal(err)
	}
	if count() != first {
		t.Errorf("%+v, then %+v", first, count())
	}
	old := input()
	old.Document = plainDoc("Something older.", time.Unix(900, 0))
	old.Summary = nil
	if _, err := s.Do(ctx, old); err != nil {
		t.Fatal(err)
	}
	if len(search(t, x, "older", "")) != 0 {
		t.Error("an older fetch replaced a newer one")
	}
	newer := input()
	newer.Document = plainDoc("Something newer.", time.Unix(1100, 0))
	newer.Summary = nil
	if _, err := s.Do(ctx, newer); err != nil {
		t.Fatal(err)
	}
	if len(search(t, x, "newer", "")) != 1 || len(search(t, x, "telephone", "")) != 0 {
		t.Error("the newer fetch did not replace the older one")
	}
}

func plainDoc(s string, at time.Time) *wstk.Document {
	return &wstk.Document{URL: url, Text: s, TextSHA256: wstk.HashOf([]byte(s)), FetchedAt: at,
		Blocks: []wstk.Block{{Kind: wstk.BlockParagraph, Section: -1, Main: true,
			Span: wstk.Span{ByteEnd: len(s), CharEnd: len(s)}}}}
}

func TestWhatDoesNotFitTogetherIsInvalid(t *testing.T) {
	s := stage(memory.NewIndex())
	for name, change := range map[string]func(*index.Input){
		"no document":     func(in *index.Input) { in.Document = nil },
		"another page":    func(in *index.Input) { in.Page.URL = "https://example.org/q" },
		"another summary": func(in *index.Input) { in.Summary.TextSHA256 = "x" },
		"a summary from":  func(in *index.Input) { in.Summary.URL = "https://example.org/q" },
	} {
		in := input()
		change(&in)
		if _, err := s.Do(ctx, in); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: the error is %v, want Invalid", name, err)
		}
	}
}

func TestPageIsMarkedWhenTheIndexHoldsIt(t *testing.T) {
	pages := memory.NewPages()
	in := input()
	in.Page.TextSHA256 = in.Document.TextSHA256
	if err := pages.Put(ctx, in.Page); err != nil {
		t.Fatal(err)
	}
	s := stage(memory.NewIndex())
	s.Pages, s.Now = pages, func() time.Time { return time.Unix(2000, 0) }
	if _, err := s.Do(ctx, in); err != nil {
		t.Fatal(err)
	}
	p, err := pages.Get(ctx, url)
	if err != nil || !p.IndexedAt.Equal(time.Unix(2000, 0)) {
		t.Errorf("indexed at %v, %v", p.IndexedAt, err)
	}
	s.Index = full{}
	in.Page.URL, in.Document.URL = "https://example.org/2", "https://example.org/2"
	in.Summary = nil
	if err := pages.Put(ctx, in.Page); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(ctx, in); wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("an index that is full: %v", err)
	}
	if p, _ := pages.Get(ctx, "https://example.org/2"); !p.IndexedAt.IsZero() {
		t.Error("marked although the index does not hold it")
	}
}

type full struct{ wstk.Index }

func (full) Replace(context.Context, wstk.PageIndex) error {
	return wstk.Errorf(wstk.Unavailable, "indexing", "disk is full")
}

func TestLanguageOfADocument(t *testing.T) {
	d := plainDoc("Die Preise gelten für alle Zimmer, die wir im Haus haben, und für das Frühstück.", time.Time{})
	if got := index.Language(d); got != "de" {
		t.Errorf("by its text: %q", got)
	}
	d.Meta.Language = "en-gb"
	if got := index.Language(d); got != "en-gb" {
		t.Errorf("by its own word: %q", got)
	}
	d = plainDoc(strings.Repeat("数据库", 2000), time.Time{})
	if got := index.Language(d); got != "zh" {
		t.Errorf("chinese: %q", got)
	}
}

func BenchmarkDo(b *testing.B) {
	in := input()
	s := stage(nowhere{})
	b.SetBytes(int64(len(in.Document.Text)))
	for b.Loop() {
		if _, err := s.Do(ctx, in); err != nil {
			b.Fatal(err)
		}
	}
}

// nowhere takes everything, so that a benchmark measures the stage alone.
type nowhere struct{ wstk.Index }

func (nowhere) Replace(context.Context, wstk.PageIndex) error { return nil }
