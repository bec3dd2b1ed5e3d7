package recall

import (
	"slices"

	"wstk/shared/wstk"
)

// collapse keeps the first of passages that say the same, word for word, and
// notes on it where else they stand.
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

const maxAlsoOn = 20

// spread lets at most perPage passages of one page stand among the first
// TopHits; those over it follow right behind, in their order.
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
