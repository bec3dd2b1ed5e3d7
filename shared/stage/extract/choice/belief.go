package choice

import "math"

// beliefFeatures are the features of the first candidate that belief looks at.
var beliefFeatures = [...]Feature{Own, Missing, Coverage, Inside, Headed, Words, Density, Adjacent,
	Passage, Window, Heaviest, Firm, Unnamed, Elsewhere, Unrelated, Value,
	Lacking, Score, Top, Rank,
	Title, Near, Suits, Asked, Unmarked}

// How the first candidate stands among all of its question.
const (
	margin    = len(beliefFeatures) + iota // how far its Order is above that of the second
	margin5                                // and of the fifth
	share                                  // of the probability that Order spreads over all
	share3                                 // of the first three together
	mostOwn                                // the largest Own of any candidate
	mostCover                              // the largest Coverage
	mostNear                               // the largest Window
	mostFound                              // the largest Passage
	signCount
)

// Signs are what belief in the first candidate rests on.
type Signs [signCount]float64

var standings = [...]string{"ahead of the next", "ahead of the fifth", "share of the first",
	"share of the first three", "most words in any", "most words covered by any",
	"most words near any", "most words in any passage"}

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

// SignsOf describes the candidates of a question, given with their Order, best first. There
// is at least one.
func SignsOf(rows []*Row, order []float64) (s Signs) {
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
	all := 0.0
	for i, o := range order {
		e := math.Exp(o - order[0])
		all += e
		if i < 3 {
			s[share3] += e
		}
	}
	s[share], s[share3] = 1/all, s[share3]/all
	for _, r := range rows {
		s[mostOwn] = max(s[mostOwn], r[Own])
		s[mostCover] = max(s[mostCover], r[Coverage])
		s[mostNear] = max(s[mostNear], r[Window])
		s[mostFound] = max(s[mostFound], r[Passage])
	}
	return s
}

// Belief is how likely the best candidates of a question answer it, as log odds.
type Belief struct {
	First float64 // that the first one does
	Any   float64 // that one of the first three does
}

// Judge returns the belief in the candidates of a question, given with their Order, best first.
// There is at least one.
func Judge(rows []*Row, order []float64) Belief {
	s, w := SignsOf(rows, order), weights()
	return Belief{First: w.first.odds(&s), Any: w.any.odds(&s)}
}

// Probability is what log odds stand for, 0 to 1.
func Probability(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }
