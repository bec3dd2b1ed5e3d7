package local

import (
	"context"
	"slices"
	"testing"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/vector"
	"wstk/shared/app"
	"wstk/shared/stage/chunk"
	"wstk/shared/stage/index"
	"wstk/shared/stage/recall"
	"wstk/shared/wstk"
)

// counting embeds every text alike, and calls before first.
type counting struct {
	before func()
	name   string
}

func (c counting) Info() wstk.EmbedderInfo {
	return wstk.EmbedderInfo{Name: "counting" + c.name, SHA256: wstk.HashOf(nil), Dimension: 1}
}

func (c counting) Embed(
	ctx context.Context, _ wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	c.before()
	if err := ctx.Err(); err != nil {
		return wstk.EmbedReply{}, err
	}
	out := make([]wstk.Embedding, len(texts))
	for i := range out {
		out[i].Vector = []float32{1}
	}
	return wstk.EmbedReply{Embeddings: out}, nil
}

// storePage stores a page of one sentence that the words' index holds.
func storePage(t *testing.T, a *app.App, url string, at time.Time) {
	t.Helper()
	const body = "The boat is red."
	text := wstk.HashOf([]byte(body))
	d := &wstk.Document{URL: url, Text: body, TextSHA256: text, FetchedAt: at,
		Blocks: []wstk.Block{{Kind: wstk.BlockParagraph, Main: true,
			Span: wstk.Span{ByteEnd: len(body)}}}}
	document, err := wstk.SaveDocument(t.Context(), a.Blobs, d)
	if err != nil {
		t.Fatal(err)
	}
	err = a.Pages.Put(t.Context(), wstk.Page{URL: url, Site: "si_a", TextSHA256: text,
		Document: document, FetchedAt: at, CheckedAt: at, IndexedAt: at})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPagesGetTheVectorsTheyLack(t *testing.T) {
	m := memory.New()
	a := app.New(app.Home{Stores: app.Stores{Blobs: m.Blobs, Pages: m.Pages, Index: m.Index}})
	a.Indexing = &index.Stage{Split: chunk.Split}
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	vectors := memory.NewVectors()
	shelf := &modelShelf{app: a, pages: &vector.Index{Index: m.Index, Vectors: vectors,
		Texts: m.Blobs, Embedder: counting{before: func() {
			if calls++; calls == 2 {
				cancel()
			}
		}}}}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, name := range []string{"a", "b", "c"} {
		storePage(t, a, "https://"+name+".example/", at)
	}
	wantLacking := func(want int) {
		t.Helper()
		if n, err := shelf.Lacking(t.Context()); n != want || err != nil {
			t.Errorf("%d pages lack vectors, %v; want %d", n, err, want)
		}
	}
	wantLacking(3)
	done, err := shelf.Index(ctx, nil)
	if wstk.CodeOf(err) != wstk.Cancelled || done.Pages != 1 || done.Lacking != 2 {
		t.Errorf("a call that was stopped at the second page returned %+v, %v", done, err)
	}
	wantLacking(2)

	var shown []int
	done, err = shelf.Index(t.Context(), func(done, of int) { shown = append(shown, done, of) })
	if err != nil || done.Pages != 2 || done.Lacking != 0 || calls != 4 {
		t.Errorf("the next one returned %+v, %v after %d calls", done, err, calls)
	}
	if len(shown) != 4 || shown[0] != 0 || shown[2] != 1 || shown[3] != 2 {
		t.Errorf("progress was %v", shown)
	}
	wantLacking(0)
	hits, err := vectors.Nearest(t.Context(), wstk.VectorQuery{Model: counting{}.Info().ID(),
		Vector: []float32{1}})
	if err != nil || len(hits) != 3 {
		t.Errorf("found are %v, %v; want a passage of each page", hits, err)
	}

	// a page that was fetched since, and one that cannot be read
	storePage(t, a, "https://b.example/", at.Add(time.Hour))
	p := wstk.Page{URL: "https://d.example/", Site: "si_a", Document: wstk.HashOf([]byte("none")),
		FetchedAt: at, CheckedAt: at, IndexedAt: at}
	if err := a.Pages.Put(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	wantLacking(2)
	done, err = shelf.Index(t.Context(), nil)
	if err != nil || done.Pages != 1 || done.Lacking != 1 || len(done.Warnings) != 1 ||
		done.Warnings[0].URL != p.URL {
		t.Errorf("beside a page without its text: %+v, %v", done, err)
	}
	wantLacking(1)
}

// A changed model makes its own vectors: which pages lack them is told, those of the old model
// are compared with nothing, and a change back costs nothing.
func TestAChangedModelMakesOnlyItsOwnVectors(t *testing.T) {
	m := memory.New()
	a := app.New(app.Home{Stores: app.Stores{Blobs: m.Blobs, Pages: m.Pages, Index: m.Index}})
	a.Indexing = &index.Stage{Index: m.Index, Split: chunk.Split}
	vectors := memory.NewVectors()
	calls := map[string]int{}
	use := func(name string) (*modelShelf, *recall.Stage) {
		e := counting{func() { calls[name]++ }, name}
		s := recall.New(m.Index, m.Blobs)
		s.Legs = []recall.Leg{recall.Vectors{Embedder: e, Index: vectors}}
		return &modelShelf{app: a, pages: &vector.Index{Index: m.Index, Vectors: vectors,
			Texts: m.Blobs, Embedder: e}}, s
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, name := range []string{"a", "b"} {
		storePage(t, a, "https://"+name+".example/", at)
		p, err := a.Pages.Get(t.Context(), "https://"+name+".example/")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := wstk.LoadDocument(t.Context(), a.Blobs, p.Document)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Indexing.Do(t.Context(), index.Input{Page: p, Document: doc}); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct {
		model           string
		lacking, byItem int // before its vectors were made
	}{{"old", 2, 0}, {"new", 2, 0}, {"old", 0, 2}} {
		shelf, s := use(c.model)
		if n, err := shelf.Lacking(t.Context()); n != c.lacking || err != nil {
			t.Errorf("%d, %s: %d pages lack vectors, %v; want %d", i, c.model, n, err, c.lacking)
		}
		found := func(by int) {
			t.Helper()
			r, err := s.Do(t.Context(), recall.Query{Text: "boat"})
			n := 0
			for _, h := range r.Hits {
				n += len(slices.DeleteFunc(slices.Clone(h.Legs), func(l wstk.Leg) bool {
					return l.Name != "vector"
				}))
				n += len(h.AlsoOn) * min(n, 1) // equal passages are one hit
			}
			if err != nil || len(r.Hits) == 0 || n != by {
				t.Errorf("%d, %s: %d of %+v were found by vectors, %v; want %d", i, c.model, n,
					r.Hits, err, by)
			}
		}
		found(c.byItem)
		before := calls[c.model]
		done, err := shelf.Index(t.Context(), nil)
		if err != nil || done.Pages != c.lacking || calls[c.model]-before != c.lacking {
			t.Errorf("%d, %s: %+v, %v after %d calls", i, c.model, done, err,
				calls[c.model]-before)
		}
		found(2)
	}
}
