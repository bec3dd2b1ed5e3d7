package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

func (c *command) cache() *cobra.Command {
	var subs []*cobra.Command
	for _, sub := range []struct{ use, short string }{
		{"show", "Show what the cache holds"},
		{"prune", "Remove expired copies, then the least recently used until the size limit is met"},
		{"clear", "Remove everything, evidence in the cache too"},
	} {
		subs = append(subs, &cobra.Command{Use: sub.use, Short: sub.short, Args: cobra.NoArgs,
			RunE: c.runTransient(func(ctx context.Context, a *app.App, _ []string) reply {
				use, err := a.Looking.CacheWork(ctx, sub.use)
				if err != nil {
					return reply{err: err}
				}
				return reply{data: use,
					plain: func(w io.Writer) {
						fmt.Fprintf(w, "%d\t%d\t%d\t%s\n", use.Entries, use.Folders,
							use.Bytes, use.Dir)
					},
					human: func(p *printer) {
						p.linef("%s  %d copies, %d folders of evidence, %s", use.Dir, use.Entries,
							use.Folders, size(use.Bytes))
						if use.Removed > 0 {
							p.linef("removed %d, %s", use.Removed, size(use.Freed))
						}
					},
				}
			})})
	}
	return group(&cobra.Command{
		Use: "cache", Short: "Show, prune or clear the copies of pages and search replies",
		Long: `The cache holds copies of pages and search replies for --cache-ttl, and evidence of what
was seen. If it exceeds --cache-max-mb, the least recently used entries are removed. You may
delete it at any time. What sites, runs and proof refer to is in the data directory.`,
	}, subs...)
}

func (c *command) evidence() *cobra.Command {
	return group(&cobra.Command{
		Use: "evidence", Short: "List, check or export what one-page commands saw",
		Long: `fetch, render, extract and pipeline keep what they saw as evidence, in one folder for each
page: the body as it was received, the Markdown made of it, a screenshot if you asked for
one, and a manifest with the hash of each.`,
	}, c.evidenceList(), c.evidenceExport())
}

func (c *command) evidenceList() *cobra.Command {
	var url string
	var check bool
	cmd := &cobra.Command{
		Use: "list", Short: "List what was seen, newest first", Args: cobra.NoArgs,
		Example: "  wstk evidence list --url https://example.org/\n  wstk evidence list --check",
		RunE: c.runTransient(func(ctx context.Context, a *app.App, _ []string) reply {
			list, err := a.Looking.ListEvidence(ctx, url, check)
			if err != nil {
				return reply{err: err}
			}
			r := reply{data: evidenceList{list},
				plain: func(w io.Writer) {
					for _, e := range list {
						fmt.Fprintln(w, e.Dir)
					}
				},
				human: func(p *printer) {
					for _, e := range list {
						if e.URL != nil {
							p.linef("%s  %-8s %s", e.FetchedAt.Local().Format("2006-01-02 15:04"),
								*e.FetchMethod, safe(*e.URL))
						}
						p.line(p.dim("  " + e.Dir))
						if e.Problem != "" {
							p.line("  " + p.red(safe(e.Problem)))
						}
					}
				}}
			if len(list) == 0 {
				r.err = wstk.Errorf(wstk.Empty, "", "no evidence is kept").
					Try(wstk.Advices("wstk extract URL",
						"--evidence-dir DIR, if it is kept elsewhere")...)
			}
			for _, e := range list {
				if e.Problem != "" {
					r.err = wstk.Errorf(wstk.Conflict, "", "%s: %s", e.Dir, e.Problem)
					break
				}
			}
			return r
		}),
	}
	cmd.Flags().StringVar(&url, "url", "", "only evidence of this address")
	cmd.Flags().BoolVar(&check, "check", false,
		"hash every file again; exit 1 when one has changed")
	return cmd
}

func (c *command) evidenceExport() *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use:   "export FILE.warc.gz",
		Short: "Write evidence to a WARC file, for web archives and their tools",
		Long: `Writes a WARC 1.1 file with these records:

  response    pages that came over HTTP: status, stored headers, decoded body
  resource    pages of a browser, files, screenshots
  conversion  Markdown
  metadata    manifests

If the name ends in .gz, each record is compressed by itself, as readers of WARC expect.`,
		Example: "  wstk evidence export seen.warc.gz",
		Args:    word("FILE", 1, 1),
		RunE: c.runTransient(func(ctx context.Context, a *app.App, args []string) reply {
			if err := folderExists(args[0]); err != nil {
				return reply{err: err}
			}
			res, err := a.Looking.ExportEvidence(ctx, args[0], url)
			if err != nil {
				return reply{err: err}
			}
			return reply{data: res,
				plain: func(w io.Writer) { fmt.Fprintln(w, res.Path) },
				human: func(p *printer) {
					p.linef("%s: %s in %s", res.Path, text.Count(res.Pages, "page"),
						text.Count(res.Records, "record"))
				}}
		}),
	}
	cmd.Flags().StringVar(&url, "url", "", "only evidence of this address")
	return cmd
}

// size shows bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.0f kB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
