package app

import (
	"context"

	"wstk/shared/wstk"
)

// Run returns a run that the caller may see: another name's is NotFound, as one that is not
// there.
func (a *App) Run(ctx context.Context, id wstk.RunID) (wstk.Run, error) {
	run, err := a.Runs.Get(ctx, id)
	if err == nil && !(wstk.RunFilter{Owner: wstk.CallerOf(ctx).Sees()}).Match(run) || wstk.CodeOf(err) == wstk.NotFound {
		return wstk.Run{}, wstk.Errorf(wstk.NotFound, "", "there is no run %q", string(id))
	}
	return run, err
}

// ListRuns lists the runs of a kind that the caller may see, newest first.
func (a *App) ListRuns(ctx context.Context, kind wstk.RunKind, cursor string, limit int) ([]wstk.Run, string, error) {
	return a.Runs.List(ctx, wstk.RunFilter{Kind: kind, Owner: wstk.CallerOf(ctx).Sees()}, cursor, limit)
}
