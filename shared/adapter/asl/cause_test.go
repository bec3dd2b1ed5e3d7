package asl

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"wstk/infra"
)

// blocks are the parts of a machine that have states of their own, each as a machine.
func blocks(t *testing.T, m map[string]any) []map[string]any {
	t.Helper()
	out := []map[string]any{m}
	for _, s := range m["States"].(map[string]any) {
		if inner, ok := s.(map[string]any)["ItemProcessor"].(map[string]any); ok {
			out = append(out, blocks(t, inner)...)
		}
	}
	return out
}

// An error of Step Functions itself may come without a cause: what catches it ends the
// machine as with one, and not for want of the cause.
func TestACatchNeedsNoCause(t *testing.T) {
	tried := 0
	for _, name := range []string{"extract", "refresh"} {
		data, err := infra.Machine(name)
		if err != nil {
			t.Fatal(err)
		}
		var whole map[string]any
		if err := json.Unmarshal(data, &whole); err != nil {
			t.Fatal(err)
		}
		for _, block := range blocks(t, whole) {
			targets := map[string]bool{} // and whether the error lies under failed
			for _, s := range block["States"].(map[string]any) {
				catches, _ := s.(map[string]any)["Catch"].([]any)
				for _, c := range catches {
					c := c.(map[string]any)
					if path, set := c["ResultPath"]; set && path == nil {
						continue // the error is not looked at
					}
					targets[c["Next"].(string)] = c["ResultPath"] != nil
				}
			}
			for _, next := range slices.Sorted(maps.Keys(targets)) {
				for _, failure := range []map[string]any{{"Error": "States.Timeout"}, {"Error": "States.Timeout", "Cause": nil}, {"Error": "States.Timeout", "Cause": "it took long"}} {
					tried++
					machine := maps.Clone(block)
					delete(machine, "ProcessorConfig")
					machine["StartAt"] = next
					states := map[string]any{} // those that are reached
					var reach func(string)
					reach = func(at string) {
						if s, ok := block["States"].(map[string]any)[at].(map[string]any); ok &&
							states[at] == nil {
							states[at] = s
							for _, n := range nexts(s) {
								reach(n)
							}
						}
					}
					reach(next)
					machine["States"] = states
					input := failure
					if targets[next] {
						input = map[string]any{"n": 1, "site_id": "s1", "failed": failure}
					}
					input["run_id"], input["request"] = "run_1", "q"
					w := &world{}
					m, err := Parse(name, encode(machine), w.resource)
					if err != nil {
						t.Fatal(err)
					}
					m.Sleep = nothing
					out, err := m.Run(t.Context(), "run_1", encode(input))
					if err != nil && (strings.Contains(err.Error(), "States.Runtime") ||
						!strings.Contains(err.Error(), "States.Timeout")) && next != "BucketCancelled" {
						t.Errorf("%s, %s with %s: %v", name, next, encode(failure), err)
					}
					if strings.Contains(name, "extract") && !targets[next] && w.tries["Collate/failed"] != 1 && next != "BucketCancelled" {
						t.Errorf("%s with %s: the run was not ended: %q", next, encode(failure), w.calls)
					}
					if targets[next] && !strings.Contains(string(out), `"error":"States.Timeout"`) {
						t.Errorf("%s with %s: %s", next, encode(failure), out)
					}
				}
			}
		}
	}
	if tried < 12 {
		t.Errorf("only %d errors were caught", tried)
	}
}

func nexts(s map[string]any) (out []string) {
	for _, key := range []string{"Next", "Default"} {
		if n, ok := s[key].(string); ok {
			out = append(out, n)
		}
	}
	for _, key := range []string{"Choices", "Catch"} {
		list, _ := s[key].([]any)
		for _, c := range list {
			out = append(out, nexts(c.(map[string]any))...)
		}
	}
	return out
}
