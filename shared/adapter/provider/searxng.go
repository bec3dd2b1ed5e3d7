package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"wstk/shared/adapter/webapi"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// SearXNG asks an instance of SearXNG that the operator named. The instance must give
// JSON: search.formats in its settings.yml.
type SearXNG struct{ Options }

var _ wstk.SearchProvider = SearXNG{}

const searxngID = "searxng_local"

// Info says that an address is needed.
func (p SearXNG) Info() wstk.ProviderInfo {
	info := described(searxngID)
	if p.BaseURL == "" {
		info.Reason, info.Privacy = "no address is set", ""
		info.Steps = configure(setups[searxngID].BaseURL[0], "to its address, such as http://127.0.0.1:8080")
		return info
	}
	info.Enabled, info.Auto, info.Remote = true, true, !text.SelfHosted(p.BaseURL)
	return info
}

// Reachable asks the instance for its own sign of life.
func (p SearXNG) Reachable(ctx context.Context) error {
	return p.Answers(ctx, webapi.Call{Vendor: searxngID, Method: http.MethodGet,
		URL: p.Base("") + "/healthz"})
}

// Compile puts sites into operators, which most of the engines behind it understand.
func (p SearXNG) Compile(q wstk.SearchQuery) wstk.Compiled {
	var region []string
	if country, language := place(q); country != "" && language == "" {
		region = noRegion(q)
	}
	return compiled(siteOperators(q.Words, q.Sites, q.Exclude), noDays(q), region)
}

// Search asks for the first page of results. Engines that did not answer the instance
// become a warning.
func (p SearXNG) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	if err := p.ready(p.Info()); err != nil {
		return wstk.SearchReply{}, err
	}
	c := p.Compile(q)
	params := url.Values{"q": {c.Query}, "format": {"json"},
		"safesearch": {searxngSafe[q.SafeSearch]}}
	set(params, "time_range", rangeWord[q.TimeRange])
	if country, language := place(q); language != "" {
		if country != "" {
			language += "-" + strings.ToUpper(country)
		}
		params.Set("language", language)
	}
	var answer struct {
		Results      []json.RawMessage
		Unresponsive []json.RawMessage `json:"unresponsive_engines"`
	}
	err := p.AskJSON(ctx, webapi.Call{Vendor: searxngID, Method: http.MethodGet,
		URL: p.Base("") + "/search", Params: params, Failure: searxngFailure}, &answer)
	if err == nil && answer.Results == nil {
		err = p.Garbled(searxngID)
	}
	if err != nil {
		var e *wstk.Error
		if errors.As(err, &e) && e.Code == wstk.HTTPError {
			err = e.Try(wstk.Advice("add json to search.formats in the settings.yml of the " +
				"instance, and start it again"))
		}
		return wstk.SearchReply{}, err
	}
	best := 0.0 // scores grow with the number of engines; they mean something within one reply only
	for _, raw := range answer.Results {
		var r struct{ Score float64 }
		if json.Unmarshal(raw, &r) == nil {
			best = max(best, r.Score)
		}
	}
	out := reply(p.Options, searxngID, q, c.Query, answer.Results, func(r struct {
		Title, URL, Content, PublishedDate string
		Score                              *float64
	}) row {
		if r.Score != nil && best > 0 {
			*r.Score /= best
		}
		return row{title: r.Title, url: r.URL, snippet: r.Content,
			published: r.PublishedDate, score: r.Score}
	})
	for _, raw := range answer.Unresponsive {
		var engine []string // its name, and what is wrong
		if json.Unmarshal(raw, &engine) != nil && len(engine) == 0 {
			continue
		}
		out.Warnings = append(out.Warnings, wstk.Warning{Code: "engine_unresponsive",
			Message: text.Shorten(fmt.Sprintf("An engine behind %s did not answer: %s.", searxngID,
				webapi.Plain(strings.Join(engine, ", "))), 300)})
	}
	return out, nil
}

var searxngSafe = map[wstk.SafeSearch]string{"": "1", wstk.SafeSearchOn: "2",
	wstk.SafeSearchModerate: "1", wstk.SafeSearchOff: "0"}

// searxngFailure: 403 says that the instance does not give JSON, not that a key is wrong.
func searxngFailure(status int, _ string) wstk.Code {
	if status == http.StatusForbidden {
		return wstk.HTTPError
	}
	return ""
}
