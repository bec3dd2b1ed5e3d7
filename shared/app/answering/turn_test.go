package answering

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"wstk/shared/wstk"
)

// queue takes turns, and knows which runs have theirs.
type queue struct {
	*testing.T
	turns turns
	going []wstk.RunID
	ends  []func()
}

// come has a task of this run take a turn, or wait for it.
func (q *queue) come(ctx context.Context, run wstk.RunID) {
	go func() {
		done, err := q.turns.take(ctx, run)
		if err != nil {
			if !errors.Is(err, errCancelled) {
				q.Errorf("%s: %v; want the cause of its end", run, err)
			}
			return
		}
		q.going, q.ends = append(q.going, run), append(q.ends, done)
	}()
	synctest.Wait()
}

func (q *queue) are(when string, want ...wstk.RunID) {
	q.Helper()
	if got := q.going[mostTurns():]; !slices.Equal(got, want) {
		q.Errorf("%s: %v go, want %v", when, got, want)
	}
}

// As many tasks compute as there are turns. The next is of the oldest run that waits.
func TestTheOldestRunGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{T: t}
		for range mostTurns() {
			q.come(t.Context(), "run_0")
		}
		gone, leave := context.WithCancelCause(t.Context())
		q.come(t.Context(), "run_3")
		q.come(gone, "run_1")
		q.come(t.Context(), "run_2")
		q.are("all turns are taken")
		leave(errCancelled)
		synctest.Wait()
		q.are("a task left the queue")
		for i, want := range [][]wstk.RunID{{"run_2"}, {"run_2", "run_3"}, {"run_2", "run_3"}} {
			q.ends[i]()
			synctest.Wait()
			q.are("a turn ended", want...)
		}
		q.come(t.Context(), "run_4")
		q.are("a turn is free", "run_2", "run_3", "run_4")
	})
}

// A task that left just when its turn came hands the turn on.
func TestATurnIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{T: t}
		for range mostTurns() {
			q.come(t.Context(), "run_0")
		}
		left := &waiter{"run_1", make(chan struct{})}
		q.turns.waiting = append(q.turns.waiting, left)
		q.come(t.Context(), "run_2")
		q.ends[0]() // the turn of run_1, which is no longer there
		q.turns.leave(left)
		synctest.Wait()
		q.are("it left", "run_2")
	})
}
