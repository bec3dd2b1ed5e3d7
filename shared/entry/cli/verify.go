package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/wstk"
)

func (c *command) verify() *cobra.Command {
	file := c.run(func(ctx context.Context, a *app.App, args []string) reply {
		rep, err := a.VerifyFile(ctx, args[0], c.env.Stdin)
		return verified(args[0], rep, err)
	})
	return &cobra.Command{
		Use: "verify FILE", Short: "Check quotes and statements of a saved result again, offline",
		Long: `FILE is a bundle, or the saved JSON of any command that returned evidence, or - for
standard input. Each quote is looked for at its offsets in the stored bytes whose hash
it names: in the bundle itself, else in the data directory. Each direct statement must
stand in a quote that it cites, and the content must be what the statements make. No
site is asked; a bundle needs no data directory.

What cannot be checked is listed. A result in which something does not stand ends with
exit code 1 and the code conflict; one that holds no evidence with 3. A bundle is held
against what it holds itself: whoever can write a whole bundle can make up its pages.`,
		Example: "  wstk ask 'What is the default page size?' --json > answer.json\n  wstk verify answer.json",
		Args:    word("FILE", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !app.IsBundle(args[0]) {
				return file(cmd, args)
			}
			// The stores are not opened: they may be damaged, or somebody else's.
			c.ran = true
			c.json = c.json || c.pretty
			started := time.Now()
			c.code = c.write(cmd.Context(), "verify", c.verifyBundle(cmd.Context(), args[0]), started)
			return nil
		},
	}
}

func (c *command) verifyBundle(ctx context.Context, path string) reply {
	b, err := c.env.OpenBundle(path)
	if err != nil {
		return reply{err: err}
	}
	defer b.Close()
	rep, err := app.VerifyBundle(ctx, b)
	return verified(path, rep, err)
}

// verified is what verify has to say of a file.
func verified(name string, rep app.VerifyReport, err error) reply {
	if err != nil {
		return reply{err: err}
	}
	rep.File = name
	r := reply{data: rep,
		plain: func(w io.Writer) {
			for _, k := range rep.Checks {
				fmt.Fprintf(w, "%s\t%t\t%s\n", k.ID, k.OK, k.Reason)
			}
			for _, s := range rep.Statements {
				if s.OK != nil {
					fmt.Fprintf(w, "%s\t%t\t%s\n", s.Part, *s.OK, s.Reason)
				}
			}
			for _, u := range rep.Unchecked {
				fmt.Fprintf(w, "%s\tunchecked\t%s\n", u.What, u.Reason)
			}
		},
		human: func(p *printer) { humanReport(p, rep) },
	}
	problems := rep.Problems()
	switch {
	case len(problems) > 0:
		r.err = wstk.Errorf(wstk.Conflict, "", "%d of %d checks did not verify: %s", len(problems), len(rep.Checks)+len(rep.Statements), list(problems))
	case len(rep.Checks) == 0:
		r.err = wstk.Errorf(wstk.Empty, "", "%s holds no evidence", name)
	}
	return r
}

// list names the first few problems.
func list(problems []string) string {
	const most = 10
	out := ""
	for i, what := range problems {
		if i == most {
			return out + fmt.Sprintf("; and %d more", len(problems)-most)
		}
		if i > 0 {
			out += "; "
		}
		out += safe(what)
	}
	return out
}

func humanReport(p *printer, rep app.VerifyReport) {
	mark := func(ok bool, head, words, reason string) {
		if ok {
			p.linef("%s %s  “%s”", p.green("ok    "), head, oneLine(words, 60))
		} else {
			p.linef("%s %s  %s: “%s”", p.red("FAILED"), head, safe(reason), oneLine(words, 60))
		}
	}
	for _, k := range rep.Checks {
		mark(k.OK, oneLine(k.ID, 40), k.Words, k.Reason)
	}
	for _, s := range rep.Statements {
		if s.OK != nil {
			mark(*s.OK, s.Part, s.Words, s.Reason)
		} else {
			p.linef("%s %s  “%s”", p.yellow("?     "), s.Part, oneLine(s.Words, 60))
		}
	}
	p.linef("%d of %d quotes verified against %s", rep.Verified, len(rep.Checks), rep.Against)
	for _, u := range rep.Unchecked {
		what := u.What
		if u.Count > 0 {
			what += fmt.Sprintf(" (%d)", u.Count)
		}
		p.line(wrap(what+": "+u.Reason, "not checked: ", p.width))
	}
}
