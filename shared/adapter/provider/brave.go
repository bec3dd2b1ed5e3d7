package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
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
	braveHome = "https://api.search.brave.com"
	braveMost = 20
)

// Info says that a key is needed.
func (p Brave) Info() wstk.ProviderInfo { return p.keyed(braveID) }

// Reachable asks the vendor's host for a sign of life.
func (p Brave) Reachable(ctx context.Context) error { return p.knock(ctx, braveID, braveHome) }

// Compile puts sites into operators; days go into the parameter freshness.
func (p Brave) Compile(q wstk.SearchQuery) wstk.Compiled {
	_, _, notes := braveMarket(q)
	return compiled(siteOperators(q.Words, q.Sites, q.Exclude), notes, atMost(q, braveMost))
}

// Search asks for one page of results.
func (p Brave) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	if err := p.ready(p.Info()); err != nil {
		return wstk.SearchReply{}, err
	}
	c := p.Compile(q)
	params := url.Values{"q": {c.Query}, "count": {strconv.Itoa(min(q.Limit(), braveMost))},
		"text_decorations": {"false"}, "result_filter": {"web"},
		"safesearch": {braveSafe[q.SafeSearch]}}
	country, language, _ := braveMarket(q)
	set(params, "country", country)
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
	err := p.AskJSON(ctx, webapi.Call{Vendor: braveID, Method: http.MethodGet,
		URL:    p.Base(braveHome) + "/res/v1/web/search",
		Params: params, Header: map[string]string{"X-Subscription-Token": p.Secret()},
		Failure: braveFailure}, &answer)
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

// Brave answers 422 to a country or a language that is not on its lists, and has names of
// its own for some languages.
var (
	braveCountries = strings.Fields("AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL " +
		"NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US")
	braveLanguages = strings.Fields("ar eu bn bg ca zh-hans zh-hant hr cs da nl en et fi fr gl " +
		"de gu he hi hu is it jp kn ko lv lt ms ml mr nb pl pt-br pt-pt pa ro ru sr sk sl es sv " +
		"ta te th tr uk vi")
)

// braveMarket is the region and the language of q as Brave writes them; notes is what it
// cannot be told.
func braveMarket(q wstk.SearchQuery) (country, language string, notes []string) {
	place, lang := place(q)
	country, language = strings.ToUpper(place), lang
	switch lang {
	case "ja":
		language = "jp"
	case "no", "nn":
		language = "nb"
	case "zh":
		if language = "zh-hans"; traditional(place) {
			language = "zh-hant"
		}
	case "pt":
		if language = "pt-br"; place == "pt" {
			language = "pt-pt"
		}
	}
	if country != "" && !slices.Contains(braveCountries, country) {
		country, notes = "", noRegion(q)
	}
	if language != "" && !slices.Contains(braveLanguages, language) {
		language, notes = "", append(notes, noLanguage(q)...)
	}
	return country, language, notes
}

var (
	braveRange = map[wstk.TimeRange]string{wstk.LastDay: "pd", wstk.LastWeek: "pw",
		wstk.LastMonth: "pm", wstk.LastYear: "py"}
	braveSafe = map[wstk.SafeSearch]string{"": "moderate", wstk.SafeSearchOn: "strict",
		wstk.SafeSearchModerate: "moderate", wstk.SafeSearchOff: "off"}
)

// braveFailure: a wrong key is answered with 422, as a bad parameter is.
func braveFailure(_ int, message string) wstk.Code {
	if strings.Contains(message, "SUBSCRIPTION_TOKEN_INVALID") {
		return wstk.Unauthorized
	}
	return ""
}
