package event

import (
	"context"
	"testing"
	"time"
)

// A call of a minute or more stops ten seconds before its end, a shorter one at three
// quarters of it; one without an end has none.
func TestStopEarly(t *testing.T) {
	for whole, want := range map[time.Duration]time.Duration{2 * time.Minute: 110 * time.Second,
		time.Minute: 50 * time.Second, 20 * time.Second: 15 * time.Second} {
		ctx, cancel := context.WithTimeout(t.Context(), whole)
		work, stop := inTime(ctx)
		end, ok := work.Deadline()
		if left := time.Until(end); !ok || left > want || left < want-time.Second {
			t.Errorf("of %v there are %v for work, want %v", whole, left, want)
		}
		stop()
		cancel()
	}
	work, stop := inTime(context.Background())
	defer stop()
	if _, ok := work.Deadline(); ok {
		t.Error("a call without an end has one")
	}
}
