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
	"wstk/shared/entry/step"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// lookedAtOnce is how many answers one call looks at.
const lookedAtOnce = 50

func (c *command) runsAffected() *cobra.Command {
	var all bool
	var cursor string
	limit := 20
	cmd := &cobra.Command{
		Use: "affected [SITE|URL]", Short: "List answers whose pages say something else now",
		Long: `Looks for the quotes of stored answers in the newest stored version of their pages, newest
answer first, and lists the answers of which a quote is altered or gone. It asks no site:
refresh the site first. SITE is an id or the root of a site; with URL only quotes of that
page count.

  intact     the same words at the same place
  moved      the same words, at another place of the page or in another section
  altered    other words stand in their place, or they are struck out now
  gone       neither the words nor others in their place, or the page is gone
  unchecked  it cannot be said; the reason is named

An answer that is not listed may still be wrong: a page that it does not quote may say
something new. With --plain it prints the id of the run, the state, the address and the
quoted words of each quote that is not intact.`,
		Example: "  wstk site refresh https://www.sqlite.org/\n  wstk runs affected " +
			"https://www.sqlite.org/\n  wstk runs affected https://www.sqlite.org/wal.html --all",
		Args: cobra.MaximumNArgs(1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			q := answering.AffectedQuery{Of: strings.Join(args, ""), All: all, Cursor: cursor,
				Limit: min(limit, lookedAtOnce)}
			found, err := affected(ctx, a, q, limit)
			if err != nil {
				return reply{err: err}
			}
			return reply{data: found,
				plain: func(w io.Writer) { plainAffected(w, found) },
				human: func(p *printer) { humanAffected(p, found) },
			}
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&all, "all", false,
		"also answers whose quotes all stand, moved or cannot be checked")
	count(f, &limit, "limit", "", 0, "at most this many answers")
	f.StringVar(&cursor, "cursor", "", "continue where the last list ended: its next_cursor")
	return cmd
}

// affected asks for pages of answers until limit of them are found, or all were looked at.
func affected(
	ctx context.Context, a *app.App, q answering.AffectedQuery, limit int,
) (answering.Affected, error) {
	all := answering.Affected{Answers: []answering.AffectedAnswer{}}
	for {
		some, err := a.Answering.Affected(ctx, q)
		if err != nil {
			return all, err
		}
		all.Answers, all.Looked = append(all.Answers, some.Answers...), all.Looked+some.Looked
		all.Quotes.Add(some.Quotes)
		if all.Next, q.Cursor = some.Next, some.Next; q.Cursor == "" {
			return all, nil
		}
		if q.Limit = min(limit-len(all.Answers), lookedAtOnce); q.Limit <= 0 {
			return all, nil
		}
	}
}

func plainAffected(w io.Writer, found answering.Affected) {
	for _, x := range found.Answers {
		for _, r := range x.Changed {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", x.Run, r.State, oneLine(r.URL, 8000),
				oneLine(r.Was, 2000))
		}
	}
}

func humanAffected(p *printer, found answering.Affected) {
	for _, x := range found.Answers {
		p.linef("%s  %s  %s", p.bold(string(x.Run)), p.dim(x.StartedAt.Local().
			Format(time.DateTime)), oneLine(x.Query, max(20, p.width-54)))
		for _, r := range x.Changed {
			humanRelocation(p, r)
		}
		p.line("  " + p.dim(step.Shell(x.Again())))
		p.line()
	}
	if len(found.Answers) == 0 {
		p.line("no answer is touched by a change")
	}
	p.line(p.dim(fmt.Sprintf("looked at %s: %s", text.Count(found.Looked, "answer"),
		countedQuotes(found.Quotes))))
	if found.Next != "" {
		p.line(p.dim("more: the same command with --cursor " + found.Next))
	}
}

// countedQuotes says how many quotes there are of each kind.
func countedQuotes(n wstk.RelocationCounts) string {
	var out []string
	for _, k := range []struct {
		n    int
		what wstk.RelocationState
	}{{n.Intact, wstk.RelocationIntact}, {n.Moved, wstk.RelocationMoved},
		{n.Altered, wstk.RelocationAltered}, {n.Gone, wstk.RelocationGone},
		{n.Unchecked, wstk.RelocationUnchecked}} {
		if k.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", k.n, k.what))
		}
	}
	if out == nil {
		return "no quotes"
	}
	return "quotes: " + strings.Join(out, ", ")
}

// humanRelocation shows what became of a quote: its words, and those in their place.
func humanRelocation(p *printer, r wstk.Relocation) {
	state := string(r.State)
	if r.Touched() {
		state = p.yellow(state)
	}
	p.linef("  %s  %s", state, oneLine(r.URL, 8000))
	p.line("    - " + oneLine(r.Was, 2000))
	switch {
	case r.Now == nil || r.State == wstk.RelocationUnchecked:
		p.line("    " + p.dim(relocationReason[r.Reason]))
	case r.State == wstk.RelocationMoved:
		if path := strings.Join(r.Now.SectionPath, " › "); path != "" {
			p.line("    now in " + oneLine(path, 400))
		}
		p.line("    " + p.dim(oneLine(r.Now.Link, 8000)))
	default:
		p.line("    + " + oneLine(r.Now.Words, 2000))
		if why := relocationReason[r.Reason]; why != "" {
			p.line("    " + p.dim(why+withFlags(r.Now.Flags)))
		}
	}
}

func withFlags(flags []wstk.Flag) string {
	if len(flags) == 0 {
		return ""
	}
	out := make([]string, len(flags))
	for i, f := range flags {
		out[i] = string(f)
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// relocationReason is what a reader is told of a reason.
var relocationReason = map[wstk.RelocationReason]string{
	wstk.ReasonSentence:   "the words stand, in a sentence or row that reads differently",
	wstk.ReasonMarks:      "only marks or white space differ",
	wstk.ReasonFlags:      "the same words, marked otherwise",
	wstk.ReasonNotInText:  "no sentence takes their place",
	wstk.ReasonHidden:     "the page hides them now",
	wstk.ReasonNotInData:  "no value takes its place",
	wstk.ReasonPageGone:   "the page is gone",
	wstk.ReasonNoCopy:     "nothing is stored of the page",
	wstk.ReasonNotFetched: "the newest request brought no text",
	wstk.ReasonTeaser:     "only the beginning of the page is stored",
	wstk.ReasonNoText:     "the stored text cannot be read",
	wstk.ReasonReader:     "another version of the reader read the page, and it cannot be read again",
	wstk.ReasonSeveral:    "several values may be in its place",
}
