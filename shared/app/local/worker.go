package local

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"wstk/shared/app"
	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// Inbox is the receiving side of a queue.
type Inbox interface {
	// Receive waits for the next message of a queue that is due. Calling done with
	// nil removes it; with an error it comes again.
	Receive(ctx context.Context, queue string) (m wstk.Message, done func(error), err error)
}

// Worker works on the messages of crawls in this process, as the functions do in the cloud.
type Worker struct {
	Inbox Inbox // of the App's Queue

	app      *app.App
	failures atomic.Int32 // of stages, since the last success
}

var _ crawling.Worker = (*Worker)(nil)

// workers is how many messages of each queue are worked on at once. A fetch step
// holds its host only while it fetches, so several pages of one host are read and
// indexed while the next is fetched.
var workers = map[string]int{"crawl": 1, "fetch": 8, "summarize": 2, "index": 2}

// Drive works on a run until it has ended.
func (w *Worker) Drive(ctx context.Context, run wstk.Run, resumed bool, tick func()) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var deadline <-chan time.Time
	if limit := w.app.Config.Timeout; limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		deadline = timer.C
	}
	if err := w.send(ctx, crawling.CrawlTask{Run: run.ID, Site: run.Site,
		Resume: resumed}); err != nil {
		return err
	}

	var group sync.WaitGroup
	for queue, n := range workers {
		for range n {
			group.Go(func() { w.work(ctx, queue, stop) })
		}
	}
	err := w.watch(ctx, run.ID, deadline, tick)
	stop(err)
	group.Wait()
	if cause := context.Cause(ctx); err == nil && cause != nil &&
		!errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// watch waits for the run to end, sweeping it now and then, so that a message that
// was lost cannot keep it open.
func (w *Worker) watch(
	ctx context.Context, run wstk.RunID, deadline <-chan time.Time, tick func(),
) error {
	a := w.app
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	lastSweep := a.Now()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-deadline:
			return a.Crawl.Abort(context.WithoutCancel(ctx), run, wstk.RunPartial,
				"the time limit of "+a.Config.Timeout.String()+" passed")
		case <-ticker.C:
		}
		tick()
		r, err := a.Runs.Get(ctx, run)
		if err != nil {
			return err
		}
		if r.State.Terminal() {
			return nil
		}
		if r.Cancel {
			return a.Crawl.Abort(context.WithoutCancel(ctx), run, wstk.RunCancelled,
				crawling.Cancelled)
		}
		a.Reading.Touch(ctx, r)
		if a.Now().Sub(lastSweep) >= crawling.SweepEvery {
			lastSweep = a.Now()
			if err := w.send(ctx, crawling.CrawlTask{Run: run, Site: r.Site,
				Sweep: true}); err != nil {
				return err
			}
		}
	}
}

// work receives messages of one queue and hands them to their stage until ctx ends.
// A message that fails comes again; a failure that would only repeat itself (a full
// disk, a broken database) stops the whole drive, with everything stored kept.
func (w *Worker) work(ctx context.Context, queue string, stop context.CancelCauseFunc) {
	for {
		m, done, err := w.Inbox.Receive(ctx, queue)
		if err != nil {
			return
		}
		next, err := w.app.Crawling.Route(queue)(ctx, m.Body)
		if err == nil {
			err = w.app.Queue.Send(ctx, next...)
		}
		done(err)
		if err != nil && ctx.Err() == nil {
			// it comes again, or the crawl stops and says why
			w.app.Log.Info("stage failed", "queue", queue, "error", err.Error())
			if !wstk.IsTransient(err) || crawling.DiskIsFull(err) ||
				w.failures.Add(1) >= maxFailures {
				stop(fmt.Errorf("%s: %w", queue, err))
				return
			}
		}
		if err == nil {
			w.failures.Store(0)
		}
	}
}

// maxFailures in a row, over all stages, stop a crawl: the store is down, and going
// on would only burn the attempts of every URL.
const maxFailures = 8

func (w *Worker) send(ctx context.Context, task crawling.CrawlTask) error {
	m, err := wstk.NewMessage("crawl", task, time.Time{})
	if err != nil {
		return err
	}
	return w.app.Queue.Send(ctx, m)
}
