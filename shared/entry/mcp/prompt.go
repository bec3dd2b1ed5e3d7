package mcp

import (
	"context"
	"embed"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/entry/check"
)

//go:embed prompts
var promptFiles embed.FS

// prompted is a task that a person starts, with a text that tells the model how to do it. The text
// is a file of prompts, in which {{name}} stands for an argument.
type prompted struct {
	name, about string
	arguments   []*sdk.PromptArgument
}

// prompts are all of them.
var prompts = []prompted{
	{"fact_check", "Check a claim against sources that say it, and ones that deny it",
		[]*sdk.PromptArgument{{Name: "claim", Description: "what is to be checked", Required: true}}},
	{"compare_sources", "Ask several sources the same, and set their answers side by side",
		[]*sdk.PromptArgument{
			{Name: "question", Description: "what each source is asked", Required: true},
			{Name: "sources", Description: "addresses of pages or sites; none: find some"}}},
	{"literature_review", "Read what is written on a subject, and report it with quotes",
		[]*sdk.PromptArgument{
			{Name: "subject", Description: "what the review is about", Required: true},
			{Name: "scope", Description: "years, languages, kinds of sources"}}},
}

// text is the file of a prompt.
func (p prompted) text() string {
	data, err := promptFiles.ReadFile("prompts/" + p.name + ".md")
	if err != nil { // it is built in
		panic(err)
	}
	return string(data)
}

// get returns the text of a prompt with the arguments of a person.
func (p prompted) get(
	_ context.Context, r *sdk.GetPromptRequest,
) (*sdk.GetPromptResult, error) {
	var pairs []string
	for _, a := range p.arguments {
		value := strings.TrimSpace(r.Params.Arguments[a.Name])
		if value == "" && !a.Required {
			value = "(none given)"
		}
		if err := check.Words(a.Name, value, check.MaxQuery); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
		}
		pairs = append(pairs, "{{"+a.Name+"}}", value)
	}
	return &sdk.GetPromptResult{Description: p.about, Messages: []*sdk.PromptMessage{{Role: "user",
		Content: &sdk.TextContent{Text: strings.NewReplacer(pairs...).Replace(p.text())}}}}, nil
}
