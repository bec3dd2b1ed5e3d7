package crawling

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// runToContinue is the run whose rest an ingest with these bounds takes: the newest of the
// site, if it has ended, pages of it still wait, and its bounds say the same of what
// belongs to the site. Other bounds are another crawl, which begins at the root.
func (a *Room) runToContinue(ctx context.Context, site wstk.Site, bounds wstk.CrawlOptions) (wstk.RunID, error) {
	if site.LastRun == "" {
		return "", nil
	}
	last, err := a.Runs.Get(ctx, site.LastRun)
	if wstk.CodeOf(err) == wstk.NotFound { // it was removed
		return "", nil
	}
	if err != nil || !last.State.Terminal() || last.Options == nil || !samePages(*last.Options, bounds) {
		return "", err
	}
	left, err := a.Frontier.Accounting(ctx, last.ID)
	if err != nil || left.Of(wstk.OutcomeOverBudget) == 0 {
		return "", err
	}
	return last.ID, nil
}

// endOther ends the crawl of a site that was left open and looked for other pages than this
// request, and returns its run; "" where there is none. The caller holds the crawl's lock.
func (a *Room) endOther(ctx context.Context, site wstk.Site, bounds wstk.CrawlOptions, req IngestRequest) (wstk.RunID, error) {
	if req.Resume != "" {
		return "", nil
	}
	run, open, err := a.openCrawl(ctx, site.ID)
	if err != nil || !open || run.Options == nil || samePages(*run.Options, bounds) {
		return "", err
	}
	return run.ID, a.Crawl.Abort(ctx, run.ID, wstk.RunCancelled, "a crawl with other bounds took its place")
}

// beganAnew warns of a crawl that took the place of another one.
func beganAnew(other wstk.RunID) wstk.Warning {
	return wstk.Warning{Code: "other_bounds", Message: fmt.Sprintf("Run %s was left open with other bounds: it was ended, and this crawl began at the root.", other)}
}

// samePages reports whether two crawls look for the same pages, however many at a time.
func samePages(a, b wstk.CrawlOptions) bool {
	return a.MaxDepth == b.MaxDepth && a.Robots == b.Robots && a.Fresh == b.Fresh &&
		slices.Equal(a.Include, b.Include) && slices.Equal(a.Exclude, b.Exclude)
}

// stepsOn say what goes on with a crawl of which pages still wait, or that was interrupted,
// and which host a crawl waits for.
func (a *Room) stepsOn(ctx context.Context, site wstk.Site, run wstk.Run, acc wstk.Accounting) []string {
	switch n := acc.Of(wstk.OutcomeOverBudget); {
	case run.State == wstk.RunInterrupted:
		return []string{"to go on with it: " + a.again(site, run)}
	case !run.State.Terminal():
		if host, until := a.paused(ctx, site, run); host != "" {
			return []string{fmt.Sprintf("it waits for %s until %s: no request to the host may begin before", host, clock(until))}
		}
	case n == 0:
	case run.Kind == wstk.RunRefresh && run.Options != nil && !samePages(*run.Options, site.Options):
		return []string{fmt.Sprintf("to look at the %d that are left: wstk site refresh %s%s", n, reading.ShellWord(site.Root), a.Reading.Opening(site.Root))}
	case acc.Stored() >= boundsOf(site, run).MaxPages:
		return []string{fmt.Sprintf("to read the %d that are left, more at once with a higher max_pages: %s", n, a.again(site, run))}
	default: // what stopped it was not its budget
		if host, until := a.paused(ctx, site, run); host != "" {
			return []string{fmt.Sprintf("to read the %d that are left, after %s, until when %s asks for no requests: %s", n, clock(until), host, a.again(site, run))}
		}
		return []string{fmt.Sprintf("to read the %d that are left: %s", n, a.again(site, run))}
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
func (a *Room) paused(ctx context.Context, site wstk.Site, run wstk.Run) (string, time.Time) {
	host, until, err := a.Crawl.Paused(ctx, run.ID, site.Root)
	if err != nil {
		return "", until
	}
	return host, until
}

// clock is a time as sentences have it.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }

// again is the command that goes on with a crawl. It names what it was given, since other
// bounds would begin anew; those of a refresh alone are none that an ingest has.
func (a *Room) again(site wstk.Site, run wstk.Run) string {
	o, usual, command := site.Options, wstk.DefaultCrawlOptions(), "wstk site ingest"
	if onLoopback(site.Root) {
		usual.RateLimit = 0
	}
	switch {
	case run.Options == nil:
	case run.Kind == wstk.RunIngest:
		o = *run.Options
	case !run.State.Terminal() && !samePages(o, *run.Options): // only the same refresh goes on with it
		o, usual, command = *run.Options, site.Options, "wstk site refresh"
		usual.Robots, usual.Fresh = wstk.RobotsRespect, false
	}
	words := []string{command, reading.ShellWord(site.Root)}
	add := func(unusual bool, flag, value string) {
		if unusual {
			words = append(words, strings.TrimSpace(flag+" "+value))
		}
	}
	given := func(key string) bool { return a.Config.Origin[key] == config.OriginFlag }
	add(true, "--max-pages", strconv.Itoa(o.MaxPages))
	add(o.MaxDepth != usual.MaxDepth, "--max-depth", strconv.Itoa(o.MaxDepth))
	add(o.RateLimit != usual.RateLimit, "--rate-limit-ms", strconv.FormatInt(o.RateLimit.Milliseconds(), 10))
	add(len(o.Include) > 0, "--include", reading.ShellWord(strings.Join(o.Include, ",")))
	add(len(o.Exclude) > 0, "--exclude", reading.ShellWord(strings.Join(o.Exclude, ",")))
	add(o.Robots != "" && (o.Robots != usual.Robots || given("fetch.robots")), "--robots", string(o.Robots))
	add(o.UserAgent != "" && (o.UserAgent != a.Config.UserAgent || given("fetch.user_agent")), "--user-agent", reading.ShellWord(o.UserAgent))
	add(o.Fresh, "--fresh", "")
	return strings.Join(words, " ") + a.Reading.Opening(site.Root)
}

// timed gives a run that has not ended the time it was worked on so far, and one that
// ended without saying it the time from its beginning to its end.
func (a *Room) timed(ctx context.Context, run *wstk.Run) {
	until := run.UpdatedAt
	switch {
	case run.Kind != wstk.RunIngest && run.Kind != wstk.RunRefresh || run.Usage.DurationMS > 0:
		return
	case run.State == wstk.RunRunning:
		until = a.Now()
	case run.State.Terminal():
		until = run.EndedAt
	}
	if worked, err := a.Crawl.Worked(ctx, *run, until); err == nil {
		run.Usage.DurationMS = worked.Milliseconds()
	}
}
