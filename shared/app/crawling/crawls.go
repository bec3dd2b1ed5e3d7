package crawling

import (
	"context"
	"slices"

	"wstk/shared/wstk"
)

// crawlLock names the lock of the process that crawls a site.
func crawlLock(site wstk.SiteID) string { return "crawl-" + string(site) }

// interrupted reports whether a run is an open crawl that no process works on. Crawls that
// messages drive are never interrupted: the sweep continues them.
func (c *Room) interrupted(ctx context.Context, run wstk.Run) (bool, error) {
	if run.State != wstk.RunRunning || !isCrawl(run) {
		return false, nil
	}
	works, err := c.Dispatch.works(ctx, c, crawlLock(run.Site))
	if err != nil || works {
		return false, err
	}
	now, err := c.Runs.Get(ctx, run.ID) // it may just have ended and released the lock
	return err == nil && now.State == wstk.RunRunning, err
}

// openCrawl returns the crawl of a site that has not ended, and whether there is one.
func (c *Room) openCrawl(ctx context.Context, site wstk.SiteID) (run wstk.Run, is bool, err error) {
	return c.openRunOf(ctx, site, wstk.RunIngest, wstk.RunRefresh)
}

// openRunOf returns the open run of a site that is of one of these kinds, and whether there is
// one.
func (c *Room) openRunOf(
	ctx context.Context, site wstk.SiteID, kinds ...wstk.RunKind,
) (run wstk.Run, is bool, err error) {
	for cursor := ""; ; {
		runs, next, err := c.Runs.List(ctx, wstk.RunFilter{Site: site, State: wstk.RunRunning},
			cursor, 10)
		if err != nil {
			return run, false, err
		}
		for _, r := range runs {
			if slices.Contains(kinds, r.Kind) {
				return r, true, nil
			}
		}
		if next == "" {
			return run, false, nil
		}
		cursor = next
	}
}

// CancelCrawl asks the crawl of a site, named by its id or any URL of it, to stop. Within seconds,
// fetches are given up, each open URL is closed with the reason, and the run ends as cancelled.
// Calling it twice is the same as once. If no crawl runs, it changes nothing and returns the
// newest run. Conflict means that the site was never crawled, or that it is being removed.
func (c *Room) CancelCrawl(ctx context.Context, name string) (wstk.Run, wstk.Site, error) {
	site, err := c.Reading.FindSite(ctx, name)
	if err != nil {
		return wstk.Run{}, site, err
	}
	if removal, open, err := c.openRunOf(ctx, site.ID, wstk.RunRemoval); err != nil {
		return removal, site, err
	} else if open {
		return removal, site, c.beingRemoved(ctx, site, removal)
	}
	run, open, err := c.openCrawl(ctx, site.ID)
	switch {
	case err != nil:
		return run, site, err
	case !open && site.LastRun == "":
		return run, site, wstk.Errorf(wstk.Conflict, "",
			"%s was never crawled: there is nothing to cancel", site.Root).
			Try(wstk.Step{Do: wstk.DoIngest, URL: site.Root, Options: c.Reading.Opening(site.Root)})
	case !open:
		run, err = c.Runs.Get(ctx, site.LastRun)
		return run, site, err
	}
	if err := c.Runs.RequestCancel(ctx, run.ID); err != nil {
		return run, site, err
	}
	if err := c.Dispatch.cancel(ctx, c, site, run.ID); err != nil {
		return run, site, err
	}
	run, err = c.Runs.Get(ctx, run.ID)
	return run, site, err
}

// Cancelled is the reason of a crawl that ended because a user asked for it.
const Cancelled = "it was cancelled"

// endAbandoned ends a crawl that was cancelled and that no process works on. A live process
// checks the flag itself.
func (c *Room) endAbandoned(ctx context.Context, site wstk.Site, run wstk.RunID) error {
	unlock, err := c.Locks.Lock(ctx, crawlLock(site.ID), lockTTL)
	if wstk.CodeOf(err) == wstk.Conflict {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	return c.Crawl.Abort(context.WithoutCancel(ctx), run, wstk.RunCancelled, Cancelled)
}

// ResumeCrawls continues, in this process, the crawls that dead processes left open. It does not
// touch crawls of live processes. A crawl that cannot be continued because its addresses are not
// allowed any more stays as it is and is shown as interrupted.
func (c *Room) ResumeCrawls(ctx context.Context) error {
	seen := map[wstk.SiteID]bool{}
	for _, kind := range []wstk.RunKind{wstk.RunIngest, wstk.RunRefresh} {
		for cursor := ""; ; {
			runs, next, err := c.Runs.List(ctx, wstk.RunFilter{Kind: kind, State: wstk.RunRunning},
				cursor, 100)
			if err != nil {
				return err
			}
			for _, r := range runs {
				if seen[r.Site] {
					continue
				}
				seen[r.Site] = true
				if err := c.resume(ctx, r); err != nil {
					return err
				}
			}
			if next == "" {
				break
			}
			cursor = next
		}
	}
	return nil
}

func (c *Room) resume(ctx context.Context, run wstk.Run) error {
	left, err := c.interrupted(ctx, run)
	if err != nil || !left {
		return err
	}
	site, err := c.SiteStore.Get(ctx, run.Site)
	if wstk.CodeOf(err) == wstk.NotFound {
		return c.endWithoutSite(ctx, run.ID)
	}
	if err != nil {
		return err
	}
	if run.Cancel {
		return c.endAbandoned(ctx, site, run.ID)
	}
	c.Log.Info("continuing a crawl that was interrupted", "run", string(run.ID), "site", site.Root)
	_, _, err = c.Dispatch.begin(ctx, c, IngestRequest{URL: string(site.ID), Resume: run.ID})
	switch {
	case ctx.Err() != nil:
		return wstk.Wrap(wstk.Cancelled, "resuming crawls", ctx.Err())
	case err == nil || wstk.CodeOf(err) == wstk.Conflict: // another process was faster
	default:
		c.Log.Warn("an interrupted crawl is not continued", "run", string(run.ID), "site",
			site.Root, "error", c.Config.Logged(err.Error()))
	}
	return nil
}

// endWithoutSite ends a crawl whose site is not stored: it cannot be continued.
func (c *Room) endWithoutSite(ctx context.Context, run wstk.RunID) error {
	_, err := c.Runs.End(ctx, run, wstk.Run{State: wstk.RunFailed, EndedAt: c.Now().UTC(),
		Reasons: []string{"its site is not stored"}})
	if err != nil {
		return err
	}
	return c.Crawl.Abort(ctx, run, wstk.RunCancelled, Cancelled) // closes what is open
}
