package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"wstk/shared/wstk"
)

// rerank orders the first candidates by what the Reranker says of them. They share out the
// scores that they had, so that scores still fall. What has no text keeps its place behind them.
func (r *run) rerank(ctx context.Context, ranked []*candidate) ([]*candidate, error) {
	n := min(r.config.Rerank, len(ranked))
	if r.Reranker == nil || n < 2 || !r.Reranker.Info().Speaks(r.lang) {
		return ranked, nil
	}
	if err := r.read(ctx, ranked[:n]); err != nil {
		return nil, err
	}
	var shown, silent []*candidate
	var texts []string
	var scores []float64
	for _, c := range ranked[:n] {
		if c.missing != "" {
			silent = append(silent, c)
			continue
		}
		shown = append(shown, c)
		texts = append(texts, inPlace(c))
		scores = append(scores, c.score)
	}
	reply, err := r.Reranker.Rerank(ctx, r.query.Text, texts...)
	r.usage.Add(reply.Usage)
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, "reranking", err)
	}
	if len(reply.Scores) != len(shown) {
		return nil, wstk.Errorf(wstk.ModelFailed, "reranking", "%d passages got %d scores",
			len(shown), len(reply.Scores))
	}
	order := make([]int, len(shown))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(reply.Scores[b], reply.Scores[a])
	})
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	out := make([]*candidate, 0, len(ranked))
	for rank, i := range order {
		c := shown[i]
		c.score = scores[rank]
		c.legs = append(c.legs, wstk.Leg{Name: "rerank", Rank: rank + 1, Score: reply.Scores[i]})
		out = append(out, c)
	}
	return slices.Concat(out, silent, ranked[n:]), nil
}

// inPlace is a candidate's text behind its title and headings, since a passage says less than
// the place where it stands.
func inPlace(c *candidate) string {
	parts := []string{c.Title}
	if c.Chunk != nil {
		parts = append(parts, c.Chunk.SectionPath...)
	}
	return strings.Join(append(parts, c.passage), "\n")
}
