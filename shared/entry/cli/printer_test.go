package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// Colour is for terminals, unless the user switched it off.
func TestColours(t *testing.T) {
	for _, c := range []struct {
		name     string
		terminal bool
		noColor  bool
		env      map[string]string
		want     bool
	}{
		{"a terminal", true, false, nil, true},
		{"a pipe", false, false, nil, false},
		{"--no-color", true, true, nil, false},
		{"NO_COLOR", true, false, map[string]string{"NO_COLOR": "1"}, false},
		{"an empty NO_COLOR says nothing", true, false, map[string]string{"NO_COLOR": ""}, true},
		{"TERM=dumb", true, false, map[string]string{"TERM": "dumb"}, false},
		{"another TERM", true, false, map[string]string{"TERM": "xterm"}, true},
	} {
		var out bytes.Buffer
		cmd := &command{noColor: c.noColor,
			env: Env{Terminal: func(io.Writer) bool { return c.terminal },
				Width:  func() int { return 80 },
				Getenv: func(name string) string { return c.env[name] }}}
		p := cmd.printer(terminalWriter{&out})
		p.line(p.red("words"))
		if got := strings.Contains(out.String(), "\x1b["); got != c.want ||
			!strings.Contains(out.String(), "words") {
			t.Errorf("%s: %q", c.name, out.String())
		}
	}
}
