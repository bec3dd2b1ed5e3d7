package reading

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

// Run returns a run that the caller may see: another name's is NotFound, as one that is not
// there.
func (r *Room) Run(ctx context.Context, id wstk.RunID) (wstk.Run, error) {
	run, err := r.Runs.Get(ctx, id)
	if err == nil && !(wstk.RunFilter{Owner: wstk.CallerOf(ctx).Sees()}).
		Match(run) || wstk.CodeOf(err) == wstk.NotFound {
		return wstk.Run{}, wstk.Errorf(wstk.NotFound, "", "there is no run %q", string(id))
	}
	return run, err
}

// ListRuns lists the runs of a kind that the caller may see, newest first.
func (r *Room) ListRuns(
	ctx context.Context, kind wstk.RunKind, cursor string, limit int,
) ([]wstk.Run, string, error) {
	return r.Runs.List(ctx, wstk.RunFilter{Kind: kind, Owner: wstk.CallerOf(ctx).Sees()},
		cursor, limit)
}

// touchEvery is how often a run that is worked on says so.
const touchEvery = 10 * time.Second

// Touch notes that a run is worked on. A note that cannot be written harms nothing: the
// next one will be.
func (r *Room) Touch(ctx context.Context, run wstk.Run) {
	now := r.Now().UTC()
	if run.State.Terminal() || now.Sub(run.UpdatedAt) < touchEvery {
		return
	}
	if err := r.Runs.Touch(ctx, run.ID, now); err != nil && ctx.Err() == nil {
		r.Log.Info("a run could not say that it is worked on", "run", string(run.ID),
			"error", err.Error())
	}
}

const (
	MostNaming = 1000 // rows by hash that are looked at
	MostCiting = 20   // answers that a result names for each thing they cite
)

// RunLock names the lock of the process that works on a run.
func RunLock(run wstk.RunID) string { return "run-" + string(run) }
