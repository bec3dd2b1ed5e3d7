package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wstk/shared/app"
	"wstk/shared/app/reading"
	"wstk/shared/stage/read"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// methods describes --method.
const methods = "http, browser, remote (a service fetches the page), or auto: a browser " +
	"where HTTP gives an empty shell"

// readFlags say how a page is read and how much of it is wanted.
type readFlags struct {
	strategy             string
	markdown, text, both bool
	limit                read.Limit
	cursor, baseURL      string
	includeHTML          bool
}

func (k *readFlags) add(f *pflag.FlagSet) {
	f.StringVar(&k.strategy, "strategy", "auto", "auto, readability (articles) or docs (keeps "+
		"headings, code and lists; the JSON then has extracted.doc)")
	f.BoolVar(&k.markdown, "markdown", false, "Markdown only")
	f.BoolVar(&k.text, "text", false, "plain text only")
	f.BoolVar(&k.both, "both", false, "Markdown and text (the default)")
	count(f, &k.limit.Chars, "max-chars", "", 0,
		"at most this many characters of each form; next_cursor continues there")
	count(f, &k.limit.Tokens, "max-tokens", "", 0,
		"at most about this many tokens of each form; next_cursor continues there")
	f.BoolVar(&k.includeHTML, "include-html", false,
		"put the page itself into the JSON, as raw_html")
}

// request is the app's, with what the flags say; an inconsistent one is Invalid.
func (k *readFlags) request(
	page reading.PageRequest, target string,
) (reading.ExtractRequest, error) {
	req := reading.ExtractRequest{Page: page, Target: target, Strategy: k.strategy,
		IncludeHTML: k.includeHTML, Limit: k.limit, Cursor: k.cursor, BaseURL: k.baseURL}
	switch {
	case !slices.Contains(read.Strategies, k.strategy):
		return req, wstk.Errorf(wstk.Invalid, "", "--strategy must be one of %s",
			strings.Join(read.Strategies, ", "))
	case k.both || k.markdown == k.text:
		req.Form = reading.FormBoth
	case k.markdown:
		req.Form = reading.FormMarkdown
	default:
		req.Form = reading.FormText
	}
	return req, nil
}

func (c *command) extract() *cobra.Command {
	var k requestFlags
	var r readFlags
	b := browserFlags{waitFor: wstk.NetworkIdle}
	cmd := &cobra.Command{
		Use:   "extract URL|FILE|-",
		Short: "Read one page: main content as Markdown and text, structured data",
		Long: `Reads a page from the web, a file, or standard input: HTML, PDF, feeds, plain text,
Markdown, JSON, or what fetch and render print with --json. The main content is given as
Markdown and as text; JSON output also has title, language, dates, links and structured
data, what the site says its content may be used for, and where the evidence is.

--method http (the default) runs no scripts; browser runs them; auto asks over HTTP and
opens a browser when the page turns out to be an empty shell; remote has the Firecrawl
endpoint at FIRECRAWL_BASE_URL fetch it, and fetched_by says so. --max-tokens cuts the
content where a block ends; give next_cursor to --cursor to read on.`,
		Example: `  wstk extract https://www.sqlite.org/wal.html
  wstk extract https://docs.example.org/api --strategy docs --json
  wstk extract https://app.example.org/ --method auto --max-tokens 2000
  wstk fetch https://example.org/ --plain | xargs -r wstk extract --text
  wstk extract paper.pdf --max-chars 20000`,
		Args: word("URL, FILE or -", 1, 1),
		RunE: c.onePage(func(ctx context.Context, a *app.App, args []string) reply {
			page, err := k.request(c)
			if err != nil {
				return reply{err: err}
			}
			page.ByRule = true
			if page.Render, err = b.options(); err != nil {
				return reply{err: err}
			}
			req, err := r.request(page, args[0])
			if err != nil {
				return reply{err: err}
			}
			if !text.IsURL(req.Target) {
				req.Given = func() (reading.Given, error) {
					return handedIn(a.Config, req.Target, c.env.Stdin)
				}
			}
			res, err := a.Looking.ExtractPage(ctx, req)
			if res.URL == "" && err != nil {
				return reply{err: err}
			}
			if err == nil {
				err = res.Problem()
			}
			if !c.json {
				res.Warnings = extractNotes(res)
			}
			res.NextSteps = worded(res.Steps)
			body := res.Extracted.Content()
			return reply{data: res, warnings: res.Warnings, err: err, cacheHit: res.CacheHit,
				providers: []string{string(res.FetchMethod)},
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
	f := cmd.Flags()
	f.String("method", "http", methods)
	r.add(f)
	f.StringVar(&r.cursor, "cursor", "",
		"continue where an earlier extract of the same page stopped: its next_cursor")
	f.StringVar(&r.baseURL, "base-url", "",
		"for a file or standard input: the web address that its links are relative to")
	k.add(f)
	byRule(f)
	b.add(f)
	return cmd
}

// extractNotes are the warnings of an extract whose output is the content alone: what is
// left out of the JSON does not matter there, and where to go on stands nowhere else.
func extractNotes(res reading.ExtractResult) []wstk.Warning {
	notes := slices.DeleteFunc(res.Warnings,
		func(w wstk.Warning) bool { return w.Code == "left_out" })
	if x := res.Extracted; x != nil && x.NextCursor != nil {
		notes = append(notes, wstk.Warning{Code: "cut", URL: res.URL,
			Message: "There is more; to continue, add --cursor " + *x.NextCursor + "."})
	}
	return notes
}
