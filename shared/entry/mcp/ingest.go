package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/app/crawling"
	"wstk/shared/entry/check"
	"wstk/shared/entry/step"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// ingestTool crawls a site, so that ask can answer from it.
var ingestTool = tool{
	name: "ingest",
	about: "Crawl a site from url and store its pages for ask. Respects robots.txt. A long crawl goes on " +
		"in the background: call with status to wait for it. query reads the pages first that fit it.",
	scope: wstk.ScopeWrite,
	hints: sdk.ToolAnnotations{DestructiveHint: no, IdempotentHint: true},
	input: json.RawMessage(`{"type":"object","required":["url"],"properties":{` +
		`"url":{"type":"string"},"query":{"type":"string"},"max_pages":{"type":"integer"},` +
		`"max_depth":{"type":"integer"},` +
		`"include":{"type":"array","items":{"type":"string"},"description":"paths, as /docs/**"},` +
		`"exclude":{"type":"array","items":{"type":"string"}},` +
		`"refresh":{"type":"boolean","description":"look at known pages again"},` +
		`"status":{"type":"boolean"}}}`),
	output: json.RawMessage(`{"type":"object","required":["site","run","pages"]}`),
	work:   ingestSite,
}

func ingestSite(ctx context.Context, c *call) (reply, error) {
	var in struct {
		URL      string    `json:"url"`
		Query    string    `json:"query"`
		MaxPages *int      `json:"max_pages"`
		MaxDepth *int      `json:"max_depth"`
		Include  *[]string `json:"include"`
		Exclude  *[]string `json:"exclude"`
		Refresh  bool      `json:"refresh"`
		Status   bool      `json:"status"`
	}
	err := c.read(&in)
	if err == nil {
		err = check.Words("url", in.URL, check.MaxURL)
	}
	if err == nil && in.Query != "" {
		err = check.Asked("query", in.Query)
	}
	if err != nil {
		return reply{}, err
	}
	if !in.Status {
		bounds, err := check.Bounds{MaxPages: in.MaxPages, MaxDepth: in.MaxDepth,
			Include: in.Include, Exclude: in.Exclude}.Config(c.app.Config)
		if err != nil {
			return reply{}, err
		}
		_, site, err := c.app.Crawling.Begin(ctx, crawling.IngestRequest{URL: in.URL,
			Refresh: in.Refresh, Query: in.Query, Config: &bounds})
		switch {
		case err == nil:
			defer context.AfterFunc(ctx, func() { c.cancelCrawl(ctx, site) })()
		case !c.crawls(ctx, in.URL, err): // else it is waited for
			return reply{}, err
		}
	}
	var st crawling.SiteStatus
	err = c.until(ctx, func() (bool, error) {
		st, err = c.app.Crawling.Status(ctx, in.URL)
		if err != nil || !crawlRuns(st) {
			return true, err
		}
		c.tell(crawlWords(st.Accounting))
		return false, nil
	})
	if err == nil {
		err = nothingStored(st)
	}
	if err != nil {
		return reply{}, err
	}
	st.NextSteps = step.All(st.Steps, step.Tool)
	if crawlRuns(st) {
		st.NextSteps = append(st.NextSteps, step.Tool(wstk.Step{Do: wstk.DoStatus,
			For: "it goes on; to wait for its end", URL: st.Site.Root}))
	}
	return reply{data: st, link: linkTo("sites", string(st.Site.ID), "the site and its crawl")}, nil
}

// crawls reports whether a crawl was not begun because the site is being crawled already.
func (c *call) crawls(ctx context.Context, site string, err error) bool {
	if wstk.CodeOf(err) != wstk.Conflict {
		return false
	}
	st, err := c.app.Crawling.Status(ctx, site)
	return err == nil && crawlRuns(st)
}

// crawlRuns reports whether a site is being crawled.
func crawlRuns(st crawling.SiteStatus) bool {
	return st.Run != nil && st.Run.State == wstk.RunRunning &&
		(st.Run.Kind == wstk.RunIngest || st.Run.Kind == wstk.RunRefresh)
}

// cancelCrawl stops a crawl that this call began.
func (c *call) cancelCrawl(ctx context.Context, site wstk.Site) {
	_, _, err := c.app.Crawling.CancelCrawl(context.WithoutCancel(ctx), string(site.ID))
	if err != nil {
		c.app.Log.Warn("a crawl was not cancelled", "site", string(site.ID), "error", err.Error())
	}
}

func crawlWords(a wstk.Accounting) string {
	return fmt.Sprintf("%s read, %d waiting of %d found", text.Count(a.Stored(), "page"),
		a.Of(wstk.OutcomeOpen), a.InScope())
}

// nothingStored is the error of a crawl that has ended without a page.
func nothingStored(st crawling.SiteStatus) error {
	if st.Pages > 0 || st.Run == nil || !st.Run.State.Terminal() {
		return nil
	}
	var why []string
	for _, o := range wstk.Outcomes() {
		if n := st.Accounting.Of(o); n > 0 {
			why = append(why, fmt.Sprintf("%d %s", n, o))
		}
	}
	return wstk.Errorf(wstk.Empty, "", "the crawl of %s ended as %s without a page: %s", st.Site.Root,
		st.Run.State, strings.Join(append(st.Run.Reasons, strings.Join(why, ", ")), "; ")).
		Try(st.Steps...)
}
