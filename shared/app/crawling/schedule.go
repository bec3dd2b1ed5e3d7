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

// SitesDue is a list of sites whose pages are older than their options allow.
type SitesDue struct {
	Sites []wstk.SiteID `json:"sites"`
}

// Refreshing is a refresh that began.
type Refreshing struct {
	Site wstk.SiteID `json:"site_id"`
	Run  wstk.RunID  `json:"run_id"`
}

// maxDue bounds the sites of one refresh, so that their list fits a payload. The next refresh
// lists the others.
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

// Due lists the sites whose newest crawl ended longer ago than their option StaleAge allows.
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

// extractionAge is how long an extraction may run before the sweep considers it dead. Its state
// machine ends earlier.
const extractionAge = 2 * time.Hour

// RequestAge is the age at which an open run of kind request is considered dead. It is longer
// than any time limit of a request.
const RequestAge = 2 * time.Minute

// Swept is what a sweep did.
type Swept struct {
	Crawls      int `json:"crawls"`      // open runs that were checked
	Extractions int `json:"extractions"` // ended as failed
	Requests    int `json:"requests"`    // ended as failed
}

// SweepAll checks every open run. Crawls continue with the URLs that no worker works on any more,
// so that a worker that died or a message that was lost leaves nothing open. Extractions whose
// state machine died, and requests whose process died, end as failed. While it is unknown how many
// messages wait, crawls are left alone.
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
