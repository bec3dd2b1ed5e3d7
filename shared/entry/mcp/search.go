package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/app/searching"
	"wstk/shared/entry/check"
	"wstk/shared/wstk"
)

// mostFound is how many results a search returns where the call does not say.
const mostFound = 10

// searchTool finds pages. Results have the three fields that connectors of hosts read, and no other.
var searchTool = tool{
	name:  "search",
	about: "Search the web; where no provider answers, the stored pages. Pass a result's id to fetch.",
	scope: wstk.ScopeWrite,
	hints: sdk.ToolAnnotations{ReadOnlyHint: true},
	input: json.RawMessage(`{"type":"object","required":["query"],"properties":{` +
		`"query":{"type":"string"},"max_results":{"type":"integer"},` +
		`"sites":{"type":"array","items":{"type":"string"},"description":"only these domains"}}}`),
	output: json.RawMessage(`{"type":"object","required":["results"],"properties":{"results":{"type":"array",` +
		`"items":{"type":"object","required":["id","title","url"]}}}}`),
	work: searchWeb,
}

// found is what a search returns.
type found struct {
	Results          []result               `json:"results"`
	Snippets         []string               `json:"snippets"` // of the results, in their order
	Provider         *string                `json:"provider"`
	ProviderOutcomes []wstk.ProviderOutcome `json:"provider_outcomes"`
	Warnings         []wstk.Warning         `json:"warnings"`
	Trust            string                 `json:"content_trust"`
}

type result struct {
	ID    string `json:"id"` // the address
	Title string `json:"title"`
	URL   string `json:"url"`
}

func searchWeb(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Query      string   `json:"query"`
		MaxResults *int     `json:"max_results"`
		Sites      []string `json:"sites"`
	}
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	if err := check.Words("query", in.Query, check.MaxQuery); err != nil {
		return reply{}, err
	}
	req := searching.Request{Query: in.Query, Sites: in.Sites, MaxResults: mostFound}
	if in.MaxResults != nil {
		req.MaxResults = *in.MaxResults
		if err := check.InRange("max_results", req.MaxResults, 1, wstk.MostResults); err != nil {
			return reply{}, err
		}
	}
	res, err := c.app.Searching.Search(ctx, req)
	if err != nil {
		return reply{}, err
	}
	out := found{Results: []result{}, Snippets: []string{}, Provider: res.Provider,
		ProviderOutcomes: res.ProviderOutcomes, Warnings: told(res.Warnings), Trust: trust}
	for _, r := range res.Results {
		out.Results = append(out.Results, result{r.URL, r.Title, r.URL})
		out.Snippets = append(out.Snippets, r.Snippet)
	}
	return reply{data: out}, nil
}
