package crawling

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"wstk/shared/wstk"
)

// SweepEvery is how often a crawl in one process looks for URLs that no worker works on any more.
// sweepAge is how long such a URL must have rested.
const (
	SweepEvery = 30 * time.Second
	sweepAge   = 20 * time.Minute
)

// heardEvery is how often a process notes that messages of a run come.
const heardEvery = time.Minute

// patience is how long the messages of a queue with a backlog are believed to be under way. A URL
// that has rested for longer is swept; otherwise a run that lost a message would never end while
// another run keeps the queue full.
const patience = 12 * sweepAge

// heard are the times that this process noted last, by run and queue.
type heard struct {
	mu   sync.Mutex
	last map[string]time.Time
}

// tooSoon reports whether due is close to the time that was noted last. If not, it notes due.
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

// Heard notes that a message came from a queue, and since when it could have come. By this the
// sweep distinguishes messages that wait behind others from messages that were lost. A body that
// names no run is ignored.
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

// sweepBefore returns the times before which the URLs of a run have rested for too long: those
// that wait to be fetched, and those that wait to be indexed.
func (c *Room) sweepBefore(
	ctx context.Context, run wstk.RunID, waiting []string,
) (queued, stored time.Time, err error) {
	age := func(queues ...string) (time.Time, error) {
		behind, err := c.behind(ctx, run, waiting, queues...)
		if behind {
			c.Log.Info("messages of a run wait behind those of others: its URLs are not swept",
				"run",
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
