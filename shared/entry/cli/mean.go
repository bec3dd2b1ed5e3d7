package cli

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wstk/shared/text"
)

// didYouMean is a next step for an unknown command or flag, if a known one is written
// much alike.
func didYouMean(root *cobra.Command, args []string, err error) []string {
	message := err.Error()
	at, _, findErr := root.Find(args)
	if findErr != nil || at == nil {
		at = root
	}
	best, least, prefix := "", 3, ""
	try := func(word, name string) {
		if d := text.Distance(word, name, least); d < least && 2*d < len(name)+1 {
			best, least = name, d
		}
	}
	switch {
	case strings.HasPrefix(message, "unknown flag: --"):
		word, _, _ := strings.Cut(strings.TrimPrefix(message, "unknown flag: --"), "=")
		prefix = "--"
		each := func(f *pflag.Flag) {
			if !f.Hidden {
				try(word, f.Name)
			}
		}
		at.Flags().VisitAll(each)
		at.InheritedFlags().VisitAll(each)
	case strings.HasPrefix(message, "unknown command "):
		word, _, _ := strings.Cut(strings.TrimPrefix(message, "unknown command \""), "\"")
		if words := strings.Fields(word); len(words) > 0 { // help CMD SUB
			word = words[len(words)-1]
		}
		prefix = strings.TrimSuffix(at.CommandPath(), " help") + " "
		for at.HasParent() && !at.HasSubCommands() {
			at = at.Parent()
		}
		for _, c := range at.Commands() {
			if c.IsAvailableCommand() {
				try(word, c.Name())
			}
		}
	}
	if best == "" {
		return nil
	}
	return []string{"did you mean " + prefix + best + "?"}
}

// badCount is what the library of flags says of a number that a count refuses.
var badCount = regexp.MustCompile(
	`^invalid argument "[^"]*" for "(?:-\w, )?(--[\w-]+)" flag: (must be at .*)`)

// badNumber is what the library of flags says of a value that is no number.
var badNumber = regexp.MustCompile(
	`^invalid argument ("[^"]*") for "(?:-\w, )?(--[\w-]+)" flag: strconv\.Parse(Int|Float|Uint)`)

// plainUsage is what is wrong with the words of a command, in plain words.
func plainUsage(err error) string {
	message := strings.TrimSuffix(err.Error(), ".")
	if m := badCount.FindStringSubmatch(message); m != nil {
		return m[1] + " " + m[2]
	}
	m := badNumber.FindStringSubmatch(message)
	switch {
	case m == nil:
		return message
	case m[3] == "Float":
		return m[2] + ": " + m[1] + " is not a number"
	}
	return m[2] + ": " + m[1] + " is not a whole number"
}
