package evaluate

import (
	"slices"
	"testing"

	"wstk/shared/wstk"
)

// answer makes a result of statements, each with its quotes.
func answer(quotes ...[]string) wstk.AskResult {
	x := wstk.Extraction{}
	for _, of := range quotes {
		s := wstk.Statement{Statement: "Said in other words."}
		for _, q := range of {
			s.Evidence = append(s.Evidence, len(x.Evidence))
			x.Evidence = append(x.Evidence, wstk.Evidence{Quote: q})
		}
		x.Statements = append(x.Statements, s)
	}
	if len(quotes) == 0 {
		x.Unsupported = []wstk.Unsupported{{Statement: "It is free."}}
	}
	return wstk.AskResult{Extractions: []wstk.Extraction{x}}
}

func TestScoreAnswer(t *testing.T) {
	is := func(b *bool) string {
		switch {
		case b == nil:
			return "null"
		case *b:
			return "yes"
		}
		return "no"
	}
	for name, c := range map[string]struct {
		of           Case
		result       wstk.AskResult
		right, first string
		honest       string
	}{
		"in the first":   {Case{ExpectedAnswers: []string{"9 Bar"}}, answer([]string{"It is 9  bar."}), "yes", "yes", "null"},
		"in the second":  {Case{ExpectedAnswers: []string{"9 bar"}}, answer([]string{"It is red."}, []string{"It is 9 bar."}), "yes", "no", "null"},
		"part of a word": {Case{ExpectedAnswers: []string{"9 bar"}}, answer([]string{"It is 19 bar."}), "no", "no", "null"},
		"one of two":     {Case{ExpectedAnswers: []string{"9 bar", "red"}}, answer([]string{"It is 9 bar."}), "no", "no", "null"},
		"over quotes":    {Case{ExpectedAnswers: []string{"9 bar", "red"}}, answer([]string{"It is 9 bar."}, []string{"It is red."}), "yes", "no", "null"},
		"not answered":   {Case{ExpectedAnswers: []string{"9 bar"}}, answer(), "no", "no", "null"},
		"honest":         {Case{NoAnswer: true}, answer(), "null", "null", "yes"},
		"made up":        {Case{NoAnswer: true}, answer([]string{"It is 9 bar."}), "null", "null", "no"},
		"nothing wanted": {Case{}, answer([]string{"It is 9 bar."}), "null", "null", "null"},
	} {
		s := c.of.ScoreAnswer(c.result)
		if is(s.Right) != c.right || is(s.First) != c.first || is(s.HonestNo) != c.honest {
			t.Errorf("%s: right %s, first %s, honest %s; want %s, %s, %s", name, is(s.Right),
				is(s.First), is(s.HonestNo), c.right, c.first, c.honest)
		}
	}
	if s := (Case{}).ScoreAnswer(answer()); !slices.Equal(s.Unsupported, []string{"It is free."}) {
		t.Errorf("unsupported are %q", s.Unsupported)
	}
}

// answered is a report of questions that were answered right or not.
func answered(model string, right ...bool) AnswerReport {
	var cases []AnswerCase
	for i, r := range right {
		cases = append(cases, AnswerCase{ID: string(rune('a' + i)), Score: AnswerScore{Right: &r,
			Quotes: 2, Verified: 1, Usage: wstk.Usage{Calls: 1, InputTokens: 1000, OutputTokens: 100}}})
	}
	return ReportAnswers(model, "", &Price{Input: 2, Output: 10}, cases)
}

func TestReportAndCompareAnswers(t *testing.T) {
	bad := answered("bad", slices.Repeat([]bool{false}, 8)...)
	good := answered("good", slices.Repeat([]bool{true}, 8)...)
	if *good.Right.Value != 1 || *good.Verified.Value != .5 || good.Usage.Calls != 8 ||
		good.CostUSD == nil || *good.CostUSD != .024 || *good.Cases[0].Score.CostUSD != .003 {
		t.Errorf("the report is %+v", good)
	}
	a := CompareAnswers([]AnswerReport{bad, good}, []AnswerReport{bad})
	if len(a.Versus) != 1 || a.Versus[0].Against != "bad" || len(a.Versus[0].Gained) != 8 ||
		!a.Versus[0].Changes[0].Real || len(a.Changes) != 1 || a.Changes[0].Changes[0].Real {
		t.Errorf("compared: %+v", a)
	}
	failed := answered("x", true)
	failed.Cases[0].Score = AnswerScore{Error: &Failure{Code: wstk.ModelFailed}}
	failed = ReportAnswers("x", "p", nil, failed.Cases)
	if failed.Errors != 1 || failed.CostUSD != nil || failed.Right.N+failed.LatencyMS.N != 0 ||
		failed.Name() != "x with p" {
		t.Errorf("of a failure: %+v", failed)
	}
	all := &Answers{Models: []AnswerReport{failed, bad}}
	for policy, want := range map[FailOn][2]int{FailNever: {0, 0}, FailError: {0, 1},
		FailMiss: {8, 0}, FailMissOrError: {8, 1}} {
		if m, e := policy.FailedAnswers(all); [2]int{m, e} != want {
			t.Errorf("%s: %d misses, %d errors", policy, m, e)
		}
	}
}
