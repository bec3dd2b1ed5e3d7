package mcp

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/app/answering"
	"wstk/shared/entry/check"
	"wstk/shared/entry/said"
	"wstk/shared/entry/step"
	"wstk/shared/wstk"
)

// askTool answers a question from stored pages, or from pages that it names.
var askTool = tool{
	name: "ask",
	about: "Answer a question from ingested sites, or from urls alone (fetched where needed). Cite the " +
		"evidence: each quote stands word for word in a stored page, and its link leads there.",
	scope: wstk.ScopeWrite,
	hints: sdk.ToolAnnotations{DestructiveHint: no},
	input: json.RawMessage(`{"type":"object","required":["query"],"properties":{` +
		`"query":{"type":"string"},"urls":{"type":"array","items":{"type":"string"}},` +
		`"hints":{"type":"array","items":{"type":"string"},"description":"fields to look for"},` +
		`"include_sites":{"type":"array","items":{"type":"string"}},` +
		`"limit":{"type":"integer"},"cursor":{"type":"string"}}}`),
	output: json.RawMessage(`{"type":"object","required":["run","extractions"]}`),
	work:   askPages,
}

// asked is an answer, or a part of it, as the door over HTTP has it.
type asked struct {
	answering.ExtractionRun
	Warnings   []wstk.Warning `json:"warnings"`
	NextCursor *string        `json:"next_cursor"`
	Next       []string       `json:"next_steps"`
	Trust      string         `json:"content_trust"`
}

func askPages(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Query  string   `json:"query"`
		URLs   []string `json:"urls"`
		Hints  []string `json:"hints"`
		Sites  []string `json:"include_sites"`
		Limit  *int     `json:"limit"`
		Cursor string   `json:"cursor"`
	}
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	req, err := check.Question(in.Query, check.Filter{IncludeSites: in.Sites}, in.Limit)
	if err == nil {
		err = check.List("urls", in.URLs, check.MaxURLs, check.MaxURL)
	}
	if err == nil {
		err = check.List("hints", in.Hints, check.MaxItems, check.MaxQuery)
	}
	if err != nil {
		return reply{}, err
	}
	id, from := wstk.RunID(""), 0
	if in.Cursor != "" {
		if id, from, err = placeIn(in.Cursor); err != nil {
			return reply{}, err
		}
	} else {
		run, err := c.app.Answering.StartExtraction(ctx, wstk.AskQuery{Query: in.Query,
			From: in.URLs, Filter: req.Filter, Hints: in.Hints, Limit: req.Limit, Strict: true})
		if err != nil {
			return reply{}, err
		}
		id = run.ID
		defer context.AfterFunc(ctx, func() { c.abandon(ctx, id) })()
	}
	if err := c.await(ctx, id); err != nil {
		return reply{}, err
	}
	return c.answer(ctx, id, from, req.Filter)
}

// placeIn reads a cursor: an answer, and the place in it from which on parts are wanted.
func placeIn(cursor string) (id wstk.RunID, from int, err error) {
	run, at, more := strings.Cut(cursor, ".")
	if more {
		from, err = strconv.Atoi(at)
	}
	if id = wstk.RunID(run); !id.Valid() || err != nil || from < 0 {
		return "", 0, noCursor(cursor)
	}
	return id, from, nil
}

// abandon ends an answer for which its caller waits no longer.
func (c *call) abandon(ctx context.Context, id wstk.RunID) {
	if _, err := c.app.Answering.Cancel(context.WithoutCancel(ctx), id); err != nil {
		c.app.Log.Warn("an answer was not cancelled", "run", string(id), "error", err.Error())
	}
}

// pollFirst is how soon a run is looked at again. Each pause is longer, up to pollLast.
const (
	pollFirst = 50 * time.Millisecond
	pollLast  = 2 * time.Second
)

// await waits until an answer is done, or the time of a call is over, and tells how far it is.
func (c *call) await(ctx context.Context, id wstk.RunID) error {
	follow, err := c.app.Answering.Events(ctx, id, 0)
	if err != nil {
		return err
	}
	return c.until(ctx, func() (bool, error) {
		events, err := follow.Next(ctx)
		for _, e := range events {
			if p, ok := e.Data.(answering.Progress); ok {
				c.tell(said.Progress(p))
			}
		}
		return follow.Ended(), err
	})
}

// until calls done until it reports so, the time of a call is over, or ctx has ended, which is
// an error.
func (c *call) until(ctx context.Context, done func() (bool, error)) error {
	over, pause := time.After(c.wait), pollFirst
	for {
		if is, err := done(); is || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return wstk.Wrap(wstk.Cancelled, "waiting", context.Cause(ctx))
		case <-over:
			return nil
		case <-time.After(pause):
			pause = min(pause*3/2, pollLast)
		}
	}
}

// answer is what there is of an answer, from the part at from on.
func (c *call) answer(
	ctx context.Context, id wstk.RunID, from int, f wstk.Filter,
) (reply, error) {
	x, err := c.app.Answering.Extraction(ctx, id)
	if err == nil && x.Run.State == wstk.RunFailed && len(x.Extractions) == 0 {
		err = failedRun(x.Run)
	}
	if err != nil {
		return reply{}, err
	}
	out := asked{ExtractionRun: x, Warnings: told(x.Warnings), Next: []string{}, Trust: trust}
	part, next, err := page(x.Extractions, from, pageTokens)
	if err != nil {
		return reply{}, err
	}
	again := func(cursor, why string) {
		arguments, _ := json.Marshal(map[string]string{"query": x.Query, "cursor": cursor})
		out.NextCursor = &cursor
		out.Next = append(out.Next, why+": ask "+string(arguments))
	}
	out.Extractions = part
	switch {
	case !x.Run.State.Terminal():
		again(string(id), "it is not done; to wait for the rest")
		out.Extractions = []wstk.Extraction{}
	case next > 0:
		again(string(id)+"."+strconv.Itoa(next), "for the other parts of the answer")
	case !x.HasAnswer():
		steps := wstk.StepsOf(c.app.Answering.WhyNothing(ctx, f))
		for _, g := range x.Gaps {
			steps = append(steps, wstk.Step{Do: wstk.DoSearch, Query: g.Query})
		}
		out.Next = step.All(steps, step.Tool)
	}
	return reply{data: out, link: linkTo("runs", string(id), "the whole answer")}, nil
}
