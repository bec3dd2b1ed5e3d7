package crawling

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"wstk/shared/stage/crawl"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// GapRequest asks for a crawl of what may hold what an answer lacks.
type GapRequest struct {
	Query    string      // of the gap
	Filter   wstk.Filter // of the question: only its sites are looked at
	MaxPages int         // over all sites; 0 means DefaultGapPages, at most MostGapPages
	Progress func(Progress)
}

// Budgets of a crawl for a gap.
const (
	DefaultGapPages = 10
	MostGapPages    = 100
)

// Bounds of what a crawl for a gap looks at, for each site.
const (
	gapPages = 2_000  // stored pages, whose links are read
	gapLinks = 50_000 // links that were not read
)

// GapCrawl is the crawl of one site for a gap.
type GapCrawl struct {
	Site       wstk.Site       `json:"site"`
	Run        wstk.Run        `json:"run"`
	URLs       []string        `json:"urls"` // that it asks for, best first
	Accounting wstk.Accounting `json:"accounting,omitzero"`
}

// GapCrawls are the crawls for a gap, by the site of the best link; none if no link that was
// not read fits the gap.
type GapCrawls struct {
	Crawls   []GapCrawl
	Warnings []wstk.Warning
}

// CrawlGap crawls the links that no crawl has followed and that fit a gap best, over all sites
// together, and waits for the ends of the crawls. It crawls once: what it reads may hold links
// that fit better, and the caller decides about these. The sites are those that the filter
// lets through. A site that is being crawled is Conflict. The crawls that were made are valid
// beside an error.
func (c *Room) CrawlGap(ctx context.Context, req GapRequest) (GapCrawls, error) {
	return c.eachGap(ctx, req, func(g GapCrawl) (GapCrawl, error) {
		res, err := c.Ingest(ctx, req.ingest(g))
		if res.Run.ID == "" {
			return g, err
		}
		g.Site, g.Run, g.Accounting = res.Site, res.Run, res.Accounting
		if code := wstk.CodeOf(err); res.Run.State.Terminal() && code != wstk.Cancelled {
			err = nil // the accounting says what became of the pages
		}
		return g, err
	})
}

// BeginGap is CrawlGap in the background: it returns as soon as the runs exist.
func (c *Room) BeginGap(ctx context.Context, req GapRequest) (GapCrawls, error) {
	return c.eachGap(ctx, req, func(g GapCrawl) (_ GapCrawl, err error) {
		g.Run, g.Site, err = c.Begin(ctx, req.ingest(g))
		return g, err
	})
}

func (r GapRequest) ingest(g GapCrawl) IngestRequest {
	return IngestRequest{URL: string(g.Site.ID), Only: g.URLs, Query: r.Query,
		Progress: r.Progress}
}

func (c *Room) eachGap(
	ctx context.Context, req GapRequest, do func(GapCrawl) (GapCrawl, error),
) (GapCrawls, error) {
	out, err := c.planGap(ctx, req)
	if err != nil {
		return out, err
	}
	plans := out.Crawls
	out.Crawls = []GapCrawl{}
	for _, g := range plans {
		g, err := do(g)
		if g.Run.ID != "" {
			out.Crawls = append(out.Crawls, g)
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// siteToDeepen finds the site of a crawl of a few URLs, and its bounds: those of the site, with
// these URLs as the budget.
func (c *Room) siteToDeepen(
	ctx context.Context, req IngestRequest,
) (wstk.Site, wstk.CrawlOptions, error) {
	site, err := c.SiteStore.Get(ctx, wstk.SiteID(req.URL))
	if err != nil {
		return site, wstk.CrawlOptions{}, err
	}
	bounds := options(req.config(c), site.Options)
	bounds.MaxPages, bounds.MaxDepth = len(req.Only), 0
	bounds.Only, bounds.Query = req.Only, req.Query
	return site, bounds, nil
}

// planGap ranks the unread links of all sites together, and gives each site its best ones.
func (c *Room) planGap(ctx context.Context, req GapRequest) (out GapCrawls, err error) {
	budget := req.MaxPages
	if budget <= 0 {
		budget = DefaultGapPages
	}
	var links []crawl.Unread
	var sites []wstk.Site
	of := map[string]int{} // the site of a link, by its place in sites
	err = c.Reading.EachSite(ctx, func(s wstk.Site) (bool, error) {
		if !mayHold(req.Filter, s) {
			return true, nil
		}
		unread, left, err := c.unread(ctx, s, req.Filter)
		if err != nil {
			return false, err
		}
		if left {
			out.Warnings = append(out.Warnings, wstk.Warning{Code: "links_left_out", URL: s.Root,
				Message: fmt.Sprintf("The site is larger than a crawl for a gap looks at: the "+
					"links of %d pages, %d links.", gapPages, gapLinks)})
		}
		for _, u := range unread {
			if _, known := of[u.URL]; !known {
				of[u.URL] = len(sites)
				links = append(links, u)
			}
		}
		sites = append(sites, s)
		return true, nil
	})
	if err != nil {
		return out, err
	}
	plans := map[int]*GapCrawl{}
	var order []int
	ranked := crawl.Rank(req.Query, links)
	for _, u := range ranked[:min(len(ranked), budget, MostGapPages)] {
		i := of[u.URL]
		if plans[i] == nil {
			plans[i] = &GapCrawl{Site: sites[i]}
			order = append(order, i)
		}
		plans[i].URLs = append(plans[i].URLs, u.URL)
	}
	for _, i := range order {
		out.Crawls = append(out.Crawls, *plans[i])
	}
	return out, nil
}

// mayHold reports whether a page of the site may pass the filter.
func mayHold(f wstk.Filter, s wstk.Site) bool {
	rules := f.IncludeSites
	return len(rules) == 0 || slices.ContainsFunc(rules, func(raw string) bool {
		r := wstk.ParseSiteRule(raw)
		if r.Site == "" {
			r.Path = ""
		}
		return r.Match(s.ID, s.Root)
	})
}

// unread returns the links of a site that belong to it, pass the filter and were not read. left
// reports whether some were not looked at.
func (c *Room) unread(
	ctx context.Context, site wstk.Site, f wstk.Filter,
) (links []crawl.Unread, left bool, err error) {
	f.MinDate = time.Time{} // what was never read has no date
	var run wstk.Run
	if site.LastRun != "" {
		run, err = c.wholeCrawl(ctx, site.LastRun)
		if err != nil && wstk.CodeOf(err) != wstk.NotFound {
			return nil, false, err
		}
	}
	run.Options = nil // the bounds are the site's
	scope, err := c.Crawl.ScopeOf(ctx, run, site)
	if err != nil {
		return nil, false, err
	}
	u := unreading{room: c, site: site, filter: f, scope: scope, known: map[string]bool{},
		at: map[string]int{}}
	if err := u.pages(ctx); err != nil {
		return nil, false, err
	}
	if run.ID != "" {
		err = u.frontier(ctx, run.ID)
	}
	return u.links, u.left, err
}

// unreading collects the unread links of one site.
type unreading struct {
	room   *Room
	site   wstk.Site
	filter wstk.Filter
	scope  *crawl.Scope
	known  map[string]bool // URLs that were asked for
	at     map[string]int  // places in links
	links  []crawl.Unread
	left   bool
}

// pages takes the links of the stored pages.
func (u *unreading) pages(ctx context.Context) error {
	var held []wstk.Page
	for cursor := ""; ; {
		pages, next, err := u.room.Pages.List(ctx, u.site.ID, cursor, 500)
		if err != nil {
			return err
		}
		for _, p := range pages {
			u.known[p.URL] = true
			if p.Document == "" {
				continue
			}
			if len(held) == gapPages {
				u.left = true
				continue
			}
			held = append(held, p)
		}
		if cursor = next; next == "" {
			break
		}
	}
	for _, p := range held {
		doc, err := u.room.Reading.Document(ctx, p.Document)
		if wstk.CodeOf(err) == wstk.NotFound { // the site is being removed
			continue
		}
		if err != nil {
			return err
		}
		for _, l := range doc.Links {
			u.add(text.WithoutUser(l.URL), l.Text, p.Title)
		}
	}
	return nil
}

// frontier takes what the last crawl had no budget for, or what was too deep for it.
func (u *unreading) frontier(ctx context.Context, run wstk.RunID) error {
	for cursor := ""; ; {
		urls, next, err := u.room.Frontier.List(ctx, run, wstk.URLClosed, cursor, 500)
		if err != nil {
			return err
		}
		for _, f := range urls {
			if f.Outcome == wstk.OutcomeOverBudget || f.Outcome == wstk.OutcomeOverDepth {
				u.add(f.URL, "", "")
			}
		}
		if cursor = next; next == "" || u.left {
			return nil
		}
	}
}

// add takes a link that was not read.
func (u *unreading) add(url, anchor, title string) {
	i, seen := u.at[url]
	if !seen {
		if u.known[url] {
			return
		}
		in, _ := u.scope.Decide(url)
		if !in || !u.filter.Match(u.site.ID, url, time.Time{}) {
			u.known[url] = true // no more of it
			return
		}
		if len(u.links) == gapLinks {
			u.left = true
			return
		}
		i = len(u.links)
		u.at[url] = i
		u.links = append(u.links, crawl.Unread{URL: url})
	}
	l := &u.links[i]
	l.Anchors, l.Titles = withWords(l.Anchors, anchor), withWords(l.Titles, title)
}

// mostWords is how many different texts are kept of a link.
const mostWords = 8

func withWords(list []string, s string) []string {
	if s = strings.TrimSpace(s); s == "" || len(list) == mostWords || slices.Contains(list, s) {
		return list
	}
	return append(list, text.Shorten(s, 200))
}

// NothingToCrawl warns that there is no link that a crawl for a gap would follow.
func NothingToCrawl() wstk.Warning {
	return wstk.Warning{Code: "nothing_to_crawl", Message: "Nothing was crawled: no link that was " +
		"not read shares a word with the gap. Ingest more of a site, or ask with other words."}
}
