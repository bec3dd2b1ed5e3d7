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

// Google asks Google's Custom Search JSON API, over one programmable search engine.
type Google struct{ Options }

var _ wstk.SearchProvider = Google{}

const (
	googleID   = "google_cse"
	googleHome = "https://www.googleapis.com"
	googlePage = 10
)

// Info says that a key and the id of an engine are needed.
func (p Google) Info() wstk.ProviderInfo {
	info := p.keyed(googleID)
	if info.Enabled && p.Engine == "" {
		info.Enabled, info.Auto, info.Reason = false, false, "no search engine is named"
		info.Steps = configure(setups[googleID].Engine[0],
			"to the id (cx) of a programmable search engine")
	}
	return info
}

// Reachable asks the vendor's host for a sign of life.
func (p Google) Reachable(ctx context.Context) error { return p.knock(ctx, googleID, googleHome) }

// Compile puts sites and days into Google's operators.
func (p Google) Compile(q wstk.SearchQuery) wstk.Compiled {
	var notes []string
	if googleLanguage(q) == "" {
		notes = noLanguage(q)
	}
	return compiled(dayOperators(siteOperators(q.Words, q.Sites, q.Exclude), q), notes)
}

// Search asks for as many pages of ten as are wanted, until one is not full. The key can
// only stand in the URL there.
func (p Google) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	if err := p.ready(p.Info()); err != nil {
		return wstk.SearchReply{}, err
	}
	c := p.Compile(q)
	params := url.Values{"key": {p.Secret()}, "cx": {p.Engine}, "q": {c.Query}, "safe": {"active"}}
	if q.SafeSearch == wstk.SafeSearchOff {
		params.Set("safe", "off")
	}
	country, _ := place(q)
	set(params, "gl", country)
	set(params, "dateRestrict", googleRange[q.TimeRange])
	set(params, "lr", googleLanguage(q))
	var items []json.RawMessage
	var missing []wstk.Warning
	tries := 0
	for want := q.Limit(); len(items) < want; {
		tries++
		num := min(googlePage, want-len(items))
		params.Set("num", strconv.Itoa(num))
		params.Set("start", strconv.Itoa(len(items)+1))
		var answer struct {
			Kind  string
			Items []json.RawMessage // absent when there are none
		}
		err := p.AskJSON(ctx, webapi.Call{Vendor: googleID, Method: http.MethodGet,
			URL:    p.Base(googleHome) + "/customsearch/v1",
			Params: params, Failure: googleFailure}, &answer)
		if err == nil && answer.Kind != "customsearch#search" {
			err = p.Garbled(googleID)
		}
		if err != nil && len(items) == 0 {
			return wstk.SearchReply{}, err
		}
		if err != nil {
			missing = append(missing, wstk.Warning{Code: "results_cut",
				Message: "A further page of results is missing: " + err.Error() + "."})
		}
		items = append(items, answer.Items...)
		if len(answer.Items) < num {
			break
		}
	}
	out := reply(p.Options, googleID, q, c.Query, items, func(r struct {
		Title, Link, Snippet string
		PageMap              struct{ MetaTags []map[string]any }
	}) row {
		found := row{title: r.Title, url: r.Link, snippet: r.Snippet}
		for _, tags := range r.PageMap.MetaTags {
			if s, ok := tags["article:published_time"].(string); ok {
				found.published = s
			}
		}
		return found
	})
	out.Tries = tries
	out.Warnings = append(out.Warnings, missing...)
	return out, nil
}

// googleLanguages are the languages that Google can limit results to.
var googleLanguages = strings.Fields("ar bg ca cs da de el en es et fi fr hr hu id is it iw ja " +
	"ko lt lv nl no pl pt ro ru sk sl sr sv tr zh-CN zh-TW")

// googleLanguage is the language of q as Google writes it; "" where it knows none.
func googleLanguage(q wstk.SearchQuery) string {
	country, language := place(q)
	switch language {
	case "he":
		language = "iw"
	case "nb", "nn":
		language = "no"
	case "zh":
		if language = "zh-CN"; traditional(country) {
			language = "zh-TW"
		}
	}
	if !slices.Contains(googleLanguages, language) {
		return ""
	}
	return "lang_" + language
}

var googleRange = map[wstk.TimeRange]string{wstk.LastDay: "d1", wstk.LastWeek: "w1",
	wstk.LastMonth: "m1", wstk.LastYear: "y1"}

// googleFailure: 400 says that the key is wrong and 403 that a quota is used up, among
// other things; the reason tells.
func googleFailure(_ int, message string) wstk.Code {
	low := strings.ToLower(message)
	switch {
	case strings.Contains(low, "limitexceeded"), strings.Contains(low, "quota exceeded"):
		return wstk.RateLimited
	case strings.Contains(low, "api key not valid"), strings.Contains(low, "api key expired"),
		strings.Contains(low, "keyinvalid"):
		return wstk.Unauthorized
	}
	return ""
}
