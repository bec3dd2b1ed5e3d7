package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"wstk/shared/stage/extract/choice"
)

// How strongly weights are drawn to those that are known, on standardised features. They were
// chosen on sites left out.
const (
	orderRidge  = 200
	beliefRidge = 30
)

// The model that says whether pages answer a question at all learns from those that they answer
// and quotes right, and those that they do not. A question that they answer and the quote misses
// says little about that.
const (
	missedWeight = 0.1
	noneWeight   = 2
)

// The bundled site is small, and its questions are others than those about manuals: so many
// each of them counts for.
const (
	bundledName   = "sqlite"
	bundledWeight = 4
)

// A question of a made case is asked twice, so belief counts it half. Few of them have no answer.
const (
	madeWeight     = 0.5
	madeNoneWeight = 2
)

// weight is for how many questions one counts in the order of candidates.
func (x *asked) weight() float64 {
	if x.Site == bundledName {
		return bundledWeight
	}
	return 1
}

// trust is for how many questions one counts in belief.
func (x *asked) trust() float64 {
	switch {
	case !strings.HasPrefix(x.Site, madeName):
		return x.weight()
	case x.Kind == "none":
		return madeNoneWeight
	}
	return madeWeight
}

// farthest is the log odds of a belief in nothing.
const farthest = 20

// choosing is what the choice of answers is fitted on.
type choosing struct {
	questions []string // files of questions, and folders of them
	sites     []string // folders of the pages they are about, a folder for each file
	cases     string   // folder of made cases
	cache     string   // folder for what was ingested
	model     string   // file of an embedder; "" for none
	out       string   // file for the weights; "" for none
}

// leastSpread is the standard deviation that a feature has at least for the ridge: what few
// candidates have keeps close to its known weight.
const leastSpread = 0.2

// fitChoice fits the choice of answers on questions about sites, prints how good it is on
// sites it was not fitted on, and writes the weights.
func fitChoice(ctx context.Context, o choosing) error {
	all, err := askSites(ctx, o)
	if err != nil {
		return err
	}
	if o.model != "" {
		return fitMeaning(all, sitesOf(all), o.out)
	}
	order, known, err := readKnown()
	if err != nil {
		return err
	}
	scale := newScale(all)
	names := sitesOf(all)
	whole := fitOrder(all, scale, order, order, every)
	eachFold(names, func(in func(*asked) bool) {
		w := fitOrder(all, scale, order, whole, func(x *asked) bool { return !in(x) })
		for i := range all {
			if in(&all[i]) {
				all[i].order(w)
			}
		}
	})
	eachFold(names, func(in func(*asked) bool) {
		not := func(x *asked) bool { return !in(x) }
		k, q := fitBelief(all, known, missedWeight, noneWeight, not),
			fitBelief(all, known, 1, 1, not)
		for i := range all {
			if x := &all[i]; in(x) {
				x.known, x.quote = k.odds(x.signs), q.odds(x.signs)
				if len(x.Candidates) == 0 {
					x.known, x.quote = -farthest, -farthest
				}
			}
		}
	})
	report(all, names)
	if o.out == "" {
		return nil
	}
	bound := boundOf(all, refusedAt, every)
	return writeChoice(o.out, names, bound, whole,
		fitBelief(all, known, missedWeight, noneWeight, every),
		fitBelief(all, known, 1, 1, every))
}

func every(*asked) bool { return true }

// folds is into how many groups the sites are split. What is said of a site rests on weights
// that were fitted on those of other groups.
const folds = 8

// eachFold calls do for each group of sites, several at the same time.
func eachFold(sites []string, do func(in func(*asked) bool)) {
	var wait errgroup.Group
	wait.SetLimit(runtime.GOMAXPROCS(0))
	for fold := range folds {
		wait.Go(func() error {
			do(func(x *asked) bool { return slices.Index(sites, x.Site)%folds == fold })
			return nil
		})
	}
	wait.Wait()
}

// sitesOf returns the sites that questions are about.
func sitesOf(all []asked) (names []string) {
	for _, x := range all {
		if !slices.Contains(names, x.Site) {
			names = append(names, x.Site)
		}
	}
	return names
}

// askSites asks the questions of all files. The pages of a file's site are in a folder
// of its name, or are those of made cases.
func askSites(ctx context.Context, o choosing) ([]asked, error) {
	var all []asked
	for _, name := range o.questions {
		files := []string{name}
		if !strings.HasSuffix(name, ".jsonl") {
			var err error
			if files, err = filepath.Glob(filepath.Join(name, "*.jsonl")); err != nil {
				return nil, err
			}
		}
		for _, path := range files {
			some, err := askFile(ctx, path, o)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
	}
	return all, nil
}

// siteOf returns the site of a name, of the first folder that holds it.
func (o *choosing) siteOf(name string) (s site, err error) {
	for _, dir := range o.sites {
		if s, err = folderSite(filepath.Join(dir, name)); err == nil {
			return s, nil
		}
	}
	return s, err
}

// askFile asks the questions of a file.
func askFile(ctx context.Context, path string, o choosing) ([]asked, error) {
	name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	if held[name] {
		return nil, nil
	}
	qs, err := readQuestions(path)
	if err != nil {
		return nil, err
	}
	var s site
	if name == madeName {
		pages, more, err := readMade(o.cases)
		if err != nil {
			return nil, err
		}
		s = site{name: name, handler: pageHandler(pages), pages: slices.Sorted(maps.Keys(pages))}
		qs = append(more, qs...)
	} else if s, err = o.siteOf(name); err != nil {
		return nil, fmt.Errorf("the pages of %s: %w", path, err)
	}
	a, root, err := openSite(ctx, s, o)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	some, err := askAll(ctx, a, root, name, qs)
	if name == madeName {
		groups := groupsOf(qs)
		for i := range some {
			some[i].Site = groups[some[i].ID]
		}
	}
	return some, err
}

// held are the sites that test the choice: they are never fitted on.
var held = map[string]bool{"installation": true, "lilypond": true, "bind9": true, "varnish": true}

// order sorts the candidates by weights, and describes how they stand.
func (x *asked) order(w choice.Row) {
	scores := make([]float64, len(x.Candidates))
	for i := range scores {
		for j, v := range x.Candidates[i].Row {
			scores[i] += w[j] * v
		}
	}
	x.scores, x.ranked = scores, nil
	for i := range scores {
		x.ranked = append(x.ranked, i)
	}
	slices.SortStableFunc(x.ranked, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	if len(x.ranked) == 0 {
		x.signs = make([]float64, len(choice.SignNames()))
		return
	}
	rows, sorted := []*choice.Row{}, []float64{}
	for _, i := range x.ranked {
		rows, sorted = append(rows, &x.Candidates[i].Row), append(sorted, scores[i])
	}
	spans := x.spansByRank()
	signs := choice.SignsOf(rows, sorted, spans)
	x.signs = signs[:]
	x.best = x.Quoted[choice.Best(spans, choice.Shares(sorted))]
}

// spansByRank returns what may be quoted, with candidates by their rank.
func (x *asked) spansByRank() []choice.Span {
	rank := make([]int, len(x.ranked))
	for r, i := range x.ranked {
		rank[i] = r
	}
	out := slices.Clone(x.Spans)
	for i := range out {
		out[i].Holds = nil
		for _, c := range x.Spans[i].Holds {
			out[i].Holds = append(out[i].Holds, rank[c])
		}
	}
	return out
}

// right reports whether one of the first n candidates answers.
func (x *asked) right(n int) bool {
	for _, i := range x.ranked[:min(n, len(x.ranked))] {
		if x.Candidates[i].Right {
			return true
		}
	}
	return false
}

// scale standardises features.
type scale struct{ mean, dev choice.Row }

func newScale(all []asked) (s scale) {
	n := 0.0
	for _, x := range all {
		for i := range x.Candidates {
			n++
			for j, v := range x.Candidates[i].Row {
				s.mean[j] += v
				s.dev[j] += v * v
			}
		}
	}
	for j := range s.mean {
		s.mean[j] /= n
		s.dev[j] = math.Sqrt(max(s.dev[j]/n-s.mean[j]*s.mean[j], 0))
		if s.dev[j] < 1e-9 {
			s.dev[j] = math.Inf(1) // it says nothing, and keeps its weight
		} else {
			s.dev[j] = max(s.dev[j], leastSpread)
		}
	}
	return s
}

// fitOrder fits a conditional logit (McFadden 1974) by Newton's method: the weights with which
// the candidates that answer a question have the largest share of the probability spread over
// all of its candidates by the exponential of their score. It begins with the weights begin, and
// draws them to the known ones.
func fitOrder(
	all []asked, s scale, known, begin choice.Row, use func(*asked) bool,
) (w choice.Row) {
	n := int(choice.Count)
	start, beta, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for f, v := range known {
		if !math.IsInf(s.dev[f], 0) {
			start[f], beta[f] = v*s.dev[f], begin[f]*s.dev[f]
		}
	}
	for range 25 {
		g, h := make([]float64, n), make([]float64, n*n)
		for j := range n {
			g[j], h[j*n+j] = orderRidge*(start[j]-beta[j]), orderRidge
		}
		for i := range all {
			if use(&all[i]) {
				addOrder(&all[i], s, beta, z, g, h)
			}
		}
		step := solve(h, g, n)
		largest := 0.0
		for _, v := range step {
			largest = max(largest, math.Abs(v))
		}
		for j := range beta {
			beta[j] += step[j] / max(largest, 1)
		}
		if largest < 1e-4 {
			break
		}
	}
	for j := range w {
		if w[j] = beta[j] / s.dev[j]; math.IsInf(s.dev[j], 0) {
			w[j] = known[j]
		}
	}
	return w
}

// addOrder adds gradient and curvature of a question.
func addOrder(x *asked, s scale, beta, z, g, h []float64) {
	odds := make([]float64, len(x.Candidates))
	top, answered := math.Inf(-1), false
	for i := range odds {
		for j, v := range x.Candidates[i].Row {
			odds[i] += beta[j] * (v - s.mean[j]) / s.dev[j]
		}
		top, answered = max(top, odds[i]), answered || x.Candidates[i].Right
	}
	if !answered {
		return
	}
	all, right, weight := 0.0, 0.0, x.weight()
	for i := range odds {
		odds[i] = math.Exp(odds[i] - top)
		all += odds[i]
		if x.Candidates[i].Right {
			right += odds[i]
		}
	}
	mean := make([]float64, len(beta))
	for i := range odds {
		p, wanted := odds[i]/all, 0.0
		if x.Candidates[i].Right {
			wanted = odds[i] / right
		}
		for j, v := range x.Candidates[i].Row {
			z[j] = (v - s.mean[j]) / s.dev[j]
			mean[j] += p * z[j]
			g[j] += weight * (wanted - p) * z[j]
		}
		if p >= 1e-4 { // the others bend nothing
			addSquare(h, weight*p, z)
		}
	}
	addSquare(h, -weight, mean)
}

// addSquare adds the products of the numbers of z with one another, times weight, to the lower
// half of a matrix.
func addSquare(h []float64, weight float64, z []float64) {
	n := len(z)
	for j, v := range z {
		for k := range j + 1 {
			h[j*n+k] += weight * v * z[k]
		}
	}
}

// belief is a logistic model of signs, with the constant last.
type belief []float64

func (b belief) odds(signs []float64) float64 {
	sum := b[len(signs)]
	for i, v := range signs {
		sum += b[i] * v
	}
	return sum
}

// counts is how much a question counts for a belief.
func (x *asked) counts(missed, none float64) float64 {
	switch {
	case x.best:
		return x.trust()
	case x.Kind == "none":
		return none * x.trust()
	}
	return missed * x.trust()
}

// fitBelief fits a logistic regression, with weights drawn to those that are known, by Newton's
// method: whether the quote that is believed most answers. Questions that have an answer which the
// quote misses count as missed, those without one as none.
func fitBelief(
	all []asked, known []float64, missed, none float64, use func(*asked) bool,
) belief {
	var rows [][]float64
	var y, weight []float64
	for i := range all {
		if use(&all[i]) && len(all[i].Candidates) > 0 {
			rows = append(rows, append(slices.Clone(all[i].signs), 1))
			y = append(y, number(all[i].best))
			weight = append(weight, all[i].counts(missed, none))
		}
	}
	n := len(rows[0])
	mean, dev := spread(rows)
	start, beta, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for j, v := range known {
		start[j] = v * dev[j]
	}
	copy(beta, start)
	for range 30 {
		g, h := make([]float64, n), make([]float64, n*n)
		for j := range n - 1 {
			g[j], h[j*n+j] = beliefRidge*(start[j]-beta[j]), beliefRidge
		}
		for i, r := range rows {
			for j, v := range r {
				z[j] = (v - mean[j]) / dev[j]
			}
			addBelief(y[i], weight[i], beta, z, g, h)
		}
		largest := 0.0
		for j, v := range solve(h, g, n) {
			beta[j] += v
			largest = max(largest, math.Abs(v))
		}
		if largest < 1e-5 {
			break
		}
	}
	out := make(belief, n)
	for j := range n - 1 {
		out[j] = beta[j] / dev[j]
		out[n-1] -= out[j] * mean[j]
	}
	out[n-1] += beta[n-1]
	return out
}

// addBelief adds gradient and curvature of a question.
func addBelief(y, weight float64, beta, z, g, h []float64) {
	o := 0.0
	for j, v := range z {
		o += beta[j] * v
	}
	p := choice.Probability(o)
	for j, v := range z {
		g[j] += weight * (y - p) * v
	}
	addSquare(h, weight*p*(1-p), z)
}

// spread returns mean and deviation of each column, 0 and 1 for one that is constant.
func spread(rows [][]float64) (mean, dev []float64) {
	n := len(rows[0])
	mean, dev = make([]float64, n), make([]float64, n)
	for _, r := range rows {
		for j, v := range r {
			mean[j] += v / float64(len(rows))
		}
	}
	for _, r := range rows {
		for j, v := range r {
			dev[j] += (v - mean[j]) * (v - mean[j]) / float64(len(rows))
		}
	}
	for j := range dev {
		if dev[j] < 1e-9 {
			mean[j], dev[j] = 0, 1
			continue
		}
		dev[j] = max(math.Sqrt(dev[j]), leastSpread)
	}
	return mean, dev
}

// writeChoice stores weights as JSON, one on each line, four digits each.
func writeChoice(
	path string, sites []string, bound float64, order choice.Row, known, quote belief,
) error {
	var b strings.Builder
	line := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			panic(err) // strings and numbers
		}
		return string(data)
	}
	table := func(name string, names []string, w []float64, end string) {
		fmt.Fprintf(&b, "%s: {\n", line(name))
		for i, n := range names {
			fmt.Fprintf(&b, "%s: %.4g%s\n", line(n), w[i], comma(i < len(names)-1))
		}
		b.WriteString("}" + end + "\n")
	}
	b.WriteString("{\"about\": " + line("made by tools/fit on questions about "+
		strings.Join(sites, ", ")) + ",\n")
	fmt.Fprintf(&b, "\"bound\": %.4g,\n", bound)
	signs := append(choice.SignNames(), choice.Constant)
	table("order", choice.Names(), order[:], ",")
	table("known", signs, known, ",")
	table("quote", signs, quote, "")
	b.WriteString("}\n")
	if _, err := choice.Read([]byte(b.String())); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
