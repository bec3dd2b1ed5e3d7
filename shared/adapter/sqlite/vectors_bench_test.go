package sqlite_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"wstk/shared/adapter/sqlite"
	"wstk/shared/wstk"
)

// BenchmarkNearest compares a vector with those of all chunks, 20 on each page.
func BenchmarkNearest(b *testing.B) {
	const dimension, onPage, model = 384, 20, "model@0123456789ab"
	for _, chunks := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(chunks), func(b *testing.B) {
			db, err := sqlite.Open(b.Context(), b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			r := rand.New(rand.NewPCG(1, 1))
			for at := 0; at < chunks; at += onPage {
				p := wstk.PageVectors{URL: fmt.Sprintf("https://a.example/%d", at), Site: "si_a",
					FetchedAt: time.Unix(1, 0), Model: model}
				for i := range onPage {
					p.Chunks = append(p.Chunks, fmt.Sprintf("ch_%026d", at+i))
					p.Vectors = append(p.Vectors, unit(r, dimension))
				}
				if err := db.Vectors().Replace(b.Context(), p); err != nil {
					b.Fatal(err)
				}
			}
			search := func() {
				hits, err := db.Vectors().Nearest(b.Context(), wstk.VectorQuery{Model: model,
					Vector: unit(r, dimension), Limit: 50})
				if err != nil || len(hits) != 50 {
					b.Fatal(len(hits), err)
				}
			}
			before := processorTime(b)
			search() // reads them
			b.ReportMetric(1000*(processorTime(b)-before), "first-cpu-ms")
			before = processorTime(b)
			var took []time.Duration
			for b.Loop() {
				at := time.Now()
				search()
				took = append(took, time.Since(at))
			}
			b.ReportMetric(1000*(processorTime(b)-before)/float64(b.N), "cpu-ms/op")
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

// processorTime is what this process has used, in seconds: other programs disturb it less.
func processorTime(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// unit returns a vector of the length 1, in any direction.
func unit(r *rand.Rand, dimension int) []float32 {
	v, squares := make([]float32, dimension), 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		squares += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(squares))
	}
	return v
}
