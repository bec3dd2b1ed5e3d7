// Package prompt is what stages have in common that ask a model: the instructions, which are
// files with a version and a hash, and the fence, which keeps the words of pages apart from
// them. It calls no model. Begin with Prompt and Fence.
package prompt

import (
	"fmt"
	"unicode/utf8"

	"wstk/shared/wstk"
)

// MaxSize is how long instructions may be, in bytes.
const MaxSize = 64 << 10

// Prompt is what a model is told to do. Its hash says which one it was.
type Prompt struct {
	Operation wstk.Operation // for which it is
	Version   string         // of a prompt of ours; "" for one that an operator wrote
	Text      string         // sent whole
}

// Hash is the SHA-256 of the text.
func (p Prompt) Hash() wstk.Hash { return wstk.HashOf([]byte(p.Text)) }

// Custom returns the text of the prompt that an operator gave for an operation, read anew for
// each call, or "" where there is none. A nil Custom has none. It is safe for concurrent use.
type Custom func(wstk.Operation) (string, error)

// Or returns the operator's prompt for the operation of builtin, or builtin where there is none.
// One that cannot be read, is empty, is longer than MaxSize or is not UTF-8 is Unprocessable: what
// an operator configured is never replaced silently.
func (c Custom) Or(builtin Prompt) (Prompt, error) {
	if c == nil {
		return builtin, nil
	}
	words, err := c(builtin.Operation)
	wrong := ""
	switch {
	case err != nil:
		wrong = "cannot be read: " + err.Error()
	case words == "":
		return builtin, nil
	case len(words) > MaxSize:
		wrong = fmt.Sprintf("has %d bytes; at most %d are allowed", len(words), MaxSize)
	case !utf8.ValidString(words):
		wrong = "is not UTF-8"
	}
	if wrong != "" {
		return builtin, wstk.Errorf(wstk.Unprocessable, "", "the prompt that is set up for %s %s",
			builtin.Operation, wrong).Try(wstk.Step{Do: wstk.DoConfigure,
			Setting: fileOf(builtin.Operation),
			Say:     "to a file that can be read, or leave it out for the built-in prompt"})
	}
	return Prompt{Operation: builtin.Operation, Text: words}, nil
}

// fileOf is the setting with the file of an operator's prompt.
func fileOf(op wstk.Operation) string {
	if op == wstk.OpRewrite {
		return "rewrite.prompt_file"
	}
	return "model." + string(op) + ".prompt_file"
}
