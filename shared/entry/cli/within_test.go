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
	const step = "to go on: wstk site remove https://a.example/ --with-runs --yes"
	err := wstk.Errorf(wstk.Cancelled, "", "the removal stopped: %w", context.Canceled).WithNext(step)
	got := ended(ctx, time.Second, reply{err: err}).err
	if wstk.CodeOf(got) != wstk.Timeout || !slices.Equal(wstk.NextOf(got), []string{step}) || strings.Contains(got.Error(), "is kept") {
		t.Errorf("%v, %v", got, wstk.NextOf(got))
	}
}
