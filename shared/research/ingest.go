package research

import (
	"context"
	"strconv"
	"strings"

	"wstk/shared/app/crawling"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// Crawl bounds one crawl. Zero fields mean the settings: 500 pages, depth 10.
type Crawl struct {
	MaxPages int
	MaxDepth int      // links from the first page
	Include  []string // patterns of paths that are of the site, such as "/docs/**"; nil means all
	Exclude  []string // and of those that are not

	// Query is what the pages should answer: those that a search for it finds on the site are read
	// first. Crawler is how pages are found beside links and sitemaps; "" means informed with a
	// Query, and http without one. Both are for a first crawl, not for Refresh.
	Query   string
	Crawler wstk.Crawler

	// Progress is called now and then from one goroutine; it may be nil.
	Progress func(crawling.Progress)
}

// Ingest crawls a site from its first page, and stores and indexes each page within the bounds.
// It respects robots.txt, and returns when every page it found has an outcome. It opens private
// addresses only with the setting fetch.allow_private. When ctx ends the crawl stays open, and the
// same call continues it.
//
// Codes: Invalid for what is no address, Unprocessable for a crawler or a model that is not set up,
// before anything is sent, ModelFailed if a model refuses the key, Empty and those of verdicts if
// no page could be stored, Conflict while another process crawls the site, Cancelled. The result is
// valid beside an error once the run exists.
func (r *Research) Ingest(
	ctx context.Context, url string, c Crawl,
) (crawling.IngestResult, error) {
	return r.crawl(ctx, crawling.IngestRequest{URL: url, Query: c.Query, Crawler: c.Crawler,
		Progress: c.Progress}, c)
}

// Refresh asks for every known page of a site again, whatever its age, and crawls new ones; site
// is the id or any address of an ingested site, else NotFound. A page that has not changed costs
// one conditional request. Answers and quotes from before stay as they are.
func (r *Research) Refresh(
	ctx context.Context, site string, c Crawl,
) (crawling.IngestResult, error) {
	if c.Query != "" || c.Crawler != "" {
		return crawling.IngestResult{}, wstk.Errorf(wstk.Invalid, "", "Query and Crawler are for a "+
			"first crawl, and a refresh asks for the pages that are known")
	}
	return r.crawl(ctx, crawling.IngestRequest{URL: site, Refresh: true, Progress: c.Progress}, c)
}

func (r *Research) crawl(
	ctx context.Context, req crawling.IngestRequest, c Crawl,
) (crawling.IngestResult, error) {
	settings, err := c.config(r.app.Config)
	if err != nil {
		return crawling.IngestResult{}, err
	}
	req.Config = &settings
	return r.app.Crawling.Ingest(ctx, req)
}

// config is base with the bounds of one crawl.
func (c Crawl) config(base config.Config) (config.Config, error) {
	values := map[string]string{}
	if c.MaxPages != 0 {
		values["crawl.max_pages"] = strconv.Itoa(c.MaxPages)
	}
	if c.MaxDepth != 0 {
		values["crawl.max_depth"] = strconv.Itoa(c.MaxDepth)
	}
	if len(c.Include) > 0 {
		values["crawl.include"] = strings.Join(c.Include, ",")
	}
	if len(c.Exclude) > 0 {
		values["crawl.exclude"] = strings.Join(c.Exclude, ",")
	}
	return base.With(values, config.OriginFlag)
}
