package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// didYouMean is a next step for a command or a flag that there is not, where one is written
// much alike.
func didYouMean(root *cobra.Command, args []string, err error) []string {
	message := err.Error()
	at, _, findErr := root.Find(args)
	if findErr != nil || at == nil {
		at = root
	}
	best, least, prefix := "", 3, ""
	try := func(word, name string) {
		if d := distance(word, name, least); d < least && 2*d < len(name)+1 {
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

// distance is how many letters must be changed, added, taken out or swapped with their
// neighbour to make b of a; most when they are that many.
func distance(a, b string, most int) int {
	if len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return min(rows[len(a)][len(b)], most)
}
