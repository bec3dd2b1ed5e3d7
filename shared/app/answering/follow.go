package answering

import (
	"context"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Ask answers a query from stored pages, or from just those of q.From, which are
// fetched when they are not stored yet. It is a run of the state machine "extract" in
// this process. No extraction is an honest answer and no error.
func (a *Room) Ask(ctx context.Context, q wstk.AskQuery) (wstk.AskResult, error) {
	x, err := a.Follow(ctx, q, Following{})
	return x.AskResult, err
}

// Following says how a caller waits for an answer.
type Following struct {
	// Tell is called with each event of the run as it happens, from the goroutine that called
	// Follow; nil means that only the end counts.
	Tell  func(Event)
	Limit time.Duration // how long the answer may take; 0 means no limit of its own
}

// followEvery is how often the stores are asked for what is new. The end is never waited for.
const followEvery = 100 * time.Millisecond

// Follow is Ask for a caller that listens while the answer is made. When ctx ends, models and
// sites are asked no more, and the run ends as cancelled, or as failed where a deadline or
// the limit has passed. Beside such an error the result is what was done until then.
func (a *Room) Follow(
	ctx context.Context, q wstk.AskQuery, how Following,
) (ExtractionRun, error) {
	out := ExtractionRun{AskResult: noExtractions(q.Query)}
	ctx, stop := within(ctx, how.Limit)
	defer stop()
	run, err := a.followRun(ctx, Request{AskQuery: q}, how)
	if run == "" {
		return out, err
	}
	x, lost := a.Extraction(context.WithoutCancel(ctx), run)
	switch {
	case lost != nil && err == nil:
		return out, lost
	case lost != nil:
		return out, err
	}
	x.AskResult.Warnings = x.Warnings
	if err != nil && ctx.Err() != nil {
		err = halted(ctx, x.Run, len(x.Extractions))
	}
	return x, err
}

// followRun runs the machine of a question to its end, and tells its events. The run is "" where
// none was begun.
func (a *Room) followRun(ctx context.Context, q Request, how Following) (wstk.RunID, error) {
	run, input, err := a.openExtraction(ctx, q)
	if err != nil {
		return "", err
	}
	done := make(chan error, 1)
	go func() { done <- a.Machines.Run(ctx, machineOf(q), run.ID, input) }()
	return run.ID, a.tellUntil(ctx, run.ID, how.Tell, done)
}

// within bounds what a caller waits for by a limit, if there is one. stop must be called.
func within(
	ctx context.Context, limit time.Duration,
) (timed context.Context, stop context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	late := wstk.Errorf(wstk.Timeout, "", "the time of the question was over")
	return context.WithTimeoutCause(ctx, limit, late)
}

// tellUntil tells the events of a run until its machine has ended, and returns the machine's
// error. Where ctx ended, it ends the run, too.
func (a *Room) tellUntil(
	ctx context.Context, id wstk.RunID, tell func(Event), done <-chan error,
) error {
	follow := &ExtractionEvents{app: a, run: id}
	pass := func(ctx context.Context) {
		if tell == nil {
			return
		}
		events, err := follow.Next(ctx)
		if err != nil && ctx.Err() == nil {
			a.Log.Warn("what an answer has to say was not read", "error", err.Error())
		}
		for _, e := range events {
			tell(e)
		}
	}
	pass(ctx)
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			pass(ctx)
		case err := <-done:
			after := context.WithoutCancel(ctx)
			if err != nil && ctx.Err() != nil {
				a.endHalted(after, id, haltedBy(ctx))
			}
			pass(after)
			return err
		}
	}
}

// haltedBy is Timeout where the time of ctx is over, and else Cancelled.
func haltedBy(ctx context.Context) wstk.Code {
	if wstk.CodeOf(context.Cause(ctx)) == wstk.Timeout {
		return wstk.Timeout
	}
	return wstk.Cancelled
}

// endHalted ends a run whose caller waits no longer, so that it is not taken for one of a
// process that died.
func (a *Room) endHalted(ctx context.Context, id wstk.RunID, code wstk.Code) {
	reason := string(code) + ": its caller stopped it before it was done"
	if _, err := a.endFailed(ctx, id, string(code), reason); err != nil {
		a.Log.Warn("a run that was stopped was not ended", "run", string(id), "error", err.Error())
	}
}

// halted is the error of a caller that waits no longer: how much was done, and where it is kept.
func halted(ctx context.Context, run wstk.Run, n int) error {
	code, why := haltedBy(ctx), "it was stopped"
	if code == wstk.Timeout {
		why = "its time was over"
	}
	if n == 0 {
		return wstk.Errorf(code, "", "the answer is not done: %s before a part of it was", why)
	}
	return wstk.Errorf(code, "", "the answer is not whole: %s; what was done is kept, %s", why,
		text.Count(n, "part")).
		Try(wstk.Step{Do: wstk.DoShowRun, For: "to see it again", Run: run.ID, Kind: run.Kind})
}
