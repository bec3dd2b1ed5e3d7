package provider

import (
	"context"
	"encoding/json"
	"net/http"

	"wstk/shared/adapter/webapi"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// TavilyMap asks Tavily for pages of a site: first by a search for the question, one credit,
// then by a map of the site, one credit for each ten pages.
type TavilyMap struct{ Options }

var _ wstk.Discoverer = TavilyMap{}

// Bounds of a map.
const (
	tavilyMapCursor = "map"
	tavilyMapMost   = 500 // addresses
	tavilyMapDepth  = 5   // links from the root, the vendor's own bound
	tavilyMapTime   = 45  // seconds that the vendor may take
)

// Info says that a key is needed.
func (p TavilyMap) Info() wstk.ProviderInfo {
	info := p.keyed(tavilyID)
	info.Type, info.Privacy = "crawl", "The question and the site's address are sent to Tavily."
	return info
}

// Discover searches, then maps.
func (p TavilyMap) Discover(
	ctx context.Context, q wstk.DiscoverQuery, cursor string,
) (wstk.Discovery, error) {
	if err := p.ready(p.Info()); err != nil {
		return wstk.Discovery{}, err
	}
	switch {
	case cursor == tavilyMapCursor, cursor == "" && q.Question == "":
		return p.site(ctx, q)
	case cursor != "":
		return wstk.Discovery{}, noCursor(tavilyID)
	}
	most := min(q.Max, tavilyMost)
	reply, err := Tavily(p).Search(ctx, wstk.SearchQuery{Words: q.Question, Max: most,
		Sites: []string{text.HostOf(q.Root)}})
	if err != nil {
		return wstk.Discovery{}, err
	}
	out := wstk.Discovery{URLs: found(reply.Results, most), Warnings: reply.Warnings}
	if q.Max > most {
		out.Next = tavilyMapCursor
	}
	return out, nil
}

// site asks for the map. What the search may have named counts towards the most.
func (p TavilyMap) site(ctx context.Context, q wstk.DiscoverQuery) (wstk.Discovery, error) {
	most := q.Max
	if q.Question != "" {
		most = max(1, q.Max-tavilyMost)
	}
	most = min(most, tavilyMapMost)
	body := struct {
		URL      string `json:"url"`
		Depth    int    `json:"max_depth"`
		Limit    int    `json:"limit"`
		External bool   `json:"allow_external"`
		Timeout  int    `json:"timeout"`
	}{URL: q.Root, Depth: max(1, min(q.Depth, tavilyMapDepth)), Limit: most,
		Timeout: tavilyMapTime}
	var answer struct{ Results []json.RawMessage }
	err := p.AskJSON(ctx, webapi.Call{Vendor: tavilyID, Method: http.MethodPost,
		URL:    p.Base(tavilyHome) + "/map",
		Header: map[string]string{"Authorization": "Bearer " + p.Secret()}, JSON: body,
		Failure: tavilyFailure}, &answer)
	if err == nil && answer.Results == nil {
		err = p.Garbled(tavilyID)
	}
	if err != nil {
		return wstk.Discovery{}, err
	}
	return addresses(p.Options, tavilyID, most, answer.Results), nil
}
