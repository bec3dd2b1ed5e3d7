package recall

import (
	"slices"

	"wstk/shared/wstk"
)

// collapse keeps the first of several passages with the same words and notes on it on
// which other pages they stand.
func collapse(ranked []*candidate) []*candidate {
	first := map[wstk.Hash]*candidate{}
	out := ranked[:0]
	for _, c := range ranked {
		if c.Chunk == nil || c.Chunk.Repeat == "" {
			out = append(out, c)
			continue
		}
		f := first[c.Chunk.Repeat]
		if f == nil {
			first[c.Chunk.Repeat] = c
			out = append(out, c)
			continue
		}
		if c.URL != f.URL && !slices.Contains(f.alsoOn, c.URL) && len(f.alsoOn) < maxAlsoOn {
			f.alsoOn = append(f.alsoOn, c.URL)
		}
	}
	return out
}

// maxAlsoOn is how many of these pages are noted.
const maxAlsoOn = 20

// spread keeps at most perPage passages of one page among the first TopHits. Further ones
// follow right after these hits, in their order.
func spread(ranked []*candidate, perPage int) []*candidate {
	if perPage <= 0 {
		return ranked
	}
	var top, over, rest []*candidate
	n := map[string]int{}
	for i, c := range ranked {
		if len(top) == TopHits {
			rest = ranked[i:]
			break
		}
		if n[c.URL]++; n[c.URL] > perPage {
			over = append(over, c)
			continue
		}
		top = append(top, c)
	}
	return slices.Concat(top, over, rest)
}
