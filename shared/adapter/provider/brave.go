package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// Brave asks the Brave Search API.
type Brave struct{ Options }

var _ wstk.SearchProvider = Brave{}

const (
	braveID   = "brave_api"
	braveMost = 20
)

// Info says that a key is needed.
func (p Brave) Info() wstk.ProviderInfo {
	return p.keyed(wstk.ProviderInfo{ID: braveID, EnvVars: []string{"BRAVE_API_KEY|BRAVE_KEY|BRAVE_SEARCH_API_KEY"},
		Privacy: "Queries are sent to Brave Software."})
}

// Compile puts sites into operators; days go into the parameter freshness.
func (p Brave) Compile(q wstk.SearchQuery) wstk.Compiled {
	return compiled(siteOperators(q.Words, q.Sites, q.Exclude), atMost(q, braveMost))
}

// Search asks for one page of results.
func (p Brave) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	if err := p.ready(p.Info()); err != nil {
		return wstk.SearchReply{}, err
	}
	c := p.Compile(q)
	params := url.Values{"q": {c.Query}, "count": {strconv.Itoa(min(q.Limit(), braveMost))},
		"text_decorations": {"false"}, "result_filter": {"web"}, "safesearch": {braveSafe[q.SafeSearch]}}
	country, language := place(q)
	set(params, "country", strings.ToUpper(country))
	set(params, "search_lang", language)
	set(params, "freshness", braveRange[q.TimeRange])
	if dated(q) {
		from, to := days(q, p.Clock())
		params.Set("freshness", from+"to"+to)
	}
	var answer struct {
		Type string
		Web  struct{ Results []json.RawMessage } // absent when there are none
	}
	err := p.AskJSON(ctx, webapi.Call{Vendor: braveID, Method: http.MethodGet, URL: p.Base(braveHome) + "/res/v1/web/search",
		Params: params, Header: map[string]string{"X-Subscription-Token": p.Secret()}, Failure: braveFailure}, &answer)
	if err == nil && answer.Type != "search" {
		err = p.Garbled(braveID)
	}
	if err != nil {
		return wstk.SearchReply{}, err
	}
	return reply(p.Options, braveID, q, c.Query, answer.Web.Results, func(r struct {
		Title, URL, Description string
		PageAge                 string `json:"page_age"`
	}) row {
		return row{title: r.Title, url: r.URL, snippet: r.Description, published: r.PageAge}
	}), nil
}

var (
	braveRange = map[wstk.TimeRange]string{wstk.LastDay: "pd", wstk.LastWeek: "pw", wstk.LastMonth: "pm", wstk.LastYear: "py"}
	braveSafe  = map[wstk.SafeSearch]string{"": "moderate", wstk.SafeSearchOn: "strict", wstk.SafeSearchModerate: "moderate", wstk.SafeSearchOff: "off"}
)

// braveFailure: a wrong key is answered with 422, as a bad parameter is.
func braveFailure(_ int, message string) wstk.Code {
	if strings.Contains(message, "SUBSCRIPTION_TOKEN_INVALID") {
		return wstk.Unauthorized
	}
	return ""
}
