package stages

import (
	"context"
	"time"

	"wstk/shared/adapter/limit"
	"wstk/shared/adapter/provider"
	"wstk/shared/app"
	"wstk/shared/stage/search"
	"wstk/shared/wstk"
)

// paceGap is the time between two requests to one service of a crawler, over all processes of a
// home, and paceWait the longest wait for a turn.
const (
	paceGap  = 500 * time.Millisecond
	paceWait = 20 * time.Second
)

// crawlers sets the services that name pages of a site or hand over single ones. They are
// asked in the order in which the slots of their host come, as sites are.
func crawlers(a *app.App, options func(id string) provider.Options) {
	pace := func(id string) limit.Pace {
		return limit.Pace{Hosts: a.Hosts, Name: "crawler://" + id, Gap: paceGap, Wait: paceWait,
			Now: a.Now}
	}
	tavily := provider.TavilyMap{Options: options("tavily")}
	firecrawl := provider.FirecrawlMap{Options: options("firecrawl_endpoint")}
	a.Crawl.Discoverers = map[wstk.Crawler]wstk.Discoverer{
		wstk.CrawlerInformed: provider.Informed{Search: searched(a)}, // searches have limits
		wstk.CrawlerTavily:   limit.Discover{Discoverer: tavily, Pace: pace("tavily")},
		wstk.CrawlerFirecrawl: limit.Discover{Discoverer: firecrawl,
			Pace: pace("firecrawl_endpoint")},
	}
	a.Fetch.Scraper = limit.Scrape{Scraper: firecrawl, Pace: pace("firecrawl_endpoint")}
}

// searched asks the search providers as every search does: in the configured order, with the
// lists of domains, until one gives results.
func searched(a *app.App) func(context.Context, wstk.SearchQuery) (wstk.SearchReply, error) {
	return func(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
		c := a.Config
		q.Region, q.SafeSearch, q.Fresh = c.Search.Region, c.Search.SafeSearch, c.Cache.Fresh
		res, err := a.WebSearch.Do(ctx, search.Request{Query: q, Provider: c.Search.Provider,
			Order: c.Search.Order, Allow: c.AllowDomains, Block: c.BlockDomains})
		for _, o := range res.Outcomes {
			a.Metrics.Provider(o)
		}
		return wstk.SearchReply{Query: res.Query, Results: res.Results, Warnings: res.Warnings},
			err
	}
}
