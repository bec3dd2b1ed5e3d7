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
		func(w *Weights) { delete(w.First, Constant) },
		func(w *Weights) { w.Any["unknown"] = 1 },
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
	sure := Judge([]*Row{strong, weak}, []float64{5, 0})
	unsure := Judge([]*Row{weak, weak}, []float64{0.1, 0})
	if sure.First <= unsure.First || sure.Any <= unsure.Any {
		t.Errorf("belief %+v of a strong candidate, %+v of a weak one", sure, unsure)
	}
	if p := Probability(sure.First) + Probability(-sure.First); math.Abs(p-1) > 1e-9 {
		t.Errorf("a thing and its opposite have probability %g together", p)
	}
}

func TestSignsOfOneCandidate(t *testing.T) {
	s := SignsOf([]*Row{{Own: 0.5}}, []float64{-3})
	if s[margin] != farthest || s[share] != 1 || s[share3] != 1 || s[mostOwn] != 0.5 {
		t.Errorf("signs %v; want all of the share, and no one near", s)
	}
}
