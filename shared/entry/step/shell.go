package step

import (
	"runtime"
	"strings"

	"wstk/shared/wstk"
)

// Shell words a step as a command with its flags, or as a sentence where no command does
// it. A shell that runs the command gets each argument as it is.
func Shell(s wstk.Step) string {
	w := verbs[s.Do].shell(s)
	if s.For != "" && s.Do == wstk.DoOption && chosen(s) {
		return s.For + " with " + flagName(s.Options[0].Name)
	}
	return after(purpose(s, flagName), w)
}

// chosen reports whether a step names one option whose value the reader chooses.
func chosen(s wstk.Step) bool {
	return s.Say == "" && len(s.Options) == 1 && s.Options[0].Value == ""
}

func flagName(n wstk.OptionName) string { return "--" + options[n].flag }

// flags are options as they stand in a command; the reader's own values have a
// placeholder.
func flags(list []wstk.Option) (out []string) {
	for _, o := range list {
		out = append(out, flagName(o.Name))
		known := options[o.Name]
		switch value := known.value; {
		case value == "": // on or off
		case o.Value == "":
			out = append(out, value)
		default:
			out = append(out, quoted(o.Value+known.unit))
		}
	}
	return out
}

// flagsOf are the flags of DoOption: "--timeout 120s", "--evidence-dir DIR keeps it", "use
// --user-agent"; with the variable that does it for good, where it is known.
func flagsOf(s wstk.Step) string {
	out := strings.Join(flags(s.Options), " ")
	switch {
	case s.Say != "":
		return out + " " + s.Say
	case chosen(s):
		out = "use " + flagName(s.Options[0].Name)
	}
	if s.Variable != "" {
		out += " (or set " + s.Variable + ")"
	}
	return out
}

// names are the flags of options, without values.
func names(list []wstk.Option) (out []string) {
	for _, o := range list {
		out = append(out, flagName(o.Name))
	}
	return out
}

func withoutFlags(s wstk.Step) string { return "leave out " + listed(names(s.Options)) }

func checkFlags(s wstk.Step) string {
	return "check " + listed(append(nonEmpty(s.Say), names(s.Options)...))
}

func nonEmpty(w string) []string {
	if w == "" {
		return nil
	}
	return []string{w}
}

func openShell(wstk.Step) string {
	return "pass --allow-private (or set WSTK_ALLOW_PRIVATE=1) to open loopback and private " +
		"addresses"
}

// installed says how a browser is installed on this machine.
func installed(wstk.Step) string {
	switch runtime.GOOS {
	case "darwin":
		return "install one: brew install --cask chromium"
	case "windows":
		return "install one: winget install Google.Chrome"
	}
	return "install one: apt-get install chromium (Debian), dnf install chromium (Fedora)"
}

// line is a command of the program.
func line(args ...string) string { return "wstk " + strings.Join(args, " ") }

// or is a value, or the placeholder for one that the reader puts in.
func or(value, placeholder string) string {
	if value == "" {
		return placeholder
	}
	return quoted(value)
}

// command words a command on one address, its flags behind it.
func command(name string) func(wstk.Step) string {
	return func(s wstk.Step) string {
		return line(append([]string{name, or(s.URL, "URL")}, flags(s.Options)...)...)
	}
}

func site(name string) func(wstk.Step) string { return command("site " + name) }

func removal(s wstk.Step) string { return site("remove")(s) + " --yes" }

// onePage words a command that reads one page: how stands before the address, and what
// opens it behind.
func onePage(name string) func(wstk.Step) string {
	return func(s wstk.Step) string {
		var before, after []wstk.Option
		for _, o := range s.Options {
			if o.Name == wstk.OptAllowPrivate {
				after = append(after, o)
			} else {
				before = append(before, o)
			}
		}
		args := append([]string{name}, flags(before)...)
		args = append(args, or(s.URL, "URL"))
		return line(append(args, flags(after)...)...)
	}
}

func extractFile(s wstk.Step) string {
	if s.File == "-" {
		return line("extract", "-", "<", "FILE")
	}
	return line("extract", or(s.File, "FILE"))
}

func search(s wstk.Step) string { return line("search", or(s.Query, "QUERY")) }

func ask(s wstk.Step) string {
	return line("ask", or(s.Query, "QUERY"), "--from", or(s.URL, "URL"))
}

func answer(s wstk.Step) string {
	args := []string{"answer", or(s.URL, "URL"), or(s.Query, "QUESTION")}
	return line(append(args, flags(s.Options)...)...)
}

func askAgain(s wstk.Step) string { return line("ask", or(s.Query, "QUERY")) }

func affected(s wstk.Step) string {
	if s.URL == "" {
		return line("runs", "affected")
	}
	return line("runs", "affected", quoted(s.URL))
}

func evaluate(s wstk.Step) string {
	return line("eval", "--suite", or(s.File, "FILE"), "--json", ">", "before.json")
}

func verify(s wstk.Step) string { return line("verify", or(s.File, "FILE")) }

func showRun(s wstk.Step) string { return line("runs", "show", or(string(s.Run), "ID")) }

// quoted quotes a word where a shell would read more into it.
func quoted(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$`&;|<>()*?[]{}!~#") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
