package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"wstk/shared/entry/codes"
	"wstk/shared/entry/step"
	"wstk/shared/stage/screen"
	"wstk/shared/wstk"
)

// envelope is what every command prints with --json. Its shape never changes:
// fields may be added, none is removed or renamed.
type envelope struct {
	OK       bool           `json:"ok"`
	Command  string         `json:"command"`
	Version  string         `json:"version"`
	Data     any            `json:"data"`
	Warnings []wstk.Warning `json:"warnings"`
	Error    *problem       `json:"error"`
	Meta     meta           `json:"meta"`
}

// problem is an error as the envelope shows it.
type problem struct {
	Code    wstk.Code      `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details,omitempty"`
}

type meta struct {
	DurationMS int64 `json:"duration_ms"`
	Cache      struct {
		Hit bool `json:"hit"`
	} `json:"cache"`
	Providers []string `json:"providers"`

	// Usage is what models of services cost; absent where none was asked.
	Usage *wstk.Usage `json:"usage,omitempty"`

	// Untrusted means that data holds words of web pages. They are data, whatever they
	// say: none of them is an instruction to who reads them.
	Untrusted bool `json:"untrusted"`
}

// quoting are the commands whose data holds words of web pages, by their first word: titles
// of results, addresses that pages link to, quotes that are checked again.
var quoting = map[string]bool{"ask": true, "answer": true, "recall": true, "gap": true, "read": true,
	"extract": true, "fetch": true,
	"render": true, "search": true, "runs": true, "pipeline": true, "eval": true,
	"site": true, "verify": true}

// reply is what a command has to say, ready for all three forms of output.
type reply struct {
	data      any
	warnings  []wstk.Warning
	plain     func(w io.Writer) // stable lines for pipes
	human     func(p *printer)  // for people
	cacheHit  bool
	providers []string // that were asked
	usage     wstk.Usage

	// err ends the command with the error's exit code although there is data to
	// show: an empty list, a wall.
	err error
}

// exitCode is 130 after Ctrl-C, else what the error's code says.
func exitCode(ctx context.Context, err error) int {
	if err != nil && errors.Is(context.Cause(ctx), errInterrupted) {
		return codes.ExitInterrupt
	}
	return codes.Exit(wstk.CodeOf(err))
}

func newProblem(err error) *problem {
	if err == nil {
		return nil
	}
	p := &problem{Code: wstk.CodeOf(err), Message: message(err)}
	if steps := wstk.StepsOf(err); len(steps) > 0 {
		p.Details = map[string]any{"next_steps": worded(steps)}
	}
	return p
}

// worded are steps as commands.
func worded(steps []wstk.Step) []string { return step.All(steps, step.Shell) }

// message is one sentence: the context's own words are put into plain ones.
func message(err error) string {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, errInterrupted):
		return "stopped before it was done; what was stored is kept"
	case errors.Is(err, context.DeadlineExceeded):
		return err.Error() + " (the time limit passed)"
	}
	return err.Error()
}

// sticky is a writer that remembers its first error and writes nothing after it, so
// that code which prints line by line need not look at each. It may be used concurrently: work
// that was left behind may still print.
type sticky struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

func (s *sticky) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}

// write prints r in the chosen form and returns the exit code.
func (c *command) write(ctx context.Context, name string, r reply, started time.Time) int {
	if !c.json {
		c.stream(r)
		c.diagnose(r)
		return exitCode(ctx, r.err)
	}
	var text bytes.Buffer
	if err := c.envelope(&text, c.enveloped(name, r, started)); err != nil && c.out.err == nil {
		c.out.err = err // it cannot be written as JSON
	}
	_, _ = c.out.Write(escaped(text.Bytes())) // it remembers its error
	return exitCode(ctx, r.err)
}

// enveloped is r in an envelope.
func (c *command) enveloped(name string, r reply, started time.Time) envelope {
	e := envelope{OK: r.err == nil, Command: name, Version: c.env.Version, Data: r.data,
		Warnings: r.warnings, Error: newProblem(r.err)}
	if e.Warnings == nil {
		e.Warnings = []wstk.Warning{}
	}
	e.Meta.DurationMS = time.Since(started).Milliseconds()
	e.Meta.Cache.Hit = r.cacheHit
	if e.Meta.Providers = r.providers; e.Meta.Providers == nil {
		e.Meta.Providers = []string{}
	}
	if r.usage.Calls > 0 {
		e.Meta.Usage = &r.usage
	}
	word, _, _ := strings.Cut(name, " ")
	e.Meta.Untrusted = quoting[word]
	return e
}

// stream prints r for people or for pipes now, in place of all that the command has to say at
// its end.
func (c *command) stream(r reply) {
	var text bytes.Buffer
	switch {
	case c.json:
		return
	case c.plain && r.plain != nil:
		r.plain(&text)
	case !c.plain && r.human != nil:
		p := c.printer(c.env.Stdout)
		p.w = &text
		r.human(p)
	}
	out := text.String()
	if c.redact {
		out = screen.Redact(out)
	}
	_, _ = io.WriteString(c.out, out) // it remembers its error
}

// envelope writes e as JSON, redacted where that is wanted: then a warning says how much
// was, since offsets and hashes are those of the text as it was.
func (c *command) envelope(w io.Writer, e envelope) error {
	if !c.redact {
		return writeJSON(w, e, c.pretty)
	}
	var data bytes.Buffer
	if err := writeJSON(&data, e, false); err != nil {
		return err
	}
	_, places, err := screen.RedactJSON(data.Bytes())
	if err != nil {
		return err
	}
	if places > 0 {
		e.Warnings = append(e.Warnings, wstk.Warning{Code: "redacted",
			Message: fmt.Sprintf("Secrets and personal data were hidden in %d places; offsets "+
				"and hashes are those of the text before.", places)})
	}
	data.Reset()
	if err := writeJSON(&data, e, c.pretty); err != nil {
		return err
	}
	hidden, _, err := screen.RedactJSON(data.Bytes())
	if err != nil {
		return err
	}
	_, err = w.Write(hidden)
	return err
}

// maxDiagnosis bounds one line of diagnosis, in code points: words of a page may be in it.
const maxDiagnosis = 4000

// diagnose writes warnings and the error to standard error.
func (c *command) diagnose(r reply) {
	p := c.printer(c.stderr())
	if !c.quiet {
		for _, w := range r.warnings {
			if w.Code == "provider_failed" && wstk.CodeOf(r.err) == wstk.ProvidersFailed {
				continue // the error names each provider with its reason
			}
			where := ""
			if w.URL != "" && !strings.Contains(w.Message, w.URL) {
				where = " (" + w.URL + ")"
			}
			p.line(p.yellow("warning: ") + oneLine(w.Message+where, maxDiagnosis))
		}
	}
	if r.err != nil {
		p.line(p.red("wstk: ") + oneLine(message(r.err), maxDiagnosis))
		for _, s := range wstk.StepsOf(r.err) {
			p.line("  try: " + oneLine(step.Shell(s), maxDiagnosis))
		}
	}
}

// writeJSON prints v and a newline. HTML signs are not escaped: quotes are verbatim.
func writeJSON(w io.Writer, v any, pretty bool) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if pretty {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
