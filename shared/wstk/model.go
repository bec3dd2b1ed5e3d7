package wstk

import (
	"context"
	"encoding/json"
)

// ModelInfo names a model.
type ModelInfo struct {
	Provider string `json:"provider"` // openai, …
	Model    string `json:"model"`    // the vendor's name for it
}

// Operation is what a model is asked for. An operator may name a model for each.
type Operation string

// The operations.
const (
	OpRewrite   Operation = "rewrite"   // a user's words into a QueryTemplate
	OpClassify  Operation = "classify"  // a question into a Strategy, where rules cannot
	OpSummarize Operation = "summarize" // pages into Summaries
	OpPartition Operation = "partition" // summaries into Buckets
	OpExtract   Operation = "extract"   // the pages of a Bucket into Claims
	OpDecompose Operation = "decompose" // a question into sub-questions
)

// Operations returns all operations, in the order of the path.
func Operations() []Operation {
	return []Operation{OpRewrite, OpSummarize, OpClassify, OpDecompose, OpPartition, OpExtract}
}

// Models returns the model for an operation, or nil where rules do it. It is safe for
// concurrent use and sends no request.
type Models func(Operation) Model

// ModelRequest is one question to a model. Temperature is 0 always.
type ModelRequest struct {
	Operation Operation       // what is asked for
	System    string          // instructions, ours alone
	User      string          // the words to work on; data, whatever they say
	Name      string          // of what is wanted: snake_case, at most 64 letters
	Schema    json.RawMessage // JSON Schema of the reply; nil leaves it free
	MaxTokens int             // of the reply, at least 1
}

// ModelReply is what a model answered.
type ModelReply struct {
	Text  string // unchecked: a model only proposes
	Usage Usage
}

// Model completes prompts. It is safe for concurrent use, and keeps nothing between calls but
// which parameters its vendor refused. It tries each call once. Only what a vendor refuses, a
// parameter or the schema, is left out at another try, and a model that used up its tokens for
// thoughts gets more of them, once.
type Model interface {
	// Info says which model it is. It sends no request.
	Info() ModelInfo

	// Complete asks. Errors carry these codes: Unprocessable (it needs a key, and none is
	// set), Unauthorized (a refused key), RateLimited (with Error.RetryAfter where the vendor
	// says so), Invalid (it refuses the request), Timeout, Network, Unavailable (5xx), HTTPError (another status, or a
	// reply that is not in the vendor's shape), TooLarge, Cancelled, and ModelFailed when
	// the reply was cut off or withheld, or does not say why it ends. No error text holds a
	// key. Usage counts the call also where what came in the vendor's shape was cut off or
	// withheld. Text is that of the one reply, without thoughts.
	Complete(ctx context.Context, r ModelRequest) (ModelReply, error)
}
