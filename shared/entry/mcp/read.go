package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/app/reading"
	"wstk/shared/entry/check"
	"wstk/shared/prompt"
	"wstk/shared/stage/read"
	"wstk/shared/wstk"
)

// readTool shows what is stored of a page, as text. It never asks the site.
var readTool = tool{
	name: "read",
	about: "Read a stored page: the text that quotes stand in, or a version of it by text_sha256. " +
		"The first line is JSON about it.",
	scope: wstk.ScopeRead,
	hints: sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: no},
	input: json.RawMessage(`{"type":"object","properties":{"url":{"type":"string"},` +
		`"text_sha256":{"type":"string"},"max_tokens":{"type":"integer"},` +
		`"cursor":{"type":"string"}}}`),
	work: readPage,
}

// head is the line about a text.
type head struct {
	URL         string         `json:"url"`
	Title       string         `json:"title"`
	FetchedAt   time.Time      `json:"fetched_at"`
	PublishedAt *time.Time     `json:"published_at"`
	TextSHA256  wstk.Hash      `json:"text_sha256"`
	Start       int            `json:"char_start"` // of the part in the text, in code points
	End         int            `json:"char_end"`
	Total       int            `json:"total_chars"`
	NextCursor  *string        `json:"next_cursor"`
	Partial     bool           `json:"partial,omitempty"` // a teaser
	Trust       string         `json:"content_trust"`
	Warnings    []wstk.Warning `json:"warnings,omitempty"`
}

func readPage(ctx context.Context, c *call) (reply, error) {
	var in struct {
		URL  string `json:"url"`
		Text string `json:"text_sha256"`
		budget
	}
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	limit, err := in.limit()
	if err != nil {
		return reply{}, err
	}
	var d reading.StoredPage
	var warnings []wstk.Warning
	switch {
	case (in.URL == "") == (in.Text == ""):
		return reply{}, wstk.Errorf(wstk.Invalid, "", "give url or text_sha256, one of them")
	case in.Text != "":
		d, warnings, err = c.app.Looking.ReadVersion(ctx, wstk.Hash(in.Text))
	default:
		if err := check.Words("url", in.URL, check.MaxURL); err != nil {
			return reply{}, err
		}
		d, warnings, err = c.app.Looking.ReadPage(ctx, in.URL)
	}
	if err != nil {
		return reply{}, err
	}
	part, err := read.Cut(d.Text, limit, in.Cursor)
	if err != nil {
		return reply{}, err
	}
	return reply{text: part.Source, head: head{URL: d.URL, Title: d.Meta.Title,
		FetchedAt: d.FetchedAt, PublishedAt: d.Meta.PublishedAt, TextSHA256: d.TextSHA256,
		Start: part.Start, End: part.End, Total: part.Total, NextCursor: reading.OrNil(part.Next),
		Partial: d.Partial, Trust: trust, Warnings: warnings}}, nil
}

// fenced is a text between two marks that are nowhere in it: it cannot seem to end before its
// end.
func fenced(s string) string {
	mark := prompt.Mark(s)
	return "<" + mark + ">\n" + strings.TrimSuffix(s, "\n") + "\n</" + mark + ">"
}
