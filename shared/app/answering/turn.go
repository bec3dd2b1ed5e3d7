package answering

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"wstk/shared/wstk"
)

// turns bounds the tasks that compute at the same time, and lets those of the oldest run go
// first. A task that computes waits for little but a processor. With more of them than
// processors each is slower, and so is every request that needs the processor or the database
// in between. The zero value is ready; it may be used concurrently.
type turns struct {
	mu      sync.Mutex
	taken   int
	waiting []*waiter // in the order of their runs, and among those of one in that of coming
}

// waiter is a task that waits for its turn.
type waiter struct {
	run  wstk.RunID // ids of runs sort by time
	next chan struct{}
}

// mostTurns is how many tasks may compute at once: as many as there are processors, and two
// at least, since a task also reads and writes.
func mostTurns() int { return max(2, runtime.GOMAXPROCS(0)) }

// take waits until a task of this run may compute, or returns the cause with which ctx ended.
// done must be called once, and lets the next task go.
func (t *turns) take(ctx context.Context, run wstk.RunID) (done func(), err error) {
	t.mu.Lock()
	if t.taken < mostTurns() {
		t.taken++
		t.mu.Unlock()
		return t.done, nil
	}
	w := &waiter{run, make(chan struct{})}
	at, _ := slices.BinarySearchFunc(t.waiting, run, func(o *waiter, run wstk.RunID) int {
		return cmp.Or(cmp.Compare(o.run, run), -1)
	})
	t.waiting = slices.Insert(t.waiting, at, w)
	t.mu.Unlock()
	select {
	case <-w.next:
		return t.done, nil
	case <-ctx.Done():
		t.leave(w)
		return nil, context.Cause(ctx)
	}
}

// leave ends the wait of a task. If its turn came meanwhile, the next task gets it.
func (t *turns) leave(w *waiter) {
	t.mu.Lock()
	at := slices.Index(t.waiting, w)
	if at >= 0 {
		t.waiting = slices.Delete(t.waiting, at, at+1)
	}
	t.mu.Unlock()
	if at < 0 {
		t.done()
	}
}

// done hands a turn on to the first task that waits.
func (t *turns) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		t.taken--
		return
	}
	close(t.waiting[0].next)
	t.waiting = slices.Delete(t.waiting, 0, 1)
}

// inTurn makes a task that computes when its turn has come.
func inTurn[Out any](
	a *Room, do func(context.Context, Request, Extracting) (Out, error),
) func(context.Context, Request, Extracting) (Out, error) {
	return func(ctx context.Context, q Request, in Extracting) (out Out, err error) {
		done, err := a.turns.take(ctx, in.Run)
		if err != nil {
			return out, err
		}
		defer done()
		return do(ctx, q, in)
	}
}
