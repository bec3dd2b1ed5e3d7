package text

import (
	"fmt"
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

func TestNearCopies(t *testing.T) {
	for _, c := range []struct {
		a, b string
		copy bool
	}{
		{"", "", false},
		{"", "x", false},
		{"...", "!!!", false},
		{"Hello", "hello", true},
		{"one two three", "“One two  three.”", true},
		{"one two three", "one two four", false},
		{"a b c d e f", "a b c d e g", false},
		{"东京是日本的首都", "东京是日本的首都。", true},
		{"东京是日本的首都", "巴黎是法国的首都", false},
		{story(0, 100), story(0, 100), true},
		{story(0, 100), story(200, 100), false},
		{story(0, 104), story(0, 94) + story(500, 10), true}, // 0.82
		{story(0, 104), story(0, 84) + story(500, 20), false},
		{story(0, 104), story(900, 300) + story(0, 104), true}, // quoted whole
		{story(0, 40), story(900, 15) + story(0, 40), true},    // the same
		{story(0, 20), story(900, 300) + story(0, 20), false},  // a phrase
	} {
		if NearCopies(c.a, c.b) != c.copy || NearCopies(c.b, c.a) != c.copy {
			t.Errorf("NearCopies(%.40q, %.40q) is not %v", c.a, c.b, c.copy)
		}
	}
}

func FuzzNearCopies(f *testing.F) {
	f.Add("a b c d e f", "b c d e f g")
	f.Fuzz(func(t *testing.T, a, b string) {
		if NearCopies(a, b) != NearCopies(b, a) {
			t.Fatalf("one of %q and %q is a near copy of the other, which is none of it", a, b)
		}
		if NearCopies(a, a) != (len(shingles(a)) > 0) {
			t.Fatalf("%q is not the text that it is", a)
		}
	})
}

func BenchmarkNearCopies(b *testing.B) {
	s := prose
	b.SetBytes(int64(2 * len(s)))
	for b.Loop() {
		NearCopies(s, s)
	}
}
