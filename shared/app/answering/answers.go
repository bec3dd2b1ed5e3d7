package answering

import (
	"cmp"
	"context"

	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/stage/answer"
	"wstk/shared/wstk"
)

// Bounds say where an answer begins and how far it may go.
type Bounds struct {
	URL   string `json:"url"` // canonical
	Fresh bool   `json:"fresh,omitempty"`
	Mode  string `json:"mode"` // how the question is taken apart
	wstk.AnswerLimits
}

func machineOf(q Request) string {
	if q.Answer != nil {
		return "answer"
	}
	return "extract"
}

func kindOf(q Request) wstk.RunKind {
	if q.Answer != nil {
		return wstk.RunAnswer
	}
	return wstk.RunExtraction
}

// AnswerRun is an answer as it stands: while it runs, the pieces that are done.
type AnswerRun struct {
	Run wstk.Run `json:"run"`
	wstk.AnswerResult
	Warnings []wstk.Warning `json:"-"`
}

// StartAnswer begins an answer and returns its run at once. A query that is inconsistent is
// Invalid. It may take as long as an extraction, see StartExtraction.
func (a *Room) StartAnswer(ctx context.Context, q wstk.AnswerQuery) (wstk.Run, error) {
	req, err := a.answerRequest(q)
	if err != nil {
		return wstk.Run{}, err
	}
	return a.startExtraction(ctx, req)
}

// FollowAnswer answers a question about a page and the pages it leads to, for a caller that
// waits; see Follow. An answer without statements is honest and no error.
func (a *Room) FollowAnswer(
	ctx context.Context, q wstk.AnswerQuery, how Following,
) (AnswerRun, error) {
	req, err := a.answerRequest(q)
	if err != nil {
		return AnswerRun{AnswerResult: grown{}.into(noExtractions(q.Question))}, err
	}
	req.LimitMS = how.Limit.Milliseconds()
	ctx, stop := within(ctx, how.Limit)
	defer stop()
	run, err := a.followRun(ctx, req, how)
	if run == "" {
		return AnswerRun{AnswerResult: grown{}.into(noExtractions(q.Question))}, err
	}
	x, lost := a.Answer(context.WithoutCancel(ctx), run)
	switch {
	case lost != nil && err == nil:
		return x, lost
	case lost != nil:
		return x, err
	}
	x.AskResult.Warnings = x.Warnings
	if err != nil && ctx.Err() != nil {
		err = halted(ctx, x.Run, len(x.Extractions))
	}
	return x, err
}

func noExtractions(query string) wstk.AskResult {
	return wstk.AskResult{Query: query, Extractions: []wstk.Extraction{}, Gaps: []wstk.Gap{}}
}

// answerRequest fills in what the query leaves to the operator.
func (a *Room) answerRequest(q wstk.AnswerQuery) (Request, error) {
	url, err := reading.Address(q.URL)
	if err != nil {
		return Request{}, err
	}
	mode := a.decomposition()
	if mode == config.DecomposeLLM && !a.byModel(wstk.OpDecompose) {
		return Request{}, wstk.Errorf(wstk.Unprocessable, "",
			"decomposition_mode is llm, and no model is set up that takes questions apart").
			Try(wstk.Advices("name one with model.model", "or set decomposition_mode to rule_based")...)
	}
	set := a.Config.Answer
	l := q.AnswerLimits
	if l.MaxExpansionDepth == nil {
		depth := set.MaxExpansionDepth
		l.MaxExpansionDepth = &depth
	}
	l.RetrievalContextBudget = cmp.Or(l.RetrievalContextBudget, set.ContextBudget)
	l.PagesPerTurn = cmp.Or(l.PagesPerTurn, set.PagesPerTurn)
	l.MaxPages = cmp.Or(l.MaxPages, set.MaxPages)
	return Request{AskQuery: wstk.AskQuery{Query: q.Question, Strict: q.Strict,
		OutputLanguage: q.OutputLanguage, MaxTokens: q.MaxTokens},
		Answer: &Bounds{URL: url, Fresh: q.Fresh, Mode: mode, AnswerLimits: l}}, nil
}

// Answer returns a run of kind answer and its result, or what there is of it so far.
func (a *Room) Answer(ctx context.Context, id wstk.RunID) (AnswerRun, error) {
	run, err := a.Reading.Run(ctx, id)
	if err != nil {
		return AnswerRun{}, err
	}
	out := AnswerRun{Run: run, AnswerResult: grown{}.into(noExtractions(run.Query))}
	if err := isOf(run, wstk.RunAnswer); err != nil {
		return out, err
	}
	r, err := a.soFar(ctx, run)
	if err != nil {
		return out, err
	}
	out.AnswerResult, out.Warnings = r.Answer.into(r.AskResult), r.Warnings
	return out, nil
}

// soFar is the reply of a run that cites evidence, or what there is of it so far.
func (a *Room) soFar(ctx context.Context, run wstk.Run) (r reply, err error) {
	if run.Result != "" {
		return wstk.GetJSON[reply](ctx, a.Blobs, run.Result)
	}
	q, err := wstk.GetJSON[Request](ctx, a.Blobs, run.Request)
	if err != nil {
		return r, err
	}
	if r, err = a.piecesOf(ctx, run); err != nil || q.Answer == nil {
		return r, err
	}
	r.Answer, err = a.cite(ctx, q, run.ID, r.AskResult)
	return r, err
}

// AfterNo returns what may help after an answer about a page that states nothing, the most likely
// first.
func AfterNo(r wstk.AnswerResult) []wstk.Step {
	again := wstk.Step{Do: wstk.DoAnswer, URL: r.URL, Query: r.Query}
	var steps []wstk.Step
	switch r.Stopped.Rule {
	case string(answer.LimitPages):
		again.For = "to let it read more pages"
		again.Options = []wstk.Option{wstk.OptMaxPages.Set(
			min(2*max(r.PagesRead, 1), config.MaxAnswerPages))}
		steps = append(steps, again)
	case "depth_reached":
		again.For = "to go on from what is stored by now"
		steps = append(steps, again)
	}
	for _, g := range r.Gaps {
		steps = append(steps, wstk.Step{Do: wstk.DoSearch, For: "to find pages that say it",
			Query: g.Query})
	}
	return append(steps, wstk.Step{Do: wstk.DoRead, For: "to see what the page says", URL: r.URL},
		wstk.Advice("ask with other words, or begin at another page"))
}
