package cli

import (
	"context"

	"github.com/spf13/pflag"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// gapFlags say whether links are crawled before a gap is searched, and which.
type gapFlags struct {
	crawl    bool
	site     string
	maxPages int
}

func (g *gapFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&g.crawl, "crawl", false, "first read links that were not read and fit the gap")
	f.StringVar(&g.site, "site", "", "with --crawl: only links of this site, an id or any URL "+
		"of it (default: those of --include-site, or all)")
	count(f, &g.maxPages, "max-pages", "", crawling.MostGapPages,
		"with --crawl: read at most this many pages, up to 100 (default 10)")
}

// gapCrawled is what a search found after a crawl for the gap, and what the crawl did.
type gapCrawled struct {
	answering.RecallResult
	Crawls []crawling.GapCrawl `json:"crawls,omitempty"`
}

// crawlGap crawls what fits the gap, and searches for the gap then.
func (c *command) crawlGap(
	ctx context.Context, a *app.App, query string, k filterFlags, g gapFlags, filter wstk.Filter,
) reply {
	req := crawling.GapRequest{Query: query, Filter: filter, MaxPages: g.maxPages}
	if g.site != "" {
		site, err := a.Reading.FindSite(ctx, g.site)
		if err != nil {
			return reply{err: err}
		}
		req.Filter.IncludeSites = []string{string(site.ID)}
	}
	var bar *progressBar
	if c.progressive() {
		bar = newProgressBar(c.printer(c.stderr()))
		req.Progress = bar.show
	}
	crawled, err := a.Crawling.CrawlGap(ctx, req)
	if bar != nil {
		bar.done()
	}
	if err != nil {
		return reply{err: err}
	}
	res, err := a.Answering.Gap(ctx,
		answering.RecallRequest{Query: query, Filter: filter, Limit: k.limit})
	r := hits(ctx, a, filter, res, err, "ingest more of the site: wstk site ingest URL "+
		"--max-pages 2000")
	if err != nil {
		return r
	}
	r.data = gapCrawled{RecallResult: res, Crawls: crawled.Crawls}
	r.warnings = append(r.warnings, crawled.Warnings...)
	for _, x := range crawled.Crawls {
		r.usage.Add(x.Run.Usage)
	}
	if len(crawled.Crawls) == 0 {
		r.warnings = append(r.warnings, crawling.NothingToCrawl())
	}
	human := r.human
	r.human = func(p *printer) {
		for _, x := range crawled.Crawls {
			p.linef("%s %s: %s of %s that fit best (%s)", p.bold(endOf(x.Run)), x.Site.Root,
				pagesRead(x.Accounting), text.Count(len(x.URLs), "link"), x.Run.ID)
		}
		human(p)
	}
	return r
}
