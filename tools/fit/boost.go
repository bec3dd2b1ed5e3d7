package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"wstk/shared/stage/read/content"
)

// How the trees of the second score are grown.
const (
	boostTrees = 150
	boostRate  = 0.1
	boostBins  = 64
	boostRidge = 20
	boostLeast = 40 // the least sum of curvature in a leaf
)

// boost fits boosted trees to the labels (Newton steps on the logistic loss,
// limits among quantiles, each tree grown on half of the pages and half of the
// features). Blocks weigh as in logistic. The same pages give the same trees.
func boost(pages []*page, rows [][][]float64, use func(int) bool) boosted {
	random := rand.New(rand.NewPCG(1, 2))
	var y, ws []float64
	var of []int32 // the page of each sample
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
			y = append(y, number(pages[i].Main[k]))
			ws = append(ws, float64(pages[i].Bytes[k])/math.Sqrt(float64(size)+1))
			of = append(of, int32(i))
		}
	}
	count := len(y)
	sorted := slices.Clone(ws)
	slices.Sort(sorted)
	top, total, positive := sorted[count*99/100], 0.0, 0.0
	for i := range ws {
		ws[i] = min(ws[i], top) + 1e-4
		total += ws[i]
		positive += ws[i] * y[i]
	}
	for i := range ws {
		ws[i] *= float64(count) / total
	}
	// Values as bins: bin b holds what is above limit b-1 and at most limit b.
	limits, bins := make([][]float32, n), make([][]uint8, n)
	parallel(n, func(j int) {
		bins[j] = make([]uint8, count)
		column := make([]float32, 0, count)
		for i := range pages {
			if use(i) {
				for _, r := range rows[i] {
					column = append(column, float32(r[j]))
				}
			}
		}
		s := slices.Clone(column)
		slices.Sort(s)
		for b := 1; b < boostBins; b++ {
			l := roundLimit(s[(count-1)*b/boostBins])
			if l < s[count-1] && (len(limits[j]) == 0 || l > limits[j][len(limits[j])-1]) {
				limits[j] = append(limits[j], l)
			}
		}
		if len(limits[j]) == 0 && s[0] < s[count-1] {
			limits[j] = append(limits[j], roundLimit((s[0]+s[count-1])/2))
		}
		if len(limits[j]) > 0 && s[0] <= 0 && s[count-1] == 1 &&
			!slices.ContainsFunc(limits[j], func(l float32) bool { return l >= 0 && l < 1 }) {
			limits[j] = append(limits[j], 0.5)
		}
		for i, v := range column {
			b, _ := slices.BinarySearch(limits[j], v)
			bins[j][i] = uint8(b)
		}
	})
	m := boosted{base: math.Log(positive / (total - positive))}
	odds := make([]float64, count)
	for i := range odds {
		odds[i] = m.base
	}
	g, h := make([]float64, count), make([]float64, count)
	node := make([]uint8, count)
	used := make([]bool, len(pages))
	for range boostTrees {
		for i := range used {
			used[i] = random.IntN(2) == 0
		}
		features := random.Perm(n)[:n/2+1]
		var sample []int32
		for i := range odds {
			p := 1 / (1 + math.Exp(-odds[i]))
			g[i], h[i] = ws[i]*(y[i]-p), ws[i]*p*(1-p)
			node[i] = 0
			if used[of[i]] {
				sample = append(sample, int32(i))
			}
		}
		var t grown
		for level := range content.Depth {
			first, width := 1<<level-1, 1<<level
			type cut struct {
				gain    float64
				feature int
				bin     int
			}
			found := make([][]cut, len(features))
			parallel(len(features), func(k int) {
				j := features[k]
				sums := make([][boostBins][2]float64, width)
				column := bins[j]
				for _, i := range sample {
					s := &sums[node[i]][column[i]&(boostBins-1)]
					s[0] += g[i]
					s[1] += h[i]
				}
				found[k] = make([]cut, width)
				for w := range sums {
					var all, left [2]float64
					for b := range sums[w] {
						all[0] += sums[w][b][0]
						all[1] += sums[w][b][1]
					}
					for b := range limits[j] {
						left[0] += sums[w][b][0]
						left[1] += sums[w][b][1]
						right := [2]float64{all[0] - left[0], all[1] - left[1]}
						if left[1] < boostLeast || right[1] < boostLeast {
							continue
						}
						gain := left[0]*left[0]/(left[1]+boostRidge) +
							right[0]*right[0]/(right[1]+boostRidge) - all[0]*all[0]/(all[1]+
							boostRidge)
						if gain > found[k][w].gain {
							found[k][w] = cut{gain, j, b}
						}
					}
				}
			})
			for w := range width {
				best := cut{}
				for k := range found {
					if found[k][w].gain > best.gain {
						best = found[k][w]
					}
				}
				t.limit[first+w] = 1e9 // all go left
				if best.gain > 0 {
					t.feature[first+w], t.limit[first+w] = int16(best.feature),
						limits[best.feature][best.bin]
				}
			}
			cuts := make([]int, width)
			for w := range cuts {
				cuts[w] = boostBins
				if l := t.limit[first+w]; l < 1e9 {
					cuts[w], _ = slices.BinarySearch(limits[t.feature[first+w]], l)
				}
			}
			for i := range node {
				w := node[i]
				right := uint8(0)
				if int(bins[t.feature[first+int(w)]][i]) > cuts[w] {
					right = 1
				}
				node[i] = 2*w + right
			}
		}
		var sums [1 << content.Depth][2]float64
		for _, i := range sample {
			sums[node[i]][0] += g[i]
			sums[node[i]][1] += h[i]
		}
		for w := range sums {
			t.leaf[w] = float32(math.Round(
				1000*boostRate*sums[w][0]/(sums[w][1]+boostRidge)) / 1000)
		}
		for i := range odds {
			odds[i] += float64(t.leaf[node[i]])
		}
		m.trees = append(m.trees, t)
	}
	return m
}

// roundLimit leaves four digits, as many as weights.json keeps.
func roundLimit(v float32) float32 {
	if v == 0 {
		return 0
	}
	e := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(float64(v)))))
	return float32(math.Round(float64(v)*e) / e)
}

// parallel calls f for all numbers below n, two at a time.
func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	for half := range 2 {
		wg.Go(func() {
			for i := half; i < n; i += 2 {
				f(i)
			}
		})
	}
	wg.Wait()
}
