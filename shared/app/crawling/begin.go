package crawling

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

// Begin starts a crawl, or takes up one that a dead process left open, and returns as
// soon as its run exists. A site that is being crawled is Conflict.
func (a *Room) Begin(ctx context.Context, req IngestRequest) (wstk.Run, wstk.Site, error) {
	if a.Detach != nil {
		return a.beginHere(ctx, req)
	}
	site, bounds, err := a.siteToCrawl(ctx, req)
	if err != nil {
		return wstk.Run{}, site, err
	}
	unlock, err := a.Locks.Lock(ctx, "begin-"+string(site.ID), time.Minute)
	if err != nil {
		return wstk.Run{}, site, err
	}
	defer unlock()
	if site.LastRun == "" { // before its first run, which could not be continued without it
		if err := a.SiteStore.Put(ctx, site); err != nil {
			return wstk.Run{}, site, err
		}
	}
	run, open, err := a.openRun(ctx, site, bounds, req)
	if err != nil {
		return run, site, err
	}
	if open { // its messages, or the sweep, drive it on
		return run, site, wstk.Errorf(wstk.Conflict, "", "%s is being crawled by run %s", site.Root, run.ID).
			WithNext("wait until that run has ended")
	}
	site.LastRun, site.UpdatedAt = run.ID, a.Now().UTC()
	if err := a.SiteStore.Put(ctx, site); err != nil {
		return run, site, err
	}
	return run, site, a.send(ctx, "crawl", CrawlTask{Run: run.ID, Site: site.ID})
}

// beginHere crawls in this process, in the background.
func (a *Room) beginHere(ctx context.Context, req IngestRequest) (run wstk.Run, site wstk.Site, err error) {
	began := make(chan struct{})
	failed := make(chan error, 1)
	req.Started = func(r wstk.Run, s wstk.Site) {
		run, site = r, s
		close(began)
	}
	a.Detach(func(ctx context.Context) {
		_, err := a.Ingest(ctx, req)
		failed <- err
		if err != nil {
			a.Log.Warn("crawl ended with an error", "site", req.URL, "error", err.Error())
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
