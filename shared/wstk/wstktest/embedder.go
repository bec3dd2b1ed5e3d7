package wstktest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// Embedder checks the promises of wstk.Embedder. An embedder of a service is opened over a
// stand-in for that service.
func Embedder(t *testing.T, open func(t *testing.T) wstk.Embedder) {
	s := embedderSuite{newSuite[wstk.Embedder](t, open, nil)}
	s.run("InfoNamesTheModel", s.infoNamesTheModel)
	s.run("OneVectorForEachTextInOrder", s.oneVectorForEachText)
	s.run("VectorsHaveTheLengthOne", s.vectorsHaveTheLengthOne)
	s.run("AloneAndBesideOthersIsTheSame", s.aloneAndBesideOthers)
	s.run("NoTextsHaveNoVectors", s.noTexts)
	s.run("LongTextsAreCut", s.longTextsAreCut)
	s.run("VectorsBelongToTheCaller", s.vectorsBelongToTheCaller)
	s.run("EmbedEndsWithItsContext", s.embedEndsWithItsContext)
	s.run("ManyAtOnceAgree", s.manyAtOnceAgree)
}

type embedderSuite struct{ suite[wstk.Embedder] }

// textsToEmbed are ordinary and odd ones.
var textsToEmbed = []string{
	"The ferry leaves at nine.", "tide tables", "", "   \n\t ", "\x00\xff\xfe", "🚢🚢",
	"Größen und Preise", "海の時刻表", strings.Repeat("boat ", 40),
}

func embed(t *testing.T, e wstk.Embedder, texts ...string) [][]float32 {
	t.Helper()
	return embedFor(t, e, wstk.EmbedPassage, texts...)
}

func embedFor(
	t *testing.T, e wstk.Embedder, purpose wstk.EmbedPurpose, texts ...string,
) [][]float32 {
	t.Helper()
	made, err := e.Embed(bg, purpose, texts...)
	must(t, err)
	if len(made.Embeddings) != len(texts) {
		t.Fatalf("%d vectors of %d texts", len(made.Embeddings), len(texts))
	}
	return ids(made.Embeddings, func(m wstk.Embedding) []float32 { return m.Vector })
}

func (s embedderSuite) infoNamesTheModel(t *testing.T, e wstk.Embedder) {
	info := e.Info()
	if info.Name == "" || info.Dimension < 1 || info.MaxTokens < 1 ||
		info.Weight < 0 || info.Unrelated < 0 || info.Unrelated >= 1 {
		t.Errorf("info is %+v", info)
	}
	wantModel(t, info.Provider, info.SHA256)
	for _, part := range []string{info.Name, string(info.SHA256[:min(12, len(info.SHA256))])} {
		if id := info.ID(); !strings.Contains(id, part) {
			t.Errorf("the id %q does not hold %q", id, part)
		}
	}
	other := info
	other.Dimension++
	if info.SHA256 == "" && (other.ID() == info.ID() ||
		!strings.HasPrefix(info.ID(), info.Provider+"/")) {
		t.Errorf("the id of a service is %q: it must hold the vendor and the dimension", info.ID())
	}
}

// wantModel checks that a model is named by the hash of its weights or by who offers it.
func wantModel(t *testing.T, provider string, hash wstk.Hash) {
	t.Helper()
	if (provider == "") == (hash == "") || hash != "" && len(hash) != 64 {
		t.Errorf("the provider is %q and the hash %q, want one of them", provider, hash)
	}
}

func (s embedderSuite) oneVectorForEachText(t *testing.T, e wstk.Embedder) {
	all := embed(t, e, textsToEmbed...)
	slices.Reverse(all)
	back := slices.Clone(textsToEmbed)
	slices.Reverse(back)
	for i, v := range embed(t, e, back...) {
		if !slices.Equal(v, all[i]) {
			t.Errorf("%q: the vector depends on the order", back[i])
		}
	}
}

func (s embedderSuite) vectorsHaveTheLengthOne(t *testing.T, e wstk.Embedder) {
	for i, v := range slices.Concat(embed(t, e, textsToEmbed...),
		embedFor(t, e, wstk.EmbedQuery, textsToEmbed...)) {
		i %= len(textsToEmbed)
		if len(v) != e.Info().Dimension {
			t.Errorf("%q: %d numbers, want %d", textsToEmbed[i], len(v), e.Info().Dimension)
			continue
		}
		var squares float64 // Cosine hides what is above 1
		for _, x := range v {
			squares += float64(x) * float64(x)
		}
		if math.Abs(squares-1) > 1e-5 {
			t.Errorf("%q: the length is %g", textsToEmbed[i], math.Sqrt(squares))
		}
	}
}

func (s embedderSuite) aloneAndBesideOthers(t *testing.T, e wstk.Embedder) {
	for i, v := range embed(t, e, textsToEmbed...) {
		if !slices.Equal(v, embed(t, e, textsToEmbed[i])[0]) {
			t.Errorf("%q: another vector when embedded alone", textsToEmbed[i])
		}
	}
}

func (s embedderSuite) noTexts(t *testing.T, e wstk.Embedder) {
	made, err := e.Embed(bg, wstk.EmbedPassage)
	must(t, err)
	if len(made.Embeddings) > 0 || made.Usage.Calls > 0 {
		t.Errorf("no texts made %+v", made)
	}
}

func (s embedderSuite) longTextsAreCut(t *testing.T, e wstk.Embedder) {
	long := strings.Repeat("boat ", 10*e.Info().MaxTokens)
	reply, err := e.Embed(bg, wstk.EmbedPassage, long, long+"and a harbour", "boat")
	must(t, err)
	made, counts := reply.Embeddings, e.Info().SHA256 != ""
	if !made[0].Cut || made[0].Tokens > e.Info().MaxTokens || made[2].Cut ||
		counts && made[2].Tokens < 1 {
		t.Errorf("cut is %v and %v, tokens are %d and %d", made[0].Cut, made[2].Cut,
			made[0].Tokens, made[2].Tokens)
	}
	if !slices.Equal(made[0].Vector, made[1].Vector) {
		t.Error("the end of a long text counts")
	}
}

func (s embedderSuite) vectorsBelongToTheCaller(t *testing.T, e wstk.Embedder) {
	a := embed(t, e, "boat", "ferry")
	b := slices.Clone(a[1])
	clear(a[0])
	if !slices.Equal(a[1], b) || embed(t, e, "boat")[0][0] == 0 {
		t.Error("a change of one vector shows in another")
	}
}

func (s embedderSuite) embedEndsWithItsContext(t *testing.T, e wstk.Embedder) {
	_, err := e.Embed(cancelled(), wstk.EmbedPassage, "boat")
	wantCode(t, "Embed", err, wstk.Cancelled)
}

func (s embedderSuite) manyAtOnceAgree(t *testing.T, e wstk.Embedder) {
	want := embed(t, e, textsToEmbed...)
	together(t, 8, func(i int) error {
		k := i % len(textsToEmbed)
		got, err := e.Embed(bg, wstk.EmbedPassage, textsToEmbed[k])
		if err == nil && !slices.Equal(got.Embeddings[0].Vector, want[k]) {
			return wstk.Errorf(wstk.Internal, "", "%q: another vector", textsToEmbed[k])
		}
		return err
	})
}
