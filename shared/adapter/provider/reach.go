package provider

import (
	"context"
	"net/http"

	"wstk/shared/adapter/webapi"
)

// The vendors' own addresses, of those that have one.
const (
	braveHome  = "https://api.search.brave.com"
	ddgsHome   = "https://html.duckduckgo.com"
	googleHome = "https://www.googleapis.com"
	serperHome = "https://google.serper.dev"
	tavilyHome = "https://api.tavily.com"
)

// Reachable of an adapter asks the vendor's host for a sign of life, without a key and
// without a search: any answer will do. Errors carry the codes Timeout, Network,
// Cancelled and RefusedAddress.

func (p Brave) Reachable(ctx context.Context) error  { return p.knock(ctx, braveID, braveHome) }
func (p DDGS) Reachable(ctx context.Context) error   { return p.knock(ctx, ddgsID, ddgsHome) }
func (p Google) Reachable(ctx context.Context) error { return p.knock(ctx, googleID, googleHome) }
func (p Serper) Reachable(ctx context.Context) error { return p.knock(ctx, serperID, serperHome) }
func (p Tavily) Reachable(ctx context.Context) error { return p.knock(ctx, tavilyID, tavilyHome) }

func (p Firecrawl) Reachable(ctx context.Context) error { return p.knock(ctx, firecrawlID, "") }

// Reachable of SearXNG asks the instance for its own sign of life.
func (p SearXNG) Reachable(ctx context.Context) error {
	return p.Answers(ctx, webapi.Call{Vendor: searxngID, Method: http.MethodGet, URL: p.Base("") + "/healthz"})
}

func (o Options) knock(ctx context.Context, id, home string) error {
	return o.Answers(ctx, webapi.Call{Vendor: id, Method: http.MethodHead, URL: o.Base(home) + "/"})
}
