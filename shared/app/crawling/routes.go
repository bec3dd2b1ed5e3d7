package crawling

import (
	"context"
	"encoding/json"

	"wstk/shared/wstk"
)

// Handler handles one message and returns those that follow. It may see a message twice, late or
// out of order. If the work is already done, it does nothing.
type Handler func(ctx context.Context, body json.RawMessage) ([]wstk.Message, error)

// Route says which steps a queue's message goes through:
//
//	crawl      seed the frontier, release URLs              → fetch
//	fetch      fetch, read, screen, settle, discover links  → summarize, fetch
//	summarize  summarize                                    → index
//	index      chunk, index, close the URL                  → fetch
//
// Queue, function, stage and sample event share the word.
func (c *Room) Route(queue string) Handler {
	switch queue {
	case "crawl":
		return handle(c.crawlStep)
	case "fetch":
		return handle(c.fetchStep)
	case "summarize":
		return func(ctx context.Context, body json.RawMessage) ([]wstk.Message, error) {
			done := c.summarizeStep(ctx, []json.RawMessage{body})[0]
			return done.Next, done.Err
		}
	case "index":
		return handle(c.indexStep)
	}
	return func(context.Context, json.RawMessage) ([]wstk.Message, error) {
		return nil, wstk.Errorf(wstk.Invalid, "routing message", "there is no queue %q", queue)
	}
}

// Handled is what became of a message: those that follow, or why it comes again.
type Handled struct {
	Next []wstk.Message
	Err  error
}

// BatchHandler handles messages of one queue together and returns what became of each.
type BatchHandler func(ctx context.Context, bodies []json.RawMessage) []Handled

// Batch is Route for a queue whose messages are worked on together, since a model that is asked
// for several pages at once costs less; nil for any other queue.
func (c *Room) Batch(queue string) BatchHandler {
	if queue != "summarize" || c.Summarize == nil || !c.Summarize.Asks() {
		return nil
	}
	return c.summarizeStep
}

func handle[T any](step func(context.Context, T) ([]wstk.Message, error)) Handler {
	return func(ctx context.Context, body json.RawMessage) ([]wstk.Message, error) {
		var in T
		if err := json.Unmarshal(body, &in); err != nil {
			return nil, wstk.Errorf(wstk.Invalid, "reading message", "%w", err)
		}
		return step(ctx, in)
	}
}

// CrawlTask asks to begin a run, or to check one that is open.
type CrawlTask struct {
	Run  wstk.RunID  `json:"run_id"`
	Site wstk.SiteID `json:"site_id"`
	// no other process works on the run: continue everything that was under way
	Resume bool `json:"resume,omitempty"`
	Sweep  bool `json:"sweep,omitempty"` // continue only what has rested for long

	// Waiting are the queues that held messages when the sweep began.
	Waiting []string `json:"waiting,omitempty"`
}
