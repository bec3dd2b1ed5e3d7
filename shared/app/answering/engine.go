package answering

import (
	"context"
	"errors"
	"slices"

	"wstk/shared/stage/extract"
	"wstk/shared/stage/extract/prompted"
	"wstk/shared/wstk"
)

// Each step of a question is done by the model that the operator named for it, else by rules.
// A model that fails is an error of the step, never a reason to use rules.

// byModel reports whether a model does an operation.
func (a *Room) byModel(op wstk.Operation) bool { return a.Models != nil && a.Models(op) != nil }

// prompted is the engine that asks models, for the step at a place of a run.
func (a *Room) prompted(
	docs *docs, run wstk.RunID, place int, grant *int,
) *prompted.Engine {
	return &prompted.Engine{Models: a.recorded(run, place, grant), Prompts: a.Prompts,
		Document: docs.get, Addressed: docs.addressed, Limits: a.ModelLimits}
}

// classify decides how a query is answered: by the model only where the rules are unsure.
func (a *Room) classify(ctx context.Context, q Request, run wstk.RunID) (wstk.Strategy, error) {
	if !a.byModel(wstk.OpClassify) {
		strategy, _ := extract.Classify(q.Query)
		return strategy, nil
	}
	grant := firstGrant(q)
	strategy, _, err := a.prompted(a.newDocs(), run, placeClassify, grant).Classify(ctx, q.Query)
	if errors.Is(err, errBudget) {
		strategy, _ = extract.Classify(q.Query)
		err = nil
	}
	return strategy, err
}

// firstGrant is what all steps together may take.
func firstGrant(q Request) *int {
	if q.MaxTokens <= 0 {
		return nil
	}
	return &q.MaxTokens
}

// leftOf is what the calls that a run has made leave of its tokens; nil for no bound.
func (a *Room) leftOf(ctx context.Context, q Request, run wstk.RunID) (*int, error) {
	if q.MaxTokens <= 0 {
		return nil, nil
	}
	u, _, err := a.spent(ctx, run)
	left := max(0, q.MaxTokens-u.InputTokens-u.OutputTokens)
	return &left, err
}

// leastReply is how many tokens a model must be able to write for a call to be made.
const leastReply = 256

// buckets partitions the passages: by the model for a collection, else by rules.
func (a *Room) buckets(
	ctx context.Context, q Request, in Extracting, docs *docs, hits []wstk.Hit,
) (out prompted.Partitioned, err error) {
	if in.Strategy != wstk.Collection || !a.byModel(wstk.OpPartition) {
		return a.bucketsByRules(ctx, q, in, docs, hits)
	}
	left, err := a.leftOf(ctx, q, in.Run)
	if err != nil {
		return out, err
	}
	out, err = a.prompted(docs, in.Run, placePartition, left).Partition(ctx, q.Query, hits)
	if need := (tooFew{}); left != nil && errors.As(err, &need) {
		err = nothingAsked(q, a.Models(wstk.OpPartition).Info(), *left, need)
	}
	return out, err
}

func (a *Room) bucketsByRules(
	ctx context.Context, q Request, in Extracting, docs *docs, hits []wstk.Hit,
) (out prompted.Partitioned, err error) {
	done, err := a.turns.take(ctx, in.Run)
	if err != nil {
		return out, err
	}
	defer done()
	out.Buckets, out.Left, err = (&extract.Stage{Document: docs.get, Setting: docs.setting}).
		Partition(ctx, q.Query, in.Strategy, hits)
	if most := a.ModelLimits.MostBuckets(); a.byModel(wstk.OpExtract) && len(out.Buckets) > most {
		out.Left += len(out.Buckets) - most
		out.Buckets = out.Buckets[:most]
	}
	return out, err
}

// grants says how many tokens each bucket may take: in their order, as long as what is left
// suffices; 0 for those it does not. They are given before any bucket is asked, so that buckets
// at the same time cannot together take more than is left, and both homes give the same. Codes:
// Unprocessable if it suffices for none.
func (a *Room) grants(
	ctx context.Context, q Request, in Extracting, docs *docs, buckets []wstk.Bucket,
) ([]*int, error) {
	out := make([]*int, len(buckets))
	left, err := a.leftOf(ctx, q, in.Run)
	if err != nil || left == nil || !a.byModel(wstk.OpExtract) {
		return out, err
	}
	engine := a.prompted(docs, in.Run, placeBuckets, nil)
	first, granted, before := tooFew{}, false, *left
	for i, b := range buckets {
		input, reply, err := engine.Cost(ctx, askOf(q), b)
		if err != nil {
			return nil, err
		}
		grant := min(*left, input+reply)
		if grant < input+leastReply {
			grant = 0
		}
		if first.input == 0 {
			first = tooFew{input, reply}
		}
		granted = granted || grant > 0
		*left -= grant
		out[i] = &grant
	}
	if !granted && first.input > 0 {
		return out, nothingAsked(q, a.Models(wstk.OpExtract).Info(), before, first)
	}
	return out, nil
}

func askOf(q Request) prompted.Query {
	return prompted.Query{Text: q.Query, Hints: q.Hints, Language: q.OutputLanguage}
}

// proposals proposes what a bucket says.
func (a *Room) proposals(
	ctx context.Context, q Request, in Extracting, b bucketed, docs *docs,
) (out prompted.Proposed, err error) {
	if a.byModel(wstk.OpExtract) {
		out, err = a.prompted(docs, in.Run, placeBuckets+in.N, b.Grant).
			Extract(ctx, askOf(q), b.Bucket)
		if errors.Is(err, errBudget) {
			return prompted.Proposed{Warnings: []wstk.Warning{budgetExhausted},
				Gaps: []wstk.Gap{{Field: gapField(q, b.Bucket), Reason: budgetExhausted.Code,
					Query: extract.Subject(q.Query), Searched: []string{}}}}, nil
		}
		return out, err
	}
	done, err := a.turns.take(ctx, in.Run)
	if err != nil {
		return out, err
	}
	defer done()
	query := extract.Query{Text: q.Query, Strategy: in.Strategy, Hints: q.Hints, PartHits: b.Parts,
		Avoid: docs.avoid(ctx)}
	out.Claims, out.Gaps, err = (&extract.Stage{Document: docs.get, Setting: docs.setting,
		Meaning: a.Meaning, Explain: a.explain}).Do(ctx, query, b.Bucket)
	return out, err
}

func gapField(q Request, b wstk.Bucket) string {
	if b.Title != "" {
		return b.Title
	}
	return q.Query
}

// budgetExhausted is the warning that models were not asked for all of an answer.
var budgetExhausted = wstk.Warning{Code: "budget_exhausted",
	Message: "The tokens did not suffice for the whole answer: the rest was not asked for. Give " +
		"it more, or ask a narrower question."}

// budgetUnused is the warning that tokens were given and no model is asked.
var budgetUnused = wstk.Warning{Code: "budget_unused",
	Message: "The number of tokens has no effect: it bounds what models read and write, and no " +
		"model is set up for questions. Rules answered."}

// keptLanguage is the warning that an answer by rules is not translated.
var keptLanguage = wstk.Warning{Code: "language_not_changed",
	Message: "Only a model translates. Without one, an answer is in the language of its pages."}

// reach is how far around words that address a model a page is not shown to one, in bytes.
const reach = 1000

// addressed are the parts of a page that speak to a model: the blocks that hold such words, or,
// of long blocks, the words with what is near them.
func (d *docs) addressed(ctx context.Context, url string) (out []wstk.Span) {
	o := d.once(ctx, url)
	if o.err != nil {
		return nil
	}
	for _, f := range o.screen.Findings {
		if f.Kind != wstk.FindingInjection || f.Span == nil {
			continue
		}
		s := *f.Span
		for _, b := range o.doc.Blocks {
			if b.Overlaps(f.Span.ByteStart, f.Span.ByteEnd) {
				s.ByteStart = min(s.ByteStart, max(b.ByteStart, f.Span.ByteStart-reach))
				s.ByteEnd = max(s.ByteEnd, min(b.ByteEnd, f.Span.ByteEnd+reach))
			}
		}
		out = append(out, wstk.Span{ByteStart: s.ByteStart, ByteEnd: s.ByteEnd})
	}
	return out
}

// spoken reports whether a part of a page speaks to a model, see addressed.
func (d *docs) spoken(ctx context.Context, url string, start, end int) bool {
	return slices.ContainsFunc(d.addressed(ctx, url), func(s wstk.Span) bool {
		return s.Overlaps(start, end)
	})
}
