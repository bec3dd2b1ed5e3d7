package wstktest

import (
	"math"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// Reranker checks the promises of wstk.Reranker.
func Reranker(t *testing.T, open func(t *testing.T) wstk.Reranker) {
	s := rerankerSuite{newSuite[wstk.Reranker](t, open, nil)}
	s.run("InfoNamesTheModel", s.infoNamesTheModel)
	s.run("OneScoreForEachTextInOrder", s.oneScoreForEachText)
	s.run("NoTextsHaveNoScores", s.noTexts)
	s.run("OfALongTextTheBeginningCounts", s.theBeginningCounts)
	s.run("RerankEndsWithItsContext", s.rerankEndsWithItsContext)
	s.run("ManyAtOnceAgree", s.manyAtOnceAgree)
}

type rerankerSuite struct{ suite[wstk.Reranker] }

func rerank(t *testing.T, r wstk.Reranker, query string, texts ...string) []float64 {
	t.Helper()
	reply, err := r.Rerank(bg, query, texts...)
	must(t, err)
	if len(reply.Scores) != len(texts) {
		t.Fatalf("%d scores of %d texts", len(reply.Scores), len(texts))
	}
	return reply.Scores
}

func (s rerankerSuite) infoNamesTheModel(t *testing.T, r wstk.Reranker) {
	info := r.Info()
	if info.Name == "" || info.MaxTokens < 1 {
		t.Errorf("info is %+v", info)
	}
	wantModel(t, info.Provider, info.SHA256)
}

func (s rerankerSuite) oneScoreForEachText(t *testing.T, r wstk.Reranker) {
	for i, score := range rerank(t, r, "ferry", textsToEmbed...) {
		if math.IsNaN(score) || math.IsInf(score, 0) {
			t.Errorf("%q: the score is %g", textsToEmbed[i], score)
		}
		if alone := rerank(t, r, "ferry", textsToEmbed[i])[0]; alone != score {
			t.Errorf("%q: alone %g, beside others %g", textsToEmbed[i], alone, score)
		}
	}
}

func (s rerankerSuite) noTexts(t *testing.T, r wstk.Reranker) {
	reply, err := r.Rerank(bg, "ferry")
	must(t, err)
	if len(reply.Scores) > 0 || reply.Usage.Calls > 0 {
		t.Errorf("no texts got %+v", reply)
	}
}

func (s rerankerSuite) theBeginningCounts(t *testing.T, r wstk.Reranker) {
	long := strings.Repeat("boat ", 10*r.Info().MaxTokens)
	scores := rerank(t, r, long, long, long+"and a harbour")
	if scores[0] != scores[1] {
		t.Error("the end of a long text counts")
	}
}

func (s rerankerSuite) rerankEndsWithItsContext(t *testing.T, r wstk.Reranker) {
	_, err := r.Rerank(cancelled(), "ferry", "boat")
	wantCode(t, "Rerank", err, wstk.Cancelled)
}

func (s rerankerSuite) manyAtOnceAgree(t *testing.T, r wstk.Reranker) {
	want := rerank(t, r, "ferry", textsToEmbed...)
	together(t, 8, func(i int) error {
		k := i % len(textsToEmbed)
		got, err := r.Rerank(bg, "ferry", textsToEmbed[k])
		if err == nil && got.Scores[0] != want[k] {
			return wstk.Errorf(wstk.Internal, "", "%q: another score", textsToEmbed[k])
		}
		return err
	})
}
