package recall

import (
	"context"
	"testing"

	"wstk/shared/wstk"
)

// TestCoverOrder: a passage about what is open moves up, a second one about the same does
// not, and neither does one with a small part of the query.
func TestCoverOrder(t *testing.T) {
	r := &run{terms: make([]Term, 8), config: DefaultConfig()}
	r.config.Cover.Weight = 5
	for i := range r.terms {
		r.terms[i].Origin = FromQuery
	}
	r.terms[6].Origin, r.terms[7].Origin = FromSynonym, FromSynonym
	var ranked []*candidate
	for _, x := range []struct {
		id    string
		score float64
		terms []int
	}{
		{"first", 3, []int{0, 1, 2}},
		{"like the first", 2.9, []int{0, 1, 2}},
		{"like it, too", 2.85, []int{0, 1, 2}},
		{"a small part", 2.84, []int{0, 5}},
		{"a synonym", 2.83, []int{6, 7}},
		{"the rest", 2.8, []int{3, 4}},
		{"the rest again", 2.7, []int{3, 4}},
	} {
		c := &candidate{IndexHit: wstk.IndexHit{ID: x.id}, score: x.score}
		c.done, c.body, c.around = true, make([]bool, 8), make([]bool, 8)
		for i, k := range x.terms {
			in := c.body
			if i == 1 {
				in = c.around
			}
			in[k] = true
		}
		ranked = append(ranked, c)
	}
	out, err := r.cover(context.Background(), ranked)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"first", "the rest", "like the first", "like it, too", "a small part",
		"a synonym", "the rest again"}
	for i, c := range out {
		if c.ID != want[i] {
			t.Errorf("place %d has %q, want %q", i+1, c.ID, want[i])
		}
		if i > 0 && c.score > out[i-1].score {
			t.Errorf("%q has score %g, the one before it %g", c.ID, c.score, out[i-1].score)
		}
	}
}
