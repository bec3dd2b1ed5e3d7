package crawling

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/metrics"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// IngestRequest asks for a crawl. The bounds are in the App's Config.
type IngestRequest struct {
	URL      string // of the site's root; for a refresh an id or any URL of the site
	Refresh  bool
	Query    string                    // what the pages should answer; of a first crawl
	Crawler  wstk.Crawler              // of a first crawl; "" lets the question decide
	Only     []string                  // ask for these URLs alone, of the site with the id URL
	Progress func(Progress)            // called now and then from one goroutine; may be nil
	Config   *config.Config            // whose bounds count for this crawl; nil means the App's
	Started  func(wstk.Run, wstk.Site) // called once the run exists; may be nil
	Resume   wstk.RunID                // only go on with this run, of the site with the id URL
}

// Progress is where a crawl stands.
type Progress struct {
	Run        wstk.RunID
	Accounting wstk.Accounting
	Elapsed    time.Duration // since this process began to work on the run
	Stored     int           // pages stored since then
	Paused     string        // the host that keeps it waiting; "" where none does
	Until      time.Time     // until when it does
}

// progress returns what tells f where the run stands; f may be nil.
func (c *Room) progress(
	ctx context.Context, run wstk.Run, site wstk.Site, f func(Progress),
) (tick func(), err error) {
	if f == nil {
		return func() {}, nil
	}
	started := c.Now()
	before, err := c.Frontier.Accounting(ctx, run.ID)
	return func() {
		if acc, err := c.Frontier.Accounting(ctx, run.ID); err == nil {
			p := Progress{Run: run.ID, Accounting: acc, Elapsed: c.Now().Sub(started),
				Stored: acc.Stored() - before.Stored()}
			p.Paused, p.Until = c.paused(ctx, site, run)
			f(p)
		}
	}, err
}

// PerSecond is the rate of pages stored by this process.
func (p Progress) PerSecond() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return float64(p.Stored) / p.Elapsed.Seconds()
}

// IngestResult is how a crawl ended, or where it stands when it was stopped.
type IngestResult struct {
	Run        wstk.Run        `json:"run"`
	Site       wstk.Site       `json:"site"`
	Accounting wstk.Accounting `json:"accounting"`
	Pages      int             `json:"pages"` // the site's pages held now
	Uncounted  bool            `json:"-"`     // Pages is not known
	// an earlier run was continued
	Resumed bool        `json:"resumed"`
	Steps   []wstk.Step `json:"-"` // where pages still wait, or answers may be touched
	// Steps, in the words of the door that shows them
	NextSteps    []string                `json:"next_steps,omitempty"`
	SearchableAt time.Time               `json:"searchable_at,omitzero"`
	Stages       map[string]metrics.Stat `json:"stages"` // the work of this process, by stage
	Warnings     []wstk.Warning          `json:"-"`
}

// lockTTL is how long the lock of a crawl outlives its holder, in homes where a lock does not end
// with its process.
const lockTTL = 2 * time.Minute

// Ingest crawls a site to the end of its run: it fetches, reads, screens, summarizes and indexes
// every page in bounds.
//
// A run that an earlier process left open is continued, unless it looked for other pages (depth,
// include, exclude, robots, fresh): then it ends as cancelled, and a new run begins at the root.
// If the newest run of the site has ended and pages of it still wait, an ingest of the same pages
// is a new run that takes those, within its own budget; see Run.Continues.
//
// Ingest fails with Conflict while another live process crawls the site. When ctx is cancelled the
// run stays open, and the same call continues it; when Config.Timeout passes, it ends partial. The
// result is valid beside an error once the run exists.
func (c *Room) Ingest(ctx context.Context, req IngestRequest) (IngestResult, error) {
	site, bounds, err := c.siteToCrawl(ctx, req)
	if err != nil {
		return IngestResult{}, err
	}
	unlock, err := c.Locks.Lock(ctx, crawlLock(site.ID), lockTTL)
	if err != nil {
		if wstk.CodeOf(err) == wstk.Conflict {
			return IngestResult{}, wstk.Errorf(wstk.Conflict, "",
				"%s is being crawled by another process right now", site.Root).
				Try(wstk.Step{Do: wstk.DoStatus, For: "watch it", URL: site.Root})
		}
		return IngestResult{}, err
	}
	defer unlock()

	res, err := c.beginHere(ctx, site, bounds, req)
	if err != nil {
		return res, err
	}
	if req.Started != nil {
		req.Started(res.Run, res.Site)
	}
	tick, err := c.progress(ctx, res.Run, res.Site, req.Progress)
	if err == nil {
		err = c.Dispatch.drive(ctx, res.Run, res.Resumed, tick)
	}
	if err != nil {
		err = stopped(res.Site, err, c.again(res.Site, res.Run, wstk.ToGoOn))
	}
	// What the stores say counts, also after an error and after Ctrl-C.
	after := context.WithoutCancel(ctx)
	c.conclude(after, &res)
	if err == nil {
		err = c.toAnswers(after, &res)
	}
	if err == nil && (res.Pages == 0 && !res.Uncounted || res.Run.State == wstk.RunFailed) {
		err = c.nothingStored(after, res)
	}
	return res, err
}

// toAnswers proposes to look which answers a refresh touches, where there are some and it brought
// pages.
func (c *Room) toAnswers(ctx context.Context, res *IngestResult) error {
	if res.Run.Kind != wstk.RunRefresh || !res.Run.State.Terminal() ||
		res.Accounting.Of(wstk.OutcomeFetched)+res.Accounting.Of(wstk.OutcomeNotFound)+
			res.Accounting.Of(wstk.OutcomeRedirected) == 0 {
		return nil
	}
	for _, kind := range wstk.CitingKinds() {
		runs, _, err := c.Reading.ListRuns(ctx, kind, "", 1)
		if err != nil {
			return err
		}
		if len(runs) > 0 {
			res.Steps = append(res.Steps, wstk.Step{Do: wstk.DoAffected,
				For: "see which answers the changes touch", URL: res.Site.Root})
			return nil
		}
	}
	return nil
}

// beginHere begins the run of an ingest, or takes up the one that was left open. The caller
// holds the lock of the site.
func (c *Room) beginHere(
	ctx context.Context, site wstk.Site, bounds wstk.CrawlOptions, req IngestRequest,
) (res IngestResult, err error) {
	res.Site = site
	other, err := c.endOther(ctx, site, bounds, req)
	if err != nil {
		return res, err
	}
	if res.Run, res.Resumed, err = c.openRun(ctx, site, bounds, req); err != nil {
		return res, err
	}
	if other != "" {
		if err := c.Crawl.Warn(ctx, res.Run.ID, beganAnew(other)); err != nil {
			return res, err
		}
	}
	// each open URL would be refused, and closed
	if res.Resumed && !c.Config.AllowPrivate && c.Reading.OnlyOpened(site.Root) {
		return IngestResult{}, wstk.Errorf(wstk.RefusedAddress, "",
			"the run of %s that was left open cannot be continued: its address is private",
			site.Root).
			Try(c.again(site, res.Run, ""))
	}
	if res.Resumed {
		if err := c.Crawl.Rested(ctx, res.Run, c.Now()); err != nil {
			return res, err
		}
	}
	site.LastRun, site.UpdatedAt = res.Run.ID, c.Now().UTC()
	if err := c.SiteStore.Put(ctx, site); err != nil {
		return res, err
	}
	res.Site = site
	return res, nil
}

// conclude fills in how a crawl ended, or where it stands, as far as the stores say.
func (c *Room) conclude(ctx context.Context, res *IngestResult) {
	site := res.Site
	if run, err := c.Runs.Get(ctx, res.Run.ID); err == nil {
		res.Run = run
	}
	if !res.Run.State.Terminal() {
		if err := c.Runs.Touch(ctx, res.Run.ID, c.Now().UTC()); err != nil { // from now on it rests
			c.Log.Info("the run could not say when its work stopped", "error", err.Error())
		}
		res.Run.UpdatedAt = c.Now().UTC()
	}
	c.timed(ctx, &res.Run)
	res.Accounting, _ = c.Frontier.Accounting(ctx, res.Run.ID)
	res.Steps = c.stepsOn(ctx, site, res.Run, res.Accounting)
	pages, uncounted := c.Pages.Count(ctx, site.ID)
	res.Pages, res.Uncounted = pages, uncounted != nil
	res.SearchableAt = res.Run.SearchableAt
	res.Stages = c.Metrics.Stats()
	res.Warnings = c.Crawl.Warnings(ctx, res.Run.ID)
	if !res.Run.State.Terminal() {
		return
	}
	if err := c.Dispatch.forgetURLs(ctx, site.ID, runsExplained); err != nil {
		c.Log.Warn("old runs were not cleaned up", "error", err.Error()) // the next crawl does it
	}
}

// stopped returns the error of a crawl that stopped. If the disk is full, the first step is to
// free space, and the second to continue the crawl.
func stopped(site wstk.Site, err error, goOn wstk.Step) error {
	if !DiskIsFull(err) {
		return wstk.Errorf(wstk.CodeOf(err), "", "the crawl of %s stopped: %w", site.Root, err).
			Try(goOn)
	}
	return wstk.Errorf(wstk.CodeOf(err), "",
		"the crawl of %s stopped: the disk is full", site.Root).
		Try(append(wstk.StepsOf(err), goOn)...)
}

// DiskIsFull reports whether a store has no room for what is new.
func DiskIsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// runsExplained is for how many runs of a site Why can explain each URL.
const runsExplained = 5

// siteToCrawl finds or makes the site of a request, and the bounds of its run. Those of an
// ingest become the site's; a refresh leaves the site's as they are. A run that renders pages
// needs a browser: without one, the error is Unavailable.
func (c *Room) siteToCrawl(
	ctx context.Context, req IngestRequest,
) (wstk.Site, wstk.CrawlOptions, error) {
	site, bounds, err := c.siteAndBounds(ctx, req)
	if err == nil && bounds.Render {
		_, err = c.Browser.Find()
		err = wstk.Wrap(wstk.Unavailable, "crawling "+site.Root+" with a browser", err)
	}
	return site, bounds, err
}

func (c *Room) siteAndBounds(
	ctx context.Context, req IngestRequest,
) (wstk.Site, wstk.CrawlOptions, error) {
	// first of all: neither a page is read nor a key looked for later
	if err := cmp.Or(c.Ready.ModelsReady(wstk.OpSummarize), c.Ready.MeaningReady()); err != nil {
		return wstk.Site{}, wstk.CrawlOptions{}, err
	}
	if req.Resume != "" {
		site, err := c.SiteStore.Get(ctx, wstk.SiteID(req.URL))
		return site, site.Options, err
	}
	if len(req.Only) > 0 {
		return c.siteToDeepen(ctx, req)
	}
	if req.Refresh {
		return c.siteToRefresh(ctx, req)
	}
	root, err := reading.Address(req.URL)
	if err != nil {
		return wstk.Site{}, wstk.CrawlOptions{}, err
	}
	if c.Fetch.Admit != nil { // before any request, also of robots.txt
		if err := c.Fetch.Admit(root); err != nil {
			return wstk.Site{}, wstk.CrawlOptions{}, err
		}
	}
	id := wstk.SiteIDOf(root)
	site, err := c.SiteStore.Get(ctx, id)
	switch {
	case wstk.CodeOf(err) == wstk.NotFound:
		site = wstk.Site{ID: id, Root: root, CreatedAt: c.Now().UTC(),
			Options: wstk.DefaultCrawlOptions()}
	case err != nil:
		return site, wstk.CrawlOptions{}, err
	}
	settings := req.config(c)
	site.Options = options(settings, settings.Crawl)
	if settings.Origin["crawl.rate_limit_ms"] == "" && settings.AllowPrivate && onLoopback(root) {
		site.Options.RateLimit = 0 // a server on this machine needs no rest between requests
	}
	bounds, err := c.withCrawler(site.Options, req)
	return site, bounds, err
}

// siteToRefresh finds the site of a refresh. If the request sets no budget, the budget covers
// every page that the site holds: they may come from several crawls.
func (c *Room) siteToRefresh(
	ctx context.Context, req IngestRequest,
) (wstk.Site, wstk.CrawlOptions, error) {
	site, err := c.Reading.FindSite(ctx, req.URL)
	if err != nil {
		return site, wstk.CrawlOptions{}, err
	}
	settings := req.config(c)
	bounds := options(settings, site.Options)
	if settings.Origin["crawl.max_pages"] == "" {
		held, err := c.Pages.Count(ctx, site.ID)
		if err != nil {
			return site, bounds, err
		}
		bounds.MaxPages = max(bounds.MaxPages, held)
	}
	return site, bounds, nil
}

func (r IngestRequest) config(c *Room) config.Config {
	if r.Config != nil {
		return *r.Config
	}
	return c.Config
}

// options returns base, changed by what the operator set for this call.
func options(c config.Config, base wstk.CrawlOptions) wstk.CrawlOptions {
	for key, apply := range map[string]func(){
		"crawl.max_pages":     func() { base.MaxPages = c.Crawl.MaxPages },
		"crawl.max_depth":     func() { base.MaxDepth = c.Crawl.MaxDepth },
		"crawl.rate_limit_ms": func() { base.RateLimit = c.Crawl.RateLimit },
		"crawl.include":       func() { base.Include = c.Crawl.Include },
		"crawl.exclude":       func() { base.Exclude = c.Crawl.Exclude },
		"crawl.render":        func() { base.Render = c.Crawl.Render },
		"crawl.stale_after":   func() { base.StaleAge = c.Crawl.StaleAge },
	} {
		if c.Origin[key] != "" {
			apply()
		}
	}
	base.Robots = wstk.RobotsRespect
	if c.Robots != "" {
		base.Robots = c.Robots
	}
	if c.Origin["fetch.usage"] != "" {
		base.Usage = c.Usage
	}
	base.UserAgent, base.Fresh = c.UserAgent, c.Cache.Fresh
	return base
}

func onLoopback(root string) bool {
	u, err := url.Parse(root)
	if err != nil {
		return false
	}
	if u.Hostname() == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(u.Hostname())
	return err == nil && addr.IsLoopback()
}

// openRun returns the run that an earlier process left open, or begins a new one.
func (c *Room) openRun(
	ctx context.Context, site wstk.Site, bounds wstk.CrawlOptions, req IngestRequest,
) (run wstk.Run, resumed bool, err error) {
	kind := wstk.RunIngest
	if req.Refresh {
		kind = wstk.RunRefresh
	}
	if removal, open, err := c.openRunOf(ctx, site.ID, wstk.RunRemoval); err != nil {
		return wstk.Run{}, false, err
	} else if open {
		return wstk.Run{}, false, c.beingRemoved(ctx, site, removal)
	}
	run, open, err := c.openCrawl(ctx, site.ID)
	switch {
	case err != nil:
		return wstk.Run{}, false, err
	case req.Resume != "" && (!open || run.ID != req.Resume):
		return wstk.Run{}, false, wstk.Errorf(wstk.Conflict, "", "run %s has ended", req.Resume)
	case open:
		return run, true, nil
	}
	now := c.Now().UTC()
	run = wstk.Run{ID: wstk.NewRunID(now, nil), Kind: kind, State: wstk.RunRunning,
		Owner: wstk.CallerOf(ctx).Owner(), Site: site.ID,
		Query: site.Root, Options: &bounds, StartedAt: now, UpdatedAt: now}
	if !req.Refresh {
		if run.Continues, err = c.runToContinue(ctx, site, bounds); err != nil {
			return run, false, err
		}
	}
	if err := c.Runs.Create(ctx, run); err != nil || req.Refresh {
		return run, false, err
	}
	return run, false, c.warnOfSharedPages(ctx, run, site)
}

// warnOfSharedPages warns if the folder of another site contains the folder of this one, or lies
// in it: a page belongs to only one site.
func (c *Room) warnOfSharedPages(ctx context.Context, run wstk.Run, site wstk.Site) error {
	mine := reading.SiteFolder(site.Root)
	return c.Reading.EachSite(ctx, func(s wstk.Site) (bool, error) {
		folder := reading.SiteFolder(s.Root)
		if s.ID == site.ID || !strings.HasPrefix(mine, folder) && !strings.HasPrefix(folder, mine) {
			return true, nil
		}
		return false, c.Crawl.Warn(ctx, run.ID, wstk.Warning{Code: "shared_pages", URL: s.Root,
			Message: "A page that lies in two sites belongs to the one that was crawled last. " +
				"Filters, refreshes and removals of the other site do not include it. " +
				"To give the pages to one site, refresh that site."})
	})
}

// nothingStored explains, by the outcome of the root, why a crawl stored no page.
func (c *Room) nothingStored(ctx context.Context, res IngestResult) error {
	root, err := c.Frontier.Get(ctx, res.Run.ID, res.Site.Root)
	if err != nil {
		return c.notBegun(ctx, res)
	}
	verdict := c.whyNotStored(ctx, root)
	code := verdict.Code()
	if !slices.Contains(wstk.Verdicts(), verdict) || code == "" {
		code = wstk.Empty
	}
	next := reading.StepsAfter(verdict, root.URL, wstk.MethodHTTP)
	if verdict == wstk.VerdictRefusedAddress && !c.Config.AllowPrivate {
		next = c.Addresses.StepsToOpen(text.HostOf(res.Site.Root))
	}
	switch {
	case root.Outcome == wstk.OutcomeOverBudget && res.Run.State == wstk.RunCancelled:
		code, next = wstk.Cancelled, nil // the run says how it goes on
	case root.Outcome == wstk.OutcomeOverBudget:
		code, next = wstk.Timeout, []wstk.Step{reading.GiveLonger("give it longer")}
	}
	if host, until := c.paused(ctx, res.Site, res.Run); host != "" {
		if root.Outcome != wstk.OutcomeOverBudget {
			code = wstk.Unavailable
		}
		next = wstk.Advices(fmt.Sprintf("run it again after %s: %s asks for no requests until then",
			clock(until), host))
	}
	return wstk.Errorf(code, "", "no page of %s was stored: %s", res.Site.Root, root.Reason).
		Try(next...)
}

// notBegun explains a crawl that ended before its root was fetched.
func (c *Room) notBegun(ctx context.Context, res IngestResult) error {
	why, code, next := "the crawl ended before its first page was fetched", wstk.Timeout,
		reading.GiveLonger("give it longer")
	if len(res.Run.Reasons) > 0 {
		why = strings.Join(res.Run.Reasons, "; ")
	}
	if res.Run.State == wstk.RunCancelled {
		code, next = wstk.Cancelled, c.again(res.Site, res.Run, "to begin again")
	}
	if host, until := c.paused(ctx, res.Site, res.Run); host != "" {
		why += fmt.Sprintf("; it waited for %s, which asks for no requests before %s",
			host, clock(until))
		next = c.again(res.Site, res.Run, "run it again after "+clock(until))
	}
	return wstk.Errorf(code, "", "no page of %s was stored: %s", res.Site.Root, why).Try(next)
}

// whyNotStored returns the verdict that kept the root of a crawl from being stored. The verdict
// of its fetch says more than the outcome. Without a fetch, the reason is a refusal, or a
// robots.txt that could not be fetched.
func (c *Room) whyNotStored(ctx context.Context, root wstk.FrontierURL) wstk.Verdict {
	switch root.Outcome {
	case wstk.OutcomeRefusedRobots, wstk.OutcomeOverBudget:
		return wstk.Verdict(root.Outcome)
	}
	if v := c.newestVerdict(ctx, root.URL); v.Code() != "" {
		return v
	}
	switch v := c.newestVerdict(ctx, text.HostKey(root.URL)+"/robots.txt"); v {
	// it has no rules, and refuses no one
	case wstk.VerdictNotFound, wstk.VerdictGone, wstk.VerdictBlocked:
	default:
		if v.Code() != "" {
			return v
		}
	}
	return wstk.Verdict(root.Outcome)
}

// newestVerdict returns the verdict of the newest fetch of an address, or "" if there is none.
func (c *Room) newestVerdict(ctx context.Context, raw string) wstk.Verdict {
	asked, err := text.Canonical(raw)
	if err != nil {
		return ""
	}
	snaps, err := c.Snapshots.List(ctx, asked, 1)
	if err != nil || len(snaps) == 0 {
		return ""
	}
	return snaps[0].Verdict
}

func (c *Room) send(ctx context.Context, queue string, v any) error {
	m, err := wstk.NewMessage(queue, v, time.Time{})
	if err != nil {
		return err
	}
	return c.Queue.Send(ctx, m)
}
