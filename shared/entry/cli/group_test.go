package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"wstk/shared/config"
)

// The line of a group in the help names all of its commands, or none; the error without one
// names all.
func TestHelpNamesAllCommandsOfAGroup(t *testing.T) {
	c := &command{env: Env{Settings: config.New(nil)}}
	groups := 0
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		var named, missing []string
		for _, sub := range cmd.Commands() {
			check(sub)
			if !cmd.HasParent() || cmd.Name() == "completion" {
				continue
			}
			if strings.Contains(strings.ToLower(cmd.Short), sub.Name()) {
				named = append(named, sub.Name())
			} else {
				missing = append(missing, sub.Name())
			}
			if err := cmd.RunE(cmd, nil); err == nil || !strings.Contains(err.Error(), sub.Name()) {
				t.Errorf("wstk %s: %v, without %s", cmd.Name(), err, sub.Name())
			}
		}
		if len(named)+len(missing) > 0 {
			groups++
		}
		if len(named) > 0 && len(missing) > 0 {
			t.Errorf("wstk %s: %q names %v, but not %v", cmd.Name(), cmd.Short, named, missing)
		}
	}
	check(c.root())
	if groups < 5 {
		t.Errorf("only %d groups were looked at", groups)
	}
}
