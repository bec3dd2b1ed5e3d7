package local

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"wstk/infra"
	"wstk/shared/adapter/asl"
	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/reading"
	"wstk/shared/wstk"
)

var _ answering.Machines = (*workflows)(nil)

// workflows runs the cloud's state machines in this process. A run holds a lock while
// its machine works, by which others tell a run in progress from one whose process died.
type workflows struct {
	app        *app.App
	background *background
	machines   map[string]*asl.Machine

	mu      sync.Mutex
	started map[wstk.RunID][sha256.Size]byte // hashes of inputs; they stay after the end

	after func(time.Duration) <-chan time.Time // time.After; tests replace it
}

func newWorkflows(a *app.App, b *background) (*workflows, error) {
	w := &workflows{app: a, background: b, machines: map[string]*asl.Machine{},
		started: map[wstk.RunID][sha256.Size]byte{}, after: time.After}
	for _, name := range []string{"answer", "extract", "refresh"} {
		data, err := infra.Machine(name)
		if err != nil {
			return nil, err
		}
		if w.machines[name], err = asl.Parse(name, data, w.task); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// task finds the task of a resource: ${RecallFunction} is the App's task recall.
func (w *workflows) task(resource string) (asl.Task, error) {
	word, ok := strings.CutSuffix(strings.TrimPrefix(resource, "${"), "Function}")
	if !ok {
		return nil, fmt.Errorf("%s names no function", resource)
	}
	return asl.Task(w.app.Task(strings.ToLower(word))), nil
}

func (w *workflows) Start(
	ctx context.Context, machine string, run wstk.RunID, input json.RawMessage,
) error {
	const op = "starting state machine"
	switch {
	case w.machines[machine] == nil:
		return wstk.Errorf(wstk.Invalid, op, "there is no machine %q", machine)
	case len(input) > wstk.MaxPayload:
		return wstk.Errorf(wstk.TooLarge, op, "the input has %d bytes; at most %d are allowed",
			len(input), wstk.MaxPayload)
	}
	if err := ctx.Err(); err != nil {
		return wstk.Wrap(wstk.Cancelled, op, err)
	}
	var plain bytes.Buffer
	if err := json.Compact(&plain, input); err != nil {
		return wstk.Errorf(wstk.Invalid, op, "the input is not JSON: %w", err)
	}
	hash := sha256.Sum256(plain.Bytes())
	w.mu.Lock()
	defer w.mu.Unlock()
	if old, ok := w.started[run]; ok {
		if old != hash {
			return wstk.Errorf(wstk.Conflict, op, "run %s was started with another input", run)
		}
		return nil
	}
	w.started[run] = hash
	w.background.detach(func(ctx context.Context) {
		if err := w.Run(ctx, machine, run, input); err != nil {
			w.app.Log.Warn("run failed", "run", string(run), "code", string(wstk.CodeOf(err)),
				"error", w.app.Config.Logged(err.Error()))
		}
	})
	return nil
}

// Run runs a machine to its end.
func (w *workflows) Run(
	ctx context.Context, machine string, run wstk.RunID, input json.RawMessage,
) error {
	m := w.machines[machine]
	if m == nil {
		return wstk.Errorf(wstk.Invalid, "running state machine", "there is no machine %q", machine)
	}
	unlock, err := w.app.Locks.Lock(ctx, reading.RunLock(run), time.Minute)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = m.Run(ctx, string(run), input)
	return err
}

// EndsLate returns true: this process may do whatever a task may.
func (w *workflows) EndsLate() bool { return true }

// endDeadExtractions ends extractions, answers and resolutions whose process died: no one
// holds their lock.
func (w *workflows) endDeadExtractions(ctx context.Context) error {
	var open []wstk.Run
	for _, kind := range []wstk.RunKind{wstk.RunExtraction, wstk.RunAnswer, wstk.RunResolution} {
		for cursor := ""; ; {
			runs, next, err := w.app.Runs.List(ctx,
				wstk.RunFilter{Kind: kind, State: wstk.RunRunning}, cursor, 1000)
			if err != nil {
				return err
			}
			if open = append(open, runs...); next == "" {
				break
			}
			cursor = next
		}
	}
	for _, r := range open {
		unlock, err := w.app.Locks.Lock(ctx, reading.RunLock(r.ID), time.Minute)
		if wstk.CodeOf(err) == wstk.Conflict {
			continue
		}
		if err != nil {
			return err
		}
		_, err = w.app.Runs.End(ctx, r.ID, wstk.Run{State: wstk.RunFailed, EndedAt: w.app.Now().
			UTC(), Reasons: []string{"the process that worked on it stopped"}})
		unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// recover takes up what processes that died left open: it goes on with crawls, and ends
// extractions and requests. Whether a request still runs in another process, only its age
// tells: the young ones are looked at once more when they are old enough.
func (w *workflows) recover(ctx context.Context) error {
	if err := w.endDeadExtractions(ctx); err != nil {
		return err
	}
	if _, err := w.app.Crawling.EndDeadRequests(ctx); err != nil {
		return err
	}
	w.background.detach(func(ctx context.Context) {
		select {
		case <-ctx.Done():
			return
		case <-w.after(crawling.RequestAge):
		}
		if _, err := w.app.Crawling.EndDeadRequests(ctx); err != nil {
			w.app.Log.Warn("requests that died were not ended", "error", err.Error())
		}
	})
	if err := w.app.Crawling.ResumeRemovals(ctx); err != nil {
		return err
	}
	return w.app.Crawling.ResumeCrawls(ctx)
}

// background runs what goes on after a request was answered.
type background struct {
	ctx  context.Context
	stop context.CancelFunc
	wg   sync.WaitGroup
}

func newBackground() *background {
	b := &background{}
	b.ctx, b.stop = context.WithCancel(context.Background())
	return b
}

func (b *background) detach(work func(context.Context)) {
	b.wg.Go(func() { work(b.ctx) })
}

// close stops what runs and waits until it has.
func (b *background) close() {
	b.stop()
	b.wg.Wait()
}
