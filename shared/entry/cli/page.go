package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/wstk"
)

func (c *command) fetch() *cobra.Command {
	var headers []string
	var noFollow bool
	cmd := &cobra.Command{
		Use: "fetch URL", Short: "Fetch one page over HTTP: verdict, headers, and where its body is",
		Long: `Asks for one page, without JavaScript, and stores what came back. A wall (exit 4), an
empty shell (exit 5) and a missing page (exit 3) are told apart from a page.`,
		Args: word("URL", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			h, err := parseHeaders(headers)
			if err != nil {
				return reply{err: err}
			}
			res, err := a.FetchPage(ctx, app.FetchRequest{URL: args[0], Header: h, NoFollow: noFollow})
			if err != nil {
				return reply{err: err}
			}
			return reply{data: res, warnings: res.Warnings, err: res.Problem(),
				plain: func(w io.Writer) {
					if res.Body != nil {
						fmt.Fprintln(w, res.Body.Path)
					}
				},
				human: func(p *printer) { humanFetch(p, res) },
			}
		}),
	}
	cmd.Flags().StringArrayVar(&headers, "header", nil, "an extra header, 'Name: value' (repeatable; credentials are refused)")
	cmd.Flags().BoolVar(&noFollow, "no-follow-redirects", false, "show a redirect instead of following it")
	return cmd
}

func parseHeaders(list []string) (http.Header, error) {
	h := http.Header{}
	for _, s := range list {
		name, value, ok := strings.Cut(s, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, wstk.Errorf(wstk.Invalid, "", "--header wants 'Name: value'")
		}
		h.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return h, nil
}

func humanFetch(p *printer, res app.FetchResult) {
	mark := p.green(string(res.Verdict))
	if res.Verdict.Code() != "" {
		mark = p.red(string(res.Verdict))
	}
	line := mark
	if res.Reason != "" {
		line += "  " + safe(res.Reason)
	}
	p.line(line)
	if res.HTTP.Status != nil {
		p.linef("  status   %d  %s", *res.HTTP.Status, safe(res.HTTP.FinalURL))
	}
	for _, r := range res.HTTP.Redirects {
		p.linef("  via      %d  %s", r.Status, safe(r.URL))
	}
	for _, k := range sortedNames(res.HTTP.Headers) {
		p.linef("  %s: %s", k, oneLine(res.HTTP.Headers[k], 120))
	}
	if res.Body != nil {
		p.linef("  body     %d bytes, sha256 %s…", res.Body.Bytes, res.Body.SHA256[:12])
		p.linef("           %s", res.Body.Path)
	}
}

func (c *command) extract() *cobra.Command {
	var markdown, text bool
	cmd := &cobra.Command{
		Use: "extract URL|FILE|-", Short: "Read one page: main content as text and Markdown, structured data",
		Long: `Reads a page from the web, a file, or standard input. The main content is given as
Markdown and as text; JSON output also has structured data, language and metadata.`,
		Args: word("URL, FILE or -", 1, 1),
		RunE: c.run(func(ctx context.Context, a *app.App, args []string) reply {
			res, err := a.ExtractPage(ctx, args[0], c.env.Stdin)
			if err != nil {
				return reply{err: err}
			}
			body := ""
			switch {
			case res.Extracted == nil:
			case text && !markdown:
				body = res.Extracted.Text
			default:
				body = res.Extracted.Markdown
			}
			return reply{data: res, warnings: res.Warnings, err: res.Problem(),
				plain: func(w io.Writer) {
					if body != "" {
						fmt.Fprintln(w, strings.TrimRight(body, "\n"))
					}
				},
				human: func(p *printer) {
					if body != "" {
						p.line(safe(strings.TrimRight(body, "\n")))
					}
				},
			}
		}),
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print Markdown (the default)")
	cmd.Flags().BoolVar(&text, "text", false, "print plain text")
	return cmd
}

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

func sortedNames(m map[string]string) []string {
	names := make([]string, 0, len(m))
	for k := range m {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}
