package recall

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"wstk/shared/wstk"
)

// Shares of the legs of words and of meaning in RRF.
const (
	largerShare  = .6
	smallerShare = .4
)

// weigh gives the legs their weights in RRF, if there are any of meaning: meaning counts more,
// but words do if the query has specific terms. Within both, the legs keep their proportions.
func (r *run) weigh(ctx context.Context, legs []leg) ([]leg, error) {
	words, meaning := 0., 0.
	for _, l := range legs {
		if l.semantic {
			meaning += l.weight
		} else {
			words += l.weight
		}
	}
	if r.config.Fusion != RRF || words == 0 || meaning == 0 {
		return legs, nil
	}
	of := map[bool]float64{true: largerShare / meaning, false: smallerShare / words}
	specific, err := r.specific(ctx)
	if err != nil {
		return nil, err
	}
	if specific {
		of = map[bool]float64{true: smallerShare / meaning, false: largerShare / words}
	}
	for i := range legs {
		legs[i].weight *= of[legs[i].semantic]
	}
	return legs, nil
}

const (
	// rareShare is the part of all passages that a rare term stands in at most.
	rareShare = .005
	// rareFloor is how many passages that may be, however few there are.
	rareFloor = 3
	// looked is how many terms are looked up.
	looked = 12
)

// specific reports whether the query names something: a proper noun, an identifier, or a term
// that stands in few passages of the index. A term that stands in none says nothing.
func (r *run) specific(ctx context.Context) (bool, error) {
	for i, t := range r.terms {
		if t.Origin == FromQuery && (i > 0 || !opening(r.query.Text, t.Word)) && specific(t.Word) {
			return true, nil
		}
	}
	stats, err := r.Index.Stats(ctx)
	if err != nil {
		return false, err
	}
	most := max(rareFloor, int(rareShare*float64(stats.Chunks)))
	found := make([]int, min(looked, len(r.terms)))
	g, ctx := errgroup.WithContext(ctx)
	for i := range found {
		if r.terms[i].Origin != FromQuery {
			continue
		}
		g.Go(func() error {
			hits, err := r.Index.Search(ctx, wstk.IndexQuery{Kind: wstk.KindChunk,
				Terms: []wstk.QueryTerm{r.terms[i].QueryTerm}, Limit: most + 1})
			found[i] = len(hits)
			return err
		})
	}
	err = g.Wait()
	for _, n := range found {
		if n > 0 && n <= most {
			return true, err
		}
	}
	return false, err
}

func notLower(r rune) bool { return !unicode.IsLower(r) }

// opening reports whether a query begins with a word that may have its capital for that alone.
func opening(query, word string) bool {
	rest, ok := strings.CutPrefix(strings.TrimSpace(query), word)
	_, size := utf8.DecodeRuneInString(word)
	return ok && !strings.HasPrefix(rest, "_") && !strings.ContainsFunc(word[size:], notLower)
}
