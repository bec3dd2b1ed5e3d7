package cli

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wstk/shared/app"
	"wstk/shared/app/searching"
	"wstk/shared/wstk"
)

// searchFlags say what to search for.
type searchFlags struct {
	provider, timeRange, language string
	site                          []string
	includeRaw                    bool
}

func (k *searchFlags) add(f *pflag.FlagSet) {
	f.StringVar(&k.timeRange, "time-range", "",
		"from the last d(ay), w(eek), m(onth), y(ear), or DAY..DAY such as 2026-01-31..2026-02-28")
	f.String("region", "", "COUNTRY-LANGUAGE, such as us-en or de-de; wt-wt for none "+
		"(default: none)")
	f.StringVar(&k.language, "language", "",
		"language of the pages, such as de (default: that of the region)")
	f.String("safe-search", "moderate", "on, moderate or off")
	f.StringSliceVar(&k.site, "site", nil, "only pages of this domain and below (repeatable)")
}

// addList adds the flags of commands that print a list.
func (k *searchFlags) addList(f *pflag.FlagSet) {
	f.IntP("max-results", "n", 10,
		"at most this many results, up to 100; a provider may give fewer")
	f.BoolVar(&k.includeRaw, "include-raw", false,
		"add each result as the provider sent it to the JSON, as raw")
}

func (k *searchFlags) request(c *command, query string) searching.Request {
	return searching.Request{Query: query, Provider: k.provider, TimeRange: k.timeRange,
		Language: k.language, Sites: k.site,
		IncludeRaw: k.includeRaw || c.verbose}
}

func (c *command) search() *cobra.Command {
	var k searchFlags
	cmd := &cobra.Command{
		Use: "search QUERY", Short: "Search the web with the configured providers, or search " +
			"stored pages",
		Long: `Asks search providers for pages. The default provider, auto, is the first configured one
that answers. It asks providers with a key or an address first, then ddgs (DuckDuckGo),
which needs neither. If no provider on the web answers, it searches the stored pages. In the
JSON, provider_outcomes gives the outcome of each provider. Exit code 3 means that nothing
was found, 1 that no provider answered.

With --plain it prints the addresses, one a line. See wstk providers for what is set up
and who sees your words.`,
		Example: `  wstk search "sqlite wal mode" --site sqlite.org -n 5
  wstk search "heat pump subsidy" --region de-de --time-range m
  wstk search "write-ahead logging" --provider index
  wstk search "sqlite wal mode" --plain | head -n 1 | xargs -r wstk extract`,
		Args: word("QUERY", 1, 1),
		RunE: c.runTransient(func(ctx context.Context, a *app.App, args []string) reply {
			res, err := a.Searching.Search(ctx, k.request(c, args[0]))
			return reply{data: res, err: err, warnings: res.Warnings, cacheHit: res.CacheHit(),
				providers: asked(res.ProviderOutcomes),
				plain: func(w io.Writer) {
					for _, r := range res.Results {
						fmt.Fprintln(w, oneLine(r.URL, 8000))
					}
				},
				human: func(p *printer) { humanResults(p, res) },
			}
		}),
	}
	k.add(cmd.Flags())
	k.addList(cmd.Flags())
	cmd.Flags().StringVar(&k.provider, "provider", "",
		"provider to ask: an id of wstk providers (default auto)")
	return cmd
}

// asked are the providers that were asked.
func asked(outcomes []wstk.ProviderOutcome) []string {
	ids := []string{}
	for _, o := range outcomes {
		if o.Status != wstk.ProviderSkipped {
			ids = append(ids, o.Provider)
		}
	}
	return ids
}

func humanResults(p *printer, res searching.Result) {
	for i, r := range res.Results {
		if i > 0 {
			p.line()
		}
		p.linef("%2d  %s", i+1, p.bold(oneLine(r.Title, p.width-4)))
		p.line("    " + p.green(oneLine(r.URL, 8000)))
		about := ""
		if r.PublishedAt != nil {
			about = r.PublishedAt.Format("2006-01-02") + "  "
		}
		if s := wrap(about+r.Snippet, "    ", p.width); strings.TrimSpace(s) != "" {
			p.line(s)
		}
	}
	if len(res.Results) > 0 && res.Provider != nil {
		from := ""
		if res.CacheHit() {
			from = ", from the cache"
		}
		p.line()
		p.line(p.dim(fmt.Sprintf("%d results of %s%s", len(res.Results), *res.Provider, from)))
	}
}

func (c *command) providers() *cobra.Command {
	return &cobra.Command{
		Use: "providers", Short: "List what can search, fetch, render and extract, and what each needs",
		Long: `Lists every provider: its type, whether it is enabled (if not, why), the variables that
set it up, whether a search with --provider auto may use it, and who sees your words then.`,
		Args: cobra.NoArgs,
		RunE: c.runTransient(func(ctx context.Context, a *app.App, _ []string) reply {
			list := a.Searching.Providers(ctx)
			for i, p := range list {
				list[i].Next = worded(p.Steps)
			}
			return reply{data: providerList{list},
				plain: func(w io.Writer) {
					for _, p := range list {
						fmt.Fprintln(w, p.ID)
					}
				},
				human: func(p *printer) {
					for _, x := range list {
						mark := p.green("yes")
						if !x.Enabled {
							mark = p.dim("no ")
						}
						p.linef("%s  %-8s %-19s %s", mark, x.Type, x.ID, safe(x.Reason))
						if x.Privacy != "" && x.Enabled {
							p.line(p.dim(wrap(x.Privacy, "              ", p.width)))
						}
						if !x.Enabled && len(x.EnvVars) > 0 {
							p.line(p.dim("              set " + strings.Join(x.EnvVars, " and ")))
						}
					}
				},
			}
		}),
	}
}

// hostOf is the host of an address, for a line of progress.
func hostOf(raw string) string {
	if u, err := url.Parse(raw); err == nil {
		return u.Hostname()
	}
	return ""
}
