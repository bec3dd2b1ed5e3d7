package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/app/crawling"
	"wstk/shared/entry/step"
	"wstk/shared/wstk"
)

const (
	jsonType = "application/json"
	textType = "text/plain"

	// scheme begins the address of each resource.
	scheme = "wstk://"
)

// resource is something that is stored, whole. It is never a part, however long it is.
type resource struct {
	name, about, contentType string
	pattern                  string // behind scheme; with {id} it is a template

	// read returns what is to be written as JSON, or, of a text, a string.
	read func(ctx context.Context, d *door, id string) (any, error)
}

// resources are all of them.
var resources = []resource{
	{"sites", "All ingested sites with their newest crawls", jsonType, "sites", readSites},
	{"site", "A site, by its id or any address of it (escaped), with the outcomes of its newest " +
		"crawl", jsonType, "sites/{id}", readSite},
	{"run", "A question with its whole answer, or a search, by run.id", jsonType, "runs/{id}",
		readRun},
	{"page", "The text of a page in any stored version, by text_sha256: untrusted words of the web",
		textType, "pages/{id}", readText},
	{"evidence", "A quote and where it stands, by its id", jsonType, "evidence/{id}", readEvidence},
}

// add offers a resource at a server.
func (r resource) add(s *sdk.Server, d *door) {
	address := scheme + r.pattern
	if !strings.Contains(r.pattern, "{") {
		s.AddResource(&sdk.Resource{Name: r.name, Description: r.about, MIMEType: r.contentType,
			URI: address}, d.reads(r))
		return
	}
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: r.name, Description: r.about,
		MIMEType: r.contentType, URITemplate: address}, d.reads(r))
}

// reads answers requests for a resource.
func (d *door) reads(r resource) sdk.ResourceHandler {
	return func(
		ctx context.Context, q *sdk.ReadResourceRequest,
	) (res *sdk.ReadResourceResult, err error) {
		ctx, end := withClient(ctx)
		defer end()
		defer func() {
			if p := recover(); p != nil { // it must not end the server
				d.app.Log.ErrorContext(ctx, "panic", "resource", r.name, "panic",
					d.app.Config.Logged(fmt.Sprint(p)), "stack", string(debug.Stack()))
				err = d.refused(ctx, q.Params.URI, wstk.Errorf(wstk.Internal, "", "panic"))
			}
		}()
		prefix, _, _ := strings.Cut(r.pattern, "{")
		id, err := url.PathUnescape(strings.TrimPrefix(q.Params.URI, scheme+prefix))
		if err != nil {
			return nil, sdk.ResourceNotFoundError(q.Params.URI)
		}
		v, err := r.read(ctx, d, id)
		if err != nil {
			return nil, d.refused(ctx, q.Params.URI, err)
		}
		body, err := d.written(v)
		if err != nil {
			return nil, d.refused(ctx, q.Params.URI, err)
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: q.Params.URI,
			MIMEType: r.contentType, Text: body,
			Meta: sdk.Meta{"content_trust": trust}}}}, nil
	}
}

// written is what a resource holds: a text as it is, all else as JSON.
func (d *door) written(v any) (string, error) {
	if text, ok := v.(string); ok {
		return d.shown(text), nil
	}
	data, err := encode(v)
	if err == nil {
		data, err = d.hidden(data)
	}
	return string(data), err
}

// codeNoResource says that there is no such resource: -32002 in the versions of the protocol up to
// 2025-11-25.
const codeNoResource = -32002

// refused is an error as the protocol has it, with the code and the next steps beside its words.
func (d *door) refused(ctx context.Context, address string, err error) error {
	p := d.problem(ctx, err)
	number := int64(jsonrpc.CodeInternalError)
	switch p.Code {
	case wstk.NotFound, wstk.Gone, wstk.Empty:
		number = codeNoResource
	case wstk.Invalid, wstk.Unprocessable:
		number = jsonrpc.CodeInvalidParams
	}
	data, failed := encode(struct {
		URI string `json:"uri"`
		problem
	}{address, p})
	if failed != nil { // a problem is strings
		data = nil
	}
	return &jsonrpc.Error{Code: number, Message: d.shown(p.Error), Data: json.RawMessage(data)}
}

func readSites(ctx context.Context, d *door, _ string) (any, error) {
	sites, err := d.app.Crawling.Sites(ctx)
	for i := range sites {
		sites[i].NextSteps = step.All(sites[i].Steps, step.Tool)
	}
	return struct {
		Sites []crawling.SiteStatus `json:"sites"`
	}{sites}, err
}

func readSite(ctx context.Context, d *door, id string) (any, error) {
	st, err := d.app.Crawling.Status(ctx, id)
	st.NextSteps = step.All(st.Steps, step.Tool)
	return st, err
}

func readRun(ctx context.Context, d *door, id string) (any, error) {
	run, err := d.app.Reading.Run(ctx, wstk.RunID(id))
	if err != nil {
		return nil, err
	}
	switch run.Kind {
	case wstk.RunExtraction:
		x, err := d.app.Answering.Extraction(ctx, run.ID)
		return asked{x, newTail(x.Warnings)}, err
	case wstk.RunAnswer:
		x, err := d.app.Answering.Answer(ctx, run.ID)
		return answered{x, newTail(x.Warnings)}, err
	case wstk.RunSearch:
		return d.app.Searching.GetRun(ctx, run.ID, true)
	}
	return run, nil
}

func readText(ctx context.Context, d *door, id string) (any, error) {
	page, _, err := d.app.Looking.ReadVersion(ctx, wstk.Hash(id))
	if err != nil {
		return nil, err
	}
	return page.Text, nil
}

func readEvidence(ctx context.Context, d *door, id string) (any, error) {
	return d.app.Verify.Evidence.Get(ctx, id)
}
