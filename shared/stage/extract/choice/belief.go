package choice

import "math"

// beliefFeatures are the features of the first candidate that belief looks at.
var beliefFeatures = [...]Feature{Own, Missing, Coverage, Inside, Headed, Words, Density, Adjacent,
	Passage, Window, Heaviest, Firm, Unnamed, Elsewhere, Unrelated, Value,
	Lacking, Score, Top, Rank,
	Title, Near, Suits, Asked, Unmarked, Typed, Terms, Uncounted}

// How the first candidate stands among all of its question, and the best quote.
const (
	margin         = len(beliefFeatures) + iota // how far its Order is above that of the second
	margin5                                     // and of the fifth
	share                                       // of the probability that Order spreads over all
	share3                                      // of the first three together
	mostOwn                                     // the largest Own of any candidate
	mostCover                                   // the largest Coverage
	mostNear                                    // the largest Window
	mostFound                                   // the largest Passage
	spread                                      // entropy of the probability that Order spreads
	foundFirst                                  // the share in the first passage of recall
	foundThree                                  // the share in the first three
	quoteShare                                  // the share of the best quote
	quoteLog                                    // its logarithm
	quoteOwn                                    // Span.Own
	quoteAlike                                  // Span.Alike
	quoteFirm                                   // Span.Firm
	quoteHeavy                                  // Span.Heaviest
	quoteCover                                  // Span.Firm times the share
	typedMissing                                // Missing where a value is asked for
	typedUnasked                                // what Asked lacks, where a value is asked for
	typedLacking                                // Lacking, where a value is asked for
	typedElsewhere                              // Elsewhere, where a value is asked for
	typedCoverage                               // Coverage, where a value is asked for
	typedOwn                                    // Own, where a value is asked for
	tellingLacking                              // no value, where its form would show it
	signCount
)

// Signs are what belief in an answer rests on.
type Signs [signCount]float64

var standings = [...]string{"ahead of the next", "ahead of the fifth", "share of the first",
	"share of the first three", "most words in any", "most words covered by any",
	"most words near any", "most words in any passage", "spread", "share of the first passage",
	"share of the first three passages", "share of the quote", "logarithm of its share",
	"words in the quote", "words like those in the quote", "words in the quote or its headings",
	"the rarest word in the quote", "words of the quote by its share",
	"value: words missing", "value: what is asked missing", "value: none",
	"value: a name is elsewhere", "value: words covered", "value: words in it",
	"value: none of a telling form"}

// SignNames returns the names of Signs in their order.
func SignNames() []string {
	var out []string
	for _, f := range beliefFeatures {
		out = append(out, names[f])
	}
	return append(out, standings[:]...)
}

// farthest bounds how far ahead a candidate counts as, in log odds.
const farthest = 4

// Span is a quote that holds one or more candidates of a question.
type Span struct {
	Holds []int // the candidates, by their place
	Size  int   // bytes

	// shares of the question's words: in the quote, with words like them, with its headings
	Own, Alike, Firm float64
	Heaviest         float64 // 1 if the rarest word is in it or its headings
}

// Shares spreads the probability that one of the candidates answers over them: by the
// exponential of their Order.
func Shares(order []float64) []float64 {
	out := make([]float64, len(order))
	top, all := math.Inf(-1), 0.0
	for _, o := range order {
		top = max(top, o)
	}
	for i, o := range order {
		out[i] = math.Exp(o - top)
		all += out[i]
	}
	for i := range out {
		out[i] /= all
	}
	return out
}

// of is the probability that one of the candidates in a span answers, if any does: they are
// different places for one answer.
func (s *Span) of(shares []float64) float64 {
	sum := 0.0
	for _, i := range s.Holds {
		sum += shares[i]
	}
	return sum
}

// Best returns the place of the span with the largest share, the shortest of equals.
func Best(spans []Span, shares []float64) int {
	at, _ := best(spans, shares)
	return at
}

// best returns the same, with its share.
func best(spans []Span, shares []float64) (at int, share float64) {
	for i := range spans {
		x := spans[i].of(shares)
		if x > share+1e-9 || x > share-1e-9 && spans[i].Size < spans[at].Size {
			at, share = i, x
		}
	}
	return at, share
}

// SignsOf describes the candidates of a question, given with their Order, best first, and what
// may be quoted of them. There is at least one of each.
func SignsOf(rows []*Row, order []float64, spans []Span) (s Signs) {
	for i, f := range beliefFeatures {
		s[i] = rows[0][f]
	}
	ahead := func(n int) float64 {
		if n >= len(order) {
			return farthest
		}
		return min(order[0]-order[n], farthest)
	}
	s[margin], s[margin5] = ahead(1), ahead(4)
	shares := Shares(order)
	for i, p := range shares {
		if i < 3 {
			s[share3] += p
		}
		s[spread] -= p * math.Log(p+1e-12) / 5
		if rows[i][Rank] == 1 {
			s[foundFirst] += p
		}
		if rows[i][Rank] > 0.57 { // 1 over the root of 3
			s[foundThree] += p
		}
	}
	s[share] = shares[0]
	for _, r := range rows {
		s[mostOwn] = max(s[mostOwn], r[Own])
		s[mostCover] = max(s[mostCover], r[Coverage])
		s[mostNear] = max(s[mostNear], r[Window])
		s[mostFound] = max(s[mostFound], r[Passage])
	}
	at, held := best(spans, shares)
	q := &spans[at]
	s[quoteShare], s[quoteLog] = held, math.Log(held+1e-3)/3
	s[quoteOwn], s[quoteAlike], s[quoteFirm], s[quoteHeavy] = q.Own, q.Alike, q.Firm, q.Heaviest
	s[quoteCover] = q.Firm * held
	first := rows[0]
	if typed := first[Typed]; typed > 0 {
		s[typedMissing], s[typedUnasked] = first[Missing], 1-first[Asked]
		s[typedLacking], s[typedElsewhere] = first[Lacking], first[Elsewhere]
		s[typedCoverage], s[typedOwn] = first[Coverage], first[Own]
		if first[Telling] > 0 && first[Value] == 0 {
			s[tellingLacking] = 1
		}
	}
	return s
}

// Belief is how likely the candidates of a question answer it.
type Belief struct {
	Known float64 // log odds that the pages answer the question at all
	Bound float64 // from which Known on the question is answered
	Quote float64 // probability that the best quote holds the answer

	shares []float64
	most   float64 // share of the best quote
}

// Judge returns the belief in the candidates of a question, given with their Order, best first,
// and what may be quoted of them. There is at least one of each.
func Judge(rows []*Row, order []float64, spans []Span) Belief {
	known, quote, bound := JudgeWords(rows, order, spans)
	if rows[0][Alike] != 0 {
		v, l := vectors(), LikenessOf(rows)
		known, quote, bound = v.Known.odds(known, l), v.Quote.odds(quote, l), v.Bound
	}
	b := Belief{Known: known, Bound: bound, Quote: Probability(quote), shares: Shares(order)}
	_, b.most = best(spans, b.shares)
	return b
}

// JudgeWords returns, as log odds, how likely the pages answer the question and the best quote
// holds the answer, by the words alone, and from when on the first is enough.
func JudgeWords(rows []*Row, order []float64, spans []Span) (known, quote, bound float64) {
	s, w := SignsOf(rows, order, spans), weights()
	return w.known.odds(&s), w.quote.odds(&s), w.Bound
}

// In is how likely a span holds the answer, 0 to 1.
func (b *Belief) In(s *Span) float64 {
	if b.most == 0 {
		return 0
	}
	return min(1, b.Quote*s.of(b.shares)/b.most)
}

// Shortest returns the shortest span that is believed from some probability on to hold the
// answer, or else the one that is believed most.
func (b *Belief) Shortest(spans []Span, from float64) int {
	at := -1
	for i := range spans {
		if b.In(&spans[i]) >= from && (at < 0 || spans[i].Size < spans[at].Size) {
			at = i
		}
	}
	if at < 0 {
		at, _ = best(spans, b.shares)
	}
	return at
}

// Probability is what log odds stand for, 0 to 1.
func Probability(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }
