package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/app/answering"
	"wstk/shared/config"
	"wstk/shared/entry/check"
	"wstk/shared/entry/step"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// answerTool answers a question about a page, and reads as many of the pages that it leads to as
// the question needs.
var answerTool = tool{
	name: "answer",
	about: "Answer a question about a page and the pages it leads to: reads url, then the links that " +
		"promise most, until it has found enough. content cites references as [n]; their evidence " +
		"stands word for word in stored pages.",
	scope: wstk.ScopeWrite,
	hints: sdk.ToolAnnotations{DestructiveHint: no},
	input: json.RawMessage(`{"type":"object","required":["url","query"],"properties":{` +
		`"url":{"type":"string"},"query":{"type":"string","description":"the question"},` +
		`"max_pages":{"type":"integer"},"cursor":{"type":"string"}}}`),
	output: json.RawMessage(`{"type":"object","required":["run","extractions"]}`),
	work:   answerAbout,
}

// answered is an answer about a page, or its first part. Content and turns stand in the first part
// whole; extractions come in parts, each with the references that it is the first to cite.
type answered struct {
	answering.AnswerRun
	tail
}

// answeredPart is a part of an answer about a page behind the first.
type answeredPart struct {
	answering.ExtractionRun
	References []wstk.Reference `json:"references"`
	tail
}

func answerAbout(ctx context.Context, c *call) (reply, error) {
	var in struct {
		URL      string `json:"url"`
		Query    string `json:"query"`
		MaxPages *int   `json:"max_pages"`
		Cursor   string `json:"cursor"`
	}
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	q := wstk.AnswerQuery{URL: in.URL, Question: in.Query, Strict: true}
	err := check.Words("url", in.URL, check.MaxURL)
	if err == nil {
		err = check.Asked("query", in.Query)
	}
	if err == nil && in.MaxPages != nil {
		q.MaxPages = *in.MaxPages
		err = check.InRange("max_pages", q.MaxPages, 1, config.MaxAnswerPages)
	}
	if err != nil {
		return reply{}, err
	}
	id, from, err := c.awaited(ctx, in.Cursor, c.app.Answering.AnswerEvents,
		func() (wstk.Run, error) { return c.app.Answering.StartAnswer(ctx, q) })
	if err != nil {
		return reply{}, err
	}
	return c.answered(ctx, id, from)
}

// answered is what there is of an answer about a page, from the part at from on.
func (c *call) answered(ctx context.Context, id wstk.RunID, from int) (reply, error) {
	x, err := c.app.Answering.Answer(ctx, id)
	if err == nil {
		err = lost(x.Run, x.AskResult)
	}
	if err != nil {
		return reply{}, err
	}
	again := map[string]any{"url": x.URL, "query": x.Query}
	if from > 0 {
		out := answeredPart{answering.ExtractionRun{Run: x.Run, AskResult: x.AskResult}, x.References,
			newTail(x.Warnings)}
		err := c.cut(x.Run, &out.Extractions, &out.References, from, pageTokens, &out.tail, again)
		return reply{data: out, link: wholeAnswer(id)}, err
	}
	out, err := c.firstPart(x, again)
	return reply{data: out, link: wholeAnswer(id)}, err
}

// firstPart is an answer about a page, or as much of it as a reply may hold. Of one that is not
// done it shows turns alone.
func (c *call) firstPart(x answering.AnswerRun, again map[string]any) (answered, error) {
	out := answered{x, newTail(x.Warnings)}
	out.Turns, out.tail.Warnings = shortened(x.Turns, out.tail.Warnings)
	if !x.Run.State.Terminal() {
		out.Content = ""
	}
	bare := out
	bare.Extractions, bare.References = nil, nil
	data, err := encode(bare)
	if err != nil {
		return out, err
	}
	err = c.cut(x.Run, &out.Extractions, &out.References, 0,
		pageTokens-text.EstimateTokens(string(data)), &out.tail, again)
	if err == nil && out.NextCursor == nil && !x.HasAnswer() {
		out.Next = step.All(answering.AfterNo(x.AnswerResult), step.Tool)
	}
	return out, err
}

// turnTokens is how many tokens the turns of a reply may have.
const turnTokens = 2000

// shortened leaves links out of turns that are too long: first those that were not followed, then
// all. What is left out is a warning.
func shortened(turns []wstk.Turn, w []wstk.Warning) ([]wstk.Turn, []wstk.Warning) {
	left, out := 0, turns
	for _, keeps := range []func(wstk.ScoredLink) bool{
		func(l wstk.ScoredLink) bool { return l.Chosen },
		func(wstk.ScoredLink) bool { return false },
	} {
		data, err := encode(out)
		if err != nil || text.EstimateTokens(string(data)) <= turnTokens { // turns always have a JSON
			break
		}
		left, out = 0, make([]wstk.Turn, len(turns))
		for i, t := range turns {
			all := t.Links
			t.Links = nil
			for _, l := range all {
				if keeps(l) {
					t.Links = append(t.Links, l)
				}
			}
			left += len(all) - len(t.Links)
			out[i] = t
		}
	}
	if left == 0 {
		return out, w
	}
	return out, append(w, wstk.Warning{Code: "links_left_out", Message: fmt.Sprintf("Of the links that "+
		"the turns weighed, %d are left out here; the resource of the run has them.", left)})
}
