package cli

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// Work that says how to go on says so when its time limit passed, and not that it needs more.
func TestTheTimeLimitKeepsHowToGoOn(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errTimeLimit)
	goOn := wstk.Step{Do: wstk.DoRemove, For: wstk.ToGoOn, URL: "https://a.example/",
		Options: []wstk.Option{wstk.OptWithRuns.On()}}
	err := wstk.Errorf(wstk.Cancelled, "", "the removal stopped: %w", context.Canceled).Try(wstk.Retry("later"), goOn)
	got := ended(ctx, time.Second, reply{err: err}).err
	if wstk.CodeOf(got) != wstk.Timeout || !slices.Equal(worded(wstk.StepsOf(got)),
		[]string{"to go on: wstk site remove https://a.example/ --with-runs --yes"}) || strings.Contains(got.Error(), "is kept") {
		t.Errorf("%v, %v", got, wstk.StepsOf(got))
	}
}

// What a time limit stops says so, and nothing of what works inside.
func TestTheTimeLimitIsSaidPlainly(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errTimeLimit)
	err := wstk.Errorf(wstk.Timeout, "running state machine extract", "stopped: %w", context.Cause(ctx))
	got := ended(ctx, time.Second, reply{err: err}).err
	if wstk.CodeOf(got) != wstk.Timeout || !strings.Contains(got.Error(), "time limit of 1s") ||
		strings.Contains(got.Error(), "machine") || len(wstk.StepsOf(got)) == 0 {
		t.Errorf("%v, %v", got, wstk.StepsOf(got))
	}
}
