package prompted

import (
	"context"
	"slices"
	"strings"

	"wstk/shared/prompt"
	"wstk/shared/stage/extract"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// Query is what is asked of a bucket.
type Query struct {
	Text     string
	Hints    []string // fields to look for
	Language string   // of statements, BCP 47; "" means that of the pages
}

// Proposed is what a model proposed of one bucket.
type Proposed struct {
	Claims   []wstk.Claim
	Gaps     []wstk.Gap
	Warnings []wstk.Warning
}

// request is a call that was not made yet.
type request struct {
	wstk.ModelRequest
	docs     []*wstk.Document // by number, from 1
	warnings []wstk.Warning
}

// Extract asks what the pages of a bucket say, in one call. The claims keep the order of the
// reply, the leading one first. Their quotes are unchecked, and so is their support. Every hint
// without a claim is a gap, and so is a query without any claim.
//
// Errors: those of wstk.Model, ModelFailed for a reply in another form, and the Document
// function's own.
func (e *Engine) Extract(ctx context.Context, q Query, b wstk.Bucket) (out Proposed, err error) {
	r, err := e.request(ctx, q, b)
	if err != nil {
		return out, err
	}
	if len(r.docs) == 0 {
		out.Gaps = missing(q, b, nil, nil)
		return out, nil
	}
	var reply extractReply
	if err := e.ask(ctx, r.ModelRequest, &reply); err != nil {
		return out, err
	}
	var c cuts
	for _, it := range first(&c, reply.Claims, maxClaims) {
		if claim, ok := r.claim(&c, it, q.Hints, q.Language); ok {
			out.Claims = append(out.Claims, claim)
		}
	}
	for _, g := range first(&c, reply.Gaps, maxGaps) {
		gap := wstk.Gap{Field: strings.TrimSpace(c.text(g.Field, maxName)),
			Query:  strings.TrimSpace(c.text(g.Query, maxName)),
			Reason: "not_found", Searched: slices.Clone(b.Pages)}
		if gap.Field == "" {
			continue
		}
		if gap.Query == "" {
			gap.Query = gap.Field + " " + extract.Subject(q.Text)
		}
		out.Gaps = append(out.Gaps, gap)
	}
	out.Gaps = missing(q, b, out.Claims, out.Gaps)
	out.Warnings = r.warnings
	if c != (cuts{}) {
		out.Warnings = append(out.Warnings, replyCut(c))
	}
	return out, nil
}

// Cost is about how many tokens Extract takes for a bucket: input is what the model reads, reply
// what it may write at most. Both are 0 where it would not be asked.
func (e *Engine) Cost(ctx context.Context, q Query, b wstk.Bucket) (input, reply int, err error) {
	r, err := e.request(ctx, q, b)
	if err != nil || len(r.docs) == 0 {
		return 0, 0, err
	}
	return Input(r.ModelRequest), r.MaxTokens, nil
}

// Input is about how many tokens a model reads in a request.
func Input(r wstk.ModelRequest) int {
	return text.EstimateTokens(r.System) + text.EstimateTokens(r.User) +
		text.EstimateTokens(string(r.Schema))
}

func (e *Engine) request(ctx context.Context, q Query, b wstk.Bucket) (r request, err error) {
	p, err := e.Prompts.Or(extractPrompt)
	if err != nil {
		return r, err
	}
	pages, docs, warnings, err := e.show(ctx, b, e.Limits.input())
	if err != nil || len(docs) == 0 {
		return r, err
	}
	if b.Title != "" { // words of a page, too
		pages = append([]prompt.Page{{Passages: []string{b.Title}}}, pages...)
	}
	user, err := prompt.Fence(struct {
		Question string   `json:"question"`
		Fields   []string `json:"fields,omitempty"`
		Language string   `json:"language,omitempty"`
	}{q.Text, q.Hints, q.Language}, pages)
	return request{docs: docs, warnings: warnings, ModelRequest: wstk.ModelRequest{
		Operation: wstk.OpExtract, System: p.Text, User: user, Name: "claims",
		Schema: extractSchema, MaxTokens: e.Limits.reply()}}, err
}

// claim is a claim of a reply; false for one that states nothing. What is quoted from a page
// that was not shown has no URL, so that verify finds no page.
func (r *request) claim(
	c *cuts, it repliedClaim, hints []string, lang string,
) (wstk.Claim, bool) {
	claim := wstk.Claim{Field: strings.TrimSpace(c.text(it.Field, maxName)),
		Statement: strings.TrimSpace(c.text(it.Statement, maxStatement)),
		Support:   wstk.Support(it.Support)}
	if claim.Statement == "" {
		return claim, false
	}
	if !slices.ContainsFunc(hints, func(h string) bool {
		return text.FoldCompare(h) == text.FoldCompare(claim.Field)
	}) {
		claim.Field = "" // a model gives no names of its own
	}
	if claim.Support != wstk.SupportDirect && claim.Support != wstk.SupportAssumed {
		claim.Support = wstk.SupportInferred
	}
	for _, q := range first(c, it.Quotes, maxQuotes) {
		p := wstk.Proposal{Kind: wstk.EvidenceText, Words: strings.TrimSpace(c.text(q.Words,
			maxWords)), ByteStart: -1}
		pageLang := ""
		if q.Page >= 1 && q.Page <= len(r.docs) {
			p.URL, pageLang = r.docs[q.Page-1].URL, r.docs[q.Page-1].Meta.Language
		}
		claim.Proposed = append(claim.Proposed, p)
		if claim.Value == nil {
			claim.Value = valueIn(p.Words, pageLang, claim.Statement, lang)
		}
	}
	return claim, true
}

// valueIn is the one value of a quote that the statement repeats, in its own words or, in
// another language, in that language's form; nil if it repeats none or several.
func valueIn(quote, lang, statement, stated string) *wstk.Value {
	var same []value.Value
	for _, v := range value.Find(quote, lang) {
		if text.HoldsWhole(statement, v.Text) ||
			stated != "" && slices.ContainsFunc(value.Find(statement, stated),
				func(o value.Value) bool { return o.Type == v.Type && o.Norm == v.Norm }) {
			same = append(same, v)
		}
	}
	if len(same) != 1 {
		return nil
	}
	v := same[0]
	return &wstk.Value{Type: wstk.ValueType(v.Type), Text: v.Text, Number: v.Number, Unit: v.Unit,
		Time: v.Time, Norm: v.Norm}
}

// missing adds to gaps the fields that were asked for and that no claim answers and, where there
// is no claim at all, the query.
func missing(q Query, b wstk.Bucket, claims []wstk.Claim, gaps []wstk.Gap) []wstk.Gap {
	subject := extract.Subject(q.Text)
	if b.Title != "" {
		subject = b.Title
	}
	has := map[string]bool{}
	for _, c := range claims {
		has[text.FoldCompare(c.Field)] = true
	}
	for _, g := range gaps {
		has[text.FoldCompare(g.Field)] = true
	}
	for _, h := range q.Hints {
		if key := text.FoldCompare(h); !has[key] {
			has[key] = true
			gaps = append(gaps, wstk.Gap{Field: h, Query: h + " " + subject, Reason: "not_found",
				Searched: slices.Clone(b.Pages)})
		}
	}
	if len(claims) == 0 && len(gaps) == 0 {
		gaps = append(gaps, wstk.Gap{Field: q.Text, Query: extract.Subject(q.Text),
			Reason: "not_found", Searched: slices.Clone(b.Pages)})
	}
	return gaps
}
