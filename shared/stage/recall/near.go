package recall

import (
	"context"

	"wstk/shared/wstk"
)

// Near returns the passages with these chunk ids as hits, in their order; their scores are 0. What
// the index does not hold, and what has no text, is left out. It asks no model.
func (s *Stage) Near(ctx context.Context, ids []string) ([]wstk.Hit, error) {
	r := &run{Stage: s, config: s.Config, query: Query{Limit: len(ids)}}
	var found []*candidate
	for _, id := range ids {
		e, err := s.Index.Entry(ctx, id)
		if wstk.CodeOf(err) == wstk.NotFound {
			continue
		}
		if err != nil {
			return nil, wstk.Wrap(wstk.Internal, "reading passages", err)
		}
		found = append(found, &candidate{IndexHit: e})
	}
	hits, _, err := r.hits(ctx, found)
	return hits, err
}
