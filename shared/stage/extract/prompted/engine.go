// Package prompted answers like package extract, with a language model in place of rules: it
// decides how a question is answered, sorts pages into buckets, and proposes what a bucket says.
//
// A model only proposes. Whatever it replies, a claim is words and a place to look for them:
// verify finds the quotes again, collate decides what they support. Values are read by code from
// the quotes. The words of pages stand in prompts between marks (shared/prompt), as data.
//
// Begin with Engine: Classify, Partition and Extract are its three steps.
package prompted

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"

	"wstk/shared/prompt"
	"wstk/shared/stage/extract"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Engine asks models. It keeps no state and may be used concurrently.
type Engine struct {
	// Models returns the model for classify, partition and extract; each is asked only for what
	// it is there for. It must not return nil for the step that is called.
	Models wstk.Models

	Prompts prompt.Custom // in place of ours; nil means ours

	// Document returns the newest stored Document of a URL, or NotFound. A page that is not
	// found is left out.
	Document func(ctx context.Context, url string) (*wstk.Document, error)

	// Addressed returns the parts of a page that speak to a model rather than to a reader, as
	// the screening found them; they are not shown to a model. nil means none.
	Addressed func(ctx context.Context, url string) []wstk.Span

	Limits Limits
}

// Limits bound what a model reads and writes for one question. 0 means the default.
type Limits struct {
	Summaries int // pages that partition sees; 50
	Buckets   int // that one extraction has; 10
	Input     int // tokens of pages in one call, as text.EstimateTokens counts; 12000
	Reply     int // tokens of a reply; 4000
}

const (
	defaultSummaries = 50
	defaultBuckets   = 10
	defaultInput     = 12_000
	defaultReply     = 4_000
)

// The bounds of what is taken from a reply. What goes beyond them is left out, with a warning.
const (
	maxClaims    = 60
	maxGaps      = 20
	maxQuotes    = 8     // of a claim
	maxWords     = 4_000 // bytes of a quote; a list that is the answer may be as long
	maxStatement = 2_000 // bytes
	maxName      = 200   // bytes of a field, a title, a query
	maxRationale = 500   // bytes
	maxItems     = 200   // of a partition
)

func (l Limits) summaries() int { return orDefault(l.Summaries, defaultSummaries) }
func (l Limits) input() int     { return orDefault(l.Input, defaultInput) }
func (l Limits) reply() int     { return orDefault(l.Reply, defaultReply) }

// MostBuckets is how many buckets one extraction has.
func (l Limits) MostBuckets() int { return orDefault(l.Buckets, defaultBuckets) }

func orDefault(n, standard int) int {
	if n > 0 {
		return n
	}
	return standard
}

// The prompts of this package.
var (
	//go:embed prompts/classify.1.txt
	classifyText string
	//go:embed prompts/partition.1.txt
	partitionText string
	//go:embed prompts/extract.1.txt
	extractText string

	classifyPrompt = prompt.Prompt{Operation: wstk.OpClassify, Version: "1", Text: classifyText}
	partPrompt     = prompt.Prompt{Operation: wstk.OpPartition, Version: "1", Text: partitionText}
	extractPrompt  = prompt.Prompt{Operation: wstk.OpExtract, Version: "1", Text: extractText}
)

// Prompts returns the prompts that this version brings.
func Prompts() []prompt.Prompt {
	return []prompt.Prompt{classifyPrompt, partPrompt, extractPrompt}
}

// ask sends a request and reads the reply into out. A reply that is no JSON of that form is
// ModelFailed; the other codes are those of wstk.Model.
func (e *Engine) ask(ctx context.Context, r wstk.ModelRequest, out any) error {
	reply, err := e.Models(r.Operation).Complete(ctx, r)
	if err != nil {
		return err
	}
	d := json.NewDecoder(strings.NewReader(text.JSONIn(reply.Text)))
	if err := d.Decode(out); err != nil {
		return wstk.Errorf(wstk.ModelFailed, string(r.Operation),
			"the reply is not the JSON that was asked for: %w", err)
	}
	return nil
}

// Classify decides how a query is answered: by rules if they are sure, else by the model. asked
// reports whether the model was.
//
// Errors: those of wstk.Model; ModelFailed for a reply that names no strategy.
func (e *Engine) Classify(
	ctx context.Context, query string,
) (strategy wstk.Strategy, asked bool, err error) {
	if strategy, _ = extract.Classify(query); extract.Sure(query) {
		return strategy, false, nil
	}
	p, err := e.Prompts.Or(classifyPrompt)
	if err != nil {
		return "", false, err
	}
	user, err := json.Marshal(map[string]string{"question": query})
	if err != nil {
		return "", false, wstk.Wrap(wstk.Internal, "classifying", err)
	}
	var reply struct {
		Strategy wstk.Strategy `json:"strategy"`
	}
	err = e.ask(ctx, wstk.ModelRequest{Operation: wstk.OpClassify, System: p.Text,
		User: string(user), Name: "strategy", Schema: classifySchema, MaxTokens: 200}, &reply)
	if err != nil {
		return "", true, err
	}
	switch reply.Strategy {
	case wstk.Collection, wstk.Singular, wstk.Narrative:
		return reply.Strategy, true, nil
	}
	return "", true, wstk.Errorf(wstk.ModelFailed, "classifying", "the model names no strategy")
}
