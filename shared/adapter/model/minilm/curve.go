package minilm

import "math"

// exp32 is e to the power of x, for x of at most 80, within a few units in the last place.
// Below -87 it is that of -87, about 1e-38. Method: 2 to a whole number times a polynomial
// over half a step, with the coefficients of Cephes' expf.
func exp32(x float32) float32 {
	x = max(x, -87)
	const magic = 1.5 * (1 << 23) // adding it rounds to a whole number
	n := x*math.Log2E + magic
	whole := n - magic
	r := x - whole*0.693359375 + whole*2.12194440e-4
	p := float32(1.9875691500e-4)
	p = p*r + 1.3981999507e-3
	p = p*r + 8.3334519073e-3
	p = p*r + 4.1665795894e-2
	p = p*r + 1.6666665459e-1
	p = p*r + 5.0000001201e-1
	p = p*r*r + r + 1
	return p * math.Float32frombits((math.Float32bits(n)+127)<<23)
}

// softmax makes weights of the first n numbers, and 0 of the others. There are a multiple of
// width.
func (k kernels) softmax(v []float32, n int, scale float32) {
	most := v[0]
	for _, x := range v[:n] {
		if x > most { // faster than max, which looks for NaN
			most = x
		}
	}
	for i, x := range v[:n] {
		v[i] = (x - most) * scale
	}
	clear(v[n:])
	k.exps(&v[0], upTo(n, width))
	clear(v[n:])
	var a, b, c, d float32 // one sum would wait for each addition
	for i := 0; i < len(v); i += 4 {
		a, b, c, d = a+v[i], b+v[i+1], c+v[i+2], d+v[i+3]
	}
	share := 1 / (a + b + c + d)
	for i := range v[:n] {
		v[i] *= share
	}
}

// gelu replaces each x by x times the probability that a normal number is below x, with the
// formula 7.1.26 of Abramowitz and Stegun for the error function (absolute error below
// 2e-7). There are a multiple of width, and scratch for as many.
func (k kernels) gelu(v, scratch []float32) {
	scratch = scratch[:len(v)]
	for i, x := range v {
		scratch[i] = -0.5 * x * x
	}
	k.exps(&scratch[0], len(scratch))
	for i, x := range v {
		size := x
		if x < 0 {
			size = -x
		}
		t := 1 / (1 + 0.3275911*math.Sqrt2/2*size)
		p := t * (0.254829592 +
			t*(-0.284496736+t*(1.421413741+t*(-1.453152027+t*1.061405429))))
		below := 0.5 * p * scratch[i] // of -|x|
		if x > 0 {
			below = 1 - below
		}
		v[i] = x * below
	}
}
