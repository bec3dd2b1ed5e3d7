package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"wstk/shared/adapter/webapi"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Firecrawl asks an endpoint that speaks Firecrawl's search API, the vendor's or one of
// the operator's own. A BaseURL that ends in /v1 or /v2 chooses the version; otherwise it
// is v1, which every such endpoint knows.
type Firecrawl struct{ Options }

var _ wstk.SearchProvider = Firecrawl{}

const firecrawlID = "firecrawl_endpoint"

// Info says that an address is needed. Only a self-hosted one is chosen by auto, unless
// the operator allowed more.
func (p Firecrawl) Info() wstk.ProviderInfo {
	info := described(firecrawlID)
	address := setups[firecrawlID].BaseURL[0]
	if p.BaseURL == "" {
		info.Reason, info.Privacy = "no address is set", ""
		info.Steps = configure(address, "to the address of an endpoint")
		return info
	}
	info.Enabled, info.Remote, info.Metered = true, !text.SelfHosted(p.BaseURL),
		!text.SelfHosted(p.BaseURL)
	info.Auto = !info.Remote || p.AllowAuto
	if !info.Auto {
		info.Reason = "auto does not choose an endpoint beyond this network"
		info.Steps = []wstk.Step{
			{Do: wstk.DoOption, For: "choose it yourself",
				Options: []wstk.Option{wstk.OptProvider.Set(firecrawlID)}},
			{Do: wstk.DoConfigure, Variable: setups[firecrawlID].AllowAuto[0], Value: "true"},
		}
	}
	if !info.Remote {
		info.Privacy = ""
	}
	return info
}

// Reachable asks the vendor's host for a sign of life.
func (p Firecrawl) Reachable(ctx context.Context) error { return p.knock(ctx, firecrawlID, "") }

// Compile puts sites into operators.
func (p Firecrawl) Compile(q wstk.SearchQuery) wstk.Compiled {
	var language []string
	if p.second() {
		language = noLanguage(q)
	}
	return compiled(siteOperators(q.Words, q.Sites, q.Exclude), language, noSafeSearch(q))
}

// second reports whether the endpoint is asked by version 2.
func (p Firecrawl) second() bool { return strings.HasSuffix(p.Base(""), "/v2") }

// Search asks for results without the pages behind them.
func (p Firecrawl) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	if err := p.ready(p.Info()); err != nil {
		return wstk.SearchReply{}, err
	}
	c := p.Compile(q)
	body := struct {
		Query    string `json:"query"`
		Limit    int    `json:"limit"`
		Range    string `json:"tbs,omitempty"`
		Country  string `json:"country,omitempty"`
		Language string `json:"lang,omitempty"`
	}{Query: c.Query, Limit: q.Limit(), Range: rangeQDR[q.TimeRange]}
	body.Country, body.Language = place(q)
	if dated(q) {
		body.Range = customRange(q)
	}
	if p.second() {
		body.Language = ""
	}
	var answer struct {
		Success *bool
		Error   string
		Warning string
		Data    json.RawMessage
	}
	err := p.AskJSON(ctx, webapi.Call{Vendor: firecrawlID, Method: http.MethodPost,
		URL: p.api() + "/search", Header: p.header(), JSON: body}, &answer)
	if err != nil {
		return wstk.SearchReply{}, err
	}
	if answer.Success != nil && !*answer.Success {
		return wstk.SearchReply{}, p.Fail(firecrawlID, wstk.HTTPError,
			"it says that the search failed: "+webapi.Plain(answer.Error))
	}
	items, ok := firecrawlItems(answer.Data)
	if !ok {
		return wstk.SearchReply{}, p.Garbled(firecrawlID)
	}
	out := reply(p.Options, firecrawlID, q, c.Query, items,
		func(r struct{ Title, URL, Description, Date string }) row {
			return row{title: r.Title, url: r.URL, snippet: r.Description, published: r.Date}
		})
	if answer.Warning != "" {
		out.Warnings = append(out.Warnings, wstk.Warning{Code: "provider_warning",
			Message: text.Shorten(p.WithoutKey(firecrawlID+": "+webapi.Plain(answer.Warning)),
				300)})
	}
	return out, nil
}

// firecrawlItems reads both shapes of data: a list in version 1, lists by source in 2.
func firecrawlItems(data json.RawMessage) (items []json.RawMessage, ok bool) {
	if len(data) == 0 || string(data) == "null" {
		return nil, false
	}
	if json.Unmarshal(data, &items) == nil {
		return items, true
	}
	var bySource struct{ Web []json.RawMessage }
	err := json.Unmarshal(data, &bySource)
	return bySource.Web, err == nil
}

// customRange is Google's parameter for days, with either end open.
func customRange(q wstk.SearchQuery) string {
	const american = "1/2/2006"
	out := "cdr:1"
	if !q.After.IsZero() {
		out += ",cd_min:" + q.After.UTC().Format(american)
	}
	if !q.Before.IsZero() {
		out += ",cd_max:" + q.Before.UTC().Format(american)
	}
	return out
}
