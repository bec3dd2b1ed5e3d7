package cli

import (
	"context"
	"errors"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/wstk"
)

// Time limits of commands for which none is set, beside config.OnePageTime.
const (
	usualTime = 5 * time.Minute
	noLimit   = 0
	ownLimit  = -1 // none, and one that is set is kept to by the work itself
	endless   = -2 // none, and the work ends in its own time when it is stopped
)

// unwindTime is how long work may take to end once its time is over. Work that takes
// longer is left behind: whatever it still does ends with the process.
const unwindTime = 250 * time.Millisecond

// errTimeLimit is the cause of a context whose command took too long.
var errTimeLimit error = wstk.Errorf(wstk.Timeout, "", "the time limit passed")

// within runs work until it is done, its time is over or ctx ends, and is back within a
// second after that, whether work has noticed or not. The limit is the one that the user
// set, else the usual one.
func within(ctx context.Context, usual, set time.Duration, work func(context.Context) reply) reply {
	if usual == endless {
		return work(ctx)
	}
	limit := set
	if limit == 0 {
		limit = max(usual, 0)
	}
	ending, stop := context.WithCancel(ctx)
	if limit > 0 { // and a little, to store that it has passed
		stop()
		ending, stop = context.WithTimeoutCause(ctx, limit+reading.GraceTime, errTimeLimit)
	}
	defer stop()
	working := ending
	if usual == ownLimit {
		working = ctx
	}
	done := make(chan reply, 1)
	go func() { done <- work(working) }()
	select {
	case r := <-done:
		return ended(ending, limit, r)
	case <-ending.Done():
	}
	patience := unwindTime
	if ctx.Err() != nil {
		patience += reading.GraceTime
	}
	select {
	case r := <-done:
		return ended(ending, limit, r)
	case <-time.After(patience):
		return ended(ending, limit, reply{err: context.Cause(ending)})
	}
}

// ended is r, whose error says why the work was stopped, if it was.
func ended(ctx context.Context, limit time.Duration, r reply) reply {
	if ctx.Err() == nil || r.err == nil {
		return r
	}
	cause := context.Cause(ctx)
	late, stopped := errors.Is(cause, errTimeLimit),
		errors.Is(r.err, context.Canceled) || errors.Is(r.err, context.DeadlineExceeded)
	switch code := wstk.CodeOf(r.err); {
	case !stopped && !errors.Is(r.err, cause) && code != wstk.Cancelled && code != wstk.Internal &&
		code != wstk.Unavailable:
		// the work's own words
	case late && len(goingOn(r.err)) > 0:
		r.err = wstk.Errorf(wstk.Timeout, "", "stopped after the time limit of %s, before it was "+
			"done", limit).Try(goingOn(r.err)...)
	case late:
		r.err = wstk.Errorf(wstk.Timeout, "",
			"stopped after the time limit of %s; what was stored until then is kept", limit).
			Try(wstk.Step{Do: wstk.DoOption, For: "give it more time",
				Options: []wstk.Option{wstk.OptTimeout.Set(2 * limit)}})
	case code != wstk.Cancelled:
		r.err = wstk.Errorf(wstk.Cancelled, "", "%w", cause).Try(wstk.StepsOf(r.err)...)
	}
	return r
}

// goingOn are the next steps of an error that go on with the work where it stopped.
func goingOn(err error) (out []wstk.Step) {
	for _, s := range wstk.StepsOf(err) {
		if s.For == wstk.ToGoOn {
			out = append(out, s)
		}
	}
	return out
}
