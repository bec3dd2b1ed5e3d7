package research

import (
	"context"

	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// Answer answers a question about a page and the pages it leads to. It reads the page at url, which
// need not be ingested, and then as many links of its site as the question needs; what is stored of
// the site counts, too. Each change may alter the query before it is asked: its limits, language or
// tokens. Content cites References as [n], Turns say what was read and why, and Stopped why it read
// no further. No extraction is an honest answer, as it is of Ask.
//
// Codes: Invalid for what is no address or a question without words; those of verdicts, such as
// NotFound or Blocked, if the page itself cannot be had; ModelFailed, Unprocessable, Timeout and
// Cancelled as Ask has them. Beside an error the result is what was done until then.
func (r *Research) Answer(
	ctx context.Context, url, question string, change ...func(*wstk.AnswerQuery),
) (wstk.AnswerResult, error) {
	return r.AnswerTurns(ctx, url, question, nil, change...)
}

// AnswerTurns is Answer for a caller that wants each turn as soon as it is decided. turn is called
// from this goroutine, in the order of the turns; what became of the links of a turn stands only in
// the result. When ctx ends, sites and models are left alone at once.
func (r *Research) AnswerTurns(
	ctx context.Context, url, question string, turn func(wstk.Turn), change ...func(*wstk.AnswerQuery),
) (wstk.AnswerResult, error) {
	q := wstk.AnswerQuery{URL: url, Question: question, Strict: true}
	for _, f := range change {
		f(&q)
	}
	how := answering.Following{}
	if turn != nil {
		how.Tell = func(e answering.Event) {
			if t, ok := e.Data.(wstk.Turn); ok {
				turn(t)
			}
		}
	}
	x, err := r.app.Answering.FollowAnswer(ctx, q, how)
	return x.AnswerResult, err
}
