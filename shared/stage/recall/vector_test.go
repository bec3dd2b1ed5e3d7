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
		found, _, err := leg.Search(t.Context(), q, 7)
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

// rented is north as a service.
type rented struct{ north }

func (rented) Info() wstk.EmbedderInfo { return wstk.EmbedderInfo{Provider: "made", Name: "n"} }

func TestVectorsNameTheirService(t *testing.T) {
	for name, leg := range map[string]recall.Vectors{"vector": {Embedder: north{}},
		"vector of made": {Embedder: rented{}}} {
		if leg.Name() != name || leg.Weight() != recall.CarefulShare {
			t.Errorf("%s is called %s and has the weight %g", name, leg.Name(), leg.Weight())
		}
	}
	declared := recall.Vectors{Embedder: weighty{}}
	if own := (recall.Vectors{Embedder: weighty{}, Share: .3}); declared.Weight() != .9 ||
		own.Weight() != .3 {
		t.Errorf("the weights are %g and %g, want .9 and .3", declared.Weight(), own.Weight())
	}
}

// weighty is north with a declared weight.
type weighty struct{ north }

func (weighty) Info() wstk.EmbedderInfo { return wstk.EmbedderInfo{Name: "w", Weight: .9} }

func TestVectorsLeaveOtherLanguagesToTheWords(t *testing.T) {
	leg := recall.Vectors{Embedder: north{}, Index: nearestTo{query: new(wstk.VectorQuery)}}
	for _, lang := range []string{"de", "enm", "zh-Hant"} {
		found, _, err := leg.Search(t.Context(), recall.Query{Text: "ein Boot", Lang: lang}, 7)
		if err != nil || len(found) > 0 {
			t.Errorf("%s: found %v, %v", lang, found, err)
		}
	}
}
