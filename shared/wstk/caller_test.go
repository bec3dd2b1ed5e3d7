package wstk

import "testing"

// A scope holds the ones before it; one that is not known allows nothing.
func TestScopes(t *testing.T) {
	for have, needs := range map[Scope]map[Scope]bool{
		ScopeRead:  {ScopeRead: true, ScopeWrite: false, ScopeAdmin: false, "": false, "else": false},
		ScopeWrite: {ScopeRead: true, ScopeWrite: true, ScopeAdmin: false, "": false},
		ScopeAdmin: {ScopeRead: true, ScopeWrite: true, ScopeAdmin: true, "": false},
		"":         {ScopeRead: false, "": false},
	} {
		for need, want := range needs {
			if have.Allows(need) != want {
				t.Errorf("%q allows %q: %v", have, need, !want)
			}
		}
	}
}
