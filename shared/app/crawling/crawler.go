package crawling

import (
	"context"
	"errors"
	"slices"
	"strings"

	"wstk/shared/app/reading"
	"wstk/shared/stage/fetch"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// withCrawler adds to bounds how the pages of a first crawl are found, and for which question.
// Without a crawler it is informed for a question, and http without one. Invalid is a crawler
// that is unknown, Unprocessable one that is not set up or does not go with the question.
func (c *Room) withCrawler(
	bounds wstk.CrawlOptions, req IngestRequest,
) (wstk.CrawlOptions, error) {
	crawler, question := req.Crawler, strings.Join(strings.Fields(req.Query), " ")
	if crawler == "" && question != "" {
		crawler = wstk.CrawlerInformed
	}
	switch {
	case crawler == "" || crawler == wstk.CrawlerHTTP && question == "":
		return bounds, nil
	case !slices.Contains(wstk.Crawlers(), crawler):
		return bounds, wstk.Errorf(wstk.Invalid, "", "there is no crawler %q; there are %s",
			crawler, names(wstk.Crawlers()))
	case crawler == wstk.CrawlerHTTP:
		return bounds, wstk.Errorf(wstk.Unprocessable, "",
			"the crawler http follows links and has no use for a question").
			Try(wstk.Step{Do: wstk.DoOption, For: "search the site for the question",
				Options: []wstk.Option{wstk.OptCrawler.Set(wstk.CrawlerInformed)}})
	case crawler == wstk.CrawlerInformed && question == "":
		return bounds, wstk.Errorf(wstk.Unprocessable, "",
			"the crawler informed needs a question to search the site for").
			Try(wstk.Step{Do: wstk.DoOption, Options: []wstk.Option{wstk.OptQuery.Set("QUESTION")}})
	}
	service := c.Crawl.Discoverers[crawler]
	if service == nil {
		return bounds, wstk.Errorf(wstk.Unprocessable, "", "the crawler %s is not set up here",
			crawler)
	}
	if info := service.Info(); !info.Enabled {
		return bounds, wstk.Errorf(wstk.Unprocessable, "", "the crawler %s cannot be used: %s",
			crawler, info.Reason).Try(info.Steps...)
	}
	bounds.Crawler, bounds.Query = crawler, question
	return bounds, nil
}

func names(list []wstk.Crawler) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = string(c)
	}
	return strings.Join(words, ", ")
}

// fetchAndRead fetches and reads a page of a crawl, with a service's help where the crawl has one.
func (c *Room) fetchAndRead(
	ctx context.Context, run wstk.Run, site wstk.Site, task wstk.FetchTask,
) (reading.Read, error) {
	if task.Method == wstk.MethodBrowser {
		return c.rendered(ctx, task)
	}
	out, err := c.Reading.FetchAndRead(ctx, task)
	if err != nil {
		return out, err
	}
	return c.handedOver(ctx, run, site, out)
}

// handedOver returns what a service gives for a page that needs a browser, where the run's
// crawler has such a service. What we fetched ourselves stands if the site does not want the
// page to be kept, or if the service fails, which is a warning of the run.
func (c *Room) handedOver(
	ctx context.Context, run wstk.Run, site wstk.Site, in reading.Read,
) (reading.Read, error) {
	if boundsOf(site, run).Crawler != wstk.CrawlerFirecrawl ||
		in.Screening.Verdict != wstk.VerdictNeedsRender || !c.Crawl.MayKeep(run, site, in.Fetched) {
		return in, nil
	}
	out, err := c.Reading.HandedOver(ctx, in)
	switch {
	case err == nil:
		return out, nil
	case ctx.Err() != nil:
		return in, wstk.Wrap(wstk.Cancelled, "asking for a page", ctx.Err())
	case wstk.CodeOf(err) == wstk.Internal: // ours: the message comes again
		return in, err
	}
	return in, c.Crawl.Warn(ctx, run.ID, wstk.Warning{Code: "not_rendered", URL: in.Task.URL,
		Message: "The page needs a browser, and the service did not hand it over: " +
			text.Shorten(strings.TrimSuffix(err.Error(), "."), 200) + "."})
}

// needsBrowser reports whether a page that was fetched without a browser is to be rendered: the
// crawl renders pages, there is a browser, and the site does not forbid to keep the page.
func (c *Room) needsBrowser(run wstk.Run, site wstk.Site, in reading.Read) bool {
	return boundsOf(site, run).Render && c.Fetch.Renderer != nil &&
		in.Task.Method != wstk.MethodBrowser && in.Screening.Verdict == wstk.VerdictNeedsRender &&
		c.Crawl.MayKeep(run, site, in.Fetched)
}

// rendered fetches a page of a crawl with a browser, after a fetch without one brought an empty
// shell. A browser that fails leaves it at that, or one page could stop the crawl.
func (c *Room) rendered(ctx context.Context, task wstk.FetchTask) (reading.Read, error) {
	task.Render.WaitFor = wstk.NetworkIdle
	out, err := c.Reading.FetchAndRead(ctx, task)
	var failed *fetch.NotShown
	if !errors.As(err, &failed) {
		return out, err
	}
	out.Snapshot = wstk.Snapshot{URL: task.URL, FinalURL: task.URL, Method: task.Method,
		Verdict: wstk.VerdictNeedsRender, Reason: "it needs a browser, and that failed: " +
			text.Shorten(failed.Error(), 200)}
	return out, nil
}
