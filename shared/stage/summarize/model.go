package summarize

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"wstk/shared/prompt"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// ByModel is the engine that asks a language model, for several pages in one call. What it
// writes is words to search in, never evidence. Signals that are not on the page are dropped by
// Stage.
type ByModel struct {
	Asks    wstk.Model
	Prompts prompt.Custom // in place of ours; nil means ours

	prompt prompt.Prompt // of the call; see Prepare
}

//go:embed prompts/summarize.1.txt
var modelText string

// ModelPrompt is the prompt that this version brings.
var ModelPrompt = prompt.Prompt{Operation: wstk.OpSummarize, Version: "1", Text: modelText}

// The bounds of a call. A page has its share of a call whatever other pages are in it, so that
// its summary does not depend on them more than it must.
const (
	pageTokens    = 1_500 // of a page, as text.EstimateTokens counts
	headingTokens = 200   // of the headings behind that
	replyTokens   = 450   // of one summary
	maxText       = 2_000 // bytes of a summary's text
	maxTag        = 35    // bytes of a language
)

// Name is the model's provider.
func (m ByModel) Name() string { return m.Asks.Info().Provider }

// Model is the vendor's name for the model.
func (m ByModel) Model() string { return m.Asks.Info().Model }

// PromptHash is the SHA-256 of the prompt.
func (m ByModel) PromptHash() string { return string(m.prompt.Hash()) }

// Prepare returns the engine with the prompt as it is now. The error is Unprocessable, where
// the operator's cannot be read.
func (m ByModel) Prepare() (Engine, error) {
	var err error
	m.prompt, err = m.Prompts.Or(ModelPrompt)
	return m, err
}

var modelSchema = json.RawMessage(`{"type":"object","additionalProperties":false,
"required":["summaries"],"properties":{"summaries":{"type":"array","items":{
"type":"object","additionalProperties":false,
"required":["page","text","offers","asks","calls_to_action","entities","language"],
"properties":{"page":{"type":"integer"},"text":{"type":"string"},
"offers":{"type":"array","items":{"type":"string"}},
"asks":{"type":"array","items":{"type":"string"}},
"calls_to_action":{"type":"array","items":{"type":"string"}},
"entities":{"type":"array","items":{"type":"string"}},
"language":{"type":"string"}}}}}}`)

// modelSummary is a summary as a model replies it.
type modelSummary struct {
	Page          int      `json:"page"`
	Text          string   `json:"text"`
	Offers        []string `json:"offers"`
	Asks          []string `json:"asks"`
	CallsToAction []string `json:"calls_to_action"`
	Entities      []string `json:"entities"`
	Language      string   `json:"language"`
}

// Summarize asks for all pages in one call, and once more for those that the reply lacks or has
// twice. A page that is lacking then is ModelFailed for it alone. If the model fails on several
// pages as it does on one that it refuses, each half of them is asked for by itself. Any other
// failure is that of all pages of its call.
func (m ByModel) Summarize(
	ctx context.Context, docs []*wstk.Document,
) (out []wstk.Summary, usage wstk.Usage, err error) {
	out = make([]wstk.Summary, len(docs))
	all := make([]int, len(docs))
	for i := range docs {
		all[i] = i
	}
	w := &work{ctx: ctx, engine: m, docs: docs, out: out, failed: make(Partly, len(docs))}
	for _, i := range w.some(w.some(all)) {
		w.failed[i] = wstk.Errorf(wstk.ModelFailed, "summarizing",
			"the model's reply lacks the page, or has it twice")
	}
	if slices.ContainsFunc(w.failed, func(err error) bool { return err != nil }) {
		err = w.failed
	}
	return out, w.usage, err
}

// work is a call of Summarize.
type work struct {
	ctx    context.Context
	engine ByModel
	docs   []*wstk.Document
	out    []wstk.Summary
	failed Partly
	usage  wstk.Usage
}

// some asks for the pages at some places and returns those that the reply lacks.
func (w *work) some(which []int) (missing []int) {
	if len(which) == 0 {
		return nil
	}
	got, err := w.ask(which)
	code := wstk.CodeOf(err)
	switch {
	case err == nil:
	case len(which) > 1 && !errors.Is(err, wstk.ErrUnusable) && (code == wstk.ModelFailed || code == wstk.TooLarge):
		half := len(which) / 2
		return append(w.some(which[:half]), w.some(which[half:])...)
	default:
		for _, i := range which {
			w.failed[i] = err
		}
		return nil
	}
	for n, i := range which {
		if s, ok := got[n+1]; ok {
			w.out[i] = s
		} else {
			missing = append(missing, i)
		}
	}
	return missing
}

// ask makes one call and returns the summaries by the numbers of their pages, without those that
// are there twice or have no text.
func (w *work) ask(which []int) (map[int]wstk.Summary, error) {
	pages := make([]prompt.Page, len(which))
	for n, i := range which {
		pages[n] = prompt.Page{Number: n + 1, URL: w.docs[i].URL, Passages: shown(w.docs[i])}
	}
	user, err := prompt.Fence(map[string]int{"pages": len(pages)}, pages)
	if err != nil {
		return nil, err
	}
	reply, err := w.engine.Asks.Complete(w.ctx, wstk.ModelRequest{Operation: wstk.OpSummarize,
		System: w.engine.prompt.Text, User: user, Name: "summaries", Schema: modelSchema,
		MaxTokens: 200 + replyTokens*len(pages)})
	w.usage.Add(reply.Usage)
	if err != nil {
		return nil, err
	}
	var said struct {
		Summaries []modelSummary `json:"summaries"`
	}
	if err := json.Unmarshal([]byte(text.JSONIn(reply.Text)), &said); err != nil {
		return nil, wstk.Errorf(wstk.ModelFailed, "summarizing",
			"the reply is not the JSON that was asked for: %w", err)
	}
	out, times := map[int]wstk.Summary{}, map[int]int{}
	for _, s := range said.Summaries {
		times[s.Page]++
		if strings.TrimSpace(s.Text) != "" {
			out[s.Page] = s.summary()
		}
	}
	for n, k := range times {
		if k > 1 {
			delete(out, n)
		}
	}
	return out, nil
}

func (s modelSummary) summary() wstk.Summary {
	return wstk.Summary{Text: strings.TrimSpace(text.Prefix(s.Text, maxText)),
		Language: text.Prefix(strings.TrimSpace(s.Language), maxTag),
		Signals: wstk.Signals{Offers: bounded(s.Offers, maxSignals),
			Asks: bounded(s.Asks, maxSignals), CallsToAction: bounded(s.CallsToAction, maxSignals),
			Entities: bounded(s.Entities, maxEntities)}}
}

// bounded are at most so many phrases, without those that are too long to be one.
func bounded(phrases []string, most int) []string {
	c := collect{max: most}
	for _, p := range phrases {
		if len([]rune(p)) <= maxPhrase {
			c.add(p)
		}
	}
	return c.list()
}

// shown is what a model reads of a page: whole blocks of its main content from the beginning, or
// of all of it if nothing is main, and the headings of the rest.
func shown(d *wstk.Document) (out []string) {
	hasMain := slices.ContainsFunc(d.Blocks, func(b wstk.Block) bool { return b.Main })
	left, headings := pageTokens, headingTokens
	var lines, rest []string
	for i, b := range d.Blocks {
		if hasMain && !b.Main {
			continue
		}
		s := d.BlockText(i)
		if len(lines) == 0 { // a block that is longer than the share is cut
			s = text.Prefix(s, 3*pageTokens)
		}
		cost := 1 + text.EstimateTokens(text.Prefix(s, 8*pageTokens))
		switch {
		case left > 0 && (cost <= left || len(lines) == 0):
			left -= cost
			lines = append(lines, s)
		case b.Kind == wstk.BlockHeading && cost <= headings:
			left, headings = 0, headings-cost
			rest = append(rest, s)
		default:
			left = 0
		}
	}
	if len(lines) == 0 {
		lines = []string{d.Meta.Title}
	}
	out = append(out, strings.Join(lines, "\n"))
	if len(rest) > 0 {
		out = append(out, strings.Join(rest, "\n"))
	}
	return out
}
