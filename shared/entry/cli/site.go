package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wstk/shared/app"
	"wstk/shared/app/crawling"
	"wstk/shared/entry/step"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

func (c *command) site() *cobra.Command {
	return group(&cobra.Command{
		Use: "site", Short: "Crawl sites and see where each URL ended",
	}, c.siteIngest(), c.siteRefresh(), c.siteCancel(), c.siteRemove(), c.siteList(),
		c.siteStatus())
}

// ingestFlags adds the bounds of a first crawl.
func ingestFlags(f *pflag.FlagSet) {
	d := wstk.DefaultCrawlOptions()
	f.Int("max-pages", d.MaxPages, "stop after this many pages; the same command reads the next")
	f.Int("max-depth", d.MaxDepth, "follow links this far from the root")
	f.Int("rate-limit-ms", int(d.RateLimit.Milliseconds()),
		"least time between two requests to one host, in milliseconds (0 on loopback with --allow-private)")
	pathFlags(f)
}

// refreshFlags adds the bounds of a crawl of a known site. Their defaults are those of its
// last ingest, so no numbers are printed (pflag prints none for 0).
func refreshFlags(f *pflag.FlagSet) {
	f.Int("max-pages", 0, "stop after this many pages (default: as in the last ingest, "+
		"but at least as many as are stored)")
	f.Int("max-depth", 0,
		"follow links this far from the root (default: as in the last ingest)")
	f.Int("rate-limit-ms", 0, "least time between two requests to one host, in milliseconds "+
		"(default: as in the last ingest)")
	pathFlags(f)
}

// pathFlags adds which paths a crawl keeps to, how its pages are shown, and what summarizes them.
func pathFlags(f *pflag.FlagSet) {
	negatable(f, new(bool), "render", "render pages that need a browser; --no-render leaves them out")
	f.String("browser", "", "path of the browser (or WSTK_BROWSER; default: the first one found)")
	addModel(f, "that summarizes pages")
	f.StringSlice("include", nil, "only paths like this, such as /docs/**: * is any part "+
		"of a name, ** also goes through folders (repeatable)")
	f.StringSlice("exclude", nil, "no paths like this (repeatable; overrides --include)")
}

func (c *command) siteIngest() *cobra.Command {
	var query, crawler string
	cmd := &cobra.Command{
		Use: "ingest URL", Short: "Crawl a site, read and index its pages",
		Long: `Crawls the site at URL: the pages of its host in the folder of its path. It finds them
through links, robots.txt and sitemaps. Every URL that it finds ends in exactly one outcome
with a reason.

If the command is stopped, what was read stays, and the same command continues where it
stopped. If --max-pages ended the crawl, the same command reads the next pages, again at
most --max-pages; no page counts twice. With another --max-depth, --include, --exclude,
--query, --crawler, --robots or --fresh it begins at the root.

With --query, a search of the web for the question, on the host of URL alone, names pages
that are read before the front page (--crawler informed). The question and the host are
sent to a search provider: to DuckDuckGo, if you have set up none. The crawlers tavily and
firecrawl ask these services for pages of the site; firecrawl also hands over pages that
need a browser. All of them then follow links and sitemaps, as http does. A service that
fails is named in the warnings.`,
		Example: "  wstk site ingest https://www.sqlite.org/ --max-pages 200\n" +
			"  wstk site ingest http://127.0.0.1:8000/ --allow-private\n" +
			"  wstk site ingest https://www.sqlite.org/ --query \"Can WAL mode be used over a network?\" " +
			"--max-pages 50",
		Args: word("URL", 1, 1),
		RunE: c.with(c.env.Open, ownLimit, func(
			ctx context.Context, a *app.App, args []string,
		) reply {
			return c.crawl(ctx, a, crawling.IngestRequest{URL: args[0], Query: query,
				Crawler: wstk.Crawler(crawler)})
		}),
	}
	ingestFlags(cmd.Flags())
	cmd.Flags().StringVar(&query, "query", "", "read pages first that may answer this question")
	cmd.Flags().StringVar(&crawler, "crawler", "", "how pages are found: http, informed, "+
		"tavily or firecrawl (default: http, and informed with --query)")
	return cmd
}

func (c *command) siteRefresh() *cobra.Command {
	cmd := &cobra.Command{
		Use: "refresh SITE", Short: "Crawl a known site again, asking only for what changed",
		Long: `Asks again for every known page of SITE (an id, or any URL of the site), and crawls what is
new. It sends the ETag and Last-Modified of last time, so the site sends only pages that
changed. The bounds are those of the site's last ingest; flags change them for this run
only. Without --max-pages it asks for every stored page.`,
		Args: word("SITE", 1, 1),
		RunE: c.with(c.env.Open, ownLimit, func(
			ctx context.Context, a *app.App, args []string,
		) reply {
			return c.crawl(ctx, a, crawling.IngestRequest{URL: args[0], Refresh: true})
		}),
	}
	refreshFlags(cmd.Flags())
	return cmd
}

// cancelWait is how long site cancel waits for the crawl to end.
const cancelWait = 30 * time.Second

func (c *command) siteCancel() *cobra.Command {
	return &cobra.Command{
		Use: "cancel SITE", Short: "Stop the crawl of a site, in this or another process",
		Long: `Stops the crawl of SITE (an id, or any URL of the site), and waits until it has ended.
Fetches in progress are abandoned. Each URL that is still open ends with the reason, and the
run ends as cancelled. What was read stays. When no crawl runs, nothing changes.`,
		Args: word("SITE", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			asked := a.Now()
			run, site, err := a.Crawling.CancelCrawl(ctx, args[0])
			if err != nil {
				return reply{err: err}
			}
			ended := run.State.Terminal() && run.EndedAt.Before(asked)
			for late := time.After(cancelWait); !run.State.Terminal(); {
				select {
				case <-ctx.Done():
					return reply{err: wstk.Wrap(wstk.Cancelled,
						"waiting for the crawl to stop", ctx.Err())}
				case <-late:
					return reply{err: wstk.Errorf(wstk.Timeout, "",
						"the crawl of %s was asked to stop and has not ended after %s",
						site.Root, cancelWait).
						Try(wstk.Advice("wstk site status " + site.Root))}
				case <-time.After(50 * time.Millisecond):
				}
				if run, err = a.Runs.Get(ctx, run.ID); err != nil {
					return reply{err: err}
				}
			}
			s, err := a.Crawling.Status(ctx, string(site.ID))
			if err != nil {
				return reply{err: err}
			}
			s.NextSteps = worded(s.Steps)
			return reply{data: s,
				plain: func(w io.Writer) {
					fmt.Fprintf(w, "%s\t%s\t%s\n", run.ID, site.ID, run.State)
				},
				human: func(p *printer) {
					if ended {
						p.linef("no crawl of %s runs; its newest one is %s", site.Root, run.State)
						return
					}
					p.linef("%s %s (%s)", p.bold(string(run.State)), site.Root, run.ID)
					accounting(p, s.Accounting)
					nextSteps(p, s.Steps)
				},
			}
		}),
	}
}

// siteRemoved is what site remove did.
type siteRemoved struct {
	Run     wstk.Run             `json:"run"`
	Removal crawling.SiteRemoval `json:"removal"`
}

func (c *command) siteRemove() *cobra.Command {
	var yes, withRuns bool
	cmd := &cobra.Command{
		Use: "remove SITE", Short: "Remove a site permanently: pages, texts, bodies, index " +
			"entries, crawls",
		Long: `Removes SITE (an id, or any URL of the site): its pages in every version, what was fetched,
summaries, index entries, crawls and schedule. Stored answers still verify afterwards: what
they cite stays, and the reply names it. --with-runs also removes these answers and what
they cite. A removal cannot be undone, so nothing happens without --yes. If it is stopped,
the same command continues.`,
		Example: "  wstk site remove https://www.sqlite.org/ --yes\n  wstk site remove " +
			"site_7f53a1ba1f324df2 --with-runs --yes",
		Args: word("SITE", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			if !yes {
				site, pages, err := a.Crawling.SiteToRemove(ctx, args[0])
				if err != nil {
					return reply{err: err}
				}
				return reply{err: wstk.Errorf(wstk.Invalid, "",
					"nothing was removed: removing %s with %s cannot be undone; add --yes to "+
						"confirm",
					site.Root, text.Count(pages, "known URL")).
					Try(crawling.RemoveStep(site, withRuns, ""))}
			}
			run, site, err := a.Crawling.RemoveSite(ctx, args[0], withRuns, false)
			if err != nil {
				return reply{err: err}
			}
			out := siteRemoved{}
			if out.Run, out.Removal, err = a.Crawling.Removal(ctx, run.ID); err != nil {
				return reply{err: err}
			}
			if !out.Run.State.Terminal() {
				return reply{err: wstk.Errorf(wstk.Conflict, "",
					"%s is being removed by another process right now", site.Root).
					Try(wstk.Advice("wait until it has ended: wstk site list"))}
			}
			return reply{data: out,
				plain: func(w io.Writer) { fmt.Fprintf(w, "%s\t%s\n", out.Run.ID, site.ID) },
				human: func(p *printer) { humanRemoval(p, out.Removal) },
			}
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "remove it; without this nothing happens")
	cmd.Flags().BoolVar(&withRuns, "with-runs", false, "also remove the answers that cite it")
	return cmd
}

func humanRemoval(p *printer, r crawling.SiteRemoval) {
	p.linef("removed %s: %d of %s, with %s, %s, %s and %s", safe(r.Root), r.PagesRemoved,
		text.Count(r.Pages, "known URL"),
		text.Count(r.Snapshots, "snapshot"), text.Count(r.Blobs, "blob"),
		text.Count(r.Evidence, "quote"),
		text.Count(r.Crawls, "crawl"))
	if r.Answers > 0 {
		p.linef("with it went %s", text.Count(r.Answers, "answer"))
	}
	if r.PagesKept > 0 {
		p.linef("something is left of %s: what answers cite, or what another run fetched since",
			text.Count(r.PagesKept, "page"))
	}
	for _, k := range r.Kept {
		p.linef("  %s, cited by %s", safe(k.URL), few(k.CitedBy))
	}
	if len(r.Kept) > 0 {
		p.line(safe(step.Shell(crawling.RemoveStep(wstk.Site{Root: r.Root}, true,
			"to remove that and those answers"))))
	}
}

// few names the first five runs, and says how many more there are.
func few(runs []wstk.RunID) string {
	var names []string
	for _, r := range runs[:min(5, len(runs))] {
		names = append(names, string(r))
	}
	out := strings.Join(names, ", ")
	if n := len(runs) - len(names); n > 0 {
		out += fmt.Sprintf(" and %d more", n)
	}
	return out
}

// crawl runs an ingest or a refresh with progress.
func (c *command) crawl(ctx context.Context, a *app.App, req crawling.IngestRequest) reply {
	var bar *progressBar
	if c.progressive() {
		bar = newProgressBar(c.printer(c.stderr()))
		req.Progress = bar.show
	}
	res, err := a.Crawling.Ingest(ctx, req)
	if bar != nil {
		bar.done()
	}
	if err != nil && res.Run.ID == "" {
		return reply{err: err}
	}
	res.NextSteps = worded(res.Steps)
	return reply{data: res, usage: res.Run.Usage, err: err,
		warnings: slices.Concat(res.Warnings, a.Looking.NotByRule(req.URL)),
		plain: func(w io.Writer) {
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\n", res.Run.ID, res.Site.ID, res.Run.State, res.Pages)
		},
		human: func(p *printer) {
			if res.Resumed {
				p.linef("continued run %s, which was left open, with the bounds it began with",
					res.Run.ID)
			}
			if res.Run.Continues != "" {
				p.linef("continued with the pages that run %s had left; pages it read are not "+
					"counted again", res.Run.Continues)
			}
			p.linef("%s %s: %s in %s, %s (%s)", p.bold(endOf(res.Run)), res.Site.Root,
				pagesRead(res.Accounting), took(res.Run), holds(res), res.Run.ID)
			for _, why := range res.Run.Reasons {
				p.linef("  %s", safe(why))
			}
			accounting(p, res.Accounting)
			nextSteps(p, res.Steps)
		},
	}
}

// endOf is how a crawl ended in this process: one that was stopped can be continued.
func endOf(run wstk.Run) string {
	if !run.State.Terminal() {
		return "stopped"
	}
	return string(run.State)
}

// holds says how many pages a site holds, and why that is more than were read.
func holds(res crawling.IngestResult) string {
	if res.Uncounted {
		return "what the site holds could not be counted"
	}
	out := fmt.Sprintf("the site holds %d", res.Pages)
	if n := res.Accounting.Of(wstk.OutcomeDuplicateOf); n > 0 {
		out += " with " + text.Count(n, "duplicate")
	}
	return out
}

// pagesRead says how many pages a crawl read, and of how many it learned only that they
// are as they were.
func pagesRead(a wstk.Accounting) string {
	out := text.Count(a.Of(wstk.OutcomeFetched), "page") + " read"
	if n := a.Of(wstk.OutcomeNotModified); n > 0 {
		out += fmt.Sprintf(", %d not modified", n)
	}
	return out
}

// took is how long a crawl was worked on.
func took(run wstk.Run) string {
	if ms := run.Usage.DurationMS; ms < 1000 {
		return fmt.Sprintf("%d ms", ms)
	}
	return fmt.Sprintf("%.1f s", float64(run.Usage.DurationMS)/1000)
}

// nextSteps prints what goes on with a crawl, in the words of the command line.
func nextSteps(p *printer, steps []wstk.Step) {
	for _, s := range worded(steps) {
		p.line(safe(s))
	}
}

// accounting prints the outcomes that occurred, and that they add up.
func accounting(p *printer, a wstk.Accounting) {
	sum := 0
	for _, o := range wstk.Outcomes() {
		if n := a.Of(o); n > 0 {
			p.linef("  %-15s %6d", o, n)
			sum += n
		}
	}
	verdict := p.green("adds up")
	if !a.Balanced() {
		verdict = p.red(fmt.Sprintf("does not add up: the sum of the outcomes is %d", sum))
	}
	p.linef("  %-15s %6d  %s", "discovered", a.Discovered, verdict)
}

func (c *command) siteList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the sites that were ingested", Args: cobra.NoArgs,
		RunE: c.run(func(ctx context.Context, a *app.App, _ []string) reply {
			sites, err := a.Crawling.Sites(ctx)
			if err != nil {
				return reply{err: err}
			}
			for i, s := range sites {
				sites[i].NextSteps = worded(s.Steps)
			}
			r := reply{data: siteList{sites},
				plain: func(w io.Writer) {
					for _, s := range sites {
						fmt.Fprintf(w, "%s\t%s\t%d\n", s.Site.ID, s.Site.Root, s.Pages)
					}
				},
				human: func(p *printer) {
					for _, s := range sites {
						state := "never crawled"
						if s.Run != nil {
							state = stateOf(*s.Run) + ", " + s.Run.StartedAt.Local().
								Format("2006-01-02 15:04")
						}
						p.linef("%s  %-44s %11s  %s", s.Site.ID, s.Site.Root,
							text.Count(s.Pages, "page"), p.dim(state))
					}
				},
			}
			if len(sites) == 0 {
				r.err = wstk.Errorf(wstk.Empty, "", "no site has been ingested yet").
					Try(wstk.Advice("wstk site ingest URL"))
			}
			return r
		}),
	}
}

// stateOf is the state of the newest run of a site, in a list.
func stateOf(run wstk.Run) string {
	if run.Kind == wstk.RunRemoval {
		return "being removed"
	}
	return string(run.State)
}

func (c *command) siteStatus() *cobra.Command {
	var why string
	cmd := &cobra.Command{
		Use: "status SITE", Short: "Count the URLs of a site's last run by outcome, or explain " +
			"the outcome of one URL",
		Long: "SITE is an id or any URL of the site.",
		Example: "  wstk site status https://www.sqlite.org/\n  wstk site status " +
			"https://www.sqlite.org/ --why https://www.sqlite.org/wal.html",
		Args: word("SITE", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			if why != "" {
				w, err := a.Crawling.Why(ctx, args[0], why)
				if err != nil {
					return reply{err: err}
				}
				return reply{data: w,
					plain: func(out io.Writer) {
						fmt.Fprintf(out, "%s\t%s\t%s\n", w.URL, w.Outcome, w.Why)
					},
					human: func(p *printer) { p.line(wrap(w.Why, "", p.width)) },
				}
			}
			s, err := a.Crawling.Status(ctx, args[0])
			if err != nil {
				return reply{err: err}
			}
			s.NextSteps = worded(s.Steps)
			return reply{data: s,
				plain: func(w io.Writer) {
					fmt.Fprintf(w, "discovered\t%d\n", s.Accounting.Discovered)
					for _, o := range wstk.Outcomes() {
						fmt.Fprintf(w, "%s\t%d\n", o, s.Accounting.Of(o))
					}
				},
				human: func(p *printer) {
					p.linef("%s  %s", p.bold(s.Site.Root), p.dim(string(s.Site.ID)))
					p.linef("%s held", text.Count(s.Pages, "page"))
					if s.Run != nil {
						p.linef("last run %s: %s %s, started %s", s.Run.ID, s.Run.Kind,
							stateOf(*s.Run), s.Run.StartedAt.Local().Format("2006-01-02 15:04:05"))
						if !s.Run.State.Terminal() {
							p.linef("  last sign of work %s", s.Run.UpdatedAt.Local().
								Format("2006-01-02 15:04:05"))
						}
						for _, r := range s.Run.Reasons {
							p.linef("  %s", safe(r))
						}
						if s.Run.Kind != wstk.RunRemoval {
							p.linef("  worked on for %s", took(*s.Run))
							accounting(p, s.Accounting)
						}
						nextSteps(p, s.Steps)
					}
				},
			}
		}),
	}
	cmd.Flags().StringVar(&why, "why", "", "explain why this URL ended as it did")
	return cmd
}
