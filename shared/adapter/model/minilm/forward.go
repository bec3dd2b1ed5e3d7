package minilm

import (
	"context"
	"math"
)

// scratch is the memory of one pass.
type scratch struct {
	x, y, q, k, v, inner  []float32
	scores, turned, curve []float32
	sums                  [24]float32
}

func upTo(n, step int) int { return (n + step - 1) / step * step }

// grow makes room for n tokens. What it returns is full of old numbers.
func (s *scratch) grow(m Spec, n int) {
	for _, p := range [...]*[]float32{&s.x, &s.y, &s.q, &s.k, &s.v} {
		*p = sized(*p, n*m.Hidden)
	}
	s.inner, s.scores = sized(s.inner, n*m.Inner), sized(s.scores, n*upTo(n, width))
	s.curve = sized(s.curve, m.Inner)
	s.turned = sized(s.turned, m.Hidden/m.Heads*upTo(n, width))
}

func sized(v []float32, n int) []float32 {
	if cap(v) < n {
		return make([]float32, n)
	}
	return v[:n]
}

// pass runs the transformer over the tokens; those from second on are of the second part. The
// states of the tokens are then in s.x. It ends when ctx does.
func (m *Model) pass(ctx context.Context, s *scratch, ids []int32, second int) error {
	rows := max(len(ids), atLeast)
	s.grow(m.spec, rows)
	m.embedTokens(s, ids, second)
	n := m.spec.Hidden
	x, y := matrix{s.x, rows, n, n}, matrix{s.y, rows, n, n}
	q, k, v := matrix{s.q, rows, n, n}, matrix{s.k, rows, n, n}, matrix{s.v, rows, n, n}
	inner := matrix{s.inner, rows, m.spec.Inner, m.spec.Inner}
	for i := range m.layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := &m.layers[i]
		m.apply(q, x, l.query, s)
		m.apply(k, x, l.key, s)
		m.apply(v, x, l.value, s)
		m.attend(s, len(ids), rows) // into q
		m.apply(y, q, l.attention, s)
		addNorm(s.x, s.y, n, l.attentionNorm)
		m.apply(inner, x, l.up, s)
		for from := 0; from < len(s.inner); from += m.spec.Inner {
			m.gelu(s.inner[from:][:m.spec.Inner], s.curve)
		}
		m.apply(y, inner, l.down, s)
		addNorm(s.x, s.y, n, l.norm)
	}
	return nil
}

// embedTokens sets s.x to the sum of what the word, its place and its part stand for.
func (m *Model) embedTokens(s *scratch, ids []int32, second int) {
	n := m.spec.Hidden
	clear(s.x)
	clear(s.y)
	for t, id := range ids {
		part := m.kinds[:n]
		if t >= second {
			part = m.kinds[n:]
		}
		word, place := m.words[int(id)*n:][:n], m.places[t*n:][:n]
		for i := range n {
			s.x[t*n+i] = word[i] + place[i] + part[i]
		}
	}
	addNorm(s.x, s.y, n, m.norm)
}

func (m *Model) apply(y, x matrix, l linear, s *scratch) {
	w := matrix{l.weight, len(l.bias), x.n, x.n}
	m.multiply(y, x, w, l.bias, &s.sums)
}

// attend replaces each head's queries by the mean of the values, weighted by how well their
// keys fit the query. Rows beyond n are no tokens.
func (m *Model) attend(s *scratch, n, rows int) {
	hidden := m.spec.Hidden
	size := hidden / m.spec.Heads
	stride := upTo(rows, width)
	scale := float32(1 / math.Sqrt(float64(size)))
	scores := matrix{s.scores, rows, stride, stride}
	turned := matrix{s.turned, size, stride, stride}
	clear(s.turned)
	for head := range m.spec.Heads {
		at := head * size
		q := matrix{s.q[at:], rows, size, hidden}
		m.multiply(scores, q, matrix{s.k[at:], rows, size, hidden}, nil, &s.sums)
		for t := range rows {
			m.softmax(s.scores[t*stride:][:stride], n, scale)
		}
		for t := range n {
			for i, v := range s.v[t*hidden+at:][:size] {
				s.turned[i*stride+t] = v
			}
		}
		m.multiply(q, scores, turned, nil, &s.sums)
	}
}

// addNorm adds y to x and normalises each row to the mean 0 and the variance 1 before weight
// and bias.
func addNorm(x, y []float32, n int, w norm2) {
	const epsilon = 1e-12
	for len(x) > 0 {
		row, add := x[:n], y[:n]
		var sum float32
		for i := range row {
			row[i] += add[i]
			sum += row[i]
		}
		mean := sum / float32(n)
		var squares float32
		for i := range row {
			row[i] -= mean
			squares += row[i] * row[i]
		}
		scale := float32(1 / math.Sqrt(float64(squares)/float64(n)+epsilon))
		for i := range row {
			row[i] = row[i]*scale*w.weight[i] + w.bias[i]
		}
		x, y = x[n:], y[n:]
	}
}
