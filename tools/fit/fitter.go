package main

import (
	"slices"
	"sort"
	"strconv"

	"wstk/shared/stage/read/content"
)

// fitter fits the two scores. The first is a logistic regression (Newton's method, ridge
// penalty on standardised features, blocks weighted by the root of their share of the
// page), the second is boosted trees that also see the first one's odds for the blocks
// around.
//
// The sites are split into parts. A model is known by its stage and the parts it has not
// seen, a bit each. The second is fitted on odds that the first gives for pages of parts
// it has not seen either; otherwise it would learn the labels from what the first
// remembers of them.
type fitter struct {
	pages  []*page
	part   []int // of each page: all pages of a host in one
	models map[fitKey]model
	known  map[oddsKey][]float64
}

// parts is a multiple of 2 and 3, the groups worth asking for.
const parts = 6

type fitKey struct{ stage, unseen int }
type oddsKey struct{ stage, unseen, page int }

// model gives the log odds of a row of inputs.
type model interface {
	odds(row []float64) float64
	all(rows [][]float64) []float64
}

func each(m model, rows [][]float64) []float64 {
	odds := make([]float64, len(rows))
	for i, r := range rows {
		odds[i] = m.odds(r)
	}
	return odds
}

type linear []float64

func (m linear) odds(row []float64) float64 {
	sum := 0.0
	for j, v := range row {
		sum += m[j] * v
	}
	return sum
}

func (m linear) all(rows [][]float64) []float64 { return each(m, rows) }

type boosted struct {
	base  float64
	trees []grown
}

// grown is a tree whose questions are places of features in a row.
type grown struct {
	feature [1<<content.Depth - 1]int16
	limit   [1<<content.Depth - 1]float32
	leaf    [1 << content.Depth]float32
}

func (m boosted) odds(row []float64) float64 {
	sum := m.base
	for i := range m.trees {
		t := &m.trees[i]
		at := 0
		for range content.Depth {
			right := 1
			if row[t.feature[at]] > float64(t.limit[at]) {
				right = 2
			}
			at = 2*at + right
		}
		sum += float64(t.leaf[at-(1<<content.Depth-1)])
	}
	return sum
}

func (m boosted) all(rows [][]float64) []float64 { return each(m, rows) }

func newFitter(pages []*page) *fitter {
	f := &fitter{pages: pages, part: make([]int, len(pages)), models: map[fitKey]model{},
		known: map[oddsKey][]float64{}}
	seen := map[string]int{}
	var hosts []string
	for _, p := range pages {
		if _, ok := seen[p.Site]; !ok {
			seen[p.Site] = 0
			hosts = append(hosts, p.Site)
		}
	}
	sort.Strings(hosts)
	for i, h := range hosts {
		seen[h] = int(uint32(i)*2654435761>>8) % parts
	}
	for i, p := range pages {
		f.part[i] = seen[p.Site]
	}
	return f
}

// testedWith is the parts that are tested together with a page if the sites are split
// into groups: what is fitted on all others is tested on them.
func (f *fitter) testedWith(i, groups int) int {
	mask := 0
	for part := range parts {
		if part*groups/parts == f.part[i]*groups/parts {
			mask |= 1 << part
		}
	}
	return mask
}

func (f *fitter) fit(stage, unseen int) model {
	k := fitKey{stage, unseen}
	if m, ok := f.models[k]; ok {
		return m
	}
	rows := make([][][]float64, len(f.pages))
	use := func(i int) bool { return unseen&(1<<f.part[i]) == 0 && !f.pages[i].Doubtful }
	for i := range f.pages {
		if use(i) {
			rows[i] = f.inputs(stage, unseen, i)
		}
	}
	var m model
	if stage == 0 {
		m = linear(logistic(f.pages, rows, use))
	} else {
		m = boost(f.pages, rows, use)
	}
	f.models[k] = m
	return m
}

func (f *fitter) inputs(stage, unseen, i int) [][]float64 {
	p := f.pages[i]
	if stage == 0 {
		return p.Rows
	}
	around := content.Around(p.Bytes, f.predict(0, unseen|1<<f.part[i], i), p.Kin, func() {})
	rows := make([][]float64, len(around))
	for k := range rows {
		rows[k] = append(append([]float64(nil), p.Rows[k]...), around[k]...)
	}
	return rows
}

func (f *fitter) predict(stage, unseen, i int) []float64 {
	k := oddsKey{stage, unseen, i}
	if o, ok := f.known[k]; ok {
		return o
	}
	o := f.fit(stage, unseen).all(f.inputs(stage, unseen, i))
	f.known[k] = o
	return o
}

// model returns the model fitted on all pages.
func (f *fitter) model() *content.Model {
	first, second := f.fit(0, 0).(linear), f.fit(1, 0).(boosted)
	m := &content.Model{Linear: map[string]float64{}, Base: digits(second.base, 4)}
	names := content.FeatureNames()
	for i, n := range names {
		m.Linear[n] = digits(first[i], 4)
	}
	names = append(slices.Clone(names), content.AroundNames...)
	for _, t := range second.trees {
		var tree content.Tree
		for k, f := range t.feature {
			tree.Ask[k] = names[f]
		}
		tree.Limit, tree.Add = t.limit, t.leaf
		m.Trees = append(m.Trees, tree)
	}
	return m
}

// digits rounds to n significant digits.
func digits(v float64, n int) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64)
	return out
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
