package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"wstk/shared/app"
	"wstk/shared/app/crawling"
	"wstk/shared/stage/summarize"
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

	// Linger is how long messages that are worked on together wait for more of them; 0 means
	// linger.
	Linger time.Duration

	app       *app.App
	gathering sync.Mutex // one batch at a time, so that each is as full as it can be

	mu     sync.Mutex
	drives map[wstk.RunID]*drive // by the run that each works on
}

// drive is the work on one run. All drives share the queues, so that the workers of one may
// receive a message of another: it is worked on as part of the drive that it belongs to.
type drive struct {
	ctx      context.Context // ends with the drive
	stop     context.CancelCauseFunc
	inFlight sync.WaitGroup // messages of the run
	failures atomic.Int32   // of stages, since the last success
}

var _ crawling.Worker = (*Worker)(nil)

// workers is how many messages of each queue are worked on at once. A fetch step
// holds its host only while it fetches, so several pages of one host are read and
// indexed while the next is fetched.
var workers = map[string]int{"crawl": 1, "fetch": 8, "summarize": 2, "index": 2}

// Drive works on a run until it has ended. It returns when none of the run's messages is worked
// on any more.
func (w *Worker) Drive(ctx context.Context, run wstk.Run, resumed bool, tick func()) error {
	var deadline <-chan time.Time
	if limit := w.app.Config.Timeout; limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		deadline = timer.C
	}
	d := w.begin(ctx, run.ID)
	err := w.send(d.ctx, crawling.CrawlTask{Run: run.ID, Site: run.Site, Resume: resumed})
	if err == nil {
		for queue, n := range workers {
			for range n {
				go w.work(d.ctx, queue)
			}
		}
		err = w.watch(d.ctx, run.ID, deadline, tick)
	}
	w.end(run.ID, d, err)
	if cause := context.Cause(d.ctx); err == nil && cause != nil &&
		!errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// begin makes the messages of a run worked on.
func (w *Worker) begin(ctx context.Context, run wstk.RunID) *drive {
	d := &drive{}
	d.ctx, d.stop = context.WithCancelCause(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.drives == nil {
		w.drives = map[wstk.RunID]*drive{}
	}
	w.drives[run] = d
	return d
}

// end stops a drive and waits for its messages in flight. cause may be nil.
func (w *Worker) end(run wstk.RunID, d *drive, cause error) {
	d.stop(cause)
	w.mu.Lock()
	delete(w.drives, run)
	w.mu.Unlock()
	d.inFlight.Wait()
}

// owner returns the drive of a message, with the message counted as in flight; nil if no one
// works on its run any more.
func (w *Worker) owner(m wstk.Message) *drive {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.drives[wstk.RunID(m.Group)]
	if d != nil {
		d.inFlight.Add(1)
	}
	return d
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

// work receives messages of one queue until ctx ends. It finishes the one that it has then, if
// that belongs to another drive. A message whose run no one works on any more is dropped: what
// continues the run sends it again.
func (w *Worker) work(ctx context.Context, queue string) {
	for {
		m, done, err := w.Inbox.Receive(ctx, queue)
		if err != nil {
			return
		}
		d := w.owner(m)
		if d == nil {
			done(nil)
			continue
		}
		if batch := w.app.Crawling.Batch(queue); batch != nil {
			w.together(ctx, queue, batch, received{m, done, d})
			continue
		}
		w.handle(d, m, done)
		d.inFlight.Done()
	}
}

// linger is how long the first message of a batch waits for others. A polite crawl reads about a
// page a second of a site, and a batch is full with summarize.DefaultBatch of them.
const linger = 8 * time.Second

// received is a message that is in flight.
type received struct {
	wstk.Message
	done  func(error)
	drive *drive
}

// together gathers messages of a queue and works on them together, those of each run by
// themselves. A run that ends waits for no more of them.
func (w *Worker) together(
	ctx context.Context, queue string, batch crawling.BatchHandler, first received,
) {
	all := w.gather(ctx, queue, first)
	of := map[*drive][]received{}
	var order []*drive
	for _, r := range all {
		if of[r.drive] == nil {
			order = append(order, r.drive)
		}
		of[r.drive] = append(of[r.drive], r)
	}
	for _, d := range order {
		bodies := make([]json.RawMessage, len(of[d]))
		for i, r := range of[d] {
			bodies[i] = r.Body
		}
		for i, h := range batch(d.ctx, bodies) {
			w.ended(d, queue, h.Next, h.Err, of[d][i].done)
			d.inFlight.Done()
		}
	}
}

// gather receives what comes within a while of the first message, up to a batch.
func (w *Worker) gather(ctx context.Context, queue string, first received) []received {
	w.gathering.Lock()
	defer w.gathering.Unlock()
	all := []received{first}
	wait := w.Linger
	if wait == 0 {
		wait = linger
	}
	ctx, stop := context.WithTimeout(ctx, wait)
	defer stop()
	defer context.AfterFunc(first.drive.ctx, stop)()
	for len(all) < summarize.DefaultBatch {
		m, done, err := w.Inbox.Receive(ctx, queue)
		if err != nil {
			break
		}
		if d := w.owner(m); d != nil {
			all = append(all, received{m, done, d})
		} else {
			done(nil)
		}
	}
	return all
}

// handle hands a message to its stage. A message that fails comes again; a failure that would
// only repeat itself (a full disk, a broken database) stops its drive, with everything stored
// kept.
func (w *Worker) handle(d *drive, m wstk.Message, done func(error)) {
	next, err := w.app.Crawling.Route(m.Queue)(d.ctx, m.Body)
	w.ended(d, m.Queue, next, err, done)
}

// ended sends what follows a message, or deals with its failure.
func (w *Worker) ended(
	d *drive, queue string, next []wstk.Message, err error, done func(error),
) {
	if err == nil {
		err = w.app.Queue.Send(d.ctx, next...)
	}
	done(err)
	switch {
	case err == nil:
		d.failures.Store(0)
	case d.ctx.Err() == nil: // it comes again, or the crawl stops and says why
		w.app.Log.Info("stage failed", "queue", queue, "error", err.Error())
		if !wstk.IsTransient(err) || crawling.DiskIsFull(err) ||
			d.failures.Add(1) >= maxFailures {
			d.stop(fmt.Errorf("%s: %w", queue, err))
		}
	}
}

// maxFailures in a row, over all stages of one run, stop its crawl: the store is down, and going
// on would only burn the attempts of every URL.
const maxFailures = 8

func (w *Worker) send(ctx context.Context, task crawling.CrawlTask) error {
	m, err := wstk.NewMessage("crawl", task, time.Time{})
	if err != nil {
		return err
	}
	return w.app.Queue.Send(ctx, m)
}
