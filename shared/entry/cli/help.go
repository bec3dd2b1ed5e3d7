package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// globalGroups are the flags of all commands as help lists them, below those of the command.
var globalGroups = []struct {
	title string
	flags []string
}{
	{"Output, for every command:", []string{"json", "pretty", "plain", "quiet", "verbose",
		"no-color", "no-input", "redact"}},
	{"Time, policy and addresses:", []string{"timeout", "policy", "robots", "usage",
		"allow-domain", "block-domain", "allow-private", "proxy", "user-agent"}},
	{"Cache and folders:", []string{"fresh", "no-cache", "cache-dir", "cache-ttl",
		"cache-max-mb", "cache-store", "evidence-dir", "data-dir"}},
}

// groupedFlags is the help of flags: those that are in no group first, then each group. A flag
// without a group is shown all the same.
func groupedFlags(flags *pflag.FlagSet) string {
	own, groups := pflag.NewFlagSet("", pflag.ContinueOnError), []string{}
	own.SortFlags = false
	grouped := map[string]bool{}
	for _, g := range globalGroups {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		for _, name := range g.flags {
			if f := flags.Lookup(name); f != nil {
				set.AddFlag(f)
				grouped[name] = true
			}
		}
		if usages := strings.TrimRight(set.FlagUsages(), "\n"); usages != "" {
			groups = append(groups, g.title+"\n"+usages)
		}
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if !grouped[f.Name] {
			own.AddFlag(f)
		}
	})
	if usages := strings.TrimRight(own.FlagUsages(), "\n"); usages != "" {
		groups = append([]string{"Flags:\n" + usages}, groups...)
	}
	return strings.Join(groups, "\n\n")
}

// groupFlags lets the help of a command and of those below it show flags in groups.
func groupFlags(root *cobra.Command) {
	cobra.AddTemplateFunc("groupedFlags", groupedFlags)
	usage := root.UsageTemplate()
	for _, part := range [][2]string{
		{"Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}",
			"{{groupedFlags .LocalFlags}}"},
		{"Global Flags:\n{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}",
			"{{groupedFlags .InheritedFlags}}"},
	} {
		usage = strings.Replace(usage, part[0], part[1], 1)
	}
	root.SetUsageTemplate(usage)
}
