package searching

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/stage/search"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// A search run asks every provider of the cascade at once and keeps what each said. It
// neither crawls nor fetches.

// RunRequest is what a run is asked for.
type RunRequest struct {
	Query    string // the user's words
	Options  wstk.SearchRunOptions
	Provider string // the one to ask; "" means the configured one, auto the whole cascade
}

// Run is a search run with what it found.
type Run struct {
	ID        wstk.RunID             `json:"run_id"`
	Query     string                 `json:"query"`
	Rewritten string                 `json:"rewritten_template"`
	Final     map[string]string      `json:"final_queries"`
	Providers []string               `json:"providers_used"`
	URLs      []wstk.FoundURL        `json:"urls"`
	Raw       []wstk.SearchRow       `json:"raw,omitzero"` // nil where it was not asked for
	Meta      RunMeta                `json:"meta"`
	Timestamp time.Time              `json:"timestamp"`
	Outcomes  []wstk.ProviderOutcome `json:"provider_outcomes"`
	Config    wstk.SearchConfig      `json:"config"`
	Warnings  []wstk.Warning         `json:"warnings"`
}

// RunSummary is a search run in a list.
type RunSummary struct {
	ID        wstk.RunID `json:"run_id"`
	Query     string     `json:"query"`
	Rewritten string     `json:"rewritten_template"`
	Providers []string   `json:"providers_used"`
	Meta      RunMeta    `json:"meta"`
	Timestamp time.Time  `json:"timestamp"`
}

// RunMeta counts what a run found.
type RunMeta struct {
	Counts map[string]int `json:"counts"`       // raw rows, by provider
	Unique int            `json:"total_unique"` // merged rows
}

// OpProviders is what the error says first when all providers failed.
const OpProviders = "providers failed"

// CreateRun rewrites the words, expands days, asks the providers, merges and stores
// what they say, and returns it.
//
// Errors: Invalid when the words, the options or the template are invalid, before any
// provider is asked, and when the query is too long for all of them; Unprocessable when
// there is no word to search for, or when the model that rewrites lacks its key or its
// prompt; ModelFailed when that model fails; ProvidersFailed, with the reason of each, when no
// provider answered. Without an answer no run is stored. One provider that fails is in the
// outcomes of a run all the same.
func (s *Room) CreateRun(
	ctx context.Context, req RunRequest,
) (out Run, err error) {
	started := s.Now().UTC()
	id := wstk.NewRunID(started, nil)
	ctx = reading.WithAttrs(ctx, slog.String("run", string(id)))
	defer func() {
		if err != nil {
			s.Metrics.Failure(err)
			return
		}
		s.Metrics.Run(s.Now().Sub(started))
	}()
	c := s.Config.Search
	o := req.Options
	o.Lang, o.MaxResults = cmp.Or(o.Lang, c.Language), cmp.Or(o.MaxResults, c.MaxResults)
	if err := checkOptions(o); err != nil {
		return out, err
	}
	if err := s.Ready.ModelsReady(wstk.OpRewrite); err != nil {
		return out, err
	}
	asking := ctx
	if limit := s.Config.Timeout; limit > 0 { // what was answered within it is stored after it
		var stop context.CancelFunc
		asking, stop = context.WithTimeout(ctx, limit)
		defer stop()
	}
	rewritten, err := s.Rewriting.Do(asking, req.Query, o.Lang)
	s.noteRewriting(ctx, rewritten, err, s.Now().Sub(started))
	if err != nil {
		return out, err
	}
	template := rewritten.Template
	if req.Options.MaxResults > 0 { // who says it now means it
		template.Filters.MaxResults = req.Options.MaxResults
	}
	expanded, err := search.Expand(template, started)
	if err != nil {
		return out, err
	}
	q, notes, err := search.Query(expanded, o.MaxResults)
	if err != nil {
		return out, err
	}
	q.Region, q.SafeSearch = cmp.Or(q.Region, c.Region), c.SafeSearch
	q.Fresh, q.Unkept = true, true // a run is what the providers say now, and is kept as such
	ask := search.Request{Query: q, Provider: cmp.Or(req.Provider, c.Provider), Order: c.Cascade,
		Union: true, Allow: s.Config.AllowDomains, Block: s.Config.BlockDomains}
	cascade, err := s.WebSearch.Select(ask)
	if err != nil {
		return out, err
	}
	answers, err := s.WebSearch.FanOut(asking, ask)
	for _, answer := range answers {
		s.noteOutcome(ctx, answer.Outcome)
	}
	if err != nil {
		return out, s.runError(err, answers)
	}
	run := wstk.SearchRun{Template: template, Rewritten: search.Text(template),
		Final: map[string]string{}, Counts: map[string]int{}, Providers: []string{},
		Outcomes: []wstk.ProviderOutcome{}, Warnings: rewritten.Warnings,
		Config: wstk.SearchConfig{Cascade: s.runNames(cascade),
			Options: wstk.SearchRunOptions{Lang: o.Lang, MaxResults: q.Limit()},
			Rewrite: rewritten.Rewriting, Reused: rewritten.Reused, Usage: rewritten.Usage}}
	for _, what := range notes {
		run.Warnings = append(run.Warnings, wstk.Warning{Code: "query_unsupported",
			Message: "No provider can express: " + what + "."})
	}
	raw, found := s.collect(ctx, &run, answers)
	s.Log.DebugContext(ctx, "merging", "rows", len(raw), "urls", len(found))
	if err := s.SearchRows.PutRows(ctx, id, raw, found); err != nil {
		return out, err
	}
	done := s.Now().UTC()
	stored := wstk.Run{ID: id, Kind: wstk.RunSearch, State: wstk.RunComplete,
		Owner: wstk.CallerOf(ctx).Owner(), Query: rewritten.Query, Search: &run,
		StartedAt: started, UpdatedAt: done, EndedAt: done, Usage: rewritten.Usage}
	if err := s.Runs.Create(ctx, stored); err != nil {
		return out, err
	}
	s.Log.InfoContext(ctx, "search run", "providers", strings.Join(run.Providers, ","), "urls",
		run.Unique, "ms", done.Sub(started).Milliseconds())
	return runBody(stored, found, nil), nil
}

func checkOptions(o wstk.SearchRunOptions) error {
	if o.MaxResults < 0 || o.MaxResults > wstk.MostResults {
		return wstk.Errorf(wstk.Invalid, "", "maxResults is %d, but must be between 1 and %d",
			o.MaxResults, wstk.MostResults)
	}
	if o.Lang != "" && !text.IsLanguage(o.Lang) {
		return wstk.Errorf(wstk.Invalid, "",
			"lang is %q, but must be two lower-case letters such as en", o.Lang)
	}
	return nil
}

// collect notes in run what the providers said, and returns the rows.
func (s *Room) collect(
	ctx context.Context, run *wstk.SearchRun, answers []search.Answer,
) (raw []wstk.SearchRow, found []wstk.FoundURL) {
	var list []search.Found
	var all []wstk.SearchResult
	for _, answer := range answers {
		o := answer.Outcome
		id, name := o.Provider, s.runName(o.Provider)
		o.Provider = name
		run.Outcomes = append(run.Outcomes, o)
		for _, w := range answer.Warnings {
			w.Message = strings.ReplaceAll(w.Message, id, name)
			if about, ok := w.Details.(map[string]any); ok && about["provider"] == id {
				about = maps.Clone(about)
				about["provider"] = name
				w.Details = about
			}
			run.Warnings = append(run.Warnings, w)
		}
		if o.Query != "" {
			run.Final[o.Provider] = o.Query
		}
		if o.Status != wstk.ProviderOK && o.Status != wstk.ProviderEmpty {
			continue
		}
		run.Providers = append(run.Providers, o.Provider)
		run.Counts[o.Provider] = len(answer.Rows)
		for _, r := range answer.Rows {
			raw = append(raw, wstk.SearchRow{Provider: o.Provider, URL: r.URL, Rank: r.Rank,
				Title: said(r.Title), Snippet: said(r.Snippet),
				PublishedAt: r.PublishedAt, Meta: r.Raw})
		}
		all = append(all, answer.Results...)
		list = append(list, search.Found{Provider: o.Provider, Results: answer.Results,
			Rows: answer.Rows})
	}
	found, refused := search.Merge(list, s.WebSearch.Closed)
	if refused > 0 {
		run.Warnings = append(run.Warnings,
			wstk.Warning{Code: "results_dropped", Details: map[string]any{"private": refused},
				Message: fmt.Sprintf("%d results lead into private networks; they are only in the "+
					"raw rows.", refused)})
	}
	var secret []wstk.Warning
	for _, u := range found {
		s.Metrics.Overlap(u.Confidence)
		if w, ok := secretAddress(u.URL, "dedupe_hash", u.DedupeHash); ok {
			secret = append(secret, w)
		}
	}
	run.Warnings = append(run.Warnings, s.warningsOfWords(ctx, all)...)
	run.Warnings = append(run.Warnings, atMost(maxWarnings, secret)...)
	run.Unique = len(found)
	return raw, found
}

// said is a text, nil where it is empty.
func said(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// runName returns what the bodies of search runs call a provider: its id, unless its setup has
// another name for them.
func (s *Room) runName(id string) string {
	for _, p := range s.WebSearch.Providers {
		if info := p.Info(); info.ID == id {
			return cmp.Or(info.RunName, id)
		}
	}
	return id
}

func (s *Room) runNames(ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = s.runName(id)
	}
	return out
}

// runError gives the error of a run that no provider answered the reason of each provider, under
// the names that bodies of search runs have for them.
func (s *Room) runError(err error, answers []search.Answer) error {
	op := map[wstk.Code]string{wstk.ProvidersFailed: OpProviders,
		wstk.Invalid: search.OpQuery}[wstk.CodeOf(err)]
	var reasons []string
	for _, answer := range answers {
		if o := answer.Outcome; o.Code != "" {
			reasons = append(reasons, fmt.Sprintf("%s: %s (%s)", s.runName(o.Provider), o.Code,
				strings.ReplaceAll(o.Message, o.Provider, s.runName(o.Provider))))
		}
	}
	if op == "" || reasons == nil {
		return err
	}
	return wstk.Errorf(wstk.CodeOf(err), op, "%s", strings.Join(reasons, "; ")).
		Try(wstk.StepsOf(err)...)
}

// GetRun returns a stored search run: NotFound when there is none of that id. raw adds
// what each provider returned.
func (s *Room) GetRun(ctx context.Context, id wstk.RunID, raw bool) (Run, error) {
	none := wstk.Errorf(wstk.NotFound, "", "there is no search run %q", string(id))
	if !id.Valid() {
		return Run{}, none
	}
	run, err := s.Reading.Run(ctx, id)
	if err == nil && (run.Kind != wstk.RunSearch || run.Search == nil) ||
		wstk.CodeOf(err) == wstk.NotFound {
		return Run{}, none
	}
	if err != nil {
		return Run{}, err
	}
	found, err := s.SearchRows.Found(ctx, id)
	if err != nil {
		return Run{}, err
	}
	if len(found) != run.Search.Unique {
		return Run{}, wstk.Errorf(wstk.Internal, "reading search run",
			"%s has %d rows, and should have %d", id, len(found), run.Search.Unique)
	}
	var rows []wstk.SearchRow
	if raw {
		if rows, err = s.SearchRows.Raw(ctx, id); err != nil {
			return Run{}, err
		}
		rows = append([]wstk.SearchRow{}, rows...)
	}
	return runBody(run, found, rows), nil
}

// ListedRun is a search run or an answer in a list; of an answer the words and the time are
// told.
type ListedRun struct {
	Kind wstk.RunKind `json:"kind"`
	RunSummary
}

// ListRuns lists runs of one kind, or where that is "" search runs and answers together,
// as ListSearches does.
func (s *Room) ListRuns(
	ctx context.Context, kind wstk.RunKind, query string, from, to time.Time,
	cursor string, limit int,
) ([]ListedRun, string, error) {
	kinds := []wstk.RunKind{kind}
	if kind == "" {
		kinds = append([]wstk.RunKind{wstk.RunSearch}, wstk.CitingKinds()...)
	}
	var all []wstk.Run
	more := false
	for _, k := range kinds {
		runs, next, err := s.runsOf(ctx, k, query, from, to, cursor, limit)
		if err != nil {
			return []ListedRun{}, "", err
		}
		all, more = append(all, runs...), more || next != ""
	}
	slices.SortFunc(all, func(x, y wstk.Run) int { return cmp.Compare(y.ID, x.ID) })
	out, next := []ListedRun{}, ""
	if more || len(all) > limit {
		all = all[:min(limit, len(all))]
		next = string(all[len(all)-1].ID)
	}
	for _, r := range all {
		v := ListedRun{r.Kind, RunSummary{ID: r.ID, Query: r.Query, Providers: []string{},
			Meta: RunMeta{Counts: map[string]int{}}, Timestamp: r.StartedAt}}
		if r.Search != nil {
			v.RunSummary = summaryOf(r)
		}
		out = append(out, v)
	}
	return out, next, nil
}

func summaryOf(r wstk.Run) RunSummary {
	s := r.Search
	return RunSummary{r.ID, r.Query, s.Rewritten, s.Providers,
		RunMeta{s.Counts, s.Unique}, r.StartedAt}
}

// runsOf lists the caller's runs of one kind.
func (s *Room) runsOf(
	ctx context.Context, kind wstk.RunKind, query string, from, to time.Time,
	cursor string, limit int,
) ([]wstk.Run, string, error) {
	if cursor != "" && !wstk.RunID(cursor).Valid() {
		return nil, "", wstk.Errorf(wstk.Invalid, "", "%q is not a cursor", cursor)
	}
	if !from.IsZero() && !to.IsZero() && to.Before(from) {
		return nil, "", wstk.Errorf(wstk.Invalid, "", "the time ends before it begins")
	}
	return s.Runs.List(ctx, wstk.RunFilter{Kind: kind, Owner: wstk.CallerOf(ctx).Sees(),
		Query: strings.Join(strings.Fields(query), " "), From: from, To: to}, cursor, limit)
}

// ListSearches lists search runs, newest first, without what they found. Query is the user's
// words, white space aside.
func (s *Room) ListSearches(
	ctx context.Context, query string, from, to time.Time, cursor string, limit int,
) (runs []RunSummary, next string, err error) {
	runs = []RunSummary{}
	list, next, err := s.runsOf(ctx, wstk.RunSearch, query, from, to, cursor, limit)
	for _, r := range list {
		if r.Search != nil {
			runs = append(runs, summaryOf(r))
		}
	}
	return runs, next, err
}

// runBody is the body of a stored run.
func runBody(r wstk.Run, found []wstk.FoundURL, raw []wstk.SearchRow) Run {
	s := r.Search
	return Run{ID: r.ID, Query: r.Query, Rewritten: s.Rewritten, Final: s.Final,
		Providers: s.Providers, URLs: append([]wstk.FoundURL{}, found...), Raw: raw,
		Meta: RunMeta{Counts: s.Counts, Unique: s.Unique}, Timestamp: r.StartedAt,
		Outcomes: s.Outcomes, Config: s.Config,
		Warnings: append([]wstk.Warning{}, s.Warnings...)}
}

// ErrorSummary splits an error of a search run into what went wrong and the reason, as
// clients of the search runs expect; ok is false for all other errors.
func ErrorSummary(err error) (summary string, reason error, ok bool) {
	var e *wstk.Error
	if !errors.As(err, &e) || e.Err == nil {
		return "", nil, false
	}
	switch e.Op {
	case OpProviders, search.OpQuery, search.OpModel, search.OpSchema:
		c := *e
		c.Op = ""
		return e.Op, &c, true
	}
	return "", nil, false
}
