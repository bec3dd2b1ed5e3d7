package local_test

import (
	"context"
	"testing"

	"wstk/shared/app/answering"
	"wstk/shared/stage/recall"
	"wstk/shared/wstk"
)

// paid is a leg that finds nothing and costs something.
type paid struct{}

func (paid) Name() string    { return "vector of made" }
func (paid) Weight() float64 { return .5 }

func (paid) Search(context.Context, recall.Query, int) ([]recall.Scored, wstk.Usage, error) {
	return nil, wstk.Usage{Calls: 1, InputTokens: 9}, nil
}

// What the services of recall cost is told with what they found, and adds to the cost of a run.
func TestWhatRecallCostsIsTold(t *testing.T) {
	a := open(t, testConfig(t))
	a.Recalling.Legs = []recall.Leg{paid{}}
	res, err := a.Answering.Recall(t.Context(), answering.RecallRequest{Query: "boat"})
	if err != nil || res.Usage.InputTokens != 9 {
		t.Errorf("recall cost %+v, %v", res.Usage, err)
	}
	answer, err := a.Answering.Ask(t.Context(), wstk.AskQuery{Query: "What is a boat?"})
	if err != nil || answer.Usage.Calls != 1 || answer.Usage.InputTokens != 9 ||
		answer.Proposer != nil {
		t.Errorf("the answer cost %+v, proposed by %+v, %v", answer.Usage, answer.Proposer, err)
	}
}
