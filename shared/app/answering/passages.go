package answering

import (
	"context"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// leastPassage is how many words a passage has at least. Fewer are a heading or a link.
const leastPassage = 6

// nearest returns the first passages of a ranked list as evidence, for a reply without an
// answer. Words that address a model are left out, and so is what no longer stands in the
// stored text: its page was read again since.
func (a *Room) nearest(ctx context.Context, hits []wstk.Hit) ([]wstk.Passage, error) {
	docs := a.newDocs()
	avoid := docs.avoid(ctx)
	var shown []wstk.Hit
	var claims []wstk.Claim
	for _, h := range hits {
		if len(shown) == wstk.MaxPassages {
			break
		}
		if h.Span == nil || len(text.Tokenize(h.Text, "")) < leastPassage ||
			avoid(h.URL, h.Span.ByteStart, h.Span.ByteEnd) || overlaps(shown, h) {
			continue
		}
		shown = append(shown, h)
		claims = append(claims, wstk.Claim{Statement: h.Text, Proposed: []wstk.Proposal{{
			Kind: wstk.EvidenceText, URL: h.URL, Words: h.Text, ByteStart: h.Span.ByteStart}}})
	}
	checker := *a.Verify
	checker.Document = docs.held
	results, err := checker.Do(ctx, claims)
	if err != nil {
		return nil, err
	}
	var out []wstk.Passage
	for i, r := range results {
		for _, e := range r.Evidence {
			out = append(out, wstk.Passage{Evidence: e, Why: shown[i].Why})
		}
	}
	return out, nil
}

// overlaps reports whether a hit shares words with one of some hits.
func overlaps(some []wstk.Hit, h wstk.Hit) bool {
	for _, o := range some {
		if o.TextSHA256 == h.TextSHA256 && o.Span.ByteStart < h.Span.ByteEnd &&
			h.Span.ByteStart < o.Span.ByteEnd {
			return true
		}
	}
	return false
}
