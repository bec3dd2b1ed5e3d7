package mcp

import (
	"encoding/json"
	"slices"
	"testing"

	"wstk/shared/text"
)

// mostListed is what the list of tools may cost a model, in tokens.
const mostListed = 2400

// The list of tools stays small, since each conversation pays for it.
func TestTheListIsSmall(t *testing.T) {
	h := newHost(t, newApp(t), waitHere)
	list, err := h.client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := json.Marshal(list)
	all := text.EstimateTokens(string(data))
	for _, tl := range list.Tools {
		one, _ := json.Marshal(tl)
		t.Logf("%5d tokens %s", text.EstimateTokens(string(one)), tl.Name)
	}
	t.Logf("%5d tokens in all, at most %d", all, mostListed)
	if all >= mostListed {
		t.Errorf("the list of tools has %d tokens, at most %d", all, mostListed)
	}
}

// Each tool is listed with what hosts decide by: whether it changes anything, and where it acts.
func TestTheListSaysWhatToolsDo(t *testing.T) {
	h := newHost(t, newApp(t), waitHere)
	list, err := h.client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tl := range list.Tools {
		names = append(names, tl.Name)
		a := tl.Annotations
		if a == nil || tl.Description == "" {
			t.Fatalf("%s has no annotations or says nothing", tl.Name)
		}
		open := a.OpenWorldHint == nil || *a.OpenWorldHint
		writes := slices.Contains([]string{"answer", "ask", "ingest"}, tl.Name)
		if a.ReadOnlyHint == writes || writes && (a.DestructiveHint == nil || *a.DestructiveHint) ||
			open == slices.Contains([]string{"read", "gap", "verify"}, tl.Name) {
			t.Errorf("%s: %+v", tl.Name, a)
		}
		if (tl.OutputSchema == nil) != (tl.Name == "read") {
			t.Errorf("%s: its schema is %v", tl.Name, tl.OutputSchema)
		}
	}
	slices.Sort(names)
	if want := []string{"answer", "ask", "fetch", "gap", "ingest", "read", "search", "verify"}; !slices.Equal(names, want) {
		t.Errorf("the tools are %q, want %q", names, want)
	}
}
