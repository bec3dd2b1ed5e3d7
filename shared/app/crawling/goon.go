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

// runToContinue returns the run whose waiting pages an ingest with these bounds takes over: the
// newest of the site, if it has ended, pages of it still wait, and it looked for the same pages.
// "" means that the crawl begins at the root. A crawl of a few URLs alone continues any other.
func (c *Room) runToContinue(
	ctx context.Context, site wstk.Site, bounds wstk.CrawlOptions,
) (wstk.RunID, error) {
	if site.LastRun == "" {
		return "", nil
	}
	last, err := c.wholeCrawl(ctx, site.LastRun)
	if err == nil && len(bounds.Only) > 0 { // its root need not be asked for again
		return last.ID, nil
	}
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

// wholeCrawl returns the run with this id or, if that was for a few URLs alone, the run before
// it.
func (c *Room) wholeCrawl(ctx context.Context, id wstk.RunID) (wstk.Run, error) {
	for {
		run, err := c.Runs.Get(ctx, id)
		if err != nil || run.Continues == "" || run.Options == nil || len(run.Options.Only) == 0 {
			return run, err
		}
		id = run.Continues
	}
}

// endOther ends a crawl of the site that was left open and looked for other pages than this
// request does. It returns that run, or "" if there is none. The caller holds the crawl's lock.
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

// beganAnew warns that this crawl took the place of another one.
func beganAnew(other wstk.RunID) wstk.Warning {
	return wstk.Warning{Code: "other_bounds",
		Message: fmt.Sprintf("Run %s was left open with other bounds. It was ended, and this "+
			"crawl began at the root.", other)}
}

// samePages reports whether two crawls look for the same pages, however many at a time.
func samePages(a, b wstk.CrawlOptions) bool {
	return a.MaxDepth == b.MaxDepth && a.Robots == b.Robots && a.Fresh == b.Fresh &&
		a.Render == b.Render && a.Crawler == b.Crawler && a.Query == b.Query && slices.Equal(a.Only, b.Only) &&
		slices.Equal(a.Include, b.Include) && slices.Equal(a.Exclude, b.Exclude)
}

// stepsOn returns the steps that continue a crawl that was interrupted or has pages that wait. For
// a crawl that runs, it says which host it waits for.
func (c *Room) stepsOn(
	ctx context.Context, site wstk.Site, run wstk.Run, acc wstk.Accounting,
) []wstk.Step {
	switch n := acc.Of(wstk.OutcomeOverBudget); {
	case run.State == wstk.RunInterrupted:
		return []wstk.Step{c.again(site, run, "to continue it")}
	case !run.State.Terminal():
		if host, until := c.paused(ctx, site, run); host != "" {
			return wstk.Advices(fmt.Sprintf(
				"the crawl waits for %s: the host asks for no requests before %s",
				host, clock(until)))
		}
	case n == 0:
		return c.toRender(site, run, acc.Of(wstk.OutcomeNeedsRender))
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
				fmt.Sprintf("to read the %d that are left; %s asks for no requests before %s",
					n, host, clock(until)))}
		}
		return []wstk.Step{c.again(site, run, fmt.Sprintf("to read the %d that are left", n))}
	}
	return nil
}

// toRender is the step that renders the n pages of a crawl that need a browser; none where there
// is no browser, or where the crawl rendered pages.
func (c *Room) toRender(site wstk.Site, run wstk.Run, n int) []wstk.Step {
	if n == 0 || boundsOf(site, run).Render {
		return nil
	}
	if _, err := c.Browser.Find(); err != nil {
		return nil
	}
	step := c.again(site, run, fmt.Sprintf("to render the %d that need a browser", n))
	step.Options = append(step.Options, wstk.OptRender.On())
	return []wstk.Step{step}
}

// boundsOf are the bounds of a run.
func boundsOf(site wstk.Site, run wstk.Run) wstk.CrawlOptions {
	if run.Options != nil {
		return *run.Options
	}
	return site.Options
}

// paused returns the host that keeps a run waiting, and until when; "" means none, or that it is
// unknown.
func (c *Room) paused(ctx context.Context, site wstk.Site, run wstk.Run) (string, time.Time) {
	host, until, err := c.Crawl.Paused(ctx, run.ID, site.Root)
	if err != nil {
		return "", until
	}
	return host, until
}

// clock writes a time for a sentence.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }

// again returns the step that continues a crawl, for a purpose. The step has the options that the
// crawl was given, since a crawl with other bounds begins anew. The bounds that only a refresh has
// are left out of an ingest.
func (c *Room) again(site wstk.Site, run wstk.Run, purpose string) wstk.Step {
	o, usual := site.Options, wstk.DefaultCrawlOptions()
	step := wstk.Step{Do: wstk.DoIngest, For: purpose, URL: site.Root}
	if onLoopback(site.Root) {
		usual.RateLimit = 0
	}
	switch {
	case run.Options == nil || len(run.Options.Only) > 0:
	case run.Kind == wstk.RunIngest:
		o = *run.Options
	// only the same refresh continues it
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
	add(o.Query != "", wstk.OptQuery.Set(o.Query))
	add(o.Crawler != "", wstk.OptCrawler.Set(o.Crawler))
	add(true, wstk.OptMaxPages.Set(o.MaxPages))
	add(o.MaxDepth != usual.MaxDepth, wstk.OptMaxDepth.Set(o.MaxDepth))
	add(o.RateLimit != usual.RateLimit, wstk.OptRateLimitMS.Set(o.RateLimit.Milliseconds()))
	add(len(o.Include) > 0, wstk.OptInclude.Set(strings.Join(o.Include, ",")))
	add(len(o.Exclude) > 0, wstk.OptExclude.Set(strings.Join(o.Exclude, ",")))
	add(o.Robots != "" && (o.Robots != usual.Robots || given("fetch.robots")),
		wstk.OptRobots.Set(o.Robots))
	add(o.UserAgent != "" && (!agent.InForce || given("fetch.user_agent")), agent)
	add(o.Fresh, wstk.OptFresh.On())
	add(o.Render, wstk.OptRender.On())
	step.Options = append(step.Options, c.Reading.Opening(site.Root)...)
	return step
}

// timed sets how long a run was worked on, if the run does not say it: until now, or until its
// end.
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
