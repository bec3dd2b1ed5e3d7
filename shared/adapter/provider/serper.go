package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
)

// Serper asks serper.dev, which gives Google's results.
type Serper struct{ Options }

var _ wstk.SearchProvider = Serper{}

const (
	serperID   = "serper"
	serperHome = "https://google.serper.dev"
)

// Info says that a key is needed.
func (p Serper) Info() wstk.ProviderInfo { return p.keyed(serperID) }

// Reachable asks the vendor's host for a sign of life.
func (p Serper) Reachable(ctx context.Context) error { return p.knock(ctx, serperID, serperHome) }

// Compile puts sites and days into Google's operators.
func (p Serper) Compile(q wstk.SearchQuery) wstk.Compiled {
	return compiled(dayOperators(siteOperators(q.Words, q.Sites, q.Exclude), q), noSafeSearch(q))
}

// Search asks for one page of results.
func (p Serper) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	if err := p.ready(p.Info()); err != nil {
		return wstk.SearchReply{}, err
	}
	c := p.Compile(q)
	country, language := place(q)
	body := struct {
		Query    string `json:"q"`
		Num      int    `json:"num"`
		Country  string `json:"gl,omitempty"`
		Language string `json:"hl,omitempty"`
		Range    string `json:"tbs,omitempty"`
	}{c.Query, q.Limit(), country, language, rangeQDR[q.TimeRange]}
	var answer struct{ Organic []json.RawMessage }
	err := p.AskJSON(ctx, webapi.Call{Vendor: serperID, Method: http.MethodPost,
		URL:    p.Base(serperHome) + "/search",
		Header: map[string]string{"X-API-KEY": p.Secret()}, JSON: body, Failure: serperFailure},
		&answer)
	if err == nil && answer.Organic == nil {
		err = p.Garbled(serperID)
	}
	if err != nil {
		return wstk.SearchReply{}, err
	}
	return reply(p.Options, serperID, q, c.Query, answer.Organic,
		func(r struct{ Title, Link, Snippet, Date string }) row {
			return row{title: r.Title, url: r.Link, snippet: r.Snippet, published: r.Date}
		}), nil
}

// serperFailure: an account without credits is answered with 400.
func serperFailure(_ int, message string) wstk.Code {
	if strings.Contains(strings.ToLower(message), "not enough credits") {
		return wstk.RateLimited
	}
	return ""
}
