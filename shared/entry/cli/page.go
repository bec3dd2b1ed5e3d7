package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"wstk/shared/app"
)

func (c *command) read() *cobra.Command {
	return &cobra.Command{
		Use: "read URL", Short: "Show a stored page: text, blocks, links, metadata",
		Long: "Shows what is stored of a page. It never asks the site: see fetch and extract for that.",
		Args: word("URL", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			doc, warnings, err := a.ReadPage(ctx, args[0])
			if err != nil {
				return reply{err: err}
			}
			return reply{data: doc, warnings: warnings,
				plain: func(w io.Writer) { fmt.Fprintln(w, doc.Text) },
				human: func(p *printer) {
					p.line(p.bold(oneLine(doc.Meta.Title, p.width)))
					p.line(p.dim(fmt.Sprintf("%s  text %s…  fetched %s", doc.URL, doc.TextSHA256[:12], doc.FetchedAt.UTC().Format("2006-01-02 15:04 MST"))))
					p.line()
					p.line(safe(doc.Text))
				},
			}
		}),
	}
}
