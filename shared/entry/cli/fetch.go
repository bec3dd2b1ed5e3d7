package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wstk/shared/app"
	"wstk/shared/app/looking"
	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// requestFlags say how a page is asked for.
type requestFlags struct {
	headers        []string
	headersFile    string
	accept         string
	acceptLanguage string
	follow, detect bool
}

func (k *requestFlags) add(f *pflag.FlagSet) {
	f.StringArrayVar(&k.headers, "header", nil,
		"an extra header, 'Name: value' (repeatable; credentials are refused)")
	f.StringVar(&k.headersFile, "headers-file", "",
		"a JSON object of headers in this file, or - for standard input")
	f.StringVar(&k.accept, "accept", "", "media types to ask for (default text/html,*/*;q=0.8)")
	f.StringVar(&k.acceptLanguage, "accept-language", "",
		"languages to ask for, such as de,en;q=0.5")
	f.Int64("max-bytes", 5<<20, "the largest body to take, in bytes, decoded")
	f.Int("tries", 1, "ask at most this many times if the site fails")
	k.follow, k.detect = true, true
	negatable(f, &k.follow, "follow-redirects",
		"follow redirects; --no-follow-redirects shows them")
	negatable(f, &k.detect, "detect-blocks",
		"detect walls and empty shells by their text; --no-detect-blocks uses only the status")
}

// byRule adds the switch of the operator's rules, for commands whose page the user names.
func byRule(f *pflag.FlagSet) {
	f.Bool("access", false, "ask by your own rules for a page that has one (WSTK_ACCESS)")
	f.Bool("no-access", false, "")
	hide(f, "no-access")
}

func (k *requestFlags) request(c *command) (reading.PageRequest, error) {
	req := reading.PageRequest{Header: http.Header{}, Accept: k.accept,
		AcceptLanguage: k.acceptLanguage, NoFollow: !k.follow, NoDetect: !k.detect}
	if k.headersFile != "" {
		in := c.env.Stdin
		if k.headersFile != "-" {
			f, err := os.Open(k.headersFile)
			if err != nil {
				return req, wstk.Errorf(wstk.Invalid, "", "--headers-file: %w", err)
			}
			defer f.Close()
			in = f
		}
		data, err := io.ReadAll(io.LimitReader(in, 1<<20))
		if err != nil {
			return req, wstk.Errorf(wstk.Invalid, "", "--headers-file: %w", err)
		}
		if req.Header, err = looking.ParseHeaders(data); err != nil {
			return req, err
		}
	}
	for _, s := range k.headers {
		name, value, ok := strings.Cut(s, ":")
		if !ok {
			return req, wstk.Errorf(wstk.Invalid, "", "--header must be 'Name: value'")
		}
		if err := looking.AddHeader(req.Header, name, value); err != nil {
			return req, err
		}
	}
	return req, nil
}

func (c *command) fetch() *cobra.Command {
	var k requestFlags
	var includeBody bool
	var method string
	cmd := &cobra.Command{
		Use: "fetch URL", Short: "Fetch one page over HTTP: verdict, headers, and where its body is",
		Long: `Asks for one page, without JavaScript, and keeps what came back as evidence. Three replies
do not count as the page: a wall, such as a login or a CAPTCHA (exit 4), an empty shell that
needs JavaScript (exit 5), and "not found" (exit 3). next_steps says what to try.

With --method remote the Firecrawl endpoint at FIRECRAWL_BASE_URL fetches the page and runs
its scripts. Only that service says then what the site sent; fetched_by and fetched_via name
it. To use a browser of your own, see wstk render.

With --access it goes by your own rules, which send a cookie of yours or ask an official API
(docs/operations.md). Neither cache nor evidence keeps such a page, unless you name a folder
with --evidence-dir.

With --plain it prints the path of the stored body.`,
		Example: `  wstk fetch https://example.org/ --json --include-body
  wstk fetch https://example.org/ --plain | xargs -r wstk extract
  wstk fetch https://example.org/ --header 'Accept-Language: de' --no-follow-redirects`,
		Args: word("URL", 1, 1),
		RunE: c.onePage(func(ctx context.Context, a *app.App, args []string) reply {
			req, err := k.request(c)
			if err != nil {
				return reply{err: err}
			}
			req.ByRule = true
			switch req.URL, req.Method = args[0], wstk.FetchMethod(method); req.Method {
			case wstk.MethodHTTP, wstk.MethodRemote:
			default:
				return reply{err: wstk.Errorf(wstk.Invalid, "", "fetch has no method %q", method).
					Try(wstk.Step{Do: wstk.DoOption,
						Options: []wstk.Option{wstk.OptMethod.Set(wstk.MethodHTTP)}},
						wstk.Step{Do: wstk.DoRender, For: "use a browser", URL: args[0]})}
			}
			return c.fetched(a.Looking.FetchPage(ctx, req, includeBody))
		}),
	}
	k.add(cmd.Flags())
	byRule(cmd.Flags())
	cmd.Flags().StringVar(&method, "method", "http", "http, or remote: a service fetches the page")
	cmd.Flags().BoolVar(&includeBody, "include-body", false,
		"add the body to the JSON, as raw_html")
	return cmd
}

// fetched is what fetch and render have to say.
func (c *command) fetched(res reading.FetchResult, err error) reply {
	if err != nil {
		return reply{err: err}
	}
	res.NextSteps = worded(res.Steps)
	r := reply{data: res, warnings: res.Warnings, err: res.Problem(), cacheHit: res.CacheHit,
		providers: []string{string(res.FetchMethod)},
		plain: func(w io.Writer) {
			if res.Body != nil && res.Body.Path != nil {
				fmt.Fprintln(w, *res.Body.Path)
			}
		},
		human: func(p *printer) { humanFetch(p, res) },
	}
	if c.plain && r.err == nil && (res.Body == nil || res.Body.Path == nil) {
		r.err = wstk.Errorf(wstk.Invalid, "",
			"--plain prints the path of the stored body, but the settings store no body").
			Try(wstk.Advices("--evidence-dir DIR", "--json --include-body")...)
	}
	return r
}

// browserFlags say how a browser shows a page.
type browserFlags struct {
	wait, waitFor string
	screenshot    bool
}

func (k *browserFlags) add(f *pflag.FlagSet) {
	f.StringVar(&k.wait, "wait", "", "in a browser: wait this long after the page has loaded, "+
		"milliseconds or a time such as 5s")
	f.StringVar(&k.waitFor, "wait-for", k.waitFor,
		"in a browser: wait for this CSS selector, or for network-idle")
	f.BoolVar(&k.screenshot, "screenshot", false,
		"in a browser: keep a picture of the whole page as evidence")
	f.String("browser", "", "path of the browser (or WSTK_BROWSER; default: the first one found)")
}

func (k *browserFlags) options() (o reading.RenderOptions, err error) {
	o = reading.RenderOptions{WaitFor: k.waitFor, Screenshot: k.screenshot}
	if k.wait != "" {
		if o.Wait, err = config.ParseMilliseconds(k.wait); err != nil {
			err = wstk.Errorf(wstk.Invalid, "", "--wait: %w", err)
		}
	}
	return o, err
}

func (c *command) render() *cobra.Command {
	var b browserFlags
	var acceptLanguage, profile string
	var system, headful, includeBody bool
	detect := true
	cmd := &cobra.Command{
		Use: "render URL", Short: "Open one page in a browser on this machine, and keep what its " +
			"scripts made of it",
		Long: `Opens one page in Chromium or Chrome, runs its scripts, and keeps the page they made as
evidence. What the browser loads passes the same checks as every other request: it loads
nothing from private addresses, nor from domains that you block.

Without a profile the browser knows nothing about you. With --profile or
--use-system-profile it is privileged: it uses your logins, and what it sees may be meant
for you alone. Then neither cache nor evidence keeps the page, unless you name a folder
with --evidence-dir. --headful shows the window, so that you can answer what a page asks;
use --wait to give yourself time.`,
		Example: `  wstk render https://example.org/app --wait-for '#content' --screenshot
  wstk render https://example.org/app --wait-for network-idle --plain | xargs -r wstk extract
  wstk render https://example.org/mine --profile ~/research-profile --headful --wait 20000`,
		Args: word("URL", 1, 1),
		RunE: c.onePage(func(ctx context.Context, a *app.App, args []string) reply {
			o, err := b.options()
			if err != nil {
				return reply{err: err}
			}
			o.Headful, o.Profile = headful, profile
			switch {
			case system && profile != "":
				return reply{err: wstk.Errorf(wstk.Invalid, "",
					"give --profile or --use-system-profile, not both")}
			case c.noInput && headful:
				return reply{err: wstk.Errorf(wstk.Invalid, "", "--headful needs a person at the "+
					"window, but --no-input says that there is none")}
			case system:
				dir, err := a.Browser.SystemProfile()
				if err != nil {
					return reply{err: err}
				}
				o.Profile = dir
			}
			req := reading.PageRequest{URL: args[0], Method: wstk.MethodBrowser,
				AcceptLanguage: acceptLanguage, NoDetect: !detect, Render: o}
			r := c.fetched(a.Looking.FetchPage(ctx, req, includeBody))
			r.warnings = append(r.warnings, a.Looking.NotByRule(args[0])...)
			return r
		}),
	}
	f := cmd.Flags()
	b.add(f)
	f.StringVar(&profile, "profile", "", "use this browser profile, with its sessions (privileged)")
	f.BoolVar(&system, "use-system-profile", false,
		"use the profile of the browser on this machine (privileged; close the browser first)")
	f.BoolVar(&headful, "headful", false, "show the window; --headless, the default, hides it")
	f.VarPF((*inverse)(&headful), "headless", "", "").NoOptDefVal = "true"
	hide(f, "headless")
	negatable(f, &detect, "detect-blocks",
		"detect walls and empty shells by their text; --no-detect-blocks uses only the status")
	f.StringVar(&acceptLanguage, "accept-language", "", "languages to ask for, such as de,en;q=0.5")
	f.Int64("max-bytes", 5<<20, "the largest page to take, in bytes, decoded")
	f.BoolVar(&includeBody, "include-body", false,
		"add the page to the JSON, as raw_html, after its scripts have run")
	return cmd
}

func humanFetch(p *printer, res reading.FetchResult) {
	mark := p.green(string(res.Verdict))
	if res.Verdict.Code() != "" {
		mark = p.red(string(res.Verdict))
	}
	line := mark
	if res.Reason != "" {
		line += "  " + safe(res.Reason)
	}
	if res.CacheHit {
		line += p.dim("  (from the cache, fetched " + res.FetchedAt.Local().
			Format("2006-01-02 15:04") + ")")
	}
	p.line(line)
	if res.HTTP.Status != nil {
		p.linef("  status   %d  %s", *res.HTTP.Status, safe(res.HTTP.FinalURL))
	}
	if by := res.Access; by != nil {
		p.linef("  access   rule %s (%s) for %s", by.Rule, by.Kind, safe(by.Page))
	}
	for _, r := range res.HTTP.Redirects {
		p.linef("  via      %d  %s", r.Status, safe(r.URL))
	}
	for _, k := range slices.Sorted(maps.Keys(res.HTTP.Headers)) {
		p.linef("  %s: %s", safe(k), oneLine(res.HTTP.Headers[k], 120))
	}
	if b := res.Body; b != nil {
		p.linef("  body     %d bytes of %s, sha256 %s…", b.Bytes,
			safe(b.ContentType), b.SHA256[:12])
		if b.Path != nil {
			p.linef("           %s", *b.Path)
		}
	}
	if r := res.Render; r != nil && r.Screenshot != nil {
		p.linef("  picture  %s", *r.Screenshot)
	}
	said := ""
	for _, s := range res.Rights.Signals {
		if s.Text != said { // one text may speak of several uses
			p.linef("  rights   %s", oneLine(s.Text, 120))
		}
		said = s.Text
	}
	if v := res.Previous; v != nil {
		was := "the same"
		if v.Changed {
			was = "another"
		}
		p.linef("  before   %s body on %s", was, v.FetchedAt.Local().Format(time.DateTime))
	}
}
