package answering

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"wstk/shared/config"
	"wstk/shared/stage/answer"
	"wstk/shared/stage/extract"
	"wstk/shared/wstk"
)

// decomposition is how questions are taken apart: as it is set, else by the model where one is
// named for it.
func (a *Room) decomposition() string {
	usual := config.DecomposeRules
	if a.byModel(wstk.OpDecompose) {
		usual = config.DecomposeLLM
	}
	return cmp.Or(a.Config.Answer.Decomposition, usual)
}

func (a *Room) analyser() answer.Analyser {
	return answer.Analyser{Parts: extract.Parts, Prompts: a.Prompts}
}

// subQuestions takes the question apart: at first, or anew with what failed.
func (a *Room) subQuestions(
	ctx context.Context, q Request, in Extracting, s *looped,
) ([]string, error) {
	failed := []string{}
	if len(s.Turns) > 0 {
		failed = s.open(q)
	}
	switch q.Answer.Mode {
	case config.DecomposeNone:
		return []string{q.Query}, nil
	case config.DecomposeLLM:
		return a.decomposed(ctx, q, in, s, failed)
	}
	if len(s.Turns) == 0 {
		return a.analyser().Rules(q.Query), nil
	}
	subs, _ := a.analyser().Again(q.Query, s.Subs, s.Asked, failed)
	return subs, nil
}

// decomposed asks the model for sub-questions. Where the tokens do not suffice, rules take the
// question apart.
func (a *Room) decomposed(
	ctx context.Context, q Request, in Extracting, s *looped, failed []string,
) ([]string, error) {
	left, err := a.leftOf(ctx, q, in.Run)
	if err != nil {
		return nil, err
	}
	req, err := a.analyser().Request(q.Query, failed)
	if err != nil {
		return nil, err
	}
	m := a.recorded(in.Run, placeDecompose+len(s.Turns), left)(wstk.OpDecompose)
	reply, err := m.Complete(ctx, req)
	if err == nil {
		subs, warnings, bad := a.analyser().Parse(reply.Text, q.Query, failed)
		s.Warnings = append(s.Warnings, warnings...)
		return subs, bad
	}
	if errors.Is(err, errBudget) {
		return a.analyser().Rules(q.Query), nil
	}
	return nil, err
}

// mayAskAnew reports whether it is worth to take the question apart in another way: not while
// there are links and none was read, since they bring new words, nor where not one word of the
// question was found.
func (a *Room) mayAskAnew(q Request, s looped, signals wstk.TurnSignals) bool {
	read := slices.ContainsFunc(s.Turns, func(t wstk.Turn) bool {
		return t.Move == wstk.MoveExpandBreadth
	})
	if signals.UnreadLinks > 0 && !read || signals.Passages == 0 {
		return false
	}
	switch q.Answer.Mode {
	case config.DecomposeNone:
		return false
	case config.DecomposeLLM:
		return true
	}
	_, fresh := a.analyser().Again(q.Query, s.Subs, s.Asked, s.open(q))
	return fresh
}
