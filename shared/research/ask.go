package research

import (
	"context"
	"encoding/json"
	"iter"

	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// Ask answers a question from the ingested pages. Each change may alter the query before it is
// asked: its pages, filter, hints, language or budget. No extraction is an honest answer, with
// Passages and Gaps in its place; Unanswered makes it an error for callers that want one.
//
// Codes: Invalid for a question without words, ModelFailed and those of wstk.Model if a
// model fails, Unprocessable if the tokens of the query do not suffice or a model lacks its key,
// Timeout, Cancelled. Steps says what may help.
// Beside an error the result is what was done until then.
func (r *Research) Ask(
	ctx context.Context, question string, change ...func(*wstk.AskQuery),
) (wstk.AskResult, error) {
	return r.app.Answering.Ask(ctx, query(question, change))
}

func query(question string, change []func(*wstk.AskQuery)) wstk.AskQuery {
	q := wstk.AskQuery{Query: question, Strict: true}
	for _, f := range change {
		f(&q)
	}
	return q
}

// Stream is Ask for a caller that wants each extraction as soon as its bucket is done, in the
// order of the answer. An error ends the sequence; it comes with a zero Extraction. Leaving the
// loop, like the end of ctx, stops models and sites at once.
func (r *Research) Stream(
	ctx context.Context, question string, change ...func(*wstk.AskQuery),
) iter.Seq2[wstk.Extraction, error] {
	return func(yield func(wstk.Extraction, error) bool) {
		ctx, leave := context.WithCancel(ctx)
		defer leave()
		listening := true
		tell := func(e answering.Event) {
			b, ok := e.Data.(answering.BucketEvent)
			if !ok || !listening {
				return
			}
			if listening = yield(*b.Extraction, nil); !listening {
				leave()
			}
		}
		_, err := r.app.Answering.Follow(ctx, query(question, change),
			answering.Following{Tell: tell})
		if err != nil && listening {
			yield(wstk.Extraction{}, err)
		}
	}
}

// Result is what a question came to: the wstk.AskResult of Ask or the wstk.AnswerResult of Answer.
// Pass it as it came. An AnswerResult is more than the AskResult in it: what it says of its
// citations and turns is checked only in the whole.
type Result interface {
	HasAnswer() bool
	Asked() wstk.AskResult
}

// Verify checks every quote, statement and grade of a result again, on the stored bytes alone, and
// of an answer about a page its citations and turns: the result may have been saved, sent and
// changed. What fails is in the report and no error; see answering.VerifyReport.Problems. Codes:
// Invalid for a result that cannot be read.
func (r *Research) Verify(ctx context.Context, result Result) (answering.VerifyReport, error) {
	data, err := written(result)
	if err != nil {
		return answering.VerifyReport{}, err
	}
	return r.app.Answering.VerifySaved(ctx, data)
}

// WriteBundle writes a result with all that proves it to a zip file, which verifies on any
// machine without this store. It checks the result first, as Verify does. Conflict if something
// of it does not stand here; then no file is written.
func (r *Research) WriteBundle(ctx context.Context, path string, result Result) error {
	data, err := written(result)
	if err != nil {
		return err
	}
	return r.app.Answering.WriteBundle(ctx, path, data)
}

// written is a result as it is saved: all of it.
func written(result Result) ([]byte, error) {
	if result == nil {
		return nil, wstk.Errorf(wstk.Invalid, "", "there is no result")
	}
	data, err := json.Marshal(result)
	return data, wstk.Wrap(wstk.Invalid, "writing result", err)
}
