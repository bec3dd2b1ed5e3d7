package wstktest

import (
	"context"
	"sync"

	"wstk/shared/wstk"
)

// ScriptedModel is a wstk.Model that a test writes: without a network, for stages. It is safe
// for concurrent use if Answer is.
type ScriptedModel struct {
	// Answer is what the model says, or its error.
	Answer func(wstk.ModelRequest) (string, error)

	Named wstk.ModelInfo // what Info says; the zero value means scripted, made-up-1

	mu    sync.Mutex
	asked []wstk.ModelRequest
}

// Info says who it is.
func (m *ScriptedModel) Info() wstk.ModelInfo {
	if m.Named == (wstk.ModelInfo{}) {
		return wstk.ModelInfo{Provider: "scripted", Model: "made-up-1"}
	}
	return m.Named
}

// Complete answers at once. A token is four bytes.
func (m *ScriptedModel) Complete(
	ctx context.Context, r wstk.ModelRequest,
) (wstk.ModelReply, error) {
	if err := ctx.Err(); err != nil {
		return wstk.ModelReply{}, wstk.Wrap(wstk.Internal, "asking scripted", err)
	}
	m.mu.Lock()
	m.asked = append(m.asked, r)
	m.mu.Unlock()
	text, err := m.Answer(r)
	return wstk.ModelReply{Text: text, Usage: wstk.Usage{Calls: 1,
		InputTokens: len(r.System+r.User)/4 + 1, OutputTokens: len(text)/4 + 1}}, err
}

// Requests returns what it was asked so far. Calls at once come in any order.
func (m *ScriptedModel) Requests() []wstk.ModelRequest {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]wstk.ModelRequest(nil), m.asked...)
}

// Models is a wstk.Models that gives this model for every operation.
func (m *ScriptedModel) Models() wstk.Models {
	return func(wstk.Operation) wstk.Model { return m }
}
