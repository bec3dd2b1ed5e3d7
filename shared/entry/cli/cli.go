// Package cli is the command line of the program for one machine: it reads words
// and flags, calls the app, and prints the answer as JSON, as lines for pipes, or
// for people. It decides nothing about the web.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wstk/shared/app"
	"wstk/shared/entry/codes"
	"wstk/shared/wstk"
)

// Env is the world a command runs in. Tests give their own.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Dir            string               // where the project's .wstk.toml may be
	Terminal       func(io.Writer) bool // whether a person looks at this writer
	Width          func() int           // of the terminal
	Version        string

	// Open makes the app. It is called only by commands that need it, so that
	// version and help cost nothing.
	Open func(ctx context.Context, c app.Config, log *slog.Logger) (*app.App, error)

	// OpenBundle opens a proof bundle, which is verified without any app.
	OpenBundle func(path string) (app.Bundle, error)

	// HTTP is the handler that serve serves, for whoever has one of the tokens.
	HTTP func(a *app.App, tokens []string) http.Handler
}

// errInterrupted is the cause of a context that Ctrl-C ended.
var errInterrupted error = wstk.Errorf(wstk.Cancelled, "", "interrupted")

// Interrupt is the cause to cancel the context of Run with on Ctrl-C, so that the
// exit code is 130.
func Interrupt() error { return errInterrupted }

// command is one invocation: its flags, and what came of it.
type command struct {
	env                                 Env
	json, pretty, plain, quiet, verbose bool
	noColor, noInput                    bool
	dataDir, timeout, proxy, robots     string
	allowPrivate                        bool
	allowDomains, blockDomains          []string
	userAgent                           string
	out                                 *sticky // standard output
	ran                                 bool
	code                                int
}

// Run runs one command and returns its exit code: that of a failure when standard
// output could not be written.
func Run(ctx context.Context, env Env) int {
	c := &command{env: env, out: &sticky{w: env.Stdout}}
	code := c.exec(ctx)
	if c.out.err != nil {
		fmt.Fprintln(env.Stderr, "wstk: writing output:", c.out.err)
		return codes.ExitFailure
	}
	return code
}

func (c *command) exec(ctx context.Context) int {
	env := c.env
	root := c.root()
	root.SetArgs(env.Args)
	root.SetIn(env.Stdin)
	root.SetOut(c.out)
	root.SetErr(env.Stderr)
	err := root.ExecuteContext(ctx)
	if err == nil || c.ran {
		return c.code
	}
	// The words themselves were off: flags may not have been read, so ask the
	// arguments how the answer is wanted.
	c.json = c.json || slices.Contains(env.Args, "--json") || slices.Contains(env.Args, "--pretty")
	c.plain = c.plain || slices.Contains(env.Args, "--plain")
	name := "wstk"
	if found, _, e := root.Find(env.Args); e == nil {
		name = strings.TrimPrefix(found.CommandPath(), "wstk ")
	}
	usage := wstk.Errorf(wstk.Invalid, "", "%s", strings.TrimSuffix(err.Error(), ".")).
		WithNext("wstk " + strings.TrimPrefix(name+" --help", "wstk "))
	return c.write(ctx, name, reply{err: usage}, time.Now())
}

const about = `wstk crawls sites, keeps what it read, and answers with proof:
every statement comes with verbatim quotes that were found again, at known
offsets, in a stored and hashed copy of the page.`

const examples = `  wstk site ingest https://www.sqlite.org/ --max-pages 200
  wstk ask "What is the maximum size of a database?"
  wstk ask "What is the default page size?" --bundle proof.zip
  wstk verify proof.zip`

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use: "wstk", Short: "Web research that answers with proof", Long: about, Example: examples,
		SilenceErrors: true, SilenceUsage: true,
		Version: c.env.Version,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.ran = true
			if c.json || c.plain {
				c.code = c.write(cmd.Context(), "wstk", reply{err: wstk.Errorf(wstk.Invalid, "", "no command was given").WithNext("wstk --help")}, time.Now())
				return nil
			}
			c.code = codes.ExitUsage
			return cmd.Help()
		},
	}
	root.SetVersionTemplate("wstk {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	f := root.PersistentFlags()
	f.SortFlags = false
	f.BoolVar(&c.json, "json", false, "print one JSON object on standard output, nothing else")
	f.BoolVar(&c.pretty, "pretty", false, "indent the JSON (implies --json)")
	f.BoolVar(&c.plain, "plain", false, "print stable lines for pipes")
	f.BoolVar(&c.quiet, "quiet", false, "no progress and no warnings on standard error")
	f.BoolVar(&c.verbose, "verbose", false, "log what is done on standard error")
	f.BoolVar(&c.noColor, "no-color", false, "no colours (also NO_COLOR or TERM=dumb)")
	f.BoolVar(&c.noInput, "no-input", false, "never ask; this program never does")
	f.StringVar(&c.dataDir, "data-dir", "", "where sites, pages and proof are kept (WSTK_DATA_DIR)")
	f.StringVar(&c.timeout, "timeout", "", "time limit such as 90s or 10m; on a crawl for the whole run, which then ends partial")
	f.StringVar(&c.proxy, "proxy", "", "HTTP proxy; proxy variables of the environment are ignored")
	f.StringVar(&c.userAgent, "user-agent", "", "what to call ourselves; robots.txt is matched against its product token")
	f.StringVar(&c.robots, "robots", "", "robots.txt: warn, respect or ignore (one page: warn; crawls: respect)")
	f.BoolVar(&c.allowPrivate, "allow-private", false, "open loopback and private addresses; cloud metadata stays closed (WSTK_ALLOW_PRIVATE)")
	f.StringSliceVar(&c.allowDomains, "allow-domain", nil, "only ask these domains and their subdomains (repeatable)")
	f.StringSliceVar(&c.blockDomains, "block-domain", nil, "never ask these domains and their subdomains (repeatable)")
	root.AddCommand(c.site(), c.ask(), c.recall(), c.read(), c.gap(), c.verify(), c.fetch(), c.extract(), c.serve(), c.doctor(), c.version())
	for _, sub := range root.Commands() {
		sub.Flags().SortFlags = false
	}
	return root
}

// run wraps a command's work: configuration, log, app, time limit, output.
func (c *command) run(work func(ctx context.Context, a *app.App, args []string) reply) func(*cobra.Command, []string) error {
	return c.runWith(nil, work)
}

// runWith is run with a place to put the command's own settings first.
func (c *command) runWith(set func(*app.Config, *pflag.FlagSet) error, work func(ctx context.Context, a *app.App, args []string) reply) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c.ran = true
		c.json = c.json || c.pretty
		started := time.Now()
		name := strings.TrimPrefix(cmd.CommandPath(), "wstk ")
		ctx := cmd.Context()
		r := func() reply {
			cfg, err := c.config(cmd.Flags(), set)
			if err != nil {
				return reply{err: err}
			}
			a, err := c.env.Open(ctx, cfg, c.logger(cfg))
			if err != nil {
				return reply{err: err}
			}
			defer a.Close()
			return work(ctx, a, args)
		}()
		c.code = c.write(ctx, name, r, started)
		return nil
	}
}

func (c *command) config(flags *pflag.FlagSet, set func(*app.Config, *pflag.FlagSet) error) (app.Config, error) {
	cfg, err := app.LoadConfig(c.env.Getenv, c.env.Dir)
	if err != nil {
		return cfg, err
	}
	apply := func(flag, key, value string) {
		if err == nil && flags.Changed(flag) {
			if e := cfg.Set(key, value, "flag"); e != nil {
				err = wstk.Errorf(wstk.Invalid, "", "--%s: %w", flag, errors.Unwrap(e))
			}
		}
	}
	apply("data-dir", "data_dir", c.dataDir)
	apply("timeout", "timeout", c.timeout)
	apply("proxy", "fetch.proxy", c.proxy)
	apply("user-agent", "fetch.user_agent", c.userAgent)
	apply("robots", "fetch.robots", c.robots)
	apply("allow-private", "fetch.allow_private", fmt.Sprint(c.allowPrivate))
	apply("allow-domain", "fetch.allow_domains", strings.Join(c.allowDomains, ","))
	apply("block-domain", "fetch.block_domains", strings.Join(c.blockDomains, ","))
	if err == nil && set != nil {
		err = set(&cfg, flags)
	}
	return cfg, err
}

func (c *command) logger(cfg app.Config) *slog.Logger {
	level := slog.LevelWarn
	_ = level.UnmarshalText([]byte(cfg.LogLevel)) // checked by Config.Set
	switch {
	case c.verbose:
		level = slog.LevelDebug
	case c.quiet:
		level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(c.env.Stderr, &slog.HandlerOptions{Level: level}))
}

func (c *command) printer(w io.Writer) *printer {
	p := &printer{w: w, width: 88}
	if c.env.Terminal(w) {
		p.color = !c.noColor && c.env.Getenv("NO_COLOR") == "" && c.env.Getenv("TERM") != "dumb"
		if n := c.env.Width(); n > 20 {
			p.width = min(n, 110)
		}
	}
	return p
}

// progressive tells whether progress should be shown.
func (c *command) progressive() bool {
	return !c.quiet && !c.json && !c.plain && c.env.Terminal(c.env.Stderr)
}

// word makes a cobra argument check whose error names the missing word.
func word(what string, atLeast, atMost int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < atLeast:
			return fmt.Errorf("%s is missing: %s", what, cmd.UseLine())
		case atMost >= 0 && len(args) > atMost:
			return fmt.Errorf("%q is one word too many: quote %s if it has spaces", args[atMost], what)
		}
		return nil
	}
}
