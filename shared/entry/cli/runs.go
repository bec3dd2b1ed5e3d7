package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/searching"
	"wstk/shared/entry/said"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

func (c *command) runs() *cobra.Command {
	return group(&cobra.Command{
		Use: "runs", Short: "Ask all search providers at once, and store what each returned",
	}, c.runsCreate(), c.runsShow(), c.runsList(), c.runsAffected(), c.runsRemove())
}

func (c *command) runsCreate() *cobra.Command {
	var provider, language string
	var most int
	cmd := &cobra.Command{
		Use: "create QUERY", Short: "Search with every provider at once and store what they found",
		Long: `Rewrites QUERY into a template, asks all configured providers at the same time, merges what
they found, and stores all of it. QUERY may contain dates such as "last week", site:,
languages, countries, quoted phrases and OR. The same query uses the same template again,
with the dates of that day. The confidence of an address is the number of providers that
found it.

One provider that fails does not stop the others: provider_outcomes gives the outcome of
each. When all fail, the exit code is 1. With --plain it prints the addresses, one a line.`,
		Example: `  wstk runs create "EU AI regulation updates in the last week" -n 10
  wstk runs create '"heat pump" OR "Wärmepumpe" site:.de' --language de
  wstk runs create "sqlite wal mode" --provider index --json`,
		Args: word("QUERY", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			run, err := a.Searching.CreateRun(ctx,
				searching.RunRequest{Query: args[0], Provider: provider,
					Options: wstk.SearchRunOptions{Lang: language, MaxResults: most}})
			if err != nil {
				return reply{err: err}
			}
			return shownRun(run)
		}),
	}
	cmd.Flags().IntVarP(&most, "max-results", "n", 0, "at most this many results of each "+
		"provider, up to 100 (default: the number that QUERY asks for, else 10)")
	cmd.Flags().StringVar(&language, "language", "",
		"language of the pages, two letters such as de")
	cmd.Flags().StringVar(&provider, "provider", "",
		"ask only this provider: an id of wstk providers (default: all of search.cascade_order)")
	addModel(cmd.Flags(), "that rewrites")
	return cmd
}

func (c *command) runsShow() *cobra.Command {
	var raw, proof bool
	cmd := &cobra.Command{
		Use: "show ID", Short: "Show a stored search run, or an answer",
		Long: `Shows what a run asked, the outcome of each provider, and the addresses they found. Of an
answer it shows what wstk ask or wstk answer showed, or as much of it as was done.`,
		Example: "  wstk runs show run_01k9z3v5w2m8q4t6y7x1c0b9na\n  wstk runs show " +
			"run_01k9z3v5w2m8q4t6y7x1c0b9na --raw --json",
		Args: word("ID", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			id := wstk.RunID(args[0])
			run, err := a.Searching.GetRun(ctx, id, raw)
			if wstk.CodeOf(err) == wstk.NotFound && id.Valid() {
				if x, other := a.Answering.Extraction(ctx, id); other == nil {
					return storedAnswer(x.Run, x, x.AskResult, x.Warnings, func(p *printer) {
						humanAnswer(p, x.AskResult, proof || c.verbose)
					})
				}
				if x, other := a.Answering.Answer(ctx, id); other == nil {
					return storedAnswer(x.Run, x, x.AskResult, x.Warnings, func(p *printer) {
						humanAnswerPage(p, x.AnswerResult, proof || c.verbose)
					})
				}
			}
			if wstk.CodeOf(err) == wstk.NotFound {
				err = wstk.Errorf(wstk.NotFound, "",
					"no search run and no answer has the id %q", args[0]).
					Try(wstk.Advice("wstk runs list"))
			}
			if err != nil {
				return reply{err: err}
			}
			return shownRun(run)
		}),
	}
	cmd.Flags().BoolVar(&raw, "raw", false,
		"also what each provider returned, row by row, as raw in the JSON")
	cmd.Flags().BoolVar(&proof, "proof", false,
		"show each quote of an answer with its offsets, its hash and a link to its place")
	return cmd
}

// storedAnswer is the reply for an answer that was given, or as much of it as was done; human
// shows what it says.
func storedAnswer(
	run wstk.Run, data any, x wstk.AskResult, warnings []wstk.Warning, human func(*printer),
) reply {
	return reply{data: data, warnings: warnings, usage: x.Usage,
		plain: func(w io.Writer) { plainAnswer(w, x) },
		human: func(p *printer) {
			p.linef("%s  %s  %s", p.bold(string(run.ID)), run.State,
				p.dim(run.StartedAt.Local().Format(time.DateTime)))
			p.line("  " + oneLine(run.Query, 2000))
			for _, why := range run.Reasons {
				p.line("  " + p.yellow(oneLine(why, 400)))
			}
			p.line()
			human(p)
		},
	}
}

// shownRun is the reply for one run.
func shownRun(run searching.Run) reply {
	return reply{data: run, warnings: run.Warnings, providers: asked(run.Outcomes),
		usage: run.Config.Usage,
		plain: func(w io.Writer) {
			for _, u := range run.URLs {
				fmt.Fprintln(w, oneLine(u.URL, 8000))
			}
		},
		human: func(p *printer) { humanRun(p, run) },
	}
}

func humanRun(p *printer, run searching.Run) {
	p.linef("%s  %s", p.bold(string(run.ID)), p.dim(run.Timestamp.Local().Format(time.DateTime)))
	p.line("  " + oneLine(run.Rewritten, 8000))
	p.line()
	for _, u := range run.URLs {
		p.linef("%2d  %s", u.Confidence, p.green(oneLine(u.URL, 8000)))
		if u.Title != nil {
			p.line("    " + oneLine(*u.Title, p.width-4))
		}
		p.line(p.dim("    " + strings.Join(u.Providers, ", ")))
	}
	if len(run.URLs) > 0 {
		p.line()
	}
	for _, o := range run.Outcomes {
		about := string(o.Status)
		switch {
		case o.Status == wstk.ProviderOK:
			about = fmt.Sprintf("%d results in %d ms", o.Results, o.DurationMS)
		case o.Message != "":
			about += ": " + o.Message
		}
		p.linef("%-18s %s", o.Provider, oneLine(about, p.width-19))
	}
	p.line()
	p.line(p.dim(fmt.Sprintf("%d addresses of %d results", run.Meta.Unique, sum(run.Meta.Counts))))
	if used := said.Usage(run.Config.Usage); used != "" {
		by := wstk.ModelInfo{Provider: run.Config.Rewrite.Engine, Model: run.Config.Rewrite.Model}
		p.line(p.dim(fmt.Sprintf("rewritten by %s:%s: %s", oneLine(by.Provider, 60),
			oneLine(by.Model, 120), used)))
	}
}

func sum(counts map[string]int) (n int) {
	for _, k := range counts {
		n += k
	}
	return n
}

// runList is a page of the list of search runs and answers.
type runList struct {
	Runs []searching.ListedRun `json:"runs"`
	Next string                `json:"next_cursor"` // "" at the end
}

func (c *command) runsList() *cobra.Command {
	var kind, query, from, to, cursor string
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List stored search runs and answers, newest first",
		Long: `Lists the stored search runs and answers. The flags choose a kind, a query or a time.`,
		Example: "  wstk runs list --from 2026-11-01 --limit 20\n  wstk runs list --query \"sqlite " +
			"wal mode\" --plain",
		Args: cobra.NoArgs,
		RunE: c.run(func(ctx context.Context, a *app.App, _ []string) reply {
			var at [2]time.Time
			for i, t := range []struct{ name, value string }{{"from", from}, {"to", to}} {
				if t.value == "" {
					continue
				}
				var err error
				if at[i], err = text.ParseDate(t.value); err != nil {
					return reply{err: wstk.Errorf(wstk.Invalid, "", "--%s: %w", t.name, err)}
				}
			}
			if k := wstk.RunKind(kind); kind != "" && k != wstk.RunSearch && !k.Cites() {
				return reply{err: wstk.Errorf(wstk.Invalid, "",
					"--kind must be search, extraction or answer")}
			}
			list, next, err := a.Searching.ListRuns(ctx, wstk.RunKind(kind), query, at[0],
				at[1], cursor, limit)
			if err != nil {
				return reply{err: err}
			}
			return reply{data: runList{list, next},
				plain: func(w io.Writer) {
					for _, r := range list {
						fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", r.ID, r.Timestamp.Format(time.RFC3339),
							r.Meta.Unique, oneLine(r.Query, 2000))
					}
				},
				human: func(p *printer) {
					for _, r := range list {
						p.linef("%s  %s  %-10s  %s", r.ID, p.dim(r.Timestamp.Local().
							Format(time.DateTime)), r.Kind, oneLine(r.Query, max(20, p.width-66)))
					}
					if len(list) == 0 {
						p.line("there are none")
					}
					if next != "" {
						p.line(p.dim("more: wstk runs list --cursor " + next))
					}
				},
			}
		}),
	}
	f := cmd.Flags()
	f.StringVar(&kind, "kind", "",
		"only runs of this kind: search, extraction (of wstk ask) or answer (of wstk answer)")
	f.StringVar(&query, "query", "", "only runs with this query")
	f.StringVar(&from, "from", "",
		"only runs at or after this day or time (2026-01-31, or RFC 3339)")
	f.StringVar(&to, "to", "", "only runs before this day or time")
	limit = 100
	count(f, &limit, "limit", "", 0, "at most this many")
	f.StringVar(&cursor, "cursor", "", "continue where the last list ended: its next_cursor")
	return cmd
}

func (c *command) runsRemove() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "remove ID", Short: "Remove a search run or an answer permanently",
		Long: `Removes a search run, or an extraction, that has ended: its record, what it returned, and
the evidence that no other run cites. Pages, their texts and bodies belong to sites and
stay. The reply names what stays because another run refers to it. A removal cannot be
undone, so nothing happens without --yes.`,
		Example: "  wstk runs remove run_01k9z3v5w2m8q4t6y7x1c0b9na --yes",
		Args:    word("ID", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			run, err := a.Answering.RunToRemove(ctx, wstk.RunID(args[0]))
			if err == nil && !yes {
				return reply{err: wstk.Errorf(wstk.Invalid, "",
					"nothing was removed: removing %s (%s) cannot be undone; add --yes to confirm",
					run.ID, oneLine(run.Query, 200)).
					Try(wstk.Advice("wstk runs remove " + string(run.ID) + " --yes"))}
			}
			var out answering.Removed
			if err == nil {
				out, err = a.Answering.RemoveRun(ctx, run.ID)
			}
			if wstk.CodeOf(err) == wstk.NotFound {
				err = wstk.Errorf(wstk.NotFound, "", "%w", err).Try(wstk.Advice("wstk runs list"))
			}
			if err != nil {
				return reply{err: err}
			}
			return reply{data: out,
				plain: func(w io.Writer) { fmt.Fprintln(w, out.Run) },
				human: func(p *printer) {
					p.linef("removed %s, with %s", out.Run, text.Count(out.Evidence, "quote"))
					if n := len(out.EvidenceKept); n > 0 {
						p.linef("what other runs cite stays, %s: cited by %s",
							text.Count(n, "quote"), few(out.KeptBy))
					}
				},
			}
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "remove it; without this nothing happens")
	return cmd
}
