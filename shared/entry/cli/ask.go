package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/searching"
	"wstk/shared/entry/check"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// maxPassages is the most passages that a command takes, as over HTTP.
const maxPassages = 1000

// filterFlags narrow a question to a part of the index.
type filterFlags struct {
	include, exclude []string
	minDate          string
	limit            int
}

func (k *filterFlags) add(f *pflag.FlagSet) {
	f.StringSliceVar(&k.include, "include-site", nil,
		"only these sites: an id, a host or the beginning of a URL (repeatable)")
	f.StringSliceVar(&k.exclude, "exclude-site", nil, "not these sites (repeatable)")
	f.StringVar(&k.minDate, "min-date", "",
		"only pages fetched at or after this date (2026-01-31 or RFC 3339)")
	count(f, &k.limit, "limit", "", maxPassages,
		"at most this many passages, up to 1000 (default 50)")
}

func (k *filterFlags) filter() (wstk.Filter, error) {
	f := wstk.Filter{IncludeSites: k.include, ExcludeSites: k.exclude}
	if k.minDate != "" {
		t, err := text.ParseDate(k.minDate)
		if err != nil {
			return f, wstk.Errorf(wstk.Invalid, "", "--min-date: %w", err)
		}
		f.MinDate = t
	}
	return f, nil
}

func (c *command) ask() *cobra.Command {
	var k filterFlags
	var from, hints []string
	var bundle, language, budget string
	var lenient, proof bool
	cmd := &cobra.Command{
		Use: "ask QUERY", Short: "Answer from the ingested pages, with quotes that verify",
		Long: `Answers a question from ingested pages. With --from it uses only these URLs, and fetches
those that are not stored yet (with --fresh, all of them). Each statement carries verbatim
quotes with their place in the stored text; --proof shows them. What no quote supports is
not part of the answer: it is listed below it. If no page answers the question, the exit
code is 3, and up to three passages that come nearest to the question are shown. They are
not an answer.

Parts of an answer are printed as they are done, except with --json. Ctrl-C stops the work,
models included; what was done is printed, and wstk runs show ID shows it again.

Without a model, rules choose what to quote. With --model, a model proposes, and the same
checks decide: what it says without a quote that is on a page is listed as unsupported. Its
key comes from a variable of the vendor, such as OPENAI_API_KEY; wstk doctor says whether it
is set. If the tokens of --budget do not suffice, no further call is made, and a warning says
so.`,
		Example: `  wstk ask "What is the maximum size of a database?"
  wstk ask "phone and opening hours" --from https://example.org/contact --hint phone --hint "opening hours"
  wstk ask "How many tables can be joined?" --proof
  wstk ask "list all courses" --model openai:gpt-4.1-mini --budget 20000tok,60s
  wstk ask "Can WAL mode be used over a network filesystem?" --bundle proof.zip`,
		Args: word("QUERY", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			filter, err := k.filter()
			if err != nil {
				return reply{err: err}
			}
			if err := c.writable(bundle); err != nil {
				return reply{err: err}
			}
			bounds, err := budgetOf(budget)
			if err == nil && bounds.Tokens > 0 {
				err = check.InRange("the tokens of --budget", bounds.Tokens, 1, check.MaxTokens)
			}
			if err != nil {
				return reply{err: err}
			}
			shown := c.asking(proof)
			x, err := a.Answering.Follow(ctx, wstk.AskQuery{Query: args[0], From: from,
				Filter: filter, Hints: hints, Limit: k.limit, Strict: !lenient,
				OutputLanguage: language, MaxTokens: bounds.Tokens},
				answering.Following{Tell: shown.tell, Limit: bounds.Time})
			shown.line.done()
			res := x.AskResult
			r := reply{warnings: slices.Concat(res.Warnings, a.Looking.NotByRule(from...)), err: err,
				usage: res.Usage,
				human: func(p *printer) { shown.show.end(p, res) }}
			if err == nil || len(res.Extractions) > 0 {
				r.data = res
			}
			if err != nil {
				return r
			}
			proves := res.HasAnswer() || len(res.Passages) > 0
			if bundle != "" && proves {
				if r.err = c.writeBundle(ctx, a, bundle, res, res); r.err != nil {
					return r
				}
			}
			if !res.HasAnswer() {
				if bundle != "" && !proves {
					r.warnings = append(r.warnings, noBundle(bundle))
				}
				next := []string{"ask with other words, or look with: wstk recall " +
					quoteArg(args[0])}
				which := "no stored page answers this"
				if len(from) > 0 {
					which = "none of these pages answers this"
					next = []string{"ask with other words, or name other pages with --from",
						"read what the page says: wstk read " + quoteArg(from[0])}
				}
				for _, g := range res.Gaps {
					next = append(next, "wstk gap "+quoteArg(g.Query))
				}
				r.err = wstk.Errorf(wstk.Empty, "", "%s", which).Try(wstk.Advices(next...)...)
				if len(from) == 0 {
					nothingFound(ctx, a, filter, &r)
				}
			}
			return r
		}),
	}
	f := cmd.Flags()
	f.StringSliceVar(&from, "from", nil, "only these URLs (repeatable)")
	f.StringSliceVar(&hints, "hint", nil, "a field to look for, such as price (repeatable)")
	f.StringVar(&bundle, "bundle", "", "also write result, texts and snapshots to this zip file")
	f.BoolVar(&proof, "proof", false,
		"show each quote with its offsets, its hash and a link to its place")
	f.BoolVar(&lenient, "no-strict", false, "keep statements without a quote in the answer, marked assumed")
	addModel(f, "that proposes what to quote")
	f.StringVar(&language, "output-language", "",
		"language of the answer, such as de; only a model translates, and the quotes stay as "+
			"they are")
	f.StringVar(&budget, "budget", "",
		"time of the answer, and tokens that models read and write for it, such as 30s, 20000tok "+
			"or both with a comma (default: no bound)")
	k.add(f)
	f.String("method", "http", "how pages of --from are fetched: "+methods)
	f.Int64("max-bytes", 5<<20, "the largest page of --from to take, in bytes, decoded")
	f.String("browser", "", "path of the browser (or WSTK_BROWSER; default: the first one found)")
	return cmd
}

// addModel adds the flag that names a model.
func addModel(f *pflag.FlagSet, what string) {
	f.String("model", "", "PROVIDER:NAME of the model "+what+
		", such as openai:gpt-4.1-mini (default: the setting model.model or WSTK_MODEL, else rules)")
}

// budgetOf reads --budget; "" bounds nothing.
func budgetOf(words string) (searching.Budget, error) {
	if words == "" {
		return searching.Budget{}, nil
	}
	return searching.ParseBudget(words)
}

// unchanged says of a file that exists that it was not touched; "" if there is none.
func unchanged(path string) string {
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return " The file " + path + " was not changed."
}

// writable reports why no bundle can be written to a path; "" is none to write.
func (c *command) writable(bundle string) error {
	if bundle == "-" {
		return wstk.Errorf(wstk.Invalid, "", "--bundle writes to a file, not to standard output").
			Try(wstk.Advice("name a file, such as --bundle proof.zip"))
	}
	return folderExists(bundle)
}

// noBundle is the warning that there is nothing to prove.
func noBundle(path string) wstk.Warning {
	return wstk.Warning{Code: "no_bundle", Message: "No bundle was written: there is neither an " +
		"answer nor a passage to prove." + unchanged(path)}
}

// writeBundle writes the bundle of an answer, and says so on standard error. whole is the result
// with the answer in it.
func (c *command) writeBundle(
	ctx context.Context, a *app.App, path string, whole any, res wstk.AskResult,
) error {
	var result bytes.Buffer
	if err := writeJSON(&result, whole, true); err != nil {
		return err
	}
	if err := a.Answering.WriteBundle(ctx, path, result.Bytes()); err != nil {
		return err
	}
	if c.json || c.quiet {
		return nil
	}
	quotes, pages := 0, map[string]bool{}
	for _, x := range res.Extractions {
		quotes += len(x.Evidence)
		for _, e := range x.Evidence {
			pages[e.URL] = true
		}
	}
	for _, p := range res.Passages {
		pages[p.Evidence.URL] = true
	}
	what := text.Count(quotes, "quote")
	if n := len(res.Passages); n > 0 {
		what = "no answer, but the nearest " + text.Count(n, "passage")
	}
	fmt.Fprintf(c.stderr(), "wrote %s (%s, %s)\n", path, what, text.Count(len(pages), "page"))
	return nil
}

// nothingFound puts why nothing could be found in place of the reply's error, which would
// only say that nothing was, and of the warning that says the same.
func nothingFound(ctx context.Context, a *app.App, f wstk.Filter, r *reply) {
	if why := a.Answering.WhyNothing(ctx, f); why != nil {
		r.err = why
		r.warnings = slices.DeleteFunc(r.warnings, func(w wstk.Warning) bool {
			return w.Code == answering.WarnNothingStored || w.Code == answering.WarnUnknownSite
		})
	}
}

// quoteArg quotes a word for a shell.
func quoteArg(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (c *command) recall() *cobra.Command {
	var k filterFlags
	cmd := &cobra.Command{
		Use: "recall QUERY", Short: "Rank stored passages for a query, with the reason for each rank",
		Long: `Ranks stored passages by the words of QUERY, and by its meaning where an embedder is set up.
It asks no site and answers nothing: wstk ask does. The exit code is 3 if no passage fits.`,
		Example: `  wstk recall "maximum size of a database"
  wstk recall "opening hours" --include-site example.org --limit 5`,
		Args: word("QUERY", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			filter, err := k.filter()
			if err != nil {
				return reply{err: err}
			}
			res, err := a.Answering.Recall(ctx,
				answering.RecallRequest{Query: args[0], Filter: filter, Limit: k.limit})
			return hits(ctx, a, filter, res, err, "wstk site list")
		}),
	}
	k.add(cmd.Flags())
	return cmd
}

func (c *command) gap() *cobra.Command {
	var k filterFlags
	var g gapFlags
	cmd := &cobra.Command{
		Use: "gap GAPQUERY", Short: "Find passages on what an answer lacks",
		Long: "Finds stored passages that contain the words of GAPQUERY; rare words weigh most. An\n" +
			"answer lists what it lacks as `gaps`, each with a `query`: give one as GAPQUERY.\n\n" +
			"With --crawl it first crawls links that no crawl has followed. It orders the links of\n" +
			"the stored pages by how well their words and paths fit GAPQUERY, reads the best ones,\n" +
			"and then searches. It does so once.",
		Example: "  wstk gap \"maximum attached databases\"\n  wstk gap \"opening hours\" --crawl --site https://example.org/",
		Args:    word("GAPQUERY", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			filter, err := k.filter()
			if err != nil {
				return reply{err: err}
			}
			if g.crawl {
				return c.crawlGap(ctx, a, args[0], k, g, filter)
			}
			if g.site != "" || g.maxPages != 0 {
				return reply{err: wstk.Errorf(wstk.Invalid, "",
					"--site and --max-pages say what --crawl reads: add --crawl")}
			}
			res, err := a.Answering.Gap(ctx,
				answering.RecallRequest{Query: args[0], Filter: filter, Limit: k.limit})
			return hits(ctx, a, filter, res, err,
				"read links that fit: wstk gap "+quoteArg(args[0])+" --crawl")
		}),
	}
	k.add(cmd.Flags())
	g.add(cmd.Flags())
	return cmd
}

func hits(
	ctx context.Context, a *app.App, f wstk.Filter, res answering.RecallResult,
	err error, next string,
) reply {
	if err != nil {
		return reply{err: err, usage: res.Usage}
	}
	r := reply{data: res, warnings: res.Warnings, usage: res.Usage,
		plain: func(w io.Writer) {
			for _, h := range res.Hits {
				fmt.Fprintln(w, h.URL)
			}
		},
		human: func(p *printer) {
			for _, h := range res.Hits {
				p.linef("%2d  %s  %s", h.Rank, p.bold(oneLine(h.Title, 70)),
					p.dim(fmt.Sprintf("%.2f", h.Score)))
				if len(h.SectionPath) > 0 {
					p.line("    " + p.dim(path(h.SectionPath)))
				}
				p.line(wrap(oneLine(h.Text, 280)+flagged(h.Flags)+teaser(h.Partial),
					"    ", p.width))
				p.line("    " + p.cyan(safe(h.Link)))
				p.line("    " + p.dim(oneLine(h.Why, 160)))
			}
		},
	}
	if len(res.Hits) == 0 {
		r.err = wstk.Errorf(wstk.Empty, "", "no stored passage matches").Try(wstk.Advice(next))
		nothingFound(ctx, a, f, &r)
	}
	return r
}
