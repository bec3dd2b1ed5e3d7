package rest

import "testing"

// The command that goes on with a removal has a counterpart, which keeps what it takes.
func TestRemovalsAreProposedOverHTTP(t *testing.T) {
	for in, want := range map[string]string{
		"to go on: wstk site remove https://a.example/ --with-runs --yes": "to go on: DELETE /sites/https:%2F%2Fa.example%2F?with_runs=true",
		"wstk site remove site_0123456789abcdef --yes":                    "DELETE /sites/site_0123456789abcdef",
	} {
		if got := overHTTP([]string{in}); len(got) != 1 || got[0] != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}
