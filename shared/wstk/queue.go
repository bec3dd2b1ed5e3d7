package wstk

import (
	"context"
	"encoding/json"
	"time"
)

// MaxPayload is the largest message or state-machine payload we send, in bytes:
// 200 KiB, under the 256 KiB of Step Functions. Messages carry keys, not bytes.
const MaxPayload = 200 << 10

// Message is one item on its way to a stage. It may arrive more than once, late
// and out of order.
type Message struct {
	Queue string          `json:"queue"` // one word: crawl, fetch, summarize, index
	Body  json.RawMessage `json:"body"`
	// not before; a transport may be some seconds early or late
	At time.Time `json:"at,omitzero"`

	// Group is whose message it is, a run's id. A transport may be fair to groups: one with a
	// long backlog does not keep the others waiting. It neither orders nor drops anything.
	Group string `json:"group,omitempty"`
}

// Queue sends messages to stages by name.
type Queue interface {
	// Send hands over all messages, each at least once, or returns an error after
	// which some may have been sent. A Body over MaxPayload is TooLarge, one that is
	// not JSON Invalid.
	Send(ctx context.Context, msgs ...Message) error
}

// NewMessage makes a message with v as its body. Its group is the run that v names by
// run_id.
func NewMessage(queue string, v any, at time.Time) (Message, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return Message{}, Errorf(Internal, "making message", "%w", err)
	}
	var of struct {
		Run string `json:"run_id"`
	}
	_ = json.Unmarshal(body, &of) // what is no object belongs to no run
	return Message{Queue: queue, Body: body, At: at, Group: of.Run}, nil
}
