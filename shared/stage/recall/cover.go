package recall

import (
	"context"
	"math"
	"slices"
)

// Cover tunes the step that brings up what the passages above leave open.
type Cover struct {
	// Weight is what a passage gains that holds all words of the query while the passages
	// above it hold none, in standard deviations of the scores. 0 turns the step off.
	Weight float64
	// Least is the part of the query that a passage must add to gain at all, 0–1: a second
	// topic, not a chance word.
	Least float64
	Look  int // how many candidates are looked at
}

// DefaultCover returns the values that measured best.
func DefaultCover() Cover { return Cover{Weight: 3, Least: 0.3, Look: 50} }

// cover orders the first TopHits anew, the first excepted: what holds words of the query
// that no passage above holds moves up. A question about two things is otherwise answered
// with passages about one of them, those of which there are more.
//
// This is a greedy choice as in explicit diversification (xQuAD; Santos, Macdonald and Ounis
// 2010), with the words of the query as its aspects and their rarity as the weight.
func (r *run) cover(ctx context.Context, ranked []*candidate) ([]*candidate, error) {
	o := r.config.Cover
	n := min(o.Look, len(ranked))
	if o.Weight == 0 || n == 0 {
		return ranked, nil
	}
	if err := r.read(ctx, ranked[:n]); err != nil {
		return nil, err
	}
	shares, unit := r.shares(ranked[:n]), o.Weight*deviation(ranked[:n])
	open := slices.Clone(shares) // what no chosen passage holds
	left := slices.Clone(ranked[:n])
	var out []*candidate
	for len(out) < TopHits && len(left) > 0 {
		best, highest := 0, math.Inf(-1)
		for i, c := range left {
			value := c.score
			if gain := c.sum(open); len(out) > 0 && gain >= o.Least {
				value += unit * gain
			}
			if value > highest {
				best, highest = i, value
			}
		}
		c := left[best]
		c.score = left[0].score // the highest of those that are left
		for i := range open {
			if c.holds(i) {
				open[i] = 0
			}
		}
		out, left = append(out, c), slices.Delete(left, best, best+1)
	}
	return slices.Concat(out, left, ranked[n:]), nil
}

// shares returns what part of the query each term is, 0–1: of the words of the query the
// more, the fewer of the candidates hold it. Other terms are no part.
func (r *run) shares(cs []*candidate) []float64 {
	out, sum := make([]float64, len(r.terms)), 0.0
	for i, t := range r.terms {
		if t.Origin != FromQuery {
			continue
		}
		n := 0
		for _, c := range cs {
			if c.holds(i) {
				n++
			}
		}
		out[i] = math.Log(1 + float64(len(cs))/float64(max(n, 1)))
		sum += out[i]
	}
	for i := range out {
		out[i] /= max(sum, math.SmallestNonzeroFloat64)
	}
	return out
}

// deviation is the standard deviation of the scores.
func deviation(cs []*candidate) float64 {
	items := make([]item, len(cs))
	for i, c := range cs {
		items[i] = item{c, c.score}
	}
	_, dev := spreadOf(items)
	return dev
}
