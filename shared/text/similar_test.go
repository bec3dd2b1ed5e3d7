package text

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// story returns n different words, from number k on.
func story(k, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d ", k+i)
	}
	return b.String()
}

func TestSimilarity(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
		copy bool
	}{
		{"", "", 0, false},
		{"", "x", 0, false},
		{"...", "!!!", 0, false},
		{"Hello", "hello", 1, true},
		{"one two three", "“One two  three.”", 1, true},
		{"one two three", "one two four", 0, false},
		{"a b c d e f", "a b c d e g", 1.0 / 3, false},
		{"东京是日本的首都", "东京是日本的首都。", 1, true},
		{"东京是日本的首都", "巴黎是法国的首都", 0, false},
		{story(0, 100), story(0, 100), 1, true},
		{story(0, 100), story(200, 100), 0, false},
		{story(0, 104), story(0, 94) + story(500, 10), 90.0 / 110, true}, // 0.82
		{story(0, 104), story(0, 84) + story(500, 20), 80.0 / 120, false},
		{story(0, 104), story(900, 300) + story(0, 104), 100.0 / 400, true}, // quoted whole
		{story(0, 20), story(900, 300) + story(0, 20), 16.0 / 316, false},   // a phrase
	} {
		got := Similarity(c.a, c.b)
		if math.Abs(got-c.want) > 1e-9 || Similarity(c.b, c.a) != got {
			t.Errorf("Similarity(%.40q, %.40q) = %v, %v, want %v", c.a, c.b, got, Similarity(c.b, c.a), c.want)
		}
		if NearCopies(c.a, c.b) != c.copy || NearCopies(c.b, c.a) != c.copy {
			t.Errorf("NearCopies(%.40q, %.40q) is not %v", c.a, c.b, c.copy)
		}
	}
}

func FuzzSimilarity(f *testing.F) {
	f.Add("a b c d e f", "b c d e f g")
	f.Fuzz(func(t *testing.T, a, b string) {
		s := Similarity(a, b)
		if s < 0 || s > 1 || s != Similarity(b, a) || NearCopies(a, b) != NearCopies(b, a) {
			t.Fatalf("Similarity(%q, %q) = %v", a, b, s)
		}
		if x := Similarity(a, a); x != 0 && x != 1 {
			t.Fatalf("Similarity of %q with itself is %v", a, x)
		}
	})
}

func BenchmarkSimilarity(b *testing.B) {
	s := prose
	b.SetBytes(int64(2 * len(s)))
	for b.Loop() {
		Similarity(s, s)
	}
}
