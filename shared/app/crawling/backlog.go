package crawling

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"wstk/shared/wstk"
)

// SweepEvery is how often a crawl that is driven in one process looks for URLs that no worker works
// on any more; sweepAge is how long such a URL must have rested.
const (
	SweepEvery = 30 * time.Second
	sweepAge   = 20 * time.Minute
)

// heardEvery is how often a process notes that messages of a run come.
const heardEvery = time.Minute

// patience is how long messages of a queue with a backlog are believed to be under way: what
// rested for longer is swept like anything else, or a run that lost a message would never end
// beside one that keeps the queue full.
const patience = 12 * sweepAge

// heard are the runs whose messages this process heard of, by run and queue, and what it
// noted last.
type heard struct {
	mu   sync.Mutex
	last map[string]time.Time
}

// tooSoon reports whether due says little more than what was noted last, else notes it.
func (h *heard) tooSoon(key string, due time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if due.Before(h.last[key].Add(heardEvery)) {
		return true
	}
	if h.last == nil || len(h.last) >= 1000 {
		h.last = map[string]time.Time{}
	}
	h.last[key] = due
	return false
}

// heardKey is the note of a run that holds the time of its newest message that came from a
// queue.
func heardKey(queue string) string { return "heard/" + queue }

// Heard notes that a message came from a queue, and since when it could have come: by that
// the sweep tells what waits behind others from what was lost. Of a body that names no run
// nothing is noted.
func (c *Room) Heard(ctx context.Context, queue string, body []byte, since time.Time) error {
	var of struct {
		Run wstk.RunID `json:"run_id"`
	}
	if json.Unmarshal(body, &of) != nil || !of.Run.Valid() || since.IsZero() ||
		c.heard.tooSoon(string(of.Run)+" "+queue, since) {
		return nil
	}
	value := since.UTC().Format(time.RFC3339Nano)
	for range 5 { // another process may note it at once
		old, err := c.Frontier.Note(ctx, of.Run, heardKey(queue))
		if err != nil {
			return err
		}
		if was, err := time.Parse(time.RFC3339Nano, old); err == nil && !was.Before(since) {
			return nil
		}
		if did, err := c.Frontier.SetNote(ctx, of.Run, heardKey(queue), old, value); err != nil ||
			did {
			return err
		}
	}
	return nil
}

// waiting returns the queues, by their words, that hold messages not received yet.
func (c *Room) waiting(ctx context.Context) (queues []string, err error) {
	depths, err := c.Backlog.Depths(ctx)
	for queue, n := range depths {
		if n > 0 {
			queues = append(queues, queue)
		}
	}
	slices.Sort(queues)
	return queues, err
}

// behind reports whether the messages of a run may still wait in one of these queues, of
// those that hold any: the newest that came is older than half the age at which a URL is
// swept.
func (c *Room) behind(
	ctx context.Context, run wstk.RunID, waiting []string, queues ...string,
) (bool, error) {
	for _, queue := range queues {
		if !slices.Contains(waiting, queue) {
			continue
		}
		note, err := c.Frontier.Note(ctx, run, heardKey(queue))
		if err != nil {
			return false, err
		}
		newest, err := time.Parse(time.RFC3339Nano, note)
		if err != nil || c.Now().Sub(newest) > sweepAge/2 {
			return true, nil
		}
	}
	return false, nil
}

// sweepBefore are the times before which the URLs of a run have rested for too long: those
// that wait to be fetched, and those that wait to be indexed.
func (c *Room) sweepBefore(
	ctx context.Context, run wstk.RunID, waiting []string,
) (queued, stored time.Time, err error) {
	age := func(queues ...string) (time.Time, error) {
		behind, err := c.behind(ctx, run, waiting, queues...)
		if behind {
			c.Log.Info("messages of a run wait behind others: it is not swept", "run",
				string(run), "queues", queues)
			return c.Now().Add(-patience), err
		}
		return c.Now().Add(-sweepAge), err
	}
	if queued, err = age("fetch"); err != nil {
		return queued, stored, err
	}
	stored, err = age("summarize", "index")
	return queued, stored, err
}

// MeasureQueues notes how many messages wait in each queue.
func (c *Room) MeasureQueues(ctx context.Context) error {
	depths, err := c.Backlog.Depths(ctx)
	for queue, n := range depths {
		c.Metrics.Depth(queue, n)
	}
	return err
}
