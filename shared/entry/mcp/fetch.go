package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/app/reading"
	"wstk/shared/entry/check"
	"wstk/shared/stage/read"
	"wstk/shared/wstk"
)

// textTokens is how many tokens of a page are sent where the call does not say.
const textTokens = 6000

// mostTokens is the most of a page that a call may ask for.
const mostTokens = 50_000

// fetchTool gets one page. Its reply has the five fields that connectors of hosts read, and no
// other: all else stands in metadata.
var fetchTool = tool{
	name: "fetch",
	about: "Get one page of the web now, as Markdown. id is its address, as search gives it. A long " +
		"page comes in parts: see metadata.next_cursor.",
	scope: wstk.ScopeWrite,
	hints: sdk.ToolAnnotations{ReadOnlyHint: true},
	input: json.RawMessage(`{"type":"object","required":["id"],"properties":{` +
		`"id":{"type":"string"},"max_tokens":{"type":"integer"},"cursor":{"type":"string"}}}`),
	output: json.RawMessage(`{"type":"object","required":["id","title","text","url","metadata"]}`),
	work:   fetchPage,
}

// fetched is a page as connectors read it.
type fetched struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Text     string   `json:"text"`
	URL      string   `json:"url"`
	Metadata metadata `json:"metadata"`
}

// metadata is what stands beside the text of a page.
type metadata struct {
	Trust       string         `json:"content_trust"`
	Verdict     wstk.Verdict   `json:"verdict,omitempty"`
	FetchedAt   time.Time      `json:"fetched_at"`
	PublishedAt *time.Time     `json:"published_at"`
	SiteName    *string        `json:"site_name"`
	Language    *string        `json:"language"`
	TextSHA256  wstk.Hash      `json:"text_sha256,omitempty"`
	Partial     bool           `json:"partial,omitempty"` // a teaser
	Stored      bool           `json:"stored"`            // the site was not reached: a stored copy
	TotalChars  int            `json:"total_chars"`
	NextCursor  *string        `json:"next_cursor"`
	Warnings    []wstk.Warning `json:"warnings"`
}

// budget is which part of a page is wanted.
type budget struct {
	MaxTokens *int   `json:"max_tokens"`
	Cursor    string `json:"cursor"`
}

// limit is the budget, checked.
func (b budget) limit() (read.Limit, error) {
	if b.MaxTokens == nil {
		return read.Limit{Tokens: textTokens}, nil
	}
	return read.Limit{Tokens: *b.MaxTokens},
		check.InRange("max_tokens", *b.MaxTokens, 1, mostTokens)
}

func fetchPage(ctx context.Context, c *call) (reply, error) {
	var in struct {
		ID string `json:"id"`
		budget
	}
	err := c.read(&in)
	if err == nil {
		err = check.Words("id", in.ID, check.MaxURL)
	}
	if err != nil {
		return reply{}, err
	}
	limit, err := in.limit()
	if err != nil {
		return reply{}, err
	}
	address, err := reading.Address(in.ID)
	if err != nil {
		return reply{}, err
	}
	res, err := c.app.Looking.ExtractPage(ctx, reading.ExtractRequest{Target: address,
		Form: reading.FormMarkdown, Limit: limit, Cursor: in.Cursor})
	if err == nil {
		err = res.Problem()
	}
	if err != nil {
		return c.storedCopy(ctx, in.ID, address, limit, in.Cursor, err)
	}
	out := fetched{ID: in.ID, Text: res.Extracted.Content(), URL: res.CanonicalURL,
		Metadata: metadata{Trust: trust, Verdict: res.Verdict, FetchedAt: res.FetchedAt,
			PublishedAt: res.PublishedAt, SiteName: res.SiteName, Language: res.Language,
			TextSHA256: res.TextSHA256, Partial: res.Partial, Warnings: told(res.Warnings)}}
	if x := res.Extracted; x != nil {
		out.Metadata.NextCursor, out.Metadata.TotalChars = x.NextCursor, x.TotalChars
		if x.Title != nil {
			out.Title = *x.Title
		}
	}
	return reply{data: out}, nil
}

// unreached are the codes of a site that did not answer, so that a stored copy may stand in. What
// a site or a policy refused is not among them.
var unreached = map[wstk.Code]bool{wstk.Network: true, wstk.Timeout: true, wstk.HTTPError: true}

// storedCopy is the stored page in place of one that could not be reached; why is the reason, and
// the error where nothing is stored.
func (c *call) storedCopy(
	ctx context.Context, id, address string, limit read.Limit, cursor string, why error,
) (reply, error) {
	if ctx.Err() != nil || !unreached[wstk.CodeOf(why)] {
		return reply{}, why
	}
	d, warnings, err := c.app.Looking.ReadPage(ctx, address)
	if err != nil {
		return reply{}, why
	}
	part, err := read.Cut(d.Markdown, limit, cursor)
	if err != nil {
		return reply{}, err
	}
	warnings = append(warnings, wstk.Warning{Code: "stored_copy", URL: d.URL,
		Message: fmt.Sprintf("The page could not be fetched now (%s). This is the copy of %s.", why,
			d.FetchedAt.UTC().Format(time.RFC3339))})
	return reply{data: fetched{ID: id, Title: d.Meta.Title, Text: part.Text, URL: d.CanonicalURL,
		Metadata: metadata{Trust: trust, FetchedAt: d.FetchedAt, PublishedAt: d.Meta.PublishedAt,
			SiteName: reading.OrNil(d.Meta.SiteName), Language: reading.OrNil(d.Meta.Language),
			TextSHA256: d.TextSHA256, Partial: d.Partial, Stored: true, TotalChars: part.Total,
			NextCursor: reading.OrNil(part.Next), Warnings: warnings}}}, nil
}
