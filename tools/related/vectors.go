package main

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"wstk/shared/adapter/model/minilm"
	"wstk/shared/wstk"
)

// vectors are those of words, in their order, each of length 1.
type vectors [][]float32

// embed returns the vectors of words by the model.
func (s sources) embed(ctx context.Context, words []word) (vectors, error) {
	m, err := minilm.Open(minilm.Known[0], s.model)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	names := make([]string, len(words))
	for i, x := range words {
		names[i] = x.text
	}
	made, err := minilm.Embedder{Model: m}.Embed(ctx, wstk.EmbedPassage, names...)
	if err != nil {
		return nil, err
	}
	out := make(vectors, len(words))
	for i := range out {
		out[i] = made.Embeddings[i].Vector
	}
	return out, nil
}

// cosine of two vectors of length 1.
func cosine(a, b []float32) float64 {
	var s [8]float32
	for i := 0; i+8 <= len(a); i += 8 {
		x, y := a[i:i+8:i+8], b[i:i+8:i+8]
		s[0] += x[0] * y[0]
		s[1] += x[1] * y[1]
		s[2] += x[2] * y[2]
		s[3] += x[3] * y[3]
		s[4] += x[4] * y[4]
		s[5] += x[5] * y[5]
		s[6] += x[6] * y[6]
		s[7] += x[7] * y[7]
	}
	return float64(s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7])
}

// near is a word by its number, and its cosine.
type near struct {
	at  int
	cos float64
}

// neighbours returns for each vector those with a cosine of at least least, at most n, the
// nearest first.
func (v vectors) neighbours(least float64, n int) [][]near {
	out := make([][]near, len(v))
	next := make(chan int)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				out[i] = v.nearest(i, least, n)
			}
		})
	}
	for i := range v {
		next <- i
	}
	close(next)
	wait.Wait()
	return out
}

func (v vectors) nearest(i int, least float64, n int) (found []near) {
	for j := range v {
		if c := cosine(v[i], v[j]); j != i && c >= least {
			found = append(found, near{j, c})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.cos, a.cos), cmp.Compare(a.at, b.at))
	})
	return found[:min(n, len(found))]
}
