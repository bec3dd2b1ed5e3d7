package read

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"golang.org/x/net/html"

	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// sure is the expected F1 from which on the page's own score decides alone. On
// labelled pages above it, asking the libraries changes next to nothing, and
// they cost more than everything else.
const sure = 0.88

// choose decides which blocks are the main content and sets their Main.
//
// The score of the page's own blocks (score.go) gives each a probability. From
// these follows which set of blocks has the largest expected F1, and that value
// says how sure the choice is. Where it is not, the costly candidates are asked:
// each block they kept is a vote, which counts the more the better the
// candidate agrees with the score on the page as a whole.
func (s *Stage) choose(p *page, f *facts) wstk.Choice {
	if len(p.blocks) == 0 {
		return wstk.Choice{Name: "none", Reason: "the page has no visible text"}
	}
	if len(firstWeights) == 0 {
		return p.baseline()
	}
	odds := p.score(f)
	article := f.hints(p.url).article
	main, expected := selectBlocks(p.blocks, odds, article)
	c := wstk.Choice{Name: "blocks", Candidates: map[string]float64{}}
	c.Reason = fmt.Sprintf("the score of its blocks is clear (expected F1 %.2f)", expected)
	if expected < sure && len(s.Candidates) > 0 && p.suitsLibraries() {
		kept := s.ask(p, &c)
		var agree []string
		if len(kept) > 0 {
			var agreement []float64
			odds, agreement = p.vote(odds, expected, s.Candidates, kept)
			main, expected = selectBlocks(p.blocks, odds, article)
			for k, a := range agreement {
				if kept[k] != nil {
					agree = append(agree, fmt.Sprintf("%s agrees %.2f", s.Candidates[k].Name, a))
				}
			}
		}
		c.Reason = fmt.Sprintf("the score of its blocks was in doubt; %s; expected F1 %.2f", strings.Join(append(agree, "asked"), ", "), expected)
	}
	p.complete(main, odds, f)
	for i := range p.blocks {
		p.blocks[i].Main = main[i]
	}
	c.Candidates[c.Name] = p.share(main)
	return c
}

// Bounds of a page up to which costly candidates are asked: not all of them are linear,
// none can be stopped, and each copies the page several times.
const (
	maxCandidateElements = 20_000
	maxCandidateNodes    = 60_000
	maxCandidateText     = 1 << 20 // bytes of visible text
	maxCandidateDepth    = 100
	maxCandidateTexts    = 5_000 // texts and elements under one element
)

// suitsLibraries reports whether a page is within the bounds of the candidates.
func (p *page) suitsLibraries() bool {
	if len(p.Els) > maxCandidateElements || len(p.text) > maxCandidateText {
		return false
	}
	nodes := 0
	for i := range p.Els {
		if p.Els[i].Depth > maxCandidateDepth {
			return false
		}
		n := 0
		for c := p.Els[i].Node.FirstChild; c != nil; c = c.NextSibling {
			n++
		}
		if nodes += n; nodes > maxCandidateNodes || n > maxCandidateTexts {
			return false
		}
	}
	return true
}

// ask runs the candidates and maps what they found onto blocks. The result has
// an entry for each candidate, nil where it found nothing.
func (s *Stage) ask(p *page, c *wstk.Choice) [][]bool {
	words := blockWords(p)
	kept := make([][]bool, len(s.Candidates))
	for k, cand := range s.Candidates {
		found, err := p.find(cand)
		if err != nil || found == nil {
			c.Candidates[cand.Name] = 0
			continue
		}
		kept[k] = matchBlocks(p, words, found)
		c.Candidates[cand.Name] = p.share(kept[k])
	}
	return kept
}

// find asks one candidate, for as long as there is time.
func (p *page) find(c Candidate) (found *html.Node, err error) {
	p.Stop.Check()
	p.Stop.Aside(func() { found, err = c.Find(p.Root, p.url) })
	return found, err
}

// share is the part of the page's text that stands in the blocks kept.
func (p *page) share(kept []bool) float64 {
	n := 0
	for i := range p.blocks {
		if kept[i] {
			n += p.blocks[i].bytes()
		}
	}
	return math.Round(float64(n)/float64(max(len(p.text), 1))*1000) / 1000
}

// score returns for each block the log odds that it is main content.
func (p *page) score(f *facts) []float64 {
	first := make([]float64, len(p.blocks))
	own := len(firstWeights)
	keep := len(p.blocks) <= maxKeptRows
	var rows []float64
	if keep {
		rows = make([]float64, 0, own*len(p.blocks))
	}
	p.eachFeatures(f, nil, func(i int, row []float64) {
		first[i] = dot(firstWeights, row)
		if keep {
			rows = append(rows, row...)
		}
	})
	second := make([]float64, len(p.blocks))
	row := make([]float64, 0, own+len(contextNames))
	around := p.context(first, p.kin())
	add := func(i int, values []float64) {
		row = append(append(row[:0], values...), around[i]...)
		second[i] = secondBase + sumTrees(secondTrees, row)
	}
	if !keep {
		p.eachFeatures(f, nil, add)
		return second
	}
	for i := range around {
		p.Stop.Tick()
		add(i, rows[i*own:(i+1)*own])
	}
	return second
}

// maxKeptRows is how many blocks' features are kept between the two scores, at over a
// kilobyte each; those of a larger page are computed twice.
const maxKeptRows = 10_000

// weight is the weight of a named feature.
type weight struct {
	name  string
	value float64
}

// dot is the weighted sum of values. The conversions keep the compiler from
// fusing operations, so that all processors give the same sum.
func dot(w []weight, values []float64) float64 {
	sum := 0.0
	for i, v := range values {
		sum = sum + float64(w[i].value*v)
	}
	return sum
}

// contextRanges are how many blocks to each side a block looks at.
var contextRanges = []int{1, 2, 4, 8, 16}

// contextNames name the values that context returns.
var contextNames = []string{"constant", "own odds", "odds within 1", "odds within 2", "odds within 4", "odds within 8", "odds within 16",
	"odds of page", "best odds", "between first and last",
	"odds of look", "odds of parent", "odds two up", "odds three up", "odds five up", "odds of section"}

// kinds of kin are ways in which blocks of a page belong together.
const kinds = 6

// kin says for each block which groups it is in: blocks that look alike, those
// with the same parent and the same element two, three and five levels up, and
// those of the same section. A group is a number; -1 is no group.
func (p *page) kin() [][kinds]int32 {
	out := make([][kinds]int32, len(p.blocks))
	looks, sections := map[uint64]int32{}, map[int32]int32{}
	group := int32(len(p.Els)) // numbers below are those of elements
	for i := range p.blocks {
		p.Stop.Tick()
		b := &p.blocks[i]
		k := [kinds]int32{-1, -1, -1, -1, -1, -1}
		hash := uint64(len(b.Kind))
		e := b.owner
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

// mixLook adds a name to a hash, digits apart: post-1 and post-2 look alike.
func mixLook(h uint64, s string) uint64 {
	for k := 0; k < len(s); k++ {
		if !digit(s[k]) {
			h = (h ^ uint64(s[k])) * 1099511628211
		}
	}
	return (h ^ ' ') * 1099511628211
}

// context returns for each block what the odds say about the blocks around it
// and its kin: means weighted by the root of their length, without the block
// itself. A block without kin has its own odds there.
func (p *page) context(odds []float64, kin [][kinds]int32) [][]float64 {
	n := len(odds)
	sum, weights := make([]float64, n+1), make([]float64, n+1)
	clipped, w := make([]float64, n), make([]float64, n)
	best := -9.0
	first, last := n, -1
	for i, o := range odds {
		clipped[i] = max(-6, min(6, o))
		w[i] = math.Sqrt(float64(p.blocks[i].bytes())/6 + 1)
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
	values := make([]float64, 0, n*len(contextNames))
	for i := range out {
		start := len(values)
		values = append(values, 1, clipped[i])
		for _, r := range contextRanges {
			a, b := max(0, i-r), min(n, i+r+1)
			values = append(values, (sum[b]-sum[a]-float64(clipped[i]*w[i]))/max(1e-6, weights[b]-weights[a]-w[i]))
		}
		values = append(values, sum[n]/weights[n], best, b2v(i >= first && i <= last))
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

type kinKey struct {
	kind  int
	group int32
}

type kinSum struct{ odds, weight float64 }

// votes are the weights of the last stage.
type votes struct {
	context   []weight
	expected  float64             // of the expected F1 before the votes
	candidate map[string][]weight // by name; others have no vote
}

// voteNames name the values that a candidate adds.
var voteNames = []string{"keeps", "agreement", "keeps times agreement", "keeps and agrees .85", "drops and agrees .85", "keeps and agrees .95"}

// vote returns the odds after the candidates have spoken, and how well each
// agrees with the score: the expected F1 of what it kept. A candidate that found
// nothing counts as one that kept nothing.
func (p *page) vote(odds []float64, expected float64, by []Candidate, kept [][]bool) ([]float64, []float64) {
	around := p.context(odds, p.kin())
	agreement := make([]float64, len(kept))
	for k := range kept {
		if kept[k] != nil {
			agreement[k] = expectedF1(p.blocks, odds, kept[k])
		}
	}
	out := make([]float64, len(odds))
	for i := range odds {
		sum := dot(voteWeights.context, around[i]) + float64(voteWeights.expected*expected)
		for k := range kept {
			if w := voteWeights.candidate[by[k].Name]; w != nil {
				sum += dot(w, voteValues(kept[k] != nil && kept[k][i], agreement[k]))
			}
		}
		out[i] = sum
	}
	return out, agreement
}

func voteValues(keeps bool, agreement float64) []float64 {
	v, high := b2v(keeps), b2v(agreement > 0.85)
	return []float64{v, agreement, v * agreement, v * high, (1 - v) * high, v * b2v(agreement > 0.95)}
}

func probability(odds float64) float64 {
	return math.Round(1e6/(1+math.Exp(-odds))) / 1e6
}

// expectedF1 is the F1 to expect of a set of blocks when odds are true.
func expectedF1(blocks []block, odds []float64, kept []bool) float64 {
	hit, size, all := 0.0, 0.0, 0.0
	for i := range blocks {
		w := float64(blocks[i].bytes())
		pr := probability(odds[i])
		all += float64(pr * w)
		if kept[i] {
			hit += float64(pr * w)
			size += w
		}
	}
	if size+all == 0 {
		return 0
	}
	return 2 * hit / (size + all)
}

// selectBlocks returns the set of blocks with the largest expected F1, which
// consists of the most probable ones, and that F1. On a page that says it is an
// article a block must also be more likely main than not: articles have clear
// borders, and a reader minds what is added more than what is missing.
func selectBlocks(blocks []block, odds []float64, article bool) ([]bool, float64) {
	order := make([]int, len(blocks))
	pr := make([]float64, len(blocks))
	all := 0.0
	for i := range blocks {
		order[i] = i
		pr[i] = probability(odds[i])
		all += float64(pr[i] * float64(blocks[i].bytes()))
	}
	sort.SliceStable(order, func(a, b int) bool { return pr[order[a]] > pr[order[b]] })
	best, count := -1.0, 0
	hit, size := 0.0, 0.0
	for k, i := range order {
		w := float64(blocks[i].bytes())
		hit += float64(pr[i] * w)
		size += w
		if v := 2 * hit / (size + all); v > best {
			best, count = v, k+1
		}
	}
	main := make([]bool, len(blocks))
	for k, i := range order[:count] {
		if article && pr[i] < 0.5 && k > 0 {
			break
		}
		main[i] = true
	}
	return main, best
}
