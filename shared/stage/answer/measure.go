package answer

import (
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// DefaultBudget is how many estimated tokens of passages an answer may rest on where nothing else
// is said.
const DefaultBudget = 6000

// Found is what a turn retrieved, with what it is compared with.
type Found struct {
	Question     string
	SubQuestions []string     // those of this turn; the question where there are none
	Hits         [][]wstk.Hit // of each sub-question, best first
	Budget       int          // tokens of passages; 0 means DefaultBudget
	Links        []wstk.ScoredLink
	Gaps         int         // that a model or an extraction named, beside open sub-questions
	Answered     bool        // an extraction answers all of the question from these passages, and is sure
	PagesRead    int         // fetched for this question
	Before       []wstk.Turn // the turns so far
	// Stats are of the corpus. Zero means those of the hits for fits, and that all words weigh alike
	// for Recall, which is compared between turns.
	Stats Stats
}

// mayAnswer is the fit from which a passage may answer a question: it holds nearly all that the
// question is about. With a half, loops on the bundled site ended before 24 of 45 pages that answer
// were read, with four fifths before 15 (testdata/loop.txt).
const mayAnswer = 0.8

// compared is how many passages are compared with each other: the work grows with its square.
const compared = 40

// Measure says how good the passages of a turn are.
//
// A score of recall is comparable within one search only. So the score here is the fit of a passage
// for its sub-question: the share of its words, weighted by rarity, that the passage, its title and
// its headings hold. Mean (of fits), Variance (mean squared distance from the mean) and TopGap are
// those of the passages that the budget has room for, best of each sub-question first; a passage of
// several sub-questions counts its best fit, one without any word counts nothing.
//
//	Coverage      sub-questions with a passage whose fit is at least 0.8, of all; 1 where Found.Answered
//	Redundancy    mean Jaccard similarity of each pair of the first 40 passages
//	Recall        share of the words of the question that any of the passages holds; the words of
//	              answers are not known, so this stands in for the share of relevant text
//	RecallChange  Recall without that of the turn before; nil in the first turn
//	BudgetFill    tokens of all passages, of the budget; at most 1
//	UnreadLinks, BestLink  of the links, which are those not yet read
//	Gaps          sub-questions without such a passage, and Found.Gaps; 0 where Found.Answered
//	Depth         turns before this one that were not the last
func Measure(f Found) wstk.TurnSignals {
	m, subs := newMeasuring(f)
	covered := 0
	for _, done := range m.read(subs, f.Hits) {
		if done {
			covered++
		}
	}
	s := wstk.TurnSignals{Passages: len(m.passages), PagesRead: f.PagesRead, UnreadLinks: len(f.Links),
		Coverage: float64(covered) / float64(len(subs)), Gaps: len(subs) - covered + max(0, f.Gaps)}
	if f.Answered {
		s.Coverage, s.Gaps = 1, 0
	}
	budget := f.Budget
	if budget <= 0 {
		budget = DefaultBudget
	}
	m.spread(&s, budget)
	s.Recall = wordsOf(f.Question, m.lang, f.Stats).in(m.all())
	s.Depth = depthOf(f.Before)
	if n := len(f.Before); n > 0 {
		change := s.Recall - f.Before[n-1].Signals.Recall
		s.RecallChange = &change
	}
	for _, l := range f.Links {
		s.BestLink = max(s.BestLink, l.Score)
	}
	return s
}

// Open are the sub-questions of a turn without a passage that may answer them, in their order:
// what Again and Score are told.
func Open(f Found) (open []string) {
	m, subs := newMeasuring(f)
	done := m.read(subs, f.Hits)
	for i, s := range subs {
		if !done[i] {
			open = append(open, s)
		}
	}
	return open
}

// newMeasuring begins to measure a turn; subs are its sub-questions.
func newMeasuring(f Found) (m *measuring, subs []string) {
	subs = f.SubQuestions
	if len(subs) == 0 {
		subs = []string{f.Question}
	}
	m = &measuring{lang: text.DetectLanguage(f.Question), stats: f.Stats, at: map[string]int{}}
	if m.stats.Texts == 0 {
		m.stats = StatsOf(m.lang, textsOf(f.Hits)...)
	}
	return m, subs
}

// textsOf are the passages with what stands over them, each once.
func textsOf(hits [][]wstk.Hit) (out []string) {
	seen := map[string]bool{}
	for _, list := range hits {
		for _, h := range list {
			if !seen[h.ID] {
				seen[h.ID] = true
				out = append(out, placed(h))
			}
		}
	}
	return out
}

// passage is a hit as Measure looks at it.
type passage struct {
	fit    float64 // for the sub-question that it suits best
	tokens int
	words  map[string]bool
}

type measuring struct {
	lang     string
	stats    Stats
	passages []passage      // the best of each sub-question first
	at       map[string]int // by the id of the hit
}

// read takes the hits of all sub-questions in turns, and returns for each sub-question whether a
// passage may answer it.
func (m *measuring) read(subs []string, hits [][]wstk.Hit) (done []bool) {
	asked := make([]words, len(subs))
	for i, q := range subs {
		asked[i] = wordsOf(q, m.lang, m.stats)
	}
	done = make([]bool, len(subs))
	for rank, more := 0, true; more; rank++ {
		more = false
		for i := range subs {
			if i >= len(hits) || rank >= len(hits[i]) {
				continue
			}
			more = true
			if m.add(hits[i][rank], asked[i]) >= mayAnswer {
				done[i] = true
			}
		}
	}
	return done
}

// add takes a hit in and returns its fit.
func (m *measuring) add(h wstk.Hit, asked words) float64 {
	i, known := m.at[h.ID]
	if known {
		fit := asked.in(m.passages[i].words)
		m.passages[i].fit = max(m.passages[i].fit, fit)
		return fit
	}
	set := tokensOf(placed(h), m.lang)
	fit := asked.in(set)
	if fit > 0 {
		m.at[h.ID] = len(m.passages)
		m.passages = append(m.passages, passage{fit, tokensIn(h), set})
	}
	return fit
}

// tokensIn is how many tokens a passage costs: at least one, so that a budget ends.
func tokensIn(h wstk.Hit) int { return max(1, text.EstimateTokens(h.Text)) }

// spread sets the signals of the passages that the budget has room for.
func (m *measuring) spread(s *wstk.TurnSignals, budget int) {
	used, total := 0, 0
	var first, second float64
	var kept []passage
	for _, p := range m.passages {
		total += p.tokens
		if used+p.tokens > budget && len(kept) > 0 {
			continue
		}
		used += p.tokens
		kept = append(kept, p)
		s.Mean += p.fit
		if p.fit > first {
			first, second = p.fit, first
		} else {
			second = max(second, p.fit)
		}
	}
	s.BudgetFill = min(1, float64(total)/float64(budget))
	if len(kept) == 0 {
		return
	}
	s.Mean /= float64(len(kept))
	for _, p := range kept {
		s.Variance += (p.fit - s.Mean) * (p.fit - s.Mean) / float64(len(kept))
	}
	s.TopGap = first - second
	s.Redundancy = redundancy(kept[:min(compared, len(kept))])
}

// redundancy is the mean overlap of each pair of passages.
func redundancy(ps []passage) float64 {
	sum, pairs := 0.0, 0
	for i := range ps {
		for _, o := range ps[:i] {
			sum += overlap(ps[i].words, o.words)
			pairs++
		}
	}
	return sum / max(1, float64(pairs))
}

// all is every token of the passages.
func (m *measuring) all() map[string]bool {
	set := map[string]bool{}
	for _, p := range m.passages {
		for t := range p.words {
			set[t] = true
		}
	}
	return set
}
