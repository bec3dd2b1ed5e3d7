package answer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"wstk/shared/wstk"
)

func ptr[T any](v T) *T { return &v }

// after are turns that made these moves.
func after(moves ...wstk.Move) (turns []wstk.Turn) {
	for i, m := range moves {
		turns = append(turns, wstk.Turn{N: i + 1, Move: m})
	}
	return turns
}

// D2, D11: each rule decides in a situation of its own, and in the order of the table.
func TestEachRuleDecides(t *testing.T) {
	// Nothing was found yet, nothing can be done.
	bare := wstk.TurnSignals{Gaps: 1}
	with := func(change func(*wstk.TurnSignals)) wstk.TurnSignals {
		s := bare
		change(&s)
		return s
	}
	good := with(func(s *wstk.TurnSignals) {
		s.Passages, s.Gaps, s.Coverage, s.Mean, s.Variance, s.Recall = 5, 0, 1, 0.7, 0.1, 0.5
	})
	for _, c := range []struct {
		rule string
		move wstk.Move
		s    Situation
	}{
		{"depth_reached", wstk.MoveStop, Situation{Signals: bare, Anew: true, Before: after(
			wstk.MoveExpandIntent, wstk.MoveExpandIntent, wstk.MoveExpandBreadth)}},
		{"depth_reached", wstk.MoveStop, Situation{Signals: bare,
			Limits: wstk.AnswerLimits{MaxExpansionDepth: ptr(0)}}},
		{"budget_filled", wstk.MoveStop, Situation{Signals: func() wstk.TurnSignals {
			s := good
			s.BudgetFill = 1
			return s
		}()}},
		{"diminishing_returns", wstk.MoveStop, Situation{Before: after(wstk.MoveExpandBreadth),
			Signals: with(func(s *wstk.TurnSignals) {
				s.RecallChange, s.UnreadLinks, s.BestLink = ptr(0.01), 3, 0.05
			})}},
		{"links_left", wstk.MoveExpandBreadth, Situation{Before: after(wstk.MoveExpandIntent),
			Signals: with(func(s *wstk.TurnSignals) { s.RecallChange, s.UnreadLinks = ptr(0.0), 1 })}},
		{"good_plateau", wstk.MoveStop, Situation{Signals: func() wstk.TurnSignals {
			s := good
			s.Variance = 0.01
			return s
		}()}},
		{"covered", wstk.MoveStop, Situation{Signals: func() wstk.TurnSignals {
			s := good
			s.Recall = 0.9
			return s
		}()}},
		{"budget_crowded", wstk.MoveExpandRecall, Situation{Signals: with(func(s *wstk.TurnSignals) {
			s.Passages, s.BudgetFill, s.Redundancy, s.BestLink, s.UnreadLinks = 9, 1, 0.6, 0.05, 1
		})}},
		{"links_promise", wstk.MoveExpandBreadth, Situation{Anew: true,
			Signals: with(func(s *wstk.TurnSignals) { s.UnreadLinks, s.BestLink = 2, 0.5 })}},
		{"budget_short", wstk.MoveExpandRecall, Situation{
			Signals: with(func(s *wstk.TurnSignals) { s.Passages, s.BudgetFill, s.Mean = 9, 1, 0.5 })}},
		{"part_failed", wstk.MoveExpandIntent, Situation{Anew: true,
			Signals: with(func(s *wstk.TurnSignals) { s.UnreadLinks, s.BestLink, s.Recall = 2, 0.05, 0.9 })}},
		{"part_failed", wstk.MoveExpandIntent, Situation{Anew: true, Signals: bare}},
		{"links_left", wstk.MoveExpandBreadth, Situation{Anew: true,
			Signals: with(func(s *wstk.TurnSignals) { s.UnreadLinks, s.BestLink = 2, 0.05 })}},
		{"exhausted", wstk.MoveStop, Situation{Signals: bare}},
	} {
		got := Decide(c.s)
		if got.Rule != c.rule || got.Move != c.move || got.N != len(c.s.Before)+1 {
			t.Errorf("turn %d: %s decided %s, want %s and %s", got.N, got.Rule, got.Move, c.rule, c.move)
		}
		if got.Rule != "exhausted" && !slices.Contains(got.Also, "exhausted") {
			t.Errorf("%s: the rules that would have decided are %q", c.rule, got.Also)
		}
		if slices.Contains(got.Also, got.Rule) {
			t.Errorf("%s is said twice", got.Rule)
		}
		if stop := StopOf(got); stop.Rule != c.rule || stop.Reason == "" {
			t.Errorf("%s ends with %+v", c.rule, stop)
		}
	}
}

// D2, D11: the table has eleven rules with names of their own; the four stops of the seed come
// first, in
// its order, and the last rule holds always.
func TestTheOrderOfTheRules(t *testing.T) {
	rules := Rules()
	var names []string
	moves := map[wstk.Move]bool{}
	for _, r := range rules {
		if slices.Contains(names, r.Name) || r.Reason == "" {
			t.Errorf("rule %q comes twice or has no reason", r.Name)
		}
		names = append(names, r.Name)
		moves[r.Move] = true
	}
	if len(rules) != 11 || len(moves) != 4 {
		t.Errorf("%d rules make %d moves, want 11 and 4", len(rules), len(moves))
	}
	first := []string{"depth_reached", "budget_filled", "diminishing_returns", "good_plateau"}
	if !slices.Equal(names[:4], first) {
		t.Errorf("the first rules are %q, want %q", names[:4], first)
	}
	rules[0].Name = "changed"
	if Rules()[0].Name != "depth_reached" {
		t.Error("a caller can change the table")
	}
}

// D2: whatever the signals are, and whatever an operator sets, a loop stops: within as many expansions
// as are allowed.
func TestTheLoopAlwaysStops(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 1}
	share := func() float64 {
		if r.IntN(8) == 0 {
			return odd[r.IntN(len(odd))]
		}
		return r.Float64()
	}
	longest := 0
	for range 5000 {
		limits := wstk.AnswerLimits{}
		most := DefaultDepth
		if r.IntN(3) > 0 {
			depth := r.IntN(60) - 5
			limits.MaxExpansionDepth = &depth
			most = min(max(depth, 0), MaxDepth)
		}
		var turns []wstk.Turn
		for {
			s := wstk.TurnSignals{Passages: r.IntN(9) - 1, Coverage: share(), Mean: share(),
				Variance: share(), TopGap: share(), Redundancy: share(), Recall: share(),
				BudgetFill: share(), UnreadLinks: r.IntN(5), BestLink: share(), Gaps: r.IntN(4),
				Depth: r.IntN(3) - 2} // what a caller says of the depth is not needed
			if r.IntN(2) == 0 {
				s.RecallChange = ptr(share())
			}
			turn := Decide(Situation{Signals: s, Before: turns, Limits: limits, Anew: r.IntN(2) == 0})
			turns = append(turns, turn)
			if turn.Move == wstk.MoveStop {
				break
			}
			if len(turns) > most {
				t.Fatalf("the loop expands in turn %d with a depth of %d: %+v", len(turns), most, turn)
			}
		}
		longest = max(longest, len(turns))
		doubled := Situation{Before: turns}
		if doubled.did(wstk.MoveExpandRecall) > maxRecalls || doubled.did(wstk.MoveExpandIntent) > maxIntents {
			t.Fatalf("the budget or the question was changed too often: %+v", turns)
		}
	}
	if longest < 10 {
		t.Errorf("the longest loop had %d turns: the test tries nothing", longest)
	}
}

// The budget is doubled twice at most, and the question taken apart anew twice at most, however
// deep the loop may go.
func TestRepeatedMovesAreBounded(t *testing.T) {
	deep := wstk.AnswerLimits{MaxExpansionDepth: ptr(MaxDepth)}
	for _, redundancy := range []float64{0, 1} {
		s := Situation{Limits: deep, Signals: wstk.TurnSignals{Gaps: 1, BudgetFill: 1, Redundancy: redundancy},
			Before: after(wstk.MoveExpandRecall)}
		if got := Decide(s); got.Move != wstk.MoveExpandRecall {
			t.Errorf("a full budget leads to %s by %s the second time", got.Move, got.Rule)
		}
		s.Before = after(wstk.MoveExpandRecall, wstk.MoveExpandRecall)
		if got := Decide(s); got.Move != wstk.MoveStop {
			t.Errorf("a full budget leads to %s by %s the third time", got.Move, got.Rule)
		}
	}
	s := Situation{Limits: deep, Anew: true, Signals: wstk.TurnSignals{Gaps: 1},
		Before: after(wstk.MoveExpandIntent, wstk.MoveExpandIntent)}
	if got := Decide(s); got.Move != wstk.MoveStop {
		t.Errorf("the question leads to %s by %s the third time", got.Move, got.Rule)
	}
}

// D11: no rule lifts the limits of pages, tokens, time and money.
func TestLimitsAreHard(t *testing.T) {
	spent := Spent{Pages: 5, MaxPages: 5}
	if l, over := spent.Over(wstk.MoveExpandBreadth); !over || l != LimitPages {
		t.Errorf("reading a sixth page of five is %q, %v", l, over)
	}
	if l, over := spent.Over(wstk.MoveExpandRecall); over {
		t.Errorf("%s forbids to look again at what was read", l)
	}
	for limit, s := range map[Limit]Spent{
		LimitTokens: {Tokens: 10, MaxTokens: 10},
		LimitTime:   {Time: time.Minute, MaxTime: time.Minute},
		LimitMoney:  {USD: 0.5, MaxUSD: 0.5},
	} {
		for _, m := range []wstk.Move{wstk.MoveExpandBreadth, wstk.MoveExpandRecall, wstk.MoveExpandIntent} {
			if l, over := s.Over(m); !over || l != limit {
				t.Errorf("%s with nothing left for %s: %q, %v", m, limit, l, over)
			}
		}
		if _, over := s.Over(wstk.MoveStop); over {
			t.Errorf("%s forbids to stop", limit)
		}
		if stop := s.StopAt(limit); stop.Rule != string(limit) || stop.Reason == "A limit was reached." {
			t.Errorf("%s is said as %+v", limit, stop)
		}
	}
	if l, over := (Spent{Pages: 9, Tokens: 9, Time: time.Hour, USD: 9}).Over(wstk.MoveExpandBreadth); over {
		t.Errorf("%s was never set, and ends the loop", l)
	}
}
