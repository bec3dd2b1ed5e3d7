package crawling

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

// RefreshTask is what the schedule asks of refresh: the list of sites that are due, or
// the refresh of one.
type RefreshTask struct {
	Step string      `json:"step"` // due, site
	Site wstk.SiteID `json:"site_id,omitempty"`
}

// SitesDue are the sites whose pages are older than their options allow.
type SitesDue struct {
	Sites []wstk.SiteID `json:"sites"`
}

// Refreshing is a refresh that began.
type Refreshing struct {
	Site wstk.SiteID `json:"site_id"`
	Run  wstk.RunID  `json:"run_id"`
}

// maxDue bounds the sites of one refresh, so that their list fits a payload; the next
// one takes the others.
const maxDue = 1000

// RefreshTask lists the sites that are due, or begins the refresh of one.
func (c *Room) RefreshTask(ctx context.Context, in RefreshTask) (any, error) {
	switch in.Step {
	case "due":
		return c.Due(ctx)
	case "site":
		run, site, err := c.Begin(ctx, IngestRequest{URL: string(in.Site), Refresh: true})
		return Refreshing{Site: site.ID, Run: run.ID}, err
	}
	return nil, wstk.Errorf(wstk.Invalid, "choosing step", "refresh has no step %q", in.Step)
}

// Due lists sites whose newest crawl ended longer ago than their pages may be old.
func (c *Room) Due(ctx context.Context) (SitesDue, error) {
	out := SitesDue{Sites: []wstk.SiteID{}}
	err := c.Reading.EachSite(ctx, func(s wstk.Site) (bool, error) {
		if s.LastRun == "" || s.Options.StaleAge <= 0 {
			return true, nil
		}
		run, err := c.Runs.Get(ctx, s.LastRun)
		if err != nil {
			return false, err
		}
		if run.State.Terminal() && c.Now().Sub(run.EndedAt) >= s.Options.StaleAge {
			out.Sites = append(out.Sites, s.ID)
		}
		return len(out.Sites) < maxDue, nil
	})
	return out, err
}

// extractionAge is how long an extraction may run before the sweep takes it for dead;
// its machine ends before.
const extractionAge = 2 * time.Hour

// RequestAge is the age at which a run of kind request that never ended is taken for dead;
// it is over every time limit of a request.
const RequestAge = 2 * time.Minute

// Swept is what a sweep did.
type Swept struct {
	Crawls      int `json:"crawls"`      // open runs that were looked over
	Extractions int `json:"extractions"` // ended as failed
	Requests    int `json:"requests"`    // ended as failed
}

// SweepAll looks over every open run: crawls take up what no worker works on any more, so
// that a dead worker or a message that was given up leaves nothing open; extractions
// whose machine died, and requests whose process did, end as failed.
// While it is unknown what waits in the queues, crawls are left alone.
func (c *Room) SweepAll(ctx context.Context) (out Swept, err error) {
	waiting, unmeasured := c.waiting(ctx)
	for cursor := ""; ; {
		runs, next, err := c.Runs.List(ctx, wstk.RunFilter{State: wstk.RunRunning}, cursor, 100)
		if err != nil {
			return out, err
		}
		for _, r := range runs {
			switch r.Kind {
			case wstk.RunIngest, wstk.RunRefresh:
				if unmeasured != nil {
					continue
				}
				if err := c.send(ctx, "crawl", CrawlTask{Run: r.ID, Site: r.Site, Sweep: true,
					Waiting: waiting}); err != nil {
					return out, err
				}
				out.Crawls++
			case wstk.RunRemoval:
				if c.Now().Sub(r.UpdatedAt) > removalLock {
					if err := c.send(ctx, "crawl", CrawlTask{Run: r.ID, Site: r.Site}); err != nil {
						return out, err
					}
				}
			case wstk.RunRequest:
				if err := c.endIfDead(ctx, r, RequestAge, &out.Requests); err != nil {
					return out, err
				}
			default:
				if err := c.endIfDead(ctx, r, extractionAge, &out.Extractions); err != nil {
					return out, err
				}
			}
		}
		if next == "" {
			return out, unmeasured
		}
		cursor = next
	}
}

// EndDeadRequests ends the runs of kind request that are older than RequestAge: the
// processes that worked on them have died. It returns how many there were.
func (c *Room) EndDeadRequests(ctx context.Context) (ended int, err error) {
	for cursor := ""; ; {
		runs, next, err := c.Runs.List(ctx,
			wstk.RunFilter{Kind: wstk.RunRequest, State: wstk.RunRunning}, cursor, 1000)
		if err != nil {
			return ended, err
		}
		for _, r := range runs {
			if err := c.endIfDead(ctx, r, RequestAge, &ended); err != nil {
				return ended, err
			}
		}
		if next == "" {
			return ended, nil
		}
		cursor = next
	}
}

// endIfDead ends an open run as failed, and counts it, if it is older than age.
func (c *Room) endIfDead(ctx context.Context, r wstk.Run, age time.Duration, ended *int) error {
	if c.Now().Sub(r.StartedAt) < age {
		return nil
	}
	did, err := c.Runs.End(ctx, r.ID, wstk.Run{State: wstk.RunFailed, EndedAt: c.Now().UTC(),
		Reasons: []string{"it made no progress for " + age.String()}})
	if did {
		*ended++
	}
	return err
}
