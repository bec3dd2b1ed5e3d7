package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/app/reading"
	"wstk/shared/wstk"
)

func (c *command) read() *cobra.Command {
	var hash string
	cmd := &cobra.Command{
		Use: "read URL", Short: "Show a stored page: text, blocks, links, metadata",
		Long: `Shows what is stored of a page. It never asks the site: see fetch and extract for that.
With --text-sha256 it shows the version with this text, whatever the page says now. A quote
names its version in text_sha256.`,
		Example: "  wstk read https://www.sqlite.org/wal.html\n  wstk read --text-sha256 $(wstk " +
			"ask 'How many tables can be joined?' --json | " +
			"jq -r '.data.extractions[0].evidence[0].text_sha256')",
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("text-sha256") {
				if len(args) > 0 {
					return errors.New("give a URL or --text-sha256, not both")
				}
				return nil
			}
			return word("URL", 1, 1)(cmd, args)
		},
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			if len(args) == 0 {
				return storedPage(a.Looking.ReadVersion(ctx, wstk.Hash(hash)))
			}
			return storedPage(a.Looking.ReadPage(ctx, args[0]))
		}),
	}
	cmd.Flags().StringVar(&hash, "text-sha256", "",
		"instead of URL: the version whose text has this hash, text_sha256 of an evidence")
	return cmd
}

// storedPage is the reply for a page as it is stored.
func storedPage(doc reading.StoredPage, warnings []wstk.Warning, err error) reply {
	if err != nil {
		return reply{err: err}
	}
	return reply{data: doc, warnings: warnings,
		plain: func(w io.Writer) { fmt.Fprintln(w, doc.Text) },
		human: func(p *printer) {
			if doc.Meta.Title != "" {
				p.line(p.bold(oneLine(doc.Meta.Title, p.width)))
			}
			p.line(p.dim(fmt.Sprintf("%s  text %s…  fetched %s", doc.URL, doc.TextSHA256[:12],
				doc.FetchedAt.UTC().Format("2006-01-02 15:04 MST"))))
			p.line()
			p.line(safe(doc.Text))
		},
	}
}
