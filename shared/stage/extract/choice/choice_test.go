package choice

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestEachFeatureHasAName(t *testing.T) {
	seen := map[string]bool{}
	for i, n := range append(names[:], standings[:]...) {
		if n == "" || seen[n] {
			t.Errorf("name %d is %q: empty, or there twice", i, n)
		}
		seen[n] = true
	}
	if n := len(SignNames()); n != int(signCount) {
		t.Errorf("%d names of signs, want %d", n, signCount)
	}
}

func TestWeightsOfAnotherVersionAreRefused(t *testing.T) {
	if _, err := Read(file); err != nil {
		t.Fatalf("weights.json: %v", err)
	}
	for _, change := range []func(w *Weights){
		func(w *Weights) { delete(w.Order, names[Own]) },
		func(w *Weights) { w.Order["unknown"] = 1 },
		func(w *Weights) { delete(w.Known, Constant) },
		func(w *Weights) { w.Quote["unknown"] = 1 },
	} {
		var w Weights
		if err := json.Unmarshal(file, &w); err != nil {
			t.Fatal(err)
		}
		change(&w)
		data, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(data); err == nil {
			t.Errorf("weights that do not fit the features are read")
		}
	}
}

func TestWordsOfTheQuestionSpeakForACandidate(t *testing.T) {
	with := Row{Own: 0.8, Coverage: 0.9, CoverageBest: 1, WithBefore: 0.8,
		WithAfter: 0.8, Density: 0.4}
	without := Row{Missing: 0.8, Coverage: 0.1, CoverageBest: 0.1}
	if with.Order() <= without.Order() {
		t.Errorf("Order with the words %.2f, without %.2f", with.Order(), without.Order())
	}
	if why := with.Why(3); strings.Count(why, ", ") != 2 || without.Why(0) != "" {
		t.Errorf("Why(3) is %q, Why(0) %q; want three features, and none", why, without.Why(0))
	}
}

func TestBeliefGrowsWithWhatIsCoveredAndHowFarItStandsOut(t *testing.T) {
	strong := &Row{Own: 0.8, Coverage: 0.95, Inside: 0.8, Words: 1, Density: 0.6, Adjacent: 0.5,
		Passage: 1, Window: 0.9, Score: 1, Rank: 1, Heaviest: 1, Firm: 1}
	weak := &Row{Own: 0.2, Coverage: 0.3, Words: 0.25, Density: 0.1, Missing: 0.7, Unnamed: 1}
	one := []Span{{Holds: []int{0}, Size: 80, Own: 0.8, Alike: 0.8, Firm: 0.95, Heaviest: 1}}
	sure := Judge([]*Row{strong, weak}, []float64{5, 0}, one)
	unsure := Judge([]*Row{weak, weak}, []float64{0.1, 0}, []Span{{Holds: []int{0}, Size: 80}})
	if sure.Known <= unsure.Known || sure.Quote <= unsure.Quote {
		t.Errorf("belief %+v in a strong candidate, %+v in a weak one", sure, unsure)
	}
	if p := Probability(sure.Known) + Probability(-sure.Known); math.Abs(p-1) > 1e-9 {
		t.Errorf("a thing and its opposite have probability %g together", p)
	}
}

func TestTheShortestQuoteThatIsBelievedIsTaken(t *testing.T) {
	spans := []Span{{Holds: []int{0, 1, 2}, Size: 200}, {Holds: []int{0, 1}, Size: 90},
		{Holds: []int{0}, Size: 50}, {Holds: []int{3}, Size: 10}}
	b := Belief{Quote: 0.9, shares: Shares([]float64{2, 2, 1, -1})}
	_, b.most = best(spans, b.shares)
	if b.most < 0.9 || math.Abs(b.In(&spans[0])-0.9) > 1e-9 {
		t.Errorf("the passage has %.2f of the share and is believed %.2f, want 0.9",
			b.most, b.In(&spans[0]))
	}
	if parts := b.In(&spans[2]) +
		b.In(&Span{Holds: []int{1}}); math.Abs(parts-b.In(&spans[1])) > 1e-9 {
		t.Errorf("the parts are believed %.2f, their passage %.2f", parts, b.In(&spans[1]))
	}
	for from, want := range map[float64]int{0.3: 2, 0.6: 1, 0.85: 0, 0.99: 0} {
		if got := b.Shortest(spans, from); got != want {
			t.Errorf("from a belief of %.2f on, quote %d is taken, want %d", from, got, want)
		}
	}
}

func TestSignsOfOneCandidate(t *testing.T) {
	s := SignsOf([]*Row{{Own: 0.5}}, []float64{-3}, []Span{{Holds: []int{0}, Size: 9}})
	if s[margin] != farthest || s[share] != 1 || s[share3] != 1 || s[mostOwn] != 0.5 ||
		s[quoteShare] != 1 {
		t.Errorf("signs %v; want all of the share, and no one near", s)
	}
}
