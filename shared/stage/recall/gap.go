package recall

import (
	"context"
	"strings"
	"unicode"

	"wstk/shared/wstk"
)

// GapLimit is how many hits a gap query gets.
const GapLimit = 10

// Gap searches for what an answer said is missing: BM25 on the raw text alone,
// no summaries, no links, no synonyms. Words that point at one thing count more:
// names, numbers and identifiers over common words. BM25 itself weighs a word by
// how rare it is; this adds what the way it is written tells.
func (s *Stage) Gap(ctx context.Context, query string, filter wstk.Filter) (Result, error) {
	c := s.Config
	c.SummaryWeight, c.Expand, c.Links = 0, 0, Links{}
	r := s.start(Query{Text: query, Filter: filter, Limit: GapLimit, Kind: wstk.KindChunk}, c)
	for i := range r.terms {
		if specific(r.terms[i].Word) {
			r.terms[i].Weight *= specificWeight
		}
	}
	return r.do(ctx)
}

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
