package minilm

import (
	"math"
	"math/rand/v2"
	"testing"
)

func random(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// Each kernel gives what double precision gives, at every edge of its tiles, and writes
// nothing beside.
func TestMultiply(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range kernelsHere() {
		for _, size := range []struct{ rows, columns, n int }{
			{4, 6, 16}, {8, 32, 32}, {9, 7, 48}, {13, 11, 384}, {17, 24, 400}, {33, 23, 1536},
		} {
			x := matrix{random(r, size.rows*(size.n+16)), size.rows, size.n, size.n + 16}
			w := matrix{random(r, size.columns*(size.n+32)), size.columns, size.n, size.n + 32}
			y := matrix{random(r, size.rows*(size.columns+3)), size.rows, size.columns,
				size.columns + 3}
			before := append([]float32(nil), y.data...)
			bias := random(r, size.columns)
			k.multiply(y, x, w, bias, new([24]float32))
			for i, got := range y.data {
				row, column := i/y.stride, i%y.stride
				want, near := float64(before[i]), 0.0
				if column < size.columns {
					want, near = float64(bias[column]), 1e-4
					for j := range size.n {
						want += float64(x.data[row*x.stride+j]) * float64(w.data[column*w.stride+j])
					}
				}
				if math.Abs(float64(got)-want) > near {
					t.Fatalf("%s %+v: row %d, column %d is %g, want %g", k.name, size, row, column,
						got, want)
				}
			}
		}
	}
}

func TestExps(t *testing.T) {
	for _, k := range kernelsHere() {
		var v []float32
		for x := float32(-90); x < 80; x += 0.0137 {
			v = append(v, x)
		}
		v = append(v, 0, float32(math.Copysign(0, -1)), -1e30, float32(math.Inf(-1)))
		v = append(v, make([]float32, upTo(len(v), width)-len(v))...)
		got := append([]float32(nil), v...)
		k.exps(&got[0], len(got))
		for i, x := range v {
			want := math.Exp(math.Max(float64(x), -87))
			if math.Abs(float64(got[i])-want) > 1e-6*want {
				t.Fatalf("%s: exp(%g) is %g, want %g", k.name, x, got[i], want)
			}
		}
		nan := make([]float32, width)
		nan[3] = float32(math.NaN())
		k.exps(&nan[0], width)
		if nan[3] == nan[3] || nan[2] != 1 {
			t.Errorf("%s: exp(NaN) is %g, exp(0) is %g", k.name, nan[3], nan[2])
		}
	}
}

func TestGELU(t *testing.T) {
	for _, k := range kernelsHere() {
		v := make([]float32, 0, 4000)
		for x := float32(-12); x < 12; x += 0.0125 {
			v = append(v, x)
		}
		v = v[:len(v)/width*width]
		got := append([]float32(nil), v...)
		k.gelu(got, make([]float32, len(v)))
		for i, x := range v {
			f := float64(x)
			want := f * 0.5 * (1 + math.Erf(f/math.Sqrt2))
			if math.Abs(float64(got[i])-want) > 2e-6 {
				t.Fatalf("%s: gelu(%g) is %g, want %g", k.name, x, got[i], want)
			}
		}
	}
}
