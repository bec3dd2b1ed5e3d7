package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"wstk/shared/app"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// hostile is what a site, or a user who was talked into it, may have put anywhere: ESC, OSC
// with its ends, C1 as UTF-8 and as bare bytes, DEL, CR, backspace, bidi, and guesses at our
// own marks.
const hostile = "\x1b[31mred\x1b]0;title\x07\x1b]8;;http://evil.example\x1b\\link \u009b2J\u009d0;x\u009c \x9b2J \x7f\b\r overwritten \u202egnp.exe\u202c \u2066x\u2069 \x00\x01\x02\x03\x00"

// harmless reports what of a text a terminal would act on, our own sequences aside.
func harmless(s string, colour bool) string {
	if colour {
		for _, own := range []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m", "\r\x1b[K"} {
			s = strings.ReplaceAll(s, own, "")
		}
	}
	var bad strings.Builder
	for _, r := range s {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 ||
			r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			bad.WriteRune(r)
		}
	}
	if !utf8.ValidString(s) {
		bad.WriteString("(bytes that are no UTF-8)")
	}
	return bad.String()
}

// Whatever a reply holds and whichever way it is printed, a terminal acts on none of it;
// JSON holds the very same words.
func TestTerminalsGetNoControlSequences(t *testing.T) {
	said := strings.ToValidUTF8(hostile, "\ufffd")
	for _, form := range []struct {
		name                    string
		json, pretty, plain     bool
		redact, terminal, quiet bool
	}{
		{name: "human"}, {name: "human on a terminal", terminal: true},
		{name: "plain", plain: true}, {name: "plain on a terminal", plain: true, terminal: true},
		{name: "redacted", redact: true}, {name: "redacted on a terminal", redact: true, terminal: true}, {name: "JSON", json: true},
		{name: "pretty JSON", json: true, pretty: true}, {name: "redacted JSON", json: true, redact: true},
	} {
		var stdout, stderr bytes.Buffer
		c := &command{json: form.json, pretty: form.pretty, plain: form.plain, redact: form.redact,
			env: Env{Stdout: &stdout, Stderr: &stderr, Terminal: func(w io.Writer) bool {
				return form.terminal && (w == &stdout || w == &stderr)
			},
				Width: func() int { return 80 }, Getenv: func(string) string { return "" }}}
		c.out = &sticky{w: terminalWriter{&stdout}}
		r := reply{
			data:     map[string]string{"words": said},
			warnings: []wstk.Warning{{Code: "x", URL: "http://a.example/" + hostile, Message: hostile}},
			plain:    func(w io.Writer) { io.WriteString(w, hostile+"\n") },
			human: func(p *printer) {
				p.line(p.red(hostile), hostile) // a command that forgot to clean
				p.linef("%s", hostile)
				io.WriteString(p.w, wrap(hostile, "  ", 40)+"\n"+path([]string{hostile}))
			},
			err: wstk.Errorf(wstk.Invalid, hostile, "%s", hostile).Try(wstk.Advice("wstk " + hostile)),
		}
		c.write(t.Context(), "extract", r, time.Now())
		bar := newProgressBar(c.printer(c.stderr()))
		bar.p.line(hostile)
		(&statusLine{p: bar.p}).show("%s", hostile)
		c.logger(config.Config{LogLevel: "warn"}).Error(hostile, "url", hostile, "error", io.EOF)
		if bad := harmless(stdout.String(), form.terminal); bad != "" {
			t.Errorf("%s: standard output has %q: %q", form.name, bad, stdout.String())
		}
		if bad := harmless(stderr.String(), true); bad != "" {
			t.Errorf("%s: standard error has %q: %q", form.name, bad, stderr.String())
		}
		if form.terminal && !form.plain && !strings.Contains(stdout.String(), "\x1b[31m") {
			t.Errorf("%s: our own colours are lost: %q", form.name, stdout.String())
		}
		if form.json && !form.redact {
			var e struct {
				Data map[string]string `json:"data"`
			}
			if err := json.Unmarshal(stdout.Bytes(), &e); err != nil || e.Data["words"] != said {
				t.Errorf("%s: the words changed: %q, %v", form.name, e.Data["words"], err)
			}
			if !strings.Contains(stdout.String(), `\u009b`) || !strings.Contains(stdout.String(), `\u202e`) {
				t.Errorf("%s: %q", form.name, stdout.String())
			}
		}
	}
}

// Words that are no command or flag come back in errors and help, harmless too.
func TestWordsOfTheUserAreHarmless(t *testing.T) {
	for _, args := range [][]string{{hostile}, {"extract", "--" + hostile}, {"help", hostile},
		{"search", "--policy", hostile, "x"}, {"extract", "./" + hostile},
		{"site", hostile}, {"extract", hostile, hostile}, {"--json", hostile}, {"search", "-n", hostile}, {"verify", hostile}} {
		var stdout, stderr bytes.Buffer
		Run(t.Context(), Env{Settings: config.New(nil), Args: args, Stdin: strings.NewReader(""),
			Stdout: &stdout, Stderr: &stderr, Dir: t.TempDir(),
			Getenv:   func(string) string { return "" },
			Terminal: func(io.Writer) bool { return false }, Width: func() int { return 80 },
			Open: openNothing, OpenTransient: openNothing})
		if bad := harmless(stdout.String()+stderr.String(), false); bad != "" {
			t.Errorf("%q: %q in %q %q", args, bad, stdout.String(), stderr.String())
		}
		if stdout.Len()+stderr.Len() == 0 {
			t.Errorf("%q says nothing", args)
		}
	}
}

func openNothing(context.Context, config.Config, *slog.Logger) (*app.App, error) {
	return nil, wstk.Errorf(wstk.Unavailable, "", "nothing is opened here")
}
