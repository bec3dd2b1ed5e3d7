package content

import (
	"math"

	"wstk/shared/stage/read/dom"
)

// score returns for each block the log odds that it plays a role.
//
// A first, linear score looks at each block by itself. A second one, of small trees, sees
// the same features and what the first one says about the blocks around and about those
// that look alike, because main content stands in runs of blocks and in cards.
func (s *sight) score(m *Model) []float64 {
	first := make([]float64, len(s.Blocks))
	keep := len(s.Blocks) <= maxKeptRows
	var rows [][]float64
	if keep {
		rows = make([][]float64, len(s.Blocks))
	}
	s.each(func(i int, row []float64) {
		first[i] = m.first(row)
		if keep {
			rows[i] = append(make([]float64, 0, len(row)+len(AroundNames)), row...)
		}
	})
	second := make([]float64, len(s.Blocks))
	around := Around(s.lengths(), first, s.kin, s.Stop.Tick)
	if keep {
		for i := range rows {
			s.Stop.Tick()
			second[i] = m.second(append(rows[i], around[i]...))
		}
		return second
	}
	var both []float64
	s.each(func(i int, row []float64) {
		both = append(append(both[:0], row...), around[i]...)
		second[i] = m.second(both)
	})
	return second
}

// maxKeptRows is how many blocks' features are kept between the two scores, at over a
// kilobyte each; those of a larger page are computed twice.
const maxKeptRows = 10_000

// aroundRanges are how many blocks to each side a block looks at.
var aroundRanges = []int{1, 2, 4, 8, 16}

// AroundNames name the values that Around returns.
var AroundNames = []string{"around constant", "own odds", "odds within 1", "odds within 2",
	"odds within 4", "odds within 8", "odds within 16",
	"odds of page", "best odds", "between first and last",
	"odds of look", "odds of parent", "odds two up", "odds three up",
	"odds five up", "odds of section"}

// Kin says which groups of blocks of a page one block is in, a number for each way to
// belong together: blocks that look alike, that have the same parent, the same element
// two, three and five levels up, or the same section. -1 is no group.
type Kin [6]int32

// kinOf returns the groups of each block.
func (p *Page) kinOf() []Kin {
	out := make([]Kin, len(p.Blocks))
	looks, sections := map[uint64]int32{}, map[int32]int32{}
	group := int32(len(p.Els)) // numbers below are those of elements
	for i := range p.Blocks {
		p.Stop.Tick()
		b := &p.Blocks[i]
		k := Kin{-1, -1, -1, -1, -1, -1}
		hash := uint64(len(b.Kind))
		e := b.Owner
		for up := 0; up < 6 && e >= 0; up++ {
			n := p.Els[e].Node
			if up < 3 {
				hash = mixLook(mixLook(hash, n.Data), dom.Attr(n, "class"))
			}
			switch up {
			case 1, 2, 3:
				k[up] = e
			case 5:
				k[4] = e
			}
			e = p.Els[e].Parent
		}
		if _, ok := looks[hash]; !ok {
			looks[hash] = group
			group++
		}
		k[0] = looks[hash]
		if s := int32(b.Section); s >= 0 {
			if _, ok := sections[s]; !ok {
				sections[s] = group
				group++
			}
			k[5] = sections[s]
		}
		out[i] = k
	}
	return out
}

// mixLook adds a name to a hash without its digits: post-1 and post-2 look alike.
func mixLook(h uint64, s string) uint64 {
	for k := 0; k < len(s); k++ {
		if !digit(s[k]) {
			h = (h ^ uint64(s[k])) * 1099511628211
		}
	}
	return (h ^ ' ') * 1099511628211
}

type kinKey struct {
	kind  int
	group int32
}

type kinSum struct{ odds, weight float64 }

// Around returns for each block what the odds say about the blocks around it and its kin:
// means weighted by the root of their length, without the block itself. A block without
// kin has its own odds there. It calls tick for each block.
func Around(lengths []int, odds []float64, kin []Kin, tick func()) [][]float64 {
	n := len(odds)
	sum, weights := make([]float64, n+1), make([]float64, n+1)
	clipped, w := make([]float64, n), make([]float64, n)
	best := -9.0
	first, last := n, -1
	for i, o := range odds {
		clipped[i] = max(-6, min(6, o))
		w[i] = math.Sqrt(float64(lengths[i])/6 + 1)
		sum[i+1] = sum[i] + float64(clipped[i]*w[i])
		weights[i+1] = weights[i] + w[i]
		if w[i] > 4 {
			best = max(best, clipped[i])
		}
		if clipped[i] > 0 {
			first, last = min(first, i), i
		}
	}
	sums := make(map[kinKey]kinSum, 2*n)
	for i := range kin {
		for g, group := range kin[i] {
			if group >= 0 {
				s := sums[kinKey{g, group}]
				sums[kinKey{g, group}] = kinSum{s.odds + float64(clipped[i]*w[i]), s.weight + w[i]}
			}
		}
	}
	out := make([][]float64, n)
	values := make([]float64, 0, n*len(AroundNames))
	for i := range out {
		tick()
		start := len(values)
		values = append(values, 1, clipped[i])
		for _, r := range aroundRanges {
			a, b := max(0, i-r), min(n, i+r+1)
			values = append(values, (sum[b]-sum[a]-float64(clipped[i]*w[i]))/max(1e-6,
				weights[b]-weights[a]-w[i]))
		}
		values = append(values, sum[n]/weights[n], best, number(i >= first && i <= last))
		for g, group := range kin[i] {
			mean := clipped[i]
			if group >= 0 {
				s := sums[kinKey{g, group}]
				if rest := s.weight - w[i]; rest > 1e-6 {
					mean = (s.odds - float64(clipped[i]*w[i])) / rest
				}
			}
			values = append(values, mean)
		}
		out[i] = values[start:len(values):len(values)]
	}
	return out
}
