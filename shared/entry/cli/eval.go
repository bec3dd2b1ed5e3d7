package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/app/reading"
	"wstk/shared/app/searching"
	"wstk/shared/stage/evaluate"
	"wstk/shared/wstk"
)

func (c *command) eval() *cobra.Command {
	var s searchFlags
	var req searching.EvaluateRequest
	var asked contenders
	var suite, failOn, before string
	read := true
	cmd := &cobra.Command{
		Use:   "eval --suite FILE",
		Short: "Measure providers, models and prompts on a suite of queries and questions",
		Long: `Runs a suite of queries with each --provider and reports figures with 95 % intervals:

  search   hit@k, MRR, the share of expected URLs found, latency
  pages    rates of success, of blocked pages and of pages that need a browser; words,
           boilerplate, and whether code was kept
  overlap  how many results the providers have in common

For each case one page is read: its first expected URL, else the first result of an
expected domain, else the first result. --compare says what changed since an earlier run,
and whether the change is larger than chance.

Cases of kind ask are questions: each --model, with each --prompts, answers them from stored
pages. Reported are right answers (the expected words stand in quotes), right first
statements, honest refusals, quotes that were found again, unsupported claims, tokens, calls,
time and, with --price, cost. Later models are compared with the first.

A suite is a file of JSON lines, a JSON array, or {"cases": [...]}. A case has a query,
and may have id, expected_urls, expected_domains, expected_answers and k. A question has
"kind": "ask", and may have id, urls or site, expected_answers or "no_answer": true. Replies and
pages that are younger than --cache-ttl come from the cache. So a second run uses no
network; with --fresh everything is asked again.`,
		Example: `  wstk eval --suite suite.jsonl --provider brave_api --provider ddgs --k 10
  wstk eval --suite suite.jsonl --no-extract --fail-on miss_or_error
  wstk eval --suite suite.jsonl --json > today.json
  wstk eval --suite suite.jsonl --compare last-week.json
  wstk eval --suite questions.jsonl --model rules --model openai:gpt-4.1-mini --price openai:gpt-4.1-mini=0.4,1.6
  wstk eval --suite questions.jsonl --model openai:gpt-4.1-mini --prompts built-in --prompts ./prompts`,
		Args: cobra.NoArgs,
	}
	cmd.RunE = c.with(c.env.OpenTransient, noLimit, func(
		ctx context.Context, a *app.App, _ []string,
	) reply {
		policy := evaluate.FailOn(failOn)
		switch policy {
		case evaluate.FailNever, evaluate.FailError, evaluate.FailMiss,
			evaluate.FailMissOrError:
		default:
			return reply{err: wstk.Errorf(wstk.Invalid, "",
				"--fail-on must be none, error, miss or miss_or_error")}
		}
		cases, err := c.suite(suite)
		if err != nil {
			return reply{err: err}
		}
		req.Cases, req.Search = cases, s.request(c, "")
		asked.settings = given(cmd.Flags())
		if before != "" {
			data, err := os.ReadFile(before)
			if err != nil {
				return reply{err: wstk.Errorf(wstk.Invalid,
					"reading the earlier run", "%w", err)}
			}
			if req.Before, err = searching.ParseEvaluation(before, data); err != nil {
				return reply{err: err}
			}
		}
		if read {
			req.Extract = &reading.ExtractRequest{Page: reading.PageRequest{
				Render: reading.RenderOptions{WaitFor: wstk.NetworkIdle}}}
		}
		line := c.status()
		defer line.done()
		req.Progress = func(done, all int) { line.show("%d/%d", done, all) }
		res, err := a.Searching.Evaluate(ctx, req)
		if err == nil {
			res.Answers, err = c.evalAnswers(ctx, asked, req, line)
		}
		line.done()
		if err != nil {
			return reply{err: err}
		}
		providers := make([]string, len(res.Providers))
		for i, p := range res.Providers {
			providers[i] = p.Provider
		}
		r := reply{data: res, warnings: res.Warnings, providers: providers,
			usage: answersUsage(res.Answers),
			plain: func(w io.Writer) { plainEvaluation(w, res) },
			human: func(p *printer) { humanEvaluation(p, res) },
		}
		misses, errors := policy.Failed(res.Providers)
		wrong, failed := policy.FailedAnswers(res.Answers)
		switch misses, errors := misses+wrong, errors+failed; {
		case errors > 0:
			r.err = wstk.Errorf(wstk.ProvidersFailed, "", "%d cases could not be measured",
				errors).Try(wstk.Advice("--fail-on none or miss"))
		case misses > 0:
			r.err = wstk.Errorf(wstk.Conflict, "", "in %d cases what was expected was "+
				"not found", misses).Try(wstk.Advice("--fail-on none or error"))
		}
		return r
	})
	f := cmd.Flags()
	f.StringVar(&suite, "suite", "", "file with the cases, or - for standard input")
	f.StringSliceVar(&req.Providers, "provider", nil,
		"provider to measure (repeatable; default auto)")
	req.K = 10
	count(f, &req.K, "k", "k", 100, "how many results count; a case may say otherwise")
	f.StringVar(&failOn, "fail-on", "error",
		"what makes the exit code 1: none, error, miss or miss_or_error")
	f.BoolVar(&req.IncludeResults, "include-results", false,
		"the result items of each case, in the JSON")
	f.StringVar(&before, "compare", "", "the JSON of an earlier run, to compare with")
	negatable(f, &read, "extract", "also read the page of each case; --no-extract only searches")
	f.String("method", "http", "how pages are read: "+methods)
	asked.add(f)
	s.add(f)
	return cmd
}

// maxSuite bounds the file of a suite, in bytes.
const maxSuite = 64 << 20

func (c *command) suite(path string) ([]evaluate.Case, error) {
	if path == "" {
		return nil, wstk.Errorf(wstk.Invalid, "", "--suite FILE is missing").
			Try(wstk.Advice("wstk eval --help"))
	}
	in := c.env.Stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, wstk.Errorf(wstk.Invalid, "", "--suite: %w", err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxSuite))
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, "", "--suite: %w", err)
	}
	return evaluate.ParseSuite(data)
}

// evaluationRow is one figure in each of the forms of output.
type evaluationRow struct {
	name   string
	figure evaluate.Figure
	share  bool // shown as a percentage
}

func evaluationRows(r evaluate.ProviderReport) []evaluationRow {
	rows := []evaluationRow{
		{"hit_at_k", r.Search.HitAtK, true}, {"mrr", r.Search.MRR, false},
		{"url_overlap", r.Search.URLOverlap, true},
		{"expected_domain_present", r.Search.ExpectedDomain, true},
		{"search_ms_median", r.Search.LatencyMS, false},
	}
	if f := r.Fetch; f != nil {
		rows = append(rows, []evaluationRow{{"fetch_success", f.Success, true},
			{"fetch_blocked", f.Blocked, true},
			{"fetch_needs_render", f.NeedsRender, true},
			{"fetch_ms_median", f.LatencyMS, false}}...)
	}
	if x := r.Extract; x != nil {
		rows = append(rows, []evaluationRow{{"extract_non_empty", x.NonEmpty, true},
			{"extract_words_median", x.Words, false},
			{"extract_boilerplate", x.Boilerplate, true}, {"extract_code_kept", x.CodeKept, true},
			{"extract_answers_found", x.Answers, true}}...)
	}
	return rows
}

func plainEvaluation(w io.Writer, res searching.Evaluation) {
	for _, r := range res.Providers {
		// A count is as sure as can be: both ends of its interval are itself.
		fmt.Fprintf(w, "%s\terrors\t%[2]d\t%[2]d\t%[2]d\t%d\n", r.Provider,
			r.Search.Errors, res.Cases)
		for _, row := range evaluationRows(r) {
			plainRow(w, r.Provider, row)
		}
	}
	plainAnswers(w, res.Answers)
}

// plainRow is a figure as a line.
func plainRow(w io.Writer, of string, row evaluationRow) {
	if row.figure.Value != nil {
		fmt.Fprintf(w, "%s\t%s\t%.4g\t%.4g\t%.4g\t%d\n", of, row.name,
			*row.figure.Value, *row.figure.Low, *row.figure.High, row.figure.N)
	}
}

// humanRows shows figures, without those that could not be measured.
func humanRows(p *printer, rows []evaluationRow) {
	for _, row := range rows {
		if row.figure.Value != nil {
			p.linef("  %-24s %s", strings.ReplaceAll(row.name, "_", " "), interval(row))
		}
	}
}

func humanEvaluation(p *printer, res searching.Evaluation) {
	if len(res.Providers) > 0 {
		p.linef("%d cases, k = %d", res.Cases, res.K)
	}
	for _, r := range res.Providers {
		p.line()
		line := p.bold(r.Provider)
		if n := r.Search.Errors; n > 0 {
			line += "  " + p.red(fmt.Sprintf("%d failed", n))
		}
		if n := r.Search.Empty; n > 0 {
			line += fmt.Sprintf("  %d without results", n)
		}
		p.line(line)
		humanRows(p, evaluationRows(r))
	}
	humanAnswers(p, res.Answers)
	for _, o := range res.Overlap {
		if o.Jaccard.Value != nil {
			p.linef("\n%s and %s share %.0f %% of their results", o.Providers[0], o.Providers[1],
				100**o.Jaccard.Value)
		}
	}
	for _, v := range res.Versus {
		humanDifference(p, v.Provider+" against "+v.Against, v.Difference)
	}
	for _, d := range res.Changes {
		humanDifference(p, d.Provider+" since the earlier run", d)
	}
}

func humanDifference(p *printer, title string, d evaluate.Difference) {
	p.line()
	p.line(p.bold(title))
	for _, x := range d.Changes {
		verdict := "within chance"
		if x.Real {
			verdict = "more than chance"
		}
		p.linef("  %-24s %+.3f  (%.3f to %.3f, %s)", strings.ReplaceAll(x.Metric, "_", " "),
			*x.Delta, *x.Low, *x.High, verdict)
	}
	if len(d.Gained)+len(d.Lost) > 0 {
		p.line(wrap(fmt.Sprintf("gained: %s; lost: %s", orNone(d.Gained), orNone(d.Lost)),
			"  ", p.width))
	}
}

func interval(row evaluationRow) string {
	f := row.figure
	if row.share {
		return fmt.Sprintf("%5.1f %%  (%.1f to %.1f, n = %d)", 100**f.Value,
			100**f.Low, 100**f.High, f.N)
	}
	return fmt.Sprintf("%7.4g  (%.4g to %.4g, n = %d)", *f.Value, *f.Low, *f.High, f.N)
}

func orNone(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	return strings.Join(ids, ", ")
}
