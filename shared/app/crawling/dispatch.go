package crawling

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

// Dispatcher is how a home has crawls and removals worked on: InProcess or ByMessages.
type Dispatcher interface {
	// begin starts a crawl and returns as soon as its run exists.
	begin(ctx context.Context, c *Room, req IngestRequest) (wstk.Run, wstk.Site, error)

	// drive works on a crawl until it has ended; see Worker.
	drive(ctx context.Context, run wstk.Run, resumed bool, tick func()) error

	// forgetURLs drops what the ended runs of a site keep about each URL, except for the
	// newest runs; their accounting stays.
	forgetURLs(ctx context.Context, site wstk.SiteID, keep int) error

	// cancel ends a crawl that was asked to stop.
	cancel(ctx context.Context, c *Room, site wstk.Site, run wstk.RunID) error

	// remove begins or continues the removal of a site; see RemoveSite.
	remove(ctx context.Context, c *Room, site wstk.Site, withRuns,
		background bool) (wstk.Run, wstk.Site, error)

	// resumeRemoval continues a removal that a dead process left open.
	resumeRemoval(ctx context.Context, c *Room, run wstk.Run) error

	// works reports whether something works on an open run with this lock.
	works(ctx context.Context, c *Room, lock string) (bool, error)

	// settles returns how long after the end of a crawl one of its workers may still store
	// something; 0 means not at all.
	settles() time.Duration
}

// InProcess works on runs in this process. The lock of a run shows whether a process works on
// the run.
type InProcess struct {
	// Detach runs work in the background, until it is done or the process stops.
	Detach func(work func(ctx context.Context))

	Worker Worker // works on crawls

	// ForgetURLs drops what the ended runs of a site keep about each URL, except for the
	// newest runs; their accounting stays.
	ForgetURLs func(ctx context.Context, site wstk.SiteID, keep int) error
}

// begin crawls in this process, in the background.
func (d InProcess) begin(
	ctx context.Context, c *Room, req IngestRequest,
) (run wstk.Run, site wstk.Site, err error) {
	began := make(chan struct{})
	failed := make(chan error, 1)
	req.Started = func(r wstk.Run, s wstk.Site) {
		run, site = r, s
		close(began)
	}
	d.Detach(func(ctx context.Context) {
		_, err := c.Ingest(ctx, req)
		failed <- err
		if err != nil {
			c.Log.Warn("crawl ended with an error", "site", req.URL, "error", err.Error())
		}
	})
	select {
	case <-began:
		return run, site, nil
	case err := <-failed:
		return wstk.Run{}, wstk.Site{}, err
	case <-ctx.Done():
		return wstk.Run{}, wstk.Site{}, wstk.Wrap(wstk.Cancelled, "beginning crawl", ctx.Err())
	}
}

func (d InProcess) drive(
	ctx context.Context, run wstk.Run, resumed bool, tick func(),
) error {
	return d.Worker.Drive(ctx, run, resumed, tick)
}

func (d InProcess) forgetURLs(ctx context.Context, site wstk.SiteID, keep int) error {
	return d.ForgetURLs(ctx, site, keep)
}

// cancel ends a crawl that no process works on. A live process checks the flag itself.
func (d InProcess) cancel(ctx context.Context, c *Room, site wstk.Site, run wstk.RunID) error {
	return c.endAbandoned(ctx, site, run)
}

func (d InProcess) remove(
	ctx context.Context, c *Room, site wstk.Site, withRuns, background bool,
) (wstk.Run, wstk.Site, error) {
	unlock, err := c.Locks.Lock(ctx, crawlLock(site.ID), lockTTL)
	if wstk.CodeOf(err) == wstk.Conflict {
		return c.removedElsewhere(ctx, site, withRuns)
	}
	if err != nil {
		return wstk.Run{}, site, err
	}
	run, err := c.openRemovalRun(ctx, site, withRuns, true)
	if err != nil {
		unlock()
		return run, site, err
	}
	if background {
		d.Detach(func(ctx context.Context) {
			defer unlock()
			if err := c.removeHere(ctx, run); err != nil {
				c.Log.Warn("the removal of a site stopped", "run", string(run.ID), "site",
					site.Root, "error", err.Error())
			}
		})
		return run, site, nil
	}
	defer unlock()
	if err := c.removeHere(ctx, run); err != nil {
		return run, site, wstk.Errorf(wstk.CodeOf(err), "",
			"the removal of %s stopped: %w", site.Root, err).
			Try(RemoveStep(site, withRuns, wstk.ToGoOn))
	}
	run, err = c.Runs.Get(ctx, run.ID)
	return run, site, err
}

func (d InProcess) resumeRemoval(ctx context.Context, c *Room, run wstk.Run) error {
	unlock, err := c.Locks.Lock(ctx, crawlLock(run.Site), lockTTL)
	if wstk.CodeOf(err) == wstk.Conflict {
		return nil // a live process does it
	}
	if err != nil {
		return err
	}
	c.Log.Info("continuing a removal that was interrupted", "run", string(run.ID),
		"site", string(run.Site))
	d.Detach(func(ctx context.Context) {
		defer unlock()
		if err := c.removeHere(ctx, run); err != nil && ctx.Err() == nil {
			c.Log.Warn("the removal of a site stopped", "run", string(run.ID), "error", err.Error())
		}
	})
	return nil
}

func (d InProcess) works(ctx context.Context, c *Room, lock string) (bool, error) {
	return c.Locks.Held(ctx, lock)
}

func (d InProcess) settles() time.Duration { return 0 }

// ByMessages lets functions work on runs, driven by messages. Every open run is worked on: the
// sweep continues what rests, and ends what is dead.
type ByMessages struct{}

func (d ByMessages) begin(
	ctx context.Context, c *Room, req IngestRequest,
) (wstk.Run, wstk.Site, error) {
	site, bounds, err := c.siteToCrawl(ctx, req)
	if err != nil {
		return wstk.Run{}, site, err
	}
	unlock, err := c.Locks.Lock(ctx, "begin-"+string(site.ID), time.Minute)
	if err != nil {
		return wstk.Run{}, site, err
	}
	defer unlock()
	if site.LastRun == "" { // before its first run, which could not be continued without it
		if err := c.SiteStore.Put(ctx, site); err != nil {
			return wstk.Run{}, site, err
		}
	}
	run, open, err := c.openRun(ctx, site, bounds, req)
	if err != nil {
		return run, site, err
	}
	if open { // its messages, or the sweep, drive it on
		return run, site, wstk.Errorf(wstk.Conflict, "", "%s is being crawled by run %s",
			site.Root, run.ID).
			Try(wstk.Advice("wait until that run has ended"))
	}
	site.LastRun, site.UpdatedAt = run.ID, c.Now().UTC()
	if err := c.SiteStore.Put(ctx, site); err != nil {
		return run, site, err
	}
	return run, site, c.send(ctx, "crawl", CrawlTask{Run: run.ID, Site: site.ID})
}

// drive refuses: no process waits for what functions do.
func (d ByMessages) drive(context.Context, wstk.Run, bool, func()) error {
	return wstk.Errorf(wstk.Internal, "",
		"a crawl runs in the background here; start it, then read its run")
}

// forgetURLs keeps all: the store lets its rows expire.
func (d ByMessages) forgetURLs(context.Context, wstk.SiteID, int) error { return nil }

// cancel sends a message: the function that gets it ends the run.
func (d ByMessages) cancel(ctx context.Context, c *Room, site wstk.Site, run wstk.RunID) error {
	return c.send(ctx, "crawl", CrawlTask{Run: run, Site: site.ID})
}

func (d ByMessages) remove(
	ctx context.Context, c *Room, site wstk.Site, withRuns, _ bool,
) (wstk.Run, wstk.Site, error) {
	run, err := c.openRemovalRun(ctx, site, withRuns, false)
	if err != nil {
		return run, site, err
	}
	return run, site, c.send(ctx, "crawl", CrawlTask{Run: run.ID, Site: site.ID})
}

func (d ByMessages) resumeRemoval(context.Context, *Room, wstk.Run) error { return nil }

func (d ByMessages) works(context.Context, *Room, string) (bool, error) { return true, nil }

func (d ByMessages) settles() time.Duration { return crawlSettles }

// crawlSettles is the time after which no function works on a crawl that has ended.
const crawlSettles = 2 * time.Minute
