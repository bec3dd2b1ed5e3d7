package deadline

import (
	"context"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// TestLibrariesAreLeftBehind: work that does not end keeps a reading no longer than its
// time allows.
func TestLibrariesAreLeftBehind(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		done <- reading(ctx, func(s *Stop) { s.Aside(func() { <-release }) })
	}()
	select {
	case err := <-done:
		if wstk.CodeOf(err) != wstk.Cancelled && wstk.CodeOf(err) != wstk.Timeout {
			t.Errorf("error is %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the reading waits for work that does not end")
	}
}

// TestTickEndsLoops: a loop that ticks ends with its context, and only then.
func TestTickEndsLoops(t *testing.T) {
	loop := func(s *Stop) {
		for range 5000 {
			s.Tick()
		}
	}
	if err := reading(t.Context(), loop); err != nil {
		t.Errorf("a reading with time left ended with %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := reading(ctx, loop); wstk.CodeOf(err) != wstk.Cancelled {
		t.Errorf("a cancelled reading ended with %v", err)
	}
	loop(nil)
}

// TestFaultsOfAsideGoOn: a panic of the work reaches the reading.
func TestFaultsOfAsideGoOn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	defer func() {
		if v := recover(); v != "fault" {
			t.Errorf("recovered %v", v)
		}
	}()
	reading(ctx, func(s *Stop) { s.Aside(func() { panic("fault") }) })
}

func reading(ctx context.Context, do func(*Stop)) (err error) {
	s := New(ctx)
	defer s.Caught(&err)
	do(s)
	return nil
}
