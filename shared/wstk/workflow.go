package wstk

import (
	"context"
	"encoding/json"
)

// Workflows runs the state machines of infra/statemachines.
type Workflows interface {
	// Start begins a machine for a run with this input and returns before it ends.
	// Starting the same again is the same as once; a run that was started with
	// another input is Conflict, an input over MaxPayload TooLarge, an unknown
	// machine or an input that is not JSON Invalid.
	Start(ctx context.Context, machine string, run RunID, input json.RawMessage) error
}
