package searching

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"wstk/shared/app/reading"
	"wstk/shared/stage/evaluate"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// EvaluateRequest asks how well providers search, and how well pages are read.
type EvaluateRequest struct {
	Cases          []evaluate.Case
	Providers      []string // none means auto
	K              int      // results that count, 1–100; 0 means 10
	Search         Request
	Extract        *reading.ExtractRequest // how the page of each case is read; nil reads none
	IncludeResults bool
	Before         *Evaluation         // an earlier run to compare with; may be nil
	Progress       func(done, all int) // may be nil
}

// Evaluation is the report of a suite.
type Evaluation struct {
	At        time.Time                 `json:"at"`
	Cases     int                       `json:"cases"`
	K         int                       `json:"k"`
	Providers []evaluate.ProviderReport `json:"providers"`
	Overlap   []evaluate.Overlap        `json:"provider_overlap"`
	// provider with the highest MRR, by however little; null when nothing was scored
	Best    *string               `json:"best"`
	Versus  []evaluate.Versus     `json:"versus"`
	Changes []evaluate.Difference `json:"changes,omitempty"`
	// models on the questions of the suite; absent where it has none
	Answers  *evaluate.Answers `json:"answers,omitempty"`
	Warnings []wstk.Warning    `json:"-"`
}

// pagesAtOnce is how many pages an evaluation reads at once.
const pagesAtOnce = 4

// Evaluate runs the searches of a suite. What a provider or a site does is in the report; an error means
// that the request is invalid, or that it was cancelled. Cases of kind ask are left out; a suite
// that has nothing else asks no provider.
func (s *Room) Evaluate(ctx context.Context, req EvaluateRequest) (Evaluation, error) {
	req.Cases = slices.DeleteFunc(slices.Clone(req.Cases), evaluate.Case.Asks)
	switch {
	case len(req.Cases) == 0:
		req.Providers = nil
	case len(req.Providers) == 0:
		req.Providers = []string{"auto"}
	}
	if req.K == 0 {
		req.K = 10
	}
	if req.Search.Order == nil {
		req.Search.Order = s.Config.Search.Eval
	}
	if req.K < 1 || req.K > 100 {
		return Evaluation{}, wstk.Errorf(wstk.Invalid, "", "k must be 1 to 100")
	}
	out := Evaluation{At: s.Now().UTC(), Cases: len(req.Cases), K: req.K}
	all, done := len(req.Cases)*len(req.Providers), 0
	if req.Extract != nil {
		all *= 2
	}
	step := func() {
		if done++; req.Progress != nil {
			req.Progress(done, all)
		}
	}
	targets := make([][]string, len(req.Providers)) // the page of each case
	results := make([][]evaluate.CaseResult, len(req.Providers))
	for p, provider := range req.Providers {
		for _, c := range req.Cases {
			result, target, err := s.evaluateCase(ctx, req, provider, c)
			if err != nil {
				return out, err
			}
			results[p], targets[p] = append(results[p], result), append(targets[p], target)
			step()
		}
	}
	if req.Extract != nil {
		if err := s.evaluatePages(ctx, req, targets, results, step); err != nil {
			return out, err
		}
	}
	out.compare(req, results)
	return out, nil
}

// evaluateCase asks one provider for one case, and returns the page that the case is about.
// The error means that no provider can be asked; what a provider says is in the result.
func (s *Room) evaluateCase(
	ctx context.Context, req EvaluateRequest, provider string, c evaluate.Case,
) (r evaluate.CaseResult, target string, err error) {
	in := req.Search
	in.Query, in.Provider = c.Query, provider
	in.MaxResults = max(c.K, req.K)
	began := s.Now()
	found, err := s.Search(ctx, in)
	if ctx.Err() != nil {
		return r, "", wstk.Wrap(wstk.Cancelled, "evaluating", context.Cause(ctx))
	}
	// no provider was asked, and none will be
	if err != nil && len(found.ProviderOutcomes) == 0 {
		return r, "", err
	}
	urls := make([]string, len(found.Results))
	for i, r := range found.Results {
		urls[i] = r.URL
	}
	r = evaluate.CaseResult{ID: c.ID, Query: c.Query, Search: c.Score(urls, req.K)}
	r.Search.LatencyMS, r.Search.Cached = s.Now().Sub(began).Milliseconds(), found.CacheHit()
	if err != nil && wstk.CodeOf(err) != wstk.Empty {
		r.Search = evaluate.SearchScore{LatencyMS: r.Search.LatencyMS, Error: failure(err)}
	}
	if req.IncludeResults {
		r.Found = found.Results
	}
	return r, c.Target(urls), nil
}

// compare reports what each provider reached, and compares them with each other and with an
// earlier run.
func (e *Evaluation) compare(req EvaluateRequest, results [][]evaluate.CaseResult) {
	e.Providers = []evaluate.ProviderReport{}
	for p, provider := range req.Providers {
		e.Providers = append(e.Providers, evaluate.Report(provider, results[p]))
	}
	e.Overlap = evaluate.Overlaps(e.Providers)
	e.Versus = []evaluate.Versus{}
	for _, r := range e.Providers[min(1, len(e.Providers)):] {
		e.Versus = append(e.Versus,
			evaluate.Versus{Against: e.Providers[0].Provider,
				Difference: evaluate.CompareReports(e.Providers[0], r)})
	}
	e.Best = reading.OrNil(evaluate.Best(e.Providers))
	if req.Before != nil {
		e.Changes = evaluate.Compare(req.Before.Providers, e.Providers)
	}
}

// webAddress is an address of a suite, which may lack its scheme, as extract takes it: it
// is never a file of this machine.
func webAddress(u string) string {
	if text.IsURL(u) {
		return u
	}
	return "https://" + u
}

func failure(err error) *evaluate.Failure {
	return &evaluate.Failure{Code: wstk.CodeOf(err), Message: err.Error()}
}

// evaluatePages reads the page of each case, each address once.
func (s *Room) evaluatePages(
	ctx context.Context, req EvaluateRequest, targets [][]string,
	results [][]evaluate.CaseResult, step func(),
) error {
	type page struct {
		res reading.ExtractResult
		err error
		ms  int64
	}
	index := map[string]int{}
	var urls []string
	for _, list := range targets {
		for _, u := range list {
			if _, ok := index[u]; !ok && u != "" {
				index[u] = len(urls)
				urls = append(urls, u)
			}
		}
	}
	pages := make([]page, len(urls))
	group, work := errgroup.WithContext(ctx)
	group.SetLimit(pagesAtOnce)
	for i, u := range urls {
		group.Go(func() error {
			one := *req.Extract
			one.Target = webAddress(u)
			began := s.Now()
			res, err := s.Extract(work, one)
			pages[i] = page{res, err, s.Now().Sub(began).Milliseconds()}
			return work.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return wstk.Wrap(wstk.Cancelled, "evaluating", context.Cause(ctx))
	}
	for p := range targets {
		for n, u := range targets[p] {
			step()
			if u == "" {
				continue
			}
			got := pages[index[u]]
			var score evaluate.PageScore
			if got.err == nil {
				score = scorePage(req.Cases[n], got.res)
			} else {
				score.Error = failure(got.err)
			}
			score.URL, score.LatencyMS = u, got.ms
			results[p][n].Page = &score
		}
	}
	return nil
}

func scorePage(c evaluate.Case, res reading.ExtractResult) evaluate.PageScore {
	var s evaluate.PageScore
	if d := res.Document; d != nil {
		var code []string
		for i, b := range d.Blocks {
			if b.Kind == wstk.BlockCode {
				code = append(code, d.BlockText(i))
			}
		}
		s = c.ScorePage(d.MainText(), d.Markdown, d.Text, code)
	}
	s.Verdict, s.Cached = res.Verdict, res.CacheHit
	return s
}

// ParseEvaluation reads what an earlier run printed with --json, or the data of that; name is
// that of its file.
func ParseEvaluation(name string, data []byte) (*Evaluation, error) {
	const op = "reading the earlier run"
	var saved struct {
		Data *Evaluation `json:"data"`
		Evaluation
	}
	if err := json.Unmarshal(data, &saved); err != nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "%w", err)
	}
	if saved.Data != nil {
		saved.Evaluation = *saved.Data
	}
	if len(saved.Providers) == 0 && saved.Answers == nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "%s is not the report of an evaluation", name).
			Try(wstk.Step{Do: wstk.DoEvaluate})
	}
	return &saved.Evaluation, nil
}
