// Package infra holds the files that define the cloud stack and that Go code reads, too. One
// machine runs the same state machines as Step Functions.
package infra

import (
	"embed"

	"wstk/shared/wstk"
)

//go:embed statemachines/*.asl.json
var files embed.FS

// Machine returns the Amazon States Language definition of a state machine by its
// word: answer, extract, refresh. Its resources are names in ${}, which SAM replaces by the
// ARNs of functions. Another name is NotFound.
func Machine(name string) ([]byte, error) {
	data, err := files.ReadFile("statemachines/" + name + ".asl.json")
	if err != nil {
		return nil, wstk.Errorf(wstk.NotFound, "opening state machine", "there is no %q", name)
	}
	return data, nil
}
