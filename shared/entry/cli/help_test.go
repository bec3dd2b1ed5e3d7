package cli

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every flag of all commands is in one group, and the help of a command shows its own flags
// before them.
func TestHelpGroupsFlags(t *testing.T) {
	var out bytes.Buffer
	c := &command{env: Env{Stdout: io.Discard, Stderr: io.Discard}, out: &sticky{w: &out}}
	root := c.root()
	root.SetOut(&out)
	root.SetArgs([]string{"ask", "--help"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	shown := out.String()
	at := 0
	for _, title := range []string{"\nFlags:\n", globalGroups[0].title, globalGroups[1].title,
		globalGroups[2].title} {
		next := strings.Index(shown, title)
		if next <= at {
			t.Fatalf("%q is missing, or too early:\n%s", title, shown)
		}
		at = next
	}
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		n := 0
		for _, g := range globalGroups {
			if slices.Contains(g.flags, f.Name) {
				n++
			}
		}
		if !f.Hidden && (n != 1 || !strings.Contains(shown, "--"+f.Name+" ")) {
			t.Errorf("--%s is in %d groups, or not in the help", f.Name, n)
		}
	})
}

// A shell for which no completion can be made is an error that names those for which it can.
func TestCompletionOfAnotherShell(t *testing.T) {
	var out, problem bytes.Buffer
	code := Run(t.Context(), Env{Args: []string{"completion", "tcsh"}, Stdout: &out, Stderr: &problem,
		Getenv: func(string) string { return "" }, Terminal: func(io.Writer) bool { return false },
		Width: func() int { return 80 }})
	if code != 2 || out.Len() > 0 || !strings.Contains(problem.String(), "zsh") {
		t.Errorf("exit code %d, %q, %q", code, out.String(), problem.String())
	}
}
