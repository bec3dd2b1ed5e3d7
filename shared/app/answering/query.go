package answering

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

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
	Usage    wstk.Usage     `json:"-"`     // of services that embed and rerank
	Warnings []wstk.Warning `json:"-"`
}

// Recall ranks stored passages for a query.
func (a *Room) Recall(ctx context.Context, req RecallRequest) (RecallResult, error) {
	if err := a.Ready.MeaningReady(); err != nil {
		return RecallResult{}, err
	}
	res, err := a.Recalling.Do(ctx,
		recall.Query{Text: req.Query, Filter: resolveFilter(req.Filter), Limit: req.Limit})
	return a.recallResult(ctx, req, res, err)
}

// Gap searches by keywords for what an extraction said is missing.
func (a *Room) Gap(ctx context.Context, req RecallRequest) (RecallResult, error) {
	res, err := a.Recalling.Gap(ctx, req.Query, resolveFilter(req.Filter))
	if req.Limit > 0 && len(res.Hits) > req.Limit {
		res.Hits = res.Hits[:req.Limit]
	}
	return a.recallResult(ctx, req, res, err)
}

func (a *Room) recallResult(
	ctx context.Context, req RecallRequest, res recall.Result, err error,
) (RecallResult, error) {
	out := RecallResult{Query: req.Query, Hits: res.Hits, Terms: res.Terms, Usage: res.Usage,
		Warnings: res.Warnings}
	if out.Hits == nil {
		out.Hits = []wstk.Hit{}
	}
	if err == nil {
		err = a.markTeasers(ctx, out.Hits)
	}
	if err == nil && len(out.Hits) == 0 {
		out.Warnings = append(out.Warnings, a.warnOfNothing(ctx, req.Filter)...)
	}
	return out, err
}

// markTeasers notes with hits that the text they are of is a teaser.
func (a *Room) markTeasers(ctx context.Context, hits []wstk.Hit) error {
	of := map[string][]int{}
	for i, h := range hits {
		of[h.URL] = append(of[h.URL], i)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(readsAtOnce)
	for url, places := range of {
		group.Go(func() error {
			p, err := a.Pages.Get(ctx, url)
			if wstk.CodeOf(err) == wstk.NotFound {
				return nil
			}
			for _, i := range places {
				hits[i].Partial = err == nil && p.Partial && p.TextSHA256 == hits[i].TextSHA256
			}
			return err
		})
	}
	return group.Wait()
}

// readsAtOnce is how many pages of hits are looked up at the same time.
const readsAtOnce = 8

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

// warningsOf names the quoted pages that hold words that address a model, hide text in a
// way that deceives, or break off: the quotes are none of it, and still come from such a page; and
// those of whose lists more is left than is quoted.
func (d *docs) warningsOf(
	ctx context.Context, extractions []wstk.Extraction,
) (warnings []wstk.Warning) {
	told := map[string]bool{}
	for _, x := range extractions {
		for _, s := range x.Sources {
			o := d.once(ctx, s.URL)
			if told[s.URL] || o.err != nil {
				continue
			}
			told[s.URL] = true
			if n := extract.LeftOut(o.doc, x); n > 0 {
				warnings = append(warnings, listCut(s.URL, n))
			}
			for _, w := range screen.Warnings(o.screen, o.doc) {
				if w.Code == screen.WarnInjection || w.Code == screen.WarnHidden ||
					w.Code == screen.WarnPartial || w.Code == screen.WarnFetchedBy {
					warnings = append(warnings, w)
				}
			}
		}
	}
	return warnings
}

// WarnListCut is the code of the warning that a list of which an answer quotes items goes on.
const WarnListCut = "list_cut"

func listCut(url string, more int) wstk.Warning {
	items := "items"
	if more == 1 {
		items = "item"
	}
	return wstk.Warning{Code: WarnListCut, URL: url, Details: map[string]int{"more": more},
		Message: fmt.Sprintf("The list on this page has %d more %s. An answer quotes at most %d "+
			"bytes of a list, and fewer if the question asks for an overview. Read the page "+
			"for the rest.",
			more, items, extract.MaxList)}
}

// breakingOff tells which of the pages that were searched without success break off: the rest of
// them may say what was not found.
func (a *Room) breakingOff(ctx context.Context, searched []string) (warnings []wstk.Warning) {
	for _, u := range searched {
		if p, err := a.Pages.Get(ctx, u); err == nil && p.Partial {
			warnings = append(warnings, screen.Partial(u))
		}
	}
	return warnings
}

// recallParts recalls each question of a compound query by itself, since what
// answers one drowns among the words of the others. The hits of all of them come
// back as one list, best first; parts holds those of each.
func (a *Room) recallParts(
	ctx context.Context, q recall.Query,
) (all recall.Result, parts [][]wstk.Hit, err error) {
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
	err = group.Wait()
	for _, r := range results {
		all.Usage.Add(r.Usage)
	}
	if err != nil {
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

// docs reads each page's Document and Screening once in the course of a query.
type docs struct {
	app   *Room
	mu    sync.Mutex
	pages map[string]*docOnce
	keys  map[*wstk.Document]wstk.Hash // under which those that were read are stored
}

type docOnce struct {
	once   sync.Once
	doc    *wstk.Document
	screen wstk.Screening
	err    error
	lost   bool // something is stored, and cannot be read
}

func (a *Room) newDocs() *docs {
	return &docs{app: a, pages: map[string]*docOnce{}, keys: map[*wstk.Document]wstk.Hash{}}
}

func (d *docs) once(ctx context.Context, url string) *docOnce {
	d.mu.Lock()
	o := d.pages[url]
	if o == nil {
		o = &docOnce{}
		d.pages[url] = o
	}
	d.mu.Unlock()
	o.once.Do(func() {
		var p wstk.Page
		if p, o.err = d.app.Reading.StateOf(ctx, url); o.err == nil {
			o.doc, o.screen, o.err = d.app.Reading.ReadState(ctx, p)
		}
		if o.err == nil {
			d.mu.Lock()
			d.keys[o.doc] = p.Document
			d.mu.Unlock()
		}
		if wstk.CodeOf(o.err) == wstk.Internal { // one damaged page takes nothing from the others
			d.app.Log.Warn("a stored page cannot be read", "url", url, "error", o.err.Error())
			o.lost = true
			o.err = wstk.Errorf(wstk.NotFound, "", "what is stored of %s is damaged", url)
		}
	})
	return o
}

// setting is what a Document that get returned takes back of its text.
func (d *docs) setting(ctx context.Context, doc *wstk.Document) *text.Setting {
	return d.app.pages.setting(ctx, d.keyOf(doc), doc)
}

// shingles are those by which copies of a Document that get returned are known.
func (d *docs) shingles(ctx context.Context, doc *wstk.Document) text.Shingles {
	return d.app.pages.shinglesOf(ctx, d.keyOf(doc), doc)
}

func (d *docs) keyOf(doc *wstk.Document) wstk.Hash {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.keys[doc]
}

// lost tells which of the pages asked for so far are damaged.
func (d *docs) lost() (warnings []wstk.Warning) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, url := range slices.Sorted(maps.Keys(d.pages)) {
		if d.pages[url].lost {
			warnings = append(warnings, wstk.Warning{Code: "text_damaged", URL: url,
				Message: "What is stored of this page is damaged or missing; it was left out. " +
					"Fetch it again."})
		}
	}
	return warnings
}

func (d *docs) get(ctx context.Context, url string) (*wstk.Document, error) {
	o := d.once(ctx, url)
	return o.doc, o.err
}

// held is get, and whether the text is a teaser.
func (d *docs) held(ctx context.Context, url string) (*wstk.Document, bool, error) {
	o := d.once(ctx, url)
	return o.doc, o.screen.Partial, o.err
}

// avoid tells spans that were screened as addressed to a model: they are words of
// the page and stay readable, but never become a claim.
func (d *docs) avoid(ctx context.Context) func(url string, start, end int) bool {
	return func(url string, start, end int) bool {
		for _, f := range d.once(ctx, url).screen.Findings {
			if f.Kind == wstk.FindingInjection && f.Span != nil && f.Span.Overlaps(start, end) {
				return true
			}
		}
		return false
	}
}
