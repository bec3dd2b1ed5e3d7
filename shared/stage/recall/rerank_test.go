package recall_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"wstk/shared/stage/recall"
	"wstk/shared/wstk"
)

// likes prefers texts with a word, and notes what it was given.
type likes struct {
	word  string
	given *[]string
	err   error
	few   bool // it scores too few
}

func (likes) Info() wstk.RerankerInfo {
	return wstk.RerankerInfo{Provider: "made", Name: "likes", Languages: []string{"en"}}
}

func (l likes) Rerank(
	_ context.Context, _ string, texts ...string,
) (wstk.RerankReply, error) {
	out := wstk.RerankReply{Usage: wstk.Usage{Calls: 1, InputTokens: 7}}
	*l.given = append(*l.given, texts...)
	if l.err != nil {
		return out, l.err
	}
	for _, s := range texts {
		out.Scores = append(out.Scores, float64(strings.Count(s, l.word)))
	}
	if l.few {
		out.Scores = out.Scores[1:]
	}
	return out, nil
}

var boats = []page{
	{url: "a", title: "Boats", paragraphs: []string{"A boat and a boat and a boat."}},
	{url: "b", title: "Trips", paragraphs: []string{"The boat is red, and so is the house."}},
	{url: "c", title: "Sights", paragraphs: []string{"A harbour with one boat among many other things."}},
}

// D4: recall, and then a reranker orders the first hits.
func TestTheFirstHitsAreReranked(t *testing.T) {
	w := build(t, boats...)
	var given []string
	by := func(l likes, top int) func(*recall.Stage) {
		l.given = &given
		return func(s *recall.Stage) { s.Reranker, s.Config.Rerank = l, top }
	}
	q := recall.Query{Text: "boat", Kind: wstk.KindChunk}
	first := ask(t, w, q).Hits
	before := urls(first)
	last := before[len(before)-1:]
	r := ask(t, w, q, by(likes{word: map[string]string{"a": "Boats", "b": "Trips",
		"c": "Sights"}[last]}, 50))
	if got := urls(r.Hits); got[:1] != last || len(given) != 3 {
		t.Errorf("%q became %q, given were %q", before, got, given)
	}
	for i, h := range r.Hits {
		if h.Score != first[i].Score {
			t.Errorf("hit %d has the score %g, want the one of its place, %g", i, h.Score,
				first[i].Score)
		}
		if !slices.ContainsFunc(h.Legs, func(l wstk.Leg) bool {
			return l.Name == "rerank" && l.Rank == i+1
		}) || !strings.Contains(h.Why, "rerank #") {
			t.Errorf("hit %d does not say that it was reranked: %+v", i, h)
		}
	}
	if r.Usage.Calls != 1 || r.Usage.InputTokens != 7 {
		t.Errorf("usage is %+v", r.Usage)
	}

	given = nil
	r = ask(t, w, q, by(likes{word: "Sights"}, 2))
	if got := urls(r.Hits); len(given) != 2 || got[len(got)-1:] != last {
		t.Errorf("of two, %d were read, and the order is %q, before %q", len(given), got, before)
	}
	given = nil
	q.Lang = "de"
	if r = ask(t, w, q, by(likes{word: "Trips"}, 50)); len(given) != 0 {
		t.Error("a language that the reranker does not speak was reranked")
	}
}

func TestARerankerThatFailsFailsTheRecall(t *testing.T) {
	w := build(t, boats...)
	var given []string
	for want, l := range map[wstk.Code]likes{
		wstk.Unavailable: {err: wstk.Errorf(wstk.Unavailable, "asking made", "busy")},
		wstk.ModelFailed: {few: true},
	} {
		l.given = &given
		s := recall.New(w.index, w.texts)
		s.Reranker = l
		r, err := s.Do(t.Context(), recall.Query{Text: "boat"})
		if wstk.CodeOf(err) != want || len(r.Hits) > 0 || r.Usage.Calls != 1 {
			t.Errorf("%v, %+v, want %s", err, r, want)
		}
	}
}
