package app

import (
	"fmt"

	"wstk/shared/prompt"
	"wstk/shared/stage/extract/prompted"
	"wstk/shared/stage/search"
	"wstk/shared/stage/summarize"
	"wstk/shared/wstk"
)

// ModelSetup is how the operator set up the language model for an operation.
type ModelSetup struct {
	Address  string // "" means the vendor's own; without a password
	Variable string // of its key; "" for a vendor without keys
	HasKey   bool
}

// lacksKey reports whether the vendor's own address would be asked without a key.
func (s ModelSetup) lacksKey() bool { return s.Variable != "" && !s.HasKey && s.Address == "" }

// ModelsReady returns Unprocessable if a language model that does one of these operations lacks
// its key or its prompt. It asks no model; nil where rules do them. Rooms call it before a page is
// read and before anything is sent.
func (a *App) ModelsReady(ops ...wstk.Operation) error {
	for _, op := range ops {
		if err := a.modelReady(op); err != nil {
			return err
		}
	}
	return nil
}

func (a *App) modelReady(op wstk.Operation) error {
	m := a.Models(op)
	if m == nil {
		return nil
	}
	if s := a.ModelSetups[op]; s.lacksKey() {
		return wstk.Errorf(wstk.Unprocessable, "", "the model %s:%s, which is set up to %s, needs "+
			"a key, and %s is not set; nothing was sent", m.Info().Provider, m.Info().Model, op,
			s.Variable).Try(wstk.Step{Do: wstk.DoConfigure, Variable: s.Variable})
	}
	_, err := a.promptOf(op)
	return err
}

// MeaningReady is ModelsReady for the embedder and the reranker of services.
func (a *App) MeaningReady() error {
	for _, s := range meanings(a.Config) {
		if s.Keyless() {
			variable := s.KeyVariable(s.kind)
			return wstk.Errorf(wstk.Unprocessable, "", "the %s %s needs a key, and %s is not set; "+
				"nothing was sent", s.kind, s.Provider, variable).
				Try(wstk.Step{Do: wstk.DoConfigure, Variable: variable})
		}
	}
	return nil
}

// promptOf is what the model for an operation is told.
func (a *App) promptOf(op wstk.Operation) (prompt.Prompt, error) {
	if op == wstk.OpRewrite {
		own := prompt.Prompt{Operation: op, Version: search.PromptVersion, Text: search.Prompt}
		if a.Rewriting == nil || a.Rewriting.Prompt == nil {
			return own, nil
		}
		return prompt.Custom(func(wstk.Operation) (string, error) {
			words, err := a.Rewriting.Prompt()
			if err == nil && words == "" {
				err = fmt.Errorf("the file is empty")
			}
			return words, err
		}).Or(own)
	}
	for _, p := range append(prompted.Prompts(), summarize.ModelPrompt) {
		if p.Operation == op {
			return a.Prompts.Or(p)
		}
	}
	return prompt.Prompt{Operation: op}, nil
}
