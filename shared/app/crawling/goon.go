package crawling

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"wstk/shared/config"
	"wstk/shared/wstk"
)

// runToContinue is the run whose rest an ingest with these bounds takes: the newest of the
// site, if it has ended, pages of it still wait, and its bounds say the same of what
// belongs to the site. Other bounds are another crawl, which begins at the root.
func (c *Room) runToContinue(
	ctx context.Context, site wstk.Site, bounds wstk.CrawlOptions,
) (wstk.RunID, error) {
	if site.LastRun == "" {
		return "", nil
	}
	last, err := c.Runs.Get(ctx, site.LastRun)
	if wstk.CodeOf(err) == wstk.NotFound { // it was removed
		return "", nil
	}
	if err != nil || !last.State.Terminal() || last.Options == nil ||
		!samePages(*last.Options, bounds) {
		return "", err
	}
	left, err := c.Frontier.Accounting(ctx, last.ID)
	if err != nil || left.Of(wstk.OutcomeOverBudget) == 0 {
		return "", err
	}
	return last.ID, nil
}

// endOther ends the crawl of a site that was left open and looked for other pages than this
// request, and returns its run; "" where there is none. The caller holds the crawl's lock.
func (c *Room) endOther(
	ctx context.Context, site wstk.Site, bounds wstk.CrawlOptions, req IngestRequest,
) (wstk.RunID, error) {
	if req.Resume != "" {
		return "", nil
	}
	run, open, err := c.openCrawl(ctx, site.ID)
	if err != nil || !open || run.Options == nil || samePages(*run.Options, bounds) {
		return "", err
	}
	return run.ID, c.Crawl.Abort(ctx, run.ID, wstk.RunCancelled,
		"a crawl with other bounds took its place")
}

// beganAnew warns of a crawl that took the place of another one.
func beganAnew(other wstk.RunID) wstk.Warning {
	return wstk.Warning{Code: "other_bounds",
		Message: fmt.Sprintf("Run %s was left open with other bounds: it was ended, and this "+
			"crawl began at the root.", other)}
}

// samePages reports whether two crawls look for the same pages, however many at a time.
func samePages(a, b wstk.CrawlOptions) bool {
	return a.MaxDepth == b.MaxDepth && a.Robots == b.Robots && a.Fresh == b.Fresh &&
		slices.Equal(a.Include, b.Include) && slices.Equal(a.Exclude, b.Exclude)
}

// stepsOn say what goes on with a crawl of which pages still wait, or that was interrupted,
// and which host a crawl waits for.
func (c *Room) stepsOn(
	ctx context.Context, site wstk.Site, run wstk.Run, acc wstk.Accounting,
) []wstk.Step {
	switch n := acc.Of(wstk.OutcomeOverBudget); {
	case run.State == wstk.RunInterrupted:
		return []wstk.Step{c.again(site, run, "to go on with it")}
	case !run.State.Terminal():
		if host, until := c.paused(ctx, site, run); host != "" {
			return wstk.Advices(fmt.Sprintf(
				"it waits for %s until %s: no request to the host may begin before",
				host, clock(until)))
		}
	case n == 0:
	case run.Kind == wstk.RunRefresh && run.Options != nil &&
		!samePages(*run.Options, site.Options):
		return []wstk.Step{{Do: wstk.DoRefresh,
			For: fmt.Sprintf("to look at the %d that are left", n), URL: site.Root,
			Options: c.Reading.Opening(site.Root)}}
	case acc.Stored() >= boundsOf(site, run).MaxPages:
		more := c.again(site, run, fmt.Sprintf("to read the %d that are left", n))
		more.Raise = wstk.OptMaxPages
		return []wstk.Step{more}
	default: // what stopped it was not its budget
		if host, until := c.paused(ctx, site, run); host != "" {
			return []wstk.Step{c.again(site, run,
				fmt.Sprintf("to read the %d that are left, after %s, until when %s asks for no "+
					"requests", n, clock(until), host))}
		}
		return []wstk.Step{c.again(site, run, fmt.Sprintf("to read the %d that are left", n))}
	}
	return nil
}

// boundsOf are the bounds of a run.
func boundsOf(site wstk.Site, run wstk.Run) wstk.CrawlOptions {
	if run.Options != nil {
		return *run.Options
	}
	return site.Options
}

// paused is the host that keeps a run waiting, and until when; "" where none does, or where
// it cannot be told.
func (c *Room) paused(ctx context.Context, site wstk.Site, run wstk.Run) (string, time.Time) {
	host, until, err := c.Crawl.Paused(ctx, run.ID, site.Root)
	if err != nil {
		return "", until
	}
	return host, until
}

// clock is a time as sentences have it.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }

// again is the step that goes on with a crawl, for a purpose. It names what the crawl was
// given, since other bounds would begin anew; those of a refresh alone are none that an
// ingest has.
func (c *Room) again(site wstk.Site, run wstk.Run, purpose string) wstk.Step {
	o, usual := site.Options, wstk.DefaultCrawlOptions()
	step := wstk.Step{Do: wstk.DoIngest, For: purpose, URL: site.Root}
	if onLoopback(site.Root) {
		usual.RateLimit = 0
	}
	switch {
	case run.Options == nil:
	case run.Kind == wstk.RunIngest:
		o = *run.Options
	// only the same refresh goes on with it
	case !run.State.Terminal() && !samePages(o, *run.Options):
		o, usual, step.Do = *run.Options, site.Options, wstk.DoRefresh
		usual.Robots, usual.Fresh = wstk.RobotsRespect, false
	}
	add := func(unusual bool, option wstk.Option) {
		if unusual {
			step.Options = append(step.Options, option)
		}
	}
	given := func(key string) bool { return c.Config.Origin[key] == config.OriginFlag }
	agent := wstk.OptUserAgent.Set(o.UserAgent)
	agent.InForce = o.UserAgent == c.Config.UserAgent
	add(true, wstk.OptMaxPages.Set(o.MaxPages))
	add(o.MaxDepth != usual.MaxDepth, wstk.OptMaxDepth.Set(o.MaxDepth))
	add(o.RateLimit != usual.RateLimit, wstk.OptRateLimitMS.Set(o.RateLimit.Milliseconds()))
	add(len(o.Include) > 0, wstk.OptInclude.Set(strings.Join(o.Include, ",")))
	add(len(o.Exclude) > 0, wstk.OptExclude.Set(strings.Join(o.Exclude, ",")))
	add(o.Robots != "" && (o.Robots != usual.Robots || given("fetch.robots")),
		wstk.OptRobots.Set(o.Robots))
	add(o.UserAgent != "" && (!agent.InForce || given("fetch.user_agent")), agent)
	add(o.Fresh, wstk.OptFresh.On())
	step.Options = append(step.Options, c.Reading.Opening(site.Root)...)
	return step
}

// timed gives a run that has not ended the time it was worked on so far, and one that
// ended without saying it the time from its beginning to its end.
func (c *Room) timed(ctx context.Context, run *wstk.Run) {
	until := run.UpdatedAt
	switch {
	case run.Kind != wstk.RunIngest && run.Kind != wstk.RunRefresh || run.Usage.DurationMS > 0:
		return
	case run.State == wstk.RunRunning:
		until = c.Now()
	case run.State.Terminal():
		until = run.EndedAt
	}
	if worked, err := c.Crawl.Worked(ctx, *run, until); err == nil {
		run.Usage.DurationMS = worked.Milliseconds()
	}
}
