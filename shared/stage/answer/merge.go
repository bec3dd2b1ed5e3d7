package answer

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Merging is what Merge works on.
type Merging struct {
	Hits   [][]wstk.Hit // of each sub-question, best first
	Budget int          // estimated tokens; 0 means DefaultBudget
	// Near are passages by their chunk id, those that Beside names; what is missing is not read.
	Near map[string]wstk.Hit
	// Quoted are the spans of quotes in a text, by its hash: each is in a passage whole or not at all.
	Quoted map[wstk.Hash][]wstk.Span
}

// Merged is what an answer may rest on.
type Merged struct {
	Passages []wstk.Hit // in the order of choice; Rank counts them from 1
	Tokens   int        // of all of them, never more than the budget
	Left     int        // passages without room: more budget would bring them
}

// The tuning of Merge.
const (
	strong       = 3    // first hits of a sub-question, whose neighbours are looked at
	nearShare    = 0.5  // of a strong passage's relevance that its neighbours have
	relevanceAge = 5    // ranks after which a passage is half as relevant as the first
	balance      = 0.7  // of relevance; the rest is that a passage differs from the chosen ones
	sameWords    = 0.9  // overlap from which a passage says nothing more
	leastPiece   = 40   // tokens of a passage that is cut
	maxMerged    = 1000 // candidates
)

// Beside are the ids of the chunks next to the strong passages of each sub-question, in the same
// section, each once and without those that were found themselves.
func Beside(hits [][]wstk.Hit) (ids []string) {
	found := map[string]bool{}
	for _, list := range hits {
		for _, h := range list {
			found[h.ID] = true
		}
	}
	for _, list := range hits {
		for _, h := range list[:min(strong, len(list))] {
			for _, id := range beside(h) {
				if !found[id] {
					found[id] = true
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

// beside are the ids of the chunks before and behind a passage.
func beside(h wstk.Hit) (ids []string) {
	if h.Chunk == nil {
		return nil
	}
	for _, id := range []string{h.Chunk.Prev, h.Chunk.Next} {
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Merge unites the passages of all sub-questions within a budget of tokens.
//
// The best passage of each sub-question comes first, in their order. Then the passage follows, each
// time, that has most of 0.7 of relevance less 0.3 of its largest Jaccard similarity to a chosen one:
// maximal marginal relevance (Carbonell and Goldstein 1998). The scores of two searches cannot be
// compared, so relevance goes by rank: 1 for the first of a sub-question, a half for the sixth. The
// chunks beside a strong passage, of its section, have half of its relevance. A passage with the
// words of a chosen one, or within its span, is left out.
//
// A passage that does not fit is cut behind a sentence if 40 tokens of it or more fit; never
// within a quoted span. The same hits give the same passages.
func Merge(m Merging) Merged {
	if m.Budget <= 0 {
		m.Budget = DefaultBudget
	}
	g := &merging{Merging: m, at: map[string]int{}}
	for i, list := range m.Hits {
		for rank, h := range list {
			g.add(h, 1/(1+float64(rank)/relevanceAge), i, rank == 0)
		}
	}
	for _, list := range m.Hits {
		for rank, h := range list[:min(strong, len(list))] {
			for _, id := range beside(h) {
				if n, ok := m.Near[id]; ok && siblings(h, n) {
					g.add(n, nearShare/(1+float64(rank)/relevanceAge), len(m.Hits), false)
				}
			}
		}
	}
	for i := range m.Hits {
		g.first(i)
	}
	for g.next() {
	}
	return g.out
}

// siblings reports whether two passages stand in one section of one text.
func siblings(a, b wstk.Hit) bool {
	return a.Chunk != nil && b.Chunk != nil && a.TextSHA256 == b.TextSHA256 &&
		a.Chunk.Parent == b.Chunk.Parent
}

// choice is a passage that may be chosen.
type choice struct {
	wstk.Hit
	relevance float64
	like      float64 // its largest overlap with a chosen one
	of        []int   // the sub-questions of which it is the best
	words     map[string]bool
	done      bool // chosen, or left out
}

type merging struct {
	Merging
	choices []choice
	at      map[string]int
	out     Merged
}

func (g *merging) add(h wstk.Hit, relevance float64, sub int, best bool) {
	i, known := g.at[h.ID]
	if !known {
		if len(g.choices) == maxMerged {
			g.out.Left++
			return
		}
		i = len(g.choices)
		g.at[h.ID] = i
		g.choices = append(g.choices, choice{Hit: h, words: tokensOf(h.Text, "")})
	}
	c := &g.choices[i]
	c.relevance = max(c.relevance, relevance)
	if best {
		c.of = append(c.of, sub)
	}
}

// first takes the best passage of a sub-question.
func (g *merging) first(sub int) {
	for i := range g.choices {
		if slices.Contains(g.choices[i].of, sub) && !g.choices[i].done {
			g.take(i)
		}
	}
}

// next takes the passage that is worth most, and reports whether there was one.
func (g *merging) next() bool {
	best, highest := -1, 0.0
	for i, c := range g.choices {
		if c.done {
			continue
		}
		value := balance*c.relevance - (1-balance)*c.like
		if best < 0 || value > highest || value == highest && cmp.Less(c.ID, g.choices[best].ID) {
			best, highest = i, value
		}
	}
	if best < 0 {
		return false
	}
	g.take(best)
	return true
}

// take chooses a passage if it says more than the chosen ones and has room.
func (g *merging) take(i int) {
	c := &g.choices[i]
	c.done = true
	if c.like >= sameWords || slices.ContainsFunc(g.out.Passages, func(o wstk.Hit) bool { return touches(o, c.Hit) }) {
		return
	}
	h, ok := g.fit(c.Hit)
	if !ok {
		g.out.Left++
		return
	}
	h.Rank = len(g.out.Passages) + 1
	g.out.Passages = append(g.out.Passages, h)
	g.out.Tokens += tokensIn(h)
	for j := range g.choices {
		if o := &g.choices[j]; !o.done {
			o.like = max(o.like, overlap(c.words, o.words))
		}
	}
}

// touches reports whether two passages share words of one text.
func touches(a, b wstk.Hit) bool {
	return a.Span != nil && b.Span != nil && a.URL == b.URL && a.TextSHA256 == b.TextSHA256 &&
		a.Span.ByteStart < b.Span.ByteEnd && b.Span.ByteStart < a.Span.ByteEnd
}

// fit returns a passage as far as there is room for it.
func (g *merging) fit(h wstk.Hit) (wstk.Hit, bool) {
	room := g.Budget - g.out.Tokens
	if tokensIn(h) <= room {
		return h, true
	}
	if room < leastPiece || h.Span == nil || h.Span.ByteEnd-h.Span.ByteStart != len(h.Text) {
		return h, false
	}
	end := 0
	for _, s := range text.Sentences(h.Text, "") {
		if text.EstimateTokens(h.Text[:s.End]) > room {
			break
		}
		if !g.quotes(h, h.Span.ByteStart+s.End) {
			end = s.End
		}
	}
	if text.EstimateTokens(h.Text[:end]) < leastPiece {
		return h, false
	}
	h.Text = h.Text[:end]
	span := *h.Span
	span.ByteEnd = span.ByteStart + end
	span.CharEnd = span.CharStart + utf8.RuneCountInString(h.Text)
	h.Span = &span
	return h, true
}

// quotes reports whether a byte of the text of h lies within a quoted span.
func (g *merging) quotes(h wstk.Hit, at int) bool {
	return slices.ContainsFunc(g.Quoted[h.TextSHA256], func(q wstk.Span) bool {
		return q.ByteStart < at && at < q.ByteEnd
	})
}
