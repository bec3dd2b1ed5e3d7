package crawling

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/stage/summarize"
	"wstk/shared/wstk"
)

// summarizeStep summarizes pages, those of one message each, and hands them to index. A page on
// which a model fails goes on without a summary, and its run says so.
func (c *Room) summarizeStep(ctx context.Context, bodies []json.RawMessage) []Handled {
	defer func(started time.Time) { c.Metrics.Time("summarize", started, nil) }(time.Now())
	out := make([]Handled, len(bodies))
	tasks := make([]reading.PageTask, len(bodies))
	var which []int
	var docs []*wstk.Document
	for i, body := range bodies {
		if err := json.Unmarshal(body, &tasks[i]); err != nil {
			out[i].Err = wstk.Errorf(wstk.Invalid, "reading message", "%w", err)
			continue
		}
		doc, err := wstk.LoadDocument(ctx, c.Blobs, tasks[i].Document)
		if wstk.CodeOf(err) == wstk.NotFound {
			if held, e := c.Reading.Held(ctx, tasks[i].URL); e != nil || !held {
				out[i].Err = e // nil: its site was removed
				continue
			}
		}
		if err != nil {
			out[i].Err = err
			continue
		}
		which, docs = append(which, i), append(docs, doc)
	}
	var cost wstk.Usage
	made := c.Summarize.Each(summarize.Reporting(ctx,
		func(u wstk.Usage, _ wstk.ProposedBy) { cost.Add(u) }), docs...)
	if len(which) > 0 { // a batch of several runs is paid by that of its first page
		c.spent(ctx, tasks[which[0]].Run, cost)
	}
	for n, i := range which {
		out[i].Next, out[i].Err = c.summarized(ctx, tasks[i], made[n])
	}
	return out
}

// spent notes what models cost that a run asked. It is paid, even if the run was cancelled.
func (c *Room) spent(ctx context.Context, run wstk.RunID, cost wstk.Usage) {
	if err := c.Crawl.Summarized(context.WithoutCancel(ctx), run, cost); err != nil {
		c.Log.Warn("what models cost was not noted", "run", string(run), "error", err.Error())
	}
}

// summarized hands a page on with its summary.
func (c *Room) summarized(
	ctx context.Context, t reading.PageTask, made summarize.Made,
) ([]wstk.Message, error) {
	switch code := wstk.CodeOf(made.Err); {
	case errors.Is(made.Err, wstk.ErrUnusable): // and so it would be for each page
		return nil, made.Err
	case made.Err == nil:
		key := made.Key()
		t.Summary = &key
	case code == wstk.ModelFailed || code == wstk.TooLarge:
		c.Log.Warn("a page has no summary", "url", t.URL, "code", string(code), "error",
			made.Err.Error())
		if err := c.Crawl.Summarized(ctx, t.Run, wstk.Usage{}, t.URL); err != nil {
			return nil, err
		}
	default:
		return nil, made.Err
	}
	if held, err := c.Reading.Held(ctx, t.URL); err != nil {
		return nil, err
	} else if !held { // the removal of its site came between
		return nil, c.Summaries.Remove(ctx, t.URL)
	}
	m, err := wstk.NewMessage("index", t, time.Time{})
	return []wstk.Message{m}, err
}
