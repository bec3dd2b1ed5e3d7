package answer

import (
	"math"
	"testing"

	"wstk/shared/wstk"
)

func hit(id, words string) wstk.Hit {
	return wstk.Hit{ID: id, URL: "https://a.example/" + id, Text: words}
}

func near(t *testing.T, name string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %v, want %v", name, got, want)
	}
}

// The formulas, each on numbers that were worked out by hand.
func TestSignals(t *testing.T) {
	plain := Stats{Texts: 1, Holding: map[string]int{}} // all words weigh alike
	f := Found{
		Question:     "garden tickets and castle parking",
		SubQuestions: []string{"garden tickets", "castle parking"},
		Hits: [][]wstk.Hit{
			{hit("1", "garden tickets"), hit("2", "garden")},
			{hit("3", "roses"), hit("2", "garden")},
		},
		Budget: 20, PagesRead: 4, Gaps: 2, Stats: plain,
		Links:  []wstk.ScoredLink{{Score: 0.2}, {Score: 0.6}, {Score: 0.4}},
		Before: []wstk.Turn{{Move: wstk.MoveExpandBreadth, Signals: wstk.TurnSignals{Recall: 0.25}}},
	}
	s := Measure(f)
	if open := Open(f); len(open) != 1 || open[0] != "castle parking" {
		t.Errorf("%q are open, want the parking", open)
	}
	if s.Passages != 2 || s.Gaps != 3 || s.UnreadLinks != 3 || s.PagesRead != 4 || s.Depth != 1 {
		t.Errorf("passages, gaps, links, pages and depth are %d, %d, %d, %d and %d",
			s.Passages, s.Gaps, s.UnreadLinks, s.PagesRead, s.Depth)
	}
	near(t, "coverage", s.Coverage, 0.5)
	near(t, "mean", s.Mean, 0.75) // 1 and a half
	near(t, "variance", s.Variance, 0.0625)
	near(t, "top gap", s.TopGap, 0.5)
	near(t, "redundancy", s.Redundancy, 0.5) // one word of two
	near(t, "recall", s.Recall, 0.5)         // two words of four
	near(t, "change of recall", *s.RecallChange, 0.25)
	near(t, "best link", s.BestLink, 0.6)
	near(t, "budget", s.BudgetFill, 4.0/20) // a token for six letters begun: 1, 2 and 1
}

// D11: where an extraction is sure of its answer, no part is open, whatever words the passages use;
// and the loop ends as covered.
func TestASureAnswerCovers(t *testing.T) {
	f := Found{Question: "garden tickets price", Gaps: 2, Hits: [][]wstk.Hit{{hit("1", "tickets"),
		hit("2", "garden"), hit("3", "price")}}}
	open := Measure(f)
	f.Answered = true
	sure := Measure(f)
	if open.Coverage != 0 || open.Gaps != 3 || sure.Coverage != 1 || sure.Gaps != 0 {
		t.Errorf("without an answer %+v, with one %+v", open, sure)
	}
	if turn := Decide(Situation{Signals: sure}); turn.Rule != "covered" {
		t.Errorf("a sure answer leads to %s", turn.Rule)
	}
	sure.Recall = 0.5
	sure.UnreadLinks, sure.BestLink = 1, 1
	if turn := Decide(Situation{Signals: sure}); turn.Move != wstk.MoveExpandBreadth {
		t.Errorf("half of the question's words are nowhere, and %s decides", turn.Rule)
	}
}

// A rare word of the question weighs more than one on every page.
func TestRareWordsWeighMore(t *testing.T) {
	of := Stats{Texts: 100, Holding: map[string]int{"museum": 100, "wheelchair": 1}}
	f := Found{Question: "museum wheelchair", Stats: of, Hits: [][]wstk.Hit{{hit("1", "museum")}}}
	common := Measure(f)
	f.Hits = [][]wstk.Hit{{hit("1", "wheelchair")}}
	rare := Measure(f)
	if common.Coverage != 0 || rare.Coverage != 1 || common.Recall > 0.05 || rare.Recall < 0.95 {
		t.Errorf("the common word gives %+v, the rare one %+v", common, rare)
	}
	if w := of.weight("museum"); w <= 0 {
		t.Errorf("a word on every page weighs %v", w)
	}
	// Without statistics the passages are the corpus: what none holds is missing most.
	alone := Measure(Found{Question: "museum wheelchair",
		Hits: [][]wstk.Hit{{hit("1", "museum"), hit("2", "museum")}}})
	if alone.Mean > 0.2 || alone.Recall != 0.5 {
		t.Errorf("passages about a museum suit a question about wheelchairs by %v, and are %v of it",
			alone.Mean, alone.Recall)
	}
}

// What does not fit the budget is no part of the quality, and one passage may exceed it.
func TestQualityIsOfWhatTheBudgetHolds(t *testing.T) {
	f := Found{Question: "garden tickets", Budget: 3, Hits: [][]wstk.Hit{{
		hit("1", "garden tickets"), hit("2", "garden for many other people as well")}}}
	if s := Measure(f); s.Mean != 1 || s.BudgetFill != 1 || s.Passages != 2 {
		t.Errorf("%+v; want the mean of the passage that fits, and a full budget", s)
	}
	f.Budget = 1
	if s := Measure(f); s.Mean != 1 {
		t.Errorf("the mean is %v, though the first passage is always read", s.Mean)
	}
}

func TestNothingFoundIsMeasured(t *testing.T) {
	s := Measure(Found{Question: "garden tickets", Hits: [][]wstk.Hit{{hit("1", "roses")}}})
	if s.Passages != 0 || s.Coverage != 0 || s.Gaps != 1 || s.RecallChange != nil {
		t.Errorf("%+v; want nothing, and one gap", s)
	}
	for name, v := range map[string]float64{"mean": s.Mean, "recall": s.Recall, "redundancy": s.Redundancy,
		"budget": s.BudgetFill, "empty": Measure(Found{}).Recall} {
		if math.IsNaN(v) {
			t.Errorf("%s is not a number", name)
		}
	}
}
