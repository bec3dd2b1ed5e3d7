package answering

import (
	"context"
	"encoding/json"

	"wstk/shared/stage/evaluate"
	"wstk/shared/wstk"
)

// Golden asks a question of a suite, and scores the answer; each of its quotes is looked for
// again in the stored bytes. What a model or a site did is in the score; an error means that the
// question was cancelled, or that it cannot be asked with these settings.
func (a *Room) Golden(ctx context.Context, c evaluate.Case) (evaluate.AnswerCase, error) {
	out := evaluate.AnswerCase{ID: c.ID, Query: c.Query}
	q := wstk.AskQuery{Query: c.Query, From: c.URLs, Strict: true}
	if c.Site != "" {
		q.Filter.IncludeSites = []string{c.Site}
	}
	began := a.Now()
	res, err := a.Ask(ctx, q)
	if ctx.Err() != nil {
		return out, wstk.Wrap(wstk.Cancelled, "evaluating", context.Cause(ctx))
	}
	if code := wstk.CodeOf(err); code == wstk.Unprocessable || code == wstk.Invalid {
		return out, err
	}
	out.Proposer = res.Proposer
	took := a.Now().Sub(began).Milliseconds()
	if err != nil {
		out.Score = evaluate.AnswerScore{Unsupported: []string{}, Usage: res.Usage, LatencyMS: took,
			Error: &evaluate.Failure{Code: wstk.CodeOf(err), Message: err.Error()}}
		return out, nil
	}
	out.Score = c.ScoreAnswer(res)
	out.Score.LatencyMS = took
	if out.Score.Quotes == 0 {
		return out, nil
	}
	data, err := json.Marshal(res)
	if err != nil {
		return out, wstk.Wrap(wstk.Internal, "evaluating", err)
	}
	report, err := a.VerifySaved(ctx, data)
	if err != nil {
		return out, err
	}
	out.Score.Verified = report.Verified
	return out, nil
}
