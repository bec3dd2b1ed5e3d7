package minilm

import "unsafe"

// tileFunc computes the dot products of 4 rows of x with some rows of w, n numbers each. Rows
// are xs and ws bytes apart. The product of row i of x and row j of w goes to out[4*j+i].
type tileFunc func(x *float32, xs int, w *float32, ws int, n int, out *[24]float32)

// kernels are the loops that take nearly all of the time.
type kernels struct {
	step    int // what n is a multiple of, at most width
	columns int // rows of w at once, at most 6
	dots    tileFunc
	exps    func(v *float32, n int) // replaces n numbers by exp32 of them
}

// width is a multiple of each step.
const width = 16

// rowsAtOnce is how many rows of x a tileFunc takes, and atLeast how many rows a matrix has.
const (
	rowsAtOnce = 4
	atLeast    = 8
)

// plain are the kernels in Go, for processors without others.
var plain = kernels{1, 2, tileGo, expsGo}

func tileGo(x *float32, xs int, w *float32, ws int, n int, out *[24]float32) {
	for j := range 2 {
		b := row(w, ws, j, n)
		for i := range rowsAtOnce {
			out[rowsAtOnce*j+i] = dot(row(x, xs, i, n), b)
		}
	}
}

func expsGo(v *float32, n int) {
	numbers := unsafe.Slice(v, n)
	for i, x := range numbers {
		numbers[i] = exp32(x)
	}
}

func row(p *float32, bytes, i, n int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(p), i*bytes)), n)
}

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s, t, u, v float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s += a[i] * b[i]
		t += a[i+1] * b[i+1]
		u += a[i+2] * b[i+2]
		v += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s += a[i] * b[i]
	}
	return (s + t) + (u + v)
}

// matrix is rows of n numbers, stride apart.
type matrix struct {
	data            []float32
	rows, n, stride int
}

// So many rows of so many numbers, 24 KB, stay in the nearest cache.
const (
	blockRows = 16
	blockN    = 384
)

// multiply sets y[i][j] to the dot product of row i of x and row j of w, plus bias[j] unless
// bias is nil. x has at least rowsAtOnce rows and w at least k.columns; x.n is a multiple
// of k.step. out is scratch.
func (k kernels) multiply(y, x, w matrix, bias []float32, out *[24]float32) {
	for from := 0; from < x.rows; from += blockRows {
		to := min(from+blockRows, x.rows)
		for at := 0; at < x.n; at += blockN {
			n := min(blockN, x.n-at)
			for j := 0; j < w.rows; j += k.columns {
				left := min(j, w.rows-k.columns) // the last ones again, rather than too few
				b := &w.data[left*w.stride+at]
				for i := from; i < to; i += rowsAtOnce {
					top := min(i, x.rows-rowsAtOnce)
					k.dots(&x.data[top*x.stride+at], 4*x.stride, b, 4*w.stride, n, out)
					for c := j; c < left+k.columns; c++ {
						start := float32(0)
						if bias != nil {
							start = bias[c]
						}
						sums := out[rowsAtOnce*(c-left):][:rowsAtOnce]
						for r := i; r < top+rowsAtOnce; r++ {
							p := &y.data[r*y.stride+c]
							if at > 0 {
								start = *p
							}
							*p = start + sums[r-top]
						}
					}
				}
			}
		}
	}
}
