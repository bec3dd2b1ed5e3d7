package mcp

import (
	"context"
	"encoding/json"
	"slices"
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
	tail
}

// tail stands beside each answer, or part of one.
type tail struct {
	Warnings   []wstk.Warning `json:"warnings"`
	NextCursor *string        `json:"next_cursor"`
	Next       []string       `json:"next_steps"`
	Trust      string         `json:"content_trust"`
}

func newTail(w []wstk.Warning) tail {
	return tail{Warnings: told(w), Next: []string{}, Trust: trust}
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
	q := wstk.AskQuery{Query: in.Query, From: in.URLs, Filter: req.Filter, Hints: in.Hints,
		Limit: req.Limit, Strict: true}
	id, from, err := c.awaited(ctx, in.Cursor, c.app.Answering.Events,
		func() (wstk.Run, error) { return c.app.Answering.StartExtraction(ctx, q) })
	if err != nil {
		return reply{}, err
	}
	return c.extracted(ctx, id, from, req.Filter)
}

// awaited begins a run that answers, or takes up the one that a cursor names, and waits for it as
// await does. A caller that gives up ends the run that it began. from is the place in the answer
// from which on parts are wanted.
func (c *call) awaited(
	ctx context.Context, cursor string, events eventsOf, start func() (wstk.Run, error),
) (id wstk.RunID, from int, err error) {
	if cursor != "" {
		if id, from, err = placeIn(cursor); err != nil {
			return "", 0, err
		}
	} else {
		run, err := start()
		if err != nil {
			return "", 0, err
		}
		id = run.ID
		defer context.AfterFunc(ctx, func() { c.abandon(ctx, id) })()
	}
	return id, from, c.await(ctx, id, events)
}

// eventsOf follows a run of one kind.
type eventsOf func(context.Context, wstk.RunID, int) (*answering.ExtractionEvents, error)

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
func (c *call) await(ctx context.Context, id wstk.RunID, events eventsOf) error {
	follow, err := events(ctx, id, 0)
	if err != nil {
		return err
	}
	return c.until(ctx, func() (bool, error) {
		events, err := follow.Next(ctx)
		for _, e := range events {
			switch what := e.Data.(type) {
			case answering.Progress:
				c.tell(said.Progress(what))
			case wstk.Turn:
				c.tell(said.Turn(what))
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

// extracted is what there is of an answer, from the part at from on.
func (c *call) extracted(
	ctx context.Context, id wstk.RunID, from int, f wstk.Filter,
) (reply, error) {
	x, err := c.app.Answering.Extraction(ctx, id)
	if err == nil {
		err = lost(x.Run, x.AskResult)
	}
	if err != nil {
		return reply{}, err
	}
	out := asked{x, newTail(x.Warnings)}
	err = c.cut(x.Run, &out.Extractions, new([]wstk.Reference), from, pageTokens, &out.tail,
		map[string]any{"query": x.Query})
	if err != nil {
		return reply{}, err
	}
	if out.NextCursor == nil && !x.HasAnswer() {
		steps := wstk.StepsOf(c.app.Answering.WhyNothing(ctx, f))
		for _, g := range x.Gaps {
			steps = append(steps, wstk.Step{Do: wstk.DoSearch, Query: g.Query})
		}
		out.Next = step.All(steps, step.Tool)
	}
	return reply{data: out, link: wholeAnswer(id)}, nil
}

func wholeAnswer(id wstk.RunID) *sdk.ResourceLink {
	return linkTo("runs", string(id), "the whole answer")
}

// lost is the error of a run that ended without an answer of any kind.
func lost(run wstk.Run, r wstk.AskResult) error {
	if len(r.Extractions) > 0 || run.State != wstk.RunFailed && run.State != wstk.RunCancelled {
		return nil
	}
	return failedRun(run)
}

// cut leaves of an answer the parts from the one at from on that fit the tokens, and of its
// references those of these parts; of one that is not done, none. again are the arguments of the
// call that brings the rest.
func (c *call) cut(
	run wstk.Run, xs *[]wstk.Extraction, refs *[]wstk.Reference, from, tokens int, t *tail,
	again map[string]any,
) error {
	part, next, err := page(pieces(*xs, *refs), from, tokens)
	if err != nil {
		return err
	}
	cursor, why := "", ""
	switch {
	case !run.State.Terminal():
		cursor, why, part = string(run.ID), "it is not done; to wait for the rest", nil
	case next > 0:
		cursor = string(run.ID) + "." + strconv.Itoa(next)
		why = "for the other parts of the answer"
	}
	*xs, *refs = []wstk.Extraction{}, []wstk.Reference{}
	for _, p := range part {
		*xs, *refs = append(*xs, p.Extraction), append(*refs, p.References...)
	}
	slices.SortFunc(*refs, func(a, b wstk.Reference) int { return a.N - b.N })
	if cursor == "" {
		return nil
	}
	again["cursor"] = cursor
	arguments, err := encode(again)
	t.NextCursor, t.Next = &cursor, []string{why + ": " + c.tool.name + " " + string(arguments)}
	return err
}

// piece is an extraction with the references that it is the first to cite.
type piece struct {
	wstk.Extraction
	References []wstk.Reference `json:"references,omitempty"`
}

func pieces(xs []wstk.Extraction, refs []wstk.Reference) []piece {
	out := make([]piece, len(xs))
	for i, x := range xs {
		out[i].Extraction = x
	}
	for _, r := range refs {
		at := slices.IndexFunc(xs, func(x wstk.Extraction) bool {
			return slices.ContainsFunc(x.Evidence, func(e wstk.Evidence) bool {
				return slices.Contains(r.EvidenceIDs, e.ID)
			})
		})
		if at = max(at, 0); at < len(out) {
			out[at].References = append(out[at].References, r)
		}
	}
	return out
}
