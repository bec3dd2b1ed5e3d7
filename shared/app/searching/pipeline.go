package searching

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// PipelineRequest asks for a search and for the best of its pages, read.
type PipelineRequest struct {
	Search   Request
	TopK     int                    // results to consider, 1–100; 0 means 5
	ExtractK int                    // pages to read, 1–TopK; 0 means 1
	Plan     bool                   // say what would be read, and ask no site
	Extract  reading.ExtractRequest // how pages are read; its Target is left open
	Budget   Budget
	Progress func(done, wanted int, url string) // called before each page is asked for; may be nil
}

// Budget bounds the work of a pipeline; zero fields bound nothing.
type Budget struct {
	Time   time.Duration
	Tokens int // of all pages together, about
}

// ParseBudget reads 5000ms, 5s, 8000tok, or both with a comma between them.
func ParseBudget(s string) (b Budget, err error) {
	bad := wstk.Errorf(wstk.Invalid, "",
		"the budget %q is neither a time such as 5000ms nor a number of tokens such as 8000tok", s)
	for part := range strings.SplitSeq(s, ",") {
		part = strings.ToLower(strings.TrimSpace(part))
		number := strings.TrimRight(part, "abcdefghijklmnopqrstuvwxyz")
		switch unit := part[len(number):]; unit {
		case "tok", "token", "tokens":
			if b.Tokens, err = strconv.Atoi(number); err != nil || b.Tokens < 1 {
				return b, bad
			}
		default:
			if b.Time, err = time.ParseDuration(part); err != nil || b.Time <= 0 {
				return b, bad
			}
		}
	}
	return b, nil
}

// PipelineResult is a search and pages that were read. The user's words and those of the
// web stand apart: the latter are data, whatever they say.
type PipelineResult struct {
	UserQuery  string          `json:"user_query"`
	Plan       bool            `json:"plan"`
	Search     Result          `json:"search"`
	Candidates []Candidate     `json:"candidates"`
	Documents  []PipelineEntry `json:"documents"`
	Budget     *BudgetReport   `json:"budget"` // null without one
	Warnings   []wstk.Warning  `json:"-"`
}

// Candidate is a result that was considered, in the order in which pages are read.
type Candidate struct {
	Order     int    `json:"order"` // from 1
	Rank      int    `json:"rank"`  // in the search
	URL       string `json:"url"`
	Title     string `json:"title"`
	ResultID  string `json:"result_id"`
	Selected  bool   `json:"selected"`  // it is read, or would be
	Rationale string `json:"rationale"` // why it stands here
}

// PipelineEntry is one page of a pipeline.
type PipelineEntry struct {
	SourceURL string `json:"source_url"`
	ResultID  string `json:"result_id"`
	// null when the page did not come; with an error it is a teaser
	WebContent *reading.ExtractResult `json:"web_content"`
	Error      *PageProblem           `json:"error"`
}

// PageProblem is why one page of several could not be had.
type PageProblem struct {
	Code      wstk.Code   `json:"code"`
	Message   string      `json:"message"`
	Steps     []wstk.Step `json:"-"`
	NextSteps []string    `json:"next_steps"` // Steps, in the words of the door that shows them
}

// BudgetReport says what a budget was used for.
type BudgetReport struct {
	LimitMS     *int64 `json:"limit_ms"`
	LimitTokens *int   `json:"limit_tokens"`
	UsedMS      int64  `json:"used_ms"`
	UsedTokens  int    `json:"used_tokens"`
	Exhausted   bool   `json:"exhausted"` // a page was cut, or not read, for lack of it
}

const (
	standardTopK = 5
	maxTopK      = 100
)

// CacheHit reports whether everything came from the cache.
func (r PipelineResult) CacheHit() bool {
	for _, d := range r.Documents {
		if d.WebContent == nil || !d.WebContent.CacheHit {
			return false
		}
	}
	return r.Search.CacheHit()
}

// Pipeline searches, picks and reads. A page that does not come is listed with the
// reason, and the next candidate takes its place. The error is that of the search, or,
// when no page came at all, that of the first.
func (s *Room) Pipeline(ctx context.Context, req PipelineRequest) (PipelineResult, error) {
	began := s.Now()
	out := PipelineResult{Plan: req.Plan, Candidates: []Candidate{}, Documents: []PipelineEntry{}}
	if err := s.complete(&req); err != nil {
		return out, err
	}
	report := &BudgetReport{}
	if req.Budget != (Budget{}) {
		out.Budget = report
	}
	ctx, cancel := req.Budget.start(ctx)
	defer cancel()
	var err error
	out.Search, err = s.Search(ctx, req.Search)
	out.UserQuery, out.Warnings = out.Search.Query, out.Search.Warnings
	if err != nil {
		if report.note(req.Budget, s.Now().Sub(began)); overTime(ctx) {
			report.Exhausted = true
			err = req.Budget.ended("the search")
		}
		return out, err
	}
	out.Candidates = candidates(out.Search.Query, out.Search.Results, req.Search.Prefer, req.TopK)
	if req.Plan {
		for i := range out.Candidates[:min(req.ExtractK, len(out.Candidates))] {
			out.Candidates[i].Selected = true
		}
		return out, nil
	}
	err = s.readCandidates(ctx, req, &out, report)
	report.note(req.Budget, s.Now().Sub(began))
	return out, err
}

// complete gives a request the defaults of what it leaves open, and checks its numbers.
func (s *Room) complete(req *PipelineRequest) error {
	if req.TopK == 0 {
		req.TopK = max(standardTopK, req.ExtractK)
	}
	if req.ExtractK == 0 {
		req.ExtractK = 1
	}
	if req.TopK < 1 || req.TopK > maxTopK || req.ExtractK < 1 || req.ExtractK > req.TopK {
		return wstk.Errorf(wstk.Invalid, "",
			"top_k must be from 1 to %d, and extract_k from 1 to top_k", maxTopK)
	}
	if req.Search.MaxResults == 0 {
		req.Search.MaxResults = max(req.TopK, s.Config.Search.MaxResults)
	}
	if req.Search.Order == nil {
		req.Search.Order = s.Config.Search.Pipeline
	}
	return nil
}

// readCandidates reads pages in their order until enough came or the budget is used up.
func (s *Room) readCandidates(
	ctx context.Context, req PipelineRequest, out *PipelineResult, report *BudgetReport,
) error {
	read, first := 0, error(nil)
	for i := range out.Candidates {
		c := &out.Candidates[i]
		if read == req.ExtractK {
			break
		}
		if overTime(ctx) || report.noTokensLeft(req.Budget) {
			report.Exhausted = true
			break
		}
		if req.Progress != nil {
			req.Progress(read, req.ExtractK, c.URL)
		}
		c.Selected = true
		page, err := s.readCandidate(ctx, c.URL, req, report.UsedTokens)
		if ctx.Err() != nil && !overTime(ctx) {
			return wstk.Wrap(wstk.Cancelled, "reading pages", context.Cause(ctx))
		}
		entry := PipelineEntry{SourceURL: c.URL, ResultID: c.ResultID}
		if page != nil {
			entry.WebContent = page
			report.UsedTokens += text.EstimateTokens(page.Extracted.Content())
		}
		if err != nil {
			first = cmp.Or(first, err)
			entry.Error = &PageProblem{Code: wstk.CodeOf(err), Message: err.Error(),
				Steps: wstk.StepsOf(err)}
			report.Exhausted = report.Exhausted || overTime(ctx)
		} else {
			read++
			out.Warnings = append(out.Warnings, page.Warnings...)
			report.Exhausted = report.Exhausted ||
				req.Budget.Tokens > 0 && page.Extracted.NextCursor != nil
		}
		out.Documents = append(out.Documents, entry)
	}
	switch {
	case read > 0:
		return nil
	case overTime(ctx):
		return req.Budget.ended("search and pages")
	}
	return wstk.Wrap(wstk.CodeOf(first), "no page could be read", first)
}

// readCandidate reads one page within what is left of the tokens. The error is why it could not
// be read; a page beside an error is a teaser, and nil means that there are no words at all.
func (s *Room) readCandidate(
	ctx context.Context, url string, req PipelineRequest, usedTokens int,
) (*reading.ExtractResult, error) {
	one := req.Extract
	one.Target = webAddress(url)
	if req.Budget.Tokens > 0 {
		// the same words twice are not worth the budget
		if one.Form == reading.FormBoth || one.Form == "" {
			one.Form = reading.FormMarkdown
		}
		left := req.Budget.Tokens - usedTokens
		if one.Limit.Tokens == 0 || one.Limit.Tokens > left {
			one.Limit.Tokens = left
		}
	}
	page, err := s.Extract(ctx, one)
	if err == nil {
		err = page.Problem()
	}
	if err == nil && page.Extracted == nil { // a redirect that was not to be followed
		err = wstk.Errorf(wstk.Empty, "", "%s: %s", page.URL, page.Reason)
	}
	if err != nil && (!page.Partial || page.Extracted == nil) {
		return nil, err
	}
	return &page, err
}

// errOverTime is why the context of a pipeline ended whose budget had no more time.
var errOverTime = errors.New("the time of the budget is used up")

// start returns a context that ends with the time of the budget, if it bounds the time.
func (b Budget) start(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, b.Time, errOverTime)
}

// overTime reports whether a context of Budget.start ended with the budget.
func overTime(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errOverTime) }

// noTokensLeft reports whether the tokens of a budget are used up.
func (r *BudgetReport) noTokensLeft(b Budget) bool {
	return b.Tokens > 0 && r.UsedTokens >= b.Tokens
}

// note fills in a budget and the time that was used.
func (r *BudgetReport) note(b Budget, used time.Duration) {
	r.UsedMS = used.Milliseconds()
	if b.Time > 0 {
		ms := b.Time.Milliseconds()
		r.LimitMS = &ms
	}
	if b.Tokens > 0 {
		r.LimitTokens = &b.Tokens
	}
}

// ended is the error of a pipeline whose time was up before a page was read.
func (b Budget) ended(work string) error {
	return wstk.Errorf(wstk.Timeout, "",
		"the time of the budget, %s, ended before a page was read: %s took all of it",
		b.Time, work).
		Try(wstk.Step{Do: wstk.DoOption, For: "give it more time",
			Options: []wstk.Option{wstk.OptBudget.Set("20000ms")}},
			wstk.Step{Do: wstk.DoRetry, For: "see what would be read",
				Options: []wstk.Option{wstk.OptPlan.On()},
				Without: []wstk.OptionName{wstk.OptBudget}})
}

// candidates orders results: those of preferred domains first, then as the search ranked
// them; of several addresses of one page the first stays.
func candidates(query string, results []wstk.SearchResult, prefer []string, topK int) []Candidate {
	words := terms(query)
	var out []Candidate
	seen := map[string]bool{}
	for i, r := range results {
		key := r.URL
		if canonical, err := text.Canonical(r.URL); err == nil {
			key = canonical
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		reasons := []string{fmt.Sprintf("rank %d of %s", i+1, r.SourceProvider)}
		reasons = append(reasons, r.MatchedRules...)
		if len(words) > 0 {
			found := 0
			in := terms(r.Title + " " + r.Snippet)
			for _, w := range words {
				if slices.Contains(in, w) {
					found++
				}
			}
			reasons = append(reasons,
				fmt.Sprintf("title and snippet hold %d of %d words of the query",
					found, len(words)))
		}
		out = append(out, Candidate{Rank: i + 1, URL: r.URL, Title: r.Title, ResultID: r.ResultID,
			Rationale: strings.Join(reasons, "; ")})
	}
	slices.SortStableFunc(out, func(a, b Candidate) int {
		return preference(results[b.Rank-1]) - preference(results[a.Rank-1])
	})
	out = out[:min(topK, len(out))]
	for i := range out {
		out[i].Order = i + 1
	}
	return out
}

// terms are the words of s that say what it is about, each once.
func terms(s string) []string {
	var out []string
	for _, t := range text.Tokenize(s, "") {
		if !t.Stop && !slices.Contains(out, t.Text) {
			out = append(out, t.Text)
		}
	}
	return out
}

func preference(r wstk.SearchResult) int {
	if slices.Contains(r.MatchedRules, "preferred_domain") {
		return 1
	}
	return 0
}
