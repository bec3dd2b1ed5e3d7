package wstktest

import (
	"math"
	"slices"

	"wstk/shared/wstk"
)

// bm25 scores every entry of pages that holds a term, by the formula of SQLite's
// FTS5 written down as plainly as can be: what adapters are compared with.
//
//	score(d) = Σ over terms t of weight(t) · idf(t) · f·(k1+1) / (f + k1·(1 − b + b·len(d)/avglen))
//	idf(t)   = max(ln((N − n(t) + 0.5) / (n(t) + 0.5)), 10⁻⁶)
//	k1 = 1.2, b = 0.75
//
// f is the number of times t stands in d, in title, heading and body, times the
// weight of the field; len is the number of tokens in all fields; N counts all
// entries and n those that hold t, whatever the filter is.
func bm25(pages []wstk.PageIndex, terms []wstk.QueryTerm) map[string]float64 {
	var all []wstk.Entry
	total := 0
	for _, p := range pages {
		all = append(all, p.Entries...)
	}
	for _, e := range all {
		total += length(e)
	}
	scores := map[string]float64{}
	for _, term := range terms {
		n := 0
		for _, e := range all {
			if occurrences(e, term.Token) > 0 {
				n++
			}
		}
		idf := max(math.Log((float64(len(all))-float64(n)+0.5)/(float64(n)+0.5)), 1e-6)
		for _, e := range all {
			if f := occurrences(e, term.Token); f > 0 && term.Weight > 0 {
				norm := 1 - 0.75 + 0.75*float64(length(e))/(float64(total)/float64(len(all)))
				scores[e.ID] += term.Weight * idf * f * (1.2 + 1) / (f + 1.2*norm)
			}
		}
	}
	return scores
}

func length(e wstk.Entry) int { return len(e.Title) + len(e.Heading) + len(e.Body) }

func occurrences(e wstk.Entry, token string) float64 {
	return wstk.TitleWeight*count(e.Title, token) + wstk.HeadingWeight*count(e.Heading, token) +
		wstk.BodyWeight*count(e.Body, token)
}

func count(tokens []string, token string) float64 {
	n := 0
	for i := 0; ; n++ {
		j := slices.Index(tokens[i:], token)
		if j < 0 {
			return float64(n)
		}
		i += j + 1
	}
}
