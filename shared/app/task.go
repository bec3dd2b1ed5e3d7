package app

import (
	"context"
	"encoding/json"
	"time"

	"wstk/shared/wstk"
)

// Task does one task of a state machine. It may run twice on one input.
type Task func(ctx context.Context, input json.RawMessage) (any, error)

// Task says what the function of a word does in a state machine:
//
//	answer    read the page of an answer; take its question apart; retrieve and decide; read a
//	          link; choose the passages that the answer may rest on
//	recall    classify the query and rank passages
//	extract   partition the passages into buckets; propose claims of one bucket
//	verify    find the claims' words again
//	collate   join one bucket; join all into the reply and end the run; or end it failed
//	refresh   list the sites that are due; begin the crawl of one
func (a *App) Task(word string) Task {
	var do Task
	switch word {
	case "answer":
		do = task(a.Answering.AnswerTask)
	case "recall":
		do = task(a.Answering.RecallTask)
	case "extract":
		do = task(a.Answering.ExtractTask)
	case "verify":
		do = task(a.Answering.VerifyTask)
	case "collate":
		do = task(a.Answering.CollateTask)
	case "refresh":
		do = task(a.Crawling.RefreshTask)
	default:
		return func(context.Context, json.RawMessage) (any, error) {
			return nil, wstk.Errorf(wstk.Invalid, "choosing task", "there is no task %q", word)
		}
	}
	return func(ctx context.Context, input json.RawMessage) (out any, err error) {
		defer func(started time.Time) { a.Metrics.Time(word, started, err) }(time.Now())
		return do(ctx, input)
	}
}

func task[In, Out any](do func(context.Context, In) (Out, error)) Task {
	return func(ctx context.Context, input json.RawMessage) (any, error) {
		var in In
		if err := json.Unmarshal(input, &in); err != nil {
			return nil, wstk.Errorf(wstk.Invalid, "reading task", "%w", err)
		}
		out, err := do(ctx, in)
		if err != nil {
			return nil, err
		}
		return out, nil
	}
}
