package vector_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/vector"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// pointing embeds words on trees in one direction and all others in another one. It notes
// what it was given.
type pointing struct{ given *[]string }

func (pointing) Info() wstk.EmbedderInfo {
	return wstk.EmbedderInfo{Name: "pointing", SHA256: wstk.HashOf(nil), Dimension: 2,
		MaxTokens: 100, Languages: []string{"en"}}
}

func (p pointing) Embed(
	_ context.Context, _ wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	var out []wstk.Embedding
	for _, s := range texts {
		*p.given = append(*p.given, s)
		v := []float32{1, 0}
		if strings.Contains(s, "tree") {
			v = []float32{0, 1}
		}
		out = append(out, wstk.Embedding{Vector: v})
	}
	return wstk.EmbedReply{Embeddings: out}, nil
}

func open(given *[]string) vector.Index {
	return vector.Index{Index: memory.NewIndex(), Vectors: memory.NewVectors(),
		Embedder: pointing{given}, Texts: memory.NewBlobs()}
}

func TestIndex(t *testing.T) {
	wstktest.Index(t, func(t *testing.T) wstk.Index { return open(new([]string)) })
}

// page is a page of a navigation and two passages.
func page(t *testing.T, x vector.Index, url, language string) wstk.PageIndex {
	t.Helper()
	const body = "Home | About. The old tree. The red boat."
	h, err := x.Texts.Put(t.Context(), []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	p := wstk.PageIndex{URL: url, Site: "si_a", Title: "Park", Language: language, TextSHA256: h,
		FetchedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	for i, part := range []string{"Home | About. ", "The old tree. ", "The red boat."} {
		at := strings.Index(body, part)
		id := url + string(rune('0'+i))
		p.Entries = append(p.Entries, wstk.Entry{ID: id, Kind: wstk.KindChunk,
			Chunk: &wstk.Chunk{ID: id, URL: url, TextSHA256: h, Main: i > 0,
				SectionPath: []string{"Sights"},
				Span:        wstk.Span{ByteStart: at, ByteEnd: at + len(part)}}})
	}
	return p
}

func nearest(t *testing.T, x vector.Index) []string {
	t.Helper()
	hits, err := x.Vectors.Nearest(t.Context(), wstk.VectorQuery{Model: x.Embedder.Info().ID(),
		Vector: []float32{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range hits {
		out = append(out, h.Chunk)
	}
	return out
}

func TestMainContentHasVectorsWithItsPlace(t *testing.T) {
	var given []string
	x := open(&given)
	if err := x.Replace(t.Context(), page(t, x, "https://a.example/", "en-GB")); err != nil {
		t.Fatal(err)
	}
	want := []string{"Park\nSights\nThe old tree. ", "Park\nSights\nThe red boat."}
	if !slices.Equal(given, want) {
		t.Errorf("embedded were %q, want %q", given, want)
	}
	if got := nearest(t, x); !slices.Equal(got,
		[]string{"https://a.example/1", "https://a.example/2"}) {
		t.Errorf("nearest are %v", got)
	}
}

func TestOtherLanguagesHaveNoVectors(t *testing.T) {
	var given []string
	x := open(&given)
	if err := x.Replace(t.Context(), page(t, x, "https://a.example/", "en")); err != nil {
		t.Fatal(err)
	}
	if err := x.Replace(t.Context(), page(t, x, "https://a.example/", "de")); err != nil {
		t.Fatal(err)
	}
	if got := nearest(t, x); len(given) != 2 || len(got) != 0 {
		t.Errorf("embedded were %q, nearest are %v", given, got)
	}
}

func TestAForgottenPageHasNoVectors(t *testing.T) {
	x := open(new([]string))
	for _, url := range []string{"https://a.example/", "https://b.example/"} {
		if err := x.Replace(t.Context(), page(t, x, url, "")); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Remove(t.Context(), "https://a.example/"); err != nil {
		t.Fatal(err)
	}
	if got := nearest(t, x); !slices.Equal(got,
		[]string{"https://b.example/1", "https://b.example/2"}) {
		t.Errorf("nearest are %v", got)
	}
}

// A page that is removed after the embedder was taken away leaves none of its vectors.
func TestRemoveForgetsTheVectorsOfAnEarlierEmbedder(t *testing.T) {
	x := open(new([]string))
	v := wstk.PageVectors{URL: "https://a.example/", Model: "m", Chunks: []string{"ch_a"},
		Vectors: [][]float32{{1, 0}}}
	if err := x.Vectors.Replace(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	x.Embedder = nil
	if err := x.Replace(t.Context(), wstk.PageIndex{URL: v.URL}); err != nil {
		t.Fatal(err)
	}
	if err := x.Remove(t.Context(), v.URL); err != nil {
		t.Fatal(err)
	}
	if held, err := x.Vectors.Held(t.Context(), "m", v.URL); err != nil || len(held) > 0 {
		t.Errorf("held are %v, %v", held, err)
	}
}
