package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/config"
	"wstk/shared/entry/check"
	"wstk/shared/entry/said"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// answerTime bounds an answer that was given no time limit.
const answerTime = 5 * time.Minute

// noDepth is a depth that was not given: the settings say it.
const noDepth = math.MinInt

// answerFlags are those of the command answer.
type answerFlags struct {
	limits                   wstk.AnswerLimits
	depth                    int
	bundle, language, budget string
	lenient, proof           bool
}

func (c *command) answerPage() *cobra.Command {
	var k answerFlags
	cmd := &cobra.Command{
		Use: "answer URL QUESTION", Short: "Answer a question about a page and the pages it leads to",
		Long: `Reads the page at URL, and then as many of the pages that it leads to as the question
needs: it retrieves, looks at what it found, and reads the most promising links, until the
answer is there or nothing promises more. All pages of the site that are stored already
count, too. Each statement of the answer has a reference [n] to a section of a page, and
verbatim quotes with their place in the stored text; --proof shows these.

If no page answers, the exit code is 3, and up to three passages that come nearest to the
question are shown. They are not an answer.

The last lines say why it stopped. With --verbose, each turn says which rule decided.`,
		Example: `  wstk answer https://www.sqlite.org/wal.html "Does WAL mode work over a network filesystem?"
  wstk answer https://example.org/ "What are the opening hours in winter?" --max-pages 10
  wstk answer https://example.org/docs/ "How do I install it?" --json --budget 60s`,
		Args: cobra.ExactArgs(2),
		RunE: c.with(c.env.Open, answerTime, func(ctx context.Context, a *app.App, args []string) reply {
			r := c.answered(ctx, a, k, args[0], args[1])
			r.warnings = append(r.warnings, a.Looking.NotByRule(args[0])...)
			return r
		}),
	}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 2 {
			return nil
		}
		return fmt.Errorf("a URL and a QUESTION are needed, and %s given; put the question in quotes",
			text.Count(len(args), "argument"))
	}
	f := cmd.Flags()
	f.IntVar(&k.depth, "max-expansion-depth", noDepth,
		"turns in which more may be read or the question taken apart anew (default 3)")
	f.Lookup("max-expansion-depth").DefValue = "0" // the help names the default of the settings
	count(f, &k.limits.RetrievalContextBudget, "retrieval-context-budget", "", config.MaxContextBudget,
		"estimated tokens of passages that the answer may rest on (default 6000)")
	count(f, &k.limits.PagesPerTurn, "pages-per-turn", "", config.MaxPagesPerTurn,
		"links to follow in one turn (default 5)")
	count(f, &k.limits.MaxPages, "max-pages", "", config.MaxAnswerPages,
		"pages to read for this question at most (default 30)")
	f.String("decomposition-mode", "", "how the question is taken apart: llm, rule_based or none")
	f.StringVar(&k.bundle, "bundle", "", "also write result, texts and snapshots to this zip file")
	f.BoolVar(&k.proof, "proof", false,
		"show each quote with its offsets, its hash and a link to its place")
	f.BoolVar(&k.lenient, "no-strict", false, "keep statements without a quote in the answer, marked assumed")
	addModel(f, "that proposes what to quote")
	f.StringVar(&k.language, "output-language", "",
		"language of the answer, such as de; only a model translates, and the quotes stay as "+
			"they are")
	f.StringVar(&k.budget, "budget", "",
		"time of the answer, and tokens that models read and write for it, such as 30s, 20000tok "+
			"or both with a comma (default: no bound)")
	f.String("method", "http", "how pages are fetched: http, browser, or auto: a browser where "+
		"HTTP gives an empty shell")
	f.Int64("max-bytes", 5<<20, "the largest page to take, decoded")
	f.String("browser", "", "path of the browser (or WSTK_BROWSER; default: the first one found)")
	return cmd
}

// query is what the flags ask; the time is the limit of the answer.
func (k answerFlags) query(url, question string) (q wstk.AnswerQuery, limit time.Duration, err error) {
	bounds, err := budgetOf(k.budget)
	if err == nil && bounds.Tokens > 0 {
		err = check.InRange("the tokens of --budget", bounds.Tokens, 1, check.MaxTokens)
	}
	if err == nil && k.depth != noDepth {
		err = check.InRange("--max-expansion-depth", k.depth, 0, config.MaxExpansionDepth)
	}
	q = wstk.AnswerQuery{URL: url, Question: question, Strict: !k.lenient,
		OutputLanguage: k.language, MaxTokens: bounds.Tokens, AnswerLimits: k.limits}
	if k.depth != noDepth {
		q.MaxExpansionDepth = &k.depth
	}
	return q, bounds.Time, err
}

func (c *command) answered(
	ctx context.Context, a *app.App, k answerFlags, url, question string,
) reply {
	q, limit, err := k.query(url, question)
	if err == nil {
		err = c.writable(k.bundle)
	}
	if err != nil {
		return reply{err: err}
	}
	q.Fresh = a.Config.Cache.Fresh
	line := c.status()
	x, err := a.Answering.FollowAnswer(ctx, q, answering.Following{Limit: limit,
		Tell: func(e answering.Event) { c.tellTurn(line, e) }})
	line.done()
	res := x.AnswerResult
	r := reply{warnings: res.Warnings, err: err, usage: res.Usage,
		plain: func(w io.Writer) { plainAnswer(w, res.AskResult) },
		human: func(p *printer) { humanAnswerPage(p, res, k.proof || c.verbose) }}
	if err == nil || len(res.Extractions) > 0 {
		r.data = res
	}
	proves := res.HasAnswer() || len(res.Passages) > 0
	if err == nil && k.bundle != "" && proves {
		r.err = c.writeBundle(ctx, a, k.bundle, res, res.AskResult)
	}
	if r.err != nil || res.HasAnswer() {
		return r
	}
	if k.bundle != "" && !proves {
		r.warnings = append(r.warnings, noBundle(k.bundle))
	}
	next := answering.AfterNo(res)
	for _, g := range res.Gaps {
		next = append(next, wstk.Advice("wstk gap "+quoteArg(g.Query)+" --crawl"))
	}
	r.err = wstk.Errorf(wstk.Empty, "", "no page that was read answers this").Try(next...)
	return r
}

// tellTurn shows how far an answer is, and with --verbose what each turn decided.
func (c *command) tellTurn(line *statusLine, e answering.Event) {
	switch event := e.Data.(type) {
	case answering.Progress:
		line.show("%s", said.Progress(event))
	case wstk.Turn:
		if !c.verbose {
			return
		}
		line.done()
		fmt.Fprintln(c.stderr(), said.Turn(event))
	}
}

// referenceMarks are those of the references of quotes, each once.
func referenceMarks(refs []wstk.Reference) func(wstk.Extraction, []int) []string {
	return func(x wstk.Extraction, quotes []int) (out []string) {
		for _, n := range quotes {
			if n < 0 || n >= len(x.Evidence) {
				continue
			}
			for _, r := range refs {
				m := fmt.Sprintf("[%d]", r.N)
				if slices.Contains(r.EvidenceIDs, x.Evidence[n].ID) && !slices.Contains(out, m) {
					out = append(out, m)
				}
			}
		}
		return out
	}
}

// humanAnswerPage shows what is said, then its references with their quotes, then why the reading
// stopped.
func humanAnswerPage(p *printer, res wstk.AnswerResult, proof bool) {
	var pages cited
	for i, x := range res.Extractions {
		pages.add(x)
		if len(x.Statements) == 0 {
			continue
		}
		if i > 0 {
			p.line()
		}
		showParagraphs(p, paragraphsOf(x, referenceMarks(res.References)))
		showConflicts(p, x)
		p.line("  " + p.bold(x.Grounded()))
	}
	if len(res.References) > 0 {
		p.line()
	}
	for _, ref := range res.References {
		showReference(p, ref, res.Extractions, &pages, proof)
	}
	s := &shownAnswer{proof: proof}
	s.end(p, res.AskResult)
	if res.Stopped.Rule != "" {
		p.line(p.dim(wrap(fmt.Sprintf("%s read in %s. Stopped: %s (%s)", text.Count(res.PagesRead,
			"page"), text.Count(len(res.Turns), "turn"), res.Stopped.Reason, res.Stopped.Rule),
			"  ", p.width)))
	}
}

// showReference shows a reference and those of its quotes that no statement repeats; with proof
// all of them, with their places.
func showReference(
	p *printer, ref wstk.Reference, xs []wstk.Extraction, pages *cited, proof bool,
) {
	mark := fmt.Sprintf("  [%d] ", ref.N)
	name := oneLine(strings.Join(append([]string{ref.Title}, ref.SectionPath...), " › "), shownName)
	link := ref.URL
	var quotes []wstk.Evidence
	for _, x := range xs {
		for _, e := range x.Evidence {
			if slices.Contains(ref.EvidenceIDs, e.ID) {
				quotes = append(quotes, e)
			}
		}
	}
	if len(quotes) > 0 && quotes[0].Link != "" {
		link = quotes[0].Link
	}
	p.line(wrap(strings.Trim(name, " ›"), mark, p.width))
	p.line(strings.Repeat(" ", len(mark)) + p.cyan(safe(link)))
	for n, e := range quotes {
		if proof {
			showEvidence(p, n+1, e)
		} else if q := pages.rest(e); q != "" {
			p.line(wrap(q, "      ", p.width))
		}
	}
}
