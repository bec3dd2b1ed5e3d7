// Package cli is the command line of the program for one machine: it reads arguments and
// flags, calls the app, and prints the answer as JSON, as lines for pipes, or for people. It
// decides nothing about the web.
package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wstk/shared/app"
	"wstk/shared/config"
	"wstk/shared/entry/codes"
	"wstk/shared/entry/serve"
	"wstk/shared/stage/read"
	"wstk/shared/stage/screen"
	"wstk/shared/stage/verify"
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

	Settings *config.Settings // all there are

	// Open makes the app over the data directory, and OpenTransient the one for commands
	// that keep nothing but cache and evidence. They are called only by commands that need
	// them, so that version and help cost nothing.
	Open, OpenTransient func(ctx context.Context, c config.Config,
		log *slog.Logger) (*app.App, error)

	// OpenBundle opens a proof bundle, which is verified without any app.
	OpenBundle func(ctx context.Context, path string) (verify.Bundle, error)

	// Reader reads pages as every home does: those of a bundle are read again.
	Reader func() *read.Stage

	// HTTP is the handler that serve serves, for clients that have one of the tokens. phase
	// is that of the server.
	HTTP func(a *app.App, tokens []string, phase *serve.Phase) http.Handler

	// MCP serves agents over in and out, until in or ctx ends.
	MCP func(ctx context.Context, a *app.App, in io.Reader, out io.Writer) error
}

// errInterrupted is the cause of a context that Ctrl-C ended.
var errInterrupted error = wstk.Errorf(wstk.Cancelled, "", "interrupted")

// Interrupt is the cause to cancel the context of Run with on Ctrl-C, so that the
// exit code is 130.
func Interrupt() error { return errInterrupted }

// opener makes an app.
type opener func(ctx context.Context, c config.Config, log *slog.Logger) (*app.App, error)

// command is one invocation: its flags, and what came of it.
type command struct {
	env                                 Env
	json, pretty, plain, quiet, verbose bool
	noColor, noInput                    bool
	redact                              bool    // what is printed, and logged
	out                                 *sticky // standard output
	line                                *statusLine
	ran                                 bool
	code                                int
}

// Run runs one command and returns its exit code: that of a failure when standard
// output could not be written.
func Run(ctx context.Context, env Env) int {
	c := &command{env: env, out: &sticky{w: terminalWriter{env.Stdout}}}
	c.redact = c.asksToRedact()
	code := c.exec(ctx)
	if c.out.err != nil {
		fmt.Fprintln(terminalWriter{env.Stderr}, "wstk: writing output:", c.out.err)
		return codes.ExitFailure
	}
	return code
}

// asksToRedact reports whether redaction is wanted, as far as the words themselves say: it
// holds for errors that come before the settings are read.
func (c *command) asksToRedact() bool {
	on := func(v string) bool { b, err := strconv.ParseBool(v); return err == nil && b }
	for i, arg := range c.env.Args {
		if arg == "--redact" || arg == "--redact=true" || arg == "--policy=strict" ||
			arg == "strict" && i > 0 && c.env.Args[i-1] == "--policy" {
			return true
		}
	}
	return on(c.env.Getenv("WSTK_REDACT")) ||
		c.env.Getenv("WSTK_POLICY") == string(config.PolicyStrict)
}

func (c *command) exec(ctx context.Context) int {
	env := c.env
	root := c.root()
	root.SetArgs(env.Args)
	root.SetIn(env.Stdin)
	root.SetOut(c.out)
	root.SetErr(terminalWriter{env.Stderr})
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
	if name == "help" { // of what is no command
		name = "wstk"
	}
	usage := wstk.Errorf(wstk.Invalid, "", "%s", plainUsage(err)).
		Try(wstk.Advices(didYouMean(root, env.Args, err)...)...).
		Try(wstk.Advice("wstk " + strings.TrimPrefix(name+" --help", "wstk ")))
	return c.write(ctx, name, reply{err: usage}, time.Now())
}

const about = `wstk searches and crawls the web, reads pages, keeps what it read, and answers with
proof. Every statement comes with verbatim quotes; only ask --no-strict keeps statements
without one. Each quote is, at known offsets, in a stored and hashed copy of the page.`

const examples = `  wstk search "sqlite wal mode" --site sqlite.org
  wstk extract https://www.sqlite.org/wal.html --max-tokens 2000
  wstk pipeline "how does wal mode work" --extract-k 2

  wstk site ingest https://www.sqlite.org/ --max-pages 200
  wstk ask "What is the maximum size of a database?" --bundle proof.zip
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
				c.code = c.write(cmd.Context(), "wstk",
					reply{err: wstk.Errorf(wstk.Invalid, "", "no command was given").
						Try(wstk.Advice("wstk --help"))}, time.Now())
				return nil
			}
			c.code = codes.ExitUsage
			fmt.Fprintln(cmd.ErrOrStderr(), "wstk: no command was given")
			return cmd.Help()
		},
	}
	root.SetVersionTemplate("wstk {{.Version}}\n")
	plainHelp := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !c.json && !c.pretty {
			plainHelp(cmd, args)
			return
		}
		c.ran, c.json = true, true
		c.code = c.write(cmd.Context(), "help",
			reply{data: map[string]string{"command": strings.TrimPrefix(cmd.CommandPath(), "wstk "),
				"help": cmd.Long + "\n\n" + cmd.UsageString()}}, time.Now())
	})
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, make := range g.commands {
			cmd := make(c)
			cmd.GroupID = g.id
			root.AddCommand(cmd)
		}
	}
	root.SetCompletionCommandGroupID("about")
	root.SetHelpCommand(help(root))
	root.SetHelpCommandGroupID("about")
	c.globalFlags(root.PersistentFlags())
	groupFlags(root)
	onlyShells(root)
	for _, sub := range root.Commands() {
		sub.Flags().SortFlags = false
	}
	return root
}

// onlyShells makes a shell that completion does not know an error.
func onlyShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		var names []string
		for _, sub := range cmd.Commands() {
			names = append(names, sub.Name())
		}
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("one of %s is missing: wstk completion SHELL",
					strings.Join(names, ", "))
			}
			return fmt.Errorf("there is no completion for the shell %q; known are %s", args[0],
				strings.Join(names, ", "))
		}
	}
}

// help is the command that shows the help of others. An unknown name is an error:
// scripts ask that way whether there is a command.
func help(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("unknown command %q for %q", strings.Join(args, " "), root.Name())
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
}

// group returns a command that only holds others. Without one of them it is an error that names
// them.
func group(cmd *cobra.Command, subs ...*cobra.Command) *cobra.Command {
	names := make([]string, len(subs))
	for i, sub := range subs {
		names[i] = sub.Name()
	}
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(*cobra.Command, []string) error {
		return fmt.Errorf("one of %s is missing: wstk %s COMMAND", strings.Join(names, ", "),
			cmd.Name())
	}
	cmd.AddCommand(subs...)
	return cmd
}

// groups are the commands as help lists them.
var groups = []struct {
	id, title string
	commands  []func(*command) *cobra.Command
}{
	{"web", "The web, one page or one search at a time:", []func(*command) *cobra.Command{
		(*command).search, (*command).runs, (*command).fetch, (*command).render, (*command).extract,
		(*command).pipeline, (*command).eval, (*command).providers}},
	{"proof", "Sites that are read whole, and answers with proof:", []func(*command) *cobra.Command{
		(*command).site, (*command).ask, (*command).answerPage, (*command).recall, (*command).read, (*command).gap,
		(*command).verify}},
	{"about", "This program and what it keeps:", []func(*command) *cobra.Command{
		(*command).serve, (*command).mcp, (*command).cache, (*command).evidence, (*command).models,
		(*command).schema, (*command).doctor, (*command).version}},
}

// work is what a command does with an app and its words.
type work = func(ctx context.Context, a *app.App, args []string) reply

// run wraps the work of a command over the data directory: configuration, log, app, time
// limit, output.
func (c *command) run(do work) func(*cobra.Command, []string) error {
	return c.with(c.env.Open, usualTime, do)
}

// runTransient is run for commands that keep nothing but cache and evidence.
func (c *command) runTransient(do work) func(*cobra.Command, []string) error {
	return c.with(c.env.OpenTransient, usualTime, do)
}

// onePage is runTransient for commands about one page.
func (c *command) onePage(do work) func(*cobra.Command, []string) error {
	return c.with(c.env.OpenTransient, config.OnePageTime, do)
}

// with is run with another opener, and another time limit where none is set.
func (c *command) with(
	open opener, usual time.Duration, do work,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return c.bare(cmd, usual, func(ctx context.Context, cfg config.Config, err error) reply {
			if err != nil {
				return reply{err: err}
			}
			a, err := open(ctx, cfg, c.logger(cfg))
			if err != nil {
				return reply{err: err}
			}
			defer a.Close()
			line := c.status()
			defer line.done()
			return do(line.noticing(ctx), a, args)
		})
	}
}

// bare runs a command that opens what it needs by itself; it gets the error of the
// configuration, too.
func (c *command) bare(
	cmd *cobra.Command, usual time.Duration, do func(context.Context, config.Config, error) reply,
) error {
	c.ran = true
	c.json = c.json || c.pretty
	started := time.Now()
	cfg, err := c.config(cmd.Flags())
	r := within(cmd.Context(), usual, cfg.Timeout,
		func(ctx context.Context) reply { return do(ctx, cfg, err) })
	c.code = c.write(cmd.Context(), strings.TrimPrefix(cmd.CommandPath(), "wstk "), r, started)
	return nil
}

func (c *command) config(flags *pflag.FlagSet) (config.Config, error) {
	cfg, err := c.env.Settings.Load(c.env.Getenv, c.env.Dir, given(flags)...)
	if err == nil {
		c.redact = cfg.Redact
	}
	return cfg, err
}

func (c *command) logger(cfg config.Config) *slog.Logger {
	level := slog.LevelWarn
	_ = level.UnmarshalText([]byte(cfg.LogLevel)) // checked by Config.Set
	switch {
	case c.verbose:
		level = slog.LevelDebug
	case c.quiet:
		level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(c.stderr(), &slog.HandlerOptions{Level: level}))
}

// stderr is where diagnostics go.
func (c *command) stderr() io.Writer {
	if c.redact {
		return redacting{terminalWriter{c.env.Stderr}}
	}
	return terminalWriter{c.env.Stderr}
}

// redacting hides secrets in what it writes, which comes a line at a time.
type redacting struct{ w io.Writer }

func (r redacting) Write(p []byte) (int, error) {
	if _, err := io.WriteString(r.w, screen.Redact(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (c *command) printer(w io.Writer) *printer {
	p := &printer{w: w, width: 88}
	if c.env.Terminal(underlying(w)) {
		p.color = !c.noColor && c.env.Getenv("NO_COLOR") == "" && c.env.Getenv("TERM") != "dumb"
		if n := c.env.Width(); n > 20 {
			p.width = min(n, 110)
		}
	}
	return p
}

// underlying is where the writers of a command lead.
func underlying(w io.Writer) io.Writer {
	switch t := w.(type) {
	case terminalWriter:
		return underlying(t.w)
	case redacting:
		return underlying(t.w)
	}
	return w
}

// progressive reports whether progress should be shown.
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
			return fmt.Errorf("the argument %q is unexpected: if %s has spaces, put it in quotes",
				args[atMost], what)
		}
		return nil
	}
}
