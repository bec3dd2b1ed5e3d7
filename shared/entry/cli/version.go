package cli

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"context"

	"wstk/shared/app"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

func (c *command) version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.ran = true
			c.json = c.json || c.pretty
			v := programInfo{Version: c.env.Version, Go: runtime.Version(),
				Platform: runtime.GOOS + "/" + runtime.GOARCH}
			c.code = c.write(cmd.Context(), "version", reply{data: v,
				plain: func(w io.Writer) { fmt.Fprintln(w, c.env.Version) },
				human: func(p *printer) {
					p.linef("wstk %s (%s, %s)", v.Version, v.Go, v.Platform)
				},
			}, time.Now())
			return nil
		},
	}
}

func (c *command) doctor() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check that everything works, and say how to repair what does not",
		Long: `Looks at the configuration, the data directory, the database, the stored blobs, the
search providers, the browser and the models, and reports for each whether it works, and how
to repair it if not. Of each operation of a language model it names the model, whether its
key is set, and its prompt; of an embedder, how many stored pages lack vectors. It changes
nothing, and sends no request to a site or to a model. The exit code is 1 if something is
wrong.`,
		Example: "  wstk doctor\n  WSTK_MODEL=openai:gpt-4.1-mini wstk doctor",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			// A broken store is what doctor is for, so it is opened by the check itself.
			return c.bare(cmd, usualTime, c.checked)
		},
	}
}

// checked is what doctor has to say of a configuration, or of what was wrong with it.
func (c *command) checked(ctx context.Context, cfg config.Config, err error) reply {
	var checks []app.Check
	if err != nil {
		checks = append(checks, app.Check{Name: "configuration", Detail: err.Error(),
			Steps: wstk.StepsOf(err)})
	} else {
		opening := func(open opener) func(context.Context) (*app.App, error) {
			return func(ctx context.Context) (*app.App, error) {
				return open(ctx, cfg, c.logger(cfg))
			}
		}
		checks = app.Doctor(ctx, cfg, opening(c.env.Open), opening(c.env.OpenTransient))
	}
	for i, k := range checks {
		checks[i].Next = worded(k.Steps)
	}
	r := reply{data: checkList{checks}, err: err}
	for _, k := range checks {
		if !k.OK && err == nil {
			r.err = wstk.Errorf(wstk.Internal, "", "%s: %s", k.Name, k.Detail).Try(k.Steps...)
			break
		}
	}
	r.plain = func(w io.Writer) {
		for _, k := range checks {
			fmt.Fprintf(w, "%s\t%t\t%s\n", k.Name, k.OK, k.Detail)
		}
	}
	r.human = func(p *printer) {
		for _, k := range checks {
			mark := p.green("ok      ")
			if !k.OK {
				mark = p.red("problem ")
			}
			p.linef("%s %-16s %s", mark, k.Name, safe(k.Detail))
			if k.OK { // what a fault asks for stands with the error
				for _, next := range k.Next {
					p.line(p.dim("         try: " + safe(next)))
				}
			}
		}
	}
	return r
}
