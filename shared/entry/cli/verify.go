package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"wstk/shared/app/answering"
	"wstk/shared/config"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

func (c *command) verify() *cobra.Command {
	return &cobra.Command{
		Use: "verify FILE", Short: "Check quotes and statements of a saved result again, offline",
		Long: `FILE is a bundle, or the saved JSON of any command that returned evidence, or - for
standard input. No site is asked. The stored bytes come from the bundle, or, for saved JSON,
from the data directory. verify checks that

- each quote is at its offsets in the text whose hash it names;
- the record of a fetch has the address and time of the page, and reading the fetched bytes
  again gives the same text;
- each statement marked direct is in a quote that it cites, and the answer's content is made
  of its statements;
- the rules of this version give the same grade, conflicts and roles of the sources.

NOT CHECKED lists what could not be checked in this file. "never checked" lists what no
file can show: whether the addresses of a bundle sent its bytes (origin), and whether a
source that says otherwise was left out (completeness).

A newer version of wstk may read another text from a page than the version that answered.
verify then looks for the quotes in the new text. It marks those that it finds there with
NOT READ AGAIN.

The exit code is 0 if every quote verified and no check failed. Statements that the file
itself marks as inferred or assumed do not change that: no program can decide whether they
follow from the quotes. It is 1, with the error code conflict, if a check fails; 3 if the
file holds no evidence, or if a quote is marked NOT READ AGAIN; 2 if the file is ambiguous,
for example has a JSON key twice.`,
		Example: "  wstk verify proof.zip\n  wstk ask 'How many tables can be joined?' --json > " +
			"answer.json\n  wstk verify answer.json",
		Args: word("FILE", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.bare(cmd, usualTime, func(
				ctx context.Context, cfg config.Config, err error,
			) reply {
				if err != nil {
					return reply{err: err}
				}
				// the stores are not opened: they may be damaged, or another user's
				if isBundle(args[0]) {
					return c.verifyBundle(ctx, args[0])
				}
				a, err := c.env.Open(ctx, cfg, c.logger(cfg))
				if err != nil {
					return reply{err: err}
				}
				defer a.Close()
				data, err := savedResult(args[0], c.env.Stdin)
				if err != nil {
					return reply{err: anotherFile(err)}
				}
				rep, err := a.Answering.VerifySaved(ctx, data)
				return verified(args[0], rep, err)
			})
		},
	}
}

func (c *command) verifyBundle(ctx context.Context, path string) reply {
	b, err := c.env.OpenBundle(ctx, path)
	if err != nil {
		return reply{err: anotherFile(err)}
	}
	defer b.Close()
	rep, err := answering.VerifyBundle(ctx, b, c.env.Reader())
	return verified(path, rep, err)
}

// verified is what verify has to say of a file.
func verified(name string, rep answering.VerifyReport, err error) reply {
	if err != nil {
		return reply{err: anotherFile(err)}
	}
	rep.File = name
	r := reply{data: rep,
		plain: func(w io.Writer) {
			for _, k := range rep.Checks {
				fmt.Fprintf(w, "%s\t%t\t%s\n", oneLine(k.ID, 100), k.OK, oneLine(k.Reason, 1000))
			}
			for _, s := range rep.Statements {
				if s.OK != nil || s.Reason != "" {
					fmt.Fprintf(w, "%s\t%s\t%s\n", s.Part, yesNo(s.OK), oneLine(s.Reason, 1000))
				}
			}
			for _, g := range rep.Grades {
				fmt.Fprintf(w, "grade\t%s\t%s\n", yesNo(g.OK), oneLine(gradeWords(g), 1000))
			}
			for _, u := range rep.Unchecked {
				fmt.Fprintf(w, "%s\tunchecked\t%s\n", u.What, oneLine(u.Reason, 1000))
			}
		},
		human: func(p *printer) { humanReport(p, rep) },
	}
	problems := rep.Problems()
	switch {
	case len(problems) > 0:
		e := wstk.Errorf(wstk.Conflict, "", "%d of %d checks did not verify: %s", len(problems),
			len(rep.Checks)+len(rep.Statements), list(problems))
		if rep.Failed > 0 && rep.Against == "store" {
			e = e.Try(wstk.Advice("if a page is not stored here, the site may have been removed: " +
				"verify a bundle of the answer (wstk ask QUERY --bundle FILE)"))
		}
		r.err = e
	case len(rep.Checks) == 0:
		r.err = wstk.Errorf(wstk.Empty, "", "%s holds no evidence", name)
	case rep.ReadAnew > 0:
		r.err = wstk.Errorf(wstk.Empty, "", "no check of %s failed, but %s of %d not verified in "+
			"the text that the file names: this version reads another text from the page, and "+
			"finds the words in it", name, text.Count(rep.ReadAnew, "quote"), len(rep.Checks)).
			Try(wstk.Advice("ask again, which quotes the pages as this version reads them"))
	}
	return r
}

// anotherFile says what verify takes, where a file is none of that.
func anotherFile(err error) error {
	if wstk.CodeOf(err) != wstk.Invalid || len(wstk.StepsOf(err)) > 0 {
		return err
	}
	return wstk.Errorf(wstk.Invalid, "", "%w", err).
		Try(wstk.Advice("name a bundle or the saved JSON of a command"))
}

func yesNo(ok *bool) string {
	if ok == nil {
		return "unchecked"
	}
	return fmt.Sprint(*ok)
}

// gradeWords says what a file claims of its grounding, beside what the rules say.
func gradeWords(g answering.CheckedGrade) string {
	words := func(g wstk.Grade) string { return strings.ReplaceAll(string(g), "_", " ") }
	out := "the file says " + words(g.Claimed)
	switch {
	case g.Today == "":
		out += ", and this version cannot tell"
	case g.Counted != "":
		out += ", this version's rules say " + words(g.Today) + " (" + g.Counted + ")"
	default:
		out += ", this version's rules say " + words(g.Today)
	}
	return out
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

func humanReport(p *printer, rep answering.VerifyReport) {
	mark := func(ok bool, head, words, reason string) {
		if ok {
			p.linef("%s %s  “%s”", p.green("ok    "), head, oneLine(words, 60))
		} else {
			p.linef("%s %s  %s: “%s”", p.red("FAILED"), head, safe(reason), oneLine(words, 60))
		}
	}
	open := func(head, words, reason string) {
		if reason != "" {
			head += "  " + safe(reason)
		}
		p.linef("%s %s: “%s”", p.yellow("?     "), head, oneLine(words, 60))
	}
	p.linef("%d of %d quotes verified against %s", rep.Verified, len(rep.Checks), rep.Against)
	for _, k := range rep.Checks {
		if k.OK && k.Anew {
			open(oneLine(k.ID, 40), k.Words, k.Reason)
		} else {
			mark(k.OK, oneLine(k.ID, 40), k.Words, k.Reason)
		}
	}
	for _, s := range rep.Statements {
		if s.OK != nil {
			mark(*s.OK, s.Part, s.Words, s.Reason)
		} else {
			open(s.Part, s.Words, s.Reason)
		}
	}
	if rep.ReadAnew > 0 {
		p.line(p.yellow(wrap(fmt.Sprintf("%d of the quotes NOT READ AGAIN: another version of the "+
			"reader made their text; this version reads another text from the page, but finds "+
			"their words in it",
			rep.ReadAnew), "", p.width)))
	}
	for _, g := range rep.Grades {
		line := "grade: " + gradeWords(g)
		if g.OK == nil {
			line = p.yellow("grade, NOT CHECKED: ") + gradeWords(g)
		}
		p.line(wrap(line, "", p.width))
	}
	for _, u := range rep.Unchecked {
		what := u.What
		if u.Count > 0 {
			what += fmt.Sprintf(" (%d)", u.Count)
		}
		if u.Always {
			p.line(wrap(what+": "+u.Reason, "never checked: ", p.width))
		} else {
			p.line(p.yellow(wrap(what+": "+u.Reason, "NOT CHECKED: ", p.width)))
			for _, reason := range u.Also {
				p.line(p.yellow(wrap(u.What+": "+reason, "NOT CHECKED: ", p.width)))
			}
		}
	}
}
