package recall_test

import (
	"context"
	"slices"
	"testing"

	"wstk/shared/stage/recall"
	"wstk/shared/wstk"
)

// north embeds all texts alike; it knows English.
type north struct{}

func (north) Info() wstk.EmbedderInfo {
	return wstk.EmbedderInfo{Name: "north", SHA256: wstk.HashOf(nil), Dimension: 1,
		Unrelated: .2, Languages: []string{"en"}}
}

func (north) Embed(
	_ context.Context, _ wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	return wstk.EmbedReply{Embeddings: slices.Repeat([]wstk.Embedding{{Vector: []float32{1}}},
		len(texts))}, nil
}

// nearestTo is a wstk.VectorIndex that notes the query.
type nearestTo struct {
	wstk.VectorIndex
	query *wstk.VectorQuery
}

func (a nearestTo) Nearest(
	_ context.Context, q wstk.VectorQuery,
) ([]wstk.VectorHit, error) {
	*a.query = q
	return []wstk.VectorHit{{Chunk: "ch_1", Score: .7}, {Chunk: "ch_2", Score: .2},
		{Chunk: "ch_3", Score: .19}}, nil
}

func TestVectorsAskWhatTheQueryAsks(t *testing.T) {
	var got wstk.VectorQuery
	leg := recall.Vectors{Embedder: north{}, Index: nearestTo{query: &got}, Share: .5}
	q := recall.Query{Text: "a boat", Pages: []string{"https://a.example/"},
		Filter: wstk.Filter{IncludeSites: []string{"a.example"}}}
	for _, lang := range []string{"", "en", "en-GB"} {
		q.Lang = lang
		found, err := leg.Search(t.Context(), q, 7)
		if err != nil || !slices.Equal(found, []recall.Scored{{ID: "ch_1", Score: .7},
			{ID: "ch_2", Score: .2}}) {
			t.Errorf("%q: found %v, %v", lang, found, err)
		}
	}
	if got.Limit != 7 || !slices.Equal(got.Pages, q.Pages) || len(got.Filter.IncludeSites) != 1 ||
		got.Model != (north{}).Info().ID() || !slices.Equal(got.Vector, []float32{1}) {
		t.Errorf("the index was asked %+v", got)
	}
}

func TestVectorsLeaveOtherLanguagesToTheWords(t *testing.T) {
	leg := recall.Vectors{Embedder: north{}, Index: nearestTo{query: new(wstk.VectorQuery)}}
	for _, lang := range []string{"de", "enm", "zh-Hant"} {
		found, err := leg.Search(t.Context(), recall.Query{Text: "ein Boot", Lang: lang}, 7)
		if err != nil || len(found) > 0 {
			t.Errorf("%s: found %v, %v", lang, found, err)
		}
	}
}
