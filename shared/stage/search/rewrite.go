package search

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/singleflight"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Rewriter turns a user's words into templates: with a model where there is one, and by
// rules otherwise. It may be used concurrently.
type Rewriter struct {
	Templates wstk.TemplateStore // what was rewritten before
	// nil means rules. One that fails is an error, never a reason to fall back on rules
	Model wstk.Model
	// the model's instructions, read anew each time; nil means Prompt
	Prompt    func() (string, error)
	Limits    Limits           // what a template may hold
	MaxTokens int              // of the model's reply; 0 means wstk.MaxRewriteTokens
	Fresh     bool             // rewrite what was rewritten before, too
	Timeout   time.Duration    // of the model, with its second try; 0 means 5 s
	Now       func() time.Time // nil means time.Now

	asking singleflight.Group // of the model, by key: the same words at once are one call
}

// PromptVersion is the version of Prompt.
const PromptVersion = "1"

// Prompt is what a model is told by default.
//
//go:embed prompts/rewrite.txt
var Prompt string

const (
	// MaxWords is the longest text that is rewritten, in code points.
	MaxWords = 2000

	// OpModel is what the errors of a failed model say first.
	OpModel = "LLM call failed"

	opRewrite = "rewriting the query"

	modelTime   = 5 * time.Second
	engineRules = "rules"
)

// Rewritten is a template, and what it took to make it.
type Rewritten struct {
	wstk.RewrittenQuery
	Reused bool       // it was made before, or for another caller at the same time
	Usage  wstk.Usage // of the model; zero where it was reused
}

// Do returns the template for a user's words. What was rewritten before by the same model
// and prompt is reused, so that the same words search the same way, on whatever day.
//
// Errors: Invalid when there are no words, when they are over MaxWords, and when what the
// model makes of them does not fit the schema also after it was told why; Unprocessable
// when the rules find no word to search for; ModelFailed when the model does not answer
// properly in time.
func (r *Rewriter) Do(ctx context.Context, words, lang string) (Rewritten, error) {
	words = strings.Join(strings.Fields(words), " ")
	switch n := utf8.RuneCountInString(words); {
	case n == 0:
		return Rewritten{}, wstk.Errorf(wstk.Invalid, "", "the query has no words")
	case n > MaxWords:
		return Rewritten{}, wstk.Errorf(wstk.Invalid, "",
			"the query has %d characters; at most %d are allowed", n, MaxWords)
	}
	by, prompt, err := r.by()
	if err != nil {
		return Rewritten{}, err
	}
	key := wstk.TemplateKey{Query: words, Lang: lang, Rewriting: by}
	if kept, ok, err := r.kept(ctx, key); ok || err != nil {
		return Rewritten{RewrittenQuery: kept, Reused: true},
			wstk.Wrap(wstk.Internal, opRewrite, err)
	}
	out := Rewritten{RewrittenQuery: wstk.RewrittenQuery{TemplateKey: key,
		CreatedAt: r.now().UTC()}}
	if r.Model != nil {
		return r.rewriteOnce(ctx, prompt, out)
	}
	if out.Template, out.Warnings, err = Rules(words, lang, r.Limits, r.now()); err == nil {
		out.Template, err = r.usable(CheckTemplate(out.Template, r.Limits))
	}
	if err != nil {
		return out, err
	}
	return out, wstk.Wrap(wstk.Internal, opRewrite, r.Templates.Put(ctx, out.RewrittenQuery))
}

// modelCall is the result of one call of the model, for all callers that waited for it.
type modelCall struct {
	Rewritten
	paid atomic.Bool // a caller has reported its usage
}

// rewriteOnce has the model make the template of out, and stores it. Callers that want the same
// template meanwhile wait for that one call. The call goes on when they give up, so that it is
// not paid for twice. The first caller that is still there reports its usage.
func (r *Rewriter) rewriteOnce(
	ctx context.Context, prompt string, out Rewritten,
) (Rewritten, error) {
	answer := r.asking.DoChan(out.ID(), func() (_ any, err error) {
		made := &modelCall{Rewritten: out}
		defer func() { // singleflight would end the program on a panic
			if p := recover(); p != nil {
				err = wstk.Errorf(wstk.Internal, opRewrite, "panic: %v", p)
			}
		}()
		ctx := context.WithoutCancel(ctx)
		if kept, ok, err := r.kept(ctx, out.TemplateKey); ok || err != nil { // by the call before
			made.RewrittenQuery, made.Reused = kept, true
			return made, wstk.Wrap(wstk.Internal, opRewrite, err)
		}
		if made.Rewritten, err = r.ask(ctx, prompt, out); err == nil {
			err = wstk.Wrap(wstk.Internal, opRewrite, r.Templates.Put(ctx, made.RewrittenQuery))
		}
		return made, err
	})
	select {
	case a := <-answer:
		made, ok := a.Val.(*modelCall)
		if !ok {
			return out, a.Err
		}
		if out = made.Rewritten; !made.paid.CompareAndSwap(false, true) {
			out.Usage, out.Reused = wstk.Usage{}, true
		}
		return out, a.Err
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return out, wstk.Wrap(wstk.Cancelled, OpModel, ctx.Err())
		}
		return out, wstk.Errorf(wstk.ModelFailed, OpModel, "timeout: no time was left")
	}
}

// kept is the template that was made before. One that the limits of today do not let pass
// is made anew.
func (r *Rewriter) kept(
	ctx context.Context, key wstk.TemplateKey,
) (q wstk.RewrittenQuery, ok bool, err error) {
	if r.Fresh {
		return q, false, nil
	}
	if q, err = r.Templates.Get(ctx, key); err != nil {
		if wstk.CodeOf(err) == wstk.NotFound {
			err = nil
		}
		return q, false, err
	}
	q.Template, err = CheckTemplate(q.Template, r.Limits)
	return q, err == nil, nil
}

// by says who rewrites, and with which instructions.
func (r *Rewriter) by() (by wstk.Rewriting, prompt string, err error) {
	if r.Model == nil {
		return wstk.Rewriting{Engine: engineRules, PromptHash: RulesVersion}, "", nil
	}
	prompt = Prompt
	if r.Prompt != nil {
		if prompt, err = r.Prompt(); err != nil {
			return by, "", wstk.Errorf(wstk.ModelFailed, OpModel,
				"the prompt cannot be read: %w", err)
		}
	}
	info := r.Model.Info()
	return wstk.Rewriting{Engine: info.Provider, Model: info.Model,
		PromptHash: string(wstk.HashOf([]byte(prompt)))}, prompt, nil
}

// ask has the model propose the template of out. One that does not fit is sent back once,
// with the reason.
func (r *Rewriter) ask(ctx context.Context, prompt string, out Rewritten) (Rewritten, error) {
	limit := positive(r.Timeout, modelTime)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	wish, err := json.Marshal(struct {
		Wish string `json:"wish"`
		Lang string `json:"lang,omitempty"`
	}{out.Query, out.Lang})
	if err != nil {
		return out, wstk.Wrap(wstk.Internal, OpModel, err)
	}
	req := wstk.ModelRequest{System: prompt, User: string(wish), Name: "search_query",
		Schema: r.Limits.schema(), MaxTokens: positive(r.MaxTokens, wstk.MaxRewriteTokens)}
	for try := 1; ; try++ {
		reply, err := r.Model.Complete(ctx, req)
		out.Usage.Add(reply.Usage)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return out, wstk.Errorf(wstk.ModelFailed, OpModel, "timeout after %s", limit)
		case wstk.CodeOf(err) == wstk.ModelFailed: // its words say which failure it is
			return out, wstk.Errorf(wstk.ModelFailed, OpModel, "%w", err)
		default:
			return out, wstk.Errorf(wstk.ModelFailed, OpModel, "%s: %w", wstk.CodeOf(err), err)
		}
		out.Template, err = r.usable(ParseTemplate([]byte(text.JSONIn(reply.Text)), r.Limits))
		if err == nil {
			if f := &out.Template.Filters; out.Lang != "" && f.Lang != out.Lang {
				if f.Lang != "" {
					out.Warnings = append(out.Warnings, overridden(f.Lang, out.Lang))
				}
				f.Lang = out.Lang
			}
			return out, nil
		}
		if try == 2 {
			return out, err
		}
		again, _ := json.Marshal(struct { // texts always encode
			Wish  json.RawMessage `json:"request"`
			Reply string          `json:"your_reply"`
			Wrong string          `json:"what_was_wrong"`
		}{wish, text.Shorten(reply.Text, 2000), err.Error()})
		req.User = string(again)
	}
}

// overridden is the warning for words that ask for another language than the caller.
func overridden(words, asked string) wstk.Warning {
	return wstk.Warning{Code: "language_overridden",
		Message: fmt.Sprintf("The query asks for pages in %q, the options for %q; the options "+
			"apply.", words, asked)}
}

// usable lets a template pass that can be expanded today, and so is worth keeping.
func (r *Rewriter) usable(t wstk.QueryTemplate, err error) (wstk.QueryTemplate, error) {
	if err == nil {
		_, err = Expand(t, r.now())
	}
	return t, err
}

// schema is wstk.QueryTemplate as JSON Schema, for models that can be held to one.
func (l Limits) schema() json.RawMessage {
	return fmt.Appendf(nil, `{
  "type": "object", "additionalProperties": false, "required": ["keywords"],
  "properties": {
    "keywords": {"type": "array", "minItems": 1, "maxItems": %d, "items": {"type": "string", "minLength": 1}},
    "boolean": {"enum": ["AND", "OR"]},
    "filters": {"type": "object", "additionalProperties": false, "properties": {
      "sites": {"type": "array", "maxItems": %d, "items": {"type": "string"}},
      "date_after": {"type": "string"}, "date_before": {"type": "string"},
      "lang": {"type": "string", "pattern": "^[a-z]{2}$"}, "geo": {"type": "string", "pattern": "^[A-Z]{2}$"},
      "max_results": {"type": "integer", "minimum": 1, "maximum": %d}}}
  }
}`, l.keywords(), l.sites(), wstk.MostResults)
}

func (r *Rewriter) now() time.Time {
	if r.Now == nil {
		return time.Now()
	}
	return r.Now()
}
