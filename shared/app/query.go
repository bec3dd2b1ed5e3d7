package app

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"wstk/shared/stage/collate"
	"wstk/shared/stage/extract"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/screen"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// RecallRequest asks for ranked passages.
type RecallRequest struct {
	Query  string
	Filter wstk.Filter
	Limit  int // 0 means the default, 50, and 10 for a gap
}

// RecallResult is a ranked list.
type RecallResult struct {
	Query    string         `json:"query"`
	Hits     []wstk.Hit     `json:"hits"`
	Terms    []recall.Term  `json:"terms"` // what was searched for
	Warnings []wstk.Warning `json:"-"`
}

// Recall ranks stored passages for a query.
func (a *App) Recall(ctx context.Context, req RecallRequest) (RecallResult, error) {
	res, err := a.Recalling.Do(ctx, recall.Query{Text: req.Query, Filter: resolveFilter(req.Filter), Limit: req.Limit})
	return recallResult(req, res, err)
}

// Gap searches by keywords for what an extraction said is missing.
func (a *App) Gap(ctx context.Context, req RecallRequest) (RecallResult, error) {
	res, err := a.Recalling.Gap(ctx, req.Query, resolveFilter(req.Filter))
	if req.Limit > 0 && len(res.Hits) > req.Limit {
		res.Hits = res.Hits[:req.Limit]
	}
	return recallResult(req, res, err)
}

func recallResult(req RecallRequest, res recall.Result, err error) (RecallResult, error) {
	out := RecallResult{Query: req.Query, Hits: res.Hits, Terms: res.Terms, Warnings: res.Warnings}
	if out.Hits == nil {
		out.Hits = []wstk.Hit{}
	}
	return out, err
}

// resolveFilter puts URL prefixes of a filter into canonical form; site ids and
// hosts stay as they are.
func resolveFilter(f wstk.Filter) wstk.Filter {
	prefixes := func(list []string) []string {
		out := make([]string, len(list))
		for i, s := range list {
			out[i] = strings.TrimSpace(s)
			if u, err := text.Canonical(out[i]); err == nil && strings.Contains(s, "://") {
				out[i] = u
			}
		}
		return out
	}
	f.IncludeSites, f.ExcludeSites = prefixes(f.IncludeSites), prefixes(f.ExcludeSites)
	return f
}

// askAtOnce is how many buckets are worked on at the same time.
const askAtOnce = 4

// Ask answers a query from stored pages, or from just those of q.From, which are
// fetched when they are not stored yet. It goes through classify, recall, partition
// and, for each bucket, extract, verify and collate. No extraction is an honest
// answer and no error.
func (a *App) Ask(ctx context.Context, q wstk.AskQuery) (wstk.AskResult, error) {
	started := a.Now()
	out := wstk.AskResult{Query: q.Query, Extractions: []wstk.Extraction{}, Gaps: []wstk.Gap{}}
	pages, warnings, err := a.ensureAll(ctx, q.From)
	out.Warnings = warnings
	if err != nil {
		return out, err
	}
	out.Strategy, _ = extract.Classify(q.Query)
	found, parts, err := a.recallParts(ctx, recall.Query{Text: q.Query, Filter: resolveFilter(q.Filter), Limit: q.Limit, Hints: q.Hints, Pages: pages})
	if err != nil {
		return out, err
	}
	out.Warnings = append(out.Warnings, found.Warnings...)

	docs := a.newDocs()
	query := extract.Query{Text: q.Query, Strategy: out.Strategy, Hints: q.Hints, PartHits: parts, Avoid: docs.avoid(ctx)}
	stage := &extract.Stage{Document: docs.get}
	buckets, left, err := stage.Partition(ctx, q.Query, out.Strategy, found.Hits)
	if err != nil {
		return out, err
	}
	if left > 0 {
		out.Warnings = append(out.Warnings, wstk.Warning{Code: "items_left_out", Message: fmt.Sprintf("%d more items were found and are not shown.", left)})
	}
	extractions := make([]*wstk.Extraction, len(buckets))
	gaps := make([][]wstk.Gap, len(buckets))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(askAtOnce)
	for i, b := range buckets {
		group.Go(func() (err error) {
			extractions[i], gaps[i], err = a.bucket(ctx, stage, docs, query, b, q.Strict)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return out, err
	}
	for i, x := range extractions {
		if x == nil {
			out.Gaps = append(out.Gaps, gaps[i]...)
			continue
		}
		out.Extractions = append(out.Extractions, *x)
	}
	if len(out.Extractions) == 0 && len(out.Gaps) == 0 {
		out.Gaps = append(out.Gaps, wstk.Gap{Field: q.Query, Query: q.Query, Reason: "not_found", Searched: docs.urls()})
	}
	out.Warnings = append(out.Warnings, docs.beware(ctx, out.Extractions)...)
	out.Usage.DurationMS = a.Now().Sub(started).Milliseconds()
	return out, nil
}

// beware tells which of the pages quoted hold words that address a model, or hide text
// in a way that deceives: the quotes are none of it, and still come from such a page.
func (d *docs) beware(ctx context.Context, extractions []wstk.Extraction) (warnings []wstk.Warning) {
	told := map[string]bool{}
	for _, x := range extractions {
		for _, s := range x.Sources {
			o := d.once(ctx, s.URL)
			if told[s.URL] || o.err != nil {
				continue
			}
			told[s.URL] = true
			for _, w := range screen.Warnings(o.screen, o.doc) {
				if w.Code == screen.WarnInjection || w.Code == screen.WarnHidden {
					warnings = append(warnings, w)
				}
			}
		}
	}
	return warnings
}

// recallParts recalls each question of a compound query by itself, since what
// answers one drowns among the words of the others. The hits of all of them come
// back as one list, best first; parts holds those of each.
func (a *App) recallParts(ctx context.Context, q recall.Query) (all recall.Result, parts [][]wstk.Hit, err error) {
	texts := extract.Parts(q.Text)
	if len(texts) == 1 {
		all, err = a.Recalling.Do(ctx, q)
		return all, nil, err
	}
	results := make([]recall.Result, len(texts))
	group, groupCtx := errgroup.WithContext(ctx)
	for i, t := range texts {
		group.Go(func() (err error) {
			part := q
			part.Text = t
			results[i], err = a.Recalling.Do(groupCtx, part)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return all, nil, err
	}
	limit := q.Limit
	if limit <= 0 {
		limit = recall.DefaultLimit
	}
	parts = make([][]wstk.Hit, len(texts))
	seen := map[string]bool{}
	for rank := range limit {
		for i, r := range results {
			if rank >= len(r.Hits) {
				continue
			}
			h := r.Hits[rank]
			parts[i] = append(parts[i], h)
			if !seen[h.ID] && len(all.Hits) < limit {
				seen[h.ID] = true
				h.Rank = len(all.Hits) + 1
				all.Hits = append(all.Hits, h)
			}
		}
	}
	for _, r := range results {
		for _, w := range r.Warnings {
			if !slices.Contains(all.Warnings, w) {
				all.Warnings = append(all.Warnings, w)
			}
		}
	}
	return all, parts, nil
}

// bucket makes one extraction, or none and the gaps that say why.
func (a *App) bucket(ctx context.Context, stage *extract.Stage, docs *docs, q extract.Query, b wstk.Bucket, strict bool) (*wstk.Extraction, []wstk.Gap, error) {
	claims, gaps, err := stage.Do(ctx, q, b)
	if err != nil || len(claims) == 0 {
		return nil, gaps, err
	}
	checker := *a.Verify
	checker.Document = docs.get
	results, err := checker.Do(ctx, claims)
	if err != nil {
		return nil, nil, err
	}
	in := collate.Input{Query: q.Text, Strategy: q.Strategy, Title: b.Title, Gaps: gaps, Strict: strict}
	seen := map[string]bool{}
	for _, r := range results {
		in.Items = append(in.Items, collate.Item{Claim: r.Claim, Evidence: r.Evidence, Unsupported: r.Unsupported})
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
	x := collate.Collate(in)
	if len(x.Evidence) == 0 && len(x.Unsupported) == 0 {
		return nil, x.Gaps, nil
	}
	return &x, nil, nil
}

// docs reads each page's Document and Screening once in the course of a query.
type docs struct {
	app   *App
	mu    sync.Mutex
	pages map[string]*docOnce
	order []string
}

type docOnce struct {
	once   sync.Once
	doc    *wstk.Document
	screen wstk.Screening
	err    error
}

func (a *App) newDocs() *docs { return &docs{app: a, pages: map[string]*docOnce{}} }

func (d *docs) once(ctx context.Context, url string) *docOnce {
	d.mu.Lock()
	o := d.pages[url]
	if o == nil {
		o = &docOnce{}
		d.pages[url] = o
		d.order = append(d.order, url)
	}
	d.mu.Unlock()
	o.once.Do(func() { o.doc, o.screen, o.err = d.app.stored(ctx, url) })
	return o
}

func (d *docs) get(ctx context.Context, url string) (*wstk.Document, error) {
	o := d.once(ctx, url)
	return o.doc, o.err
}

func (d *docs) urls() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string{}, d.order...)
}

// avoid tells spans that were screened as addressed to a model: they are words of
// the page and stay readable, but never become a claim.
func (d *docs) avoid(ctx context.Context) func(url string, start, end int) bool {
	return func(url string, start, end int) bool {
		for _, f := range d.once(ctx, url).screen.Findings {
			if f.Kind == wstk.FindingInjection && f.Span != nil && f.Span.ByteStart < end && start < f.Span.ByteEnd {
				return true
			}
		}
		return false
	}
}

// stored reads what is held of a page. A page without a Document is NotFound.
func (a *App) stored(ctx context.Context, url string) (*wstk.Document, wstk.Screening, error) {
	var screening wstk.Screening
	p, err := a.Pages.Get(ctx, url)
	if err == nil && p.Document == "" && p.DuplicateOf != "" {
		p, err = a.Pages.Get(ctx, p.DuplicateOf)
	}
	if err != nil {
		return nil, screening, err
	}
	if p.Document == "" {
		return nil, screening, wstk.Errorf(wstk.NotFound, "", "%s has no stored text: %s %s", url, p.Verdict, p.Reason)
	}
	d, err := wstk.LoadDocument(ctx, a.Blobs, p.Document)
	if err != nil {
		return nil, screening, err
	}
	if p.Screening != "" {
		data, err := a.Blobs.Get(ctx, p.Screening)
		if err != nil {
			return nil, screening, err
		}
		if err := json.Unmarshal(data, &screening); err != nil {
			return nil, screening, wstk.Errorf(wstk.Internal, "reading screening", "%w", err)
		}
	}
	return d, screening, nil
}
