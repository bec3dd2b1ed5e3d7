package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/entry/check"
	"wstk/shared/entry/codes"
	"wstk/shared/entry/step"
	"wstk/shared/wstk"
)

// tools are all tools, in the order of the list that a model reads.
var tools = []tool{answerTool, searchTool, fetchTool, readTool, askTool, gapTool, ingestTool,
	verifyTool}

// tool is one thing that a model may ask for.
type tool struct {
	name, about string
	scope       wstk.Scope // that a token over HTTP needs
	hints       sdk.ToolAnnotations
	input       json.RawMessage // schema of the arguments; the text is short, models pay for it
	output      json.RawMessage // schema of a structured reply; nil for a tool that returns text

	// work answers a call. Its error becomes a reply that is marked as one.
	work func(ctx context.Context, c *call) (reply, error)
}

var no = new(bool)

// listed is the tool as the protocol lists it.
func (t tool) listed() *sdk.Tool {
	out := &sdk.Tool{Name: t.name, Description: t.about, InputSchema: t.input,
		Annotations: &t.hints}
	if t.output != nil {
		out.OutputSchema = t.output
	}
	return out
}

// call is one call of a tool.
type call struct {
	*door
	tool      *tool
	arguments json.RawMessage
	told      float64 // how far the last notification of progress was
	notify    func(at float64, words string)
}

// read reads the arguments into the struct at v.
func (c *call) read(v any) error {
	if len(c.arguments) == 0 {
		c.arguments = json.RawMessage("{}")
	}
	if err := check.Object(c.arguments, v, "the arguments"); err != nil {
		return wstk.Errorf(wstk.CodeOf(err), "", "%w", err).
			Try(wstk.Advice(c.tool.name + " takes: " + strings.Join(c.tool.takes(), ", ")))
	}
	return nil
}

// takes are the names of a tool's arguments.
func (t *tool) takes() []string {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(t.input, &schema); err != nil { // it is built in
		panic(err)
	}
	return slices.Sorted(maps.Keys(schema.Properties))
}

// tell tells the client how far the work is, if it asked for that.
func (c *call) tell(words string) {
	if c.notify == nil {
		return
	}
	c.told++
	c.notify(c.told, words)
}

// handle answers calls of a tool.
func (d *door) handle(t tool) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (res *sdk.CallToolResult, err error) {
		ctx, end := withClient(ctx)
		defer end()
		defer func() {
			if p := recover(); p != nil { // it must not end the server
				d.app.Log.ErrorContext(ctx, "panic", "tool", t.name, "panic",
					d.app.Config.Logged(fmt.Sprint(p)), "stack", string(debug.Stack()))
				res, err = d.failed(ctx, wstk.Errorf(wstk.Internal, "", "panic")), nil
			}
		}()
		c := &call{door: d, tool: &t, arguments: r.Params.Arguments}
		if token := r.Params.GetProgressToken(); token != nil {
			c.notify = func(at float64, words string) {
				err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
					ProgressToken: token, Progress: at, Message: words})
				if err != nil {
					d.app.Log.DebugContext(ctx, "progress was not told", "error", err.Error())
				}
			}
		}
		out, err := d.do(ctx, t, c)
		if err != nil {
			return d.failed(ctx, err), nil
		}
		return out, nil
	}
}

// withClient is a context that also ends with the HTTP request that a call came with, and a little
// before its time is over, so that there is time to say so.
func withClient(ctx context.Context) (context.Context, context.CancelFunc) {
	client, ok := ctx.Value(clientKey{}).(context.Context)
	if !ok {
		return context.WithCancel(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(client, func() { cancel(context.Cause(client)) })
	over := func() {}
	if at, ok := client.Deadline(); ok {
		ctx, over = context.WithDeadline(ctx, at.Add(-min(time.Second, time.Until(at)/10)))
	}
	return ctx, func() {
		stop()
		over()
		cancel(nil)
	}
}

// do does the work of a call, for callers that may.
func (d *door) do(ctx context.Context, t tool, c *call) (*sdk.CallToolResult, error) {
	if who := wstk.CallerOf(ctx); !who.Scope.Allows(t.scope) {
		return nil, wstk.Errorf(wstk.RefusedPolicy, "",
			"the token of %s has the scope %s, and the tool %s needs %s", who.Name, who.Scope,
			t.name, t.scope).Try(wstk.Advice("use a token with the scope " + string(t.scope)))
	}
	out, err := t.work(ctx, c)
	if err != nil {
		return nil, err
	}
	return d.result(out)
}

// problem is an error as a tool returns it.
type problem struct {
	Error string    `json:"error"`
	Code  wstk.Code `json:"code"`
	Next  []string  `json:"next_steps"`
}

// problem is an error as clients see it. What broke inside is for the log.
func (d *door) problem(ctx context.Context, err error) problem {
	p := problem{err.Error(), wstk.CodeOf(err), step.All(wstk.StepsOf(err), step.Tool)}
	switch {
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		p.Code = wstk.Timeout
		p.Error = "the call took too long; what was stored until then is kept"
	case ctx.Err() != nil:
		p.Code, p.Error = wstk.Cancelled, "the call was cancelled; what was stored is kept"
	case p.Code == wstk.Internal || p.Code == wstk.Unavailable:
		d.app.Log.ErrorContext(ctx, "call failed", "code", string(p.Code), "error",
			d.app.Config.Logged(err.Error()))
		p.Error, p.Next = "an internal error occurred; the server's log has details", []string{}
		if p.Code == wstk.Unavailable {
			p.Error = "a part of the system is not available just now; try again later"
		}
	}
	return p
}

// failed is the reply for an error.
func (d *door) failed(ctx context.Context, err error) *sdk.CallToolResult {
	data, err := encode(d.problem(ctx, err))
	if err != nil { // a problem is strings
		data = []byte("{}")
	}
	return &sdk.CallToolResult{IsError: true,
		Content: []sdk.Content{&sdk.TextContent{Text: d.shown(string(data))}}}
}

// failedRun is the error that a failed run ended with.
func failedRun(run wstk.Run) error { return codes.OfRun(run) }
