package answering

import (
	"context"
	"errors"
	"time"

	"wstk/shared/wstk"
)

var errCancelled = wstk.Errorf(wstk.Cancelled, "", "the run was cancelled")

// lookEvery is how often a task looks whether its run is still wanted.
const lookEvery = time.Second / 2

// bounded makes a task of do, which is done only while its run is wanted and has time left.
// A run that is to be cancelled does no more tasks. One whose time is over ends as failed,
// on one machine at once, whatever the state machine goes on to try.
func bounded[Out any](
	a *Room, do func(context.Context, Request, Extracting) (Out, error),
) func(context.Context, Extracting) (Out, error) {
	return func(ctx context.Context, in Extracting) (out Out, err error) {
		run, err := a.Runs.Get(ctx, in.Run)
		if err != nil {
			return out, err
		}
		if run.Cancel {
			return out, errCancelled
		}
		a.Reading.Touch(ctx, run)
		q, err := wstk.GetJSON[Request](ctx, a.Blobs, in.Request)
		if err != nil {
			return out, err
		}
		wanted, stop := a.whileWanted(ctx, run, time.Duration(q.LimitMS)*time.Millisecond)
		defer stop()
		if err = wanted.Err(); err == nil {
			out, err = do(wanted, q, in)
		}
		if err == nil || wanted.Err() == nil || ctx.Err() != nil {
			return out, err
		}
		if err = context.Cause(wanted); errors.Is(err, errCancelled) {
			return out, err
		}
		if !a.Machines.EndsLate() {
			// the machine's last task ends the run, after its retries: not every function may
			return out, err
		}
		if _, fault := a.endFailed(ctx, in.Run, string(wstk.Timeout),
			string(wstk.Timeout)+": "+err.Error()); fault != nil {
			a.Log.Warn("a run over its time limit was not ended at once", "run", string(in.Run),
				"error", fault.Error())
		}
		return out, err
	}
}

// whileWanted returns a context that ends when the run is to be cancelled, with the cause
// errCancelled, and when it has taken as long as it may, with one that is Timeout. A limit
// of 0 is none, and a run that has its result needs none. stop must be called.
func (a *Room) whileWanted(
	ctx context.Context, run wstk.Run, limit time.Duration,
) (wanted context.Context, stop func()) {
	wanted, end := context.WithCancelCause(ctx)
	stop = func() { end(nil) }
	if limit > 0 && run.Result == "" {
		late := wstk.Errorf(wstk.Timeout, "",
			"the extraction took longer than its limit of %s and was stopped; "+
				"the pieces that were done are kept. Ask from fewer pages at once, or raise "+
				"api.extraction_timeout", limit)
		timed, over := context.WithTimeoutCause(wanted, run.StartedAt.Add(limit).Sub(a.Now()), late)
		wanted, stop = timed, func() { over(); end(nil) }
	}
	go func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-wanted.Done():
				return
			case <-tick.C:
				if run, err := a.Runs.Get(wanted, run.ID); err == nil && run.Cancel {
					end(errCancelled)
				} else if err == nil {
					a.Reading.Touch(wanted, run)
				}
			}
		}
	}()
	return wanted, stop
}
