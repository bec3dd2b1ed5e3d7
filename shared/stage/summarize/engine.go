package summarize

import (
	"context"

	"wstk/shared/wstk"
)

// Engine writes summaries. It is safe for concurrent use.
type Engine interface {
	// Name, Model and PromptHash say who writes, in the words of
	// wstk.SummaryKey: "heuristic" or the model's provider; the model or "";
	// the hash of the prompt or the version of the rules.
	Name() string
	Model() string
	PromptHash() string

	// Summarize returns one summary for each document, in their order, and what
	// the call cost. Only Text, Signals and Language need to be set. A model that
	// fails, or answers with something else, is ModelFailed or a transient code.
	Summarize(ctx context.Context, docs []*wstk.Document) ([]wstk.Summary, wstk.Usage, error)
}
