package choice

import (
	"math"
	"testing"
)

func TestVectorsAddToWhatTheWordsSay(t *testing.T) {
	words := Row{Own: 0.8, Coverage: 0.9, WithBefore: 0.8, Density: 0.4}
	if words.Order() != words.WordsOrder() {
		t.Errorf("without a model Order is %g, by words %g", words.Order(), words.WordsOrder())
	}
	like, unlike := words, words
	like[Alike], like[AlikePassage], like[Uncovered] = .7, .6, .5
	unlike[Alike], unlike[AlikePassage], unlike[Uncovered] = .1, .6, .5
	if like.Order() <= unlike.Order() {
		t.Errorf("Order of a like one %g, of an unlike one %g", like.Order(), unlike.Order())
	}
	o := vectors().Order
	if o.Words <= 0 || o.Alike <= 0 || o.AlikePassage <= 0 {
		t.Errorf("weights of the order are %+v, want them above 0", o)
	}
	covered := like
	covered[Uncovered] = 0
	if got, want := covered.Order(), o.Words*words.Order(); math.Abs(got-want) > 1e-9 {
		t.Errorf("where the words cover all, Order is %g, want %g", got, want)
	}
	// the reasons add up to the order
	sum, w := 0.0, like.weighed()
	for i, v := range like {
		sum += w[i] * v
	}
	if math.Abs(sum-like.Order()) > 1e-9 {
		t.Errorf("the parts of the order add up to %g, it is %g", sum, like.Order())
	}
}

func TestBeliefGrowsWithLikeness(t *testing.T) {
	weak := Row{Own: 0.2, Coverage: 0.3, Words: 0.25, Density: 0.1, Missing: 0.7, Alike: .1}
	like := weak
	like[Alike] = .8
	spans := []Span{{Holds: []int{0}, Size: 40}}
	judge := func(r Row) Belief { return Judge([]*Row{&r}, []float64{0}, spans) }
	low, high := judge(weak), judge(like)
	if high.Known <= low.Known || high.Quote <= low.Quote || high.Bound != vectors().Bound {
		t.Errorf("belief in a like one %+v, in an unlike one %+v", high, low)
	}
	weak[Alike] = 0
	known, quote, bound := JudgeWords([]*Row{&weak}, []float64{0}, spans)
	if b := judge(weak); b.Known != known || b.Quote != Probability(quote) || b.Bound != bound {
		t.Errorf("without a model, belief is %+v", b)
	}
}
