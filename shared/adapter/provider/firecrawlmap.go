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

// FirecrawlMap asks an endpoint that speaks Firecrawl's API for the addresses of a site, and
// for single pages after their scripts ran.
type FirecrawlMap struct{ Options }

var (
	_ wstk.Discoverer = FirecrawlMap{}
	_ wstk.Scraper    = FirecrawlMap{}
)

// firecrawlMapMost is how many addresses a map is asked for.
const firecrawlMapMost = 5000

// Info says that an address is needed.
func (p FirecrawlMap) Info() wstk.ProviderInfo {
	info := Firecrawl(p).Info()
	info.Type = "crawl"
	if info.Privacy != "" {
		info.Privacy = "Addresses and the question are sent to the endpoint at FIRECRAWL_BASE_URL."
	}
	return info
}

// Discover asks for a map of the site, those pages first that fit the question.
func (p FirecrawlMap) Discover(
	ctx context.Context, q wstk.DiscoverQuery, cursor string,
) (wstk.Discovery, error) {
	if cursor != "" {
		return wstk.Discovery{}, noCursor(firecrawlID)
	}
	most := min(q.Max, firecrawlMapMost)
	body := struct {
		URL        string `json:"url"`
		Search     string `json:"search,omitempty"`
		Limit      int    `json:"limit"`
		Subdomains bool   `json:"includeSubdomains"`
	}{URL: q.Root, Search: q.Question, Limit: most}
	var answer struct{ Links []json.RawMessage }
	if err := p.post(ctx, "/map", body, &answer); err != nil {
		return wstk.Discovery{}, err
	}
	if answer.Links == nil {
		return wstk.Discovery{}, p.Garbled(firecrawlID)
	}
	return addresses(p.Options, firecrawlID, most, answer.Links), nil
}

// Scrape asks for the page as HTML, and takes Markdown where there is no HTML.
func (p FirecrawlMap) Scrape(ctx context.Context, url string) (wstk.Scraped, error) {
	body := struct {
		URL     string   `json:"url"`
		Formats []string `json:"formats"`
		MaxAge  *int     `json:"maxAge,omitempty"`
	}{URL: url, Formats: []string{"rawHtml"}}
	if Firecrawl(p).second() {
		body.MaxAge = new(int) // nothing that the service keeps
	}
	var answer struct {
		Data struct {
			RawHTML, HTML, Markdown string
			Metadata                struct {
				URL        string
				StatusCode int
			}
		}
	}
	if err := p.post(ctx, "/scrape", body, &answer); err != nil {
		return wstk.Scraped{}, err
	}
	d := answer.Data
	out := wstk.Scraped{URL: url, Status: d.Metadata.StatusCode, ContentType: "text/html",
		Host: text.HostOf(p.Base(""))}
	if out.Status < 100 || out.Status > 599 {
		out.Status = 0
	}
	if at, err := text.Canonical(d.Metadata.URL); err == nil {
		out.URL = text.WithoutUser(at)
	}
	for _, b := range []string{d.RawHTML, d.HTML} {
		if len(out.Body) == 0 {
			out.Body = []byte(b)
		}
	}
	if len(out.Body) == 0 && d.Markdown != "" {
		out.Body, out.ContentType = []byte(d.Markdown), "text/markdown"
	}
	if len(out.Body) == 0 && out.Status < http.StatusBadRequest {
		return wstk.Scraped{}, p.Fail(firecrawlID, wstk.HTTPError, "its reply holds no page")
	}
	return out, nil
}

// post asks the endpoint and decodes its answer into v, unless the answer says that it failed.
func (p FirecrawlMap) post(ctx context.Context, path string, body, v any) error {
	if err := p.ready(p.Info()); err != nil {
		return err
	}
	var raw json.RawMessage
	err := p.AskJSON(ctx, webapi.Call{Vendor: firecrawlID, Method: http.MethodPost,
		URL: Firecrawl(p).api() + path, Header: Firecrawl(p).header(), JSON: body}, &raw)
	if err != nil {
		return err
	}
	var state struct {
		Success *bool
		Error   string
	}
	if json.Unmarshal(raw, &state) != nil {
		return p.Garbled(firecrawlID)
	}
	if state.Success != nil && !*state.Success {
		return p.Fail(firecrawlID, wstk.HTTPError,
			"it says that it failed: "+webapi.Plain(state.Error))
	}
	if json.Unmarshal(raw, v) != nil {
		return p.Garbled(firecrawlID)
	}
	return nil
}

// api is the address of the endpoint with its version.
func (p Firecrawl) api() string {
	address := p.Base("")
	if p.second() || strings.HasSuffix(address, "/v1") {
		return address
	}
	return address + "/v1"
}

// header holds the key, where there is one.
func (p Firecrawl) header() map[string]string {
	if key := p.Secret(); key != "" {
		return map[string]string{"Authorization": "Bearer " + key}
	}
	return map[string]string{}
}
