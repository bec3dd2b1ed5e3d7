package read

import (
	"encoding/gob"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"sync"
	"testing"
	"wstk/shared/stage/read/dom"
)

// TestFit fits the weights of the score on the labelled pages and writes
// weights.go to the file that WSTK_FIT names. It reports what the score reaches
// on pages it was not fitted on: five folds, all pages of a host in one fold.
// With WSTK_FIT_CACHE, a file, the features are kept between runs.
//
// The first and the third stage are logistic regressions (Newton's method, ridge
// penalty on standardised features, blocks weighted by the root of their share
// of the page), the second one is boosted trees. The second stage sees the first
// one's odds for the blocks around, the third the second one's and the votes.
func TestFit(t *testing.T) {
	out := os.Getenv("WSTK_FIT")
	if out == "" {
		t.Skip("WSTK_FIT is not set")
	}
	pages := fitPages(t)
	folds := map[string]int{}
	var hosts []string
	for _, p := range pages {
		if _, ok := folds[host(p.URL)]; !ok {
			folds[host(p.URL)] = 0
			hosts = append(hosts, host(p.URL))
		}
	}
	sort.Strings(hosts)
	for i, h := range hosts {
		folds[h] = int(uint32(i)*2654435761>>8) % 5
	}
	fold := make([]int, len(pages))
	for i, p := range pages {
		fold[i] = folds[host(p.URL)]
	}
	names := pages[0].Names
	f := &fitter{pages: pages, fold: fold, models: map[fitKey]model{}, odds: map[oddsKey][]float64{}}
	f.rows = []func(i int, odds []float64) [][]float64{
		func(i int, _ []float64) [][]float64 { return pages[i].Rows },
		func(i int, odds []float64) [][]float64 {
			around := pages[i].page().context(odds, pages[i].Kin)
			rows := make([][]float64, len(around))
			for k := range rows {
				rows[k] = append(append([]float64(nil), pages[i].Rows[k]...), around[k]...)
			}
			return rows
		},
		func(i int, odds []float64) [][]float64 {
			p := pages[i].page()
			around := p.context(odds, pages[i].Kin)
			_, expected := selectBlocks(p.blocks, odds, false)
			agreement := make([]float64, len(pages[i].Kept))
			for c, kept := range pages[i].Kept {
				agreement[c] = expectedF1(p.blocks, odds, kept)
			}
			rows := make([][]float64, len(around))
			for k := range rows {
				rows[k] = append(append([]float64(nil), around[k]...), expected)
				for c, kept := range pages[i].Kept {
					rows[k] = append(rows[k], voteValues(kept[k], agreement[c])...)
				}
			}
			return rows
		},
	}
	heldOut := func(stage int) [][]float64 {
		odds := make([][]float64, len(pages))
		for i := range pages {
			odds[i] = f.predict(stage, 1<<fold[i], i)
		}
		return odds
	}
	report(t, "own features", pages, heldOut(0))
	secondOdds := heldOut(1)
	report(t, "and the blocks around", pages, secondOdds)
	thirdOdds := heldOut(2)
	report(t, "and votes on all pages", pages, thirdOdds)
	mixed := make([][]float64, len(pages))
	asked := 0
	for i := range pages {
		mixed[i] = secondOdds[i]
		if _, e := selectBlocks(pages[i].page().blocks, secondOdds[i], false); e < sure {
			mixed[i] = thirdOdds[i]
			asked++
		}
	}
	report(t, fmt.Sprintf("votes where in doubt (%d)", asked), pages, mixed)
	first, second, third := f.fit(0, 0).(linear), f.fit(1, 0).(boosted), f.fit(2, 0).(linear)

	var b strings.Builder
	b.WriteString(`package read

// The weights of the score, fitted by TestFit on the 1,497 labelled pages of the
// WCXB corpus (Murrough-Foley, CC-BY-4.0). A weight is what one unit of a feature
// adds to the log odds that a block is main content.

`)
	write := func(name string, names []string, w []float64) {
		fmt.Fprintf(&b, "var %s = []weight{\n", name)
		for i, n := range names {
			fmt.Fprintf(&b, "\t{%q, %.4g},\n", n, w[i])
		}
		b.WriteString("}\n\n")
	}
	write("firstWeights", names, first)
	b.WriteString("// secondTrees compare features by their place: first those of firstWeights, then\n// those that contextNames names.\nvar secondTrees = []scoreTree{\n")
	for _, t := range second.trees {
		fmt.Fprintf(&b, "\t{[...]int16{%s}, [...]float32{%s},\n\t\t[...]float32{%s}},\n", list(t.feature[:], "%d"), list(t.limit[:], "%.4g"), list(t.leaf[:], "%.3g"))
	}
	fmt.Fprintf(&b, "}\n\nconst secondBase = %.4g\n\n", second.base)
	b.WriteString("var voteWeights = votes{\n\tcontext: []weight{\n")
	for i, n := range contextNames {
		fmt.Fprintf(&b, "\t\t{%q, %.4g},\n", n, third[i])
	}
	fmt.Fprintf(&b, "\t},\n\texpected: %.4g,\n\tcandidate: map[string][]weight{\n", third[len(contextNames)])
	at := len(contextNames) + 1
	for _, c := range corpusCandidates {
		fmt.Fprintf(&b, "\t\t%q: {\n", c.Name)
		for _, n := range voteNames {
			fmt.Fprintf(&b, "\t\t\t{%q, %.4g},\n", n, third[at])
			at++
		}
		b.WriteString("\t\t},\n")
	}
	b.WriteString("\t},\n}\n")
	if err := os.WriteFile(out, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func list[T any](values []T, format string) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, format, v)
	}
	return b.String()
}

// fitPage is a labelled page as far as fitting needs it.
type fitPage struct {
	URL, Type string
	Names     []string
	Rows      [][]float64
	Bytes     []int
	Label     []bool
	Bags      []map[string]int
	Truth     map[string]int
	Kept      [][]bool // by candidate
	Kin       [][kinds]int32
	Doubtful  bool // the labelled text is empty or not on the page: nothing to learn from
	Article   bool
}

// page is a page with blocks of the right lengths and nothing else.
func (f *fitPage) page() *page {
	p := &page{}
	for _, n := range f.Bytes {
		b := block{}
		b.ByteEnd = n
		p.blocks = append(p.blocks, b)
	}
	return p
}

func fitPages(t *testing.T) []fitPage {
	dir, labels := loadLabelled(t)
	cache := os.Getenv("WSTK_FIT_CACHE")
	var out []fitPage
	if f, err := os.Open(cache); err == nil {
		defer f.Close()
		if err := gob.NewDecoder(f).Decode(&out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	out = make([]fitPage, len(labels))
	var mu sync.Mutex
	each(t, labels, dir, func(i int, body []byte) {
		l := labels[i]
		tr := dom.ParseAll(decode(body, "", mediaHTML), xmlPage(body))
		p := readPage(tr, l.URL)
		f := gather(tr)
		f.metadata(p, nil)
		fp := fitPage{URL: l.URL, Type: l.Type, Truth: bag(l.Text), Article: f.hints(p.url).article, Kin: p.kin()}
		var names []string
		p.eachFeatures(f, &names, func(_ int, row []float64) {
			fp.Rows = append(fp.Rows, append([]float64(nil), row...))
		})
		if i == 0 {
			fp.Names = names
		}
		fp.Label = oracle(p, fp.Truth)
		fp.Doubtful = covered(fp.Truth, bag(string(p.text))) < 0.5
		words := blockWords(p)
		for k := range p.blocks {
			fp.Bytes = append(fp.Bytes, p.blocks[k].bytes())
			fp.Bags = append(fp.Bags, bag(p.blockText(k)))
		}
		for _, c := range corpusCandidates {
			main := make([]bool, len(p.blocks))
			if n, err := c.Find(p.Root, p.url); err == nil {
				main = matchBlocks(p, words, n)
			}
			fp.Kept = append(fp.Kept, main)
		}
		mu.Lock()
		out[i] = fp
		mu.Unlock()
	})
	if cache != "" {
		f, err := os.Create(cache)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := gob.NewEncoder(f).Encode(out); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// covered is the part of the words of truth that text has, 0 for an empty truth.
func covered(truth, text map[string]int) float64 {
	all, both := 0, 0
	for w, n := range truth {
		all += n
		both += min(n, text[w])
	}
	return float64(both) / float64(max(all, 1))
}

func report(t *testing.T, name string, pages []fitPage, odds [][]float64) {
	var s scores
	for i := range pages {
		p := &pages[i]
		main, _ := selectBlocks(p.page().blocks, odds[i], p.Article)
		got := map[string]int{}
		for k, m := range main {
			if m {
				for w, n := range p.Bags[k] {
					got[w] += n
				}
			}
		}
		s.add(name, p.Type, bagF1(p.Truth, got))
	}
	var b strings.Builder
	s.print(&b)
	t.Logf("held-out F1\n%s", b.String())
}

// fitter fits the stages. A model is known by its stage and the folds it has
// not seen, a bit each. A later stage is fitted on odds that earlier ones give for
// pages of folds they have not seen either; otherwise it would learn from the
// difference between those models what the labels are.
type fitter struct {
	pages  []fitPage
	fold   []int
	rows   []func(i int, odds []float64) [][]float64 // by stage: the inputs of page i
	models map[fitKey]model
	odds   map[oddsKey][]float64
}

type fitKey struct{ stage, unseen int }
type oddsKey struct{ stage, unseen, page int }

// model gives the log odds of a row of inputs.
type model interface{ odds(row []float64) float64 }

type linear []float64

func (m linear) odds(row []float64) float64 {
	sum := 0.0
	for j, v := range row {
		sum += m[j] * v
	}
	return sum
}

type boosted struct {
	base  float64
	trees []scoreTree
}

func (m boosted) odds(row []float64) float64 { return m.base + sumTrees(m.trees, row) }

func (f *fitter) fit(stage, unseen int) model {
	k := fitKey{stage, unseen}
	if w, ok := f.models[k]; ok {
		return w
	}
	rows := make([][][]float64, len(f.pages))
	use := func(i int) bool { return unseen&(1<<f.fold[i]) == 0 && !f.pages[i].Doubtful }
	for i := range f.pages {
		if use(i) {
			rows[i] = f.inputs(stage, unseen, i)
		}
	}
	var m model
	if stage == 1 {
		m = boost(f.pages, rows, use)
	} else {
		m = linear(logistic(f.pages, rows, use))
	}
	f.models[k] = m
	return m
}

func (f *fitter) inputs(stage, unseen, i int) [][]float64 {
	if stage == 0 {
		return f.rows[0](i, nil)
	}
	if stage == 2 {
		// A score of few weights: that the models before it have seen the page's
		// fold is kept out, that they have seen the unseen ones is let in.
		unseen = 0
	}
	return f.rows[stage](i, f.predict(stage-1, unseen|1<<f.fold[i], i))
}

func (f *fitter) predict(stage, unseen, i int) []float64 {
	k := oddsKey{stage, unseen, i}
	if o, ok := f.odds[k]; ok {
		return o
	}
	w := f.fit(stage, unseen)
	rows := f.inputs(stage, unseen, i)
	odds := make([]float64, len(rows))
	for b, r := range rows {
		odds[b] = w.odds(r)
	}
	f.odds[k] = odds
	return odds
}

const ridge = 10

// logistic fits a weighted logistic regression on the pages that use says.
// Column 0 or any other constant column takes the part of the intercept.
func logistic(pages []fitPage, rows [][][]float64, use func(int) bool) []float64 {
	// All samples in one slice, a row each, standardised in place.
	var z, y, ws []float64
	n := 0
	for i := range pages {
		if !use(i) {
			continue
		}
		size := 0
		for _, b := range pages[i].Bytes {
			size += b
		}
		for k, r := range rows[i] {
			n = len(r)
			z = append(z, r...)
			y = append(y, b2v(pages[i].Label[k]))
			ws = append(ws, float64(pages[i].Bytes[k])/math.Sqrt(float64(size)+1))
		}
	}
	// The longest hundredth of blocks weighs no more than its shortest.
	sorted := append([]float64(nil), ws...)
	sort.Float64s(sorted)
	top, total := sorted[len(sorted)*99/100], 0.0
	for i := range ws {
		ws[i] = min(ws[i], top) + 1e-4
		total += ws[i]
	}
	count := len(y)
	mean, dev := make([]float64, n), make([]float64, n)
	for i := range count {
		for j, v := range z[i*n : i*n+n] {
			mean[j] += v / float64(count)
		}
	}
	for i := range count {
		for j, v := range z[i*n : i*n+n] {
			dev[j] += (v - mean[j]) * (v - mean[j]) / float64(count)
		}
	}
	constant := -1
	for j := range dev {
		if dev[j] = math.Sqrt(dev[j]); dev[j] < 1e-9 {
			dev[j], mean[j] = 1, 0
			if constant < 0 && z[j] == 1 {
				constant = j
			}
		}
	}
	for i := range count {
		for j := range n {
			z[i*n+j] = (z[i*n+j] - mean[j]) / dev[j]
		}
	}
	// Newton's method with the curvature of every sixth sample, which is enough
	// for the steps to shrink; the gradient is that of all.
	beta := make([]float64, n)
	for range 12 {
		g, h := make([]float64, n), make([]float64, n*n)
		for i := range count {
			x := z[i*n : i*n+n]
			o := 0.0
			for j, v := range x {
				o += beta[j] * v
			}
			p := 1 / (1 + math.Exp(-o))
			w := ws[i] / total * float64(count)
			d, q := w*(y[i]-p), 6*w*max(p*(1-p), 1e-6)
			for j, v := range x {
				g[j] += d * v
			}
			if i%6 != 0 {
				continue
			}
			for j, v := range x {
				row, qv := h[j*n:j*n+j+1], q*v
				for k := range row {
					row[k] += qv * x[k]
				}
			}
		}
		for j := range n {
			r := float64(ridge)
			if j == constant {
				r = 1e-6
			}
			g[j] -= r * beta[j]
			h[j*n+j] += r
		}
		step := solve(h, g, n)
		largest := 0.0
		for j := range beta {
			beta[j] += step[j]
			largest = max(largest, math.Abs(step[j]))
		}
		if largest < 1e-4 {
			break
		}
	}
	out := make([]float64, n)
	shift := 0.0
	for j := range out {
		out[j] = beta[j] / dev[j]
		shift += out[j] * mean[j]
	}
	out[constant] -= shift
	return out
}

// solve returns x with H x = g for a positive definite H given by its lower
// triangle, which it overwrites.
func solve(h, g []float64, n int) []float64 {
	for j := range n {
		for k := range j {
			v := h[j*n+k]
			for m := range k {
				v -= h[j*n+m] * h[k*n+m]
			}
			h[j*n+k] = v / h[k*n+k]
		}
		v := h[j*n+j]
		for m := range j {
			v -= h[j*n+m] * h[j*n+m]
		}
		h[j*n+j] = math.Sqrt(max(v, 1e-12))
	}
	x := append([]float64(nil), g...)
	for j := range n {
		for m := range j {
			x[j] -= h[j*n+m] * x[m]
		}
		x[j] /= h[j*n+j]
	}
	for j := n - 1; j >= 0; j-- {
		for m := j + 1; m < n; m++ {
			x[j] -= h[m*n+j] * x[m]
		}
		x[j] /= h[j*n+j]
	}
	return x
}
