package main

import (
	"math"
	"sort"
)

const ridge = 10

// logistic fits a weighted logistic regression on the pages that use says.
// Column 0 or any other constant column takes the part of the intercept.
func logistic(pages []*page, rows [][][]float64, use func(int) bool) []float64 {
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
			y = append(y, number(pages[i].Main[k]))
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
