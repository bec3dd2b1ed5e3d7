package cli

import (
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wstk/shared/entry/step"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// commandWords are a command as a step words it: alone, behind what it is for, or in quotes.
var commandWords = regexp.MustCompile("(?:^|: |`)wstk ([^`]+)`?$")

// Every command that a step names is one, with the flags and arguments it takes; so is
// every flag that a step names alone.
func TestStepsAreCommands(t *testing.T) {
	commands, flags := 0, 0
	for _, s := range wstktest.Steps() {
		words := step.Shell(s)
		if m := commandWords.FindStringSubmatch(words); m != nil {
			commands++
			checkCommand(t, words, shellArgs(t, m[1]))
			continue
		}
		for _, name := range regexp.MustCompile(`(?:^|\s)--([a-z-]+)`).FindAllStringSubmatch(words, -1) {
			flags++
			checkFlag(t, s, words, name[1])
		}
	}
	if commands < 40 || flags < len(wstk.OptionNames()) {
		t.Errorf("only %d commands and %d flags were checked", commands, flags)
	}
}

// shellArgs are the arguments that a shell would give to the program.
func shellArgs(t *testing.T, words string) []string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		wstktest.Skip(t, "there is no shell here")
	}
	words = strings.TrimSuffix(strings.TrimSuffix(words, " > before.json"), " < FILE")
	out, err := exec.Command(sh, "-c", "printf '%s\\0' "+words).Output()
	if err != nil {
		t.Fatalf("%s: %v", words, err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// checkCommand gives arguments to the real parser. Placeholders of numbers stand for any.
func checkCommand(t *testing.T, words string, args []string) {
	t.Helper()
	c := &command{env: Env{Args: args, Stdout: io.Discard, Stderr: io.Discard},
		out: &sticky{w: io.Discard}}
	cmd, rest, err := c.root().Find(args)
	if err != nil || !cmd.Runnable() {
		t.Errorf("%s: no such command: %v", words, err)
		return
	}
	for i, a := range rest {
		if a == "N" || a == "MS" {
			rest[i] = "5"
		}
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Errorf("%s: %v", words, err)
		return
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		t.Errorf("%s: %v", words, err)
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Hidden {
			t.Errorf("%s: --%s is a hidden spelling", words, f.Name)
		}
	})
}

// checkFlag holds a flag against all commands: one of them takes it with the step's value,
// and whether it takes a value is what the step says.
func checkFlag(t *testing.T, s wstk.Step, words, name string) {
	t.Helper()
	var flag *pflag.Flag
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
			if f := set.Lookup(name); f != nil {
				flag = f
			}
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	c := &command{env: Env{Stdout: io.Discard, Stderr: io.Discard}, out: &sticky{w: io.Discard}}
	visit(c.root())
	if flag == nil {
		t.Errorf("%s: no command has the flag --%s", words, name)
		return
	}
	for _, o := range s.Options {
		if o.Value != "" && strings.Contains(words, "--"+name+" ") {
			if err := flag.Value.Set(o.Value); err != nil {
				t.Errorf("%s: %v", words, err)
			}
		}
	}
}

// Options that are on or off are flags without a value, and all others take one.
func TestOptionsAreFlags(t *testing.T) {
	c := &command{env: Env{Stdout: io.Discard, Stderr: io.Discard}, out: &sticky{w: io.Discard}}
	all := map[string]*pflag.Flag{}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		keep := func(f *pflag.Flag) { all["--"+f.Name] = f }
		cmd.Flags().VisitAll(keep)
		cmd.PersistentFlags().VisitAll(keep)
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(c.root())
	for _, n := range wstk.OptionNames() {
		words := strings.Fields(
			step.Shell(wstk.Step{Do: wstk.DoOption, Say: "helps", Options: []wstk.Option{n.On()}}))
		f := all[words[0]]
		if f == nil {
			t.Errorf("%s: there is no flag %s", n, words[0])
			continue
		}
		if takes := f.NoOptDefVal == ""; takes != (words[1] != "helps") {
			t.Errorf("%s: %v, and it takes a value: %v", n, words, takes)
		}
	}
}
