package crawling

import (
	"context"
	"errors"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/stage/crawl"
	"wstk/shared/stage/fetch"
	"wstk/shared/wstk"
)

// crawlStep begins a run, continues one, or checks whether more URLs can be released.
func (c *Room) crawlStep(ctx context.Context, t CrawlTask) (next []wstk.Message, err error) {
	defer func(started time.Time) { c.Metrics.Time("crawl", started, err) }(time.Now())
	run, err := c.Runs.Get(ctx, t.Run)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil // it was removed
	}
	if err == nil && run.Kind == wstk.RunRemoval {
		return c.removalMessage(ctx, run)
	}
	run, site, err := c.runAndSite(ctx, t.Run, t.Site)
	if err != nil {
		return nil, err
	}
	if run.Cancel && !run.State.Terminal() { // before anything else is fetched
		return nil, c.Crawl.Abort(ctx, run.ID, wstk.RunCancelled, Cancelled)
	}
	var more crawl.Next
	switch {
	case t.Resume:
		swept, err := c.Crawl.Resume(ctx, run, site)
		if err != nil {
			return nil, err
		}
		if err := c.forgetWake(ctx, run.ID); err != nil {
			return nil, err
		}
		more = swept.Next
	case t.Sweep:
		queued, stored, err := c.sweepBefore(ctx, run.ID, t.Waiting)
		if err != nil {
			return nil, err
		}
		swept, err := c.Crawl.SweepAges(ctx, run, site, queued, stored)
		if err != nil {
			return nil, err
		}
		more = swept.Next
	}
	if site.LastRun < run.ID { // the process that began the run died before this
		site.LastRun, site.UpdatedAt = run.ID, c.Now().UTC()
		if err := c.SiteStore.Put(ctx, site); err != nil {
			return nil, err
		}
	}
	if _, err := c.Crawl.Seed(ctx, run, site); err != nil {
		return nil, err
	}
	if next, err = c.follow(ctx, run, site, more); err != nil {
		return nil, err
	}
	released, err := c.release(ctx, run, site)
	return append(next, released...), err
}

// byDate is a page that the sitemap says has not changed; its ByDate is "" for all others.
func (c *Room) byDate(
	ctx context.Context, run wstk.Run, task wstk.FetchTask, u wstk.FrontierURL,
) (out reading.Read, err error) {
	out.Fetched, _, err = c.Crawl.ByDate(ctx, run, task, u, c.Now())
	return out, err
}

// fetchStep fetches one URL of a crawl, reads and screens what came, and settles the URL: its
// links enter the frontier, and the URL is closed, put back, or handed to summarize.
func (c *Room) fetchStep(ctx context.Context, task wstk.FetchTask) ([]wstk.Message, error) {
	run, site, err := c.runAndSite(ctx, task.Run, task.Site)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil // its site was removed
	}
	if err != nil {
		return nil, err
	}
	u, err := c.Frontier.Get(ctx, task.Run, task.URL)
	if err != nil {
		return nil, err
	}
	if run.State.Terminal() || u.Slot != task.Slot ||
		u.State != wstk.URLQueued && u.State != wstk.URLStored {
		return c.repeated(ctx, run, site, task, u)
	}
	if run.Cancel { // the crawl message that came with it closes what is open
		return nil, nil
	}
	fetched := reading.Read{Fetched: crawl.Fetched{Task: task}}
	// otherwise an earlier delivery stored the page and was cut off: only settle it
	if u.State == wstk.URLQueued {
		if fetched, err = c.byDate(ctx, run, task, u); err == nil && fetched.ByDate == "" {
			fetched, err = c.fetchAndRead(ctx, run, site, task)
		}
	}
	if err == nil && c.needsBrowser(run, site, fetched) {
		task.Method = wstk.MethodBrowser
		return c.anotherSlot(ctx, run, site, task, c.Now())
	}
	if busy := (*fetch.Busy)(nil); errors.As(err, &busy) {
		until := busy.Until
		if at := c.Now().Add(busyPause); at.After(until) {
			until = at
		}
		return c.anotherSlot(ctx, run, site, task, until)
	}
	if err != nil {
		return nil, err
	}
	started := time.Now()
	settled, err := c.Crawl.Settle(ctx, run, site, fetched.Fetched)
	c.Metrics.Time("settle", started, err)
	if err != nil {
		return nil, err
	}
	next, err := c.follow(ctx, run, site, settled.Next)
	if err != nil {
		return nil, err
	}
	released, err := c.release(ctx, run, site)
	return append(next, released...), err
}

// repeated handles a message whose work is already done, by another delivery or by an earlier one
// of its own that was cut off afterwards. It repeats what follows from the URL's outcome.
func (c *Room) repeated(
	ctx context.Context, run wstk.Run, site wstk.Site, task wstk.FetchTask, u wstk.FrontierURL,
) ([]wstk.Message, error) {
	if u.State == wstk.URLClosed && u.Slot == task.Slot && site.LastRun == run.ID {
		drop := u.Outcome == wstk.OutcomeNotFound || u.Outcome == wstk.OutcomeDuplicateOf
		// a page whose text was forgotten, not one that could not be asked for
		if u.Outcome == wstk.OutcomeRefusedRobots {
			p, err := c.Pages.Get(ctx, u.URL)
			if err != nil && wstk.CodeOf(err) != wstk.NotFound {
				return nil, err
			}
			drop = p.Document == ""
		}
		if drop {
			if err := c.Index.Remove(ctx, u.URL); err != nil {
				return nil, err
			}
		}
	}
	if run.State.Terminal() {
		return nil, nil
	}
	return c.release(ctx, run, site)
}

// busyPause is the least time before a busy host is tried again. The process that holds the host
// may have died; then the host is busy until the end of the lease.
const busyPause = time.Second

// anotherSlot sends a task again, with another slot of its host, not before until. If the host asks for
// a pause that is too long to wait for, the run continues without the URL.
func (c *Room) anotherSlot(
	ctx context.Context, run wstk.Run, site wstk.Site, task wstk.FetchTask, until time.Time,
) ([]wstk.Message, error) {
	task, moved, err := c.Crawl.Requeue(ctx, task, until)
	if err != nil {
		return nil, err
	}
	if !moved {
		return c.release(ctx, run, site)
	}
	m, err := wstk.NewMessage("fetch", task, task.NotBefore)
	return []wstk.Message{m}, err
}

// follow turns what crawl asks for into messages and removals.
func (c *Room) follow(
	ctx context.Context, run wstk.Run, site wstk.Site, n crawl.Next,
) ([]wstk.Message, error) {
	for _, url := range n.Drop {
		if err := c.Index.Remove(ctx, url); err != nil {
			return nil, err
		}
	}
	var out []wstk.Message
	for _, u := range n.Index {
		m, err := wstk.NewMessage("summarize", reading.PageTask{Run: run.ID, Site: site.ID,
			URL: u.URL, Document: u.Document}, time.Time{})
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// release sends what may be fetched next, and ends the run when no URL is open.
func (c *Room) release(
	ctx context.Context, run wstk.Run, site wstk.Site,
) (next []wstk.Message, err error) {
	defer func(started time.Time) { c.Metrics.Time("release", started, err) }(time.Now())
	defer func() {
		// what was queued needs its message, even if something failed afterwards
		if err != nil && len(next) > 0 {
			after, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer stop()
			if e := c.Queue.Send(after, next...); e != nil {
				c.Log.Warn("released URLs wait for the sweep", "run", string(run.ID),
					"error", e.Error())
			}
			next = nil
		}
	}()
	c.Reading.Touch(ctx, run)
	r, err := c.Crawl.Release(ctx, run, site)
	for _, t := range r.Tasks {
		m, e := wstk.NewMessage("fetch", t, t.NotBefore)
		if e != nil {
			return next, e
		}
		next = append(next, m)
	}
	if err != nil {
		return next, err
	}
	more, err := c.follow(ctx, run, site, r.Next)
	next = append(next, more...)
	switch {
	case err != nil || r.Finished:
		return next, err
	case r.Cancel:
		return next, c.Crawl.Abort(ctx, run.ID, wstk.RunCancelled, Cancelled)
	case r.Open == 0:
		_, err := c.Crawl.Finish(ctx, run, site)
		return next, err
	case len(r.Tasks) == 0 && !r.Again.IsZero():
		wake, err := c.wake(ctx, run, site, r.Again)
		return append(next, wake...), err
	}
	return next, nil
}

// wakeKey is the note of a run that says when a worker will check it again. Of many workers with
// nothing to do, only one sends that message.
const wakeKey = "wake"

func (c *Room) wake(
	ctx context.Context, run wstk.Run, site wstk.Site, at time.Time,
) ([]wstk.Message, error) {
	old, err := c.Frontier.Note(ctx, run.ID, wakeKey)
	if err != nil {
		return nil, err
	}
	if set, err := time.Parse(time.RFC3339Nano, old); err == nil && set.After(c.Now()) &&
		!set.After(at.Add(time.Second)) {
		return nil, nil
	}
	mine, err := c.Frontier.SetNote(ctx, run.ID, wakeKey, old, at.UTC().Format(time.RFC3339Nano))
	if err != nil || !mine {
		return nil, err
	}
	m, err := wstk.NewMessage("crawl", CrawlTask{Run: run.ID, Site: site.ID}, at)
	return []wstk.Message{m}, err
}

func (c *Room) forgetWake(ctx context.Context, run wstk.RunID) error {
	old, err := c.Frontier.Note(ctx, run, wakeKey)
	if err != nil || old == "" {
		return err
	}
	_, err = c.Frontier.SetNote(ctx, run, wakeKey, old, "")
	return err
}

// indexStep cuts one page into chunks, indexes them, and closes the URL.
func (c *Room) indexStep(ctx context.Context, t reading.PageTask) ([]wstk.Message, error) {
	run, site, err := c.runAndSite(ctx, t.Run, t.Site)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil // its site was removed
	}
	if err != nil {
		return nil, err
	}
	started := time.Now()
	var cost wstk.Usage
	err = c.Reading.IndexPage(wstk.Spending(ctx, cost.Add), t)
	c.Metrics.Time("index", started, err)
	c.spent(ctx, t.Run, cost) // before the last page ends the run
	if err != nil {
		return nil, err
	}
	started = time.Now()
	more, err := c.Crawl.Acknowledge(ctx, run, site, t.URL)
	c.Metrics.Time("acknowledge", started, err)
	if err != nil {
		return nil, err
	}
	next, err := c.follow(ctx, run, site, more)
	if err != nil {
		return nil, err
	}
	released, err := c.release(ctx, run, site)
	return append(next, released...), err
}

// runAndSite returns the run and the site of a message.
func (c *Room) runAndSite(
	ctx context.Context, id wstk.RunID, site wstk.SiteID,
) (wstk.Run, wstk.Site, error) {
	run, err := c.Runs.Get(ctx, id)
	if err != nil {
		return run, wstk.Site{}, err
	}
	s, err := c.SiteStore.Get(ctx, site)
	return run, s, err
}
