package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"wstk/shared/config"
)

// A word that is nearly a command or a flag is answered with what was meant; one that is
// nothing like it is not.
func TestDidYouMean(t *testing.T) {
	for line, want := range map[string]string{
		"serach x": "wstk search?", "extrct x": "wstk extract?", "site ingst x": "wstk site ingest?", "help serch": "wstk search?",
		"search --jsn x": "--json?", "search --max-result 3 x": "--max-results?", "extract --timeot=3 x": "--timeout?",
		"zzzzzz": "", "search --zzzzzz x": "",
	} {
		var stdout, stderr bytes.Buffer
		code := Run(t.Context(), Env{Settings: config.New(nil), Args: strings.Fields(line),
			Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Dir: t.TempDir(),
			Getenv:   func(string) string { return "" },
			Terminal: func(io.Writer) bool { return false }, Width: func() int { return 80 },
			Open: openNothing, OpenTransient: openNothing})
		said := stderr.String()
		if code != 2 || strings.Contains(said, "did you mean") != (want != "") || !strings.Contains(said, want) {
			t.Errorf("%s: exit %d, %q", line, code, said)
		}
	}
}
