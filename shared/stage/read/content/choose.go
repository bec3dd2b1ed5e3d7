package content

import (
	"fmt"
	"math"
	"sort"

	"wstk/shared/wstk"
)

// choose keeps the set of blocks with the largest expected F1, and what belongs to them.
func (p *Page) choose(article bool) ([]bool, wstk.Choice) {
	if len(p.Blocks) == 0 {
		return nil, wstk.Choice{Name: "none", Reason: "the page has no visible text"}
	}
	s := p.sight()
	return s.chooseBy(s.score(weights().Roles[RoleMain]), article)
}

// ChooseBy is Choose with the log odds that each block is main content, as other weights
// than those in use give them.
func ChooseBy(p *Page, odds []float64) ([]bool, wstk.Choice) {
	if len(p.Blocks) == 0 {
		return nil, wstk.Choice{Name: "none", Reason: "the page has no visible text"}
	}
	return p.sight().chooseBy(odds, p.Kind().Article)
}

func (s *sight) chooseBy(odds []float64, article bool) ([]bool, wstk.Choice) {
	p := s.Page
	main, expected := Select(p.lengths(), odds, article)
	p.complete(main, odds)
	s.dropSurplus(main, odds)
	return main, wstk.Choice{Name: "blocks",
		Reason:     fmt.Sprintf("the score of the page's blocks (expected F1 %.2f)", expected),
		Candidates: map[string]float64{"blocks": p.share(main)}}
}

// share returns the part of the page's text that stands in the blocks kept.
func (p *Page) share(kept []bool) float64 {
	n := 0
	for i := range p.Blocks {
		if kept[i] {
			n += p.Blocks[i].bytes()
		}
	}
	return math.Round(float64(n)/float64(max(len(p.Text), 1))*1000) / 1000
}

// lengths returns the bytes of each block.
func (p *Page) lengths() []int {
	out := make([]int, len(p.Blocks))
	for i := range p.Blocks {
		out[i] = p.Blocks[i].bytes()
	}
	return out
}

func probability(odds float64) float64 {
	return math.Round(1e6/(1+math.Exp(-odds))) / 1e6
}

// Select returns the set of blocks with the largest expected F1, which consists of the
// most probable ones, and that F1. lengths are the bytes of the blocks, odds the log odds
// that each is main content. In an article a block must also be more likely main than
// not: articles have clear borders, and a reader minds what is added more than what is
// missing.
func Select(lengths []int, odds []float64, article bool) ([]bool, float64) {
	order := make([]int, len(lengths))
	pr := make([]float64, len(lengths))
	all := 0.0
	for i, n := range lengths {
		order[i] = i
		pr[i] = probability(odds[i])
		all += float64(pr[i] * float64(n))
	}
	sort.SliceStable(order, func(a, b int) bool { return pr[order[a]] > pr[order[b]] })
	best, count := -1.0, 0
	hit, size := 0.0, 0.0
	for k, i := range order {
		w := float64(lengths[i])
		hit += float64(pr[i] * w)
		size += w
		if v := 2 * hit / (size + all); v > best {
			best, count = v, k+1
		}
	}
	main := make([]bool, len(lengths))
	for k, i := range order[:count] {
		if article && pr[i] < 0.5 && k > 0 {
			break
		}
		main[i] = true
	}
	return main, best
}
