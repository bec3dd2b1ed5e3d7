package limit_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"wstk/shared/adapter/files"
	"wstk/shared/adapter/limit"
	"wstk/shared/wstk"
)

func TestProbe(t *testing.T) {
	clock := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
	asked, there := 0, false
	p := limit.Probe{Key: "x", Cache: files.Cache{Dir: t.TempDir(),
		Now: func() time.Time { return clock }}, Ask: func(ctx context.Context) error {
		asked++
		if end, ok := ctx.Deadline(); !ok || time.Until(end) > time.Second {
			t.Error("it may take longer than a second")
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !there {
			return errors.New("no answer")
		}
		return nil
	}}
	for range 2 {
		if err := p.Do(t.Context()); wstk.CodeOf(err) != wstk.Network || asked != 1 {
			t.Errorf("asked %d times: %v", asked, err)
		}
	}
	clock, there = clock.Add(2*time.Minute), true
	for range 2 {
		if err := p.Do(t.Context()); err != nil || asked != 2 {
			t.Errorf("asked %d times: %v", asked, err)
		}
	}

	clock = clock.Add(2 * time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Do(ctx); wstk.CodeOf(err) != wstk.Cancelled {
		t.Errorf("got %v", err)
	}
	if err := p.Do(t.Context()); err != nil {
		t.Errorf("a caller who went away is remembered: %v", err)
	}
	if err := (limit.Probe{Ask: func(context.Context) error { return nil }}).
		Do(t.Context()); err != nil {
		t.Errorf("without a cache: %v", err)
	}
}
