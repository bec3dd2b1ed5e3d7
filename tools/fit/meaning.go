package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"wstk/shared/stage/extract/choice"
)

// shares are the weights of choice.OrderShares.
type shares [4]float64

func sharesOf(r *choice.Row) shares {
	words, none := r.WordsOrder(), r[choice.Uncovered]
	return shares{words, none * words, none * r[choice.Alike], none * r[choice.AlikePassage]}
}

// likenessRidge draws weights towards those of the words alone. It is weak: there are few.
const likenessRidge = 0.1

// refusedByMeaning is refusedAt for what a model compared: the share of users' questions without
// an answer that are refused is lower than that of others.
const refusedByMeaning = 0.94

// fitMeaning fits what the vectors of a model add to the choice by words in use, prints how good
// it is on sites it was not fitted on, and writes the weights.
func fitMeaning(all []asked, sites []string, out string) error {
	for _, site := range sites {
		w := fitShares(all, func(x *asked) bool { return x.Site != site })
		for i := range all {
			if all[i].Site == site {
				all[i].orderBy(w)
			}
		}
	}
	for _, site := range sites {
		k, q := fitLikeness(all, func(x *asked) bool { return x.Site != site })
		for i := range all {
			if x := &all[i]; x.Site == site {
				x.known, x.quote = k.odds(x.likeness(false)), q.odds(x.likeness(true))
				if len(x.Candidates) == 0 {
					x.known, x.quote = -farthest, -farthest
				}
			}
		}
	}
	report(all, sites)
	if out == "" {
		return nil
	}
	every := func(*asked) bool { return true }
	v := choice.Vectors{About: "made by tools/fit on questions about " + strings.Join(sites, ", "),
		Bound: boundOf(all, refusedByMeaning, every)}
	w := fitShares(all, every)
	v.Order = choice.OrderShares{Words: w[0], Uncovered: w[1], Alike: w[2], AlikePassage: w[3]}
	k, q := fitLikeness(all, every)
	v.Known, v.Quote = judgeShares(k), judgeShares(q)
	return writeVectors(out, v)
}

// orderBy sorts the candidates by shares.
func (x *asked) orderBy(w shares) {
	x.scores, x.ranked, x.best = make([]float64, len(x.Candidates)), nil, false
	for i := range x.Candidates {
		for j, v := range sharesOf(&x.Candidates[i].Row) {
			x.scores[i] += w[j] * v
		}
		x.ranked = append(x.ranked, i)
	}
	slices.SortStableFunc(x.ranked, func(a, b int) int {
		return cmp.Compare(x.scores[b], x.scores[a])
	})
	if len(x.ranked) > 0 {
		_, sorted := x.inOrder()
		x.best = x.Quoted[choice.Best(x.spansByRank(), choice.Shares(sorted))]
	}
}

// inOrder returns the rows and scores of the candidates, best first.
func (x *asked) inOrder() (rows []*choice.Row, scores []float64) {
	for _, at := range x.ranked {
		rows, scores = append(rows, &x.Candidates[at].Row), append(scores, x.scores[at])
	}
	return rows, scores
}

// likeness are the signs of a question: the belief by words, in the quote or that anything
// answers, and three cosines.
func (x *asked) likeness(ofQuote bool) []float64 {
	if len(x.ranked) == 0 {
		return make([]float64, 4)
	}
	rows, sorted := x.inOrder()
	words, quote, _ := choice.JudgeWords(rows, sorted, x.spansByRank())
	if ofQuote {
		words = quote
	}
	l := choice.LikenessOf(rows)
	return []float64{words, l.Alike, l.AlikePassage, l.MostAlike}
}

// fitLikeness is fitBelief for the signs of likeness, twice: whether anything answers, and
// whether the quote that is believed most does.
func fitLikeness(all []asked, use func(*asked) bool) (known, quote belief) {
	return fitJudge(all, false, missedWeight, noneWeight, use), fitJudge(all, true, 1, 1, use)
}

func fitJudge(all []asked, ofQuote bool, missed, none float64, use func(*asked) bool) belief {
	var rows [][]float64
	var asked []*asked
	for i := range all {
		if x := &all[i]; use(x) && len(x.Candidates) > 0 {
			rows, asked = append(rows, append(x.likeness(ofQuote), 1)), append(asked, x)
		}
	}
	w := belief{1, 0, 0, 0, 0}
	start := slices.Clone(w)
	n := len(w)
	for range 60 {
		g, h := make([]float64, n), make([]float64, n*n)
		for j := range n {
			g[j], h[j*n+j] = likenessRidge*(start[j]-w[j]), likenessRidge
		}
		for i, x := range asked {
			addBelief(number(x.best), x.counts(missed, none), w, rows[i], g, h)
		}
		if climb(w, solve(h, g, n)) < 1e-4 {
			break
		}
	}
	return w
}

// fitShares is fitOrder for shares.
func fitShares(all []asked, use func(*asked) bool) shares {
	start := shares{1}
	w := start
	n := len(w)
	for range 60 {
		g, h := make([]float64, n), make([]float64, n*n)
		for j := range n {
			g[j], h[j*n+j] = likenessRidge*(start[j]-w[j]), likenessRidge
		}
		for i := range all {
			if x := &all[i]; use(x) && slices.ContainsFunc(x.Candidates,
				func(c answerRow) bool { return c.Right }) {
				addShares(x, w, g, h)
			}
		}
		if climb(w[:], solve(h, g, n)) < 1e-4 {
			break
		}
	}
	return w
}

// climb takes a step of Newton's method, no farther than 1, and returns how far it wanted to go.
func climb(w, step []float64) float64 {
	largest := 0.0
	for _, v := range step {
		largest = max(largest, math.Abs(v))
	}
	for j, v := range step {
		w[j] += v / max(largest, 1)
	}
	return largest
}

// addShares adds gradient and curvature of a question.
func addShares(x *asked, w shares, g, h []float64) {
	rows := make([]shares, len(x.Candidates))
	odds := make([]float64, len(rows))
	top := math.Inf(-1)
	for i := range rows {
		rows[i] = sharesOf(&x.Candidates[i].Row)
		for j, v := range rows[i] {
			odds[i] += w[j] * v
		}
		top = max(top, odds[i])
	}
	all, right := 0.0, 0.0
	for i := range odds {
		odds[i] = math.Exp(odds[i] - top)
		all += odds[i]
		right += odds[i] * number(x.Candidates[i].Right)
	}
	mean := make([]float64, len(w))
	for i, r := range rows {
		p := odds[i] / all
		wanted := odds[i] / right * number(x.Candidates[i].Right)
		for j, v := range r {
			mean[j] += p * v
			g[j] += (wanted - p) * v
		}
		addSquare(h, p, r[:])
	}
	addSquare(h, -1, mean)
}

func judgeShares(b belief) choice.JudgeShares {
	return choice.JudgeShares{Words: b[0], Alike: b[1], AlikePassage: b[2], MostAlike: b[3],
		Constant: b[4]}
}

// writeVectors stores weights as JSON, four digits each.
func writeVectors(path string, v choice.Vectors) error {
	for _, at := range []*float64{&v.Bound, &v.Order.Words, &v.Order.Uncovered,
		&v.Order.Alike, &v.Order.AlikePassage, &v.Quote.Words, &v.Quote.Alike, &v.Quote.AlikePassage,
		&v.Quote.MostAlike, &v.Quote.Constant, &v.Known.Words, &v.Known.Alike, &v.Known.AlikePassage,
		&v.Known.MostAlike, &v.Known.Constant} {
		if _, err := fmt.Sscan(fmt.Sprintf("%.4g", *at), at); err != nil {
			return err
		}
	}
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
