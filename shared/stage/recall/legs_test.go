package recall

import (
	"fmt"
	"testing"

	"wstk/shared/wstk"
)

// Six passages that match well count more for their page than thirty that match a little.
func TestALongPageDoesNotWinByItsLength(t *testing.T) {
	bm25 := leg{name: "bm25"}
	add := func(page string, passages int, score float64) {
		for n := range passages {
			c := &candidate{IndexHit: wstk.IndexHit{ID: fmt.Sprintf("%s %d", page, n), URL: page}}
			bm25.add(c, score)
		}
	}
	add("short", 6, 5)
	add("long", 30, 2)
	scores := map[string]float64{}
	for _, x := range pageLeg(bm25, 1).items {
		scores[x.c.URL] = x.score
	}
	if scores["short"] != 30 || scores["long"] != 12 {
		t.Errorf("scores of the pages: %v; want 30 for the short one, and 12 for the long one "+
			"by its best six passages", scores)
	}
}
