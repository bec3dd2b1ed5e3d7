package recall

import (
	"context"
	"strings"
	"unicode"

	"wstk/shared/wstk"
)

// GapLimit is how many hits a gap query gets.
const GapLimit = 10

// Gap searches for what an answer lacks. It uses BM25 over the passages alone, without
// summaries, synonyms, the steps Cover and Links, and the Reranker. Names, numbers and identifiers
// count more than common words: BM25 knows how rare a word is, Gap also looks at how the word is
// written. Errors are those of Do.
func (s *Stage) Gap(ctx context.Context, query string, filter wstk.Filter) (Result, error) {
	c := s.Config
	c.SummaryWeight, c.Expand, c.Cover, c.Links = 0, 0, Cover{}, Links{}
	c.MeaningOfSummaries, c.Rerank = 0, 0
	r := s.start(Query{Text: query, Filter: filter, Limit: GapLimit, Kind: wstk.KindChunk}, c)
	for i := range r.terms {
		if specific(r.terms[i].Word) {
			r.terms[i].Weight *= specificWeight
		}
	}
	return r.do(ctx)
}

// specificWeight is the factor on the weight of such a word.
const specificWeight = 1.5

// specific reports whether a word is written like a name, a number or an identifier.
func specific(w string) bool {
	for i, r := range w {
		if unicode.IsDigit(r) || r == '_' ||
			unicode.IsUpper(r) && (i > 0 || strings.ToUpper(w) != w) {
			return true
		}
	}
	return false
}
