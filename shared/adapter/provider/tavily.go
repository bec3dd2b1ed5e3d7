package provider

import (
	"context"
	"encoding/json"
	"net/http"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// Tavily asks the Tavily Search API.
type Tavily struct{ Options }

var _ wstk.SearchProvider = Tavily{}

const (
	tavilyID   = "tavily"
	tavilyHome = "https://api.tavily.com"
	tavilyMost = 20
)

// Info says that a key is needed.
func (p Tavily) Info() wstk.ProviderInfo { return p.keyed(tavilyID) }

// Reachable asks the vendor's host for a sign of life.
func (p Tavily) Reachable(ctx context.Context) error { return p.knock(ctx, tavilyID, tavilyHome) }

// Compile leaves the words alone: sites and days have parameters. Countries are named in
// English words there, and languages not at all.
func (p Tavily) Compile(q wstk.SearchQuery) wstk.Compiled {
	return compiled(siteOperators(q.Words, nil, nil), noRegion(q), noLanguage(q), noSafeSearch(q),
		atMost(q, tavilyMost))
}

// Search asks for one list of results.
func (p Tavily) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	if err := p.ready(p.Info()); err != nil {
		return wstk.SearchReply{}, err
	}
	c := p.Compile(q)
	body := struct {
		Query   string   `json:"query"`
		Max     int      `json:"max_results"`
		Include []string `json:"include_domains,omitempty"`
		Exclude []string `json:"exclude_domains,omitempty"`
		Range   string   `json:"time_range,omitempty"`
		Start   string   `json:"start_date,omitempty"`
		End     string   `json:"end_date,omitempty"`
	}{Query: c.Query, Max: min(q.Limit(), tavilyMost), Include: q.Sites, Exclude: q.Exclude,
		Range: rangeWord[q.TimeRange]}
	if !q.After.IsZero() {
		body.Start = q.After.UTC().Format(day)
	}
	if !q.Before.IsZero() {
		body.End = q.Before.UTC().Format(day)
	}
	var answer struct{ Results []json.RawMessage }
	err := p.AskJSON(ctx, webapi.Call{Vendor: tavilyID, Method: http.MethodPost,
		URL:    p.Base(tavilyHome) + "/search",
		Header: map[string]string{"Authorization": "Bearer " + p.Secret()}, JSON: body,
		Failure: tavilyFailure}, &answer)
	if err == nil && answer.Results == nil {
		err = p.Garbled(tavilyID)
	}
	if err != nil {
		return wstk.SearchReply{}, err
	}
	return reply(p.Options, tavilyID, q, c.Query, answer.Results, func(r struct {
		Title, URL, Content string
		Score               *float64
		PublishedDate       string `json:"published_date"`
	}) row {
		return row{title: r.Title, url: r.URL, snippet: r.Content,
			published: r.PublishedDate, score: r.Score}
	}), nil
}

// tavilyFailure: 432 and 433 say that the plan, or what was paid for, is used up.
func tavilyFailure(status int, _ string) wstk.Code {
	if status == 432 || status == 433 {
		return wstk.RateLimited
	}
	return ""
}
