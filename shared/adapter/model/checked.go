package model

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Checked is a wstk.Model whose replies fit the schema of their request. Of a reply it takes
// the JSON alone, escapes raw control characters in its strings, and compares it with the
// schema, whatever the vendor promised. What does not fit is sent back once, with what is
// wrong. If it still does not fit, the error is ModelFailed. Usage is that of both calls. A
// request without a schema is passed on. It is safe for concurrent use.
type Checked struct{ wstk.Model }

var _ wstk.Model = Checked{}

// What a reply may hold, whatever its schema allows.
const (
	maxString = 64 << 10 // bytes
	maxItems  = 2000     // of a list or an object
	maxDepth  = 32

	maxSentBack = 8000 // code points of a reply
)

// Complete asks once, and once more for a reply that does not fit.
func (c Checked) Complete(
	ctx context.Context, r wstk.ModelRequest,
) (wstk.ModelReply, error) {
	if r.Schema == nil {
		return c.Model.Complete(ctx, r)
	}
	op := "asking " + c.Info().Provider
	schema, err := resolved(r.Schema)
	if err != nil {
		return wstk.ModelReply{}, wstk.Errorf(wstk.Invalid, op, "the schema is wrong: %w", err)
	}
	var usage wstk.Usage
	for user, try := r.User, 1; ; try++ {
		reply, err := c.Model.Complete(ctx, r)
		usage.Add(reply.Usage)
		reply.Usage = usage
		if err != nil {
			return reply, err
		}
		fitting, wrong := fit(reply.Text, schema)
		if wrong == nil {
			reply.Text = fitting
			return reply, nil
		}
		if try == 2 {
			reply.Text = ""
			// what is wrong may repeat words of a page, and is not told
			return reply, wstk.Errorf(wstk.ModelFailed, op,
				"its reply does not fit the JSON Schema %q, also after it was told why",
				nameOf(r))
		}
		r.User = user + "\n\n" + sentBack(reply.Text, wrong)
	}
}

// sentBack tells the model what was wrong with its reply. Both are data, in JSON.
func sentBack(reply string, wrong error) string {
	said, _ := json.Marshal(struct { // texts always encode
		Note  string `json:"note"`
		Reply string `json:"your_reply"`
		Wrong string `json:"what_was_wrong"`
	}{"The reply to the above was refused. Give the whole reply again, without the fault.",
		text.Shorten(reply, maxSentBack), text.Shorten(wrong.Error(), 1000)})
	return string(said)
}

func resolved(raw json.RawMessage) (*jsonschema.Resolved, error) {
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		return nil, err
	}
	return schema.Resolve(nil)
}

// fit is the JSON in a reply, if it fits the schema and the bounds.
func fit(said string, schema *jsonschema.Resolved) (string, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text.JSONIn(said))); err != nil {
		return "", fmt.Errorf("it is not JSON: %w", err)
	}
	var value any
	if err := json.Unmarshal(compact.Bytes(), &value); err != nil {
		return "", err
	}
	if err := bounded(value, 1); err != nil {
		return "", err
	}
	return compact.String(), schema.Validate(value)
}

// bounded says what of a value is over the bounds.
func bounded(value any, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("it is nested more than %d deep", maxDepth)
	}
	var children []any
	switch x := value.(type) {
	case string:
		if len(x) > maxString {
			return fmt.Errorf("a string has %d bytes; at most %d are allowed", len(x), maxString)
		}
	case []any:
		children = x
	case map[string]any:
		for _, v := range x {
			children = append(children, v)
		}
	}
	if len(children) > maxItems {
		return fmt.Errorf("a list has %d items; at most %d are allowed", len(children), maxItems)
	}
	for _, v := range children {
		if err := bounded(v, depth+1); err != nil {
			return err
		}
	}
	return nil
}
