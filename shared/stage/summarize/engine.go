package summarize

import (
	"context"
	"strings"

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
	// fails, or answers with something else, is ModelFailed or a transient code. The error is
	// Partly where it failed for some documents alone.
	Summarize(ctx context.Context, docs []*wstk.Document) ([]wstk.Summary, wstk.Usage, error)
}

// Partly says for which documents an engine failed, by their places; nil means that there is a
// summary.
type Partly []error

// Error joins the reasons.
func (p Partly) Error() string {
	var all []string
	for _, err := range p {
		if err != nil {
			all = append(all, err.Error())
		}
	}
	return strings.Join(all, "; ")
}

// Unwrap returns the first reason, whose code is that of the whole.
func (p Partly) Unwrap() error {
	for _, err := range p {
		if err != nil {
			return err
		}
	}
	return nil
}
