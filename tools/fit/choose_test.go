package main

import (
	"math"
	"strings"
	"testing"

	"wstk/shared/stage/extract/choice"
)

// posed returns a question with one candidate that answers, which has a feature, and one that
// does not.
func posed(site string, f choice.Feature) asked {
	var right, wrong choice.Row
	right[f], wrong[choice.Long] = 1, 1
	return asked{Site: site, Kind: "fact", Candidates: []answerRow{{Row: wrong},
		{Row: right, Right: true}}}
}

func TestWeightsStayNearTheKnownOnesOnFewQuestions(t *testing.T) {
	order, belief, err := readKnown()
	if err != nil {
		t.Fatal(err)
	}
	if order[choice.Coverage] <= 0 || belief[0] != 0 {
		t.Fatalf("known: %v, %v", order, belief)
	}
	for _, n := range []int{1, 400} {
		var all []asked
		for range n {
			all = append(all, posed("a", choice.Defines))
		}
		w := fitOrder(all, newScale(all), order, order, every)
		moved := w[choice.Defines] - order[choice.Defines]
		if n == 1 && math.Abs(moved) > 0.1 || n > 1 && moved < 0.2 {
			t.Errorf("%d questions move a weight by %.2f", n, moved)
		}
		if w[choice.Caption] != order[choice.Caption] {
			t.Errorf("a feature that no candidate has gets another weight, %g", w[choice.Caption])
		}
	}
}

func TestTheBoundRefusesItsShare(t *testing.T) {
	var all []asked
	for i := range 10 {
		all = append(all, asked{Kind: "none", known: float64(i)}, asked{Kind: "fact", known: -5},
			asked{Kind: "none", Part: 1, known: 99})
	}
	if got := boundOf(all, 0.9, func(*asked) bool { return true }); got != 9 {
		t.Errorf("the bound is %g, want 9: nine of ten are below it", got)
	}
}

func TestMadeCases(t *testing.T) {
	pages, qs, err := readMade("../../testdata/eval/agreement")
	if err != nil {
		t.Fatal(err)
	}
	more, err := readQuestions("../../testdata/eval/choice/made.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	qs = append(qs, more...)
	groups := groupsOf(qs)
	for _, q := range qs {
		if strings.HasPrefix(q.ID, "test") || q.Typed == "" || groups[q.ID] == "" {
			t.Errorf("%s: it is not to be fitted on, asks nothing, or has no group", q.ID)
		}
		if q.Kind == "none" {
			continue
		}
		found := false
		for _, p := range q.Pages {
			for _, s := range q.Answer {
				found = found || strings.Contains(pages[p], s)
			}
		}
		if !found {
			t.Errorf("%s: no page of it holds the answer", q.ID)
		}
	}
}
