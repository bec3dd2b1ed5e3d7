package answering

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/stage/collate"
	"wstk/shared/stage/extract"
	"wstk/shared/stage/extract/prompted"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/verify"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// An extraction is a run of the state machine "extract" (infra/statemachines): its
// tasks are here, their order and branches there. What a task hands on are keys; the
// bytes behind them stand in Scratch, results in Blobs.

// RecallTask classifies the query of an extraction and ranks passages, in one hop:
// classifying is a few rules.
func (a *Room) RecallTask(ctx context.Context, in Extracting) (Extracting, error) {
	return bounded(a, a.recall)(ctx, in)
}

// ExtractTask partitions the passages into buckets, or proposes claims of one bucket. It takes a
// turn only where rules do that: to wait for a model is not to compute.
func (a *Room) ExtractTask(ctx context.Context, in Extracting) (any, error) {
	return bounded(a, a.extract)(ctx, in)
}

// VerifyTask finds the words of a bucket's claims again.
func (a *Room) VerifyTask(ctx context.Context, in Extracting) (Extracting, error) {
	return bounded(a, inTurn(a, a.verify))(ctx, in)
}

// CollateTask joins one bucket; joins all into the reply and ends the run; or ends it failed.
func (a *Room) CollateTask(ctx context.Context, in Extracting) (any, error) {
	switch in.Step {
	case "bucket":
		return bounded(a, inTurn(a, a.collateBucket))(ctx, in)
	case "reply":
		return bounded(a, inTurn(a, a.collateReply))(ctx, in)
	case "failed":
		return a.extractionFailed(ctx, in)
	}
	return nil, wstk.Errorf(wstk.Invalid, "choosing step", "collate has no step %q", in.Step)
}

// Extracting is what the tasks of an extraction hand on: each adds what it made.
type Extracting struct {
	Run     wstk.RunID `json:"run_id"`
	Request wstk.Hash  `json:"request"`
	// of a function with several: partition, claims; bucket, reply, failed
	Step     string         `json:"step,omitempty"`
	Strategy wstk.Strategy  `json:"strategy,omitempty"`
	Recalled wstk.Hash      `json:"recalled,omitempty"` // recalled
	Hits     int            `json:"hits"`               // passages; without any, pages for a model
	Bucket   wstk.Hash      `json:"bucket,omitempty"`   // bucketed
	N        int            `json:"n"`                  // the bucket's place
	Of       int            `json:"of,omitempty"`       // buckets
	Claims   wstk.Hash      `json:"claims,omitempty"`   // claimed
	Count    int            `json:"count"`              // claims
	Verified wstk.Hash      `json:"verified,omitempty"`
	Left     int            `json:"left"`               // items that are not shown
	Warnings []wstk.Warning `json:"warnings,omitempty"` // of partition
	Parts    []PartDone     `json:"parts,omitempty"`    // of the reply
	Error    string         `json:"error,omitempty"`
	Cause    string         `json:"cause,omitempty"`

	Loop *Looping `json:"loop,omitempty"` // of an answer
	URL  string   `json:"url,omitempty"`  // of a link that it reads
}

// PartDone is what became of one bucket.
type PartDone struct {
	N      int         `json:"n"`
	Part   wstk.Hash   `json:"part,omitempty"`
	Failed *TaskFailed `json:"failed,omitempty"`
}

// TaskFailed is a failure as state machines hand it on.
type TaskFailed struct {
	Error string `json:"error"`
	Cause string `json:"cause"`
}

// Partitioned are the buckets of an extraction.
type Partitioned struct {
	Buckets  []wstk.Hash    `json:"buckets"`
	Count    int            `json:"count"`
	Left     int            `json:"left"`
	Warnings []wstk.Warning `json:"warnings"`
}

// Replied is the end of an extraction.
type Replied struct {
	Run    wstk.RunID    `json:"run_id"`
	Result wstk.Hash     `json:"result"`
	State  wstk.RunState `json:"state"`
}

// What stands behind the keys.
type (
	recalled struct {
		Hits     []wstk.Hit     `json:"hits"`
		Parts    [][]wstk.Hit   `json:"parts"` // of each question of a compound query
		Warnings []wstk.Warning `json:"warnings"`
		Mark     int            `json:"mark"` // place of the next mark of the run
	}
	bucketed struct {
		Bucket wstk.Bucket  `json:"bucket"`
		Hits   []wstk.Hit   `json:"hits"`
		Parts  [][]wstk.Hit `json:"parts"`
		Grant  *int         `json:"grant,omitempty"` // tokens; absent for no bound
	}
	claimed struct {
		Claims   []wstk.Claim   `json:"claims"`
		Gaps     []wstk.Gap     `json:"gaps"`
		Warnings []wstk.Warning `json:"warnings"`
	}
	// part is the result of one bucket: an extraction, or the gaps that say why there
	// is none. One with Progress is a mark, and no bucket.
	part struct {
		Extraction *wstk.Extraction `json:"extraction"`
		Gaps       []wstk.Gap       `json:"gaps"`
		Pages      []string         `json:"pages"`        // that were read
		Of         int              `json:"of,omitempty"` // buckets there are
		Warnings   []wstk.Warning   `json:"warnings,omitempty"`
		Run        wstk.RunID       `json:"run_id,omitempty"` // of a mark
		Progress   *Progress        `json:"progress,omitempty"`
		Turn       *Turned          `json:"turn,omitempty"` // of a mark of the loop
		Read       *LinkRead        `json:"read,omitempty"` // of a mark of the loop
	}
	// reply is the result of a run.
	reply struct {
		wstk.AskResult
		Warnings []wstk.Warning `json:"warnings"`
		Answer   *grown         `json:"answer,omitempty"` // of a run of kind answer
	}
)

// Request is a query and where its result goes.
type Request struct {
	wstk.AskQuery
	Deliver string `json:"deliver,omitempty"` // name under which the result is delivered, too
	// how long the run may take; 0 for no limit of its own
	LimitMS int64 `json:"limit_ms,omitempty"`
	// where the answer begins, and how far it may go, of a run of kind answer
	Answer *Bounds `json:"answer,omitempty"`
}

// StartExtraction begins an extraction and returns its run at once. A query that
// is inconsistent is Invalid. A run that takes longer than Config.ExtractionTimeout ends as
// failed, with a reason that begins with Timeout; the pieces that are done stay.
func (a *Room) StartExtraction(ctx context.Context, q wstk.AskQuery) (wstk.Run, error) {
	return a.startExtraction(ctx, Request{AskQuery: q})
}

func (a *Room) startExtraction(ctx context.Context, q Request) (wstk.Run, error) {
	q.LimitMS = a.Config.ExtractionTimeout.Milliseconds()
	run, input, err := a.openExtraction(ctx, q)
	if err != nil {
		return run, err
	}
	if err := a.Machines.Start(ctx, machineOf(q), run.ID, input); err != nil {
		a.Runs.End(context.WithoutCancel(ctx), run.ID,
			wstk.Run{State: wstk.RunFailed, EndedAt: a.Now().UTC(), Reasons: []string{err.Error()}})
		return run, err
	}
	return run, nil
}

// MaxQuery is how long a question may be, in code points.
const MaxQuery = 2000

// languageTag is the form of a BCP 47 tag with up to three subtags.
var languageTag = text.Pattern(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$`)

// openExtraction stores what is asked and makes the run and the machine's input.
func (a *Room) openExtraction(
	ctx context.Context, q Request,
) (run wstk.Run, input json.RawMessage, err error) {
	if len(text.Tokenize(q.Query, "")) == 0 {
		return run, nil, wstk.Errorf(wstk.Invalid, "", "the query has no words")
	}
	if n := utf8.RuneCountInString(q.Query); n > MaxQuery {
		return run, nil, wstk.Errorf(wstk.Invalid, "", "the query has %d characters, at most %d "+
			"are allowed", n, MaxQuery).Try(wstk.Advice("ask a shorter question"))
	}
	if q.OutputLanguage != "" && !languageTag().MatchString(q.OutputLanguage) {
		return run, nil, wstk.Errorf(wstk.Invalid, "", "the output language %q is no language tag",
			text.Shorten(q.OutputLanguage, 40)).
			Try(wstk.Advice("write it as BCP 47 does: de, or pt-BR"))
	}
	q.From = slices.Clone(q.From)
	for i, u := range q.From {
		if q.From[i], err = a.askable(u); err != nil {
			return run, nil, err
		}
	}
	if err := a.ready(q); err != nil {
		return run, nil, err
	}
	now := a.Now().UTC()
	run = wstk.Run{ID: wstk.NewRunID(now, nil), Kind: kindOf(q), State: wstk.RunRunning,
		Owner: wstk.CallerOf(ctx).Owner(), Query: q.Query, StartedAt: now, UpdatedAt: now}
	if run.Request, err = wstk.PutJSON(ctx, a.Blobs, q); err != nil {
		return run, nil, err
	}
	if err := a.Runs.Create(ctx, run); err != nil {
		return run, nil, err
	}
	// once more: the removal of a run that asked the same may have come between
	if _, err := wstk.PutJSON(ctx, a.Blobs, q); err != nil {
		return run, nil, err
	}
	input, err = json.Marshal(Extracting{Run: run.ID, Request: run.Request})
	return run, input, err
}

// ready returns what the models that answer a question lack.
func (a *Room) ready(q Request) error {
	return cmp.Or(a.Ready.ModelsReady(operations(q)...), a.Ready.MeaningReady())
}

// operations are those that answer a question.
func operations(q Request) []wstk.Operation {
	ops := []wstk.Operation{wstk.OpClassify, wstk.OpPartition, wstk.OpExtract}
	if len(q.From) > 0 || q.Answer != nil { // pages that are read now are summarized, too
		ops = append(ops, wstk.OpSummarize)
	}
	if q.Answer != nil && q.Answer.Mode == config.DecomposeLLM {
		ops = append(ops, wstk.OpDecompose)
	}
	return ops
}

// asksModels reports whether a model may be asked for a question.
func (a *Room) asksModels(q Request) bool { return slices.ContainsFunc(operations(q), a.byModel) }

// askable is the name of a page that a client asks to have answers from. What is
// neither an address of the web nor, where pages are uploaded, an upload is Invalid.
func (a *Room) askable(name string) (string, error) {
	if bucket := a.Config.Cloud.Bucket; bucket != "" &&
		strings.HasPrefix(name, "s3://"+bucket+"/") {
		return name, nil
	}
	return reading.Address(name)
}

// recall makes sure that the pages named are stored, classifies the query and
// ranks passages.
func (a *Room) recall(ctx context.Context, q Request, in Extracting) (Extracting, error) {
	asked, cost := costOfPages(ctx)
	pages, warnings, err := a.Reading.EnsureAll(asked, q.From,
		func(done int) error { return a.markPage(ctx, q, in.Run, done) })
	a.spend(ctx, in.Run, placeSummaries, *cost)
	if err != nil {
		return in, err
	}
	if in.Strategy, err = a.classify(ctx, q, in.Run); err != nil {
		return in, err
	}
	done, err := a.turns.take(ctx, in.Run) // not before: to fetch is to wait for sites
	if err != nil {
		return in, err
	}
	defer done()
	late, err := a.Reading.Late(ctx, pages)
	if err != nil {
		return in, err
	}
	found, parts, err := a.recallParts(ctx, recall.Query{Text: q.Query, Late: late,
		Filter: resolveFilter(q.Filter), Limit: q.Limit, Hints: q.Hints, Pages: pages})
	a.spend(ctx, in.Run, placeRecall, call{Reply: wstk.ModelReply{Usage: found.Usage}})
	if err != nil {
		return in, err
	}
	if len(found.Hits) == 0 && len(q.From) == 0 {
		warnings = append(warnings, a.warnOfNothing(ctx, q.Filter)...)
	}
	in.Hits = len(found.Hits)
	if in.Hits == 0 && a.byModel(wstk.OpExtract) {
		in.Hits = len(q.From) // a model reads the pages that are named
	}
	in.Recalled, err = wstk.PutJSON(ctx, a.Scratch,
		recalled{Hits: found.Hits, Parts: parts, Warnings: append(warnings, found.Warnings...),
			Mark: len(q.From) + 1})
	if err != nil {
		return in, err
	}
	return in, a.markRecalled(ctx, q, in, found.Hits)
}

func (a *Room) extract(ctx context.Context, q Request, in Extracting) (any, error) {
	switch in.Step {
	case "partition":
		return a.partition(ctx, q, in)
	case "claims":
		return a.claims(ctx, q, in)
	}
	return nil, wstk.Errorf(wstk.Invalid, "choosing step", "extract has no step %q", in.Step)
}

// partition gathers the passages into buckets.
func (a *Room) partition(
	ctx context.Context, q Request, in Extracting,
) (out Partitioned, err error) {
	found, err := wstk.GetJSON[recalled](ctx, a.Scratch, in.Recalled)
	if err != nil {
		return out, err
	}
	docs := a.newDocs()
	made := prompted.Partitioned{Buckets: []wstk.Bucket{
		{Pages: withNamed(nil, q.From[:min(len(q.From), fewNamed)])}}}
	if len(found.Hits) > 0 {
		if made, err = a.buckets(ctx, q, in, docs, found.Hits); err != nil {
			return out, err
		}
	}
	if len(made.Buckets) == 1 && in.Strategy != wstk.Collection {
		made.Buckets[0].Pages = withNamed(made.Buckets[0].Pages, q.From)
	}
	grants, err := a.grants(ctx, q, in, docs, made.Buckets)
	if err != nil {
		return out, err
	}
	out.Buckets, out.Left = []wstk.Hash{}, made.Left
	out.Warnings = slices.Concat([]wstk.Warning{}, made.Warnings, docs.lost())
	for i, b := range made.Buckets {
		h, err := wstk.PutJSON(ctx, a.Scratch,
			bucketed{Bucket: b, Hits: b.Hits, Parts: found.Parts, Grant: grants[i]})
		if err != nil {
			return out, err
		}
		out.Buckets = append(out.Buckets, h)
	}
	out.Count = len(out.Buckets)
	return out, a.markPartitioned(ctx, in, found, out.Count)
}

// fewNamed is how many pages that a client named are read without a passage that recall found.
const fewNamed = 8

// withNamed adds pages that a client named to those that recall found passages on: a page may say
// what is asked in other words. Of many, only what recall found is read.
func withNamed(pages, named []string) []string {
	for _, u := range named {
		if len(named) <= fewNamed && !slices.Contains(pages, u) {
			pages = append(pages, u)
		}
	}
	return pages
}

// claims proposes what one bucket says.
func (a *Room) claims(ctx context.Context, q Request, in Extracting) (Extracting, error) {
	b, err := wstk.GetJSON[bucketed](ctx, a.Scratch, in.Bucket)
	if err != nil {
		return in, err
	}
	b.Bucket.Hits = b.Hits
	docs := a.newDocs()
	made, err := a.proposals(ctx, q, in, b, docs)
	if err != nil {
		return in, err
	}
	in.Step, in.Count = "", len(made.Claims)
	in.Claims, err = wstk.PutJSON(ctx, a.Scratch, claimed{Claims: made.Claims, Gaps: made.Gaps,
		Warnings: append(docs.lost(), made.Warnings...)})
	return in, err
}

// explain logs why the statement that leads an answer was chosen; not the statement, which
// may be of a private page.
func (a *Room) explain(_ context.Context, c extract.Chosen) {
	a.Log.Debug("chose the first statement of an answer", "belief", math.Round(100*c.Belief)/100,
		"why", c.Why)
}

// verify finds the words of a bucket's claims again.
func (a *Room) verify(ctx context.Context, _ Request, in Extracting) (Extracting, error) {
	c, err := wstk.GetJSON[claimed](ctx, a.Scratch, in.Claims)
	if err != nil {
		return in, err
	}
	checker := *a.Verify
	docs := a.newDocs()
	checker.Document = docs.held
	if a.byModel(wstk.OpExtract) { // rules propose neither such words nor parts
		checker.Avoid, checker.Whole = docs.spoken, true
	}
	results, err := checker.Do(ctx, c.Claims)
	if err != nil {
		return in, err
	}
	in.Verified, err = wstk.PutJSON(ctx, a.Scratch, results)
	return in, err
}

// collateBucket joins what verify found of one bucket, and shows it in the run.
func (a *Room) collateBucket(
	ctx context.Context, q Request, in Extracting,
) (out PartDone, err error) {
	out.N = in.N
	b, err := wstk.GetJSON[bucketed](ctx, a.Scratch, in.Bucket)
	if err != nil {
		return out, err
	}
	c, err := wstk.GetJSON[claimed](ctx, a.Scratch, in.Claims)
	if err != nil {
		return out, err
	}
	p := part{Gaps: c.Gaps, Pages: b.Bucket.Pages, Of: in.Of, Warnings: c.Warnings}
	if in.Verified != "" {
		results, err := wstk.GetJSON[[]verify.Result](ctx, a.Scratch, in.Verified)
		if err != nil {
			return out, err
		}
		if p.Extraction, p.Gaps, err =
			a.collate(ctx, q, in.Strategy, b.Bucket.Title, results, c.Gaps); err != nil {
			return out, err
		}
	}
	if out.Part, err = wstk.PutJSON(ctx, a.Blobs, p); err != nil {
		return out, err
	}
	if err := a.Runs.AddPart(ctx, in.Run, wstk.Part{N: in.N, Data: out.Part}); err != nil {
		return out, err
	}
	if p.Extraction != nil { // once more, now that the run cites it: see RemoveRun
		if err := a.Verify.Evidence.Put(ctx, p.Extraction.Evidence...); err != nil {
			return out, err
		}
	}
	a.countQuotes(p.Extraction)
	return out, nil
}

// collate makes one extraction of verified claims, or none and the gaps that say why.
func (a *Room) collate(
	ctx context.Context, q Request, strategy wstk.Strategy, title string,
	results []verify.Result, gaps []wstk.Gap,
) (*wstk.Extraction, []wstk.Gap, error) {
	in := collate.Input{Query: q.Query, Strategy: strategy, Title: title,
		Gaps: gaps, Strict: q.Strict, Language: q.OutputLanguage,
		Named: a.byModel(wstk.OpExtract)}
	docs := a.newDocs()
	in.Setting, in.Shingles = docs.setting, docs.shingles
	seen := map[string]bool{}
	for _, r := range results {
		in.Items = append(in.Items,
			collate.Item{Claim: r.Claim, Evidence: r.Evidence, Unsupported: r.Unsupported})
		for _, e := range r.Evidence {
			if seen[e.URL] {
				continue
			}
			seen[e.URL] = true
			d, err := docs.get(ctx, e.URL)
			if err != nil {
				return nil, nil, err
			}
			in.Pages = append(in.Pages, d)
		}
	}
	x, err := collate.Collate(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	if len(x.Evidence) == 0 && len(x.Unsupported) == 0 {
		return nil, x.Gaps, nil
	}
	return &x, nil, nil
}

// countQuotes counts what verify made of the quotes of an extraction, if there is one.
func (a *Room) countQuotes(x *wstk.Extraction) {
	if x == nil {
		return
	}
	for _, e := range x.Evidence {
		a.Metrics.Quotes(string(e.Status), 1)
	}
	a.Metrics.Quotes("unsupported", len(x.Unsupported))
}

// collateReply joins the parts into the reply and ends the run: partial where a bucket
// failed.
func (a *Room) collateReply(
	ctx context.Context, q Request, in Extracting,
) (out Replied, err error) {
	found, err := wstk.GetJSON[recalled](ctx, a.Scratch, in.Recalled)
	if err != nil {
		return out, err
	}
	r, reasons, err := a.join(ctx, q, in, found.Warnings)
	if err != nil {
		return out, err
	}
	answered := r.HasAnswer()
	r.Answered = &answered
	if !answered {
		if r.Passages, err = a.nearest(ctx, found.Hits); err != nil {
			return out, err
		}
	}
	run, err := a.Runs.Get(ctx, in.Run)
	if err != nil {
		return out, err
	}
	if run.State.Terminal() { // done by an earlier try
		return Replied{Run: in.Run, Result: run.Result, State: run.State}, nil
	}
	out = Replied{Run: in.Run, State: wstk.RunComplete}
	if len(reasons) > 0 {
		out.State = wstk.RunPartial
	}
	now := a.Now().UTC()
	if r.Usage, r.Proposer, err = a.spent(ctx, in.Run); err != nil {
		return out, err
	}
	r.Usage.DurationMS = now.Sub(run.StartedAt).Milliseconds()
	if q.Answer != nil {
		if r.Answer, err = a.cite(ctx, q, in.Run, r.AskResult); err != nil {
			return out, err
		}
	}
	if out.Result, err = wstk.PutJSON(ctx, a.Blobs, r); err != nil {
		return out, err
	}
	if q.Deliver != "" {
		data, err := json.Marshal(ExtractionRun{Run: run, AskResult: r.AskResult})
		if err != nil {
			return out, wstk.Wrap(wstk.Internal, "delivering", err)
		}
		if err := a.Outbox.Deliver(ctx, q.Deliver, data); err != nil {
			return out, err
		}
	}
	if _, err = a.Runs.End(ctx, in.Run, wstk.Run{State: out.State, Reasons: reasons,
		Result: out.Result, EndedAt: now, Usage: r.Usage}); err != nil {
		return out, err
	}
	// once more, now that the run cites it: see RemoveRun
	var shown []wstk.Evidence
	for _, p := range r.Passages {
		shown = append(shown, p.Evidence)
	}
	if len(shown) == 0 {
		return out, nil
	}
	return out, a.Verify.Evidence.Put(ctx, shown...)
}

// join makes the reply of the parts, and the reasons why it is not whole.
func (a *Room) join(
	ctx context.Context, q Request, in Extracting, warnings []wstk.Warning,
) (r reply, reasons []string, err error) {
	r = reply{AskResult: wstk.AskResult{Query: q.Query, Strategy: in.Strategy, From: q.From,
		Hints: q.Hints, Strict: &q.Strict, Rules: collate.Rules, OutputLanguage: q.OutputLanguage,
		Extractions: []wstk.Extraction{}, Gaps: []wstk.Gap{}}, Warnings: warnings}
	if in.Left > 0 {
		r.Warnings = append(r.Warnings, wstk.Warning{Code: "items_left_out",
			Message: fmt.Sprintf("%d more items were found and are not shown.", in.Left)})
	}
	if q.OutputLanguage != "" && !a.byModel(wstk.OpExtract) {
		r.Warnings = append(r.Warnings, keptLanguage)
	}
	if q.MaxTokens > 0 && !a.asksModels(q) {
		r.Warnings = append(r.Warnings, budgetUnused)
	}
	slices.SortFunc(in.Parts, func(a, b PartDone) int { return a.N - b.N })
	r.warn(in.Warnings)
	searched := []string{}
	for _, done := range in.Parts {
		if done.Failed != nil {
			why := fmt.Sprintf("part %d of the answer failed: %s", done.N+1,
				causeMessage(done.Failed.Cause))
			if len(in.Parts) == 1 {
				why = causeMessage(done.Failed.Cause)
			}
			if len(reasons) == len(in.Parts)-1 { // so did all: that is no answer
				return r, nil, wstk.Errorf(wstk.Code(done.Failed.Error), "", "%s", why).
					Try(causeSteps(done.Failed.Cause)...)
			}
			reasons = append(reasons, why)
			r.Warnings = append(r.Warnings, wstk.Warning{Code: "part_failed", Message: why})
			continue
		}
		p, err := wstk.GetJSON[part](ctx, a.Blobs, done.Part)
		if err != nil {
			return r, nil, err
		}
		r.add(p)
		r.warn(p.Warnings)
		for _, u := range p.Pages {
			if !slices.Contains(searched, u) {
				searched = append(searched, u)
			}
		}
	}
	if len(r.Extractions) == 0 && len(r.Gaps) == 0 {
		r.Gaps = append(r.Gaps, wstk.Gap{Field: q.Query, Query: extract.Subject(q.Query),
			Reason: "not_found", Searched: searched})
	}
	r.nameSites()
	r.Warnings = append(r.Warnings, a.newDocs().warningsOf(ctx, r.Extractions)...)
	if r.lacks() {
		r.warn(a.breakingOff(ctx, searched))
	}
	return r, reasons, nil
}

// lacks reports whether something that was asked for was not found.
func (r *reply) lacks() bool {
	return len(r.Gaps) > 0 ||
		slices.ContainsFunc(r.Extractions, func(x wstk.Extraction) bool { return len(x.Gaps) > 0 })
}

// warn adds warnings that are not there yet.
func (r *reply) warn(warnings []wstk.Warning) {
	for _, w := range warnings {
		if !slices.ContainsFunc(r.Warnings, func(o wstk.Warning) bool {
			return o.Code == w.Code && o.URL == w.URL
		}) {
			r.Warnings = append(r.Warnings, w)
		}
	}
}

func (r *reply) add(p part) {
	if p.Extraction == nil {
		r.Gaps = append(r.Gaps, p.Gaps...)
		return
	}
	r.Extractions = append(r.Extractions, *p.Extraction)
}

// extractionFailed ends a run whose machine failed.
func (a *Room) extractionFailed(ctx context.Context, in Extracting) (Replied, error) {
	reason := in.Error
	if in.Cause != "" {
		reason += ": " + causeMessage(in.Cause)
	}
	out, err := a.endFailed(ctx, in.Run, in.Error, reason)
	if err != nil {
		return out, err
	}
	q, err := wstk.GetJSON[Request](ctx, a.Blobs, in.Request)
	if err != nil || q.Deliver == "" {
		return out, err
	}
	return out, a.deliverFailure(ctx, q.Deliver, wstk.Errorf(wstk.Code(in.Error), "", "%s", reason))
}

// endFailed ends a run as failed, or as cancelled where that is what the error is called.
func (a *Room) endFailed(ctx context.Context, id wstk.RunID, name, reason string) (Replied, error) {
	out := Replied{Run: id, State: wstk.RunFailed}
	if wstk.Code(name) == wstk.Cancelled {
		out.State = wstk.RunCancelled
	}
	cost, _, err := a.spent(ctx, id)
	if err != nil {
		return out, err
	}
	ended, err := a.Runs.End(ctx, id, wstk.Run{State: out.State, Reasons: []string{reason},
		EndedAt: a.Now().UTC(), Usage: cost})
	if ended && err == nil && out.State == wstk.RunFailed {
		a.Metrics.Failure(wstk.Errorf(known(name), "", "%s", reason))
	}
	return out, err
}

// known is the code that a state machine's error name is: Internal where it is none of
// ours.
func known(name string) wstk.Code {
	if c := wstk.Code(name); slices.Contains(wstk.Codes(), c) {
		return c
	}
	return wstk.Internal
}

// causeMessage is the message in a Cause: Lambda reports errors as JSON.
func causeMessage(cause string) string {
	var lambda struct {
		Message string `json:"errorMessage"`
	}
	if json.Unmarshal([]byte(cause), &lambda) == nil && lambda.Message != "" {
		return lambda.Message
	}
	return cause
}

// causeSteps are the next steps in a Cause; nil in the cloud, where a function reports none.
func causeSteps(cause string) []wstk.Step {
	var reported struct {
		Steps []wstk.Step `json:"steps"`
	}
	if json.Unmarshal([]byte(cause), &reported) != nil {
		return nil
	}
	return reported.Steps
}

// ExtractionRun is an extraction as it stands: while it runs, the pieces that are done.
type ExtractionRun struct {
	Run wstk.Run `json:"run"`
	wstk.AskResult
	Warnings []wstk.Warning `json:"-"`
}

// Extraction returns a run of kind extraction and its result, or what there is of it
// so far.
func (a *Room) Extraction(ctx context.Context, id wstk.RunID) (ExtractionRun, error) {
	run, err := a.Reading.Run(ctx, id)
	if err != nil {
		return ExtractionRun{}, err
	}
	out := ExtractionRun{Run: run, AskResult: noExtractions(run.Query)}
	if err := isOf(run, wstk.RunExtraction); err != nil {
		return out, err
	}
	if run.Result != "" {
		r, err := wstk.GetJSON[reply](ctx, a.Blobs, run.Result)
		out.AskResult, out.Warnings = r.AskResult, r.Warnings
		return out, err
	}
	r, err := a.piecesOf(ctx, run)
	out.AskResult = r.AskResult
	return out, err
}

// piecesOf are the extractions that a run without a result has so far.
func (a *Room) piecesOf(ctx context.Context, run wstk.Run) (out reply, err error) {
	out.AskResult = noExtractions(run.Query)
	parts, err := a.bucketParts(ctx, run.ID)
	if err != nil {
		return out, err
	}
	var r reply
	for _, p := range parts {
		done, err := wstk.GetJSON[part](ctx, a.Blobs, p.Data)
		if err != nil {
			return out, err
		}
		r.add(done)
	}
	out.Extractions = append(out.Extractions, r.Extractions...)
	out.Usage, out.Proposer, err = a.spent(ctx, run.ID)
	if run.State.Terminal() {
		out.Usage = run.Usage
	}
	return out, err
}

// Cancel asks a run to stop: its next task does nothing, the one that works is given up
// within a second, and the run ends as cancelled.
func (a *Room) Cancel(ctx context.Context, id wstk.RunID) (wstk.Run, error) {
	if err := a.Runs.RequestCancel(ctx, id); err != nil {
		return wstk.Run{}, err
	}
	return a.Runs.Get(ctx, id)
}
