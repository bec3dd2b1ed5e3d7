package mcp

import (
	"context"
	"encoding/json"
	"strconv"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/app/answering"
	"wstk/shared/app/reading"
	"wstk/shared/entry/check"
	"wstk/shared/wstk"
)

// gapTool searches the stored pages for what an answer lacks.
var gapTool = tool{
	name: "gap",
	about: "Find stored passages by keywords: what an answer lacks (the query of one of its gaps), " +
		"or whether anything is stored on a subject.",
	scope: wstk.ScopeRead,
	hints: sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: no},
	input: json.RawMessage(`{"type":"object","required":["query"],"properties":{` +
		`"query":{"type":"string"},"include_sites":{"type":"array","items":{"type":"string"}},` +
		`"limit":{"type":"integer"},"cursor":{"type":"string"}}}`),
	output: json.RawMessage(`{"type":"object","required":["hits"]}`),
	work:   findGap,
}

// hits is a part of a ranked list.
type hits struct {
	answering.RecallResult
	NextCursor *string        `json:"next_cursor"`
	Warnings   []wstk.Warning `json:"warnings"`
	Trust      string         `json:"content_trust"`
}

func findGap(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Query  string   `json:"query"`
		Sites  []string `json:"include_sites"`
		Limit  *int     `json:"limit"`
		Cursor string   `json:"cursor"`
	}
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	filter := check.Filter{IncludeSites: in.Sites}
	req, err := check.Question(in.Query, filter, in.Limit)
	if err != nil {
		return reply{}, err
	}
	from := 0
	if in.Cursor != "" {
		if from, err = strconv.Atoi(in.Cursor); err != nil || from < 1 {
			return reply{}, noCursor(in.Cursor)
		}
	}
	res, err := c.app.Answering.Gap(ctx, req)
	if err == nil && len(res.Hits) == 0 && from == 0 {
		err = c.app.Answering.WhyNothing(ctx, req.Filter)
	}
	if err != nil {
		return reply{}, err
	}
	part, next, err := page(res.Hits, from, pageTokens)
	if err != nil {
		return reply{}, err
	}
	out := hits{RecallResult: res, Warnings: told(res.Warnings), Trust: trust}
	if out.Hits = part; next > 0 {
		out.NextCursor = reading.OrNil(strconv.Itoa(next))
	}
	return reply{data: out}, nil
}

// noCursor says that a cursor is none of ours.
func noCursor(cursor string) error {
	return wstk.Errorf(wstk.Invalid, "", "%q is no cursor of this tool",
		cursor[:min(len(cursor), 40)]).
		Try(wstk.Advice("copy next_cursor of the previous reply unchanged"))
}
