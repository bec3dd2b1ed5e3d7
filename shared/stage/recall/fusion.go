package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"wstk/shared/wstk"
)

// Fusion is how the lists of the legs become one list.
type Fusion string

const (
	// ZScore sums each leg's standardised scores by its weight:
	//
	//	score(d) = Σ weight(l) · z(l, d),  z(l, d) = (s(l, d) − mean(l)) / deviation(l)
	//
	// with mean and standard deviation (of the population) over what the leg
	// returned. An entry that a leg did not return gets the least z of that leg. If all
	// scores of a leg are equal, z is 0 for what it returned and −1 for the rest. Unlike
	// RRF, this takes into account how far apart two scores are.
	ZScore Fusion = "zscore"

	// RRF sums reciprocal ranks (Cormack, Clarke and Büttcher 2009):
	//
	//	score(d) = Σ weight(l) / (60 + rank(l, d))
	//
	// Ranks begin at 1. A leg that did not return d adds nothing. Where there are legs of
	// meaning, these have .6 together, and the legs of words .4; the other way round for a
	// query with specific terms (see weigh).
	RRF Fusion = "rrf"
)

const rrfK = 60

// leg is the list that one way to search returned.
type leg struct {
	name   string
	weight float64
	items  []item

	semantic bool // of meaning, not of words
}

type item struct {
	c     *candidate
	score float64
}

func (l *leg) add(c *candidate, score float64) { l.items = append(l.items, item{c, score}) }

// rank orders the leg, equal scores by id, each entry once with its best score.
func (l *leg) rank() {
	slices.SortFunc(l.items, func(a, b item) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.c.ID, b.c.ID))
	})
	seen := map[*candidate]bool{}
	l.items = slices.DeleteFunc(l.items, func(x item) bool {
		again := seen[x.c]
		seen[x.c] = true
		return again
	})
}

// fuse returns the candidates of all legs, best first, equal scores by id. It notes on
// each candidate which legs returned it. Scores of different legs are combined nowhere
// else.
func fuse(how Fusion, legs []leg) []*candidate {
	var all []*candidate
	sum := map[*candidate]float64{}
	note := func(c *candidate) {
		if _, ok := sum[c]; !ok {
			sum[c] = 0
			all = append(all, c)
		}
	}
	base := 0.0 // the score of a candidate that no leg returned
	for i := range legs {
		l := &legs[i]
		l.rank()
		if len(l.items) == 0 {
			continue
		}
		mean, dev := spreadOf(l.items)
		least := -1.0
		if dev > 0 {
			least = (l.items[len(l.items)-1].score - mean) / dev
		}
		if how != RRF {
			base += l.weight * least
		}
		for k, x := range l.items {
			note(x.c)
			x.c.legs = append(x.c.legs,
				wstk.Leg{Name: l.name, Rank: k + 1, Score: x.score, Weight: l.weight})
			switch {
			case how == RRF:
				sum[x.c] += l.weight / float64(rrfK+k+1)
			case dev > 0:
				sum[x.c] += l.weight * ((x.score-mean)/dev - least)
			default:
				sum[x.c] += l.weight * (0 - least)
			}
		}
	}
	for _, c := range all {
		c.score = base + sum[c]
	}
	slices.SortFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.ID, b.ID))
	})
	return all
}

func spreadOf(items []item) (mean, dev float64) {
	for _, x := range items {
		mean += x.score
	}
	mean /= float64(len(items))
	for _, x := range items {
		dev += (x.score - mean) * (x.score - mean)
	}
	return mean, math.Sqrt(dev / float64(len(items)))
}
