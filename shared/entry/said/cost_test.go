package said

import (
	"testing"

	"wstk/shared/wstk"
)

func TestCost(t *testing.T) {
	model := func(name string) wstk.ProposedBy {
		return wstk.ProposedBy{ModelInfo: wstk.ModelInfo{Provider: "openai", Model: name}}
	}
	some := wstk.Usage{Calls: 2, InputTokens: 3000, OutputTokens: 120, DurationMS: 4100}
	for want, c := range map[string]struct {
		by   map[wstk.Operation]wstk.ProposedBy
		used wstk.Usage
	}{
		"":                                   {},
		"2 model calls, 3,120 tokens, 4.1 s": {used: some},
		"proposed by openai:m1: 2 model calls, 3,120 tokens, 4.1 s": {
			map[wstk.Operation]wstk.ProposedBy{wstk.OpExtract: model("m1"),
				wstk.OpClassify: model("m1")}, some},
		"proposed by openai:big and openai:small: 1 model call, 7 tokens, 0.0 s": {
			map[wstk.Operation]wstk.ProposedBy{wstk.OpExtract: model("small\n"),
				wstk.OpClassify: model("big")}, wstk.Usage{Calls: 1, InputTokens: 7}},
	} {
		var by *wstk.Proposer
		if c.by != nil {
			by = &wstk.Proposer{Models: c.by}
		}
		if got := Cost(by, c.used); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
